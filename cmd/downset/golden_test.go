package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// TestGoldenHashes compares runs of every model with those of the day on which testdata/golden was
// written: what happened, and the contents of all bodies, machines and disks. They must be the same
// on every machine and with every build, and in whatever order the runs are played.
func TestGoldenHashes(t *testing.T) {
	for _, p := range model.All {
		t.Run(p.Name, func(t *testing.T) {
			plans := goldenPlans(t, p)
			got := hashes(t, plans)
			slices.Reverse(plans)
			compareHashes(t, "backwards", got, hashes(t, plans))
			compareHashes(t, "shuffled", got, hashes(t, shuffled(plans)))

			file := filepath.Join("testdata", "golden", p.Name+".hashes")
			if *update {
				writeHashes(t, file, got)
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareHashes(t, "as recorded", strings.Split(strings.TrimSpace(string(want)), "\n"), got)
		})
	}
}

// goldenPlans are the plans of a model's golden story: its variants under its seeds.
func goldenPlans(t *testing.T, p *sim.Protocol) []*sim.Plan {
	t.Helper()
	file := filepath.Join("testdata", "golden", p.Name+".txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("want a story of %s with fifty seeds: %v", p.Name, err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Seeds.To - s.Seeds.From + 1; n < 50 {
		t.Fatalf("%s plays %d seeds, want at least 50", file, n)
	}
	var plans []*sim.Plan
	for _, variant := range s.Played {
		for seed := s.Seeds.From; seed <= s.Seeds.To; seed++ {
			plan, err := s.Plan(p, variant, seed)
			if err != nil {
				t.Fatal(err)
			}
			plans = append(plans, plan)
		}
	}
	return plans
}

// hashes plays plans one after another in one world, and gives their hashes in a fixed order.
func hashes(t *testing.T, plans []*sim.Plan) []string {
	t.Helper()
	var all []string
	world := new(sim.World)
	for _, plan := range plans {
		run, err := world.Execute(plan, sim.Options{Digest: true})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %03d %016x%016x %d", plan.Variant.Name, plan.Seed, run.Hash, run.Digest, run.Entries))
	}
	slices.Sort(all)
	return all
}

// shuffled is plans in another order, the same each time: every eleventh, and so around.
func shuffled(plans []*sim.Plan) []*sim.Plan {
	var all []*sim.Plan
	for i := range plans {
		all = append(all, plans[(7+i*11)%len(plans)])
	}
	return all
}

func compareHashes(t *testing.T, how string, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d runs, want %d", how, len(got), len(want))
		return
	}
	different := 0
	for i := range want {
		if got[i] != want[i] {
			different++
			if different == 1 {
				t.Errorf("%s: %s, want %s", how, got[i], want[i])
			}
		}
	}
	if different > 1 {
		t.Errorf("%s: %d of %d runs differ", how, different, len(want))
	}
}

func writeHashes(t *testing.T, file string, lines []string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}
