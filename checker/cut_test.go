package checker_test

import "testing"

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
		{"channel-state", 4}, {"completeness", 10}, {"nesting", 1}} {
		testTapes(t, c.name, []tapeCase{{c.name, fine, verdict{premises: c.premises}}})
	}
}
