package cli

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The file of benchmarks: medians of several rounds, and ratios to what is measured in the same
// round, since these are what compares between machines.

// measured is what the rounds of one benchmark came to.
type measured struct {
	ns     []int64 // in thousandths
	mids   []int64 // medians within a round, in thousandths, of a benchmark that reports them
	allocs int64
}

func (m measured) median() int64 { return middle(m.ns) }

// middle is the median of the medians.
func (m measured) middle() int64 { return middle(m.mids) }

func middle(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// decimal is a number of thousandths, from 1,000 on a whole one.
func decimal(n int64) string {
	if n >= 1_000_000 {
		return strconv.FormatInt(n/1000, 10)
	}
	return fmt.Sprintf("%d.%02d", n/1000, n%1000/10)
}

// benchRounds is how often each benchmark runs, one after the other in each round.
const benchRounds = 7

func (a *app) writeBench(f resultFlags) error {
	rounds := benchRounds
	if f.seeds > 0 {
		rounds = f.seeds
	}
	folder, err := os.MkdirTemp("", "downset-bench")
	if err != nil {
		return tool(fmt.Errorf("make a folder for the benchmarks: %w", err))
	}
	defer os.RemoveAll(folder)
	runs := benchRuns()
	if err := a.buildRuns(runs, folder); err != nil {
		return err
	}
	all, wait := map[string]*measured{}, &patience{freeWait}
	for range rounds {
		for _, r := range runs {
			text, err := a.runFree(r, folder, wait)
			if err != nil {
				return err
			}
			if all[r.name] == nil {
				all[r.name] = &measured{}
			}
			if !all[r.name].read(text) {
				return tool(fmt.Errorf("no benchmark is called %s", r.name))
			}
		}
	}
	text, err := benchText(all, rounds)
	if err != nil {
		return tool(err)
	}
	return a.writeResult(path.Join(f.dir, "bench.md"), text)
}

var benchPattern = regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+([\d.]+) ns/op` +
	`(?:.*?\s([\d.]+) ns-median)?(?:.*?\s(\d+) allocs/op)?`)

// read adds what one run of a benchmark came to.
func (m *measured) read(text output) bool {
	found := benchPattern.FindSubmatch(text.text)
	if found == nil {
		return false
	}
	m.ns = append(m.ns, thousandths(found[1])*text.share/1000)
	if len(found[2]) > 0 {
		m.mids = append(m.mids, thousandths(found[2]))
	}
	m.allocs, _ = strconv.ParseInt(string(found[3]), 10, 64)
	return true
}

// rounded is a number as the table has it.
func rounded(n int64) int64 { return thousandths([]byte(decimal(n))) }

func thousandths(text []byte) int64 {
	n, _ := strconv.ParseFloat(string(text), 64)
	return int64(math.Round(n * 1000))
}

const benchHead = "| what | benchmark | ns | against | ns | result | must | stretch | reached |"

func benchText(all map[string]*measured, rounds int) (string, error) {
	var b, missed strings.Builder
	fmt.Fprintf(&b, "# Speed\n\n"+
		"`downset results bench` writes this: medians of %d rounds of `go test -bench` on %s/%s, %s,\n"+
		"%d cores. In each round every benchmark runs once, one after the other, each in a process\n"+
		"of its own. Time is CPU time, on one core, but for loops and workers: theirs is of the\n"+
		"wall, and they wait for the machine to be free, though not for ever. Ratios compare;\n"+
		"nanoseconds are this machine's.\n%s\n%s\n%s\n",
		rounds, runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU(), benchHow, benchHead,
		"|---|---|--:|---|--:|--:|--:|--:|---|")
	for _, l := range benchLines() {
		row, n, err := l.row(all)
		if err != nil {
			return "", err
		}
		b.WriteString(row + "\n")
		if l.reached(n) == "no" {
			fmt.Fprintf(&missed, "- %s, %s: %s\n", l.what, decimal(n)+l.result.unit, l.because(all))
		}
	}
	if missed.Len() > 0 {
		b.WriteString("\n## What misses its line\n\n" + missed.String())
	}
	b.WriteString("\n" + strings.TrimSpace(benchCosts) + "\n")
	return b.String(), nil
}

// unexplained is what is said of a line that is missed for no reason known.
const unexplained = "why is not known."

// because is why a line is missed: for want of a reason of its own, that the machine was busy, if
// two loops without memory say so. CPU time counts no waiting, but what others do to the caches.
func (l benchLine) because(all map[string]*measured) string {
	one, two := all[loops+"1"], all[loops+"2"]
	if one == nil || two == nil || ratio(one.median(), two.median()) >= freePercent*10 {
		return cmp.Or(l.note, unexplained)
	}
	if newBenchRun(l.name).wall {
		return busy // whatever else there is to say, this run does not show it
	}
	return cmp.Or(l.note, busy)
}

// row is a line of the table, and its number.
func (l benchLine) row(all map[string]*measured) (string, int64, error) {
	m, r, against := all[l.name], all[l.against], ""
	if m == nil || r == nil && l.against != "" {
		return "", 0, fmt.Errorf("no measurement of %q against %q: have the benchmarks other names?",
			l.name, l.against)
	}
	if r == nil {
		r = &measured{}
	} else {
		against = decimal(r.median())
	}
	n, ns := rounded(l.result.number(*m, *r)), m.median()
	if len(m.mids) > 0 {
		ns = m.middle()
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |", l.what, l.name, decimal(ns),
		l.against, against, decimal(n)+l.result.unit, l.result.line(l.must),
		l.result.line(l.stretch), l.reached(n)), n, nil
}

// checkBench looks at what does not differ from machine to machine: that every line is there, with
// the lines to reach, that it reaches what it says, and that each one missed says why.
func (a *app) checkBench(f resultFlags) (string, error) {
	text, err := f.old("bench.md")
	if err != nil {
		return "", err
	}
	_, table, ok := strings.Cut(text, benchHead+"\n")
	if !ok {
		return "bench.md has no table with this head: " + benchHead, nil
	}
	rows := strings.Split(table, "\n")[1:]
	if strings.Contains(text, unexplained) {
		return "a line is missed, and nothing says why", nil
	}
	lines := benchLines()
	for i, l := range lines {
		if wrong := l.differs(rows, i); wrong != "" {
			return wrong, nil
		}
	}
	if len(rows) > len(lines) && rows[len(lines)] != "" {
		return fmt.Sprintf("a row is of no benchmark: %s", rows[len(lines)]), nil
	}
	return "", nil
}

// differs says what is wrong with the i-th row of the table.
func (l benchLine) differs(rows []string, i int) string {
	if i >= len(rows) {
		return fmt.Sprintf("there is no row for %s", l.name)
	}
	cells := strings.Split(rows[i], " | ")
	if len(cells) != 9 || cells[0] != "| "+l.what || cells[1] != l.name || cells[3] != l.against {
		return fmt.Sprintf("want a row for %q, %q against %q, got %s", l.what, l.name, l.against, rows[i])
	}
	if must, stretch := l.result.line(l.must), l.result.line(l.stretch); cells[6] != must ||
		cells[7] != stretch {
		return fmt.Sprintf("%s must reach %s, better %s; the row says %s, %s", l.name, must, stretch,
			cells[6], cells[7])
	}
	n := thousandths([]byte(strings.TrimSuffix(cells[5], l.result.unit)))
	if want := l.reached(n); cells[8] != want+" |" {
		return fmt.Sprintf("%s comes to %s, which reaches %q; the row says %s", l.name, cells[5], want,
			cells[8])
	}
	return ""
}

// benchHow is how to read the table.
const benchHow = `
The reference is a binary heap of 48-byte values in the same program, held at the same length, one
push and one pop an event. Ping-pong is one message between two, a millisecond of virtual time each
way: here two nodes, in testing/synctest two goroutines with channels and time.Sleep, in the same
program; all on one core, which suits goroutines best. Of the other peers there are published
figures only, on other machines: netchaos 200,000 events a second, GoMC 94,000, gosim 83,000; so
there are of ns-3's best scheduler, 177 to 296 ns an event, without the queue length. Here the lower
one stands beside a short queue, and the higher one beside 100,000 events, which ns-3's
bench-scheduler has unless told otherwise.

Workers share the seeds of one sweep: plans are drawn, played, judged and collected. What two loops
gain that touch no memory is what the machine had to give in the same rounds. Checked runs are
played and judged by every property, so many a second of CPU time: of cut, five nodes, twenty
transactions told to all, and one cut; of two-phase commit, a coordinator, two participants, one
transaction, losses and a crash. Of histories the median is given, from the trace to the verdict;
those of 1,000 operations are all decided, by zones. GOGC is 800 where nothing else is said of
sweeps, checked runs and explorations, as the commands have it, else 100.

Explorations visit every state of a register of three replicas with a write and a read under way, by
single cores and by two workers. The commit of five participants is counted, not timed: all states
against those that persistent sets and commuting deliveries leave; so are the bytes of the set of
visited states. GoMC took 0.25 CPU seconds for all 1,634 orders of its small two-phase commit.
`

// What is known of lines that are missed.
const (
	judgedEnds = `each end is judged, not each state: a history only grows,
  so what breaks in a state breaks in the ends behind it.`
	manyNodes = `two fifths of what is added is the queue, which is a
  thousand times as long; the rest is memory: each event finds its node, the node's machine and the
  link's counts out of cache.`
	noDelay = `the other side sets no timer then, and only hands over
  from one goroutine to the other. An event here is named, decided and hashed all the same.`
	ns3 = `measured on another machine than what it stands beside,
  so it says little either way.`
	busy = `the machine was not free;
  what two loops without memory gain says how much of it there was.`
	often = `the heap is small, so it is collected every few
  milliseconds, and one worker leaves that to the core it does not use; two have none to spare.
  This is why a sweep sets GOGC to 800.`
)

// benchCosts is what a profile of the engine's benchmarks says.
const benchCosts = `
## Where the time goes

A profile of BenchmarkEvent and BenchmarkTrace (1,000 queued) puts most of an event into three
places:

1. the queue, about two fifths: pop of a four-ary heap of 24-byte keys, mostly cache misses and
   mispredicted comparisons on the way down; push is a small part;
2. the fate of a message (transmit), about a quarter: its name (a hash of link, kind and keys), the
   count of that name, and two decisions drawn from it;
3. copying the event into and out of its slot in the slab, and the running hash of the two entries
   an event makes, about a tenth each. The trace adds one append of 48 bytes an entry.

A profile of BenchmarkExplore (all states, one core) puts most of a state into three places: making
the move, about a third, half of which is copying the node that is about to change; hashing what
changed, about a fifth; and foreseeing where the other moves lead and asking the set of visited
states, about a sixth. Saving the state is a tenth.
`
