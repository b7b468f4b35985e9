package cli

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// keeper shrinks failures and keeps them as stories in a folder.
type keeper struct {
	app  *app
	dir  string
	told map[string]string // of stories without their comments: the file that tells it
	used map[string]bool   // names of files
}

// newKeeper keeps in the folder that was asked for, else in that of the results if there is one.
func newKeeper(a *app, dir string) *keeper {
	if dir == "" {
		dir = "findings"
		if info, err := os.Stat("results"); err == nil && info.IsDir() {
			dir = "results/findings"
		}
	}
	return &keeper{app: a, dir: dir, told: map[string]string{}, used: map[string]bool{}}
}

// kept is a failure as it was kept.
type kept struct {
	*scenarios.Finding
	sweep *swept
	group search.Group
	was   size   // before it was shrunk
	file  string // that has the story
	known bool   // another failure had shrunk to the same story before
}

// size is how much happens in a run.
type size struct{ events, faults int }

func sizeOf(run *sim.Run) size {
	s := size{events: run.Events}
	for _, e := range run.Trace[:run.Epilogue] {
		if misfortune(e.Kind) {
			s.faults++
		}
	}
	return s
}

// where is what the list of failures says of a kept one.
func (k *kept) where() string {
	if k.known {
		return "shrinks to " + k.file + " too"
	}
	return k.file
}

// keep shrinks the first of some alike failures and writes its story.
func (k *keeper) keep(r *swept, g search.Group) (*kept, error) {
	x := &kept{sweep: r, group: g}
	s := *r.sweeping
	err := k.app.guard(s.Protocol, func(w *sim.Protocol) error { return x.shrink(w, s.Campaign) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name(), err)
	}
	plain := withoutComments(x.Story)
	if x.file, x.known = k.told[plain]; x.known {
		return x, nil
	}
	x.file = k.name(x)
	k.told[plain] = x.file
	return x, k.app.write(x)
}

// shrink plays the failing seed, and shrinks it, with machines that say they are alive.
func (x *kept) shrink(w *sim.Protocol, c *scenarios.Campaign) error {
	lively := *c
	var err error
	lively.Protocol = w
	if lively.Variant, err = w.Variant(c.Variant.Name); err != nil {
		return err
	}
	plan, err := lively.Plan(x.group.Seed)
	if err != nil {
		return err
	}
	run, err := sim.Execute(plan)
	if err != nil {
		return err
	}
	x.was = sizeOf(run)
	x.Finding, err = lively.Reduce(plan, x.group.Broken)
	return err
}

// withoutComments is a story as far as it plays.
func withoutComments(s *scenarios.Scenario) string {
	t := *s
	t.Doc, t.Tail = nil, nil
	return string(scenarios.Format(&t))
}

// name is the file of a finding: MODEL-VARIANT-PROPERTY.txt, of a story with its name after that of
// the model. A number follows if there are several, or another story has that name already.
func (k *keeper) name(x *kept, more ...string) string {
	words := []string{x.sweep.Protocol.Name}
	if x.sweep.Scenario != nil {
		words = append(words, strings.TrimSuffix(path.Base(x.sweep.source), ".txt"))
	}
	if x.sweep.grid != "" {
		words = append(words, x.sweep.grid)
	}
	words = append(append(words, x.sweep.Variant.Name, x.Property), more...)
	taken := func(file string) bool { return tellsAnother(file, x.Story) }
	return freeName(k.dir, k.used, taken, words)
}

// freeName is a file's name of these words in a folder, with a number if it is used or taken.
func freeName(dir string, used map[string]bool, taken func(string) bool, words []string) string {
	stem := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\=: `, r) {
			return '-'
		}
		return r
	}, strings.Join(words, "-"))
	file := path.Join(dir, stem+".txt")
	for n := 2; used[file] || taken(file); n++ {
		file = path.Join(dir, fmt.Sprintf("%s-%d.txt", stem, n))
	}
	used[file] = true
	return file
}

// tellsAnother says that a file is there and plays another story.
func tellsAnother(file string, s *scenarios.Scenario) bool {
	if _, err := os.Stat(file); err != nil {
		return false
	}
	stands, err := read(file)
	return err != nil || withoutComments(stands) != withoutComments(s)
}

// write writes a finding's story, with the note from which it can be replayed. A file stays as it
// is that says the same but for how it was found: by which seed, in how many runs.
func (a *app) write(x *kept) error {
	text, err := x.Text(x.file)
	if err != nil {
		return tool(err)
	}
	if stands, err := os.ReadFile(x.file); err == nil && sameRun(stands, text) {
		return nil
	}
	if err := os.MkdirAll(path.Dir(x.file), 0o777); err != nil {
		return usage("%s: %v", x.file, plain(err))
	}
	if err := os.WriteFile(x.file, text, 0o666); err != nil {
		return usage("%s: %v", x.file, plain(err))
	}
	return nil
}

// sameRun says that two stored runs are one: the same story, and the same hash in the last line.
func sameRun(a, b []byte) bool {
	s, err := scenarios.Parse("", a)
	if err != nil {
		return false
	}
	t, err := scenarios.Parse("", b)
	return err == nil && withoutComments(s) == withoutComments(t) && lastWord(a) == lastWord(b)
}

func lastWord(text []byte) string {
	words := strings.Fields(string(text))
	return words[len(words)-1]
}

// sample is how many of some seeds failed alike.
type sample struct {
	failing, tried int
	further        bool // seeds that follow the first failing one, else those of the sweep
}

// sampleSize is how many further seeds tell how common a failure is. A sweep that ends with the
// first failure does not: the luckier it is, the more common its failures look.
const sampleSize = 1000

// sample counts failures like those of a group.
func (r *swept) sample(g search.Group) sample {
	if !r.early() {
		return sample{g.Count, r.Seeds, false}
	}
	c := r.Sweep()
	c.From, c.To, c.Jobs = g.Seed+1, g.Seed+sampleSize, r.jobs
	sum := search.Sweep(c)
	s := sample{tried: sum.Seeds, further: true}
	for _, other := range sum.Groups {
		if other.Like(g) {
			s.failing = other.Count
		}
	}
	return s
}

// String is "412 of 1000 further seeds fail so: 41.2 %, between 38.2 % and 44.3 % with 95 %
// confidence".
func (s sample) String() string {
	which := "seeds"
	if s.further {
		which = "further seeds"
	}
	low, high := interval(s.failing, s.tried)
	return fmt.Sprintf("%d of %d %s %s so: %s, between %s and %s with 95 %% confidence", s.failing,
		s.tried, which, verb(s.failing, "fails", "fail"), percent(share(s.failing, s.tried)),
		percent(low), percent(high))
}
