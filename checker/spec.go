package checker

import (
	"cmp"
	"fmt"

	"github.com/downset/downset/sim"
)

// Spec is a sequential object, against which the histories of a distributed one are held: a history
// is linearizable if each operation may be taken to happen at one moment between its call and its
// return, so that the object, used in the order of these moments, gives the same results.
//
// Only Init and Step must be given. No function may change what it is handed.
type Spec struct {
	// Init is the state before any operation.
	Init func() any
	// Step says whether in a state an operation can have a result, and which state comes next. An
	// operation is open if its outcome is unknown, and result is nil then. In some states it may
	// change nothing, but it must be possible in every one.
	Step func(state any, op sim.Op, result sim.Body, open bool) (ok bool, next any)
	// Equal says that two states are the same; nil is ==.
	Equal func(a, b any) bool
	// Hash is equal for equal states; nil if there is no good one.
	Hash func(state any) uint64

	// Takes says that an operation is one of this object at all; nil if all are.
	Takes func(op sim.Op) bool
	// Fits says that a result is of a type that an operation can have; nil if all are. A history
	// with other results is malformed.
	Fits func(op sim.Op, result sim.Body) bool
	// Reads says that an operation changes nothing, so that it can be forgotten where it is open.
	Reads func(op sim.Op) bool
	// Answers says that a refusal is an answer, from which something follows (a condition did not
	// hold): Step is asked about it. Other refused operations are as if never invoked; nil if all
	// are.
	Answers func(op sim.Op, why sim.Body) bool

	// Key names the one part of the object that an operation is about, and Keys the several. Parts
	// that no operation joins are judged apart, each from Init on. Nil: the object has no parts.
	Key  func(op sim.Op) string
	Keys func(op sim.Op) []string

	// Says is an operation with its result for people; nil is sim.Text of both. The result is nil
	// where it is unknown.
	Says func(op sim.Op, result sim.Body) string
	// Shows is a state for people; nil is as fmt prints it. An empty text is shown as "nothing".
	Shows func(state any) string

	// Steps is how often a check may ask Step before it gives up; 0 is 2,000,000.
	Steps int

	access func(op sim.Op, result sim.Body) (Access, bool) // of Registers
}

// defaultSteps takes a few seconds. What so many do not decide, a hundred times as many rarely do.
const defaultSteps = 2_000_000

func (s *Spec) steps() int {
	if s.Steps > 0 {
		return s.Steps
	}
	return defaultSteps
}

func (s *Spec) says(op sim.Op, result sim.Body) string {
	switch {
	case s.Says != nil:
		return s.Says(op, result)
	case result == nil:
		return sim.Text(op)
	}
	return sim.Text(op) + " -> " + sim.Text(result)
}

func (s *Spec) shows(state any) string {
	text := ""
	if s.Shows != nil {
		text = s.Shows(state)
	} else {
		text = fmt.Sprint(state)
	}
	return cmp.Or(text, "nothing")
}

func (s *Spec) takes(op sim.Op) bool { return s.Takes == nil || s.Takes(op) }

// answered says that an operation has a result from which something follows.
func (s *Spec) answered(o *Operation) bool {
	return o.Fate == Returned || o.Fate == Refused && s.Answers != nil && s.Answers(o.Op, o.Result)
}

func (s *Spec) reads(op sim.Op) bool { return s.Reads != nil && s.Reads(op) }
