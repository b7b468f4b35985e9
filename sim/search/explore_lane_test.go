package search_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// echo is a blank that reacts to the log lane as well: to "logged x", and to "logged x by P". It keeps
// in mind what it has heard from there that a reaction asks for.
type echo struct {
	blank
	seen map[string]int
}

func (e *echo) Notice(env *sim.Env, n sim.Notice) {
	p := e.probe()
	maps.Copy(p.seen, e.seen)
	p.Notice(env, n)
	if n.What == sim.Logged {
		p.heard(env, "logged "+sim.Text(n.Body)+" by "+env.Name(n.Peer))
	}
	maps.DeleteFunc(p.seen, func(text string, _ int) bool {
		return !slices.ContainsFunc(env.Setup, func(r any) bool {
			return strings.Contains(r.(reaction).do, "if "+text)
		})
	})
	e.seen = p.seen
}

// echoes is a protocol of them, without streams where none is used: who has some is not taken for
// one that can be away.
func echoes(x tiny) *sim.Protocol {
	p := blanks(x)
	p.Variants[0].New = func(sim.NodeID, []sim.NodeID) sim.Machine { return &echo{} }
	if !strings.Contains(fmt.Sprint(x.rules, x.script), "flow ") {
		p.Lanes = nil
	}
	return p
}

// lanes are stories of a log lane that are explored in full and reduced, each with a race: at least
// so many final states are there of it, by what nodes note.
var lanes = []struct {
	tiny
	final int
}{
	// Two publishers: the order of the lane is the same for all.
	{tiny{nodes: "P Q R", rules: []reaction{{"* logged x", "note a"}, {"* logged y", "note b"}},
		script: []string{"P publish x", "Q publish y"}}, 2},
	// The lane and a message race at Q.
	{tiny{nodes: "P Q", rules: []reaction{{"Q logged x", "note a"}, {"Q got y", "note b"}},
		script: []string{"P publish x; send Q y"}}, 2},
	// R hears of x by Q, or from the lane first.
	{tiny{nodes: "P Q R", rules: []reaction{{"Q logged x", "send R y"}, {"R got y", "note b"}, {"R logged x", "note a"}},
		script: []string{"P publish x"}}, 2},
	// What x leads to gets its place after it, or after z as well.
	{tiny{nodes: "P Q R", rules: []reaction{{"Q logged x", "publish y"}, {"R logged y", "note a"}, {"R logged z", "note b"}},
		script: []string{"P publish x", "R publish z"}}, 2},
	// Q publishes once P has asked it to: before x has its place, or after.
	{tiny{nodes: "P Q R", rules: []reaction{{"Q got y", "publish y"}, {"R logged x", "note a"}, {"R logged y", "note b"}},
		script: []string{"P publish x; send Q y"}}, 2},
	// A crash for good takes a place on the lane.
	{tiny{nodes: "P Q R", rules: []reaction{{"R members 2", "note a"}, {"R logged x", "note b"}},
		script: []string{"P publish x", "fall Q"}}, 2},
	// What is sent to who falls, and what it has sent.
	{tiny{nodes: "P Q R", rules: []reaction{{"Q got x", "send R y"}, {"R got y", "note a"}, {"R members 2", "note b"}},
		script: []string{"P send Q x", "fall Q"}}, 3},
	// What R says depends on both that are logged, in their order.
	{tiny{nodes: "P Q R", rules: []reaction{{"R logged z", "if logged x; send Q y"}, {"Q got w", "note a"}, {"Q got y", "note b"}},
		script: []string{"P publish x; send Q w", "R publish z"}}, 3},
	// The same by two: R tells P only of what Q has published.
	{tiny{nodes: "P Q R", rules: []reaction{{"R logged x by Q", "send P z"}, {"P got w", "note a"}, {"P got z", "note b"}},
		script: []string{"P publish x", "Q publish x; send P w"}}, 2},
	// Q comes back at any time, and the lane says so.
	{tiny{nodes: "P Q R", rules: []reaction{{"P members 3", "note b"}, {"P got w", "note a"}},
		script: []string{"R send P w", "crash Q"}}, 2},
	// The same twice, of two senders.
	{tiny{nodes: "P Q R", rules: []reaction{{"R logged x", "note a; send P z"}, {"P got z", "note b"}},
		script: []string{"P publish x", "Q publish x"}}, 1},
}

// fallen is a plan in which lines "fall NODE" are crashes for good.
func (x tiny) fallen(p *sim.Protocol) *sim.Plan {
	y := x
	y.script = nil
	var falls []sim.Action
	for _, l := range x.script {
		if who, ok := strings.CutPrefix(l, "fall "); ok {
			falls = append(falls, sim.Action{Verb: sim.Crash, Node: who, Forever: true})
			continue
		}
		y.script = append(y.script, l)
	}
	plan := y.plan(p, p.Variants[0])
	plan.Script = append(plan.Script, falls...)
	return plan
}

// sameReduced compares what is explored in full and reduced, and gives how many states each took.
func sameReduced(t *testing.T, plan *sim.Plan, opt sim.WalkOptions) (full, reduced int64, final int) {
	t.Helper()
	all, every := explored(t, plan, opt, true, 1)
	few, some := explored(t, plan, opt, false, 1)
	if why := few.against(all); why != "" {
		t.Errorf("%+v: reduced: %s", opt, why)
	}
	if _, more := explored(t, plan, opt, false, 3); more.States != some.States || more.Ends != some.Ends {
		t.Errorf("%+v: %d states and %d ends with 3 jobs, %d and %d with one", opt, more.States, more.Ends, some.States, some.Ends)
	}
	return every.States, some.States, len(all.states)
}

func TestALogLaneIsReducedToTheSameEnds(t *testing.T) {
	var full, reduced int64
	for _, x := range lanes {
		x.model = "logged probes"
		t.Run(fmt.Sprint(x.script, x.rules), func(t *testing.T) {
			for _, p := range []*sim.Protocol{echoes(x.tiny), x.protocol()} {
				for _, opt := range []some{{}, {Deep: true}, {History: true}, {Deep: true, Order: true}} {
					a, b, final := sameReduced(t, x.fallen(p), opt)
					if full, reduced = full+a, reduced+b; len(p.Properties) == 1 && final < x.final {
						t.Errorf("%d final states, want at least %d", final, x.final)
					}
				}
			}
		})
	}
	if t.Logf("%d states in full, %d reduced", full, reduced); 4*reduced > 3*full {
		t.Errorf("%d states reduced, %d in full, want three quarters at most", reduced, full)
	}
}

// drawnLane is a random story of a log lane.
func drawnLane(seed uint64) tiny {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	x := tiny{model: "logged probes", nodes: pick("P Q", "P Q R", "P Q R")}
	nodes := strings.Fields(x.nodes)
	deeds := func(most int, told ...string) string {
		var do []string
		for range 1 + r.IntN(most) {
			what := pick("note a", "note b", "append r", "return 1", "after 1ms t")
			if len(told) > 0 && r.IntN(4) > 0 {
				what = pick("send "+pick(nodes...)+" ", "send "+pick(nodes...)+" ", "flow "+pick(nodes...)+" ", "publish ") + pick(told...)
			}
			do = append(do, what)
		}
		return strings.Join(do, "; ")
	}
	for range 3 + r.IntN(3) {
		x.rules = append(x.rules, reaction{pick(append(nodes, "*")...) + " " + pick("got x", "logged x"), deeds(2, "y", "z")},
			reaction{pick(append(nodes, "*")...) + " " + pick("got y", "logged y"), deeds(2, "z")},
			reaction{pick(append(nodes, "*")...) + " " + pick("got z", "logged z", "members 2", "fired t"), deeds(1)})
	}
	x.rules = x.rules[:3+r.IntN(3)]
	for range 1 + r.IntN(2) {
		x.script = append(x.script, pick("", "", "", "1 ")+pick(nodes...)+" "+deeds(2, "x", "x", "y"))
	}
	if r.IntN(3) == 0 {
		x.script = append(x.script, "fall "+pick(nodes...))
	}
	return x
}

// drawnBounds are those of a drawn story: its past as properties read it, or one fault.
func drawnBounds(seed uint64) some {
	return []some{{Deep: true}, {Timers: 1}, {History: true}, {Order: true}, {Losses: 1},
		{Duplicates: 1}, {Deep: true, Timers: 1}}[seed%7]
}

// More of them by SOUND=FROM-TO.
func TestDrawnStoriesOfALogLaneAreReducedToTheSameEnds(t *testing.T) {
	from, to := uint64(1), uint64(12)
	if a, b, ok := strings.Cut(os.Getenv("SOUND"), "-"); ok {
		from, _ = strconv.ParseUint(a, 10, 64)
		to, _ = strconv.ParseUint(b, 10, 64)
	}
	var full, reduced, compared int64
	seeds := []uint64{39, 307} // which showed something once
	for seed := from; seed <= to; seed++ {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		x := drawnLane(seed)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			for _, p := range []*sim.Protocol{echoes(x), x.protocol()} {
				for _, opt := range []some{{}, drawnBounds(seed)} {
					plan := x.fallen(p)
					if isSmall(t, plan, opt) {
						a, b, _ := sameReduced(t, plan, opt)
						full, reduced, compared = full+a, reduced+b, compared+1
					}
				}
			}
			if t.Failed() {
				t.Logf("nodes %s, rules %q, script %q", x.nodes, x.rules, x.script)
			}
		})
	}
	t.Logf("%d compared, %d states in full, %d reduced", compared, full, reduced)
	if compared < int64(len(seeds)) {
		t.Errorf("%d stories were compared, want %d", compared, len(seeds))
	}
}

// isSmall says that a story has at most so many states that it may be explored in full.
func isSmall(t *testing.T, plan *sim.Plan, opt sim.WalkOptions) bool {
	t.Helper()
	x, err := search.Explore(search.Exploration{Plan: plan, Walk: opt, Full: true, All: true, Jobs: 1,
		MaxStates: 1000, Judge: func(*sim.Run) search.Finding { return search.Finding{} }})
	if err != nil {
		t.Fatal(err)
	}
	return x.Complete
}
