package checker_test

import (
	"testing"

	"github.com/downset/downset/sim"
)

// fine is a run in which everything goes right: P begins two cuts and commits four transactions. The
// second one is in the channel of cut 1, the third in that of cut 2, and the fourth, which comes after
// both, is how Q learns of cut 2.
func fine() *tape {
	t := newTape("P", "Q")
	t.ask("P")
	t.note(commit{"tx1"})
	t.tell("Q", notify{"tx1", 0})
	t.note(commit{"tx1"})
	t.ask("P")
	t.note(commit{"tx2"})
	late := t.send("Q", notify{"tx2", 0})
	t.ask("P")
	t.note(point{1, 1})
	t.tell("Q", start{1, 1})
	t.note(point{1, 1})
	answer := t.send("P", start{1, 1})
	t.deliver(late)
	t.note(inside{"tx2", 1}, commit{"tx2"}, whole{1})
	t.deliver(answer)
	t.note(whole{1}, commit{"tx3"})
	third := t.send("Q", notify{"tx3", 1})
	t.note(point{2, 2}, commit{"tx4"})
	t.tell("Q", notify{"tx4", 2})
	t.note(point{2, 2}, commit{"tx4"})
	t.tell("P", start{2, 2})
	t.note(whole{2})
	t.deliver(third)
	t.note(inside{"tx3", 2}, commit{"tx3"}, whole{2})
	return t
}

func TestEverythingAboutACutHoldsOfAFineRun(t *testing.T) {
	for _, c := range []struct {
		name     string
		premises int
	}{{"one-point", 8}, {"versions", 11}, {"consistent-cut", 2}, {"agreement", 8},
		{"channel-state", 4}, {"completeness", 7}, {"nesting", 1}} {
		testTapes(t, c.name, []tapeCase{{c.name, fine, verdict{premises: c.premises}}})
	}
}

func TestOnePoint(t *testing.T) {
	testTapes(t, "one-point", []tapeCase{
		{"a node draws its point of a cut once", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q", "P")
			return t
		}, verdict{3, "P draws its point of cut 1 twice", "P notes point 1; P notes point 1",
			"P notes point 1; P notes point 1"}},
		{"a restart may say it again", func() *tape {
			t := newTape("P")
			t.draw(1, "P")
			t.crash("P", 0)
			t.start("P")
			t.note(point{1, 1})
			return t
		}, verdict{premises: 1}},
		{"or say it for the first time", func() *tape {
			t := newTape("P")
			t.start("P")
			t.note(point{1, 1})
			return t
		}, verdict{premises: 1}},
		{"a part is not complete before its point", func() *tape {
			t := newTape("P")
			t.ask("P")
			t.note(whole{1}, point{1, 1})
			return t
		}, verdict{2, "P completes its part of cut 1 before it draws its point",
			"P notes complete 1; P notes point 1", "P notes complete 1; P notes point 1"}},
		{"nor without", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "Q")
			t.ask("P")
			t.note(whole{1})
			return t
		}, verdict{2, "P completes its part of cut 1 and draws no point of it", "P notes complete 1", ""}},
		{"nor twice", func() *tape {
			t := newTape("P")
			t.draw(1, "P")
			t.note(whole{1}, whole{1})
			return t
		}, verdict{3, "P completes its part of cut 1 twice", "P notes complete 1; P notes complete 1",
			"P notes complete 1; P notes complete 1"}},
		{"but a restart may repeat it", func() *tape {
			t := newTape("P")
			t.draw(1, "P")
			t.note(whole{1})
			t.start("P")
			t.note(whole{1})
			return t
		}, verdict{premises: 2}},
	})
}

func TestVersions(t *testing.T) {
	testTapes(t, "versions", []tapeCase{
		{"a version never decreases", func() *tape {
			t := newTape("P")
			t.draw(2, "P")
			t.draw(1, "P")
			return t
		}, verdict{2, "P goes back from version 2 to 1", "P notes point 2; P notes point 1",
			"P notes point 2; P notes point 1"}},
		{"not across a restart either", func() *tape {
			t := newTape("P")
			t.draw(2, "P")
			t.crash("P", 0)
			t.start("P")
			t.draw(1, "P")
			return t
		}, verdict{2, "P goes back from version 2 to 1", "P notes point 2; P notes point 1",
			"P notes point 2; P notes point 1"}},
		{"a message carries no more than its sender has", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.send("Q", notify{"tx1", 2})
			return t
		}, verdict{2, "P sends notify tx1 with version 2, but has version 1",
			"P notes point 1; P sends notify tx1", "P notes point 1; P sends notify tx1"}},
		{"nor does one of a sender that has drawn nothing", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.send("Q", notify{"tx1", 1})
			return t
		}, verdict{1, "P sends notify tx1 with version 1, but has version 0", "P sends notify tx1", ""}},
		{"a node that joined has the version it adopted", func() *tape {
			t := newTape("P", "Q")
			t.note(adopted{3})
			t.send("P", notify{"tx1", 3})
			return t
		}, verdict{premises: 2}},
		{"a version belongs to one cut", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(point{1, 1})
			t.ask("Q")
			t.note(point{2, 1})
			return t
		}, verdict{2, "cuts 1 and 2 both have version 1", "P notes point 1; Q notes point 2", ""}},
		{"a cut has one version", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(point{1, 1})
			t.ask("Q")
			t.note(point{1, 2})
			return t
		}, verdict{2, "cut 1 has version 1 on P, but 2 on Q", "P notes point 1; Q notes point 1", ""}},
		{"cuts without versions have no rule", func() *tape {
			t := newTape("P")
			t.ask("P")
			t.note(point{2, 0}, point{1, 0})
			return t
		}, verdict{}},
	})
}

func TestAgreement(t *testing.T) {
	testTapes(t, "agreement", []tapeCase{
		{"what is in the recorded channel is before the cut", func() *tape {
			t := forwards()
			t.note(whole{1})
			return t
		}, verdict{premises: 1}},
		{"what is not is after it", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			sent := t.send("Q", notify{"tx5", 0})
			t.draw(1, "P", "Q")
			t.deliver(sent)
			t.note(commit{"tx5"}, whole{1})
			return t
		}, verdict{1, "cut 1 has tx5 before on P, but after on Q",
			"P notes commit tx5; Q notes commit tx5",
			"P notes commit tx5; P sends notify tx5; Q receives notify tx5; Q notes commit tx5"}},
		{"a node that is not complete has not said so yet", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			sent := t.send("Q", notify{"tx5", 0})
			t.draw(1, "P", "Q")
			t.deliver(sent)
			t.note(commit{"tx5"})
			return t
		}, verdict{}},
		{"a commit before the point means before", backwards, verdict{1,
			"cut 1 has tx5 before on Q, but after on P", "P notes commit tx5; Q notes commit tx5",
			"P notes commit tx5; P sends unmarked tx5; Q receives unmarked tx5; Q notes commit tx5"}},
		{"what a node says wins over what its commit comes to", func() *tape {
			t := backwards()
			t.note(side{Cut: "1", Tx: "tx5", Before: false})
			return t
		}, verdict{premises: 1}},
		{"but may be wrong", func() *tape {
			t := newTape("P")
			t.ask("P")
			t.note(commit{"tx1"}, point{1, 1}, side{Cut: "1", Tx: "tx1", Before: false})
			return t
		}, verdict{1, "P has tx1 after cut 1, but committed it on the other side",
			"P notes commit tx1; P notes side tx1", "P notes commit tx1; P notes side tx1"}},
		{"and so is one of two sides", func() *tape {
			t := newTape("P")
			t.draw(1, "P")
			t.note(commit{"tx1"}, side{Cut: "1", Tx: "tx1"}, side{Cut: "1", Tx: "tx1", Before: true})
			return t
		}, verdict{2, "P has tx1 before cut 1, but committed it on the other side",
			"P notes commit tx1; P notes side tx1", "P notes commit tx1; P notes side tx1"}},
		{"every commit of a transaction counts, not only the first on a node", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx1"})
			t.tell("Q", notify{"tx1", 0})
			t.note(commit{"tx1"})
			t.draw(1, "P", "Q")
			t.note(commit{"tx1"}, whole{1})
			return t
		}, verdict{2, "cut 1 has tx1 before on P, but after on Q",
			"P notes commit tx1; Q notes commit tx1",
			"P notes commit tx1; P sends notify tx1; Q receives notify tx1; Q notes commit tx1"}},
		{"but a restart repeats", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx1"})
			t.tell("Q", notify{"tx1", 0})
			t.note(commit{"tx1"})
			t.draw(1, "P", "Q")
			t.note(whole{1})
			t.start("Q")
			t.note(commit{"tx1"})
			return t
		}, verdict{premises: 1}},
		{"an unfinished cut has no sides", func() *tape {
			t := backwards()
			t.note(gaveUp{1})
			return t
		}, verdict{}},
	})
}

func TestChannelState(t *testing.T) {
	testTapes(t, "channel-state", []tapeCase{
		{"what crosses forwards is recorded", func() *tape {
			t := forwards()
			t.note(whole{1})
			return t
		}, verdict{premises: 2}},
		{"a complete part lacks nothing", func() *tape {
			t := forwards()
			t.run.Trace = t.run.Trace[:len(t.run.Trace)-2]
			t.note(commit{"tx5"}, whole{1})
			return t
		}, verdict{1, "cut 1 lacks tx5 in the channel from P to Q",
			"P notes commit tx5; Q notes commit tx5",
			"P notes commit tx5; P sends notify tx5; Q receives notify tx5; Q notes commit tx5"}},
		{"one that is not complete may", func() *tape {
			t := forwards()
			t.run.Trace = t.run.Trace[:len(t.run.Trace)-2]
			t.note(commit{"tx5"})
			return t
		}, verdict{}},
		{"what was sent after the cut is not in it", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 1})
			t.note(inside{"tx5", 1}, commit{"tx5"})
			return t
		}, verdict{1, "Q records tx5 for cut 1, but it is after it on P",
			"P notes commit tx5; Q notes channel tx5",
			"P notes commit tx5; P sends notify tx5; Q receives notify tx5; Q notes channel tx5"}},
		{"nor is what was taken up before it", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 0})
			t.note(commit{"tx5"})
			t.draw(1, "P", "Q")
			t.note(inside{"tx5", 1})
			return t
		}, verdict{1, "Q records tx5 for cut 1, but had it before its point",
			"Q notes commit tx5; Q notes channel tx5", "Q notes commit tx5; Q notes channel tx5"}},
		{"nothing is in it twice", func() *tape {
			t := forwards()
			t.note(inside{"tx5", 1})
			return t
		}, verdict{2, "Q records tx5 for cut 1 twice", "Q notes channel tx5; Q notes channel tx5",
			"Q notes channel tx5; Q notes channel tx5"}},
		{"but a restart may repeat it", func() *tape {
			t := forwards()
			t.start("Q")
			t.note(inside{"tx5", 1}, commit{"tx5"})
			return t
		}, verdict{premises: 1}},
		{"nothing is in it that nobody sent", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.note(inside{"tx9", 1})
			return t
		}, verdict{1, "Q records tx9 for cut 1, but nobody told it", "Q notes channel tx9", ""}},
		{"nothing is recorded for a cut that is not drawn", func() *tape {
			t := newTape("P", "Q")
			t.ask("Q")
			t.note(inside{"tx9", 1})
			return t
		}, verdict{1, "Q records tx9 for a cut that it does not draw", "Q notes channel tx9", ""}},
		{"a transaction that is sent again is the same one", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.send("Q", notify{"tx5", 0}) // lost
			t.draw(1, "P", "Q")
			t.ask("P")
			again := t.send("Q", notify{"tx5", 1})
			t.deliver(again)
			t.note(inside{"tx5", 1}, commit{"tx5"}, whole{1})
			t.deliver(again)
			return t
		}, verdict{premises: 2}},
		{"a message that is no transaction counts as sent when it is, and first takes effect", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			sent := t.send("Q", unmarked{"token"})
			t.draw(1, "P", "Q")
			t.deliver(sent)
			t.note(whole{1})
			return t
		}, verdict{1, "cut 1 lacks token in the channel from P to Q",
			"P sends unmarked token; Q receives unmarked token",
			"P sends unmarked token; Q receives unmarked token"}},
		{"a handler that a crash cut short has not left anything out", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			sent := t.send("Q", unmarked{"token"})
			t.draw(1, "P", "Q")
			t.note(whole{1})
			t.deliver(sent)
			t.crash("Q", 0)
			return t
		}, verdict{}},
	})
}

func TestCompleteness(t *testing.T) {
	testTapes(t, "completeness", []tapeCase{
		{"nothing of before the cut comes after a part is complete", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			sent := t.send("Q", notify{"tx5", 0})
			t.draw(1, "P")
			t.tell("Q", start{1, 1})
			t.note(point{1, 1}, whole{1})
			t.deliver(sent)
			t.note(commit{"tx5"})
			return t
		}, verdict{2, "Q calls its part of cut 1 complete, and then gets tx5, which is before it",
			"Q notes complete 1; Q notes commit tx5", "Q notes complete 1; Q notes commit tx5"}},
		{"a part is not complete while another node may not have drawn its point", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.note(whole{1})
			return t
		}, verdict{1, "Q calls its part of cut 1 complete, but cannot know that P has drawn its point",
			"P notes point 1; Q notes complete 1", ""}},
		{"unless that one has left", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.add(sim.Entry{Kind: sim.EntryLeft, Node: 0, Cause: -1})
			t.draw(1, "Q")
			t.note(whole{1})
			return t
		}, verdict{premises: 1}},
		{"who is told of a transaction before the cut commits it", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 0})
			t.draw(1, "P", "Q")
			return t
		}, verdict{1, "tx5 is before cut 1 on P, but Q never commits it",
			"P notes commit tx5; Q receives notify tx5",
			"P notes commit tx5; P sends notify tx5; Q receives notify tx5"}},
		{"of one after the cut nothing is said", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 1})
			return t
		}, verdict{}},
		{"who crashed since need not have", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 0})
			t.crash("Q", 0)
			t.start("Q")
			t.draw(1, "P", "Q")
			return t
		}, verdict{}},
		{"nor who was told by a node that had left", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			sent := t.send("Q", notify{"tx5", 0})
			t.draw(1, "P", "Q")
			t.add(sim.Entry{Kind: sim.EntryLeft, Node: 0, Cause: -1})
			t.deliver(sent)
			return t
		}, verdict{premises: 1}},
		{"nor anyone in a run that did not settle", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.tell("Q", notify{"tx5", 0})
			t.draw(1, "P", "Q")
			t.run.End = sim.Unsettled
			return t
		}, verdict{}},
	})
}

func TestNesting(t *testing.T) {
	testTapes(t, "nesting", []tapeCase{
		{"a transaction before a cut is before the next", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			sent := t.send("Q", notify{"tx5", 0})
			t.draw(1, "P", "Q")
			t.draw(2, "P", "Q")
			t.deliver(sent)
			t.note(inside{"tx5", 1}, commit{"tx5"}, whole{1}, whole{2})
			return t
		}, verdict{1, "Q has tx5 before cut 1, but after cut 2", "Q notes commit tx5", ""}},
		{"the points of a cut come before those of the next", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.draw(2, "Q", "P")
			t.draw(1, "Q")
			return t
		}, verdict{1, "Q draws its point of cut 2 before that of cut 1",
			"Q notes point 2; Q notes point 1", "Q notes point 2; Q notes point 1"}},
		{"cuts without versions may cross", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(point{1, 0}, point{2, 0})
			t.ask("Q")
			t.note(point{2, 0}, point{1, 0})
			return t
		}, verdict{}},
		{"an unfinished cut nests nothing", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.draw(2, "P")
			return t
		}, verdict{}},
	})
}
