package checker_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

func TestASpecAtFaultIsAnErrorOfTheTool(t *testing.T) {
	run := tell("1 set x 1", "2 set x 2", "1 ok", "2 ?", "1 get x", "1 = 1")
	for _, c := range []struct {
		name  string
		spoil func(*checker.Spec)
		want  string
	}{
		{"Step refuses what is open", func(s *checker.Spec) {
			s.Step = func(state any, op sim.Op, result sim.Body, open bool) (bool, any) { return !open, state }
		}, "the spec's Step refuses set x 2 in the state nothing, but what is open must be possible"},
		{"Step panics", func(s *checker.Spec) {
			s.Step = func(any, sim.Op, sim.Body, bool) (bool, any) { panic("out of steps") }
		}, "out of steps"},
		{"states cannot be compared", func(s *checker.Spec) {
			s.Init = func() any { return []string{} }
			s.Step = func(_ any, op sim.Op, _ sim.Body, open bool) (bool, any) { return op != asked("get x"), []string{} }
		}, "comparing uncomparable type []string"},
		{"Hash panics", func(s *checker.Spec) {
			s.Hash = func(any) uint64 { panic("no hash") }
		}, "no hash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := checker.Spec{Init: registers.Init, Step: registers.Step}
			c.spoil(&spec)
			v := checker.Judge(run, []sim.Property{checker.Linearizable(spec)})
			if f := v.Findings[0]; v.Outcome != checker.Undecided || !strings.Contains(f.Undecided, c.want) {
				t.Errorf("got %v, %q, want undecided, %q", v.Outcome, f.Undecided, c.want)
			}
		})
	}
}

// queue is an object that is no register: first in, first out.
var queue = checker.Spec{
	Init: func() any { return "" },
	Step: func(state any, op sim.Op, result sim.Body, open bool) (bool, any) {
		held := state.(string)
		if item, puts := strings.CutPrefix(string(op.(asked)), "put "); puts {
			return true, held + item
		}
		switch {
		case held == "":
			return open || result == got("no"), held
		case open:
			return true, held[1:]
		}
		return result == got(held[:1]), held[1:]
	},
	Answers: func(op sim.Op, why sim.Body) bool { return op == asked("take") },
	Takes:   func(op sim.Op) bool { return op != asked("dance") },
	Fits:    func(op sim.Op, result sim.Body) bool { return op != asked("take") || result != got("ok") },
}

func TestAQueueIsJudgedByItsOwnSpec(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string
		want  string
	}{
		{"in order", []string{"1 put a", "1 ok", "2 put b", "2 ok", "1 take", "1 = a", "2 take", "2 = b"}, ""},
		{"a refused put put nothing", []string{"1 put a", "1 no", "2 take", "2 no"}, ""},
		{"operations of others", []string{"1 dance", "2 take", "1 = a", "2 no"}, ""},
		{"either of two at once", []string{"1 put a", "2 put b", "2 ok", "1 ok", "1 take", "1 = b"}, ""},
		{"an unknown take took", []string{"1 put a", "1 ok", "1 take", "1 ?", "2 take", "2 no"}, ""},
		{"out of order", []string{"1 put a", "1 ok", "2 put b", "2 ok", "1 take", "1 = b"},
			"take -> b (call 3) fits no order; one of what returned before it is put a -> ok (call 1)," +
				" put b -> ok (call 2), and leaves ab"},
		{"refused although there was one", []string{"1 put a", "1 ok", "2 take", "2 no"},
			"take -> no (call 2) fits no order; one of what returned before it is put a -> ok (call 1)," +
				" and leaves a"},
		{"taken twice", []string{"1 put a", "2 take", "3 take", "2 = a", "3 = a"},
			"take -> a (call 3) fits no order; one of what returned before it is put a (call 1)," +
				" take -> a (call 2), and leaves nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			reasoned(t, queue, c.steps, c.want)
		})
	}
}

func TestAResultThatDoesNotFitIsAnErrorForAnySpec(t *testing.T) {
	for _, c := range []struct {
		spec checker.Spec
		op   string
	}{{queue, "take"}, {ledger, "set x 1, set y 1"}} {
		run := tell("1 "+c.op, "1 ok")
		if c.op != "take" {
			run.Trace[1].Body = asked("nonsense")
		}
		v := checker.Judge(run, []sim.Property{checker.Linearizable(c.spec)})
		want := "check panicked: checker: history: entry 1: " + c.op + " cannot result in"
		if f := v.Findings[0]; v.Outcome != checker.Undecided || !strings.HasPrefix(f.Undecided, want) {
			t.Errorf("%s: got %v, %q, want undecided, %q", c.op, v.Outcome, f.Undecided, want)
		}
	}
}
