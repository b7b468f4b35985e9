package downset_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

var update = flag.Bool("update", false, "write results/nondeterminism.md anew")

// luck is whether two runs of a planted protocol, one after the other in one process, must differ.
type luck int

const (
	differs luck = iota // each time
	same                // in one process, with one version of Go, on one machine
	either              // as the scheduler and the collector like
)

// plants are all ways to be not the same twice. An empty rule is what no static rule can see.
var plants = []struct {
	name  string
	rule  string // of tidy
	twice luck
	also  string // what else finds it
	made  func() func() sim.Machine
}{
	{"map range", "map range", differs, "", fresh(mapRange{})},
	{"select", "select", differs, "", fresh(selects{})},
	{"goroutine", "goroutine", either, "the race detector, if memory is shared", fresh(goroutines{})},
	{"wall clock", "wall clock", differs, "", fresh(wallClock{})},
	{"global random", "global random", differs, "", fresh(globalRandom{})},
	{"environment", "environment", same, "golden hashes, in another process", fresh(environment{})},
	{"pointer order", "pointer order", differs, "",
		func() func() sim.Machine { return func() sim.Machine { return &pointerOrder{} } }},
	{"unstable sort", "unstable sort", same, "golden hashes, with a Go that sorts otherwise", fresh(unstableSort{})},
	{"package state", "package state", differs, "golden hashes, in another order", fresh(packageState{})},
	{"hash seed", "hash seed", differs, "", fresh(hashSeed{})},
	{"finalizer", "finalizer", either, "", func() func() sim.Machine {
		freed := &atomic.Int64{}
		return func() sim.Machine { return finalizer{freed: freed} }
	}},
	{"pool", "shared memory", either, "", fresh(pool{})},
	{"floats", "floats", same, "golden hashes, under GOAMD64=v3", fresh(floats{})},
	{"buffer reuse", "", differs, "", func() func() sim.Machine {
		scratch := make([]string, 3)
		return func() sim.Machine { return &bufferReuse{scratch: scratch} }
	}},
	{"mutated message", "", differs, "", func() func() sim.Machine {
		hello := &hops{}
		return func() sim.Machine { return mutatedMessage{hello: hello} }
	}},
	{"cache in order of use", "", differs, "", func() func() sim.Machine {
		known := map[string]int{}
		return func() sim.Machine { return cache{known: known} }
	}},
}

// fresh makes machines that share nothing.
func fresh(m sim.Machine) func() func() sim.Machine {
	return func() func() sim.Machine { return func() sim.Machine { return m } }
}

// planting is a plan that plays a planted protocol on two nodes.
func plantedPlan(made func() func() sim.Machine) *sim.Plan {
	machine := made()
	return &sim.Plan{
		Protocol: &sim.Protocol{Name: "planted"},
		Variant:  sim.Variant{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return machine() }},
		Nodes:    []string{"A", "B"},
	}
}

// TestEachPlantedNondeterminismIsFound compares what finds what with results/nondeterminism.md.
func TestEachPlantedNondeterminismIsFound(t *testing.T) {
	rules := plantedRules(t)
	text := plantedHead
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			machine := fmt.Sprintf("%T", p.made()())
			got := rules[machine[strings.LastIndexByte(machine, '.')+1:]]
			if p.rule == "" && len(got) > 0 || p.rule != "" && !slices.Contains(got, p.rule) {
				t.Errorf("tidy finds %q in %s, want %q", got, machine, p.rule)
			}
			double, err := search.Twice(plantedPlan(p.made))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case p.twice == differs && double.Part == nil:
				t.Errorf("two runs of %s are the same, want a difference", p.name)
			case p.twice == same && double.Part != nil:
				t.Errorf("two runs of %s part at %s, want no difference", p.name, double.Part)
			case double.Part != nil && !tells(double):
				t.Errorf("two runs of %s part at %s, want it to name what A sends", p.name, double.Part)
			}
		})
		text += fmt.Sprintf("| %s | %s | %s | %s |\n", p.name, tidyCell(p.rule), twiceCell(p.twice), p.also)
	}
	const file = "results/nondeterminism.md"
	if *update {
		write(t, file, text)
	}
	if have := read(t, file); have != text {
		t.Errorf("%s is not what finds what; go test -run %s -update . writes\n%s", file, t.Name(), text)
	}
}

// tells says that runs part where A tells what came of the bad thing, and nowhere later.
func tells(d *search.Double) bool {
	if d.Part.At >= len(d.Run.Trace) {
		return false
	}
	e := d.Run.Trace[d.Part.At]
	return e.Kind == sim.EntrySent && d.Run.Name(e.Node) == "A" && e.Body.Kind() == "pick"
}

const plantedHead = `# Planted nondeterminism, and what finds it

Written by a test, ` + "`go test -run TestEachPlantedNondeterminismIsFound -update .`" + `, from the protocols of
planted_test.go. Each does one thing that is not the same twice, in a handler, and tells it in a message.
The double run plays the plan twice in one process and names the first entry that differs.

| planted | tidy_test.go | double run | what else |
|---|---|---|---|
`

func tidyCell(rule string) string {
	if rule == "" {
		return "cannot see it"
	}
	return "found: " + rule
}

func twiceCell(l luck) string {
	switch l {
	case differs:
		return "found: A sends pick"
	case same:
		return "the same twice"
	case either:
		return "found by luck"
	}
	panic(fmt.Sprintf("luck %d", int(l)))
}

// plantedRules is what tidy finds in planted_test.go: by machine, the rules that its methods breach.
func plantedRules(t *testing.T) map[string][]string {
	t.Helper()
	h := planted(t)
	rules := map[string][]string{}
	for _, f := range h.determinism(planting(t, h, read(t, "planted_test.go"))) {
		machine, _, _ := strings.Cut(f.fn, ".")
		rules[machine] = append(rules[machine], f.rule)
	}
	return rules
}

// TestASteadyProtocolIsNotSuspected guards the table against a double run that sees ghosts.
func TestASteadyProtocolIsNotSuspected(t *testing.T) {
	double, err := search.Twice(plantedPlan(fresh(steady{})))
	if err != nil {
		t.Fatal(err)
	}
	if double.Part != nil {
		t.Errorf("two runs part at %s, want nowhere", double.Part)
	}
	if got := plantedRules(t)["steady"]; len(got) > 0 {
		t.Errorf("tidy finds %q, want nothing", got)
	}
}

// TestPlantedFloatsDependOnTheBuild shows why golden hashes are compared under GOAMD64=v3 too, which
// may add to a product without rounding it first.
func TestPlantedFloatsDependOnTheBuild(t *testing.T) {
	want := int64(299576242)
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "GOAMD64", Value: "v3"}) {
		want = 310743606
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		t.Skip("measured on amd64 and 386 only")
	}
	if got := (floats{}).orbit(); got != want {
		t.Errorf("the orbit ends at %d, want %d", got, want)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
