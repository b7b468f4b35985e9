package checker_test

import "testing"

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
		{"a restart may repeat old ones", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P")
			t.draw(2, "P")
			t.start("P")
			t.note(point{1, 1})
			t.send("Q", notify{"tx1", 2})
			return t
		}, verdict{premises: 4}},
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
