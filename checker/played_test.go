package checker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// A shop is one register, kept by the first node; the others pass requests on to it, and keep a
// copy of what it has told them.
type (
	passed struct {
		Call sim.CallID
		Op   string
	}
	shopped struct {
		Call sim.CallID
		Got  got
	}
	copied struct{ Value string }
	shop   struct {
		sim.Idle
		local bool // a get is answered from the copy
		held  string
	}
)

func (passed) Kind() string  { return "passed" }
func (shopped) Kind() string { return "shopped" }
func (copied) Kind() string  { return "copied" }

func (s *shop) Start(env *sim.Env) {
	for n := sim.LSN(1); n <= env.Disk.Last(); n++ {
		s.held = string(env.Disk.At(n).(got))
	}
}

func (s *shop) Invoke(env *sim.Env, c sim.Call) {
	op := string(c.Op.(asked))
	switch {
	case env.ID == 0:
		env.Return(c.ID, s.serve(env, op))
	case s.local && op == "get x":
		env.Return(c.ID, got(s.held))
	default:
		env.Send(0, passed{c.ID, op})
	}
}

func (s *shop) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case passed:
		env.Send(from, shopped{m.Call, s.serve(env, m.Op)})
	case shopped:
		env.Return(m.Call, m.Got)
	case copied:
		s.held = m.Value
	}
}

func (s *shop) serve(env *sim.Env, op string) got {
	value, sets := strings.CutPrefix(op, "set x ")
	if !sets {
		return got(s.held)
	}
	s.held = value
	env.Disk.Append(got(value))
	env.Disk.Sync()
	for _, n := range env.Nodes[1:] {
		env.Send(n, copied{value})
	}
	return "ok"
}

// shopping is a timed run of three clients at three nodes, with losses, crashes and time-outs.
func shopping(t *testing.T, local bool, seed uint64) *sim.Run {
	t.Helper()
	protocol := &sim.Protocol{Name: "shop",
		ParseOp: func(w []string) (sim.Op, error) { return asked(strings.Join(w, " ")), nil }}
	plan := &sim.Plan{
		Protocol: protocol,
		Variant: sim.Variant{Name: "plain",
			New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &shop{local: local} }},
		Nodes: []string{"P", "Q", "R"},
		Timed: true,
		Seed:  seed,
		Network: sim.Network{
			Links: []sim.Link{{From: "*", To: "*", Loss: 20_000,
				Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 9 * time.Millisecond}}},
			Crash: 10_000, Crashes: 2, Timeout: 40 * time.Millisecond,
			Restart: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 9 * time.Millisecond},
		},
	}
	draws := sim.Draws{Nodes: plan.Nodes, Seed: seed}
	for i := range 40 {
		a := sim.Action{Verb: sim.Request, Node: draws.Node("node", i), Client: 1 + i%3, Place: sim.At,
			Offset: time.Duration(i) * 2 * time.Millisecond, Words: []string{"get", "x"}}
		if draws.Int(2, "what", i) == 0 {
			a.Words = []string{"set", "x", fmt.Sprint(i + 1)}
		}
		plan.Load = append(plan.Load, a)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestTheEnginesHistoriesAreWellFormedAndJudged(t *testing.T) {
	property := checker.Linearizable(registers)
	fates, stale := map[checker.Fate]int{}, 0
	for seed := uint64(1); seed <= 200; seed++ {
		run := shopping(t, false, seed)
		h, err := checker.ReadHistory(run)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, o := range h {
			fates[o.Fate]++
		}
		if v := checker.Judge(run, []sim.Property{property}); v.Outcome != checker.Holds {
			t.Errorf("seed %d: got %v, %+v, want holds", seed, v.Outcome, v.Findings[0].Violation)
		}
		switch v := checker.Judge(shopping(t, true, seed), []sim.Property{property}); v.Outcome {
		case checker.Broken:
			stale++
		case checker.Holds:
		default:
			t.Errorf("seed %d, reading copies: got %v, want a verdict", seed, v.Outcome)
		}
	}
	if stale < 100 {
		t.Errorf("%d of 200 runs that read copies are wrong, want most", stale)
	}
	for _, f := range []checker.Fate{checker.Unknown, checker.Returned, checker.Refused} {
		if fates[f] < 20 {
			t.Errorf("%d operations are %v, want more of them, or the run tests little: %v", fates[f], f, fates)
		}
	}
	t.Logf("%d of 200 runs that read copies are wrong; operations: %v", stale, fates)
}
