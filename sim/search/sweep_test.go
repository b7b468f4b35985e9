package search_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// item is a request, a message and a fact, all the same.
type item string

func (item) Kind() string     { return "item" }
func (i item) Keys() []string { return []string{string(i)} }

// passer passes requests on to the last node, which notes them in the order in which they come.
type passer struct{ sim.Idle }

func (passer) Invoke(env *sim.Env, c sim.Call) {
	env.Send(env.Nodes[len(env.Nodes)-1], c.Op)
	env.Return(c.ID, item("ok"))
}

func (passer) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) { env.Note(m) }

var passing = &sim.Protocol{
	Name: "passing",
	Variants: []sim.Variant{{Name: "plain",
		New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &passer{} }}},
	ParseOp: func(w []string) (sim.Op, error) { return item(w[0]), nil },
	Stands:  sim.Losses | sim.Duplicates | sim.Crashes | sim.Partitions,
	Draw: func(d *sim.Draws) []sim.Action {
		var load []sim.Action
		for i := range d.Ops {
			load = append(load, sim.Action{Verb: sim.Request, Node: d.Node("n", i), Client: 1 + i%d.Clients,
				Words: []string{fmt.Sprint("a", i+1)}, Place: sim.At, Offset: d.At("at", i)})
		}
		slices.SortStableFunc(load, func(a, b sim.Action) int { return int(a.Offset - b.Offset) })
		return load
	},
}

// overtaken says that some node notes two items in another order than that of their requests.
func overtaken(run *sim.Run) bool {
	asked := map[string]int{}
	last := -1
	for i, e := range run.Trace {
		switch e.Kind {
		case sim.EntryInvoked:
			asked[sim.Text(e.Body)] = i
		case sim.EntryNoted:
			if at := asked[sim.Text(e.Body)]; at < last {
				return true
			} else {
				last = at
			}
		}
	}
	return false
}

func campaign(jobs int) search.Campaign {
	return search.Campaign{From: 1, To: 3000, Jobs: jobs,
		Plan: func(seed uint64) (*sim.Plan, error) {
			return search.Random(passing, passing.Variants[0], seed, search.Mix), nil
		},
		Judge: func(run *sim.Run) search.Finding {
			f := search.Finding{Premises: []int{len(run.Trace)}, Goals: []int{run.Events}}
			if overtaken(run) {
				f.Broken = []string{"order"}
			}
			return f
		}}
}

func TestSweepIsTheSameForAnyNumberOfJobs(t *testing.T) {
	one := search.Sweep(campaign(1))
	if one.Seeds != 3000 || one.Failing == 0 || one.Failing == one.Seeds || len(one.Groups) != 1 {
		t.Fatalf("got %d seeds, %d failing in %d groups, want some of 3000 in one group",
			one.Seeds, one.Failing, len(one.Groups))
	}
	for _, jobs := range []int{2, 5} {
		if more := search.Sweep(campaign(jobs)); !reflect.DeepEqual(one, more) {
			t.Errorf("%d jobs give %+v, one gives %+v", jobs, more, one)
		}
	}
}

func TestSweepStopsAtItsFirstFailure(t *testing.T) {
	all := search.Sweep(campaign(1))
	c := campaign(3)
	c.Distinct = 1
	s := search.Sweep(c)
	if first := all.Groups[0].Seed; s.Failing != 1 || uint64(s.Seeds) != first {
		t.Errorf("got %d seeds with %d failing, want the %d up to the first failing", s.Seeds, s.Failing, first)
	}
}

func TestSweepGivesUpARunThatHangs(t *testing.T) {
	c := campaign(2)
	c.To, c.Limit = 100, 300*time.Millisecond
	judge, release := c.Judge, make(chan struct{})
	defer close(release)
	plan := c.Plan
	c.Plan = func(seed uint64) (*sim.Plan, error) {
		if seed == 40 {
			<-release
		}
		return plan(seed)
	}
	c.Judge = judge
	s := search.Sweep(c)
	if !slices.Equal(s.Hung, []uint64{40}) || s.Seeds != 100 {
		t.Errorf("got %d seeds, hung %v, want 100 of which 40 hung", s.Seeds, s.Hung)
	}
}

func TestSweepEndsEarlyWithWhatThereIs(t *testing.T) {
	c := campaign(1)
	stop := make(chan struct{})
	close(stop)
	c.Stop = stop
	if s := search.Sweep(c); !s.Cut || s.Seeds == 3000 {
		t.Errorf("got %d seeds, cut %v, want fewer than 3000, cut", s.Seeds, s.Cut)
	}
}

func TestShrinkKeepsTheFailureAndLittleElse(t *testing.T) {
	all := search.Sweep(campaign(1))
	minima := map[string]int{}
	tried := 0
	for seed := all.Groups[0].Seed; tried < 10; seed++ {
		s := &search.Shrinking{Same: func(_ *sim.Plan, run *sim.Run) bool { return overtaken(run) }}
		out := s.Shrink(search.Random(passing, passing.Variants[0], seed, search.Mix))
		if out == nil {
			continue // it does not fail
		}
		tried++
		run, err := sim.Execute(out.Plan)
		if err != nil || !overtaken(run) || out.Plan.Seed != 0 {
			t.Fatalf("seed %d: the shrunk plan does not fail by itself: %v", seed, err)
		}
		if out.Actions != 2 {
			t.Errorf("seed %d: %d actions left, want the two that are needed", seed, out.Actions)
		}
		minima[fmt.Sprintf("%v %v", out.Plan.Script, out.Plan.Chance)]++
	}
	if len(minima) > 2 {
		t.Errorf("ten failures shrink to %d different plans, want at most two: %v", len(minima), minima)
	}
}
