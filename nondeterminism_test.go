package downset_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli/plants"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

var update = flag.Bool("update", false, "write results/nondeterminism.md anew")

// TestEachPlantedNondeterminismIsFound compares what finds what with results/nondeterminism.md.
func TestEachPlantedNondeterminismIsFound(t *testing.T) {
	rules := plantedRules(t)
	text := plantedHead
	for _, p := range plants.All() {
		t.Run(p.Name, func(t *testing.T) {
			machine := fmt.Sprintf("%T", p.Made()())
			got := rules[machine[strings.LastIndexByte(machine, '.')+1:]]
			if p.Rule == "" && len(got) > 0 || p.Rule != "" && !slices.Contains(got, p.Rule) {
				t.Errorf("tidy finds %q in %s, want %q", got, machine, p.Rule)
			}
			double, err := search.Twice(p.Plan())
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case p.Shows == plants.Twice && double.Part == nil:
				t.Errorf("two runs of %s are the same, want a difference", p.Name)
			case p.Shows >= plants.Elsewhere && double.Part != nil:
				t.Errorf("two runs of %s part at %s, want no difference", p.Name, double.Part)
			case double.Part != nil && !tells(double):
				t.Errorf("two runs of %s part at %s, want it to name what A sends", p.Name, double.Part)
			}
		})
		text += fmt.Sprintf("| %s | %s | %s | %s |\n", p.Name, tidyCell(p.Rule), twiceCell(p.Shows), p.Also)
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
cmd/cli/plants. Each does one thing that is not the same twice, in a handler, and tells it in a message.
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

func twiceCell(s plants.Shows) string {
	switch s {
	case plants.Twice:
		return "found: A sends pick"
	case plants.Elsewhere, plants.Rebuilt:
		return "the same twice"
	case plants.Luck:
		return "found by luck"
	}
	panic(fmt.Sprintf("shows %d", s))
}

// plantedRules is what tidy finds in the planted machines: by machine, the rules that its methods breach.
func plantedRules(t *testing.T) map[string][]string {
	t.Helper()
	h := planted(t)
	rules := map[string][]string{}
	for _, f := range h.determinism(planting(t, h, read(t, "cmd/cli/plants/machines.go"))) {
		machine, _, _ := strings.Cut(f.fn, ".")
		rules[machine] = append(rules[machine], f.rule)
	}
	return rules
}

// TestASteadyProtocolIsNotSuspected guards the table against a double run that sees ghosts.
func TestASteadyProtocolIsNotSuspected(t *testing.T) {
	double, err := search.Twice(plants.Steady().Plan())
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
	if got := plants.Orbit(); got != want {
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
