package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

const (
	whyFile = "why.md"
	// whySeeds are how many further failing seeds of each mutant are asked about.
	whySeeds = 3
	// whyNear is how many steps of the causal order count as near.
	whyNear = 2
)

const whyHead = `# Whether why names the event at which a mutant does wrong

Written by ` + "`downset results why`" + `. What is planted in a mutant's run is told by the variant
that it spoils: both play the same plan, and an event is a deviation if the mutant does something
else at it than the other variant does at the event of the same name, or is in another state after
it. Planted are the deviations with no other deviation in their causal past, since later ones may
follow from them. (Fields in which two machines differ as they are made, such as the size of a
quorum, are the sabotage itself and do not count as state.) The event that ` + "`downset why`" + `
calls guilty is found without the other variant. Apart is how many steps of the causal order lie
between the guilty event and the nearest planted one: 0 is the event itself, "-" that they are
concurrent. Ignite is left out: its runs are of many small steps, and of its findings 64.8 %% have
the guilty event within two of a planted one. A step is from an event of a node to its next, or from
a cause to what comes of it.

A mutant may do wrong only after a fault, and then the failure is as good as certain from the
fault on: ` + "`why`" + ` names the fault. Where that is far from the deviation that follows, it
is a miss. In a run as it was found a mutant often does wrong without harm long before; the planted
event is then not what broke the property, and that row says less than the others.

By luck is what naming any event would come to: the share of all events of these runs, up to the end
of script and load, that are a planted one, or within %d of one. Shrunk runs are short.

| asked about | runs | the event itself | by luck | within %d | by luck | longest |
|---|---:|---:|---:|---:|---:|---:|
%s
Times are of a single core, %s.

## The stories of findings, one a mutant

| model | mutant | guilty | fails before, after | anew | planted | apart |
|---|---|---|---:|---|---|---:|
%s`

// asked is one run asked about.
type asked struct {
	*inquiry
	planted []int
	apart   int
	lucky   [2]int64 // shares of all events that are planted, and near, in parts per million
	took    time.Duration
}

// askWhy asks why a plan of a mutant breaks a property, and where it does wrong.
func askWhy(p *sim.Plan, property string) (*asked, error) {
	start := time.Now()
	q, err := inquire(p, property, whyFlags{})
	if err != nil {
		return nil, err
	}
	x := &asked{inquiry: q, took: time.Since(start)}
	mutant, err := perform(q.Plan, q.Steps, q.Run)
	if err != nil {
		return nil, err
	}
	right, err := spared(q.Plan)
	if err != nil {
		return nil, err
	}
	x.planted = planted(mutant, right)
	x.place()
	return x, nil
}

// spared is the run of the variant that a mutant spoils, under the same plan.
func spared(p *sim.Plan) (*performed, error) {
	q := *p
	var err error
	if q.Variant, err = p.Protocol.Variant(p.Variant.Of); err != nil {
		return nil, tool(err)
	}
	run, err := new(sim.World).Execute(&q, sim.Options{Steps: true})
	if err != nil {
		return nil, tool(err)
	}
	return perform(&q, search.Steps(run), run)
}

// place says how far the guilty event is from what is planted, and how far any event is.
func (x *asked) place() {
	g := order(x.Run, x.Steps)
	x.apart = g.apart(x.Guilty, x.planted)
	var exact, near, all int
	for i, s := range x.Steps {
		if s.From >= x.Run.Epilogue {
			break
		}
		apart := g.apart(i, x.planted)
		exact, near, all = exact+one(apart == 0), near+one(isNear(apart)), all+1
	}
	x.lucky = [2]int64{share(exact, all), share(near, all)}
}

// one counts what is so.
func one(so bool) int {
	if so {
		return 1
	}
	return 0
}

func isNear(apart int) bool { return apart >= 0 && apart <= whyNear }

// row is what came of it, without times.
func (x *asked) row() string {
	v := x.Run.Plan.Variant
	var events []string
	for _, i := range x.planted {
		events = append(events, x.short(i))
	}
	return fmt.Sprintf("| %s | %s | %s | %d, %d of %d | %s | %s | %s |\n", x.Run.Plan.Protocol.Name,
		v.Name, x.short(x.Guilty), x.Before, x.After, x.Curve.Futures, anewWord(x.Curve.Fresh),
		strings.Join(events, "; "), x.distance())
}

// distance is how far apart the guilty and the planted event are, "-" if they are concurrent.
func (x *asked) distance() string {
	if x.apart < 0 {
		return "-"
	}
	return fmt.Sprint(x.apart)
}

// short is an event by what a machine takes up in it, else by its first entry.
func (x *asked) short(step int) string {
	at := x.Steps[step].From
	for i := at; i < x.Steps[step].To; i++ {
		if begins(x.Run.Trace[i].Kind) {
			at = i
			break
		}
	}
	return fmt.Sprintf("[%d] %s", at, said(x.Run, x.Run.Trace[at]))
}

func anewWord(f search.Freshness) string {
	return [...]string{"order", "order, faults", "order, no requests", "nothing"}[f]
}

// tallied sums up some runs.
type tallied struct {
	runs, exact, near int
	lucky             [2]int64 // summed up
	longest           time.Duration
}

func (t *tallied) add(x *asked) {
	t.runs++
	t.longest = max(t.longest, x.took)
	t.exact += one(x.apart == 0)
	t.near += one(isNear(x.apart))
	t.lucky[0] += x.lucky[0]
	t.lucky[1] += x.lucky[1]
}

func (t *tallied) row(what string) string {
	of := func(n int) string { return fmt.Sprintf("%d, %s", n, percent(share(n, t.runs))) }
	luck := func(i int) string { return percent(t.lucky[i] / int64(max(t.runs, 1))) }
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s |\n", what, t.runs, of(t.exact), luck(0),
		of(t.near), luck(1), short(t.longest))
}

// writeWhy asks about the stories of findings, and about further seeds as they are shrunk and as
// they were found.
func (a *app) writeWhy(f resultFlags) error {
	rows, stories, err := a.whyStories(f)
	if err != nil {
		return err
	}
	var shrunk, raw tallied
	all, err := a.fewWrong(f.sweepFlags())
	if err != nil {
		return err
	}
	for _, s := range all {
		if !s.Variant.Mutant() {
			continue
		}
		if a.interrupted() {
			return &failure{exitUndecided, errInterrupted}
		}
		if err := s.askSeeds(f, &shrunk, &raw); err != nil {
			return fmt.Errorf("%s: %w", s.name(), err)
		}
	}
	sums := stories.row("the stories of findings") +
		shrunk.row(fmt.Sprintf("the first %d failing seeds of each mutant, shrunk", f.whySeeds())) +
		raw.row("the same seeds as they were found")
	text := fmt.Sprintf(whyHead, whyNear, whyNear, sums, version(), strings.Join(rows, ""))
	return a.writeResult(path.Join(f.dir, whyFile), text+sampled(whySampled, rows))
}

func (f resultFlags) whySeeds() int {
	if f.seeds > 0 {
		return f.seeds
	}
	return whySeeds
}

// askSeeds asks about failing seeds of one mutant.
func (s *sweeping) askSeeds(f resultFlags, shrunk, raw *tallied) error {
	for _, seed := range s.failing(f.whySeeds(), 1) {
		found, err := s.Finding(seed, s.must)
		if err != nil {
			return tool(err)
		}
		x, err := askWhy(found.Shrunk.Plan, found.Property)
		if err != nil {
			return err
		}
		shrunk.add(x)
		plan, err := s.Plan(seed)
		if err != nil {
			return tool(err)
		}
		if x, err = askWhy(plan, found.Property); err != nil {
			return err
		}
		raw.add(x)
	}
	return nil
}

// whyStories asks about the stories of findings.
func (a *app) whyStories(f resultFlags) (rows []string, sum tallied, err error) {
	files, err := filepath.Glob(path.Join(f.dir, findingsFolder, "*.txt"))
	if err != nil {
		return nil, sum, tool(err)
	}
	for _, file := range files {
		s, err := a.open(file)
		if err != nil {
			return nil, sum, err
		}
		plan, _, err := s.Recorded(s.protocol)
		if err != nil {
			return nil, sum, usage("%w", err)
		}
		if !plan.Variant.Mutant() || len(s.protocol.Variants) > manyWrong {
			continue
		}
		x, err := askWhy(plan, plan.Variant.Breaks)
		if err != nil {
			return nil, sum, fmt.Errorf("%s: %w", file, err)
		}
		sum.add(x)
		rows = append(rows, x.row())
	}
	return rows, sum, nil
}

const whySampled = "the rows of the stories"

// checkWhy asks about the stories again.
func (a *app) checkWhy(f resultFlags) (string, error) {
	rows, _, err := a.whyStories(f)
	if err != nil {
		return "", err
	}
	return f.sampleDiffers(whyFile, whySampled, rows)
}
