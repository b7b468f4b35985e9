package ignite_test

import (
	"fmt"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// bases are the data of a full snapshot by node: "P x=1, B x=1".
func bases(run *sim.Run, name string) map[string]string {
	data := map[string]string{}
	for _, e := range run.Trace {
		r, ok := e.Body.(ignite.BaseRecord)
		if !ok || e.Kind != sim.EntryAppended || r.Name != name {
			continue
		}
		for _, p := range r.Data {
			for _, x := range p.Entries {
				data[run.Name(e.Node)] += fmt.Sprint(x.Key, "=", x.Value, " ")
			}
		}
	}
	return data
}

// R13: T1 is between primary and backup when the snapshot is asked for.
const straddling = `
hold P->B DFQ T1
N commit T1 x=1 y=1
Q snapshot G
N commit T2 x=2
release P->B DFQ T1
`

func TestAFullSnapshotIsAtOnePointOnAllOwners(t *testing.T) {
	run := played(t, "merged", twins, straddling)
	got := bases(run, "G")
	want := map[string]string{"P": "x=1 ", "B": "x=1 ", "Q": "y=1 "}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("snapshot %v, want %v: with T1, which was under way, and without T2", got, want)
	}
	if at, done := place(run, "Q", "ok"), place(run, "Q", "base", "G"); at < done || done < 0 {
		t.Errorf("answered at %d, made at %d, want the answer after", at, done)
	}
}

func TestAnUnalignedSnapshotTakesATransactionOnItsPrimaryOnly(t *testing.T) {
	run := changed(t, "unaligned", twins, straddling)
	got := bases(run, "G")
	want := map[string]string{"P": "x=1 ", "Q": "y=1 "}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("snapshot %v, want %v", got, want)
	}
}

func TestIncrementsAreNumberedAnewAfterAFullSnapshot(t *testing.T) {
	run := played(t, "merged", twins, `
N cut c1
N cut c2
N snapshot G
N cut c3
`)
	want := map[string]string{"c1": "base 1", "c2": "base 2", "c3": "G 1"}
	for _, e := range run.Trace {
		r, ok := e.Body.(ignite.IncrementRecord)
		if !ok || e.Kind != sim.EntryAppended {
			continue
		}
		if got := fmt.Sprint(r.Base, " ", r.Index); got != want[r.Cut.Name] {
			t.Errorf("%s: %s is increment %s, want %s", run.Name(e.Node), r.Cut.Name, got, want[r.Cut.Name])
		}
	}
}

func TestNoFullSnapshotIsMadeWhileSomebodyLacksData(t *testing.T) {
	run := played(t, "merged", twins, `
crash P
N commit T1 x=1
hold B->P supply x
restart P
Q snapshot G
release B->P supply x
Q snapshot H
`)
	if got := bases(run, "G"); len(got) > 0 {
		t.Errorf("snapshot G is %v, want none: P lacks T1", got)
	}
	if got := bases(run, "H"); got["P"] != "x=1 " || got["B"] != "x=1 " {
		t.Errorf("snapshot H is %v, want T1 on P and B", got)
	}
}

// N hears sooner than B that the exchange is done: T2 comes to B before B has made its snapshot.
func TestARequestFromTheNextTopologyWaitsUntilTheSnapshotIsMade(t *testing.T) {
	const script = `
N commit T1 x=1
hold log->B exchanged
Q snapshot G
N commit T2 x=2
release log->B exchanged
`
	run := played(t, "merged", twins, script)
	if got := bases(run, "G"); got["P"] != "x=1 " || got["B"] != "x=1 " {
		t.Errorf("snapshot %v, want T1 and not T2 on P and B", got)
	}
	if got, want := ends(run), "T1 committed, T2 committed"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	run = changed(t, "takes-ahead", twins, script)
	if got := bases(run, "G"); got["P"] == got["B"] {
		t.Errorf("takes-ahead: snapshot %v, want T2 on B and not on P", got)
	}
}
