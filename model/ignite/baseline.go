package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// A change of the baseline is an exchange, and forbids increments until a new full snapshot (3.2).
// A node that comes into it takes over what it is an owner of; one that has left for good can be
// taken out, so that others need not wait for it. The baseline is not kept on disk: nodes that join
// are told it by the exchange, and a cluster that has stopped as a whole has that of the set-up
// again.

// baselineAsked, on discovery, names the nodes of the new baseline.
type baselineAsked struct{ Nodes []sim.NodeID }

func (baselineAsked) Kind() string { return "baseline" }

// whyForbids is the reason why increments are forbidden after it.
const whyForbids = "the baseline has changed"

// onBaseline asks for a baseline. Whoever is named must be a living server, and living owners must
// be named, for the data are not moved away from anybody.
func (n *node) onBaseline(env *sim.Env, call sim.CallID, op baselineOp) {
	m, why := n.newBaseline(env, op.Nodes)
	if why == "" && len(n.exchange.Asking) > 0 {
		why = "another change is under way"
	}
	if why != "" {
		env.Refuse(call, unable{"no new baseline: " + why})
		return
	}
	n.exchange.Asking = append(n.exchange.Asking, call)
	env.Publish(m)
}

// newBaseline is what a request asks for, or why it cannot be.
func (n *node) newBaseline(env *sim.Env, names []string) (m baselineAsked, why string) {
	for _, id := range n.servers(env) {
		named := slices.Contains(names, env.Name(id))
		if named {
			m.Nodes = append(m.Nodes, id)
		}
		owns := func(p place) bool { return slices.Contains(p.Owners, id) }
		if !named && n.layout.baseline(id) && slices.ContainsFunc(n.layout.Places, owns) {
			return m, env.Name(id) + " owns data"
		}
	}
	if len(m.Nodes) < len(names) {
		return m, "not all that are named are living servers"
	}
	return m, ""
}

// onBaselineAsked: a new baseline wants an exchange. Who comes into it keeps what it has now, to
// know later what it has got from transactions since.
func (n *node) onBaselineAsked(env *sim.Env, what sim.Notice, m baselineAsked) {
	e := &n.exchange
	e.Baseline = m.Nodes
	if slices.Contains(m.Nodes, n.id) && !n.baseline() {
		e.Before, e.Taken = clones(n.parts), nil
	}
	n.wantExchange(env, what.Pos)
}

// takeBaseline takes the baseline of an exchange over. A node that is told how things stand has its
// flag from its disk, unless it has consumed the change itself.
func (n *node) takeBaseline(env *sim.Env, told bool) {
	e := &n.exchange
	changed := !slices.Equal(e.View.Baseline, n.layout.Baseline)
	n.layout.Baseline = e.View.Baseline
	if changed && (!told || e.Baseline != nil) {
		n.forbid(env, whyForbids)
		if n.baseline() {
			env.Disk.Sync()
		}
	}
	e.Baseline = e.View.Baseline
	for _, call := range e.Asking {
		env.Return(call, done{})
	}
	e.Asking = nil
}
