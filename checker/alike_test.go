package checker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// What a verdict must not depend on: the names and numbers of nodes, the order of what is concurrent,
// times, and what comes after everything.

// opinion is a verdict in words that mean the same under any numbering of nodes and entries.
func opinion(run *sim.Run, m checker.CutModel) string {
	var words string
	for _, f := range checker.Judge(run, m.Properties()).Findings {
		words += fmt.Sprintf("%s %d %v, ", f.Property.Name, f.Premises, f.Violation != nil)
	}
	return words
}

// reordered is the trace in another order that respects happened-before and what only explains: all
// nodes start, and then of the entries that are ready one is taken at random.
func reordered(run *sim.Run, seed uint64) *sim.Run {
	key := func(entry int) uint64 {
		if entry < len(run.Nodes) {
			return 0
		}
		return mixed(seed, uint64(entry))
	}
	var order []int
	place := slices.Repeat([]int{-1}, len(run.Trace))
	for len(order) < len(run.Trace) {
		best := -1
		for i := range run.Trace {
			if place[i] < 0 && ready(run, place, i) && (best < 0 || key(i) < key(best)) {
				best = i
			}
		}
		place[best] = len(order)
		order = append(order, best)
	}
	other := *run
	other.Trace = nil
	for _, i := range order {
		e := run.Trace[i]
		if e.Cause >= 0 {
			e.Cause = int32(place[e.Cause])
		}
		other.Trace = append(other.Trace, e)
	}
	return &other
}

// ready says that all that must come before an entry has a place: its cause, and what its node did
// or underwent before.
func ready(run *sim.Run, place []int, entry int) bool {
	e := run.Trace[entry]
	if e.Cause >= 0 && place[e.Cause] < 0 {
		return false
	}
	for i := range entry {
		if place[i] < 0 && run.Trace[i].Node == e.Node {
			return false
		}
	}
	return true
}

func mixed(seed, n uint64) uint64 {
	h := (seed + n*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return (h ^ h>>29) * 0x94d049bb133111eb
}

// steady says that all nodes were there from the start and to the end: else who is a member depends
// on the order of joining and drawing.
func steady(run *sim.Run) bool {
	starts := 0
	for _, e := range run.Trace {
		if e.Kind == sim.EntryCrashed {
			return false
		}
		if e.Kind == sim.EntryStarted {
			starts++
		}
	}
	first := run.Trace[:len(run.Nodes)]
	return starts == len(run.Nodes) && !slices.ContainsFunc(first, func(e sim.Entry) bool {
		return e.Kind != sim.EntryStarted
	})
}

func TestTheOrderOfWhatIsConcurrentDoesNotMatter(t *testing.T) {
	tried := 0
	for seed := range uint64(600) {
		run := checker.Sketch(seed)
		if !steady(run) {
			continue
		}
		tried++
		want := opinion(run, checker.SketchCuts())
		if got := opinion(reordered(run, seed), checker.SketchCuts()); got != want {
			t.Fatalf("seed %d\ngot  %s\nwant %s", seed, got, want)
		}
	}
	if tried < 50 {
		t.Errorf("only %d runs tried", tried)
	}
	for n, tape := range []func() *tape{fine, backwards, forwards} {
		run := tape().run
		want := opinion(run, onTape)
		for seed := range uint64(50) {
			if got := opinion(reordered(run, seed), onTape); got != want {
				t.Errorf("tape %d, order %d\ngot  %s\nwant %s", n, seed, got, want)
			}
		}
	}
}

func TestTheNumbersOfNodesDoNotMatter(t *testing.T) {
	broken := 0
	for seed := range uint64(300) {
		run := checker.Sketch(seed)
		other := *run
		other.Nodes = slices.Clone(run.Nodes)
		slices.Reverse(other.Nodes)
		last := sim.NodeID(len(run.Nodes) - 1)
		turned := func(id sim.NodeID) sim.NodeID {
			if id > last {
				return id
			}
			return last - id
		}
		other.Trace = slices.Clone(run.Trace)
		for i := range other.Trace {
			e := &other.Trace[i]
			e.Node, e.Peer = turned(e.Node), turned(e.Peer)
		}
		want, got := opinion(run, checker.SketchCuts()), opinion(&other, checker.SketchCuts())
		if got != want {
			t.Fatalf("seed %d\ngot  %s\nwant %s", seed, got, want)
		}
		if strings.Contains(want, "true") {
			broken++
		}
	}
	if broken < 20 {
		t.Errorf("only %d runs broken", broken)
	}
}

func TestTimesDoNotMatter(t *testing.T) {
	for seed := range uint64(100) {
		run := checker.Sketch(seed)
		want := opinion(run, checker.SketchCuts())
		for i := range run.Trace {
			run.Trace[i].At = 0
		}
		if got := opinion(run, checker.SketchCuts()); got != want {
			t.Fatalf("seed %d\ngot  %s\nwant %s", seed, got, want)
		}
	}
}

func TestATransactionOnItsOwnMovesNothingElse(t *testing.T) {
	for _, c := range []struct {
		name string
		tape func() *tape
	}{{"fine", fine}, {"backwards", backwards}, {"forwards", forwards}} {
		t.Run(c.name, func(t *testing.T) {
			want := checker.Judge(c.tape().run, onTape.Properties())
			tp := c.tape()
			tp.ask("P")
			tp.note(commit{"apart"})
			tp.tell("Q", notify{"apart", 0})
			tp.note(commit{"apart"})
			got := checker.Judge(tp.run, onTape.Properties())
			if reasons(got) != reasons(want) {
				t.Errorf("got %s, want %s", reasons(got), reasons(want))
			}
			for k := range want.Findings {
				if got.Findings[k].Premises < want.Findings[k].Premises {
					t.Errorf("%s: got %d premises, want at least %d", want.Findings[k].Property.Name,
						got.Findings[k].Premises, want.Findings[k].Premises)
				}
			}
		})
	}
}

func TestWhatComesAfterAllPointsDoesNotMatterToTheFrontier(t *testing.T) {
	m := checker.SketchCuts()
	check := m.Properties()[2].Check
	for seed := range uint64(300) {
		run := checker.Sketch(seed)
		if !steady(run) {
			continue
		}
		premises, v := check(run)
		last := 0
		for i, e := range run.Trace {
			if e.Kind == sim.EntryNoted && e.Body.Kind() == "point" {
				last = i
			}
		}
		run.Trace = run.Trace[:last+1]
		fewer, w := check(run)
		if fewer != premises || (v == nil) != (w == nil) {
			t.Fatalf("seed %d: got %d %v, want %d %v", seed, fewer, w, premises, v)
		}
	}
}
