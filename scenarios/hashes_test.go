package scenarios_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// updated plays a test as if with -update.
func updated(t *testing.T, test func()) {
	t.Helper()
	f := flag.Lookup("update")
	was := f.Value.String()
	defer func() { _ = f.Value.Set(was) }()
	if err := f.Value.Set("true"); err != nil {
		t.Fatal(err)
	}
	test()
}

func TestAHashThatIsNotTheStoredOneIsNamedByItsLine(t *testing.T) {
	dir := t.TempDir()
	o := scenarios.HashOptions{Seeds: 5, Dir: dir}
	hashes := func() []string { return taped(func(t *tape) { scenarios.Hashes(t, relaying, o) }).errors }
	if got := hashes(); len(got) != 1 || !strings.HasSuffix(got[0], "go test -update writes it") {
		t.Errorf("without a file: got %q, want that -update writes it", got)
	}
	updated(t, func() {
		if got := hashes(); len(got) > 0 {
			t.Errorf("with -update: got %q, want nothing", got)
		}
	})
	if got := hashes(); len(got) > 0 {
		t.Errorf("compared with itself: got %q, want nothing", got)
	}
	file := filepath.Join(dir, "golden.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	lines[6] = "rows 2 0000000000000000 0000000000000000"
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := hashes(); len(got) != 1 || !strings.Contains(got[0], "golden.txt:7: got \"rows 2 ") {
		t.Errorf("with line 7 changed: got %q, want line 7 named", got)
	}
	o.Seeds = 6
	if got := hashes(); len(got) != 1 || !strings.Contains(got[0], "golden.txt has 10 lines, want 12") {
		t.Errorf("with more seeds: got %q, want the numbers of lines", got)
	}
}

func TestRoughPlansStrikeWithWhatTheProtocolStandsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name   string
		stands sim.Faults
		want   []sim.EntryKind
	}{
		{"nothing", 0, nil},
		{"losses and copies", sim.Losses | sim.Duplicates,
			[]sim.EntryKind{sim.EntryCopied, sim.EntryLost}},
		{"partitions", sim.Partitions, []sim.EntryKind{sim.EntryLost, sim.EntryParted}},
		{"crashes", sim.Crashes, []sim.EntryKind{sim.EntryCrashed, sim.EntryLost}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := *relaying
			p.Stands, p.Draw = c.stands, inOrder
			struck := map[sim.EntryKind]bool{}
			for seed := uint64(1); seed <= 30; seed++ {
				run, err := sim.Execute(scenarios.Rough(&p, p.Variants[0], seed))
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range run.Trace {
					switch e.Kind {
					case sim.EntryLost, sim.EntryCopied, sim.EntryCrashed, sim.EntryParted:
						struck[e.Kind] = true
					}
				}
			}
			for _, k := range []sim.EntryKind{sim.EntryLost, sim.EntryCopied, sim.EntryCrashed,
				sim.EntryParted} {
				if want := slices.Contains(c.want, k); struck[k] != want {
					t.Errorf("%v in 30 runs: got %v, want %v", k, struck[k], want)
				}
			}
		})
	}
}

func TestWhatAProtocolShowsAndDoesNotListIsNamed(t *testing.T) {
	p := *relaying
	p.Shows = []string{"item"}
	o := scenarios.HashOptions{Seeds: 1, Dir: t.TempDir()}
	got := taped(func(t *tape) { scenarios.Hashes(t, &p, o) }).errors
	if want := `plain, seed 1: it shows "items", which Protocol.Shows does not list`; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
