package search_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// word is every body of the race: a request, a message, a fact.
type word string

func (w word) Kind() string { return string(w) }

// racer is a node of the race: on "go" A and C tell B, which says "bad" if A's word comes first and
// "good" if C's does. On "idle" nothing happens; on "doom" A says "bad" itself.
type racer struct {
	sim.Idle
	seen bool
}

func (r *racer) Invoke(env *sim.Env, c sim.Call) {
	switch c.Op.Kind() {
	case "go":
		env.Send(1, word("ball"))
	case "doom":
		env.Note(word("bad"))
	}
	env.Return(c.ID, word("done"))
}

func (r *racer) Receive(env *sim.Env, from sim.NodeID, _ sim.Message) {
	if r.seen {
		return
	}
	r.seen = true
	if from == 0 {
		env.Note(word("bad"))
		return
	}
	env.Note(word("good"))
}

var raceWorld = &sim.Protocol{
	Name:     "race",
	Variants: []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &racer{} }}},
	ParseOp:  func(words []string) (sim.Op, error) { return word(words[0]), nil },
	Stands:   sim.Losses,
}

// ask is a request of a script.
func ask(node, what string) sim.Action {
	return sim.Action{Verb: sim.Request, Node: node, Words: []string{what}}
}

// race is a plan of the race, in which everything takes a millisecond if it is timed.
func race(timed bool, script ...sim.Action) *sim.Plan {
	p := &sim.Plan{Protocol: raceWorld, Variant: raceWorld.Variants[0], Nodes: []string{"A", "B", "C"},
		Timed: timed, Script: script}
	if timed {
		p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: time.Millisecond}}}
	}
	return p
}

// said is how often a fact was noted.
func said(run *sim.Run, fact string) []int {
	var at []int
	for i, e := range run.Trace {
		if e.Kind == sim.EntryNoted && e.Body.Kind() == fact {
			at = append(at, i)
		}
	}
	return at
}

// bad asks why "bad" was noted.
func bad(p *sim.Plan) *search.Why {
	return &search.Why{
		Plan:  p,
		Fails: func(run *sim.Run) bool { return len(said(run, "bad")) > 0 },
		Says: func(run *sim.Run) string {
			if len(said(run, "bad")) > 0 {
				return "bad"
			}
			return ""
		},
	}
}

// unheard asks why "good" was not noted.
func unheard(p *sim.Plan) *search.Why {
	return &search.Why{
		Plan:  p,
		Fails: func(run *sim.Run) bool { return len(said(run, "good")) == 0 },
		Says: func(run *sim.Run) string {
			if len(said(run, "good")) == 0 {
				return "unheard"
			}
			return ""
		},
	}
}

// answer asks, with the notes of "bad" as the witness.
func answer(t *testing.T, y *search.Why) *search.Answer {
	t.Helper()
	a, err := y.Ask(func(run *sim.Run) []int { return said(run, "bad") })
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// event is a step in words: "B receives ball from A".
func event(run *sim.Run, s search.Step) string {
	e := run.Trace[s.From]
	text := run.Name(e.Node) + " " + e.Kind.String()
	if e.Body != nil {
		text += " " + e.Body.Kind()
	}
	if e.Kind == sim.EntryDelivered {
		text += " from " + run.Name(e.Peer)
	}
	return text
}

func lost(node string) sim.Exception {
	return sim.Exception{Name: sim.Name{What: sim.Lost, At: node, To: "B", Of: "ball", N: 1}, Value: 1}
}

// TestTheGuiltyEventIsNamed plants the guilty event: it is known from the protocol alone.
func TestTheGuiltyEventIsNamed(t *testing.T) {
	late := sim.Exception{Name: sim.Name{What: sim.Delay, At: "C", To: "B", Of: "ball", N: 1},
		Value: int64(5 * time.Millisecond)}
	delayed := race(true, ask("C", "go"), ask("A", "go"))
	delayed.Chance = []sim.Exception{late}
	dropped := race(true, ask("C", "go"))
	dropped.Chance = []sim.Exception{lost("C")}
	hold := sim.Action{Verb: sim.Hold, Pattern: sim.Pattern{From: []string{"C"}, To: []string{"B"}}}
	var busy []sim.Action
	for range 60 {
		busy = append(busy, ask("B", "idle"))
	}
	for _, c := range []struct {
		name  string
		why   *search.Why
		event string
		fresh search.Freshness
	}{
		{"the delivery that overtakes, in timed time", bad(delayed), "B receives ball from A", search.Order},
		{"the delivery that overtakes, in still time", bad(race(false, hold, ask("C", "go"), ask("A", "go"))),
			"B receives ball from A", search.Order},
		{"the same among many others", bad(race(false, slices.Concat(busy, []sim.Action{hold, ask("C", "go"),
			ask("A", "go")}, busy)...)), "B receives ball from A", search.Order},
		{"the step in which a message is lost", unheard(dropped), "C arrives go", search.Chance},
		{"the request, where chance has no say", bad(race(false, ask("A", "idle"), ask("C", "go"), ask("A", "doom"),
			ask("A", "go"))), "A arrives doom", search.Request},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := answer(t, c.why)
			if got := event(a.Run, a.Steps[a.Guilty]); got != c.event || a.Curve.Fresh != c.fresh {
				t.Errorf("guilty is %q, fresh %d, want %q, fresh %d; curve %v", got, a.Curve.Fresh, c.event, c.fresh,
					a.Curve.Moments)
			}
			if a.After-a.Before < a.Curve.Futures/8 || a.After > a.Curve.Futures {
				t.Errorf("%d of %d futures fail before it and %d after it, want a jump", a.Before, a.Curve.Futures,
					a.After)
			}
		})
	}
}

// TestAFailureThatTheEpilogueBringsIsDoneByAnEvent asks about a run that fails though nothing is
// asked: there is nothing to blame but the event that does it.
func TestAFailureThatTheEpilogueBringsIsDoneByAnEvent(t *testing.T) {
	p := race(false, ask("B", "idle"))
	ends := *raceWorld
	ends.Final = func([]string) []sim.Action { return []sim.Action{ask("C", "idle"), ask("A", "doom")} }
	p.Protocol = &ends
	a := answer(t, bad(p))
	if got := event(a.Run, a.Steps[a.Guilty]); got != "A arrives doom" || a.Curve.Fresh != search.Nothing {
		t.Errorf("guilty is %q, fresh %d, want \"A arrives doom\", fresh %d", got, a.Curve.Fresh, search.Nothing)
	}
}

// TestTheCurveIsTheChanceOfTheRace compares the share of failing futures before the race with that
// of two alike messages, of which either may come first: a half, but for the quarter of all networks
// in which everything takes the same time, and C's word comes first.
func TestTheCurveIsTheChanceOfTheRace(t *testing.T) {
	p := race(true, ask("C", "go"), ask("A", "go"))
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.Delay, At: "C", To: "B", Of: "ball", N: 1}, Value: 1}}
	y := bad(p)
	y.Futures = 400
	a := answer(t, y)
	if first := a.Curve.Moments[0].Failing; first < 110 || first > 190 {
		t.Errorf("%d of 400 futures fail from the start, want about 150", first)
	}
	if a.After != 400 {
		t.Errorf("%d of 400 futures fail after the guilty event, want all", a.After)
	}
}

// TestTheEventThatLeavesNoHopeIsNamedBesideTheGuiltyOne loses C's ball, after which most futures fail,
// but not those that lose A's as well. Whether that is lost is decided when it is sent: all fail after
// that.
func TestTheEventThatLeavesNoHopeIsNamedBesideTheGuiltyOne(t *testing.T) {
	p := race(true, ask("C", "go"), ask("A", "go"))
	p.Chance = []sim.Exception{lost("C")}
	a := answer(t, bad(p))
	guilty, doomed := event(a.Run, a.Steps[a.Guilty]), "none"
	if a.Doomed >= 0 {
		doomed = event(a.Run, a.Steps[a.Doomed])
	}
	if guilty != "C arrives go" || doomed != "A arrives go" || a.After >= a.Curve.Futures {
		t.Errorf("guilty is %q, and %d of %d fail after it; all after %q: want \"C arrives go\", fewer than all, "+
			"and \"A arrives go\"; curve %v", guilty, a.After, a.Curve.Futures, doomed, a.Curve.Moments)
	}
}

func TestAJumpIsClearIfItIsMoreThanNoise(t *testing.T) {
	for _, c := range []struct {
		before, after, of int
		clear             bool
	}{
		{13, 15, 16, false}, {31, 40, 64, false}, {0, 2, 16, false}, {14, 42, 64, true}, {31, 64, 64, true},
		{0, 16, 16, true}, {5, 5, 16, false},
	} {
		a := search.Answer{Before: c.before, After: c.after, Curve: search.Curve{Futures: c.of}}
		if a.Clear() != c.clear {
			t.Errorf("from %d to %d of %d: clear is %v, want %v", c.before, c.after, c.of, !c.clear, c.clear)
		}
	}
}

func TestWhereNothingBrokeThereIsNoWhy(t *testing.T) {
	_, err := bad(race(true, ask("C", "go"))).Ask(func(*sim.Run) []int { return nil })
	if !errors.Is(err, search.ErrHolds) {
		t.Errorf("error %v, want %v", err, search.ErrHolds)
	}
}

func TestWhyIsTheSameEachTime(t *testing.T) {
	p := race(true, ask("C", "go"), ask("A", "go"), ask("C", "go"), ask("A", "go"))
	for p.Seed = 1; p.Seed < 100; p.Seed++ {
		p.Network.Links[0].Delay = sim.Dist{Shape: sim.Uniform, High: 9 * time.Millisecond}
		if run, err := sim.Execute(p); err != nil {
			t.Fatal(err)
		} else if len(said(run, "bad")) > 0 {
			break
		}
	}
	text := func(seed uint64) string {
		y := bad(p)
		y.Seed = seed
		a := answer(t, y)
		return fmt.Sprintf("%v guilty %d of %v, slice %v, %d runs, near %+v", a.Curve, a.Guilty, a.Steps, a.Slice,
			a.Runs, *a.Near)
	}
	one, again, other := text(3), text(3), text(4)
	if strip(one) != strip(again) {
		t.Errorf("under one seed it is\n%s\nthen\n%s", one, again)
	}
	if strip(one) == strip(other) {
		t.Errorf("under two seeds it is alike, so the seed decides nothing:\n%s", one)
	}
}

// strip takes addresses out.
func strip(text string) string {
	words := strings.Fields(text)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.Contains(w, "0x") }), " ")
}

// TestWhatAFailureNeedsIsSaid takes each fault away, of which one alone matters.
func TestWhatAFailureNeedsIsSaid(t *testing.T) {
	p := race(true, ask("C", "go"), ask("A", "idle"), sim.Action{Verb: sim.Crash, Node: "A"})
	p.Chance = []sim.Exception{lost("C")}
	a := answer(t, unheard(p))
	if len(a.Needs) != 2 || a.Needs[0].Action == nil || a.Needs[0].Action.Verb != sim.Crash ||
		a.Needs[0].Says != "unheard" || a.Needs[1].Told == nil || a.Needs[1].Says != "" {
		t.Errorf("needs are %+v, want the crash, without which it still fails, and the loss", a.Needs)
	}
	if a.Near == nil || a.Near.Added || a.Near.Told == nil || a.Near.Told.Name.What != sim.Lost {
		t.Errorf("the nearest passing run is %+v, want the one without the loss", a.Near)
	}
}

// TestTheNearestPassingRunPartsLast has two messages, either of which could have come late: the
// later one makes the run that is the same for longer.
func TestTheNearestPassingRunPartsLast(t *testing.T) {
	p := race(false, sim.Action{Verb: sim.Hold, Pattern: sim.Pattern{From: []string{"C"}, To: []string{"B"}}},
		ask("C", "go"), ask("A", "go"))
	a := answer(t, bad(p))
	if a.Near == nil || !a.Near.Added || a.Near.Action == nil || a.Near.Action.Pattern.From[0] != "A" {
		t.Fatalf("the nearest passing run is %+v, want the one with A's ball held", a.Near)
	}
	if got := a.Near.Parts; got != a.Steps[a.Guilty].From {
		t.Errorf("it is the same up to entry %d, want up to the guilty delivery, %d", got, a.Steps[a.Guilty].From)
	}
	want := []string{"A sends ball", "B receives ball from A", "B notes bad"}
	var got []string
	for _, i := range a.Slice {
		got = append(got, event(a.Run, search.Step{From: i}))
	}
	if !reflect.DeepEqual(got[len(got)-2:], want[1:]) || slices.Contains(got, "C sends ball") {
		t.Errorf("the slice is %q, want no word of C, and at its end %q", got, want[1:])
	}
}

func TestThePastIsWhatHappenedBefore(t *testing.T) {
	run, err := sim.Execute(race(false, ask("C", "idle"), ask("C", "go"), ask("A", "go")))
	if err != nil {
		t.Fatal(err)
	}
	past := search.Past(run, said(run, "good"))
	for i, e := range run.Trace[:run.Epilogue] {
		who, later := run.Name(e.Node), i > said(run, "good")[0]
		want := !later && (e.Kind.Local() || e.Kind == sim.EntryInvoked) && who != "A"
		if e.Kind == sim.EntryInvoked && e.Body.Kind() == "idle" && who == "C" {
			want = true // C took it up before it sent
		}
		if past[i] != want && e.Kind != sim.EntryReturned {
			t.Errorf("entry %d, %s: in the past is %v, want %v", i, event(run, search.Step{From: i}), past[i], want)
		}
	}
}
