package ignite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// ring is a cluster of P, Q and R with a client N: x and y have a primary and a backup, crosswise;
// z has none.
var ring = []string{"client N", "key x on P Q", "key y on Q P", "key z on R"}

// staged plays requests in still time, one after the other: "N commit tx1 x=1".
func staged(t testing.TB, variant string, requests ...string) *sim.Run {
	t.Helper()
	v, err := ignite.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := &sim.Plan{Protocol: ignite.Protocol, Variant: v, Nodes: []string{"P", "Q", "R", "N"}}
	for _, line := range ring {
		s, err := ignite.Protocol.ParseSetup(strings.Fields(line), p.Nodes)
		if err != nil {
			t.Fatal(err)
		}
		p.Setup = append(p.Setup, s)
	}
	for _, r := range requests {
		words := strings.Fields(r)
		p.Script = append(p.Script, sim.Action{Verb: sim.Request, Node: words[0], Words: words[1:]})
	}
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// entryOf finds an entry by what it is, where, and its text.
func entryOf(t testing.TB, run *sim.Run, what string) int {
	t.Helper()
	words := strings.SplitN(what, " ", 3)
	at := slices.IndexFunc(run.Trace, func(e sim.Entry) bool {
		return run.Name(e.Node) == words[0] && e.Kind.String() == words[1] && e.Body != nil &&
			sim.Text(e.Body) == words[2]
	})
	if at < 0 {
		t.Fatalf("the run has no entry %q", what)
	}
	return at
}

// plant puts a fault into a run.
type plant func(t *testing.T, run *sim.Run)

// takenOut takes entries out.
func takenOut(entries ...string) plant {
	return func(t *testing.T, run *sim.Run) {
		for _, what := range entries {
			e := &run.Trace[entryOf(t, run, what)]
			e.Kind, e.Body = sim.EntryClock, nil
		}
	}
}

// swapped puts other bodies in the place of those of an entry.
func swapped(what string, body func(b sim.Body) sim.Body) plant {
	return func(t *testing.T, run *sim.Run) {
		e := &run.Trace[entryOf(t, run, what)]
		e.Body = body(e.Body)
	}
}

// datas changes the data records of a transaction on a node, or on all: "*".
func datas(node, tx, k string, change func(u *ignite.Update)) plant {
	return func(t *testing.T, run *sim.Run) {
		n := 0
		for i := range run.Trace {
			e := &run.Trace[i]
			if e.Kind != sim.EntryAppended || node != "*" && run.Name(e.Node) != node {
				continue
			}
			if id, u, ok := ignite.DataOf(e.Body); ok && id.Name == tx && u.Key == k {
				change(&u)
				e.Body = ignite.DataRecord(id, u)
				n++
			}
		}
		if n == 0 {
			t.Fatalf("%s has no data record of %s of %s", node, k, tx)
		}
	}
}

// excluded puts transactions into the excluded set of every FINISH.
func excluded(ids ...ignite.TxID) plant {
	return func(t *testing.T, run *sim.Run) {
		for i := range run.Trace {
			if f, ok := run.Trace[i].Body.(ignite.FinishRecord); ok {
				f.Excluded = append(slices.Clone(f.Excluded), ids...)
				run.Trace[i].Body = f
			}
		}
	}
}

// fallen makes a node crash where an entry was.
func fallen(what string) plant {
	return func(t *testing.T, run *sim.Run) {
		e := &run.Trace[entryOf(t, run, what)]
		e.Kind, e.Body, e.N = sim.EntryCrashed, nil, 0
	}
}

func both(edits ...plant) plant {
	return func(t *testing.T, run *sim.Run) {
		for _, e := range edits {
			e(t, run)
		}
	}
}

// The requests that the edits are made to. N is node 3.
var (
	twoPhases = []string{"N commit tx1 x=1 y=2", "N commit tx2 x+4 reads y"}
	onePhase  = []string{"N commit tx1 x=1"}
	refused   = []string{"Q refuse tx1", "N commit tx1 x=1 y=2", "N commit tx2 x=2"}
	aCut      = []string{"N commit tx1 x=1", "N commit tx2 x=2", "N commit tx3 z=3 reads x", "P cut c1",
		"N commit tx4 x=4", "N commit tx5 x=5"}
)

func id(name string) ignite.TxID { return ignite.TxID{Name: name, Near: 3} }

// Each property must hold of a good run, with something to say, and notice a fault that is planted.
func TestPropertiesOfTransactionsNoticePlantedFaults(t *testing.T) {
	for _, c := range []struct {
		property, name string
		requests       []string
		first, fault   plant
	}{
		{"transitions", "a state is left out", twoPhases, nil,
			takenOut("Q notes committing tx1 backup")},
		{"transitions", "an object commits that was never prepared", twoPhases, nil,
			both(takenOut("Q notes prepared tx1 backup"), swapped("Q notes committing tx1 backup",
				func(sim.Body) sim.Body {
					return ignite.MovedFact(id("tx1"), "backup", 0, "PREPARING", "COMMITTING")
				}))},
		{"transitions", "an object is made again that has ended", twoPhases, nil,
			swapped("Q notes made tx2 backup", func(sim.Body) sim.Body { return ignite.MadeFact(id("tx1"), "backup", 0) })},
		{"finalization", "the user finishes what recovery has taken", twoPhases, nil,
			swapped("Q notes pinned tx1 backup", func(sim.Body) sim.Body {
				return ignite.RecoveryPin(id("tx1"), "backup", 0)
			})},
		{"finalization", "nobody has taken the finish", twoPhases, nil,
			takenOut("Q notes pinned tx1 backup")},
		{"write-ahead", "there is no TxRecord(PREPARED)", onePhase, nil,
			takenOut("P writes prepared tx1")},
		{"write-ahead", "data comes before COMMITTING", onePhase, nil,
			takenOut("Q notes committing tx1 backup")},
		{"write-ahead", "a committed object has not written", onePhase, nil,
			takenOut("Q writes data tx1 x")},
		{"unanimity", "a backup never prepared", twoPhases, nil,
			takenOut("Q notes prepared tx1 backup")},
		{"unanimity", "a primary never prepared", twoPhases, nil,
			takenOut("P notes prepared tx1 primary")},
		{"commit-order", "near does not commit first", twoPhases, nil,
			takenOut("N notes committed tx1 near")},
		{"commit-order", "a primary does not commit before its backup", twoPhases, nil,
			takenOut("P notes committed tx1 primary")},
		{"commit-order", "in one phase the backup does not commit first", onePhase, nil,
			takenOut("Q notes committed tx1 backup")},
		{"one-phase", "a primary rolls back what its backup may have committed", onePhase, nil,
			swapped("P notes committing tx1 primary", func(sim.Body) sim.Body {
				return ignite.MovedFact(id("tx1"), "primary", 0, "PREPARED", "ROLLING_BACK")
			})},
		{"yes-vote", "the user rolls back what was voted to be prepared", refused,
			swapped("Q notes pinned tx2 backup", func(sim.Body) sim.Body { return ignite.VotedFact(id("tx2"), true) }),
			swapped("Q notes pinned tx1 backup", func(sim.Body) sim.Body { return ignite.VotedFact(id("tx1"), true) })},
		{"no-vote", "a node prepares what it voted not to", onePhase,
			swapped("P notes made tx1 primary", func(sim.Body) sim.Body { return ignite.VotedFact(id("tx2"), false) }),
			swapped("P notes voted tx2", func(sim.Body) sim.Body { return ignite.VotedFact(id("tx1"), false) })},
		{"synchrony", "a client is told before the backup has written", twoPhases, nil,
			takenOut("Q writes data tx1 x")},
		{"atomicity", "a backup has not committed", twoPhases, nil, takenOut("Q writes data tx1 x")},
		{"outcome", "near says that it rolled back", twoPhases, nil,
			swapped("N notes outcome tx1", func(sim.Body) sim.Body { return ignite.RolledBackOutcome(id("tx1")) })},
		{"outcome", "the client is told otherwise than near says", twoPhases, nil,
			swapped("N returns committed tx1", func(sim.Body) sim.Body { return ignite.RolledBackAnswer("tx1") })},
		{"recovery", "near fell, all had prepared, and one has not committed", twoPhases[:1], nearFell,
			takenOut("Q writes data tx1 x")},
		{"recovery", "near fell, one never prepared, and another has committed", twoPhases[:1],
			both(nearFell, takenOut("Q notes prepared tx1 backup", "P writes data tx1 x",
				"Q writes data tx1 x", "Q writes data tx1 y", "P writes data tx1 y")),
			swapped("P writes committed tx1", func(sim.Body) sim.Body {
				return ignite.DataRecord(id("tx1"), ignite.Update{Key: "x", Part: "x", Value: "1", Counter: 1})
			})},
		{"completion", "a backup stays COMMITTING", twoPhases, nil,
			takenOut("Q notes committed tx1 backup")},
		{"completion", "a client is not answered", twoPhases, nil, takenOut("N returns committed tx1")},
		{"versions", "two owners give one counter to two values", twoPhases, nil,
			datas("Q", "tx1", "x", func(u *ignite.Update) { u.Value = "9" })},
		{"versions", "a counter does not rise", twoPhases, nil,
			datas("P", "tx2", "x", func(u *ignite.Update) { u.Counter = 0 })},
		{"versions", "an addition does not add to what was there", twoPhases, nil,
			datas("*", "tx2", "x", func(u *ignite.Update) { u.Value = "4" })},
		{"versions", "another wrote between lock and write", twoPhases, nil,
			swapped("P notes locked tx2 x", func(b sim.Body) sim.Body {
				return ignite.LockedAt(b, 0)
			})},
		{"serializable", "two transactions wrote two keys in two orders",
			[]string{"N commit tx1 x=1 y=1", "P commit tx2 x=2 y=2"}, nil, both(
				datas("*", "tx1", "y", func(u *ignite.Update) { u.Counter = 8 }))},
		{"serializable", "a transaction reads what was overwritten before it began", twoPhases, nil,
			swapped("N notes mapped tx2", func(b sim.Body) sim.Body {
				return ignite.ReadBy(b, 1, ignite.Sight{Key: "y"})
			})},
		{"linearizable", "a client reads what is not there any more", twoPhases, nil,
			swapped("N returns committed tx2", func(b sim.Body) sim.Body {
				e := b.(ignite.Ended)
				e.Reads = []ignite.Entry{{Key: "y", Value: ""}}
				return e
			})},
		{"replicas", "a backup holds something else", twoPhases, nil,
			datas("Q", "tx2", "x", func(u *ignite.Update) { u.Value = "9" })},
		{"key-prefix", "an earlier write is after the cut, a later one before", aCut, nil,
			excluded(id("tx1"))},
		{"session-order", "what was answered is after the cut, what began then is before", aCut, nil,
			excluded(id("tx1"))},
		{"read-closure", "what was read is after the cut, its reader before", aCut, nil,
			excluded(id("tx2"))},
		{"read-closure", "a reader is after the cut, who overwrote that is before",
			[]string{"N commit tx1 x=1", "N commit tx3 z=3 reads x", "N commit tx2 x=2", "P cut c1"}, nil,
			excluded(id("tx3"))},
	} {
		t.Run(c.property+": "+c.name, func(t *testing.T) {
			property := slices.DeleteFunc(slices.Clone(ignite.Protocol.Properties), func(p sim.Property) bool {
				return p.Name != c.property
			})
			run := staged(t, "fixed", c.requests...)
			if c.first != nil {
				c.first(t, run)
			}
			before := checker.Judge(run, property)
			if before.Outcome != checker.Holds {
				t.Fatalf("before the fault: got %v of %s, want holds: %+v", before.Outcome, c.property,
					before.Findings[0].Violation)
			}
			c.fault(t, run)
			after := checker.Judge(run, property)
			if after.Outcome != checker.Broken {
				t.Fatalf("after the fault: got %v of %s, want broken", after.Outcome, c.property)
			}
			v := after.Findings[0].Violation
			if v.Reason == "" || len(v.Witness) == 0 || !slices.IsSorted(v.Witness) {
				t.Errorf("after the fault: got %+v, want a reason and a witness", v)
			}
		})
	}
}

// nearFell lets near fall once all have prepared, and the finish requests get lost. That the data is
// there is then the work of recovery.
var nearFell = both(fallen("N notes tagged tx1 near"), lostNFQ)

func lostNFQ(t *testing.T, run *sim.Run) {
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Body != nil && e.Kind == sim.EntryDelivered && e.Body.Kind() == "NFQ" {
			e.Kind, e.Body = sim.EntryClock, nil
		}
	}
}

// What looks like a fault and is none must not be told.
func TestPropertiesOfTransactionsLetPassWhatIsNoFault(t *testing.T) {
	for _, c := range []struct {
		name, property string
		requests       []string
		change         plant
	}{
		{"an owner that fell need not have it", "atomicity", twoPhases[:1],
			both(fallen("Q notes committed tx1 primary"), takenOut("Q writes data tx1 x"))},
		{"a commit that failed promises nothing", "atomicity",
			[]string{"Q fail tx1", "N commit tx1 x=1 y=2", "N commit tx2 x=1"}, nil},
		{"of a commit that failed owners may differ", "replicas",
			[]string{"Q fail tx1", "N commit tx1 x=1", "N commit tx2 y=1"}, nil},
		{"all from some write on are after the cut", "key-prefix", aCut,
			excluded(id("tx2"), id("tx3"))},
		{"all that began from some moment on are after the cut", "session-order", aCut,
			excluded(id("tx2"), id("tx3"))},
		{"a reader is after the cut, and what it read before", "read-closure", aCut,
			excluded(id("tx3"))},
		{"a read without a lock promises nothing", "linearizable",
			[]string{"N commit tx1 x=1", "N commit tx2 y=1 reads x optimistic"},
			swapped("N returns committed tx2", func(b sim.Body) sim.Body {
				e := b.(ignite.Ended)
				e.Reads = []ignite.Entry{{Key: "x"}}
				return e
			})},
		{"who asks nobody to wait may be answered early", "synchrony",
			[]string{"N commit tx1 x=1 y=1", "N commit tx2 x=1 y=1 full-async"},
			takenOut("Q writes data tx2 x")},
		{"a transaction that is open may stay so", "completion", []string{"N begin tx1", "N write tx1 x"},
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := staged(t, "fixed", c.requests...)
			if c.change != nil {
				c.change(t, run)
			}
			v := checker.Judge(run, slices.DeleteFunc(slices.Clone(ignite.Protocol.Properties), func(p sim.Property) bool {
				return p.Name != c.property
			}))
			if v.Outcome != checker.Holds {
				t.Fatalf("got %v of %s, want holds: %+v", v.Outcome, c.property, v.Findings[0].Violation)
			}
		})
	}
}

// Where the order of the update counters explains all uses of a key, a search must find an order too.
// The uses are drawn: of one key, some at once, some with a read that does not fit.
func TestTheOrderOfCountersIsOneThatASearchFinds(t *testing.T) {
	run := staged(t, "fixed", "N commit tx1 x=1")

	obvious, broken := 0, 0
	for seed := range uint64(3000) {
		d := &sim.Draws{Seed: seed}
		list := drawnUses(d)
		explained, v, err := ignite.Explained(run, list)
		if err != nil {
			t.Fatal(err)
		}
		if v != nil {
			broken++
		}
		if !explained {
			continue
		}
		obvious++
		if v != nil {
			t.Fatalf("seed %d: counters explain %v, but a search says: %s", seed, list, v.Reason)
		}
	}
	if obvious < 300 || broken < 300 {
		t.Errorf("%d obvious and %d broken histories, want at least 300 of each", obvious, broken)
	}
}

// drawnUses are up to five uses of x. The n-th by counter is called about when the n-th may be.
func drawnUses(d *sim.Draws) []ignite.Use {
	var list []ignite.Use
	value := ""
	for i := range 2 + d.Int(4, "uses") {
		u := ignite.Use{Tx: "tx" + string(rune('1'+i)), Key: "x", Counter: i + 1}
		u.Call = int32(10*i + d.Int(25, "call", i))
		u.End = u.Call + 1 + int32(d.Int(20, "length", i))
		if d.Int(6, "open", i) == 0 {
			u.End = -1
		}
		if d.Int(2, "reads", i) == 0 {
			u.Saw = []string{value}
		}
		if d.Int(20, "wrong", i) == 0 {
			u.Saw = []string{"none"}
		}
		if d.Int(3, "writes", i) > 0 {
			w := ignite.Write{Key: "x", Value: u.Tx, Add: 1, Adds: d.Int(2, "adds", i) == 0}
			u.Writes, value = []ignite.Write{w}, w.Onto(value)
		} else if len(u.Saw) == 0 {
			u.Saw = []string{value}
		}
		list = append(list, u)
	}
	for i := range list { // each place of a trace has one entry
		list[i].Call, list[i].End = list[i].Call*16+int32(i), placed(list[i].End, i)
	}
	return list
}

func placed(end int32, i int) int32 {
	if end < 0 {
		return -1
	}
	return end*16 + 8 + int32(i)
}
