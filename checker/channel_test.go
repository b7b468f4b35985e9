package checker_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

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
		{"of a cut that was given up nothing is asked", func() *tape {
			t := forwards()
			t.run.Trace = t.run.Trace[:len(t.run.Trace)-2]
			t.note(commit{"tx5"}, whole{1}, inside{"tx9", 1}, gaveUp{1})
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
		{"a record is no lie because its node crashed before it committed", func() *tape {
			t := forwards()
			t.run.Trace = t.run.Trace[:len(t.run.Trace)-1]
			t.crash("Q", 0)
			t.start("Q")
			return t
		}, verdict{premises: 1}},
		{"of several sendings the first one counts, whichever arrives first", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			first := t.send("Q", unmarked{"token"})
			t.draw(1, "P", "Q")
			t.ask("P")
			t.tell("Q", unmarked{"token"})
			t.note(inside{"token", 1}, whole{1})
			t.deliver(first)
			return t
		}, verdict{premises: 2}},
		{"the last handler of a run that did not settle may lack something", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			sent := t.send("Q", unmarked{"token"})
			t.draw(1, "P", "Q")
			t.note(whole{1})
			t.deliver(sent)
			t.run.End = sim.Unsettled
			return t
		}, verdict{}},
		{"so may one that a crash cut short in its middle", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			sent := t.send("Q", unmarked{"token"})
			t.draw(1, "P", "Q")
			t.note(whole{1})
			t.deliver(sent)
			t.note(gossip{1})
			t.crash("Q", 0)
			return t
		}, verdict{}},
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

// R joins with the version of cut 1, so that it is no member of the cut. What was sent to it before
// the cut it takes up and does not record, where parts are complete without a word.
func TestNothingIsAskedOfTheChannelsToANodeThatIsNoMember(t *testing.T) {
	m := onTape
	m.Complete = nil
	for _, c := range []struct {
		name string
		from sim.Body // by which R begins
		want string
	}{
		{"of a node that has adopted the cut's version", adopted{1}, ""},
		{"of a member", point{1, 1}, "cut 1 lacks tx5 in the channel from P to R"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tape := newTape("P", "Q", "R")
			tape.ask("P")
			tape.note(commit{"tx5"})
			sent := tape.send("R", notify{"tx5", 0})
			tape.draw(1, "P", "Q")
			tape.ask("R")
			tape.note(c.from)
			tape.deliver(sent)
			tape.note(commit{"tx5"})
			got := ""
			for _, f := range checker.Judge(tape.run, m.Properties()).Findings {
				if f.Property.Name == "channel-state" && f.Violation != nil {
					got = f.Violation.Reason
				}
			}
			if got != c.want {
				t.Errorf("channel-state says %q, want %q", got, c.want)
			}
		})
	}
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
		}, verdict{3, "Q calls its part of cut 1 complete, and then gets tx5, which is before it",
			"Q notes complete 1; Q notes commit tx5", "Q notes complete 1; Q notes commit tx5"}},
		{"what never arrives is lacking too", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.note(commit{"tx5"})
			t.send("Q", notify{"tx5", 0})
			t.draw(1, "P")
			t.tell("Q", start{1, 1})
			t.note(point{1, 1}, whole{1})
			return t
		}, verdict{2, "tx5 is before cut 1 on P, and Q calls its part complete, but never commits it",
			"P notes commit tx5; P sends notify tx5", "P notes commit tx5; P sends notify tx5"}},
		{"a part is not complete while another node may not have drawn its point", func() *tape {
			t := newTape("P", "Q")
			t.draw(1, "P", "Q")
			t.note(whole{1})
			return t
		}, verdict{1, "Q calls its part of cut 1 complete, but cannot know that P has drawn its point",
			"P notes point 1; Q notes complete 1", ""}},
		{"of an unfinished cut nothing is said", func() *tape {
			t := newTape("P", "Q", "R")
			t.draw(1, "P", "Q")
			t.note(whole{1})
			return t
		}, verdict{}},
		{"and a part is complete once", func() *tape {
			t := newTape("P")
			t.draw(1, "P")
			t.note(whole{1}, whole{1})
			return t
		}, verdict{premises: 1}},
		{"a node that has left is not waited for", func() *tape {
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
		{"nor who was told by a node that is no member", func() *tape {
			t := newTape("P", "Q", "R")
			t.ask("P")
			t.note(commit{"tx5"})
			sent := t.send("Q", notify{"tx5", 0})
			t.crash("P", 0)
			t.draw(1, "Q", "R")
			t.deliver(sent)
			return t
		}, verdict{}},
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
