package checker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// check is the property's opinion, with what it panics with if it does.
func check(p sim.Property, run *sim.Run) (premises int, v *sim.Violation, panicked any) {
	defer func() { panicked = recover() }()
	premises, v = p.Check(run)
	return premises, v, nil
}

func TestRegistersThatAreLinearizable(t *testing.T) {
	for _, c := range []struct {
		name     string
		steps    []string
		premises int
	}{
		{"one after the other", []string{"1 set x 1", "1 ok", "2 get x", "2 = 1"}, 2},
		{"a read sees the old value during a write", []string{"1 set x 1", "2 get x", "2 =", "1 ok"}, 2},
		{"a read sees the new value during a write", []string{"1 set x 1", "2 get x", "2 = 1", "1 ok"}, 2},
		{"two writes at once may come in either order",
			[]string{"1 set x 1", "2 set x 2", "2 ok", "1 ok", "3 get x", "3 = 2"}, 3},
		{"an unknown write takes effect late",
			[]string{"1 set x 1", "1 ?", "2 get x", "2 =", "2 get x", "2 = 1"}, 2},
		{"an unknown write never takes effect", []string{"1 set x 1", "1 ?", "2 get x", "2 ="}, 1},
		{"a pending write takes effect", []string{"1 set x 1", "2 get x", "2 = 1"}, 1},
		{"a refused write has no effect", []string{"1 set x 1", "1 no", "2 get x", "2 ="}, 1},
		{"a late answer is no answer",
			[]string{"1 set x 1", "1 ?", "1 late", "2 get x", "2 ="}, 1},
		{"a read of unknown outcome says nothing", []string{"1 get x", "1 ?", "2 set x 1", "2 ok"}, 1},
		{"keys are apart",
			[]string{"1 set x 1", "1 ok", "2 get y", "2 =", "2 set y 2", "2 ok", "1 get y", "1 = 2"}, 4},
		{"one value is written twice",
			[]string{"1 set x 1", "1 ok", "1 set x 2", "1 ok", "1 set x 1", "1 ok", "2 get x", "2 = 1"}, 4},
		{"nothing is written, as a value", []string{"1 set x 1", "1 ok", "1 set x -", "1 ok", "2 get x", "2 ="}, 3},
		{"nothing is swapped in", []string{"1 set x 1", "1 ok", "1 swap x 1 .", "1 = done"}, 2},
		{"a swap swaps", []string{"1 set x 1", "1 ok", "2 swap x 1 2", "2 = done", "1 get x", "1 = 2"}, 3},
		{"a swap does not", []string{"1 set x 1", "1 ok", "2 swap x 3 2", "2 = not", "1 get x", "1 = 1"}, 3},
		{"an unknown swap may have swapped",
			[]string{"1 set x 1", "1 ok", "2 swap x 1 2", "2 ?", "1 get x", "1 = 2"}, 2},
		{"an unknown swap is possible where it does nothing",
			[]string{"1 swap x 8 9", "1 ?", "2 get x", "2 ="}, 1},
		{"appends at once", []string{"1 add x a", "2 add x b", "1 ok", "2 ok", "3 get x", "3 = ba"}, 3},
		{"operations of others count for nothing", []string{"1 dance", "2 get x", "2 =", "1 ok"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			premises, v, panicked := check(checker.Linearizable(registers), tell(c.steps...))
			if v != nil || panicked != nil || premises != c.premises {
				t.Errorf("%s: got %d premises, %v, panic %v, want %d, none", strings.Join(c.steps, "; "),
					premises, v, panicked, c.premises)
			}
		})
	}
}

func TestRegistersThatAreNot(t *testing.T) {
	for _, c := range []struct {
		name    string
		steps   []string
		reason  string
		witness []int
	}{
		{"a read misses the only write",
			[]string{"1 set x 1", "1 ok", "2 get x", "2 ="},
			"x must hold nothing until get x -> nothing (call 2) is called, but set x 1 -> ok (call 1) lies in between",
			[]int{0, 1, 2, 3}},
		{"a read is stale",
			[]string{"1 set x 1", "1 ok", "1 set x 2", "1 ok", "2 get x", "2 = 1"},
			"x must hold 1 from the return of set x 1 -> ok (call 1) to the call of get x -> 1 (call 3)," +
				" but set x 2 -> ok (call 2) lies in between",
			[]int{1, 2, 3, 4, 5}},
		{"two reads go back",
			[]string{"1 set x 1", "1 ok", "1 set x 2", "2 get x", "2 = 2", "2 get x", "2 = 1", "1 ok"},
			"x must hold 1 from the return of set x 1 -> ok (call 1) to the call of get x -> 1 (call 4)," +
				" but get x -> 2 (call 3) lies in between", []int{1, 3, 4, 5, 6}},
		{"two values take turns",
			[]string{"1 set x 1", "2 set x 2", "3 get x", "3 = 1", "3 get x", "3 = 2", "4 get x", "4 = 1",
				"4 get x", "4 = 2", "1 ok", "2 ok"},
			"x must hold 1 from the return of get x -> 1 (call 3) to the call of get x -> 1 (call 5)," +
				" but get x -> 2 (call 4) lies in between", []int{3, 4, 5, 6, 7}},
		{"a read sees what nobody wrote", []string{"1 set x 1", "1 ok", "2 get x", "2 = 7"},
			"get x -> 7 (call 2) returned before any write of 7 was called", []int{2, 3}},
		{"a read sees what is written later",
			[]string{"2 get x", "2 = 1", "1 set x 1", "1 ok"},
			"get x -> 1 (call 1) returned before any write of 1 was called", []int{0, 1}},
		{"a refused write is seen", []string{"1 set x 1", "1 no", "2 get x", "2 = 1"},
			"get x -> 1 (call 2) returned before any write of 1 was called", []int{2, 3}},
		{"an unknown write is undone",
			[]string{"1 set x 1", "1 ?", "2 get x", "2 = 1", "2 get x", "2 ="},
			"x must hold nothing until get x -> nothing (call 3) is called, but get x -> 1 (call 2) lies in between",
			[]int{2, 3, 4, 5}},
		{"two values must be held at once",
			[]string{"1 set x 1", "2 set x 2", "3 get x", "3 = 1", "4 get x", "4 = 2", "3 get x", "4 get x",
				"4 = 2", "3 = 1"},
			"x must hold 1 from the return of get x -> 1 (call 3) to the call of get x -> 1 (call 5)," +
				" but 2 from the return of get x -> 2 (call 4) to the call of get x -> 2 (call 6)",
			[]int{3, 5, 6, 7, 9}},
		{"a value must be held at some moment of two operations",
			[]string{"1 set x 1", "1 ok", "2 set x 2", "3 get x", "2 ok", "3 = 2", "4 get x", "4 = 1"},
			"x must hold 1 from the return of set x 1 -> ok (call 1) to the call of get x -> 1 (call 4)," +
				" but 2 at some moment between the call of get x -> 2 (call 3) and the return of" +
				" set x 2 -> ok (call 2)",
			[]int{1, 3, 4, 6, 7}},
		{"one swap too many",
			[]string{"1 swap x - 1", "1 = done", "2 swap x 1 2", "3 swap x 1 3", "2 = done", "3 = done"},
			"swap x 1 3 -> done (call 3) fits no order; one of what returned before it is" +
				" swap x - 1 -> done (call 1), swap x 1 2 -> done (call 2), and leaves 2",
			[]int{3, 5}},
		{"a swap must find what is there",
			[]string{"1 swap x 3 1", "1 = done"},
			"swap x 3 1 -> done (call 1) fits no order; at first there is nothing", []int{0, 1}},
		{"a swap must swap what is there",
			[]string{"1 swap x - 1", "1 = not"},
			"swap x - 1 -> not (call 1) fits no order; at first there is nothing", []int{0, 1}},
		{"of two swaps the one that returns last is blamed",
			[]string{"1 swap x - 2", "2 swap x - 1", "2 = done", "1 = done"},
			"swap x - 2 -> done (call 1) fits no order; one of what returned before it is" +
				" swap x - 1 -> done (call 2), and leaves 1", []int{0, 3}},
		{"a read is stale, though nothing is written later",
			[]string{"1 set x 1", "1 ok", "2 get x", "2 =", "1 set x -", "1 ok"},
			"x must hold nothing until get x -> nothing (call 2) is called, but set x 1 -> ok (call 1) lies in between",
			[]int{0, 1, 2, 3}},
		{"an append is lost",
			[]string{"1 add x a", "1 ok", "2 add x b", "2 ok", "1 add x c", "1 ok", "2 add x d", "2 ok",
				"1 add x e", "1 ok", "2 get x", "2 = abde"},
			"get x -> abde (call 6) fits no order; one of what returned before it is 1 more," +
				" add x b -> ok (call 2), add x c -> ok (call 3), add x d -> ok (call 4)," +
				" add x e -> ok (call 5), and leaves abcde",
			[]int{10, 11}},
		{"the second wrong register counts",
			[]string{"1 get y", "1 = 3", "1 get x", "1 = 4", "2 set x 1", "2 ok"},
			"get y -> 3 (call 1) returned before any write of 3 was called", []int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			premises, v, panicked := check(checker.Linearizable(registers), tell(c.steps...))
			if v == nil || panicked != nil || premises == 0 {
				t.Fatalf("%s: got %d premises, %v, panic %v, want a violation",
					strings.Join(c.steps, "; "), premises, v, panicked)
			}
			if v.Reason != c.reason {
				t.Errorf("got  %s\nwant %s", v.Reason, c.reason)
			}
			if !slices.Equal(v.Witness, c.witness) {
				t.Errorf("%s: got witness %v, want %v", v.Reason, v.Witness, c.witness)
			}
		})
	}
}

func TestAHistoryWithoutResultsIsVacuous(t *testing.T) {
	for _, steps := range [][]string{
		nil,
		{"1 set x 1", "1 ?", "2 set x 2"},
		{"1 set x 1", "1 no"},
		{"1 dance", "1 ok"},
	} {
		v := checker.Judge(tell(steps...), []sim.Property{checker.Linearizable(registers)})
		if v.Outcome != checker.Vacuous {
			t.Errorf("%q: got %v, want vacuous", steps, v.Outcome)
		}
	}
}

func TestWhatStepsDoNotDecideIsUndecided(t *testing.T) {
	w := checker.Workload{Clients: 6, Ops: 80, Keys: 1, Swaps: true}
	run := w.Run(1)
	spec := w.Spec()
	spec.Steps = 60
	_, v, panicked := check(checker.Linearizable(spec), run)
	want := sim.Undecided{Reason: "no verdict on 80 operations on a, 0 of them open, within 60 steps"}
	if v != nil || panicked != want {
		t.Errorf("60 steps: got %v, panic %v, want panic %v", v, panicked, want)
	}
	spec.Steps = 0
	if premises, v, panicked := check(checker.Linearizable(spec), run); v != nil || panicked != nil || premises != 80 {
		t.Errorf("2,000,000 steps: got %d premises, %v, panic %v, want 80, none", premises, v, panicked)
	}
}

func TestAllPartsShareTheSteps(t *testing.T) {
	steps := strings.Split("1 add x a;1 ok;1 add x b;1 ok;2 add y a;2 ok;2 add y b;2 ok;2 add y c;2 ok", ";")
	spec := registers
	for n, want := range map[int]bool{4: false, 5: true} {
		spec.Steps = n
		_, v, panicked := check(checker.Linearizable(spec), tell(steps...))
		if v != nil || (panicked == nil) != want {
			t.Errorf("5 operations one after the other, %d steps: got %v, panic %v, want decided: %v", n, v,
				panicked, want)
		}
	}
}

func TestOpenWritesThatNobodyReadCostNothing(t *testing.T) {
	steps := []string{"1 set x 1", "1 ok", "1 set x 2", "1 ok", "1 set x 1", "1 ok"} // twice, so no zones
	for i := range 30 {
		steps = append(steps, fmt.Sprintf("2 set x %d", 100+i), "2 ?")
	}
	steps = append(steps, "1 get x", "1 = 2")
	spec := registers
	spec.Steps = 1000
	if _, v, panicked := check(checker.Linearizable(spec), tell(steps...)); v == nil || panicked != nil {
		t.Errorf("a stale read after 30 open writes: got %v, panic %v, want a violation", v, panicked)
	}
}

func TestAWrongPartIsFoundBesideAnUndecidedOne(t *testing.T) {
	steps := []string{"1 get x", "1 = 9"}
	for _, c := range "23456789" {
		steps = append(steps, string(c)+" add y "+string(c))
	}
	for _, c := range "23456789" {
		steps = append(steps, string(c)+" ok")
	}
	steps = append(steps, "1 get y", "1 = 98765432")
	spec := registers
	spec.Steps = 5
	_, v, panicked := check(checker.Linearizable(spec), tell(steps...))
	if v == nil || v.Count != 1 || !strings.HasPrefix(v.Reason, "get x -> 9 (call 1) returned before") {
		t.Errorf("got %v, panic %v, want get x blamed", v, panicked)
	}
	_, v, panicked = check(checker.Linearizable(spec), tell(steps[2:]...))
	if _, undecided := panicked.(sim.Undecided); v != nil || !undecided {
		t.Errorf("without get x: got %v, panic %v, want undecided", v, panicked)
	}
}

func TestAThousandOperationsOfTwentyClientsAreDecided(t *testing.T) {
	w := checker.Workload{Clients: 20, Ops: 1000, Keys: 1, Open: 5}
	wrong := w
	wrong.Stale = 10
	spec := w.Spec()
	spec.Steps = 20_000 // far too few for a search
	property := checker.Linearizable(spec)
	broken := 0
	for seed := range uint64(15) {
		premises, v, panicked := check(property, w.Run(seed))
		if premises < 900 || v != nil || panicked != nil {
			t.Errorf("seed %d: got %d premises, %v, panic %v, want it to hold", seed, premises, v, panicked)
		}
		_, v, panicked = check(property, wrong.Run(seed))
		if panicked != nil {
			t.Errorf("seed %d, stale: got panic %v, want a verdict", seed, panicked)
		}
		if v != nil {
			broken++
		}
	}
	if broken < 10 {
		t.Errorf("%d of 15 histories with stale reads are wrong, want most", broken)
	}
}

func TestAVerdictIsTheSameEachTime(t *testing.T) {
	w := checker.Workload{Clients: 5, Ops: 60, Keys: 2, Swaps: true, Open: 10, Stale: 30}
	property := checker.Linearizable(w.Spec())
	broken := 0
	for seed := range uint64(50) {
		_, first, _ := check(property, w.Run(seed))
		_, second, _ := check(property, w.Run(seed))
		if (first == nil) != (second == nil) {
			t.Fatalf("seed %d: got %v, then %v", seed, first, second)
		}
		if first == nil {
			continue
		}
		broken++
		if first.Reason != second.Reason || !slices.Equal(first.Witness, second.Witness) {
			t.Errorf("seed %d: got %v, then %v", seed, first, second)
		}
	}
	if broken < 10 {
		t.Errorf("%d of 50 histories with stale reads are wrong, want some", broken)
	}
}

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
			premises, v, panicked := check(checker.Linearizable(queue), tell(c.steps...))
			reason := ""
			if v != nil {
				reason = v.Reason
			}
			if panicked != nil || premises == 0 || reason != c.want {
				t.Errorf("%s: got %d premises, %q, panic %v, want %q", strings.Join(c.steps, "; "), premises,
					reason, panicked, c.want)
			}
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

// ledger reads transactions: "set x 1, set y 1" and "get x, get y", whose results are values with
// commas between.
var ledger = checker.Transactions(func(op sim.Op, result sim.Body) ([]checker.Access, bool) {
	var list []checker.Access
	g, fits := result.(got)
	values := strings.Split(string(g), ",")
	for i, part := range strings.Split(string(op.(asked)), ", ") {
		a, _ := access(asked(part), got(values[min(i, len(values)-1)]))
		list = append(list, a)
	}
	return list, fits
})

func TestTransactionsAreJudgedTogether(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string
		want  string
	}{
		{"both or none", []string{"1 set x 1, set y 1", "2 get x, get y", "2 = ,", "3 get y, get x", "3 = 1,1",
			"1 ok"}, ""},
		{"an unknown one, seen", []string{"1 set x 1, set y 1", "1 ?", "3 get y", "3 = 1", "3 get x", "3 = 1"}, ""},
		{"one reads its own write", []string{"1 set x 1, get x", "1 = ,1", "2 get x", "2 = 1"}, ""},
		{"one half is seen", []string{"1 set x 1, set y 1", "2 get x, get y", "2 = 1,", "1 ok"},
			"get x, get y -> 1, (call 2) fits no order; at first there is nothing; still open is" +
				" set x 1, set y 1 (call 1)"},
		{"each key alone is right, both are not", []string{"1 set x 1, get y", "2 set y 1, get x", "1 = ,", "2 = ,"},
			"set y 1, get x -> , (call 2) fits no order; one of what returned before it is" +
				" set x 1, get y -> , (call 1), and leaves x=1"},
		{"what was replaced and what was taken back is gone",
			[]string{"1 set x 1, set y 1", "1 ok", "2 set x 2", "2 ok", "2 set y -", "2 ok", "1 get y", "1 = 1"},
			"get y -> 1 (call 4) fits no order; one of what returned before it is set x 1, set y 1 -> ok (call 1)," +
				" set x 2 -> ok (call 2), set y - -> ok (call 3), and leaves x=2"},
		{"one half of an unknown one is seen",
			[]string{"1 set x 1, set y 1", "1 ?", "3 get y", "3 = 1", "3 get x", "3 ="},
			"get x -> nothing (call 3) fits no order; one of what returned before it is" +
				" set x 1, set y 1 (call 1), get y -> 1 (call 2), and leaves x=1 y=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			premises, v, panicked := check(checker.Linearizable(ledger), tell(c.steps...))
			reason := ""
			if v != nil {
				reason = v.Reason
			}
			if panicked != nil || premises == 0 || reason != c.want {
				t.Errorf("%s: got %d premises, %q, panic %v, want %q", strings.Join(c.steps, "; "), premises,
					reason, panicked, c.want)
			}
		})
	}
}

func TestKeysThatNoTransactionJoinsAreApart(t *testing.T) {
	steps := []string{"1 set a 1, set b 1", "2 set b 2, set c 2", "1 ok", "2 ok", "1 get d", "1 = 5",
		"2 get c, get a", "2 = 2,7"}
	_, v, panicked := check(checker.Linearizable(ledger), tell(steps...))
	if panicked != nil || v == nil || v.Count != 2 || !strings.HasPrefix(v.Reason, "get d -> 5 (call 3)") {
		t.Errorf("got %v, panic %v, want d blamed first, and 2 parts wrong", v, panicked)
	}
}
