package checker_test

import "testing"

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
		{"nor do its records count", func() *tape {
			t := forwards()
			t.note(whole{1})
			t.ask("P")
			t.note(gaveUp{1})
			return t
		}, verdict{}},
	})
}

func TestANodeThatIsNoMemberMeansNothing(t *testing.T) {
	m := onTape
	m.Complete = nil
	tp := newTape("P", "Q")
	tp.ask("P")
	tp.note(commit{"tx5"})
	tp.tell("Q", notify{"tx5", 0})
	tp.note(commit{"tx5"})
	tp.draw(1, "P", "Q")
	tp.run.Nodes = append(tp.run.Nodes, "R")
	tp.start("R")
	tp.ask("Q")
	tp.tell("R", notify{"tx5", 1})
	tp.note(commit{"tx5"})
	for _, p := range m.Properties() {
		if p.Name != "agreement" {
			continue
		}
		if premises, v := p.Check(tp.run); premises != 1 || v != nil {
			t.Errorf("got %d premises and %+v, want 1, that of Q, and none", premises, v)
		}
	}
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
