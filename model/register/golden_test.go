package register_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden has the trace hash of 50 random plans for each right variant, the digest of bodies and
// states beside it: "VARIANT SEED HASH DIGEST".
const golden = "testdata/golden.txt"

func TestHashesOfRandomPlansAreTheStoredOnes(t *testing.T) {
	var b strings.Builder
	for _, name := range right {
		w, plan := new(sim.World), plans(t, name)
		for seed := uint64(1); seed <= 50; seed++ {
			p, err := plan(seed)
			if err != nil {
				t.Fatal(err)
			}
			run, err := w.Execute(p, sim.Options{Digest: true})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %d %016x %016x\n", name, seed, run.Hash, run.Digest)
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(string(stored), "\n")
	if len(got) != len(want) {
		t.Fatalf("%s has %d lines, want %d; go test -update rewrites it", golden, len(want), len(got))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s:%d: got %q, want %q; go test -update rewrites it", golden, i+1, got[i], want[i])
		}
	}
}
