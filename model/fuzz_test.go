package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// FuzzPlan plays plans made of bytes. A plan is refused with an error, or played to an end: no
// panic, the same run each time, and a verdict that does not ask in which order things stand.
//
//	go test -run='^$' -fuzz=FuzzPlan -fuzzminimizetime=10x ./model
//
// The stories are its seeds, and a few inputs in testdata/fuzz that come to what no story does. Those
// mean another plan when the stories get other words, which makes them other seeds, no worse.
func FuzzPlan(f *testing.F) {
	all := library(f)
	for _, p := range model.All {
		for _, told := range stories(f, p) {
			f.Add(encode(all, told))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if why := unsound(decode(all, data)); why != "" {
			t.Fatal(why)
		}
	})
}

// unsound says what is wrong with how a plan is played and judged.
func unsound(p *sim.Plan) string {
	options := sim.Options{Record: true, Digest: true}
	first, then := new(sim.World), new(sim.World)
	a, err := first.Execute(p, options)
	if err != nil {
		if _, again := then.Execute(p, options); again == nil || again.Error() != err.Error() {
			return fmt.Sprintf("refused with %v, then with %v", err, again)
		}
		return ""
	}
	verdict := checker.Judge(a, p.Protocol.Properties)
	back := *p
	back.Chance = slices.Clone(p.Chance)
	slices.Reverse(back.Chance)
	for _, q := range []*sim.Plan{p, &back} {
		b, err := then.Execute(q, options) // the second time in a world that has played
		if err != nil {
			return fmt.Sprintf("played, then refused: %v", err)
		}
		if part := search.First(a, b); part != nil {
			return "two runs differ: " + part.String()
		}
	}
	return disordered(a, verdict)
}

// disordered says what of a verdict depends on the order of judging, or is no verdict.
func disordered(run *sim.Run, v checker.Verdict) string {
	if run.Panic != nil {
		return fmt.Sprintf("%s panics at entry %d: %s in %q", run.Name(run.Panic.Node), run.Panic.Entry,
			run.Panic.Value, run.Panic.Stack)
	}
	properties := slices.Clone(run.Plan.Protocol.Properties)
	slices.Reverse(properties)
	back := checker.Judge(run, properties)
	if back.Outcome != v.Outcome || !slices.Equal(back.Broken(), v.Broken()) {
		return fmt.Sprintf("judged %v %q, and in another order %v %q", v.Outcome, v.Broken(), back.Outcome,
			back.Broken())
	}
	for _, f := range v.Findings {
		at := slices.IndexFunc(back.Findings, func(g checker.Finding) bool {
			return g.Property.Name == f.Property.Name
		})
		g := back.Findings[at]
		if g.Premises != f.Premises || g.Undecided != f.Undecided ||
			(g.Violation == nil) != (f.Violation == nil) {
			return fmt.Sprintf("%s is judged otherwise in another order", f.Property.Name)
		}
		if strings.HasPrefix(f.Undecided, "check panicked") {
			return f.Property.Name + ": " + f.Undecided
		}
	}
	return ""
}

// shaky is a machine that adds to its words what a counter beyond the run gives, or panics.
type shaky struct {
	sim.Idle
	count  *int
	panics bool
}

func (s shaky) Start(env *sim.Env) {
	if s.panics {
		panic("shaky")
	}
	*s.count++
	env.Note(extra(fmt.Sprint("count ", *s.count)))
}

func TestAPlanThatIsNotSoundIsSeen(t *testing.T) {
	count, asked := 0, 0
	counts := func(sim.NodeID, []sim.NodeID) sim.Machine { return shaky{count: &count} }
	panics := func(sim.NodeID, []sim.NodeID) sim.Machine { return shaky{panics: true} }
	idle := func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }
	fine := sim.Property{Name: "fine", Check: func(*sim.Run) (int, *sim.Violation) { return 1, nil }}
	falls := sim.Property{Name: "falls", Check: func(run *sim.Run) (int, *sim.Violation) { panic("oh") }}
	every := func(name string, odd int) sim.Property {
		return sim.Property{Name: name, Check: func(*sim.Run) (int, *sim.Violation) {
			if asked++; asked%2 == odd {
				return 1, &sim.Violation{Reason: "it is this one's turn"}
			}
			return 1, nil
		}}
	}
	for _, c := range []struct {
		name       string
		machine    func(sim.NodeID, []sim.NodeID) sim.Machine
		properties []sim.Property
		want       string // begins what is said of it
	}{
		{"a right one", idle, []sim.Property{fine}, ""},
		{"two runs differ", counts, []sim.Property{fine}, "two runs differ: entry "},
		{"a machine panics", panics, []sim.Property{fine}, "P panics at entry "},
		{"a check panics", idle, []sim.Property{fine, falls}, "falls: check panicked"},
		{"the second to be asked breaks", idle, []sim.Property{every("a", 0), every("b", 0)}, "judged broken "},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &sim.Plan{Nodes: []string{"P"}, Variant: sim.Variant{Name: "v", New: c.machine},
				Protocol: &sim.Protocol{Name: "shaky", Properties: c.properties}}
			got := unsound(p)
			if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("unsound says %q, want %q", got, c.want)
			}
		})
	}
}

func TestEveryStoryIsASeedOfTheFuzzer(t *testing.T) {
	all := library(t)
	count := 0
	for _, p := range model.All {
		for _, told := range stories(t, p) {
			told.Budget = limits
			want, err := new(sim.World).Execute(told, sim.Options{Digest: true})
			if err != nil {
				t.Fatal(err)
			}
			plan := decode(all, encode(all, told))
			got, err := new(sim.World).Execute(plan, sim.Options{Digest: true})
			if err != nil {
				t.Errorf("story %d of %s is refused as bytes: %v", count, p.Name, err)
				continue
			}
			if part := search.First(want, got); part != nil {
				t.Errorf("story %d of %s, of nodes %v and set-up %v, is another run as bytes: %v", count, p.Name,
					told.Nodes, told.Setup, part)
			}
			count++
		}
	}
	t.Logf("%d stories", count)
}
