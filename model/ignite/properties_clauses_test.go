package ignite

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// backed is voting with a backup: T1 is tagged c1, and P tells B so.
const backed = `
-- scenario --
model   ignite
nodes   N P Q B
client  N
key     x on P B
key     y on Q

-- script --
hold P->N NPR T1
hold Q->N NPR T1
N commit T1 x=1 y=1
P cut c1
release P->N NPR T1
release Q->N NPR T1
`

// rolling is a transaction that is rolled back, though P and its backup had prepared it.
const rolling = `
-- scenario --
model   ignite
nodes   N P Q B
client  N
key     x on P B
key     y on Q

-- script --
Q refuse T1
N commit T1 x=1 y=1 primary-sync
`

// early puts what a node notes in the place of something that it noted before.
func (e edit) early(node, what, before string) {
	from, to := e.at(node, sim.EntryNoted, what), e.at(node, sim.EntryNoted, before)
	e.Trace[to].Body, e.Trace[from].Body = e.Trace[from].Body, metaRecord{}
}

// clauses are parts of properties that no wrong variant makes speak first, each with a run that it
// has to object to, and by which words.
var clauses = []struct {
	name, story, breaks, says string
	change                    func(e edit)
}{
	{"who joined after START marks the cut", joining, "joiner", "marks cut c1, and joined", func(e edit) {
		x := &e.Trace[e.at("M", sim.EntryNoted, "began T")]
		x.Kind, x.N, x.Body = sim.EntryAppended, 1, startRecord{c1}
	}},
	{"a primary tells its backup no tag", backed, "same-tag", "P sends DFQ T1", func(e edit) {
		e.carries("P", "DFQ T1", cutID{})
	}},
	{"a primary tells its backup another tag", backed, "same-tag", "P sends DFQ T1", func(e edit) {
		e.carries("P", "DFQ T1", c2)
	}},
	{"START has a result before a node has FINISH", crossing, "one-result", "before P has FINISH",
		func(e edit) {
			e.early("P", "result c1 start", "decided T1 c1")
		}},
	{"a client is told COMMITTED too early", backed, "synchrony", "P has not written x", func(e edit) {
		e.early("N", "outcome T1", "tagged T1 near")
	}},
	{"a client is told ROLLED_BACK too early", rolling, "synchrony", "is under way", func(e edit) {
		e.early("N", "outcome T1", "rollingback T1 near")
	}},
	{"a commit writes a key twice", backed, "write-ahead", "with 2 data records of x, want 1",
		func(e edit) {
			x := e.Trace[e.at("B", sim.EntryAppended, "data T1 x")].Body
			e.swap("B", sim.EntryAppended, "committed T1", x)
		}},
	{"what was included is written after FINISH", crossing, "agreement", "T1 is before", func(e edit) {
		data, finish := e.at("Q", sim.EntryAppended, "data T1 x"),
			e.at("Q", sim.EntryAppended, "finish c1")
		e.Trace[data].Body, e.Trace[finish].Body = e.Trace[finish].Body, e.Trace[data].Body
		e.Trace[e.at("Q", sim.EntryAppended, "data T1 y")].Body = metaRecord{}
	}},
	{"a node refuses a cut that nobody asked it to refuse", failing, "finishes",
		"P refuses cut c1 for no reason", func(e edit) {
			e.swap("P", sim.EntryInvoked, "refuse c1", refuseOp{"c9"})
		}},
	{"a node fails in a cut, and all that it waited for has ended well", failing, "finishes",
		"cut c1 fails on P for no reason", func(e edit) {
			e.swap("P", sim.EntryNoted, "refused c1", failedCut{c1, "inconsistent: T1 is UNKNOWN"})
		}},
}

func TestEveryClauseOfAPropertyCanSayNo(t *testing.T) {
	for _, c := range clauses {
		t.Run(c.name, func(t *testing.T) {
			at := slices.IndexFunc(Protocol.Properties, func(p sim.Property) bool { return p.Name == c.breaks })
			check := Protocol.Properties[at].Check
			run := tell(t, "fixed", c.story)
			if _, v := check(run); v != nil {
				t.Fatalf("before: %s, want that %s holds", v.Reason, c.breaks)
			}
			run.Trace = slices.Clone(run.Trace)
			c.change(edit{run})
			_, v := check(run)
			if v == nil || !strings.Contains(v.Reason, c.says) {
				t.Errorf("after: got %+v of %s, want one that says %q", v, c.breaks, c.says)
			}
		})
	}
}
