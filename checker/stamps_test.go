package checker_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// changedClocks is a run with entries put in that change clocks: one in so many of them is a drift.
func changedClocks(t *rapid.T, run *sim.Run) *sim.Run {
	out := *run
	out.Trace, out.Drifts = nil, nil
	moved := make([]int32, len(run.Trace))
	for i, e := range run.Trace {
		if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
			clock := sim.Entry{At: e.At, Kind: sim.EntryClock, Peer: sim.Nobody, Cause: -1,
				Node: sim.NodeID(rapid.IntRange(0, len(run.Nodes)-1).Draw(t, "node")),
				N:    rapid.Int64Range(-60, 60).Draw(t, "jump")}
			if rapid.IntRange(0, 2).Draw(t, "drift") == 0 {
				clock.N *= 10_000
				out.Drifts = append(out.Drifts, len(out.Trace))
			}
			out.Trace = append(out.Trace, clock)
		}
		if e.Cause >= 0 {
			e.Cause = moved[e.Cause]
		}
		moved[i] = int32(len(out.Trace))
		out.Trace = append(out.Trace, e)
	}
	return &out
}

// clockwise says what is wrong with the stamps of two steps, of which the first happened before the
// second or not; "" if nothing.
func clockwise(s *checker.Stamps, a, b int, before bool) string {
	va, vb := s.Vector(a), s.Vector(b)
	less := !slices.Equal(va, vb)
	for n := range va {
		less = less && va[n] <= vb[n]
	}
	switch {
	case less != before:
		return fmt.Sprintf("vectors %v and %v", va, vb)
	case before && s.Lamport(a) >= s.Lamport(b):
		return fmt.Sprintf("Lamport %d and %d", s.Lamport(a), s.Lamport(b))
	case before && s.Hybrid(a).Compare(s.Hybrid(b)) >= 0:
		return fmt.Sprintf("hybrid %v and %v", s.Hybrid(a), s.Hybrid(b))
	case before && s.Compare(a, b) >= 0, s.Compare(a, b) != -s.Compare(b, a), a != b && s.Compare(a, b) == 0:
		return fmt.Sprintf("the total order says %d, and %d turned round", s.Compare(a, b), s.Compare(b, a))
	}
	return ""
}

func TestStampsKeepTheClockConditions(t *testing.T) {
	ordered, blind := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := changedClocks(t, checker.Sketch(rapid.Uint64().Draw(t, "seed")))
		s := checker.NewStamps(run)
		for a := range run.Trace {
			seen := reaches(run, a)
			for b := range run.Trace {
				if !s.Step(a) || !s.Step(b) {
					continue
				}
				if wrong := clockwise(s, a, b, seen[b]); wrong != "" {
					t.Fatalf("%d happened before %d: %v, but %s", a, b, seen[b], wrong)
				}
				if seen[b] {
					ordered++
				} else if a < b && s.Lamport(a) < s.Lamport(b) {
					blind++
				}
			}
		}
	})
	if ordered == 0 || blind == 0 {
		t.Errorf("%d pairs ordered, %d concurrent ones of which Lamport's clock does not tell: want some of each",
			ordered, blind)
	}
}

// longestChain is how many steps the longest chain has that ends in a step, and how far ahead of all
// clocks that led to it the greatest is.
func longestChain(run *sim.Run, b int, steps []int64, l []sim.Time) (int64, sim.Time) {
	longest, greatest := int64(0), sim.Time(0)
	for a := range b {
		if direct(run, a, b) {
			longest, greatest = max(longest, steps[a]), max(greatest, l[a])
		}
	}
	return longest, greatest
}

// TestStampsAreTheLeast compares with what the clocks must be at least: a Lamport time the length of
// the longest chain of steps, the greater part of a hybrid one the greatest clock of the past.
func TestStampsAreTheLeast(t *testing.T) {
	dragged := 0
	rapid.Check(t, func(t *rapid.T) {
		run := changedClocks(t, checker.Sketch(rapid.Uint64().Draw(t, "seed")))
		s, clocks := checker.NewStamps(run), run.Clocks()
		steps, l := make([]int64, len(run.Trace)), make([]sim.Time, len(run.Trace))
		for b, e := range run.Trace {
			steps[b], l[b] = longestChain(run, b, steps, l)
			if !s.Step(b) {
				if e.Kind.Local() || s.Lamport(b) != 0 || s.Vector(b) != nil || s.Hybrid(b) != (checker.Hybrid{}) {
					t.Fatalf("entry %d, %s, is no step and has stamps, or is one and has none", b, e.Kind)
				}
				continue
			}
			steps[b], l[b] = steps[b]+1, max(l[b], clocks[b])
			if got := s.Lamport(b); got != steps[b] {
				t.Fatalf("Lamport time of %d is %d, want %d", b, got, steps[b])
			}
			if got := s.Hybrid(b).L; got != l[b] || got < clocks[b] {
				t.Fatalf("hybrid time of %d has L %d, want %d; its node's clock shows %d", b, got, l[b], clocks[b])
			}
			if l[b] > clocks[b] {
				dragged++
			}
		}
	})
	if dragged == 0 {
		t.Error("no step was ahead of its node's clock")
	}
}

// published is the hybrid clock in the words of its paper, section 3: one rule for a local step or
// a send, one for a receipt, each with its cases.
type published struct{ l, c int64 }

func (p *published) local(pt int64) {
	was := p.l
	p.l = max(was, pt)
	if p.l == was {
		p.c++
	} else {
		p.c = 0
	}
}

func (p *published) receive(m published, pt int64) {
	was := p.l
	p.l = max(was, m.l, pt)
	switch {
	case p.l == was && p.l == m.l:
		p.c = max(p.c, m.c) + 1
	case p.l == was:
		p.c++
	case p.l == m.l:
		p.c = m.c + 1
	default:
		p.c = 0
	}
}

// stepBehind is the step at which an entry's order began, by going back along causes that carry.
func stepBehind(run *sim.Run, i int) int {
	for run.Trace[i].Kind.Carries() && run.Trace[i].Cause >= 0 {
		i = int(run.Trace[i].Cause)
		if run.Trace[i].Kind.Local() {
			return i
		}
	}
	return -1
}

func TestHybridStampsAreThoseOfThePaper(t *testing.T) {
	counted, received := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := changedClocks(t, checker.Sketch(rapid.Uint64().Draw(t, "seed")))
		s, clocks := checker.NewStamps(run), run.Clocks()
		nodes, all := make([]published, len(run.Nodes)), make([]published, len(run.Trace))
		for i, e := range run.Trace {
			if !s.Step(i) {
				continue
			}
			p := &nodes[e.Node]
			if from := stepBehind(run, i); from >= 0 && run.Trace[from].Node != e.Node {
				p.receive(all[from], int64(clocks[i]))
				received++
			} else {
				p.local(int64(clocks[i]))
			}
			all[i] = *p
			if got := s.Hybrid(i); int64(got.L) != p.l || got.C != p.c {
				t.Fatalf("entry %d, %s at %s by its clock %d: got %v, want %v", i, e.Kind, run.Name(e.Node), clocks[i], got, *p)
			}
			if p.c > 1 {
				counted++
			}
		}
	})
	if counted == 0 || received == 0 {
		t.Errorf("%d counted, %d received: want some of each", counted, received)
	}
}

// TestStamps is the picture of Lamport's that everyone draws: P tells Q, which tells R, which had
// been alone. P's clock is 100 ahead when it sends.
//
//	P ──1──2────────────6──
//	        ╲          ╱
//	Q ──1────3──4─────5────
//	             ╲
//	R ──1──2──────5────────
func TestStamps(t *testing.T) {
	tp := newTape("P", "Q", "R") // entries 0 to 2, at 0 to 2
	tp.run.Trace = append(tp.run.Trace, sim.Entry{At: 3, Kind: sim.EntryClock, Peer: sim.Nobody, Cause: -1, N: 100})
	toQ := tp.effectOf("P", sim.EntrySent, "Q")     // 4
	tp.begin(sim.EntryArrived, tp.id("R"), -1, nil) // 5
	tp.deliver(toQ)                                 // 6
	toR := tp.effectOf("Q", sim.EntrySent, "R")     // 7
	toP := tp.effectOf("Q", sim.EntrySent, "P")     // 8
	tp.deliver(toP)                                 // 9
	tp.deliver(toR)                                 // 10
	lost := tp.add(sim.Entry{Kind: sim.EntryLost, Node: 1, Cause: int32(toQ)})
	s := checker.NewStamps(tp.run)
	for _, c := range []struct {
		name  string
		entry int
		want  string
	}{
		{"P starts at 0, when no time has passed", 0, "1 [1 0 0] {0s 1}"},
		{"Q starts, 1 by its clock", 1, "1 [0 1 0] {1ns 0}"},
		{"a change of a clock is no step", 3, "0 [] {0s 0}"},
		{"P sends, its clock 100 ahead", toQ, "2 [2 0 0] {104ns 0}"},
		{"R knows nobody", 5, "2 [0 0 2] {5ns 0}"},
		{"Q hears of P, whose clock is ahead of its own", 6, "3 [2 2 0] {104ns 1}"},
		{"and passes that on", toR, "4 [2 3 0] {104ns 2}"},
		{"to both", toP, "5 [2 4 0] {104ns 3}"},
		{"P, whose clock has gone on, needs no count", 9, "6 [3 4 0] {109ns 0}"},
		{"R hears of P by Q, before Q told P", 10, "5 [2 3 3] {104ns 3}"},
		{"a loss is no step", lost, "0 [] {0s 0}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fmt.Sprint(s.Lamport(c.entry), " ", s.Vector(c.entry), " ", s.Hybrid(c.entry))
			if got != c.want {
				t.Errorf("entry %d has %s, want %s", c.entry, got, c.want)
			}
		})
	}
	if s.Compare(1, 2) >= 0 || s.Compare(toR, 10) >= 0 || s.Compare(toP, 10) >= 0 {
		t.Error("steps with one Lamport time are ordered by node, others by their time")
	}
}

// effectOf is an effect of a node for a peer, whose handler it opens first.
func (t *tape) effectOf(node string, kind sim.EntryKind, peer string) int {
	t.node, t.cause = t.id(node), -1
	at := t.effect(kind, gossip{})
	t.run.Trace[at].Peer = t.id(peer)
	return at
}
