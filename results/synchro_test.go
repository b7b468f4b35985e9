package results_test

import (
	"os"
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// TestTheOriginalBugIsReportedWithItsRollback plays 3.1 in the draft's form: what breaks says which
// ROLLBACK a node had stored before the row that it undoes, and where it stored the two.
func TestTheOriginalBugIsReportedWithItsRollback(t *testing.T) {
	const file = "../scenarios/synchro/rollback-overtakes.txt"
	const want = ": B has stored 2.2 ROLLBACK(1, 2), and behind it 1.3 SYNC k"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	o := scenarios.PlayOptions{Variants: []string{"P0/resolve-empty=write"}, NoOrders: true}
	r, err := scenarios.Play(s, synchro.Protocol, o)
	if err != nil {
		t.Fatal(err)
	}
	run, named := r.Played[0].Run, 0
	for _, f := range r.Played[0].Verdict.Findings {
		if f.Violation == nil || f.Property.Name != "C1" && f.Property.Name != "R1" {
			continue
		}
		named++
		if !strings.HasSuffix(f.Violation.Reason, want) {
			t.Errorf("%s says %q, want it to end with %q", f.Property.Name, f.Violation.Reason, want)
		}
		var stored []string
		for _, at := range f.Violation.Witness {
			if e := run.Trace[at]; e.Body != nil && e.Body.Kind() == "stored" {
				stored = append(stored, run.Name(e.Node)+" "+strings.Join(sim.KeysOf(e.Body), " "))
			}
		}
		if got := strings.Join(stored, ", "); got != "B ROLLBACK, B k" {
			t.Errorf("%s points at what is stored by %q, want B ROLLBACK, B k", f.Property.Name, got)
		}
	}
	if named != 2 {
		t.Errorf("%d of C1 and R1 are broken, want both", named)
	}
}
