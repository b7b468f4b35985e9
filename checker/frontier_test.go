package checker_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// verdict is what a case expects of a property: "" for the reason if it holds.
type verdict struct {
	premises int
	reason   string
	witness  string
	chain    string
}

type tapeCase struct {
	name string
	tape func() *tape
	want verdict
}

func testTapes(t *testing.T, name string, cases []tapeCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := c.tape().run
			premises, v := property(name).Check(run)
			got := verdict{premises: premises}
			if v != nil {
				got.reason = v.Reason
				got.witness, got.chain = text(run, v.Witness), text(run, v.Chain)
				if v.Count < 1 {
					t.Errorf("%s: a violation counted %d times", name, v.Count)
				}
			}
			if got != c.want {
				t.Errorf("%s\ngot  %+v\nwant %+v", name, got, c.want)
			}
		})
	}
}

// backwards is the draft's first picture.
func backwards() *tape {
	t := newTape("P", "Q")
	t.draw(1, "P")
	t.ask("P")
	t.note(commit{"tx5"})
	t.tell("Q", unmarked{"tx5"})
	t.note(commit{"tx5"})
	t.draw(1, "Q")
	return t
}

// forwards is the second.
func forwards() *tape {
	t := newTape("P", "Q")
	t.ask("P")
	t.note(commit{"tx5"})
	sent := t.send("Q", notify{"tx5", 0})
	t.draw(1, "P", "Q")
	t.deliver(sent)
	t.note(inside{"tx5", 1}, commit{"tx5"})
	return t
}

func TestConsistentCut(t *testing.T) {
	testTapes(t, "consistent-cut", []tapeCase{
		{"a message that crosses forwards is in the channel", forwards, verdict{premises: 1}},
		{"a message that crosses backwards makes a cut inconsistent", backwards, verdict{1,
			"cut 1 has tx5 before on Q, but after on P",
			"P sends unmarked tx5; Q notes commit tx5",
			"P sends unmarked tx5; Q receives unmarked tx5; Q notes commit tx5"}},
		{"a point drawn between delivery and effect is in time", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 1})
			t.note(point{1, 1}, commit{"tx5"})
			return t
		}, verdict{premises: 1}},
		{"a point drawn after the effect in the same handler is too late", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 1})
			t.note(commit{"tx5"}, point{1, 1})
			return t
		}, verdict{1, "cut 1 has tx5 before on Q, but after on P",
			"P sends notify tx5; Q notes commit tx5",
			"P sends notify tx5; Q receives notify tx5; Q notes commit tx5"}},
		{"a message that does nothing but make its receiver draw is after the point", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.tell("Q", start{1, 1})
			t.write(1, start{1, 1})
			t.note(point{1, 1})
			return t
		}, verdict{premises: 1}},
		{"nor are a new version and a flush of the disk effects", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.tell("Q", notify{"tx5", 1})
			t.effect(sim.EntryFlushed, nil)
			t.note(moved{1}, point{1, 1}, commit{"tx5"})
			return t
		}, verdict{premises: 1}},
		{"what follows the point in a handler is not before it", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 1})
			t.note(gossip{1}, point{1, 1}, commit{"tx5"})
			return t
		}, verdict{1, "cut 1 has notify tx5 received before on Q, but sent after on P",
			"P sends notify tx5; Q notes gossip",
			"P sends notify tx5; Q receives notify tx5; Q notes gossip"}},
		{"a message without any effect still counts where it was delivered", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.tell("Q", unmarked{"x"})
			t.draw(1, "Q")
			return t
		}, verdict{1, "cut 1 has unmarked x received before on Q, but sent after on P",
			"P sends unmarked x; Q receives unmarked x", "P sends unmarked x; Q receives unmarked x"}},
		{"a message that its sender committed before the cut but sent after it is named", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.draw(1, "P")
			t.ask("P")
			t.tell("Q", unmarked{"tx5"})
			t.note(commit{"tx5"})
			t.draw(1, "Q")
			return t
		}, verdict{1, "cut 1 has unmarked tx5 received before on Q, but sent after on P",
			"P sends unmarked tx5; Q receives unmarked tx5",
			"P sends unmarked tx5; Q receives unmarked tx5"}},
		{"a cut that a node has not drawn is no cut", func() *tape {
			t := backwards()
			t.run.Trace = t.run.Trace[:len(t.run.Trace)-2]
			return t
		}, verdict{}},
		{"a cut that a node gives up is no cut", func() *tape {
			t := backwards()
			t.note(gaveUp{1})
			return t
		}, verdict{}},
		{"what goes beside the cut by design is not asked", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.tell("Q", gossip{1})
			t.draw(1, "Q")
			return t
		}, verdict{premises: 1}},
		{"own work and timers of a node cross its own point in peace", func() *tape {
			t := newTape("P")
			t.ask("P")
			work := t.effect(sim.EntryQueued, gossip{1})
			t.draw(1, "P")
			t.begin(sim.EntryWorked, 0, work, gossip{1})
			t.note(commit{"tx1"})
			return t
		}, verdict{premises: 1}},
		{"the log lane carries order as messages do", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.note(commit{"tx5"})
			published := t.effect(sim.EntryPublished, unmarked{"tx5"})
			place := t.add(sim.Entry{Kind: sim.EntrySequenced, Node: sim.LogEnd, Cause: int32(published),
				Body: unmarked{"tx5"}})
			t.begin(sim.EntryLogged, 1, place, unmarked{"tx5"})
			t.note(commit{"tx5"})
			t.draw(1, "Q")
			return t
		}, verdict{1, "cut 1 has tx5 before on Q, but after on P",
			"P publishes unmarked tx5; Q notes commit tx5",
			"P publishes unmarked tx5; Q logged unmarked tx5; Q notes commit tx5"}},
		{"a copy made by the network counts like the message", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.note(commit{"tx5"})
			t.deliver(t.copied(t.send("Q", unmarked{"tx5"})))
			t.note(commit{"tx5"})
			t.draw(1, "Q")
			return t
		}, verdict{1, "cut 1 has tx5 before on Q, but after on P",
			"P sends unmarked tx5; Q notes commit tx5",
			"P sends unmarked tx5; Q receives unmarked tx5; Q notes commit tx5"}},
		{"of two cuts the one that is crossed is named", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.draw(2, "P")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", unmarked{"tx5"})
			t.note(commit{"tx5"})
			t.draw(2, "Q")
			return t
		}, verdict{2, "cut 2 has tx5 before on Q, but after on P",
			"P sends unmarked tx5; Q notes commit tx5",
			"P sends unmarked tx5; Q receives unmarked tx5; Q notes commit tx5"}},
	})
}

func TestMembersOfACut(t *testing.T) {
	testTapes(t, "consistent-cut", []tapeCase{
		{"a node that starts after the last point is no member", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.run.Nodes = append(t.run.Nodes, "R")
			t.start("R")
			return t
		}, verdict{premises: 1}},
		{"a node that starts in between and draws nothing leaves the cut unfinished", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.run.Nodes = append(t.run.Nodes, "R")
			t.start("R")
			t.draw(1, "Q")
			return t
		}, verdict{}},
		{"a node that was down for good before the first point is no member", func() *tape {
			t := newTape("P", "Q", "R")
			t.crash("R", 0)
			t.draw(1, "P", "Q")
			return t
		}, verdict{premises: 1}},
		{"a node that was down and came back is one", func() *tape {
			t := newTape("P", "Q", "R")
			t.crash("R", 0)
			t.draw(1, "P", "Q")
			t.start("R")
			return t
		}, verdict{}},
		{"a node that goes down for good between two points leaves the cut unfinished", func() *tape {
			t := newTape("P", "Q", "R")
			t.draw(1, "P")
			t.crash("R", 0)
			t.draw(1, "Q")
			return t
		}, verdict{}},
		{"an idle node that is up is a member", func() *tape {
			t := newTape("P", "Q", "R")
			t.draw(1, "P", "Q")
			return t
		}, verdict{}},
		{"a node that joined with the version of the cut is none", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.run.Nodes = append(t.run.Nodes, "R")
			t.start("R")
			t.tell("Q", notify{"hello", 0})
			t.draw(1, "Q")
			t.ask("R")
			t.note(adopted{1})
			return t
		}, verdict{premises: 1}},
		{"a message that goes round by such a node is still seen", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.run.Nodes = append(t.run.Nodes, "R")
			t.start("R")
			t.ask("P")
			t.tell("R", unmarked{"x"})
			t.tell("Q", unmarked{"y"})
			t.draw(1, "Q")
			t.ask("R")
			t.note(adopted{1})
			return t
		}, verdict{1, "cut 1 has unmarked x received before on R, but sent after on P",
			"P sends unmarked x; R receives unmarked x", "P sends unmarked x; R receives unmarked x"}},
		{"a node may adopt several versions until it begins", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.run.Nodes = append(t.run.Nodes, "R")
			t.start("R")
			t.note(adopted{0})
			t.draw(1, "Q")
			t.ask("R")
			t.note(adopted{1})
			return t
		}, verdict{premises: 1}},
		{"a node that joined with an older version is a member", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.draw(2, "P")
			t.run.Nodes = append(t.run.Nodes, "R")
			t.start("R")
			t.note(adopted{1})
			t.draw(2, "Q")
			return t
		}, verdict{premises: 1}},
	})
}

func TestWhatACrashUndoesIsNotReceived(t *testing.T) {
	after := func(then func(t *tape)) func() *tape {
		return func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.ask("P")
			t.tell("Q", unmarked{"x"})
			then(t)
			t.start("Q")
			t.draw(1, "Q")
			return t
		}
	}
	seen := verdict{1, "cut 1 has unmarked x received before on Q, but sent after on P",
		"P sends unmarked x; Q receives unmarked x", "P sends unmarked x; Q receives unmarked x"}
	testTapes(t, "consistent-cut", []tapeCase{
		{"a delivery that left nothing", after(func(t *tape) { t.crash("Q", 0) }), verdict{premises: 1}},
		{"a delivery whose record was lost", after(func(t *tape) {
			t.write(1, commit{"x"})
			t.crash("Q", 1)
		}), verdict{premises: 1}},
		{"but one whose record survives is", after(func(t *tape) {
			t.write(1, commit{"x"})
			t.write(2, commit{"x"})
			t.crash("Q", 1)
		}), seen},
		{"and so is one after which something was said", after(func(t *tape) {
			t.note(gossip{1})
			t.crash("Q", 0)
		}), seen},
		{"or published", after(func(t *tape) {
			t.effect(sim.EntryPublished, gossip{1})
			t.crash("Q", 0)
		}), seen},
		{"or sent", after(func(t *tape) {
			t.send("P", gossip{1})
			t.crash("Q", 0)
		}), seen},
	})
}

func TestAHandlerMayWaitForItsDiskBetweenPointAndEffect(t *testing.T) {
	tp := newTape("P", "Q")
	tp.draw(1, "P")
	tp.ask("P")
	tp.note(commit{"tx5"})
	handler := tp.tell("Q", notify{"tx5", 1})
	synced := tp.add(sim.Entry{Kind: sim.EntrySynced, Node: 1, Cause: int32(handler)})
	tp.add(sim.Entry{Kind: sim.EntryTold, Node: 1, Cause: int32(synced)})
	tp.note(point{1, 1}, commit{"tx5"})
	premises, v := property("consistent-cut").Check(tp.run)
	if premises != 1 || v != nil {
		t.Errorf("got %d premises and %+v, want 1 and none", premises, v)
	}
}

func TestViolationsAreCounted(t *testing.T) {
	tp := newTape("P", "Q")
	tp.draw(1, "P")
	tp.ask("P")
	for range 3 {
		m := tp.send("Q", unmarked{"x"})
		tp.deliver(m)
		tp.ask("P")
	}
	tp.draw(1, "Q")
	_, v := property("consistent-cut").Check(tp.run)
	if v == nil || v.Count != 3 {
		t.Errorf("got %+v, want three messages that cross backwards", v)
	}
}

func TestAModelThatReadsOnlyPointsIsJudgedByTheFrontier(t *testing.T) {
	m := checker.CutModel{Point: onTape.Point}
	v := checker.Judge(backwards().run, m.Properties())
	if got := v.Broken(); v.Outcome != checker.Broken || len(got) != 1 || got[0] != "consistent-cut" {
		t.Errorf("got %v %v, want consistent-cut broken", v.Outcome, got)
	}
	if v.Layer != 1 {
		t.Errorf("got layer %d, want 1", v.Layer)
	}
	if v := checker.Judge(forwards().run, m.Properties()); v.Outcome != checker.Holds {
		t.Errorf("got %v, want holds", v.Outcome)
	}
}
