package raft

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// node is the machine of one node: a state machine on an engine, and the clients who ask here.
type node struct {
	rules  rules
	id     sim.NodeID
	layout layout
	engine Engine
	store  store
	before store // what reads see with which a rule begins too early: see nodeRules
	kept   int64 // the index of the newest snapshot here
	open   []request
	watch  watch
}

// request is a call that has not been answered.
type request struct {
	sim.Call
	Tries   int64
	Term    int64   // in which it was proposed last
	Want    Members // of a change
	Entered bool    // a change has come to its joint configuration
	Asked   regime  // whom it was made of last
	Asks    int     // how often of them
	Silent  bool    // and nothing has been heard of them since
}

// regime is who leads in which term, as far as a node knows.
type regime struct {
	Term int64
	Lead sim.NodeID
}

// mostAsks is how often a request is made of one leader in one term that is there. One that can do
// anything has done it by then.
const mostAsks = 40

// again is the timer of a request that waits.
type again struct {
	Call  sim.CallID
	About string // the keys of the request, joined by blanks
}

// Kind is "again".
func (again) Kind() string { return "again" }

// Keys are those of the request.
func (t again) Keys() []string { return strings.Fields(t.About) }

func timerOf(c sim.Call) again {
	return again{c.ID, strings.Join(sim.KeysOf(c.Op), " ")}
}

// retry is how long a request waits before it is made again: what was sent may be lost.
const retry = 3 * heartbeat

// triesOf is how many reads a call can ask for: see ReadID.
const triesOf = 1024

// Start makes the engine, and lets it read the disk. A node that is not among the founders is
// spare, and waits until it is made a member.
func (n *node) Start(env *sim.Env) {
	n.layout = layoutOf(env)
	founders := n.layout.Voters
	n.rules.Reference.Spread, n.rules.Harness.Spread = n.layout.Spread, n.layout.Spread
	if n.rules.Library {
		n.engine = newLibrary(n.id, founders, wireCodec{}, n.rules.Harness)
	} else {
		n.engine = newReference(n.id, founders, n.rules.Reference)
	}
	n.engine.Start(env)
	if n.layout.Patience > 0 {
		env.Every(n.layout.Patience/2, watching{})
	}
	n.take(env)
}

// Receive hands the engine its messages.
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	n.watch.hear(n, env, from)
	n.engine.Receive(env, from, m)
	n.hear(from)
	n.take(env)
}

// Timeout makes a request again, or looks who is silent; or it is the engine's.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	switch t := t.(type) {
	case again:
		if o := n.waiting(t.Call); o != nil {
			n.retry(env, o)
		}
	case watching:
		n.watch.look(n, env)
	default:
		n.engine.Timeout(env, t)
	}
	n.take(env)
}

// Notice is the engine's.
func (n *node) Notice(env *sim.Env, notice sim.Notice) {
	n.engine.Notice(env, notice)
	n.take(env)
}

// Invoke begins a request.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	n.begin(env, c)
	n.take(env)
}

func (n *node) begin(env *sim.Env, c sim.Call) {
	o := request{Call: c}
	var err error
	switch op := c.Op.(type) {
	case members:
		o.Want = op.ids(env)
		err = n.change(env, &o)
	case transfer:
		err = n.engine.Transfer(env, idOf(env, op.To))
		if err == nil {
			env.Return(c.ID, begun{})
			return
		}
	case compact:
		n.compactFor(env, c)
		return
	default:
		err = n.ask(env, &o)
	}
	switch {
	case err != nil:
		env.Refuse(c.ID, refused{err.Error()})
	case n.served(env, &o):
	default:
		n.open = append(n.open, o)
		env.Every(retry, timerOf(c))
	}
}

// served serves what needs nobody else.
func (n *node) served(env *sim.Env, o *request) bool {
	switch op := o.Op.(type) {
	case get:
		if n.rules.Node.way(op.Via) != throughLocal {
			return false
		}
		env.Return(o.ID, n.store.read(op.Key))
		return true
	case put:
		if !n.rules.Node.AnswersSoon {
			return false
		}
		env.Return(o.ID, wrote{n.store.Index + 1})
		return true
	}
	return false
}

// ask puts a request into the log, or asks for an index to read at. A node that is in no group has
// nobody to ask: what it forwards it would never see applied.
func (n *node) ask(env *sim.Env, o *request) error {
	o.Tries++
	way := throughLog
	if op, reads := o.Op.(get); reads {
		way = n.rules.Node.way(op.Via)
	}
	id := ReadID(int64(o.ID)*triesOf + o.Tries%triesOf)
	switch {
	case way == throughLocal:
		return nil
	case !n.engine.Members().Has(n.id):
		return ErrNoLeader
	case way == throughIndex:
		return n.engine.Read(env, id)
	case way == throughLease:
		return n.engine.LeaseRead(env, id)
	}
	return n.propose(env, o)
}

// propose puts a request into the log, and notes in which term.
func (n *node) propose(env *sim.Env, o *request) error {
	c := command{o.ID, o.Client, n.rules.Node.try(o.Tries - 1), o.Op}
	if err := n.engine.Propose(env, c); err != nil {
		return err
	}
	o.Term = n.engine.Term()
	return nil
}

// retry makes a request again. What this node has put into its own log, as the leader of this term,
// is there. That nobody leads now does not end a request that may have been heard before.
func (n *node) retry(env *sim.Env, o *request) {
	if n.rules.Node.GivesUp {
		env.Refuse(o.ID, refused{"no answer in time"})
		n.close(env, o.ID)
		return
	}
	lead, known := n.engine.Leader()
	own := known && lead == n.id && o.Term == n.engine.Term()
	if _, changes := o.Op.(members); changes {
		if own && !n.changing(o) {
			_ = n.change(env, o)
		}
		return
	}
	if now := (regime{n.engine.Term(), lead}); now != o.Asked {
		o.Asked, o.Asks, o.Silent = now, 0, false
	}
	if own || !known || o.Silent || o.Asks == mostAsks {
		return
	}
	o.Asks, o.Silent = o.Asks+1, lead != n.id
	_ = n.ask(env, o)
}

// hear notes that the leader is there.
func (n *node) hear(from sim.NodeID) {
	if lead, known := n.engine.Leader(); known && lead == from {
		for i := range n.open {
			n.open[i].Silent = false
		}
	}
}

// waiting is the request of a call, nil if it has been answered or is not of this life.
func (n *node) waiting(call sim.CallID) *request {
	for i := range n.open {
		if n.open[i].ID == call {
			return &n.open[i]
		}
	}
	return nil
}

// answer ends a request.
func (n *node) answer(env *sim.Env, call sim.CallID, result sim.Body) {
	env.Return(call, result)
	n.close(env, call)
}

func (n *node) close(env *sim.Env, call sim.CallID) {
	i := slices.IndexFunc(n.open, func(o request) bool { return o.ID == call })
	env.Cancel(timerOf(n.open[i].Call))
	n.open = slices.Delete(n.open, i, i+1)
}

// take puts into effect what has come of a call of the engine. That may lead to more.
func (n *node) take(env *sim.Env) {
	if n.rules.Node.ReadEarly {
		n.before = n.store.copied()
	}
	for events := n.engine.Take(); len(events) > 0; events = n.engine.Take() {
		for _, e := range events {
			n.handle(env, e)
		}
		n.compactEvery(env)
	}
}

func (n *node) handle(env *sim.Env, e Event) {
	switch e := e.(type) {
	case Applied:
		n.apply(env, e.Entry)
	case Restored:
		n.restore(env, e)
	case Readable:
		if o := n.waiting(sim.CallID(int64(e.ID) / triesOf)); o != nil {
			n.answer(env, o.ID, n.readable().read(o.Op.(get).Key))
		}
	case Led:
		n.watch.led(n, env, e)
	case Wanted:
		_ = n.compact(env)
	}
}

// readable is the state that reads see.
func (n *node) readable() *store {
	if n.rules.Node.ReadEarly {
		return &n.before
	}
	return &n.store
}

// apply puts an entry into effect, and answers who waits for it.
func (n *node) apply(env *sim.Env, e Entry) {
	c, mine := e.Command.(command)
	if !mine {
		n.store.Index = e.Index
		n.changeApplied(env, e)
		return
	}
	if !n.rules.Node.takes(env) {
		n.store.Index = e.Index
		return
	}
	answer := n.store.apply(e.Index, c, &n.rules.Node)
	if o := n.waiting(c.Call); o != nil {
		n.answer(env, c.Call, answer)
	}
	n.changeApplied(env, e)
}

// restore takes a snapshot for the state. Requests may have been answered in what it stands for.
func (n *node) restore(env *sim.Env, e Restored) {
	img := e.State.(image)
	n.store = img.copied()
	n.store.Index = e.Index
	n.kept = e.Index
	env.Note(Image{e.Index, n.rules.Node.text(&n.store, n.id), n.store.copied()})
	for _, o := range slices.Clone(n.open) {
		if answer := n.store.answered(o.Call); answer != nil {
			n.answer(env, o.ID, answer)
		}
	}
	n.changeRestored(env, e)
}
