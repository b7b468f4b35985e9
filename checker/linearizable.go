package checker

import (
	"fmt"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"

	"github.com/downset/downset/sim"
)

// Linearizable is the property that the history of a run is linearizable as one of spec. Its
// premises are the operations that have a result. It does not hold for want of time: where neither
// a search within spec.Steps nor zones decide, the check is undecided.
func Linearizable(spec Spec) sim.Property {
	return sim.Property{
		Name:  "linearizable",
		Doc:   "every operation takes effect at one moment between its call and its return",
		Class: sim.Silent,
		Check: func(run *sim.Run) (premises int, v *sim.Violation) {
			h, err := ReadHistory(run)
			if err == nil {
				premises, v, err = spec.judge(h)
			}
			if err != nil {
				panic(fmt.Errorf("checker: %w", err))
			}
			return premises, v
		},
	}
}

// Check is the check of Linearizable for a history that was not read from a run. The violation's
// witness is places of the history.
func (s Spec) Check(h History) (premises int, v *sim.Violation, err error) {
	if err := h.Validate(); err != nil {
		return 0, nil, fmt.Errorf("history: %w", err)
	}
	return s.judge(h)
}

func (s *Spec) judge(h History) (premises int, v *sim.Violation, err error) {
	parts, premises, err := s.divide(h)
	if err != nil || premises == 0 {
		return 0, nil, err
	}
	d := newDecider(s)
	var unclear *part
	for i := range parts {
		p := &parts[i]
		switch d.decide(d.until(p, Never)) {
		case Broken:
			if v == nil {
				v = d.explain(p)
			} else {
				v.Count++
			}
		case Undecided:
			unclear = p
		}
	}
	if v == nil && unclear != nil {
		panic(sim.Undecided{Reason: unclear.undecided(s)})
	}
	return premises, v, nil
}

// use is an operation as a judge sees it: in a prefix of a history more are open than in the whole.
type use struct {
	*Operation
	open bool
}

// end is where a use returns.
func (u *use) end() int {
	if u.open {
		return Never
	}
	return u.Return
}

// result is the result from which something follows.
func (u *use) result() sim.Body {
	if u.open {
		return nil
	}
	return u.Result
}

// decider decides parts of one history, on one budget of steps.
type decider struct {
	spec  *Spec
	left  int // steps
	zones zones
	uses  []use
	seen  map[string]bool
	find  search
}

func newDecider(s *Spec) *decider {
	d := &decider{spec: s, left: s.steps()}
	d.find.model = d.find.of(s)
	return d
}

// What a search is given where zones decide anyway: it is then only a second opinion. Without open
// operations 200 operations of 8 clients take 62,000 steps at the worst; most take one or two each.
const (
	opinionUses  = 200
	opinionSteps = 20_000
)

// decide says whether the uses of one part have a legal order.
func (d *decider) decide(uses []use) Outcome {
	exact := d.readZones(uses)
	if !exact {
		return d.search(uses, d.left)
	}
	says := d.zones.outcome()
	if len(uses) > opinionUses {
		return says
	}
	found := d.search(uses, min(d.left, opinionSteps))
	if found != Undecided && found != says {
		panic(fmt.Sprintf("checker: zones say that the history of %q %v, a search that it %v",
			d.spec.Access(uses[0].Op, nil).Key, says, found))
	}
	return says
}

// quick is decide without a second opinion.
func (d *decider) quick(uses []use) Outcome {
	if d.readZones(uses) {
		return d.zones.outcome()
	}
	return d.search(uses, d.left)
}

func (d *decider) readZones(uses []use) bool {
	return d.spec.Access != nil && d.zones.read(uses, d.spec.Access)
}

func (d *decider) search(uses []use, steps int) Outcome {
	outcome := d.find.run(uses, steps)
	d.left -= steps - d.find.left
	return outcome
}

// search is Porcupine's, on a budget of steps. A budget of time would make the verdict depend on
// the machine. Porcupine works on goroutines of its own: one a call, which it waits for.
type search struct {
	model  porcupine.Model
	ops    []porcupine.Operation
	left   int
	spent  bool // it was cut off
	failed any  // a panic of the spec's, brought home from the goroutine
}

// run searches for a legal order of uses.
func (f *search) run(uses []use, steps int) Outcome {
	f.begin(uses, steps)
	legal := porcupine.CheckOperations(f.model, f.ops)
	return f.outcome(legal)
}

// order is a legal order of uses, or of as many as one was found for.
func (f *search) order(uses []use, steps int) (Outcome, porcupine.LinearizationInfo) {
	f.begin(uses, steps)
	result, info := porcupine.CheckOperationsVerbose(f.model, f.ops, 0)
	return f.outcome(result == porcupine.Ok), info
}

func (f *search) begin(uses []use, steps int) {
	f.left, f.spent, f.failed = steps, false, nil
	f.ops = slices.Grow(f.ops[:0], len(uses))
	horizon := 0
	for i := range uses {
		horizon = max(horizon, uses[i].Call)
		if !uses[i].open {
			horizon = max(horizon, uses[i].Return)
		}
	}
	for i := range uses {
		u := &uses[i]
		end := u.Return
		if u.open {
			horizon++ // intervals are closed, and no two ends may stand at one place
			end = horizon
		}
		f.ops = append(f.ops, porcupine.Operation{ClientId: int(u.Client) - 1, Input: u,
			Call: int64(u.Call), Return: int64(end)})
	}
}

func (f *search) outcome(legal bool) Outcome {
	switch {
	case f.failed != nil:
		panic(f.failed)
	case legal:
		return Holds
	case f.spent:
		return Undecided
	}
	return Broken
}

// of makes Porcupine's model of a spec. Its functions run on another goroutine, where a panic would
// end the process.
func (f *search) of(s *Spec) porcupine.Model {
	m := porcupine.Model{
		Init: s.Init,
		Step: func(state, input, _ any) (ok bool, next any) {
			if f.left == 0 || f.failed != nil {
				f.spent = true
				return false, nil
			}
			f.left--
			defer f.bringHome()
			u := input.(*use)
			ok, next = s.Step(state, u.Op, u.result(), u.open)
			if u.open && !ok {
				panic(fmt.Sprintf("checker: the spec's Step refuses %s in the state %s,"+
					" but what is open must be possible", sim.Text(u.Op), s.shows(state)))
			}
			return ok, next
		},
		Equal: func(a, b any) bool {
			defer f.bringHome()
			if s.Equal != nil {
				return s.Equal(a, b)
			}
			return a == b
		},
		DescribeOperation: func(input, _ any) string { return s.describe(input.(*use)) },
		DescribeState:     s.shows,
	}
	if s.Hash != nil {
		m.Hash = func(state any) uint64 {
			defer f.bringHome()
			return s.Hash(state)
		}
	}
	return m
}

func (f *search) bringHome() {
	if r := recover(); r != nil {
		f.failed = r
	}
}

// unlimited is a budget for what is known to end.
const unlimited = math.MaxInt
