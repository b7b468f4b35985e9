package search

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// nemesis draws the faults of a seed.
type nemesis struct {
	drawer
	weather Temperament // Calm, Swarm or Storm
}

// has says whether a seed has a kind of fault: once in n in a swarm.
func (d *nemesis) has(n int64, label string) bool {
	switch d.weather {
	case Calm:
		return false
	case Storm:
		return true
	}
	return d.one(n, label)
}

// faults gives a plan faults by chance and by the clock, of the kinds its protocol stands and its
// seed has.
func faults(d *nemesis, p *sim.Plan) {
	stands, n := p.Protocol.Stands, &p.Network
	span := spanOf(p)
	if stands.Has(sim.Losses) && d.has(3, "loss?") {
		each(p, func(l *sim.Link) { l.Loss = sim.PPM(1000 + d.below(100_000, "loss")) })
	}
	if stands.Has(sim.Duplicates) && d.has(3, "duplicate?") {
		each(p, func(l *sim.Link) { l.Duplicate = sim.PPM(1000 + d.below(100_000, "duplicate")) })
	}
	if stands.Has(sim.Breaks) && d.has(3, "break?") {
		n.Break = sim.PPM(1000 + d.below(50_000, "break"))
	}
	if stands.Has(sim.Crashes) && d.has(3, "crash?") {
		n.Crash, n.Crashes = sim.PPM(2000+d.below(60_000, "crash")), 1+int(d.below(3, "crashes"))
		n.Restart = sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: span}
		n.Keep = d.one(2, "keep?")
	}
	if stands.Has(sim.TornRecords) && d.has(3, "torn?") {
		n.Torn = 500_000
		n.Crash, n.Crashes = max(n.Crash, 30_000), 3 // what is torn shows at a later restart
		n.Restart = sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: span}
	}
	if stands.Has(sim.SlowDisks) && d.has(3, "slow?") {
		n.DiskSlow = true
		n.SyncTime = sim.Dist{Shape: sim.Uniform, Low: shortest, High: longest >> d.below(3,
			"sync")}
		n.Told = sim.Dist{Shape: sim.Uniform, High: longest >> (1 + d.below(3, "told"))}
	}
	if stands.Has(sim.LateTimers) && d.has(3, "late?") {
		n.Late = sim.Dist{Shape: sim.Heavy, High: longest}
	}
	byClock(d, p, span)
}

// spanOf is over which time a plan's load comes, at least ten milliseconds.
func spanOf(p *sim.Plan) time.Duration {
	span := 10 * time.Millisecond
	for i := range p.Load {
		span = max(span, p.Load[i].Offset)
	}
	return span
}

// each changes the links between nodes.
func each(p *sim.Plan, change func(*sim.Link)) {
	for i := range p.Network.Links {
		if l := &p.Network.Links[i]; l.From == "*" && l.To == "*" {
			change(l)
		}
	}
}

// byClock adds partitions, pauses, crashes and clock jumps at drawn times.
func byClock(d *nemesis, p *sim.Plan, span time.Duration) {
	stands := p.Protocol.Stands
	at := func(label string, from time.Duration) time.Duration {
		return from + time.Duration(d.below(int64(span), label)).Truncate(time.Microsecond)
	}
	node := func(label string) string { return p.Nodes[d.below(int64(len(p.Nodes)), label)] }
	if stands.Has(sim.Partitions) && len(p.Nodes) > 1 && d.has(3, "partition?") {
		cut := at("partition", 0)
		load(p, cut, partition(&d.drawer, p))
		load(p, at("heal", cut), sim.Action{Verb: sim.Heal})
	}
	if stands.Has(sim.Pauses) && d.has(4, "pause?") {
		n, from := node("paused"), at("pause", 0)
		load(p, from, sim.Action{Verb: sim.Pause, Node: n})
		load(p, at("resume", from), sim.Action{Verb: sim.Resume, Node: n})
	}
	if stands.Has(sim.Crashes) && d.has(4, "crash at?") {
		n, from := node("crashed"), at("crash at", 0)
		load(p, from, sim.Action{Verb: sim.Crash, Node: n})
		load(p, at("restart", from), sim.Action{Verb: sim.Restart, Node: n})
	}
	if stands.Has(sim.Clocks) && d.has(3, "clock?") {
		jump := d.below(int64(2*span), "jump") - int64(span)
		load(p, at("clock", 0), sim.Action{Verb: sim.Jump, Node: node("jumped"), Amount: jump})
	}
	if p.Protocol.Joins && len(p.Nodes) > 2 && d.has(6, "leave?") {
		load(p, at("leave", 0), sim.Action{Verb: sim.Leave, Node: node("leaver")})
	}
	for _, n := range p.Later {
		if !slices.ContainsFunc(p.Load, func(a sim.Action) bool {
			return a.Verb == sim.Join && a.Node == n
		}) {
			load(p, at("join "+n, 0), sim.Action{Verb: sim.Join, Node: n})
		}
	}
}

// partition cuts one node or half of them off, both ways or one way.
func partition(d *drawer, p *sim.Plan) sim.Action {
	var sides [2][]string
	for _, n := range p.Nodes {
		side := d.below(2, "side ", n)
		sides[side] = append(sides[side], n)
	}
	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		sides = [2][]string{p.Nodes[:1:1], p.Nodes[1:]}
	}
	return sim.Action{Verb: sim.Partition, Groups: sides[:], OneWay: d.one(3, "one way?")}
}

// byFact adds a fault that a fact sets off: "when P notes elected, crash P". Random faults seldom
// meet such a moment.
func byFact(d *nemesis, p *sim.Plan, span time.Duration) {
	if len(p.Protocol.Moments) == 0 || !d.has(4, "moment?") {
		return
	}
	m := p.Protocol.Moments[d.below(int64(len(p.Protocol.Moments)), "moment")]
	n := p.Nodes[d.below(int64(len(p.Nodes)), "moment of")]
	a := sim.Action{Maybe: true, Node: n, When: &sim.Trigger{Event: sim.Event{
		Node: n, What: m.What, Kind: m.Kind, Nth: 1 + int(d.below(3, "moment nth"))}}}
	undo := sim.Action{Maybe: true, Node: n}
	switch {
	case p.Protocol.Stands.Has(sim.Crashes) && d.one(2, "moment crash?"):
		a.Verb, undo.Verb = sim.Crash, sim.Restart
	case p.Protocol.Stands.Has(sim.Partitions) && len(p.Nodes) > 1:
		rest := slices.DeleteFunc(slices.Clone(p.Nodes), func(x string) bool { return x == n })
		a = sim.Action{Verb: sim.Partition, Groups: [][]string{{n}, rest}, Maybe: true,
			When: a.When}
		undo = sim.Action{Verb: sim.Heal, Maybe: true}
	default:
		return
	}
	p.Script = append([]sim.Action{a}, p.Script...)
	load(p, time.Duration(d.below(int64(2*span), "moment over")).Truncate(time.Microsecond), undo)
}

// load adds an action by the clock, in order of time.
func load(p *sim.Plan, at time.Duration, a sim.Action) {
	a.Place, a.Offset, a.Maybe = sim.At, at, true
	i := len(p.Load)
	for i > 0 && p.Load[i-1].Offset > at {
		i--
	}
	p.Load = slices.Insert(p.Load, i, a)
}
