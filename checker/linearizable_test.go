package checker_test

import (
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

// reasoned judges what clients saw, and wants this reason of it.
func reasoned(t *testing.T, spec checker.Spec, steps []string, want string) {
	t.Helper()
	premises, v, panicked := check(checker.Linearizable(spec), tell(steps...))
	reason := ""
	if v != nil {
		reason = v.Reason
	}
	if panicked != nil || premises == 0 || reason != want {
		t.Errorf("%s: got %d premises, %q, panic %v, want %q", strings.Join(steps, "; "), premises,
			reason, panicked, want)
	}
}
