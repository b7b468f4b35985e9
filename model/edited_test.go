package model_test

import (
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Ten edits of a model, as somebody might make them who works on it: each adds something beside the
// protocol and leaves what it promises as it is. They are made from outside, by a machine around the
// model's, so that every model can be edited so.

// edit is one edit.
type edit struct {
	name, doc string
	around    func(sim.Machine) sim.Machine // nil: the machine stays
	plan      func(*sim.Plan)               // what becomes of a plan; nil: nothing
	words     func(*sim.Plan)               // of one that was stored before; nil: nothing
	read      func(*sim.Run) *sim.Run       // what checkers see; nil: everything
	aside     bool                          // the last node takes no part
}

var edits = []edit{
	{name: "timer", doc: "one more timer, set at the start",
		around: func(m sim.Machine) sim.Machine { return ticking{m} }},
	{name: "message", doc: "one more kind of message: whoever gets a request tells all others",
		around: func(m sim.Machine) sim.Machine { return hinting{m} }, read: unheard},
	{name: "draw", doc: "one more random draw in each delivery",
		around: func(m sim.Machine) sim.Machine { return drawing{m} }},
	{name: "renamed", doc: "the fact that is also the record of the model's data has another name",
		words: renamed},
	{name: "heartbeat", doc: "a heartbeat to all others every 5 ms",
		around: func(m sim.Machine) sim.Machine { return beating{m} }, read: unheard},
	{name: "bystander", doc: "one more node, which takes no part", plan: joined, aside: true,
		read: without},
	{name: "chore", doc: "each request leaves a step of own work",
		around: func(m sim.Machine) sim.Machine { return busy{m} }},
	{name: "record", doc: "each start writes and syncs a record",
		around: func(m sim.Machine) sim.Machine { return noting{m} }},
	{name: "client", doc: "one more client, whose request comes first: a read, or what the model " +
		"has not", plan: asked,
		around: func(m sim.Machine) sim.Machine { return serving{m} }},
	{name: "first", doc: "a node takes its first request up in a step of its own",
		around: func(m sim.Machine) sim.Machine { return &waiting{Machine: m} }},
}

// extra is whatever an edit adds: a message, a timer, a record, a request and its answer.
type extra string

func (e extra) Kind() string { return string(e) }

// added says that a body is an edit's own.
func added(b sim.Body) bool {
	_, is := b.(extra)
	return is
}

// tellOthers sends an edit's message to all members but oneself.
func tellOthers(env *sim.Env, m extra) {
	for _, to := range env.Nodes {
		if to != env.ID {
			env.Send(to, m)
		}
	}
}

type ticking struct{ sim.Machine }

func (w ticking) Start(env *sim.Env) {
	w.Machine.Start(env)
	env.After(7*time.Millisecond, extra("tick"))
}

func (w ticking) Timeout(env *sim.Env, t sim.Timer) {
	if !added(t) {
		w.Machine.Timeout(env, t)
	}
}

type hinting struct{ sim.Machine }

func (w hinting) Invoke(env *sim.Env, c sim.Call) {
	tellOthers(env, "hint")
	w.Machine.Invoke(env, c)
}

func (w hinting) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if !added(m) {
		w.Machine.Receive(env, from, m)
	}
}

type drawing struct{ sim.Machine }

func (w drawing) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	env.Draw("jitter", 8)
	w.Machine.Receive(env, from, m)
}

// renamed makes a stored plan call the fact otherwise. That is, for a run, what it is to call it
// otherwise in the model: what the plan says of it names nothing.
func renamed(p *sim.Plan) {
	old := map[string]string{"cut": "committed", "register": "stored",
		"commit": "prepared"}[p.Protocol.Name]
	one := func(kind *string) {
		if *kind == old {
			*kind = "kept"
		}
	}
	p.Chance = slices.Clone(p.Chance)
	for i := range p.Chance {
		one(&p.Chance[i].Name.Of)
	}
	for _, list := range []*[]sim.Action{&p.Script, &p.Load} {
		*list = slices.Clone(*list)
		for i := range *list {
			a := &(*list)[i]
			one(&a.Event.Kind)
			one(&a.Pattern.Kind)
			if a.When != nil {
				when := *a.When
				one(&when.Event.Kind)
				a.When = &when
			}
		}
	}
}

type beating struct{ sim.Machine }

func (w beating) Start(env *sim.Env) {
	w.Machine.Start(env)
	env.Every(5*time.Millisecond, extra("beat"))
}

func (w beating) Timeout(env *sim.Env, t sim.Timer) {
	if added(t) {
		tellOthers(env, "heartbeat")
		return
	}
	w.Machine.Timeout(env, t)
}

func (w beating) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if !added(m) {
		w.Machine.Receive(env, from, m)
	}
}

// bystander is the node that takes no part.
const bystander = "Z"

// joined adds the bystander: to the members, where they are the last nodes.
func joined(p *sim.Plan) {
	if len(p.Later) > 0 {
		p.Later = append(slices.Clone(p.Later), bystander)
		return
	}
	p.Nodes = append(slices.Clone(p.Nodes), bystander)
}

// among is a node that does not see the bystander, or it.
type among struct {
	sim.Machine
	make func(founders []sim.NodeID) sim.Machine
	of   []sim.NodeID // founders, the bystander among them unless others may join
}

// Start makes the node, now that names are known.
func (w *among) Start(env *sim.Env) {
	w.Machine = sim.Idle{}
	if env.Name(env.ID) == bystander {
		return
	}
	w.Machine = w.make(others(env, w.of))
	w.Machine.Start(blind(env))
}

// others are nodes without the bystander.
func others(env *sim.Env, nodes []sim.NodeID) []sim.NodeID {
	return slices.DeleteFunc(slices.Clone(nodes), func(id sim.NodeID) bool {
		return env.Name(id) == bystander
	})
}

// blind is env as a node has it that does not see the bystander.
func blind(env *sim.Env) *sim.Env {
	seen := *env
	seen.Nodes = others(env, env.Nodes)
	return &seen
}

func (w *among) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	w.Machine.Receive(blind(env), from, m)
}

func (w *among) Timeout(env *sim.Env, t sim.Timer)    { w.Machine.Timeout(blind(env), t) }
func (w *among) Invoke(env *sim.Env, c sim.Call)      { w.Machine.Invoke(blind(env), c) }
func (w *among) Notice(env *sim.Env, what sim.Notice) { w.Machine.Notice(blind(env), what) }

// without is a run without its last node, which is the bystander: no part of the cluster that
// checkers ask about.
func without(run *sim.Run) *sim.Run {
	plan, last := *run.Plan, sim.NodeID(len(run.Nodes)-1)
	q := stripped(run, func(e *sim.Entry) bool { return e.Node == last })
	if len(plan.Later) > 0 {
		plan.Later = plan.Later[:len(plan.Later)-1]
	} else {
		plan.Nodes = plan.Nodes[:len(plan.Nodes)-1]
	}
	q.Plan, q.Nodes, q.Disks = &plan, run.Nodes[:last], run.Disks[:last]
	return q
}

// unheard is a run without the edit's messages. They are not the protocol's, and nothing comes of
// them; but a cut has to do with every message that it sees.
func unheard(run *sim.Run) *sim.Run {
	return stripped(run, func(e *sim.Entry) bool { return e.Body != nil && added(e.Body) })
}

// stripped is a run without some entries. What one of them caused has its cause as its own.
func stripped(run *sim.Run, drop func(*sim.Entry) bool) *sim.Run {
	q := *run
	q.Trace, q.Epilogue = nil, -1
	place := make([]int32, len(run.Trace)) // of each entry in the new trace, or of its cause
	for i, e := range run.Trace {
		if e.Cause >= 0 {
			e.Cause = place[e.Cause]
		}
		if i >= run.Epilogue && q.Epilogue < 0 {
			q.Epilogue = len(q.Trace)
		}
		if place[i] = e.Cause; drop(&e) {
			continue
		}
		place[i] = int32(len(q.Trace))
		q.Trace = append(q.Trace, e)
	}
	if q.Epilogue < 0 {
		q.Epilogue = len(q.Trace)
	}
	return &q
}

type busy struct{ sim.Machine }

func (w busy) Invoke(env *sim.Env, c sim.Call) {
	env.Later(extra("chore"))
	w.Machine.Invoke(env, c)
}

func (w busy) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if !added(m) {
		w.Machine.Receive(env, from, m)
	}
}

type noting struct{ sim.Machine }

func (w noting) Start(env *sim.Env) {
	w.Machine.Start(env)
	env.Disk.Append(extra("boot"))
	env.Disk.Sync()
}

// asked adds the request, before all others.
func asked(p *sim.Plan) {
	words := []string{"status"}
	if _, err := p.Protocol.ParseOp([]string{"read", "x"}); err == nil {
		words = []string{"read", "x"}
	}
	first := sim.Action{Verb: sim.Request, Node: p.Nodes[len(p.Nodes)-1], Words: words}
	p.Script = append([]sim.Action{first}, p.Script...)
}

type serving struct{ sim.Machine }

func (w serving) Invoke(env *sim.Env, c sim.Call) {
	if added(c.Op) {
		env.Return(c.ID, extra("fine"))
		return
	}
	w.Machine.Invoke(env, c)
}

type waiting struct {
	sim.Machine
	begun bool
}

// taken is a request as own work.
type taken struct{ sim.Call }

func (taken) Kind() string { return "taken" }

func (w *waiting) Invoke(env *sim.Env, c sim.Call) {
	if !w.begun {
		w.begun = true
		env.Later(taken{c})
		return
	}
	w.Machine.Invoke(env, c)
}

func (w *waiting) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if t, is := m.(taken); is {
		w.Machine.Invoke(env, t.Call)
		return
	}
	w.Machine.Receive(env, from, m)
}

// of is a protocol after the edit.
func (e edit) of(p *sim.Protocol) *sim.Protocol {
	q := *p
	q.Variants = nil
	for _, v := range p.Variants {
		q.Variants = append(q.Variants, e.variant(v))
	}
	q.ParseOp = func(words []string) (sim.Op, error) {
		if strings.Join(words, " ") == "status" {
			return extra("status"), nil
		}
		return p.ParseOp(words)
	}
	if e.aside && p.Final != nil {
		q.Final = func(nodes []string) []sim.Action {
			return p.Final(slices.DeleteFunc(slices.Clone(nodes), func(n string) bool { return n == bystander }))
		}
	}
	q.Properties = slices.Clone(p.Properties)
	for i := range q.Properties {
		if check := p.Properties[i].Check; e.read != nil {
			q.Properties[i].Check = func(run *sim.Run) (int, *sim.Violation) { return check(e.read(run)) }
		}
	}
	return &q
}

func (e edit) variant(v sim.Variant) sim.Variant {
	inner := v.New
	switch {
	case e.aside:
		v.New = func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			return &among{of: founders, make: func(f []sim.NodeID) sim.Machine { return inner(id, f) }}
		}
	case e.around != nil:
		v.New = func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			return e.around(inner(id, founders))
		}
	}
	return v
}

// on is a plan after the edit.
func (e edit) on(p *sim.Plan) *sim.Plan {
	q := *p
	if e.plan != nil {
		e.plan(&q)
	}
	return &q
}
