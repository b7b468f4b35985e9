package ignite_test

import (
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// The logs of random runs, with crashes: whichever way a cut is restored, the outcome is the same.
// That it is the right one is what the property restored says.
func TestLogsOfRandomRunsRestoreTheSameInEveryWay(t *testing.T) {
	restored, compacted := 0, 0
	for _, variant := range []string{"draft", "merged", "fixed"} {
		c, err := scenarios.NewCampaign(ignite.Protocol, variant, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := new(sim.World)
		for seed := uint64(1); seed <= 150; seed++ {
			plan, err := c.Plan(seed)
			if err != nil {
				t.Fatal(err)
			}
			run, err := w.Execute(plan, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range run.Disks {
				r, s := restoreInEveryWay(t, ignite.ReadLog(d), ignite.First(run, d.Node()))
				restored, compacted = restored+r, compacted+s
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d", variant, seed)
			}
		}
	}
	if restored < 500 || compacted < 1000 {
		t.Errorf("%d restores, %d records compacted away, want more", restored, compacted)
	}
}

// restoreInEveryWay counts restores, and records that the compacted log does without.
func restoreInEveryWay(t *testing.T, l ignite.Log, first []ignite.Partition) (restored, saved int) {
	t.Helper()
	short := l.Compact()
	index, brief := l.Index(), short.Index()
	for _, name := range l.Restorable() {
		want, refusal := l.RestoreOn(first, name)
		if refusal == nil {
			restored++
		}
		for i, restore := range []func() (ignite.Restored, error){
			func() (ignite.Restored, error) {
				return l.RestoreFast(name, ignite.Fast{Workers: 4, First: first})
			},
			func() (ignite.Restored, error) {
				return l.RestoreFast(name, ignite.Fast{Index: index, First: first})
			},
			func() (ignite.Restored, error) { return short.RestoreOn(first, name) },
			func() (ignite.Restored, error) {
				return short.RestoreFast(name, ignite.Fast{Index: brief, Workers: 2, First: first})
			},
		} {
			got, err := restore()
			if (err == nil) != (refusal == nil) || !same(got, want) {
				t.Errorf("restore %s, way %d, of\n%sgot  %v, %v\nwant %v, %v", name, i, l, got, err, want, refusal)
			}
		}
	}
	back, err := ignite.Decode(l.Encode())
	if err != nil || normal(back) != normal(l) {
		t.Errorf("decoded: got\n%s%v, want\n%s", back, err, l)
	}
	return restored, len(l) - len(short)
}
