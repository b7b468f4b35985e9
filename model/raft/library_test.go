package raft_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// rough is a plan of five speakers, of whom four are founders, with everything that chance can do
// to them, changes of members, transfers and reads.
func roughSpeech(seed uint64, r raft.LibraryRules) *sim.Plan {
	p := speech(4, 6, r)
	plan := &sim.Plan{Protocol: p, Variant: p.Variants[0], Nodes: strings.Fields("A B C D E"),
		Timed: true, Seed: seed,
		Network: sim.Network{
			Links: []sim.Link{{From: "*", To: "*", Loss: 20_000, Duplicate: 20_000,
				Delay: sim.Dist{Shape: sim.Heavy, Low: time.Millisecond, High: 20 * time.Millisecond}}},
			Crash: 2000, Restart: sim.Dist{Shape: sim.Uniform, High: 200 * time.Millisecond},
			DiskSlow: true, SyncTime: sim.Dist{Shape: sim.Uniform, High: 2 * time.Millisecond},
			Keep: true, Torn: 200_000,
		}}
	d := &sim.Draws{Nodes: plan.Nodes, Seed: seed, Span: 1500 * time.Millisecond}
	for i := range 60 {
		words := []string{"say", fmt.Sprintf("w%d", i)}
		switch d.Int(12, "what", i) {
		case 0, 1, 2:
			words = []string{"read"}
		case 3:
			words = []string{"transfer", d.Node("to", i)}
		case 4, 5:
			words = [][]string{
				strings.Fields("members A B C D E"), strings.Fields("members A B C - D"),
				strings.Fields("members B C D"), strings.Fields("members A D E - B"),
				strings.Fields("members C D E"), strings.Fields("members A B C D - E"),
			}[d.Int(6, "members", i)]
		case 6:
			words = []string{"compact"}
		}
		plan.Load = append(plan.Load, sim.Action{Verb: sim.Request, Node: d.Node("node", i),
			Words: words, Place: sim.At, Offset: d.At("at", i)})
	}
	slices.SortStableFunc(plan.Load, func(a, b sim.Action) int { return int(a.Offset - b.Offset) })
	return plan
}

func play(t *testing.T, plan *sim.Plan, opt sim.Options) *sim.Run {
	t.Helper()
	run, err := (&sim.World{}).Execute(plan, opt)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// counts are how often each kind of fact was noted.
func counts(run *sim.Run) map[string]int {
	n := map[string]int{}
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryNoted {
			n[e.Body.Kind()]++
		}
	}
	return n
}

// disagreement is a pair of entries that contradict each other: one place with two commands, one
// term with two leaders; "" if there is none.
func disagreement(run *sim.Run) string {
	places, leaders := map[int64]raft.Entry{}, map[int64]sim.NodeID{}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch f := e.Body.(type) {
		case raft.Done:
			if old, ok := places[f.Index]; ok && !reflect.DeepEqual(old, f.Entry) {
				return fmt.Sprintf("%s applies %v, before it was %v", run.Name(e.Node), f.Entry, old)
			}
			places[f.Index] = f.Entry
		case raft.Elected:
			if old, ok := leaders[f.Term]; ok && old != e.Node {
				return fmt.Sprintf("%s and %s lead term %d", run.Name(e.Node), run.Name(old), f.Term)
			}
			leaders[f.Term] = e.Node
		}
	}
	return ""
}

func TestTwoRunsOfTheLibraryAreTheSame(t *testing.T) {
	for _, async := range []bool{false, true} {
		all := map[string]int{}
		for seed := uint64(1); seed <= 20; seed++ {
			plan := roughSpeech(seed, raft.LibraryRules{Async: async})
			a := play(t, plan, sim.Options{Digest: true})
			b := play(t, plan, sim.Options{Digest: true})
			if a.Hash != b.Hash || a.Digest != b.Digest {
				t.Errorf("seed %d, async %v: the second run has another hash", seed, async)
			}
			if a.End != sim.Settled {
				t.Errorf("seed %d, async %v: ended %v: %s %v", seed, async, a.End, a.Why, a.Panic)
			}
			if why := disagreement(a); why != "" {
				t.Errorf("seed %d, async %v: %s", seed, async, why)
			}
			for kind, n := range counts(a) {
				all[kind] += n
			}
		}
		t.Logf("async %v: %v", async, all)
	}
}

func TestTheElectionTimeoutOfTheLibraryCanBeSet(t *testing.T) {
	if err := raft.TimeoutError(raft.FreshNode()); err != nil {
		t.Error(err)
	}
}

func TestALibraryWithoutTheFieldIsRefused(t *testing.T) {
	type other struct{ randomizedElectionTimeout, electionElapsed int }
	type renamed struct{ randomized, electionElapsed int }
	type wide struct {
		randomizedElectionTimeout int64
		electionElapsed           int
	}
	_, _, _ = other{1, 1}.randomizedElectionTimeout, renamed{1, 1}.randomized, wide{1, 1}.electionElapsed
	_, _, _ = other{}.electionElapsed, renamed{}.electionElapsed, wide{}.randomizedElectionTimeout
	for _, c := range []struct {
		name string
		node any
		want string
	}{
		{"nothing inside", &struct{ raft int }{}, `no field "raft"`},
		{"nothing of the name", &struct{ other *other }{&other{}}, `no field "raft"`},
		{"a field that is called otherwise", &struct{ raft *renamed }{&renamed{}},
			`no field "randomizedElectionTimeout"`},
		{"a field of another type", &struct{ raft *wide }{&wide{}},
			`no field "randomizedElectionTimeout" of type int`},
		{"a timeout of another range", &struct{ raft *other }{&other{}}, "election timeout of 0 ticks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := raft.TimeoutError(c.node)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that says %q", err, c.want)
			}
		})
	}
}

func TestAMachineAroundTheLibraryCannotBeExplored(t *testing.T) {
	p := speech(3, 0, raft.LibraryRules{})
	plan := &sim.Plan{Protocol: p, Variant: p.Variants[0], Nodes: []string{"A", "B", "C"},
		Network: sim.Network{Manual: true}}
	_, err := (&sim.World{}).Walk(plan, sim.WalkOptions{Timers: 1})
	want := "*raft.library around go.etcd.io/raft/v3, which keeps its state to itself"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a walk ends with %v, want an error that says %q", err, want)
	}
}

func TestARunOfTheLibraryForks(t *testing.T) {
	plan := roughSpeech(3, raft.LibraryRules{})
	whole := play(t, plan, sim.Options{})
	at := len(whole.Trace) / 3
	fork := func(seed uint64) *sim.Run {
		return play(t, plan, sim.Options{Fork: &sim.Fork{At: at, Seed: seed, Network: plan.Network}})
	}
	a, b, c := fork(7), fork(7), fork(8)
	if a.Hash != b.Hash || a.Hash == c.Hash {
		t.Errorf("forks at %d have the hashes %x and %x with one seed, %x with another; want the "+
			"first two alike", at, a.Hash, b.Hash, c.Hash)
	}
	for i := range at {
		if !reflect.DeepEqual(whole.Trace[i], a.Trace[i]) {
			t.Fatalf("entry %d is %v before a fork at %d, was %v", i, a.Trace[i], at, whole.Trace[i])
		}
	}
}

func TestChangesOfMembersGoThroughAJointConfigurationIfTheyAreMoreThanOneStep(t *testing.T) {
	m := func(voters, learners string) raft.Members {
		return raft.Members{Voters: ids(voters), Learners: ids(learners)}
	}
	for _, c := range []struct {
		name     string
		from, to raft.Members
		changes  int
		outgoing string
	}{
		{"a voter comes", m("A B C", ""), m("A B C D", ""), 1, ""},
		{"a voter goes", m("A B C", ""), m("A B", ""), 1, ""},
		{"a voter becomes a learner", m("A B C", ""), m("A B", "C"), 1, ""},
		{"a learner becomes a voter", m("A B", "C"), m("A B C", ""), 1, ""},
		{"one takes another's place", m("A B C", ""), m("A B D", ""), 2, "A B C"},
		{"one comes, one becomes a learner", m("A B C", ""), m("A B D", "C"), 2, "A B C"},
		{"nothing changes", m("A B C", "D"), m("A B C", "D"), 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes, through := c.from.ConfChange(c.to)
			want := raft.Members{Voters: c.to.Voters, Outgoing: ids(c.outgoing),
				Learners: c.to.Learners}
			if changes != c.changes || !through.Equal(want) {
				t.Errorf("from %v to %v: %d changes, by way of %v; want %d and %v", c.from, c.to,
					changes, through, c.changes, want)
			}
		})
	}
}

func TestWhereNothingIsDrawnTheFirstNodeLeads(t *testing.T) {
	for _, async := range []bool{false, true} {
		p := speech(3, 0, raft.LibraryRules{Async: async})
		plan := &sim.Plan{Protocol: p, Variant: p.Variants[0], Nodes: []string{"A", "B", "C"},
			Timed: true, Network: sim.Network{Links: []sim.Link{{From: "*", To: "*",
				Delay: sim.Dist{Low: time.Millisecond, High: time.Millisecond}}}},
			Budget: sim.Budget{Linger: time.Second}}
		run := play(t, plan, sim.Options{})
		n := counts(run)
		if n["elected"] != 1 || !strings.Contains(leadersOf(run), "A") {
			t.Errorf("async %v: leaders %q, want A alone", async, leadersOf(run))
		}
	}
}

// leadersOf are the names of those who were elected, in order.
func leadersOf(run *sim.Run) string {
	var list []string
	for i := range run.Trace {
		if _, ok := run.Trace[i].Body.(raft.Elected); ok {
			list = append(list, run.Name(run.Trace[i].Node))
		}
	}
	return strings.Join(list, " ")
}
