package cut_test

import (
	"testing"
	"time"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/sim"
)

// What a node leaves unsaid shows in no fact: here it is counted in the trace.

// told plays a script in time that runs, and counts entries of its trace.
func told(t *testing.T, variant string, script []sim.Action, counts func(*sim.Run, *sim.Entry) bool) int {
	t.Helper()
	v, err := cut.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(&sim.Plan{Protocol: cut.Protocol, Variant: v, Nodes: []string{"P", "Q"},
		Later: []string{"R"}, Timed: true, Script: script})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Stale) > 0 {
		t.Fatalf("stale lines %+v, want none", run.Stale)
	}
	n := 0
	for i := range run.Trace {
		if counts(run, &run.Trace[i]) {
			n++
		}
	}
	return n
}

func ask(node string, words ...string) sim.Action {
	return sim.Action{Verb: sim.Request, Node: node, Words: words}
}

func TestANodeWhoseCutsAreCompleteAsksNobodyAnyMore(t *testing.T) {
	script := []sim.Action{ask("P", "cut", "1"),
		{Verb: sim.Wait, Place: sim.After, Offset: time.Second}}
	fired := told(t, "signed", script, func(_ *sim.Run, e *sim.Entry) bool {
		return e.Kind == sim.EntryFired && e.Body.Kind() == "gather"
	})
	if fired < 1 || fired > 4 {
		t.Errorf("within a second of cut 1 the timer gather fired %d times on two nodes, want 1 to 4", fired)
	}
}

// The stream from P to Q breaks. Both are told when it is up again: P says anew what it said on it,
// and Q, whose own stream to P has lost nothing, does not.
func TestOnlyTheSenderOfAStreamSaysAnewWhatItSaidOnIt(t *testing.T) {
	script := []sim.Action{ask("P", "commit", "tx1"), ask("Q", "commit", "tx2"),
		{Verb: sim.Drop, Pattern: sim.Pattern{From: []string{"P"}, To: []string{"Q"}}}}
	for _, c := range []struct {
		name, node, tx string
		want           int
	}{{"the sender", "P", "tx1", 2}, {"the receiver", "Q", "tx2", 1}} {
		got := told(t, "signed/channel=stream", script, func(run *sim.Run, e *sim.Entry) bool {
			return e.Kind == sim.EntrySent && run.Name(e.Node) == c.node && sim.KeysOf(e.Body) != nil &&
				e.Body.Kind() == "notify" && sim.KeysOf(e.Body)[0] == c.tx
		})
		if got != c.want {
			t.Errorf("%s: %s sends notify %s %d times, want %d", c.name, c.node, c.tx, got, c.want)
		}
	}
}

// R joins, and leaves while its hello is under way to P: who is no member is not welcomed.
func TestNobodyWelcomesWhoIsNoMember(t *testing.T) {
	slow := sim.Action{Verb: sim.Hold, Pattern: sim.Pattern{From: []string{"R"}, To: []string{"P"}}}
	free := slow
	free.Verb = sim.Release
	for _, c := range []struct {
		name   string
		script []sim.Action
		want   bool
	}{
		{"a member", []sim.Action{slow, {Verb: sim.Join, Node: "R"}, free}, true},
		{"who has left", []sim.Action{slow, {Verb: sim.Join, Node: "R"}, {Verb: sim.Leave, Node: "R"}, free}, false},
	} {
		got := told(t, "signed", c.script, func(run *sim.Run, e *sim.Entry) bool {
			return e.Kind == sim.EntrySent && run.Name(e.Node) == "P" && e.Body.Kind() == "welcome"
		})
		if (got > 0) != c.want {
			t.Errorf("%s: P sends %d welcomes, want some: %v", c.name, got, c.want)
		}
	}
}
