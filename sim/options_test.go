package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

func TestAPanicInAMachineIsTheEndOfItsRun(t *testing.T) {
	for _, c := range []struct{ name, program, value string }{
		{"its own", "note on; panic no leader", "no leader"},
		{"an index out of range", "return ok; cut", "runtime error: slice bounds out of range [1:0]"},
		{"with an address in its text", "note on; address", "at 0x? and 0x?"},
		{"a use of Env that makes no sense", "every 0s t", "Every wants a positive period"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("A B", "A x: note on", "B y: "+c.program, "A z: note more")
			p.Variant.New = func(sim.NodeID, []sim.NodeID) sim.Machine { return &clumsy{} }
			for _, opt := range []sim.Options{{}, {NoTrace: true}} {
				run, err := new(sim.World).Execute(p, opt)
				if err != nil {
					t.Fatal(err)
				}
				if run.End != sim.Panicked || run.Panic == nil || run.Settled() {
					t.Fatalf("end %d, panic %v, want one\n%s", run.End, run.Panic, whole(run))
				}
				if run.Panic.Value != c.value || run.Name(run.Panic.Node) != "B" || run.Panic.Entry != run.Entries-1 {
					t.Errorf("panic %+v of %d entries, want %q of B at the last entry", run.Panic, run.Entries, c.value)
				}
				compare(t, run, "why", run.Why, "panic in B: "+c.value)
				stack := strings.Join(run.Panic.Stack, "\n")
				if !strings.Contains(stack, "sim_test.(*clumsy).Invoke options_test.go:") || strings.Contains(stack, "0x") ||
					strings.Contains(stack, "sim.(*World)") {
					t.Errorf("stack\n%s\nwant the machine's functions with lines, and neither addresses nor the engine's", stack)
				}
			}
		})
	}
}

// clumsy is a puppet with two more ways to fail.
type clumsy struct{ puppet }

func (c *clumsy) Invoke(env *sim.Env, call sim.Call) {
	for _, word := range strings.Split(call.Op.(order).do, "; ") {
		switch strings.TrimSpace(word) {
		case "cut":
			c.rules = c.rules[:0][1:]
		case "address":
			panic(fmt.Sprintf("at %p and %p", c, &call))
		}
	}
	c.puppet.Invoke(env, call)
}

func TestAWorldGoesOnAfterAPanic(t *testing.T) {
	w := new(sim.World)
	bad := world("A B", "partition A | B", "hold A->B", "pause B", "A x: send B m; flow B m; panic now")
	good := world("A B", "A x: send B m; append r; sync", "crash B", "restart B")
	fresh := play(t, good)
	for range 3 {
		if _, err := w.Execute(bad, sim.Options{}); err != nil {
			t.Fatal(err)
		}
		run, err := w.Execute(good, sim.Options{})
		if err != nil || run.Hash != fresh.Hash || run.End != sim.Settled {
			t.Fatalf("hash %x end %d after a panic, want %x and settled: %v", run.Hash, run.End, fresh.Hash, err)
		}
	}
}

func TestAPanicOutsideOfMachinesGoesOnUp(t *testing.T) {
	p := world("A", "check A last nothing")
	p.Protocol.Observe = func(*sim.Run) []sim.Observation { panic("no view") }
	defer func() {
		if r := recover(); r != "no view" {
			t.Errorf("recovered %v, want the panic of Observe", r)
		}
	}()
	_, err := sim.Execute(p)
	t.Errorf("returned %v, want a panic", err)
}

// variety are plans that use much of the engine.
func variety() []*sim.Plan {
	waking := withRules(world("A B", "B x: every 10ms tick; after 4ms t", "wake B until B last leader", "check B last leader", "B y: note on", "settle"),
		rule{"B fired t", "after 9ms u"}, rule{"B fired u", "note leader"})
	busy := busyPlan(4)
	busy.Network.Crash, busy.Network.Keep = 50_000, true
	busy.Network.Restart = sim.Dist{Low: ms, High: ms}
	return []*sim.Plan{waking, busy, flows(20, "at 50ms drop A->B"), rich(11), rich(12),
		world("A B", "partition A | B", "hold A->B", "A x: flow B m", "B y: panic now"), world("A B", "hold A->B", "A x: send B m")}
}

func TestOptionsChangeNothingThatHappens(t *testing.T) {
	for i, p := range variety() {
		want := play(t, p)
		for _, opt := range []sim.Options{{NoTrace: true}, {Record: true}, {Digest: true}, {NoTrace: true, Record: true, Digest: true}, {Until: 1 << 30}} {
			run, err := new(sim.World).Execute(p, opt)
			if err != nil {
				t.Fatal(err)
			}
			if run.Hash != want.Hash || run.Entries != want.Entries || run.Events != want.Events || run.End != want.End || run.Why != want.Why {
				t.Errorf("plan %d with %+v: hash %x, %d entries, %d events, end %d %q; without %x, %d, %d, %d %q", i, opt,
					run.Hash, run.Entries, run.Events, run.End, run.Why, want.Hash, want.Entries, want.Events, want.End, want.Why)
			}
			if !slices.EqualFunc(run.Checks, want.Checks, func(a, b sim.Check) bool { return a.Fails == b.Fails && a.Entry == b.Entry }) {
				t.Errorf("plan %d with %+v: checks %v, without %v", i, opt, run.Checks, want.Checks)
			}
			if opt.NoTrace && len(run.Trace) > 0 {
				t.Errorf("plan %d with %+v: %d entries kept", i, opt, len(run.Trace))
			}
			if fmt.Sprint(run.Stale) != fmt.Sprint(want.Stale) {
				t.Errorf("plan %d with %+v: stale %v, without %v", i, opt, run.Stale, want.Stale)
			}
		}
	}
}

func TestUntilIsAPrefix(t *testing.T) {
	for i, p := range variety() {
		all := play(t, p)
		for n := 1; n <= all.Entries; n += 1 + all.Entries/60 {
			run, err := new(sim.World).Execute(p, sim.Options{Until: n})
			if err != nil {
				t.Fatal(err)
			}
			if run.End != sim.Halted && !(run.End == sim.Panicked && n > all.Entries-3) {
				t.Fatalf("plan %d until %d of %d: end %d", i, n, all.Entries, run.End)
			}
			if run.End == sim.Halted && (len(run.Trace) != n || run.Epilogue > n) {
				t.Fatalf("plan %d until %d: %d entries, epilogue at %d", i, n, len(run.Trace), run.Epilogue)
			}
			for j := range run.Trace {
				if run.Trace[j] != all.Trace[j] {
					t.Fatalf("plan %d until %d: entry %d is %v, want %v", i, n, j, run.Trace[j], all.Trace[j])
				}
			}
			if run.Observe(); len(run.Disks) != len(run.Nodes) {
				t.Fatalf("plan %d until %d: %d disks", i, n, len(run.Disks))
			}
		}
	}
}

func TestTheHashDiffersWhenAnythingDiffers(t *testing.T) {
	base := timed("A B C", "A x: send B m 1; send C m 2", "at 5ms B y: note on")
	seen := map[uint64]string{play(t, base).Hash: "base"}
	for name, script := range map[string][]string{
		"a time":                  {"A x: send B m 1; send C m 2", "at 6ms B y: note on"},
		"a node":                  {"A x: send B m 1; send C m 2", "at 5ms C y: note on"},
		"a peer":                  {"A x: send B m 1; send B m 2", "at 5ms B y: note on"},
		"an order":                {"A x: send C m 2; send B m 1", "at 5ms B y: note on"},
		"a kind":                  {"A x: send B m 1; send C m 2", "at 5ms B y: append on"},
		"one entry more":          {"A x: send B m 1; send C m 2", "at 5ms B y: note on; note on"},
		"a cause":                 {"A x: send B m 1; send C m 2", "when B receives m 1, B y: note on"},
		"a node that is down":     {"A x: send B m 1; send C m 2", "at 5ms B y: note on", "crash C for good"},
		"a crash that comes back": {"A x: send B m 1; send C m 2", "at 5ms B y: note on", "crash C"},
	} {
		h := play(t, timed("A B C", script...)).Hash
		if other, ok := seen[h]; ok {
			t.Errorf("%s: the same hash as %s", name, other)
		}
		seen[h] = name
	}
}

func TestTheDigestCoversBodiesMachinesAndDisks(t *testing.T) {
	digest := func(script ...string) uint64 {
		run, err := new(sim.World).Execute(world("A B", script...), sim.Options{Digest: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Digests) != run.Entries {
			t.Errorf("%d digests of %d entries", len(run.Digests), run.Entries)
		}
		return run.Digest
	}
	base := digest("A x: send B m 1; append r; sync")
	if again := digest("A x: send B m 1; append r; sync"); again != base {
		t.Errorf("two digests of one plan: %x and %x", base, again)
	}
	for name, script := range map[string][]string{
		"a body":   {"A x: send B m 2; append r; sync"},
		"a record": {"A x: send B m 1; append q; sync"},
		"an op":    {"A y: send B m 1; append r; sync"},
	} {
		if digest(script...) == base {
			t.Errorf("%s: the same digest", name)
		}
	}
	if a, b := playDigest(t, 1), playDigest(t, 2); a == b {
		t.Error("machines that differ have the same digest")
	}
	if a, b := playDigest(t, 1), playDigest(t, 1); a != b {
		t.Error("machines that are alike have different digests")
	}
}

// tangled has state that no plain hash can take: a cycle, a function, a map, nothing.
type tangled struct {
	sim.Idle
	self  *tangled
	fn    func()
	table map[string]*int
	_     any
	real  float64
	n     int
}

func playDigest(t *testing.T, n int) uint64 {
	p := world("A B")
	p.Variant.New = func(id sim.NodeID, _ []sim.NodeID) sim.Machine {
		m := &tangled{fn: func() {}, table: map[string]*int{}, real: 0.5}
		for i := range 20 {
			m.table[fmt.Sprint(i)] = &i
		}
		if m.self = m; id == 0 {
			m.n = n
		}
		return m
	}
	run, err := new(sim.World).Execute(p, sim.Options{Digest: true})
	if err != nil {
		t.Fatal(err)
	}
	return run.Digest
}
