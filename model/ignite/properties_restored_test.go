package ignite_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// tx1 and tx2 come before a restore, tx3 is undone by it, and the others follow it. What they find is
// what was restored: x = 2 and z = 7, both at counter 4, since tx3 had 3.
var restoredOnce = []string{"N commit tx1 x=1 z=7", "N commit tx2 x=2 reads z", "P cut c1",
	"N commit tx3 x=3 z=9", "P restore c1", "P snapshot F", "N commit tx4 x+4 reads z",
	"N commit tx5 x+5 z=8", "P cut c2", "N commit tx6 x=6"}

// answersWith makes near answer that it has read something else.
func answersWith(tx string, reads ...ignite.Entry) plant {
	return swapped("N returns committed "+tx, func(b sim.Body) sim.Body {
		e := b.(ignite.Ended)
		e.Reads = reads
		return e
	})
}

// mappedReading has a transaction read z at another counter.
func mappedReading(tx string, counter int64) plant {
	return swapped("N notes mapped "+tx, func(b sim.Body) sim.Body {
		return ignite.ReadBy(b, 1, ignite.Sight{Key: "z", Counter: counter})
	})
}

func counterOf(n int64) func(*ignite.Update) { return func(u *ignite.Update) { u.Counter = n } }

func valueOf(v string) func(*ignite.Update) { return func(u *ignite.Update) { u.Value = v } }

// What came before a restore is judged as if there had been none, and what comes after it as going
// on from what was restored.
func TestPropertiesJudgeBothSidesOfARestore(t *testing.T) {
	for _, c := range []struct {
		property, name string
		fault          plant
	}{
		{"versions", "before it, two owners give one counter to two values",
			datas("Q", "tx2", "x", valueOf("9"))},
		{"versions", "after it, an addition does not add to what was restored",
			datas("*", "tx4", "x", valueOf("7"))},
		{"versions", "after it, a counter comes again that was restored",
			datas("*", "tx4", "x", counterOf(4))},
		{"versions", "after it, another wrote between lock and write",
			swapped("P notes locked tx5 x", func(b sim.Body) sim.Body { return ignite.LockedAt(b, 4) })},
		{"serializable", "before it, what is read was overwritten before its reader began",
			mappedReading("tx2", 0)},
		{"serializable", "after it, what is read is written after its reader was answered",
			mappedReading("tx4", 5)},
		{"linearizable", "before it, a client reads what was not there any more",
			answersWith("tx2", ignite.Entry{Key: "z"})},
		{"linearizable", "after it, a client reads what was undone",
			answersWith("tx4", ignite.Entry{Key: "z", Value: "9"})},
		{"key-prefix", "before it, an earlier write is after the cut, a later one before",
			excluded(id("tx1"))},
		{"key-prefix", "after it, an earlier write is after the cut, a later one before",
			excluded(id("tx4"))},
		{"read-closure", "before it, what was read is after the cut, its reader before",
			excluded(id("tx1"))},
		{"read-closure", "after it, a reader is after the cut, who overwrote that is before",
			excluded(id("tx4"))},
	} {
		t.Run(c.property+": "+c.name, func(t *testing.T) {
			property := slices.DeleteFunc(slices.Clone(ignite.Protocol.Properties), func(p sim.Property) bool {
				return p.Name != c.property
			})
			run := staged(t, "fixed", restoredOnce...)
			entryOf(t, run, "N returns committed tx6")
			if v := checker.Judge(run, property); v.Outcome != checker.Holds {
				t.Fatalf("before the fault: got %v of %s, want holds: %+v", v.Outcome, c.property,
					v.Findings[0].Violation)
			}
			c.fault(t, run)
			if v := checker.Judge(run, property); v.Outcome != checker.Broken {
				t.Errorf("after the fault: got %v of %s, want broken", v.Outcome, c.property)
			}
		})
	}
}
