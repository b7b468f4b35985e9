package raft_test

import (
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// peaceful is a run of three nodes without faults: some writes and reads at all of them.
func peaceful(t *testing.T, variant string) *sim.Run {
	t.Helper()
	v, err := raft.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := &sim.Plan{Protocol: raft.Protocol, Variant: v, Nodes: []string{"A", "B", "C"}, Timed: true,
		Seed: 1}
	p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: time.Millisecond}}}
	for i, words := range [][]string{{"A", "put", "x", "1"}, {"B", "get", "x"},
		{"C", "cas", "x", "1", "2"}, {"A", "get", "x"}, {"B", "put", "y", "3"},
		{"C", "get", "x", "through", "log"}, {"B", "compact"}} {
		p.Load = append(p.Load, sim.Action{Verb: sim.Request, Node: words[0], Words: words[1:],
			Place: sim.At, Offset: time.Duration(400+100*i) * time.Millisecond})
	}
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// taken are entries made to say nothing. It says whether there were any.
func taken(run *sim.Run, which func(*sim.Entry) bool) bool {
	found := false
	for i := range run.Trace {
		if e := &run.Trace[i]; which(e) {
			e.Kind, e.Body, found = sim.EntryHealed, nil, true
		}
	}
	return found
}

// noted says that an entry is a fact of a kind.
func noted(kind string) func(*sim.Entry) bool {
	return func(e *sim.Entry) bool { return e.Kind == sim.EntryNoted && e.Body.Kind() == kind }
}

// told puts another body in the place of the first of a kind.
func told(run *sim.Run, kind sim.EntryKind, of string, body func(sim.Body) sim.Body) bool {
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == kind && e.Body != nil && e.Body.Kind() == of {
			e.Body = body(e.Body)
			return true
		}
	}
	return false
}

func TestPropertiesNoticeWhatIsTakenOutOfAGoodRunOfEachEngine(t *testing.T) {
	edits := []struct {
		name, property string
		edit           func(*sim.Run) bool
	}{
		{"syncs that never came", "pledges-kept", func(r *sim.Run) bool {
			return taken(r, func(e *sim.Entry) bool { return e.Kind == sim.EntrySynced })
		}},
		{"the same", "durable-quorum", func(r *sim.Run) bool {
			return taken(r, func(e *sim.Entry) bool { return e.Kind == sim.EntrySynced })
		}},
		{"votes that were not given", "election-safety", func(r *sim.Run) bool {
			return taken(r, noted("granted"))
		}},
		{"pledges that were not made", "match-true", func(r *sim.Run) bool {
			return taken(r, noted("pledged"))
		}},
		{"commits that no leader found", "same-commands", func(r *sim.Run) bool {
			return taken(r, func(e *sim.Entry) bool {
				c, ok := e.Body.(raft.Committed)
				return ok && e.Kind == sim.EntryNoted && c.Lead
			})
		}},
		{"an entry that was not applied", "applied-once", func(r *sim.Run) bool {
			once := false
			return taken(r, func(e *sim.Entry) bool {
				is := noted("applied")(e) && !once
				once = once || is
				return is
			})
		}},
		{"an entry that was not written", "log-matching", func(r *sim.Run) bool {
			return taken(r, func(e *sim.Entry) bool {
				l, ok := e.Body.(raft.Logged)
				return ok && e.Node == 2 && l.Index == 2
			})
		}},
		{"reads that were not asked", "read-fresh", func(r *sim.Run) bool {
			return taken(r, noted("asked"))
		}},
		{"a read at the beginning", "read-fresh", func(r *sim.Run) bool {
			return told(r, sim.EntryNoted, "served", func(b sim.Body) sim.Body {
				s := b.(raft.Served)
				s.Index = 0
				return s
			})
		}},
		{"a swap that is said to have failed", "answers", func(r *sim.Run) bool {
			return told(r, sim.EntryReturned, "swapped", func(sim.Body) sim.Body {
				return raft.Swapped(false, 4)
			})
		}},
		{"a value that nobody wrote", "linearizable", func(r *sim.Run) bool {
			return told(r, sim.EntryReturned, "got", func(sim.Body) sim.Body {
				return raft.Read("7", 4)
			})
		}},
		{"an image of something else", "snapshot-true", func(r *sim.Run) bool {
			return told(r, sim.EntryNoted, "image", func(b sim.Body) sim.Body {
				m := b.(raft.Image)
				m.Text = "x=9 " + m.Text
				return m
			})
		}},
		{"a snapshot of another term", "snapshot-true", func(r *sim.Run) bool {
			return told(r, sim.EntryReplaced, "snapshot", func(b sim.Body) sim.Body {
				s := b.(raft.Snapshot)
				s.Term++
				return s
			})
		}},
		{"another configuration", "quorums-meet", func(r *sim.Run) bool {
			return told(r, sim.EntryReplaced, "snapshot", func(b sim.Body) sim.Body {
				return b
			}) && told(r, sim.EntryNoted, "governs", func(b sim.Body) sim.Body {
				g := b.(raft.Governs)
				g.Members.Voters = []sim.NodeID{0}
				return g
			})
		}},
		{"a leader who is deposed in the end", "progress", func(r *sim.Run) bool {
			return taken(r, noted("elected"))
		}},
		{"answers that were not given", "answered", func(r *sim.Run) bool {
			return taken(r, func(e *sim.Entry) bool { return e.Kind == sim.EntryReturned && e.N < 7 })
		}},
	}
	for _, variant := range []string{"raft", "etcd"} {
		for _, c := range edits {
			t.Run(variant+"/"+c.property+"/"+c.name, func(t *testing.T) {
				run := peaceful(t, variant)
				if v := checker.Judge(run, raft.Protocol.Properties); v.Outcome != checker.Holds {
					t.Fatalf("before the edit: %v, %v is broken, want it to hold", v.Outcome, v.Broken())
				}
				if findingOf(t, run, c.property).Premises == 0 {
					t.Fatalf("before the edit: %s never met its premise", c.property)
				}
				if !c.edit(run) {
					t.Fatal("the run has nothing to edit")
				}
				if f := findingOf(t, run, c.property); f.Violation == nil {
					t.Errorf("after the edit %s holds (%s), want it broken", c.property, f.Undecided)
				}
			})
		}
	}
}

func TestTheGoalsOfAPeacefulRunAreCounted(t *testing.T) {
	run := peaceful(t, "raft")
	reached := map[string]int{}
	for _, g := range raft.Protocol.Goals {
		reached[g.Name] = g.Count(run)
	}
	for _, c := range []struct {
		goal string
		want bool
	}{
		{"follower-read", true}, {"forwarded", true}, {"split-vote", false}, {"tail-cut", false},
		{"snapshot-installed", false}, {"joint-entered", false}, {"unsynced-kept", false},
		{"twice-in-log", false}, {"swap-failed", false}, {"stepped-down", false},
	} {
		if (reached[c.goal] > 0) != c.want {
			t.Errorf("goal %s: reached %d times, want it reached: %v", c.goal, reached[c.goal], c.want)
		}
	}
}

func TestConfigurationsThatCanDecideApartAreFound(t *testing.T) {
	of := func(ids ...sim.NodeID) raft.Members { return raft.Members{Voters: ids} }
	joint := raft.Members{Voters: []sim.NodeID{0, 1, 5}, Outgoing: []sim.NodeID{0, 1, 2}}
	for _, c := range []struct {
		name  string
		x, y  raft.Members
		apart bool
	}{
		{"one more voter", of(0, 1, 2), of(0, 1, 2, 3), false},
		{"one less", of(0, 1, 2, 3), of(0, 1, 2), false},
		{"another in the place of one", of(0, 1, 2), of(0, 1, 3), true},
		{"two more", of(0, 1, 2), of(0, 1, 2, 3, 4), true},
		{"two more of five", of(0, 1, 2, 3, 4), of(0, 1, 2, 3, 4, 5, 6), true},
		{"a joint one after its old half", of(0, 1, 2), joint, false},
		{"its new half after it", joint, of(0, 1, 5), false},
		{"a new half that is not its own", joint, of(3, 4, 6), true},
	} {
		one, other, apart := raft.Disjoint(c.x, c.y)
		if apart != c.apart {
			t.Errorf("%s: %v and %v decide apart: %v, want %v", c.name, c.x, c.y, apart, c.apart)
		}
		if slices.ContainsFunc(one, func(id sim.NodeID) bool { return slices.Contains(other, id) }) {
			t.Errorf("%s: %v and %v meet", c.name, one, other)
		}
	}
}
