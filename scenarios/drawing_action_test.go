package scenarios_test

import (
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"pgregory.net/rapid"
)

func (d *drawing) steps(load bool) []scenarios.Step {
	var steps []scenarios.Step
	at := time.Duration(0)
	for i := range d.upTo(4) {
		st := scenarios.Step{Action: d.action(load), Comments: d.comments()}
		st.Apart = i > 0 && d.rarely()
		if st.Place == sim.At {
			at += st.Offset
			st.Offset = at
		}
		st.Text = scenarios.ActionText(st.Action)
		steps = append(steps, st)
	}
	if len(d.names) > 0 && !load {
		for _, text := range []string{"hold *->$who row $what", "$who put $what"} {
			steps = append(steps, scenarios.Step{Action: sim.Action{Text: text}, Comments: d.comments()})
		}
	}
	return steps
}

func (d *drawing) action(load bool) sim.Action {
	var a sim.Action
	if d.rarely() {
		a.For = []string{"a", "c"}[:1+d.upTo(1)]
	}
	a.Maybe = d.rarely()
	if load || d.timed && d.rarely() {
		a.Place, a.Offset = sim.Place(1+d.upTo(1)), d.duration()
	}
	if load {
		a.Place = sim.At
	}
	d.deed(&a)
	waits := a.Verb == sim.Settle || a.Verb == sim.Wake || a.Verb == sim.Until || a.Verb == sim.Wait
	if load && waits {
		a.Verb, a.Node, a.Words, a.Claim, a.Event = sim.Restart, d.node(), nil, sim.Claim{}, sim.Event{}
	} else if !load && !waits && d.rarely() {
		a.When = &sim.Trigger{Event: d.event(), Before: d.coin(), Every: d.coin()}
		trigger := func(w string) bool {
			return slices.Contains([]string{"for", "after", "at", "maybe"}, w) || strings.HasSuffix(w, ":")
		}
		e := &a.When.Event
		if trigger(e.Kind) || slices.ContainsFunc(e.Keys, trigger) {
			e.Kind, e.Keys = "row", nil
		}
	}
	return a
}

func (d *drawing) deed(a *sim.Action) {
	verbs := []sim.Verb{
		sim.Request, sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Drop, sim.Duplicate,
		sim.Crash, sim.Restart, sim.Pause, sim.Resume, sim.Join, sim.Leave, sim.Heal, sim.Jump, sim.Drift,
		sim.SpoilDisk, sim.Settle, sim.Wake, sim.CheckClaim,
	}
	if len(d.nodes) > 1 {
		verbs = append(verbs, sim.Partition)
	}
	if d.timed {
		verbs = append(verbs, sim.Until)
	}
	if a.Place != sim.InTurn {
		verbs = append(verbs, sim.Wait)
	}
	a.Verb = rapid.SampledFrom(verbs).Draw(d.t, "verb")
	switch a.Verb {
	case sim.Request:
		a.Node, a.Words = d.node(), append([]string{d.word()}, list(d, 2, d.word)...)
		a.Client = d.upTo(2)
	case sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Drop, sim.Duplicate:
		a.Pattern = d.pattern()
	case sim.Crash:
		a.Node, a.Forever = d.node(), d.coin()
	case sim.Restart, sim.Pause, sim.Resume, sim.Join, sim.Leave:
		a.Node = d.node()
	case sim.Jump:
		a.Node, a.Amount = d.node(), int64(d.duration())*int64(2*d.upTo(1)-1)
	case sim.Drift:
		a.Node, a.Amount = d.node(), int64(d.upTo(400)-200)
	case sim.SpoilDisk:
		a.Node, a.Fault = d.node(), sim.DiskFault(1+d.upTo(3))
		if a.Fault == sim.DiskKeep {
			a.Amount = int64(d.upTo(3))
		}
	case sim.Wake:
		a.Node, a.Claim = d.node(), d.claim()
	case sim.CheckClaim:
		a.Claim = d.claim()
	case sim.Until:
		a.Event = d.event()
	case sim.Partition:
		some := d.distinct(d.nodes...)
		for len(some) < 2 {
			some = d.nodes[:2]
		}
		at := 1 + d.upTo(len(some)-2)
		a.Groups, a.OneWay = [][]string{some[:at], some[at:]}, d.coin()
		if len(some)-at > 1 && d.coin() {
			a.Groups = [][]string{some[:at], some[at : at+1], some[at+1:]}
		}
	}
}

func (d *drawing) pattern() sim.Pattern {
	var p sim.Pattern
	switch d.upTo(3) {
	case 0:
		p.From, p.To = []string{d.one("log", "disk", "clock", "client")}, d.distinct(d.nodes...)
	case 1:
		p.From, p.To = []string{"*"}, []string{d.one("log", "disk", "client")}
	case 2:
		p.From, p.To = d.distinct(append([]string{"*", "log"}, d.nodes...)...), d.distinct(d.nodes...)
	default:
		p.From, p.To = d.distinct(d.nodes...), []string{"*"}
	}
	p.Kind, p.Keys, p.Nth = d.matter()
	return p
}

func (d *drawing) matter() (kind string, keys []string, nth int) {
	if d.coin() {
		kind, keys = d.kind(), list(d, 2, d.kind)
	}
	return kind, keys, d.upTo(23)
}

func (d *drawing) event() sim.Event {
	e := sim.Event{Node: d.one(append([]string{"*"}, d.nodes...)...), What: sim.EventKind(1 + d.upTo(7))}
	e.Kind, e.Keys, e.Nth = d.matter()
	return e
}

func (d *drawing) claim() sim.Claim {
	who := []string{"*"}
	if d.coin() {
		who = d.distinct(d.nodes...)
	}
	value := func() string { return d.one("data", "x", "2nd", "z:", "holds", "é", "by", "...") }
	return sim.Claim{Who: who, Words: append([]string{d.one("side", "role")}, list(d, 2, value)...)}
}
