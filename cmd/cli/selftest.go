package cli

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/downset/downset/cmd/cli/plants"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// selftest is a test of the tool itself, by what was planted for it to find.
type selftest struct {
	*app
	golden  string // folder of golden hashes
	checks  int
	missing int
}

// goldenFolder is where a clone has its golden hashes.
const goldenFolder = "cmd/downset/testdata/golden"

func (a *app) selftestCommand() *cobra.Command {
	again, t := false, &selftest{app: a}
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Shows that the tool finds what was planted: mutants, nondeterminism",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if again {
				return a.fingerprints()
			}
			return t.run()
		},
	}
	cmd.Flags().StringVar(&t.golden, "golden", goldenFolder, "folder of golden stories and hashes")
	cmd.Flags().BoolVar(&again, againFlag, false, "print the fingerprints of what was planted")
	_ = cmd.Flags().MarkHidden(againFlag)
	return cmd
}

func (t *selftest) run() error {
	t.patience = sweepPatience
	for _, part := range []struct {
		title string
		check func() error
	}{
		{"planted mutants, found by sweep with default settings", t.mutants},
		{"planted nondeterminism", t.nondeterminism},
		{"golden hashes", t.goldenHashes},
	} {
		fmt.Fprintln(t.out, part.title)
		if err := part.check(); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("%d checks, ", t.checks)
	if t.missing == 0 {
		text += "everything planted was found"
	} else {
		text += fmt.Sprintf("%d FAILED", t.missing)
	}
	fmt.Fprintln(t.out, text)
	return nil
}

// found, missed and noted print a line of the table: what was found, what should have been, and
// what cannot be found here.
func (t *selftest) found(name, how string) {
	t.checks++
	t.line("ok", name, how)
}

func (t *selftest) missed(code int, name, how string) {
	t.checks++
	t.missing++
	t.code = worse(t.code, code)
	t.line("FAILED", name, how)
}

func (t *selftest) noted(name, how string) { t.line("", name, how) }

func (t *selftest) line(verdict, name, how string) {
	fmt.Fprintln(t.out, strings.TrimRight(fmt.Sprintf("  %-6s  %-26s  %s", verdict, name, how), " "))
}

// mutants sweeps each mutant until its property breaks.
func (t *selftest) mutants() error {
	f := defaultSweep()
	f.variants = []string{mutants}
	if err := f.parse(); err != nil {
		return err
	}
	for _, p := range t.protocols {
		if len(namesOf(p, sim.Variant.Mutant)) == 0 {
			continue
		}
		all, err := t.ofModel(p, f)
		if err != nil {
			return err
		}
		for _, s := range all {
			if t.interrupted() {
				return &failure{exitUndecided, errInterrupted}
			}
			if s.Variant.Story != "" {
				continue // which plays with the other stories
			}
			t.mutant(t.sweepOne(s, f, 0))
		}
	}
	return nil
}

func (t *selftest) mutant(r *swept) {
	for _, g := range r.Groups {
		if r.shows(g) {
			t.found(r.name(), fmt.Sprintf("%s%s, seed %d", strings.Join(g.Broken, " "), t.speed(r), g.Seed))
			return
		}
	}
	how := fmt.Sprintf("%d seeds, none breaks %s", r.Seeds, strings.Join(r.must, " or "))
	t.missed(exitViolated, r.name(), how)
}

// tries is how often luck is tried.
const tries = 200

// nondeterminism plays each planted protocol twice here, and what is the same here in another
// process too.
func (t *selftest) nondeterminism() error {
	elsewhere, err := t.elsewhere()
	if err != nil {
		t.noted("another process", "is not to be had: "+err.Error())
	}
	for _, p := range append(plants.All(), plants.Steady()) {
		where, err := parting(p)
		if err != nil {
			return tool(err)
		}
		t.plant(p, elsewhere, where)
	}
	return nil
}

// parting is where two runs of a plant part, "" if they do not. What takes luck is played often.
func parting(p plants.Plant) (where string, err error) {
	limit := 1
	if p.Shows == plants.Luck {
		limit = tries
	}
	for range limit {
		double, err := search.Twice(p.Plan())
		if err != nil {
			return "", err
		}
		part := double.Part
		if part == nil && limit > 1 {
			if part, err = collected(p); err != nil {
				return "", err
			}
		}
		if part != nil {
			return told(double.Run, part), nil
		}
	}
	return "", nil
}

// collected plays a plant twice, and between the two collects what the first has left.
func collected(p plants.Plant) (*search.Parting, error) {
	plan, o := p.Plan(), sim.Options{Digest: true}
	first, err := new(sim.World).Execute(plan, o)
	if err != nil {
		return nil, err
	}
	runtime.GC()
	// GC returns before the finalizers of what it collected have run: they are run by a goroutine of
	// the runtime, which says nothing when it has done so. While this one sleeps, that one has a
	// processor. Where a millisecond is too short for it, another of the many tries sees it.
	time.Sleep(time.Millisecond)
	then, err := new(sim.World).Execute(plan, o)
	if err != nil {
		return nil, err
	}
	return search.First(first, then), nil
}

// told is who did what when two runs parted.
func told(run *sim.Run, part *search.Parting) string {
	e := part.First
	if e == nil {
		return "one of two runs ends where the other goes on"
	}
	return fmt.Sprintf("two runs part where %s %s a %s", run.Name(e.Node), e.Kind, e.Body.Kind())
}

// plant judges what playing a plant showed.
func (t *selftest) plant(p plants.Plant, elsewhere map[string]string, where string) {
	steady := p.Name == plants.Steady().Name
	other, known := elsewhere[p.Name]
	apart := known && other != fingerprintOf(p)
	switch {
	case steady && (where != "" || apart):
		t.missed(exitUnsteady, p.Name, "it is the same each time, but two runs of it differ "+where)
	case steady:
		t.found(p.Name, "not suspected: it is the same each time")
	case where != "":
		t.found(p.Name, where)
	case apart:
		t.found(p.Name, "the same twice here, another run in another process")
	case p.Shows == plants.Rebuilt:
		t.noted(p.Name, "the same wherever this program runs: "+p.Also)
	case p.Shows == plants.Elsewhere && !known:
		t.noted(p.Name, "the same twice here, and no other process to compare with")
	default:
		t.missed(exitViolated, p.Name, "two runs of it are the same")
	}
}
