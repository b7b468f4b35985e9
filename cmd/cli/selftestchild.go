package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/downset/downset/cmd/cli/plants"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

const (
	againFlag = "again"
	// childMark keeps a process that was started for comparison from starting another.
	childMark = "DOWNSET_SELFTEST"
)

// elsewhere is the fingerprints of what was planted, by name, in another process: one with a
// busier collector and a single processor, which must not matter.
func (t *selftest) elsewhere() (map[string]string, error) {
	if os.Getenv(childMark) != "" {
		return nil, errors.New("this is one")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(t.stop, self, "selftest", "--"+againFlag)
	child.Env = append(os.Environ(), childMark+"=child", "GOMAXPROCS=1", "GOGC=5")
	text, err := child.Output()
	if err != nil {
		return nil, err
	}
	prints := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if print, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			prints[name] = print
		}
	}
	return prints, nil
}

// fingerprints prints the run of each plant, a line each: what the other process does.
func (a *app) fingerprints() error {
	for _, p := range append(plants.All(), plants.Steady()) {
		fmt.Fprintln(a.out, fingerprintOf(p), p.Name)
	}
	return nil
}

func fingerprintOf(p plants.Plant) string {
	run, err := new(sim.World).Execute(p.Plan(), sim.Options{Digest: true})
	if err != nil {
		return err.Error()
	}
	return scenarios.Fingerprint(run)
}

// goldenHashes plays the golden story of each model and compares with the hashes beside it.
func (t *selftest) goldenHashes() error {
	if _, err := os.Stat(t.golden); err != nil {
		t.noted("none", "no folder "+t.golden+": in a clone of the source there is one")
		return nil
	}
	for _, p := range t.protocols {
		file := path.Join(t.golden, p.Name+".txt")
		if _, err := os.Stat(file); err != nil {
			continue // a model of someone's own
		}
		got, err := goldenLines(p, file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(strings.TrimSuffix(file, ".txt") + ".hashes")
		if err != nil {
			return usage("%s: %v", file, plain(err))
		}
		t.compare(p.Name, got, strings.Split(strings.TrimSpace(string(text)), "\n"))
	}
	return nil
}

func (t *selftest) compare(name string, got, want []string) {
	if len(got) != len(want) {
		t.missed(exitUnsteady, name, fmt.Sprintf("%d runs, want %d", len(got), len(want)))
		return
	}
	different, first := 0, ""
	for i := range want {
		if got[i] == want[i] {
			continue
		}
		if different++; different == 1 {
			first = fmt.Sprintf("%s, want %s", got[i], want[i])
		}
	}
	if different > 0 {
		how := fmt.Sprintf("%d of %d runs are others: %s", different, len(want), first)
		t.missed(exitUnsteady, name, how)
		return
	}
	t.found(name, fmt.Sprintf("%d runs, as recorded", len(want)))
}

// goldenLines are the hashes of a golden story's runs: its variants under its seeds, in a fixed
// order.
func goldenLines(p *sim.Protocol, file string) ([]string, error) {
	s, err := read(file)
	if err != nil {
		return nil, err
	}
	names, err := s.Variants(p)
	if err != nil {
		return nil, usage("%w", err)
	}
	var all []string
	world := new(sim.World)
	for _, variant := range names {
		for seed := s.Seeds.From; seed <= s.Seeds.To; seed++ {
			plan, err := s.Plan(p, variant, seed)
			if err != nil {
				return nil, usage("%w", err)
			}
			run, err := world.Execute(plan, sim.Options{Digest: true})
			if err != nil {
				return nil, usage("%s: %w", file, err)
			}
			all = append(all, fmt.Sprintf("%s %03d %s %d", variant, seed, scenarios.Fingerprint(run),
				run.Entries))
		}
	}
	slices.Sort(all)
	return all, nil
}
