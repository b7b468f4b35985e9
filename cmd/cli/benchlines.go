package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// benchLine is one line of the table of benchmarks: what was measured, what it is a ratio to, and
// the lines to reach. Numbers are in thousandths.
type benchLine struct {
	what, name, against string
	result              benchResult
	must, stretch       int64
	note                string // why it misses the line, if it does
}

// benchResult makes one number of two measurements.
type benchResult struct {
	unit   string
	more   bool // is better
	number func(b, against measured) int64
}

// reached says which line a number reaches: "stretch", "must" or "no".
func (l benchLine) reached(n int64) string {
	reaches := func(line int64) bool {
		return l.result.more && n >= line || !l.result.more && n <= line
	}
	switch {
	case reaches(l.stretch):
		return "stretch"
	case reaches(l.must):
		return "must"
	}
	return "no"
}

// line is a line to reach as it is written: "2.5x".
func (r benchResult) line(n int64) string {
	text := decimal(n)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + r.unit
}

// What a result may be.
var (
	asLong = benchResult{"x", false, func(b, r measured) int64 {
		return ratio(b.median(), r.median())
	}}
	asMany = benchResult{"x", true, func(b, r measured) int64 {
		return ratio(r.median(), b.median())
	}}
	asShare = benchResult{" %", false, func(b, r measured) int64 {
		return 100 * b.median() * 1000 / max(1, r.median())
	}}
	seconds = benchResult{" s", false, func(b, _ measured) int64 { return b.median() / 1_000_000_000 }}
	micros  = benchResult{" us", false, func(b, _ measured) int64 { return b.middle() / 1000 }}
	aSecond = benchResult{" /s", true, func(b, _ measured) int64 { return perSecond(b.median()) }}
	millis  = benchResult{" ms", false, func(b, _ measured) int64 { return b.median() / 1_000_000 }}
	inBytes = benchResult{" B", false, func(b, _ measured) int64 { return b.median() }}
	allocs  = benchResult{"", false, func(b, _ measured) int64 { return b.allocs * 1000 }}
	beside  = func(ns int64) benchResult { // what was published of another
		return benchResult{"x", true, func(b, _ measured) int64 { return ratio(ns*1000, b.median()) }}
	}
)

func ratio(a, b int64) int64 { return a * 1000 / max(1, b) }

// perSecond is how often something happens, in thousandths, that takes so many thousandths of a
// nanosecond.
func perSecond(ns int64) int64 {
	const second = 1_000_000_000 * 1000 // in thousandths of a nanosecond
	return second * 1000 / max(1, ns)
}

// hasCommit says that there is a model of two-phase commit to measure.
func hasCommit() bool {
	_, err := os.Stat(filepath.Join("model", "commit", "bench_test.go"))
	return err == nil
}

func benchLines() []benchLine {
	lines := append(engineLines(), peerLines()...)
	return slices.Concat(lines, sweepLines(), checkedLines(), exploreLines())
}

func engineLines() []benchLine {
	const ten, off, on = "sim.Event/nodes=10/queued=", "/trace=off", "/trace=on"
	const r1 = "sim.Reference/queued="
	const traced, few = "sim.Trace/nodes=10/queued=", ten + "10" + off
	event := func(queued string) benchLine {
		return benchLine{"event, trace off", ten + queued + off, r1 + queued, asLong, 2500, 1600, ""}
	}
	trace := func(queued string) benchLine {
		return benchLine{"event, trace on", traced + queued + on, r1 + queued, asLong, 3000, 2000, ""}
	}
	return []benchLine{
		event("100"), event("1000"), event("10000"), trace("100"), trace("1000"),
		{"allocations an event", ten + "1000" + off, "", allocs, 1000, 0, ""},
		{"set-up in a run of 500 events", "sim.Setup/events=1", "sim.Setup/events=500", asShare, 15_000,
			5000, ""},
		{"1,000 nodes against 10", "sim.Event/nodes=1000/queued=1000" + off, few, asLong, 2000, 1500, ""},
		{"10,000 nodes against 10", "sim.Event/nodes=10000/queued=10000" + off, few, asLong, 4000, 2600,
			manyNodes},
		{"10 M events on 10,000 nodes", "sim.TenMillion", "", seconds, 8000, 2000, ""},
		{"1 M queued, pop and push", "sim.Queue/queued=1000000", r1 + "1000000", asLong, 1000, 350, ""},
	}
}

func peerLines() []benchLine {
	const pong = "sim.PingPong/peer="
	against := func(what, ours, theirs, note string) benchLine {
		return benchLine{what, pong + ours, pong + theirs, asMany, 5000, 10_000, note}
	}
	return []benchLine{
		against("ping-pong of 1 ms, messages", "downset/delay=1ms", "synctest/delay=1ms", ""),
		against("the same, beside timers alone", "downset/delay=1ms", "synctest-timers/delay=1ms", ""),
		against("the same, trace on", "downset-traced/delay=1ms", "synctest/delay=1ms", ""),
		against("ping-pong without delay", "downset/delay=none", "synctest/delay=none", noDelay),
		{"event, 100 queued, to ns-3's 177 ns", "sim.Event/nodes=10/queued=100/trace=off", "",
			beside(177), 1000, 2000, ns3},
		{"event, 100,000 queued, to ns-3's 296 ns", "sim.Crowd/nodes=10/queued=100000/trace=off", "",
			beside(296), 1000, 2000, ns3},
	}
}

// loops are what shows how free the machine was.
const loops = "search.Spin/jobs="

func sweepLines() []benchLine {
	two := func(what, name, note string) benchLine {
		return benchLine{what, "search.Sweep/" + name + "/jobs=2", "search.Sweep/" + name + "/jobs=1",
			asMany, 1600, 1900, note}
	}
	return []benchLine{
		{"two loops without memory against one", loops + "2", loops + "1", asMany, 1900, 1950, busy},
		two("two workers against one, cut", "cut/gogc=800", busy),
		two("two workers against one, register", "register/gogc=800", busy),
		two("the same at GOGC=100, cut", "cut/gogc=100", often),
		two("the same at GOGC=100, register", "register/gogc=100", often),
	}
}

func checkedLines() []benchLine {
	const hundred, thousand = "checker.Linearizable/100_operations_5_clients_",
		"checker.Zones/1000_operations_20_clients"
	runs := func(what, name string, must, stretch int64) benchLine {
		return benchLine{what, name, "", aSecond, must * 1000, stretch * 1000, ""}
	}
	median := func(what, name string, must, stretch int64) benchLine {
		return benchLine{what, name, "", micros, must * 1000, stretch * 1000, ""}
	}
	lines := []benchLine{
		runs("checked runs of cut", "cut.CheckedRun/gogc=800", 2000, 5000),
		runs("the same at GOGC=100", "cut.CheckedRun/gogc=100", 2000, 5000),
		median("100 operations, 5 clients, one register", hundred+"1_keys", 150, 80),
		median("the same, 5 registers", hundred+"5_keys", 150, 80),
		median("the same, compare-and-swap", hundred+"1_key_swaps", 150, 80),
		median("the same, some reads stale", hundred+"1_key_stale", 150, 80),
		median("1,000 operations, 20 clients, one register", thousand, 1000, 25),
		median("the same, some without an answer", thousand+"_open", 1000, 25),
		median("the same, some reads stale", thousand+"_stale", 1000, 25),
	}
	if hasCommit() {
		lines = append(lines, runs("checked runs of two-phase commit, GOGC=100", "commit.CheckedRun",
			50_000, 150_000))
	}
	return lines
}

// exploreLines are about spaces of states: their number and their bytes stand where others have
// nanoseconds.
func exploreLines() []benchLine {
	const space, reduced = "search.Explore/judged=", "search.Reduction/full="
	return []benchLine{
		{"states a second, all of a register of three", space + "false/core", "", aSecond,
			120_000 * 1000, 500_000 * 1000, ""},
		{"the same by histories, ends linearizable", space + "true/core", "", aSecond,
			90_000 * 1000, 350_000 * 1000, judgedEnds},
		{"two workers against one, all states", space + "false/jobs=2", space + "false/jobs=1", asMany,
			1600, 1900, busy},
		{"states of a commit of five, all to those visited", reduced + "false", reduced + "true", asMany,
			10_000, 37_000, ""},
		{"bytes a visited state", "search.StateBytes", "", inBytes, 48_000, 16_000, ""},
		{"all orders of a small commit, with a crash", "search.Orders", "", millis, 250_000, 25_000, ""},
	}
}
