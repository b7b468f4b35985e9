package search

import (
	"errors"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// Why asks on which event of a run that fails its failure hangs. At each of its moments many
// futures are played: the run up to there, then fresh chance. At the guilty event the share of them
// that still fails jumps most. If all fail after it the run was doomed there, else at a later
// event, that after which all of them fail, if there is one.
//
// What chance decides is of two kinds, and so is the question. First the faults stay as they were
// and only the order of things is drawn anew, for a protocol must stand the faults. If no event
// matters then, faults are drawn anew as well: it may be a fault that the failure hangs on. If
// still none does, it fails whatever chance does, and the question is after which request: then
// script and load end where the future begins. And if it fails whatever is asked, as far as a
// property can see that of a run that is cut short, it is the event that completes the failure.
type Why struct {
	Plan  *sim.Plan             // its run fails
	Fails func(*sim.Run) bool   // that a run fails as this one did
	Says  func(*sim.Run) string // what breaks in a run, "" if nothing does
	Seed  uint64                // of the futures
	// Futures are how many to play at each moment; 0 is 64, and fewer for long runs.
	Futures int

	world   *sim.World
	changed *sim.World
	run     *sim.Run
	plan    *sim.Plan
	steps   []Step
	nets    []sim.Network
	runs    int
}

// Step is one event of a run: its entries, from From up to and without To.
type Step struct{ From, To int }

// Freshness is what a future draws anew.
type Freshness uint8

// What is fresh.
const (
	Order   Freshness = iota // delays; faults stay as they were
	Chance                   // delays and faults
	Request                  // delays, and nothing more is asked
	Nothing                  // there is no future: the run ends
)

// Moment is how many of the futures fail that begin before a step of the run; At is the step, or
// the number of steps for the end.
type Moment struct{ At, Failing int }

// Curve is how the share of failing futures grows along a run.
type Curve struct {
	Fresh   Freshness
	Futures int      // at each moment
	Moments []Moment // in order of time, those that were asked for; the last is the end
}

// Answer is what Why found.
type Answer struct {
	Plan   *sim.Plan // the plan without its seed
	Run    *sim.Run  // of it
	Steps  []Step    // of the run, in order
	Curve  Curve     // the one that decided
	Guilty int       // the step with the greatest jump; of equal ones the first
	Before int       // failing futures that begin before it
	After  int       // failing futures that begin after it
	Doomed int       // the step after which all futures fail; -1 if they do only at the end
	Near   *Change   // the passing run that parts last from this one; nil if no change makes it pass
	Needs  []Change  // what the plan says beyond requests, each taken away
	Slice  []int     // entries, in order: what led to the violation and is not so in Near
	Runs   int       // played for it
}

// ErrHolds says that there is nothing to ask: the run does not fail.
var ErrHolds = errors.New("nothing broke")

// Ask plays the futures. Witness are the entries of the run that show the failure.
func (y *Why) Ask(witness func(*sim.Run) []int) (*Answer, error) {
	y.world, y.changed = new(sim.World), new(sim.World)
	if err := y.pin(); err != nil {
		return nil, err
	}
	if y.Futures == 0 {
		y.Futures = min(64, max(16, 10_000/(len(y.run.Trace)+1)))
	}
	a := &Answer{Plan: y.plan, Run: y.run, Steps: y.steps}
	for _, fresh := range []Freshness{Order, Chance, Request, Nothing} {
		c, err := y.curve(fresh)
		if err != nil {
			return nil, err
		}
		if err := y.fix(a, c); err != nil {
			return nil, err
		}
		if (a.After-a.Before)*leastJump >= c.Futures {
			break
		}
	}
	y.changes(a)
	a.Slice = y.slice(a, witness(y.run))
	a.Runs = y.runs
	return a, nil
}

// fix makes the answer that a curve gives.
func (y *Why) fix(a *Answer, c *Curve) error {
	doomed, err := y.doomed(c)
	if err != nil {
		return err
	}
	jump := c.steepest()
	a.Curve, a.Guilty, a.Doomed = *c, c.Moments[jump].At, doomed
	a.Before, a.After = c.Moments[jump].Failing, c.Moments[jump+1].Failing
	return nil
}

// doomed is the step after which all futures fail, and go on to at all later moments of the curve;
// -1 if only those fail that have no chance left.
func (y *Why) doomed(c *Curve) (int, error) {
	for {
		i := len(c.Moments) - 1
		for i > 0 && c.Moments[i-1].Failing == c.Futures {
			i--
		}
		if i == 0 || i == len(c.Moments)-1 && c.Fresh != Nothing {
			return -1, nil
		}
		from, to := c.Moments[i-1].At, c.Moments[i].At
		if to-from == 1 {
			return from, nil
		}
		if err := y.ask(c, from+(to-from)/2); err != nil {
			return 0, err
		}
	}
}

// Clear says that the guilty event stands out: the jump at it is more than two standard deviations
// of the difference between two shares that are counted by as many futures.
func (a *Answer) Clear() bool {
	n, jump := a.Curve.Futures, a.After-a.Before
	return jump*jump*n > 4*(a.Before*(n-a.Before)+a.After*(n-a.After))
}

// leastJump is which part of the futures must hang on one event, for it to be guilty.
const leastJump = 8

// pin plays the plan and keeps its run, without its seed.
func (y *Why) pin() error {
	y.plan = y.Plan
	if y.plan.Seed != 0 {
		run, err := y.play(y.world, y.plan, sim.Options{Record: true})
		if err != nil {
			return err
		}
		y.plan = Pin(y.plan, run)
	}
	run, err := y.play(new(sim.World), y.plan, sim.Options{Steps: true})
	if err != nil {
		return err
	}
	if !y.Fails(run) {
		return ErrHolds
	}
	y.run, y.steps = run, Steps(run)
	return nil
}

// Steps are the events of a run that was played with sim.Options.Steps, in order: each entry is in
// one of them.
func Steps(run *sim.Run) []Step {
	var all []Step
	from := 0
	for _, to := range append(slices.Clone(run.Steps), len(run.Trace)) {
		if to > from {
			all = append(all, Step{from, to})
			from = to
		}
	}
	return all
}

func (y *Why) play(w *sim.World, p *sim.Plan, o sim.Options) (*sim.Run, error) {
	y.runs++
	return w.Execute(p, o)
}

// last is the moment at which no chance is left: the epilogue, or the end.
func (y *Why) last() int {
	for i, s := range y.steps {
		if s.From >= y.run.Epilogue {
			return i
		}
	}
	return len(y.steps)
}

// sections is into how many parts the run is cut, and then the part with the greatest jump.
const sections = 32

// curve looks at moments all along the run, then closer and closer where the jump is greatest.
func (y *Why) curve(fresh Freshness) (*Curve, error) {
	c := &Curve{Fresh: fresh, Futures: y.Futures}
	y.temper(fresh)
	end := y.last()
	if fresh == Nothing {
		end = len(y.steps)
	}
	c.Moments = []Moment{{end, y.Futures}} // no chance is left: it fails
	part := sections
	for from, to := 0, end; ; part = 8 {
		for k := range part {
			if err := y.ask(c, from+k*(to-from)/part); err != nil {
				return nil, err
			}
		}
		i := c.steepest()
		if from, to = c.Moments[i].At, c.Moments[i+1].At; to-from == 1 {
			return c, nil
		}
	}
}

// steepest is the moment before the greatest jump, of equal ones the first.
func (c *Curve) steepest() int {
	best := 0
	for i := range len(c.Moments) - 1 {
		if c.jump(i) > c.jump(best) {
			best = i
		}
	}
	return best
}

func (c *Curve) jump(i int) int { return c.Moments[i+1].Failing - c.Moments[i].Failing }

// ask plays the futures of one moment, if that has not been done.
func (y *Why) ask(c *Curve, at int) error {
	place, known := slices.BinarySearchFunc(c.Moments, at, func(m Moment, at int) int {
		return m.At - at
	})
	if known {
		return nil
	}
	failing := 0
	for i := range y.Futures {
		if c.Fresh == Nothing && i > 0 {
			failing *= y.Futures // they are all the same
			break
		}
		run, err := y.play(y.world, y.plan, y.future(c.Fresh, at, i))
		if err != nil {
			return err
		}
		if y.Fails(run) {
			failing++
		}
	}
	c.Moments = slices.Insert(c.Moments, place, Moment{at, failing})
	return nil
}

// pace is how far apart the lines of a still script come in a future.
var pace = sim.Dist{Shape: sim.Uniform, High: 4 * time.Millisecond}

// future is the i-th future at a step. It is the same chance at every step, so that what differs
// between two moments is what happened between them.
func (y *Why) future(fresh Freshness, at, i int) sim.Options {
	from := y.steps[at].From
	if fresh == Nothing {
		return sim.Options{Until: max(from, 1)}
	}
	f := &sim.Fork{At: from, Seed: y.seed(i), Network: y.nets[i], Pace: pace, End: fresh == Request}
	if fresh == Chance {
		return sim.Options{Fork: f}
	}
	for _, e := range y.plan.Chance {
		if !orders(e.Name.What) {
			f.Chance = append(f.Chance, e)
		}
	}
	return sim.Options{Fork: f}
}

// seed is that of the i-th future.
func (y *Why) seed(i int) uint64 {
	return 1 + uint64((&sim.Draws{Seed: y.Seed + 1}).Int(1<<62, "future ", i))
}

// orders says that a choice is about when something comes, and not whether it fails.
func orders(c sim.Choice) bool {
	switch c {
	case sim.Delay, sim.Tardy, sim.Drawn:
		return true
	}
	return false
}

// temper draws the networks of the futures. Where only the order is fresh they have no faults.
func (y *Why) temper(fresh Freshness) {
	y.nets = y.nets[:0]
	calm := *y.plan.Protocol
	if fresh != Chance {
		calm.Stands = 0
	}
	for i := range y.Futures {
		p := sim.Plan{Protocol: &calm, Nodes: y.plan.Nodes, Network: y.plan.Network,
			Seed: y.seed(i)}
		p.Network.Links, p.Network.Manual = nil, false
		Temper(&p, Mix)
		y.nets = append(y.nets, p.Network)
	}
}
