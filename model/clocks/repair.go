package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Read repair: all replicas are asked, and those that lack something are told.

// repairing is a repair under way: what replicas have replied, this one first.
type repairing struct {
	Call  sim.CallID
	Key   string
	From  []sim.NodeID
	Had   []record
	Tries int
}

// collect asks a replica for what it has of a key, collected is its reply, and mend is what all
// replicas together have of it.
type (
	collect struct {
		Call sim.CallID
		Key  string
	}
	collected struct {
		Call   sim.CallID
		Record record
	}
	mend struct{ Record record }
)

func (collect) Kind() string   { return "collect" }
func (collected) Kind() string { return "collected" }
func (mend) Kind() string      { return "mend" }

func (c collect) Keys() []string   { return []string{c.Key} }
func (c collected) Keys() []string { return []string{c.Record.Key} }
func (m mend) Keys() []string      { return []string{m.Record.Key} }

// collecting is the timer that asks again.
type collecting struct{ Call sim.CallID }

func (collecting) Kind() string { return "collect" }

// begin asks all replicas. This one replies to itself at once.
func (r repair) begin(n *node, env *sim.Env, c sim.Call) {
	n.resume(env)
	n.store.Repairs = append(n.store.Repairs, repairing{Call: c.ID, Key: r.Key})
	env.After(retry, collecting{c.ID})
	n.collect(env, len(n.store.Repairs)-1)
}

// collect asks those that have not replied.
func (n *node) collect(env *sim.Env, i int) {
	r := &n.store.Repairs[i]
	r.Tries++
	if !slices.Contains(r.From, n.id) {
		r.From = append(r.From, n.id)
		r.Had = append(r.Had, n.store.cell(r.Key).Record)
	}
	for _, id := range env.Nodes {
		if !slices.Contains(r.From, id) {
			n.send(env, id, collect{r.Call, r.Key})
		}
	}
	n.settle(env, i)
}

// ring asks again, or gives up: the client then never hears.
func (c collecting) ring(n *node, env *sim.Env) {
	i := n.repairs(c.Call)
	switch {
	case i < 0:
		env.Cancel(c)
	case n.store.Repairs[i].Tries == tries:
		n.close(env, i)
	default:
		env.After(retry, c)
		n.collect(env, i)
	}
}

// repairs is the place of a repair that is under way, -1 if there is none of this call.
func (n *node) repairs(c sim.CallID) int {
	return slices.IndexFunc(n.store.Repairs, func(r repairing) bool { return r.Call == c })
}

func (n *node) close(env *sim.Env, i int) {
	env.Cancel(collecting{n.store.Repairs[i].Call})
	n.store.Repairs = slices.Delete(n.store.Repairs, i, i+1)
}

func (c collect) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.send(env, from, collected{c.Call, n.store.cell(c.Key).Record})
}

func (c collected) arrive(n *node, env *sim.Env, from sim.NodeID) {
	i := n.repairs(c.Call)
	if i < 0 || slices.Contains(n.store.Repairs[i].From, from) {
		return
	}
	r := &n.store.Repairs[i]
	r.From, r.Had = append(r.From, from), append(r.Had, c.Record)
	n.settle(env, i)
}

func (m mend) arrive(n *node, env *sim.Env, _ sim.NodeID) { n.mend(env, m.Record) }

func (n *node) mend(env *sim.Env, r record) {
	n.absorb(env, n.rules.store.mended(n.store.cell(r.Key).Record, r, n.layout.Limit))
}

// settle ends a repair once all have replied. If the session has seen more meanwhile, it begins
// again.
func (n *node) settle(env *sim.Env, i int) {
	r := n.store.Repairs[i]
	if len(r.From) < len(env.Nodes) {
		return
	}
	all := n.rules.store.left(r.Had)
	if n.unfit(all) {
		n.store.Repairs[i].From, n.store.Repairs[i].Had = nil, nil
		return
	}
	n.close(env, i)
	for k, id := range r.From {
		switch {
		case r.Had[k].same(all):
		case id == n.id:
			n.mend(env, all)
		default:
			n.send(env, id, mend{all})
		}
	}
	n.answered(env, r.Call, all, n.id)
}
