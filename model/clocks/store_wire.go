package clocks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What clients and nodes say to each other about the store.

// The requests of clients.
type (
	// put writes a value with what this node's session has seen of the key.
	put struct{ Key, Value, At string }
	// get asks one replica for the value: for all values, if none replaces the others.
	get struct{ Key, At string }
	// repair asks all replicas, answers with what is left of what they have, and writes it back to
	// those that lack it.
	repair struct{ Key string }
)

func (put) Kind() string    { return "put" }
func (get) Kind() string    { return "get" }
func (repair) Kind() string { return "repair" }

func (p put) Keys() []string    { return []string{p.Key, p.Value} }
func (g get) Keys() []string    { return []string{g.Key} }
func (r repair) Keys() []string { return []string{r.Key} }

func (p put) String() string    { return fmt.Sprintf("put %s %s%s", p.Key, p.Value, atText(p.At)) }
func (g get) String() string    { return "get " + g.Key + atText(g.At) }
func (r repair) String() string { return "repair " + r.Key }

func storeOps() []opForm {
	return []opForm{
		{"put", "KEY VALUE [at NODE]", func(words []string, at string) (sim.Op, error) {
			return put{words[0], words[1], at}, nil
		}},
		{"get", "KEY [at NODE]", func(words []string, at string) (sim.Op, error) {
			return get{words[0], at}, nil
		}},
		{"repair", "KEY", func(words []string, _ string) (sim.Op, error) {
			return repair{words[0]}, nil
		}},
	}
}

// What clients are told.
type (
	// got: the versions that a get or a repair found, in order of their calls, and the number of
	// the record.
	got struct {
		Key    string
		IDs    []sim.CallID
		Values []string
		Number int64
	}
	// wrote: a put has made a version.
	wrote struct {
		Key    string
		ID     sim.CallID
		Number int64
	}
)

func (got) Kind() string   { return "got" }
func (wrote) Kind() string { return "ok" }

func (g got) Keys() []string   { return []string{g.Key} }
func (w wrote) Keys() []string { return []string{w.Key} }

func (g got) String() string   { return fmt.Sprintf("%s is %s", g.Key, valueText(g.Values)) }
func (w wrote) String() string { return "ok" }

// valueText is the values of siblings, or empty.
func valueText(values []string) string {
	if len(values) == 0 {
		return "empty"
	}
	return strings.Join(values, " ")
}

// The questions to a replica, and its replies.
type (
	update struct {
		Call       sim.CallID
		Key, Value string
		Context    context
	}
	// done is what came of a put: the version that it made, the record with it, and the vector that
	// its writer has seen since. If it was refused there is a Why.
	done struct {
		Call   sim.CallID
		Made   version
		Record record
		Vector VersionVector
		Why    string
	}
	// query carries what the session had seen when it asked: it may have ended since.
	query struct {
		Call  sim.CallID
		Key   string
		Floor record
	}
	found struct {
		Call   sim.CallID
		Record record
	}
)

func (update) Kind() string { return "update" }
func (done) Kind() string   { return "done" }
func (query) Kind() string  { return "query" }
func (found) Kind() string  { return "found" }

func (u update) Keys() []string { return []string{u.Key, u.Value} }
func (d done) Keys() []string   { return []string{d.Record.Key, d.Made.Value} }
func (q query) Keys() []string  { return []string{q.Key} }
func (f found) Keys() []string  { return []string{f.Record.Key} }

func (u update) String() string { return fmt.Sprintf("update %s %s", u.Key, u.Value) }
func (d done) String() string {
	if d.Why != "" {
		return fmt.Sprintf("done %s: %s", d.Record.Key, d.Why)
	}
	return fmt.Sprintf("done %s %s", d.Record.Key, d.Made.Value)
}
func (q query) String() string { return "query " + q.Key }
func (f found) String() string {
	return fmt.Sprintf("found %s %s", f.Record.Key, valueText(f.Record.values()))
}

func (u update) call() sim.CallID { return u.Call }
func (d done) call() sim.CallID   { return d.Call }
func (q query) call() sim.CallID  { return q.Call }
func (f found) call() sim.CallID  { return f.Call }

// begin sends a put to the replica that it names, or to the key's home if the rule has one.
func (p put) begin(n *node, env *sim.Env, c sim.Call) {
	n.resume(env)
	to, ok := n.find(env, c.ID, p.At)
	if !ok {
		return
	}
	if home, only := n.rules.store.home(p.Key, env.Nodes); only {
		to = home
	}
	u := update{c.ID, p.Key, p.Value, n.writes(c.ID, p.Key)}
	env.Note(intends{c.ID, p.Key, u.Context.Seen})
	if to != n.id {
		n.ask(env, to, u)
		return
	}
	n.told(env, n.made(env, u), n.id)
}

func (u update) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.send(env, from, n.made(env, u))
}

func (d done) arrive(n *node, env *sim.Env, from sim.NodeID) {
	if n.stopAsking(env, d.Call) {
		n.told(env, d, from)
	}
}

// told tells a client what came of its put.
func (n *node) told(env *sim.Env, d done, from sim.NodeID) {
	if d.Why != "" {
		env.Refuse(d.Call, refusal{d.Why})
		return
	}
	n.wrote(d, from)
	env.Return(d.Call, wrote{d.Record.Key, d.Made.ID, d.Made.Number})
}

// begin asks the replica that a get names.
func (g get) begin(n *node, env *sim.Env, c sim.Call) {
	n.resume(env)
	to, ok := n.find(env, c.ID, g.At)
	switch q := (query{c.ID, g.Key, n.session.of(g.Key).Floor}); {
	case !ok:
	case to != n.id:
		n.ask(env, to, q)
	case n.unfit(n.store.cell(g.Key).Record):
		n.ask(env, n.session.of(g.Key).From, q)
	default:
		n.answered(env, c.ID, n.store.cell(g.Key).Record, n.id)
	}
}

func (q query) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.send(env, from, found{q.Call, n.store.cell(q.Key).Record})
}

// arrive takes an answer, unless it lacks what the session has seen. Then the replica that had it
// is asked, once at once, and the others in turn as time passes.
func (f found) arrive(n *node, env *sim.Env, from sim.NodeID) {
	i := n.waits(f.Call)
	switch {
	case i < 0:
	case n.unfit(f.Record) || n.rules.store.lacks(f.Record, n.asked[i].What.(query).Floor):
		a := &n.asked[i]
		if a.Tries > 1 {
			a.To = env.Nodes[(slices.Index(env.Nodes, from)+1)%len(env.Nodes)]
			return
		}
		a.To = n.session.of(f.Record.Key).From
		a.Tries++
		n.send(env, a.To, a.What)
	default:
		n.stopAsking(env, f.Call)
		n.answered(env, f.Call, f.Record, from)
	}
}

// answered tells a client what a get found.
func (n *node) answered(env *sim.Env, c sim.CallID, r record, from sim.NodeID) {
	n.reads(r, from)
	env.Return(c, n.rules.store.gotten(r))
}
