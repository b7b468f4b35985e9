package ignite

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// edit is one change of a run.
type edit struct{ *sim.Run }

// at is the first entry of a node of a kind whose body has a text.
func (e edit) at(node string, kind sim.EntryKind, text string) int {
	for i, x := range e.Trace {
		if e.Name(x.Node) == node && x.Kind == kind && strings.Contains(sim.Text(x.Body), text) {
			return i
		}
	}
	panic("no entry " + node + " " + kind.String() + " " + text)
}

// swap puts another body in the place of the first one.
func (e edit) swap(node string, kind sim.EntryKind, text string, b sim.Body) {
	e.Trace[e.at(node, kind, text)].Body = b
}

// finish changes a FINISH.
func (e edit) finish(node, cut string, change func(*finishRecord)) {
	i := e.at(node, sim.EntryAppended, "finish "+cut)
	r := e.Trace[i].Body.(finishRecord)
	change(&r)
	e.Trace[i].Body = r
}

func (e edit) carries(node, text string, tag cutID) {
	i := e.at(node, sim.EntrySent, text)
	m := e.Trace[i].Body.(signed)
	m.Tag = tag
	e.Trace[i].Body = m
}

// unend makes a tracked run of no finish: what was to end the cut does not come.
func (e edit) unend(cut string) {
	for i := range e.Trace {
		if b, ok := e.Trace[i].Body.(endResult); ok && b.Cut.Name == cut {
			e.Trace[i].Body = metaRecord{}
		}
	}
}

var (
	c1 = cutID{Name: "c1"}
	c2 = cutID{Name: "c2"}
	t1 = txID{"T1", 0, 0}
)

var planted = []struct {
	name, story, breaks string
	also                string // what follows from it in the same layer or below
	change              func(e edit)
}{
	{"a position of discovery is left out", crossing, "discovery", "", func(e edit) {
		e.Trace[e.at("Q", sim.EntryLogged, "c1")].N += 5
	}},
	{"START is missing on a node", crossing, "marks", "", func(e edit) {
		e.swap("Q", sim.EntryAppended, "start c1", metaRecord{})
	}},
	{"FINISH comes before START", crossing, "marks", "", func(e edit) {
		start, finish := e.at("Q", sim.EntryAppended, "start c1"),
			e.at("Q", sim.EntryAppended, "finish c1")
		e.Trace[start].Body, e.Trace[finish].Body = e.Trace[finish].Body, e.Trace[start].Body
	}},
	{"a message is applied before its cut", crossing, "colour", "", func(e edit) {
		i := e.at("Q", sim.EntryNoted, "entered c1")
		e.Trace[i].Body = metaRecord{}
		e.swap("Q", sim.EntryNoted, "forgot c1", entered{Cut: c1, By: "NFQ"})
	}},
	{"a node enters a cut again", crossing, "one-cut", "", func(e edit) {
		e.swap("Q", sim.EntryNoted, "forgot c1", entered{Cut: c1, By: "NFQ"})
	}},
	{"a node signs before it is in the cut", crossing, "stamps", "", func(e edit) {
		i := e.at("N", sim.EntrySent, "NPQ T1")
		e.Trace[i].Body = signed{Cut: c1, Message: e.Trace[i].Body}
	}},
	{"a node that joined enters the cut", joining, "joiner", "", func(e edit) {
		e.swap("M", sim.EntryNoted, "began T", entered{Cut: c1, By: "NPR"})
	}},
	{"the tag is of another cut", voting, "signer", "same-tag", func(e edit) {
		e.swap("N", sim.EntryNoted, "tagged T1", tagged{nearKey(t1), cutID{}})
	}},
	{"nobody fixes the tag", voting, "signer", "", func(e edit) {
		e.swap("N", sim.EntryNoted, "tagged T1", metaRecord{})
	}},
	{"a primary fixes the tag", voting, "signer", "", func(e edit) {
		e.swap("Q", sim.EntryNoted, "pinned T1", tagged{key{t1, primary, 2}, c1})
	}},
	{"a finish goes out without the tag", voting, "same-tag", "", func(e edit) {
		e.carries("N", "NFQ T1", cutID{})
	}},
	{"a finish goes out with another tag", voting, "same-tag", "", func(e edit) {
		e.carries("N", "NFQ T1", c2)
	}},
	{"a transaction is in both sets", crossing, "sets", "", func(e edit) {
		e.finish("Q", "c1", func(r *finishRecord) { r.Excluded = []txID{t1} })
	}},
	{"a transaction is in a set that committed later", crossing, "sets", "", func(e edit) {
		e.finish("Q", "c1", func(r *finishRecord) { r.Included = append(r.Included, txID{"T3", 0, 0}) })
	}},
	{"a transaction is in a set that nobody knows", crossing, "sets", "", func(e edit) {
		e.finish("Q", "c1", func(r *finishRecord) { r.Included = append(r.Included, txID{"T9", 0, 0}) })
	}},
	{"what recovery committed is included", crossing, "trusted", "", func(e edit) {
		i := e.at("Q", sim.EntryNoted, "committed T1 primary")
		m := e.Trace[i].Body.(moved)
		m.By = byRecovery
		e.Trace[i].Body = m
	}},
	{"one node does not include a transaction", crossing, "agreement", "oracle complete", func(e edit) {
		e.finish("Q", "c1", func(r *finishRecord) { r.Included = nil })
	}},
	{"no node includes a transaction", crossing, "oracle", "", func(e edit) {
		e.finish("P", "c1", func(r *finishRecord) { r.Included = nil })
		e.finish("Q", "c1", func(r *finishRecord) { r.Included = nil })
	}},
	{"both nodes include what they should exclude", voting, "oracle", "", func(e edit) {
		for _, n := range []string{"P", "Q"} {
			e.finish(n, "c1", func(r *finishRecord) { r.Included, r.Excluded = r.Excluded, nil })
		}
	}},
	{"a node has not written a key", crossing, "complete", "", func(e edit) {
		e.swap("Q", sim.EntryAppended, "data T1 x", metaRecord{})
	}},
	{"a later cut excludes what an earlier one included", crossing, "nesting", "sets oracle",
		func(e edit) {
			for _, n := range []string{"P", "Q"} {
				e.finish(n, "c2", func(r *finishRecord) { r.Excluded = []txID{t1} })
			}
		}},
	{"a backup has another value", crossing, "restored", "", func(e edit) {
		i := e.at("Q", sim.EntryAppended, "data T1 x")
		r := e.Trace[i].Body.(dataRecord)
		r.Update.Value = "99"
		e.Trace[i].Body = r
	}},
	{"an increment is not there", crossing, "restored", "", func(e edit) {
		for i := range e.Trace {
			if r, ok := e.Trace[i].Body.(incrementRecord); ok && r.Cut == c2 {
				e.Trace[i].Body = metaRecord{}
			}
		}
	}},
	{"an amount is lost", moving, "sum", "", func(e edit) {
		i := e.at("P", sim.EntryAppended, "data T1 x")
		r := e.Trace[i].Body.(dataRecord)
		r.Update.Value = "99"
		e.Trace[i].Body = r
	}},
	{"a stage has two results", crossing, "one-result", "", func(e edit) {
		i := e.at("P", sim.EntryNoted, "result c1 start")
		e.Trace[e.at("P", sim.EntryNoted, "unsigned c1")].Body = e.Trace[i].Body
	}},
	{"a stage ends before a node is in the cut", crossing, "one-result", "", func(e edit) {
		e.swap("N", sim.EntryNoted, "entered c1", metaRecord{})
		e.swap("N", sim.EntryNoted, "forgot c1", entered{Cut: c1, By: "start"})
	}},
	{"a listed node is known to have left", crossing, "alive", "", func(e edit) {
		e.swap("P", sim.EntryLogged, "start-result c1", sim.Member{Name: "Q"})
	}},
	{"the client hears of a failure", crossing, "report", "", func(e edit) {
		e.swap("P", sim.EntryReturned, "cut c1 done", cutEnded{"c1", "no"})
	}},
	{"the client hears of a success", failing, "report", "", func(e edit) {
		e.swap("P", sim.EntryReturned, "cut c1 failed", cutEnded{"c1", ""})
	}},
	{"a cut does not end", crossing, "finishes", "", func(e edit) { e.unend("c1") }},
	{"a node does not forget the cut", crossing, "finishes", "", func(e edit) {
		e.swap("Q", sim.EntryNoted, "forgot c2", metaRecord{})
	}},
	{"a cut fails for no reason", failing, "finishes", "", func(e edit) {
		for i := range e.Trace {
			if r, ok := e.Trace[i].Body.(refusedCut); ok && r.Cut == c1 {
				e.Trace[i].Body = metaRecord{}
			}
		}
	}},
}

func TestPropertiesOfTheCutFindPlantedFaults(t *testing.T) {
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			run := tell(t, "fixed", c.story)
			if broken, _ := judged(run); len(broken) > 0 {
				t.Fatalf("before: %v broken, want none", broken)
			}
			run.Trace = slices.Clone(run.Trace)
			c.change(edit{run})
			broken, premises := judged(run)
			if !slices.Contains(broken, c.breaks) || premises[c.breaks] == 0 {
				t.Errorf("%v broken, want %s; %d occasions", broken, c.breaks, premises[c.breaks])
			}
			for _, also := range strings.Fields(c.also) {
				if !slices.Contains(broken, also) {
					t.Errorf("%v broken, want %s as well", broken, also)
				}
			}
		})
	}
}
