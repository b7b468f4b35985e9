package checker

import (
	"fmt"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"

	"github.com/downset/downset/sim"
)

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
		if u.access != nil && u.access.next == nil {
			u.access.next = u.access.Value
		}
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

// of makes Porcupine's model of a spec.
func (f *search) of(s *Spec) porcupine.Model {
	m := f.object(s)
	if s.access != nil {
		m = porcupine.Model{Init: s.Init, Step: f.access}
	}
	m.DescribeOperation = func(input, _ any) string { return s.describe(input.(*use)) }
	m.DescribeState = s.shows
	return m
}

// more takes a step from the budget, if there is one left.
func (f *search) more() bool {
	if f.left == 0 || f.failed != nil {
		f.spent = true
		return false
	}
	f.left--
	return true
}

// access is the Step of registers. The states are texts, boxed as the uses have them.
func (f *search) access(state, input, _ any) (ok bool, next any) {
	if !f.more() {
		return false, nil
	}
	u := input.(*use)
	switch a := u.access; a.What {
	case Reads:
		return u.open || a.Value == state.(string), state
	case Writes:
		return true, a.next
	default:
		ok, text := a.apply(state.(string), u.open)
		return ok, text
	}
}

// object is the model of any other spec. Its functions run on another goroutine, where a panic
// would end the process.
func (f *search) object(s *Spec) porcupine.Model {
	m := porcupine.Model{
		Init: s.Init,
		Step: func(state, input, _ any) (ok bool, next any) {
			if !f.more() {
				return false, nil
			}
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
