package model_test

import (
	"cmp"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/downset/downset/sim"
)

// What rapid draws is a plan: a cluster, a workload, faults, the temper of the network, exceptions
// from what chance would choose, and last a seed. How things come out is the seed's business, and
// our own shrinker's, which knows a run better than rapid does. Zero is always the plainest choice,
// and no element of a list means another thing when one before it goes.

// drawer draws plans of one variant of a protocol.
type drawer struct {
	protocol *sim.Protocol
	variant  sim.Variant
	nodes    int // at most
	requests int // at most
}

// plan is one plan.
func (d *drawer) plan(t *rapid.T) *sim.Plan {
	p := &sim.Plan{Protocol: d.protocol, Variant: d.variant, Timed: true}
	p.Nodes = []string{"P", "Q", "R", "S", "T"}[:rapid.SampledFrom(d.sizes()).Draw(t, "nodes")]
	if d.protocol.Joins && rapid.Bool().Draw(t, "joins") {
		p.Later = []string{"X"}
	}
	p.Load = d.workload(t, p)
	for _, f := range rapid.SliceOfN(rapid.Custom(d.fault), 0, 3).Draw(t, "faults") {
		f.into(p)
	}
	for i, name := range p.Later {
		insert(p, sim.Action{Verb: sim.Join, Node: name, Offset: moment.Draw(t, "join") + time.Duration(i)})
	}
	d.network(t, p)
	p.Chance = d.exceptions(t, p)
	p.Seed = seed(t)
	return p
}

// sizes are the numbers of nodes, the plainest first.
func (d *drawer) sizes() []int {
	all := []int{2, 3, 4, 5, 1}
	return slices.DeleteFunc(all, func(n int) bool { return n > d.nodes })
}

// seed is made of single bits, since rapid's numbers are mostly small. All false is seed 0: nothing
// is left to chance.
func seed(t *rapid.T) uint64 {
	bits := uint64(0)
	for range 32 {
		bits <<= 1
		if rapid.Bool().Draw(t, "seed") {
			bits |= 1
		}
	}
	return bits
}

// moment is a time within a run.
var moment = rapid.Map(rapid.IntRange(0, 60), func(n int) time.Duration {
	return time.Duration(n) * 500 * time.Microsecond
})

// workload is some of the requests of a load that the protocol draws, each once, at other times.
func (d *drawer) workload(t *rapid.T, p *sim.Plan) []sim.Action {
	if d.protocol.Draw == nil {
		return nil
	}
	draws := &sim.Draws{Nodes: p.Nodes, Clients: 3, Ops: 4 * d.requests,
		Span: 30 * time.Millisecond, Seed: 1}
	if d.protocol.Cluster != nil {
		draws.Later = p.Later
		draws.Setup = d.protocol.Cluster(draws)
		p.Setup = draws.Setup
	}
	pool := d.protocol.Draw(draws)
	one := rapid.Custom(func(t *rapid.T) pick {
		return pick{rapid.IntRange(0, len(pool)-1).Draw(t, "request"), moment.Draw(t, "at"),
			rapid.IntRange(0, 3).Draw(t, "client")}
	})
	var load []sim.Action
	picks := rapid.SliceOfNDistinct(one, 1, d.requests, func(k pick) int { return k.request })
	for _, k := range picks.Draw(t, "workload") {
		a := pool[k.request]
		a.Place, a.Offset, a.Client = sim.At, k.at, k.client
		load = append(load, a)
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load
}

// pick is one request of the pool, with its time and its client.
type pick struct {
	request int
	at      time.Duration
	client  int
}

// fault is something that befalls a node, and its end.
type fault struct {
	verb     sim.Verb
	node     int // of the plan's, round and round
	from, to time.Duration
	oneWay   bool
	at       *sim.Moment // instead of a time
	amount   int64
}

// faultKinds are the faults that a script does, with what a protocol must stand for them.
var faultKinds = []struct {
	verb  sim.Verb
	wants sim.Faults
}{
	{sim.Pause, sim.Pauses}, {sim.Partition, sim.Partitions}, {sim.Crash, sim.Crashes},
	{sim.Jump, sim.Clocks}, {sim.Drift, sim.Clocks},
}

func (d *drawer) fault(t *rapid.T) fault {
	var verbs []sim.Verb
	for _, k := range faultKinds {
		if d.protocol.Stands.Has(k.wants) {
			verbs = append(verbs, k.verb)
		}
	}
	if len(verbs) == 0 {
		return fault{verb: sim.Wait}
	}
	f := fault{
		verb:   rapid.SampledFrom(verbs).Draw(t, "fault"),
		node:   rapid.IntRange(0, 4).Draw(t, "of"),
		from:   moment.Draw(t, "from"),
		to:     moment.Draw(t, "for"),
		oneWay: rapid.Bool().Draw(t, "one way"),
		amount: rapid.Int64Range(-20_000_000, 20_000_000).Draw(t, "amount"),
	}
	if m := d.protocol.Moments; len(m) > 0 && f.verb == sim.Crash && rapid.Bool().Draw(t, "at a moment") {
		f.at = &m[rapid.IntRange(0, len(m)-1).Draw(t, "moment")]
	}
	return f
}

// into puts the fault and its end into a plan.
func (f fault) into(p *sim.Plan) {
	node := p.Nodes[f.node%len(p.Nodes)]
	a, end := sim.Action{Verb: f.verb, Node: node, Offset: f.from}, sim.Action{Offset: f.from + f.to}
	switch f.verb {
	case sim.Pause:
		end.Verb, end.Node = sim.Resume, node
	case sim.Crash:
		end.Verb, end.Node = sim.Restart, node
	case sim.Jump:
		a.Amount = f.amount
	case sim.Drift:
		a.Amount = f.amount / 200 // at most a tenth
	case sim.Partition:
		if len(p.Nodes) < 2 {
			return
		}
		rest := slices.DeleteFunc(slices.Clone(p.Nodes), func(n string) bool { return n == node })
		a.Node, a.Groups, a.OneWay = "", [][]string{{node}, rest}, f.oneWay
		end.Verb = sim.Heal
	default:
		return
	}
	if f.at != nil {
		a.Offset, a.Maybe = 0, true
		a.When = &sim.Trigger{Event: sim.Event{Node: node, What: f.at.What, Kind: f.at.Kind}}
		p.Script = append(p.Script, a)
	} else {
		insert(p, a)
	}
	if end.Verb != 0 {
		insert(p, end)
	}
}

// insert puts an action into the load, after those of its time.
func insert(p *sim.Plan, a sim.Action) {
	a.Place, a.Maybe = sim.At, true
	i := len(p.Load)
	for i > 0 && p.Load[i-1].Offset > a.Offset {
		i--
	}
	p.Load = slices.Insert(p.Load, i, a)
}

// network draws a temper, and what chance may do.
func (d *drawer) network(t *rapid.T, p *sim.Plan) {
	n, stands := &p.Network, d.protocol.Stands
	ppm := func(f sim.Faults, label string) sim.PPM {
		if !stands.Has(f) {
			return 0
		}
		return rapid.SampledFrom([]sim.PPM{0, 10_000, 50_000, 200_000}).Draw(t, label)
	}
	shape := rapid.SampledFrom([]sim.Shape{sim.Constant, sim.Uniform, sim.Heavy, sim.Ranked})
	high := rapid.SampledFrom([]time.Duration{time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond,
		40 * time.Millisecond})
	all := sim.Link{From: "*", To: "*"}
	all.Delay = sim.Dist{Shape: shape.Draw(t, "shape"), High: high.Draw(t, "longest")}
	all.Loss, all.Duplicate = ppm(sim.Losses, "loss"), ppm(sim.Duplicates, "duplicates")
	n.Links = []sim.Link{all}
	for _, name := range slices.Concat(p.Nodes, p.Later) {
		n.Links = append(n.Links, sim.Link{From: name, To: name,
			Delay: sim.Dist{Shape: all.Delay.Shape, High: all.Delay.High / 4}})
	}
	if n.Break = ppm(sim.Breaks, "breaks"); n.Break > 0 {
		n.Reopen = sim.Dist{Shape: sim.Uniform, High: 10 * time.Millisecond}
	}
	if n.Crash = ppm(sim.Crashes, "crashes") / 4; n.Crash > 0 {
		n.Crashes = 1 + rapid.IntRange(0, 2).Draw(t, "how many")
		n.Restart = sim.Dist{Shape: sim.Uniform, High: 30 * time.Millisecond}
		n.Keep = rapid.Bool().Draw(t, "keep")
		n.Torn = ppm(sim.TornRecords, "torn")
	}
	if stands.Has(sim.SlowDisks) && rapid.Bool().Draw(t, "slow disks") {
		n.DiskSlow = true
		n.SyncTime = sim.Dist{Shape: sim.Uniform, High: high.Draw(t, "sync") / 4}
		n.Told = sim.Dist{Shape: sim.Uniform, High: high.Draw(t, "told") / 4}
	}
	if stands.Has(sim.LateTimers) && rapid.Bool().Draw(t, "late timers") {
		n.Late = sim.Dist{Shape: sim.Heavy, High: 10 * time.Millisecond}
	}
}

// otherSeed is the seed of the run whose choices the exceptions are picked from.
const otherSeed = 7

// exceptions are choices that chance makes under another seed. They are named, so most of them name
// something in this run too.
func (d *drawer) exceptions(t *rapid.T, p *sim.Plan) []sim.Exception {
	other := *p
	other.Seed = otherSeed
	w := worlds.Get().(*sim.World)
	defer worlds.Put(w)
	run, err := w.Execute(&other, sim.Options{Record: true, NoTrace: true})
	if err != nil {
		t.Fatalf("a drawn plan cannot be played: %v", err)
	}
	if len(run.Chosen) == 0 {
		return nil
	}
	var some []sim.Exception
	picks := rapid.SliceOfNDistinct(rapid.IntRange(0, len(run.Chosen)-1), 0, 5, rapid.ID[int])
	for _, i := range picks.Draw(t, "exceptions") {
		some = append(some, run.Chosen[i])
	}
	return some
}
