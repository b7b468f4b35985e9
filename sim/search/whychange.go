package search

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Change is one decision of a plan made otherwise, and what comes of it.
type Change struct {
	Added  bool           // the action or exception is added, else taken away
	Action *sim.Action    // one of the two
	Told   *sim.Exception // the other
	Says   string         // what breaks then, "" if nothing does
	Parts  int            // the first entry at which the run is another

	at int // of an action that is taken away
}

// changes finds what the failure needs, and the nearest passing run.
func (y *Why) changes(a *Answer) {
	var last *Change
	for _, c := range y.taken() {
		y.try(&c)
		if c.Action == nil || c.Action.Verb != sim.Request {
			a.Needs = append(a.Needs, c)
		}
		if c.Action != nil && c.Action.Verb == sim.Request {
			last = later(last, &c)
			continue
		}
		a.Near = later(a.Near, &c)
	}
	for _, c := range y.held(a) {
		y.try(&c)
		a.Near = later(a.Near, &c)
	}
	if a.Near == nil {
		a.Near = last // without one of the requests, which says least
	}
}

// later is which of two passing changes parts later from the failing run; of equal ones the first.
func later(best, c *Change) *Change {
	if c.Says != "" || best != nil && best.Parts >= c.Parts {
		return best
	}
	d := *c
	return &d
}

// taken are the plan's actions and exceptions, each to be taken away.
func (y *Why) taken() []Change {
	var all []Change
	for i := range actions(y.plan) {
		a := actionAt(y.plan, i)
		switch a.Verb {
		case sim.CheckClaim, sim.Wait:
			continue
		}
		all = append(all, Change{Action: a, at: i})
	}
	for i := range y.plan.Chance {
		all = append(all, Change{Told: &y.plan.Chance[i]})
	}
	return all
}

// mostHeld is how many messages are tried late.
const mostHeld = 100

// held are the messages of the run before the epilogue, the last first, each to come late: in timed
// runs by a delay, in still ones by a hold that the epilogue lifts.
func (y *Why) held(a *Answer) []Change {
	end := min(y.run.Epilogue, len(y.run.Trace))
	if k := a.Guilty + 1; k < len(a.Steps) {
		end = min(end, a.Steps[k].From) // what comes after the guilty event is too late
	}
	var all []Change
	for _, n := range slices.Backward(sendings(y.run, end)) {
		told := func(e sim.Exception) bool { return e.Name == n }
		if len(all) >= mostHeld || slices.ContainsFunc(y.plan.Chance, told) {
			continue
		}
		late := Change{Added: true, Told: &sim.Exception{Name: n, Value: heldFor}}
		if !y.plan.Timed {
			late.Told, late.Action = nil, hold(n)
		}
		all = append(all, late)
	}
	return all
}

// heldFor is how late a message is that comes late.
const heldFor = int64(10 * time.Millisecond)

// sendings are the delays of the messages that a run sent up to an entry, by name.
func sendings(run *sim.Run, end int) []sim.Name {
	var all []sim.Name
	count := map[sim.Name]int32{}
	for i := range run.Trace[:end] {
		e := &run.Trace[i]
		if e.Kind != sim.EntrySent && e.Kind != sim.EntryQueued || e.Peer == sim.ClientEnd {
			continue
		}
		n := sim.Name{What: sim.Delay, At: run.Name(e.Node), To: run.Name(e.Peer),
			Of: e.Body.Kind(), Keys: strings.Join(sim.KeysOf(e.Body), " ")}
		count[n]++
		k := count[n]
		n.N = k
		all = append(all, n)
	}
	return all
}

// hold is the action that holds what a decision is about.
func hold(n sim.Name) *sim.Action {
	return &sim.Action{Verb: sim.Hold, Pattern: sim.Pattern{From: []string{n.At}, To: []string{n.To},
		Kind: n.Of, Keys: strings.Fields(n.Keys), Nth: int(n.N)}}
}

// try plays the changed plan.
func (y *Why) try(c *Change) {
	run, err := y.play(y.changed, changed(y.plan, c), sim.Options{})
	if err != nil {
		c.Says = err.Error()
		return
	}
	c.Says = y.Says(run)
	c.Parts = parts(y.run, run)
}

// changed is a plan with a change.
func changed(p *sim.Plan, c *Change) *sim.Plan {
	q := editable(p)
	switch {
	case c.Added && c.Action != nil:
		q.Script = slices.Insert(q.Script, 0, *c.Action)
	case c.Added:
		q.Chance = append(q.Chance, *c.Told)
	case c.Action != nil:
		return dropActions(p, c.at, c.at+1)
	default:
		q.Chance = slices.DeleteFunc(q.Chance, func(e sim.Exception) bool {
			return e.Name == c.Told.Name
		})
	}
	return q
}

// parts is the first entry at which two runs are not the same.
func parts(a, b *sim.Run) int {
	for i := range min(len(a.Trace), len(b.Trace)) {
		x, y := &a.Trace[i], &b.Trace[i]
		if !same(x, y) || !reflect.DeepEqual(x.Body, y.Body) {
			return i
		}
	}
	return min(len(a.Trace), len(b.Trace))
}
