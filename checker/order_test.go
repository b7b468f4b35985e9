package checker_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// direct says that entry a comes directly before b: it is the step before it on its node, or the
// cause that it carries.
func direct(run *sim.Run, a, b int) bool {
	x, y := run.Trace[a], run.Trace[b]
	if y.Kind.Carries() && int(y.Cause) == a {
		return true
	}
	return a < b && x.Node == y.Node && x.Kind.Local() && y.Kind.Local()
}

// reaches is happened-before by going there: breadth first over the trace.
func reaches(run *sim.Run, a int) []bool {
	seen, queue := make([]bool, len(run.Trace)), []int{a}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for next := range run.Trace {
			if !seen[next] && direct(run, at, next) {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return seen
}

func TestVectorClocksAgreeWithReachability(t *testing.T) {
	pairs, ordered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := checker.Sketch(rapid.Uint64().Draw(t, "seed"))
		o := checker.NewOrder(run)
		for a := range run.Trace {
			seen := reaches(run, a)
			for b := range run.Trace {
				pairs++
				if got := o.Before(a, b); got != seen[b] {
					t.Fatalf("Before(%d, %d) = %v, want %v", a, b, got, seen[b])
				}
				if seen[b] {
					ordered++
				}
				if got := o.Concurrent(a, b); a < b && got == seen[b] {
					t.Fatalf("Concurrent(%d, %d) = %v, want %v", a, b, got, !seen[b])
				}
			}
		}
	})
	if ordered == 0 || ordered == pairs {
		t.Errorf("%d of %d pairs ordered: the runs test nothing", ordered, pairs)
	}
}

func TestClocksCountWhatHappenedBefore(t *testing.T) {
	for seed := range uint64(200) {
		run := checker.Sketch(seed)
		o := checker.NewOrder(run)
		for b, e := range run.Trace {
			if !e.Kind.Local() {
				if c := o.Clock(b); c != nil {
					t.Fatalf("seed %d: entry %d is no step and has clock %v", seed, b, c)
				}
				continue
			}
			want := make([]int32, len(run.Nodes))
			for a, x := range run.Trace {
				if x.Kind.Local() && (a == b || o.Before(a, b)) {
					want[x.Node]++
				}
			}
			if got := o.Clock(b); !slices.Equal(got, want) {
				t.Fatalf("seed %d: clock of %d is %v, want %v", seed, b, got, want)
			}
		}
	}
}

// fewestMessages is how many messages the shortest chain from a to b has, by trying all, -1 if there
// is none.
func fewestMessages(run *sim.Run, a, b int) int {
	cost := make([]int, len(run.Trace))
	for i := range cost {
		cost[i] = -1
	}
	cost[a] = 0
	for i := a + 1; i <= b; i++ { // causes come before effects
		for j := a; j < i; j++ {
			if cost[j] < 0 || !direct(run, j, i) {
				continue
			}
			step := cost[j]
			if run.Trace[i].Kind.Local() && (run.Trace[j].Node != run.Trace[i].Node ||
				!run.Trace[j].Kind.Local()) {
				step++
			}
			if cost[i] < 0 || step < cost[i] {
				cost[i] = step
			}
		}
	}
	return cost[b]
}

func TestChainsAreTrueAndShortest(t *testing.T) {
	found := map[int]int{}
	for seed := range uint64(300) {
		run := checker.Sketch(seed)
		o := checker.NewOrder(run)
		for a := range run.Trace {
			for b := range run.Trace {
				if !run.Trace[a].Kind.Local() || !run.Trace[b].Kind.Local() {
					continue
				}
				chain := checker.Chain(run, a, b)
				if (chain != nil) != o.Before(a, b) {
					t.Fatalf("seed %d: chain from %d to %d is %v, but Before is %v", seed, a, b, chain,
						o.Before(a, b))
				}
				if chain == nil {
					continue
				}
				if err := testChain(run, o, chain, a, b); err != nil {
					t.Fatalf("seed %d: chain from %d to %d is %v: %v", seed, a, b, chain, err)
				}
				found[crossed(run, chain)]++
			}
		}
	}
	for messages := range 3 {
		if found[messages] == 0 {
			t.Errorf("no chain of %d messages: the runs test nothing", messages)
		}
	}
}

func testChain(run *sim.Run, o *checker.Order, chain []int, a, b int) error {
	if chain[0] != a || chain[len(chain)-1] != b || !slices.IsSorted(chain) {
		return fmt.Errorf("want it to go from one to the other")
	}
	for k, to := range chain[1:] {
		from := chain[k]
		if !o.Before(from, to) {
			return fmt.Errorf("%d did not happen before %d", from, to)
		}
	}
	if got, want := crossed(run, chain), fewestMessages(run, a, b); got != want {
		return fmt.Errorf("it has %d messages, want %d", got, want)
	}
	return nil
}

// crossed counts the steps of a chain that lead to another node.
func crossed(run *sim.Run, chain []int) int {
	messages := 0
	for k, to := range chain[1:] {
		if run.Trace[chain[k]].Node != run.Trace[to].Node {
			messages++
		}
	}
	return messages
}

func TestChain(t *testing.T) {
	tp := newTape("P", "Q", "R")
	tp.ask("P")
	cause := tp.note(commit{"tx1"})
	direct := tp.send("R", gossip{1})
	tp.tell("Q", gossip{2})
	tp.tell("R", gossip{3})
	viaQ := tp.note(commit{"tx1"})
	tp.deliver(direct)
	late := tp.note(commit{"tx2"})
	tp.ask("P")
	tp.tell("R", notify{"last", 0})
	latest := tp.note(commit{"tx3"})
	for _, c := range []struct {
		name     string
		from, to int
		want     string
	}{
		{"a step leads to a later one of its node", cause, direct, "P notes commit tx1; P sends gossip"},
		{"a message goes by its sending and its delivery", cause, viaQ,
			"P notes commit tx1; P sends gossip; Q receives gossip; Q sends gossip; " +
				"R receives gossip; R notes commit tx1"},
		{"of two ways the one with fewer messages is taken", cause, late,
			"P notes commit tx1; P sends gossip; R receives gossip; R notes commit tx2"},
		{"and of several messages from there the one that arrived last", cause, latest,
			"P notes commit tx1; P sends notify last; R receives notify last; R notes commit tx3"},
		{"nothing leads backwards", viaQ, cause, ""},
		{"nothing leads from a step to itself", cause, cause, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text(tp.run, checker.Chain(tp.run, c.from, c.to)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestProgramOrderHoldsAcrossARestart(t *testing.T) {
	tp := newTape("P", "Q")
	tp.ask("P")
	before := tp.note(commit{"tx1"})
	crash := tp.crash("P", 0)
	after := tp.start("P")
	o := checker.NewOrder(tp.run)
	if !o.Before(before, after) || o.Before(before, crash) || o.Before(crash, after) {
		t.Errorf("got %v %v %v, want the steps ordered and the crash with none of them",
			o.Before(before, after), o.Before(before, crash), o.Before(crash, after))
	}
}
