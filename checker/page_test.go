package checker_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// beset puts faults around the entries of a run.
func beset(run *sim.Run) *sim.Run {
	entry := func(kind sim.EntryKind, node, peer sim.NodeID) sim.Entry {
		return sim.Entry{Kind: kind, Node: node, Peer: peer, Cause: -1}
	}
	run.Trace = slices.Concat(
		sim.Trace{entry(sim.EntryStarted, 0, sim.Nobody), entry(sim.EntryParted, 0, 1)}, run.Trace[:1],
		sim.Trace{entry(sim.EntryCrashed, 1, sim.Nobody), entry(sim.EntryHealed, sim.Nobody, sim.Nobody)},
		run.Trace[1:2],
		sim.Trace{entry(sim.EntryStarted, 1, sim.Nobody), entry(sim.EntryPaused, 0, sim.Nobody)},
		run.Trace[2:],
		sim.Trace{entry(sim.EntryResumed, 0, sim.Nobody), entry(sim.EntryEpilogue, sim.Nobody, sim.Nobody)})
	return run
}

func TestAPageShowsTheWrongPartWithItsFaults(t *testing.T) {
	run := beset(tell("1 set x 1", "2 set y 2", "1 ok", "2 ok", "3 get x", "3 =", "3 get x", "3 = 1"))
	var page bytes.Buffer
	if err := checker.Page(&page, run, registers); err != nil {
		t.Fatal(err)
	}
	_, data, _ := strings.Cut(page.String(), "const data = ")
	for _, want := range []string{
		`"Description":"set x 1 -\u003e ok"`, `"Description":"get x -\u003e nothing"`,
		`"StateDescription":"1"`,
		`"Tag":"Q","Start":200,"End":400,"Description":"down","Details":"entry 3, at 0s"`,
		`"Tag":"links","Start":0,"End":300,"Description":"parted P Q"`,
		`"Tag":"P","Start":500,"End":800,"Description":"paused"`,
	} {
		if !strings.Contains(data, want) {
			t.Errorf("the page lacks %s; it has %s", want, data)
		}
	}
	for _, not := range []string{"set y 2", `"get x -\u003e 1"`, "epilogue"} {
		if strings.Contains(data, not) {
			t.Errorf("the page has %s, of another part or from after the wrong return", not)
		}
	}
}

func TestAPageOfALinearizableRunShowsItsLargestPart(t *testing.T) {
	run := beset(tell("1 set x 1", "2 set y 2", "1 ok", "2 ok", "3 get x", "3 = 1"))
	var page bytes.Buffer
	if err := checker.Page(&page, run, registers); err != nil {
		t.Fatal(err)
	}
	for want, there := range map[string]bool{"set x 1": true, "get x -": true, "set y 2": false, "epilogue": true} {
		if strings.Contains(page.String(), want) != there {
			t.Errorf("%q on the page: got %v, want %v", want, !there, there)
		}
	}
}

func TestAPageThatNobodyCouldReadIsRefused(t *testing.T) {
	w := checker.Workload{Clients: 3, Ops: 250, Keys: 1}
	for _, c := range []struct {
		name string
		run  *sim.Run
		want string
	}{
		{"too long", w.Run(1), "page: the history has 250 operations, at most 200 can be shown"},
		{"empty", checker.Workload{Keys: 1}.Run(1), "page: the run has no operation with a result"},
		{"malformed", &sim.Run{Trace: sim.Trace{{Kind: sim.EntryReturned, N: 3}}},
			"history: entry 0: call 3 ends, but was never invoked"},
	} {
		var page bytes.Buffer
		if err := checker.Page(&page, c.run, w.Spec()); err == nil || err.Error() != c.want || page.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want %s", c.name, err, page.Len(), c.want)
		}
	}
	w.Ops, w.Stale, w.Clients = 200, 50, 9
	var page bytes.Buffer
	if err := checker.Page(&page, w.Run(3), w.Spec()); err != nil || page.Len() == 0 {
		t.Errorf("200 operations of 9 clients: got %v and %d bytes, want a page", err, page.Len())
	}
}
