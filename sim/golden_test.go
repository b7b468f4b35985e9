package sim_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

var update = flag.Bool("update", false, "rewrite testdata/hashes.txt")

// TestGoldenHashes compares runs of 50 random plans and 50 random stories with what they were:
// on other machines, other versions of Go, other settings.
func TestGoldenHashes(t *testing.T) {
	var b strings.Builder
	b.WriteString("# seed, then hash, digest and entries of a timed plan, and of a still one; go test ./sim -run GoldenHashes -update\n")
	w := new(sim.World)
	for seed := uint64(1); seed <= 50; seed++ {
		fmt.Fprintf(&b, "%2d", seed)
		for _, p := range []*sim.Plan{rich(seed), richStill(seed)} {
			run, err := w.Execute(p, sim.Options{Digest: true})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "  %016x %016x %4d", run.Hash, run.Digest, run.Entries)
		}
		b.WriteString("\n")
	}
	const file = "testdata/hashes.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(b.String(), "\n")
	for i, l := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != l {
			t.Fatalf("line %d is\n%s\nwant\n%s", i+1, got[min(i, len(got)-1)], l)
		}
	}
}
