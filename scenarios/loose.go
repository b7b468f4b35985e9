package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// orders is under how many other orders a still story is played.
const orders = 8

// Race is why a still story is loose: it leaves something open that matters, since under another
// order of its deliveries it comes to something else.
type Race struct {
	Seed   uint64          // of the order that showed it
	Base   string          // what comes of the story as it is written: verdict, then failing claims
	Other  string          // what comes of it in the other order
	Delays []sim.Exception // the least that makes the other order, as -- chance -- would say it
	Pairs  []Pair          // the deliveries that these delays turn around
	Run    *sim.Run        // under these delays, which nothing will change
}

// Pair is two deliveries that come in the order First, Then as the story is written, and the other
// way round where it comes to something else. Then is "" if the delay turns no two of them around.
type Pair struct{ First, Then string }

func (p Pair) String() string {
	if p.Then == "" {
		return p.First
	}
	return fmt.Sprintf("%s before or after %s", p.First, p.Then)
}

// String says which deliveries matter and for what.
func (l *Race) String() string {
	pairs := make([]string, len(l.Pairs))
	for i, p := range l.Pairs {
		pairs[i] = p.String()
	}
	return fmt.Sprintf("%s: %s, else %s", strings.Join(pairs, " and "),
		oneLine(l.Base), oneLine(l.Other))
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", ", ") }

// order plays a still story under other orders of its deliveries, and notes what that shows.
func (pl *player) order(p *Played, t *trial) error {
	asked := !pl.story.Timed && !pl.story.Fixed && !pl.options.NoOrders
	drifted := len(p.Of(StaleLine)) > 0 || len(p.Of(Astray)) > 0 || len(p.Of(Nondeterminism)) > 0 ||
		p.Run.End == sim.Unsettled
	if asked && !drifted && t.seed == 0 {
		l, err := pl.loosen(t)
		if err != nil {
			return err
		}
		p.Loose = l
	}
	switch {
	case p.Loose != nil && pl.wants(Loose):
		p.Got = "loose"
	case p.Loose != nil:
		p.Got = "loose"
		p.Problems = append(p.Problems, problem(OtherOrder, pl.line(), "loose: %v", p.Loose))
	case pl.wants(Loose):
		p.Problems = append(p.Problems, problem(WrongVerdict, pl.line(),
			"want loose, got %s in every order tried", p.Got))
	}
	return nil
}

// line is where the story says what it expects, 0 if it does not.
func (pl *player) line() int {
	if pl.want == nil {
		return 0
	}
	return pl.want.Line
}

// loosen looks for an order of deliveries with another outcome than t has.
func (pl *player) loosen(t *trial) (*Race, error) {
	plan, err := pl.plan(0)
	if err != nil {
		return nil, err
	}
	for seed := uint64(1); seed <= orders; seed++ {
		delays, err := pl.shuffle(plan, seed)
		if err != nil {
			return nil, err
		}
		if len(delays) == 0 {
			continue
		}
		other, err := pl.under(plan, delays)
		if err != nil {
			return nil, err
		}
		if other != t.outcome {
			l := &Race{Seed: seed, Base: t.outcome, Other: other}
			return l, pl.explain(l, plan, delays)
		}
	}
	return nil, nil
}

// shuffle is the delays of one seeded order: every delivery that is not held takes a time of its
// own. Only the delays are kept of what the seed decides. Those of held deliveries are not: what is
// held is released in the order in which it was sent.
func (pl *player) shuffle(plan *sim.Plan, seed uint64) ([]sim.Exception, error) {
	run, err := pl.world.Execute(shuffled(plan, seed), sim.Options{Record: true})
	if err != nil {
		return nil, pl.story.wrap(err)
	}
	came := arrivals(run)
	var delays []sim.Exception
	for _, e := range run.Chosen {
		if e.Name.What == sim.Delay && !told(plan.Chance, e.Name) && flows(e.Name, came) {
			delays = append(delays, e)
		}
	}
	return delays, nil
}

// between is the time from one line of a shuffled script to the next. What takes as long as that
// has been held, since nothing else takes more than a few microseconds.
const between = time.Millisecond

// shuffled is a plan in which everything takes a short time of its own, and lines of the script are
// apart.
func shuffled(plan *sim.Plan, seed uint64) *sim.Plan {
	apart := sim.Dist{Shape: sim.Uniform, High: time.Microsecond}
	p := *plan
	p.Seed = seed
	links := append(slices.Clone(plan.Network.Links),
		sim.Link{From: "*", To: "*", Delay: apart},
		sim.Link{From: "*", To: "log", Delay: apart},
		sim.Link{From: "log", To: "*", Delay: apart})
	for _, n := range slices.Concat(plan.Nodes, plan.Later) {
		links = append(links, sim.Link{From: n, To: n, Delay: apart})
	}
	p.Network.Links = links
	if plan.Network.DiskSlow {
		p.Network.SyncTime, p.Network.Told = apart, apart
	}
	p.Script = slices.Clone(plan.Script)
	for i := range p.Script {
		if a := &p.Script[i]; a.When == nil {
			a.Place, a.Offset = sim.After, between
		}
	}
	return &p
}

// flows says that what a delay is about was not held: it came soon, or is on its way to or from a
// disk.
func flows(name sim.Name, came []arrival) bool {
	if name.At == "disk" || name.To == "disk" {
		return true
	}
	i := position(came, name)
	return i >= 0 && came[i].took < between
}

// told says that the plan decides already.
func told(chance []sim.Exception, name sim.Name) bool {
	return slices.ContainsFunc(chance, func(e sim.Exception) bool { return e.Name == name })
}

// delayed is the plan with delays added.
func delayed(plan *sim.Plan, delays []sim.Exception) *sim.Plan {
	p := *plan
	p.Chance = slices.Concat(plan.Chance, delays)
	return &p
}

// under is the outcome of the plan with delays added.
func (pl *player) under(plan *sim.Plan, delays []sim.Exception) (string, error) {
	run, err := pl.world.Execute(delayed(plan, delays), sim.Options{})
	if err != nil {
		return "", pl.story.wrap(err)
	}
	v := checker.Judge(run, pl.protocol.Properties)
	return outcomeText(v, pl.claims(run), run.Checks), nil
}

// explain reduces the delays to the least that still has the other outcome, and names the
// deliveries that they turn around.
func (pl *player) explain(l *Race, plan *sim.Plan, delays []sim.Exception) error {
	var failed error
	same := func(some []sim.Exception) bool {
		got, err := pl.under(plan, some)
		if err != nil {
			failed = err
		}
		return failed == nil && got == l.Other
	}
	l.Delays = shorten(reduce(delays, same), same)
	if failed != nil {
		return failed
	}
	first, err := sim.Execute(plan)
	if err != nil {
		return pl.story.wrap(err)
	}
	if l.Run, err = sim.Execute(delayed(plan, l.Delays)); err != nil {
		return pl.story.wrap(err)
	}
	t := turn{arrivals(first), arrivals(l.Run), l.Delays, same}
	for i := range l.Delays {
		l.Pairs = append(l.Pairs, t.pair(i))
	}
	return failed
}

// reduce takes away what keep does not need, in ever smaller pieces, until nothing can go alone.
func reduce(all []sim.Exception, keep func([]sim.Exception) bool) []sim.Exception {
	for size := (len(all) + 1) / 2; size > 0; {
		smaller := false
		for from := 0; from < len(all); {
			to := min(from+size, len(all))
			rest := slices.Concat(all[:from], all[to:])
			if len(rest) > 0 && keep(rest) {
				all, smaller = rest, true
				continue
			}
			from = to
		}
		switch {
		case size > 1:
			size = (size + 1) / 2
		case !smaller:
			size = 0
		}
	}
	return all
}

// shorten makes each delay a nanosecond, where that is enough.
func shorten(all []sim.Exception, keep func([]sim.Exception) bool) []sim.Exception {
	for i := range all {
		shorter := slices.Clone(all)
		shorter[i].Value = 1
		if keep(shorter) {
			all = shorter
		}
	}
	return all
}
