package metastore

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// watching is a watch of a client of this node.
type watching struct {
	sim.Call
	Watch
	Server   sim.NodeID
	Attempt  int64 // how often it has begun, at any server
	Life     int64 // of the server, once it has said so
	Got      int64 // the number of the last parcel of this attempt
	Next     int64 // the revision that comes next; 0: it has never begun
	Opened   bool  // this attempt has
	Misses   int   // how often it has asked without hearing anything
	Early    []parcel
	Marks    bool // it asks how far it is
	Stuck    bool // its listener has failed
	Returned bool

	// Of one that follows:
	Follows, Attends bool
	Lists            int64  // how often it has asked something
	Listing          bool   // it reads its range
	Items            []Item // what there is
}

// pollEvery is how often a client says that its watches are there, and misses how often it hears
// nothing before it goes to another server.
const (
	pollEvery = 50 * time.Millisecond
	misses    = 3
)

// watch begins a watch.
func (n *node) watch(env *sim.Env, w watching) {
	w.Server = n.watchServer()
	w.Next = w.From
	w.Attempt++
	if len(n.client.watches) == 0 {
		env.Every(pollEvery, polling{})
	}
	n.client.watches = append(n.client.watches, w)
	n.poll(env, &n.client.watches[len(n.client.watches)-1], poll{})
}

// watchServer is the server for a watch: the one that has the others, or the one here, or the next.
func (n *node) watchServer() sim.NodeID {
	for _, w := range n.client.watches {
		if w.Server != sim.Nobody {
			return w.Server
		}
	}
	if n.server != nil {
		return n.id
	}
	return n.next()
}

// poll says that a watch is there, to the server that has it; while a range is read none has.
func (n *node) poll(env *sim.Env, w *watching, m poll) {
	if w.Listing {
		return
	}
	m.ID, m.Life, m.Attempt, m.Watch, m.Got, m.Mark = w.ID, w.Life, w.Attempt, w.Watch, w.Got, w.Marks
	m.Watch.From = w.Next
	env.Send(w.Server, m)
}

// pollAll is done every so often.
func (n *node) pollAll(env *sim.Env) {
	for i := range n.client.watches {
		w := &n.client.watches[i]
		if w.Misses++; w.Misses > misses {
			w.Server = n.next()
			n.reopen(w)
		}
		n.poll(env, w, poll{Again: true})
		if n.rules.client.balances(nil) {
			n.balance(env, w)
		}
	}
}

// reopen begins the watch again, with what comes next.
func (n *node) reopen(w *watching) {
	w.Attempt++
	w.Got, w.Life, w.Opened, w.Misses, w.Early = 0, 0, false, 0, nil
	if n.rules.client.AsksNow && w.From == 0 {
		w.Next = 0
	}
}

// find is the watch that a message is about, nil if it is about none, or about what is over.
func (n *node) find(id sim.CallID, attempt int64) *watching {
	for i := range n.client.watches {
		if w := &n.client.watches[i]; w.ID == id && w.Attempt == attempt && !w.Listing {
			return w
		}
	}
	return nil
}

// opened: the watch has begun.
func (n *node) opened(env *sim.Env, from sim.NodeID, m opened) {
	w := n.find(m.ID, m.Attempt)
	if w == nil || w.Opened || w.Server != from {
		return
	}
	w.Opened, w.Life, w.Next, w.Misses = true, m.Life, m.Next, 0
	env.Note(began{w.ID, w.Attempt, w.Watch, w.Next})
	n.tellBegun(env, w)
	n.takeEarly(env, m.ID, m.Attempt)
}

func (n *node) tellBegun(env *sim.Env, w *watching) {
	if !w.Returned {
		w.Returned = true
		env.Return(w.ID, done{})
	}
}

// parcel takes up what a watch is told: what comes too early waits.
func (n *node) parcel(env *sim.Env, from sim.NodeID, p parcel) {
	w := n.find(p.ID, p.Attempt)
	if w == nil || w.Server != from {
		return
	}
	w.Misses = 0
	switch {
	case w.Stuck, w.Opened && p.Life != w.Life:
	case n.rules.client.TakesAny && w.Opened:
		n.take(env, w, p)
	case p.No <= w.Got:
	case !slices.ContainsFunc(w.Early, p.same):
		w.Early = append(w.Early, p)
		n.takeEarly(env, p.ID, p.Attempt)
	}
}

// takeEarly takes what waits, as far as nothing is missing.
func (n *node) takeEarly(env *sim.Env, id sim.CallID, attempt int64) {
	for {
		w := n.find(id, attempt)
		if w == nil || !w.Opened {
			return
		}
		i := slices.IndexFunc(w.Early, func(p parcel) bool {
			return p.Life == w.Life && p.No == w.Got+1
		})
		if i < 0 {
			return
		}
		p := w.Early[i]
		w.Early = slices.Delete(slices.Clone(w.Early), i, i+1)
		n.take(env, w, p)
	}
}

// take takes a parcel, and says so.
func (n *node) take(env *sim.Env, w *watching, p parcel) {
	w.Got = max(w.Got, p.No)
	w.Marks = w.Marks && !p.Mark
	env.Note(saw{w.ID, w.Range, p.Batch, p.Mark})
	if p.Batch.Compacted >= 0 {
		n.poll(env, w, poll{})
		n.behind(env, w, p.Batch.Compacted)
		return
	}
	w.Next = p.Batch.To + 1
	n.client.rev = max(n.client.rev, p.Batch.To)
	for _, e := range p.Batch.Events {
		n.client.learn(e.Item)
	}
	n.poll(env, w, poll{})
	if w.Follows {
		n.keepUp(env, w, p.Batch)
	}
}

// behind: what the watch wants is forgotten. Who follows reads its range again.
func (n *node) behind(env *sim.Env, w *watching, compacted int64) {
	switch {
	case !w.Follows:
		n.tellBegun(env, w)
		n.lose(env, w.ID)
	case n.rules.client.FromKept:
		w.Next = compacted + 1
		n.reopen(w)
		n.poll(env, w, poll{})
	default:
		n.list(env, w)
	}
}

// lose ends a watch.
func (n *node) lose(env *sim.Env, id sim.CallID) {
	i := slices.IndexFunc(n.client.watches, func(w watching) bool { return w.ID == id })
	if i < 0 {
		return
	}
	w := n.client.watches[i]
	env.Note(closed{w.ID, w.Range})
	n.client.watches = slices.Delete(n.client.watches, i, i+1)
	if len(n.client.watches) == 0 {
		env.Cancel(polling{})
	}
}

// alive: there is nothing new.
func (n *node) alive(m alive) {
	if w := n.find(m.ID, m.Attempt); w != nil {
		w.Misses = 0
	}
}

// gone: the server has lost the watch, so it begins again.
func (n *node) gone(env *sim.Env, m gone) {
	if w := n.find(m.ID, m.Attempt); w != nil {
		n.reopen(w)
		n.poll(env, w, poll{})
	}
}

// onWatches does something to the watches of a range here. It is refused if there are none.
func (n *node) onWatches(env *sim.Env, c sim.Call, r Range, do func(*sim.Env, *watching)) {
	var ids []sim.CallID
	for _, w := range n.client.watches {
		if w.Range == r {
			ids = append(ids, w.ID)
		}
	}
	if len(ids) == 0 {
		env.Refuse(c.ID, refusal{"nothing like that is watched here"})
		return
	}
	for _, id := range ids {
		i := slices.IndexFunc(n.client.watches, func(w watching) bool { return w.ID == id })
		do(env, &n.client.watches[i])
	}
	env.Return(c.ID, done{})
}

func (n *node) unwatch(env *sim.Env, w *watching) {
	n.poll(env, w, poll{Close: true})
	n.lose(env, w.ID)
}

func (n *node) bookmark(env *sim.Env, w *watching) {
	w.Marks = true
	n.poll(env, w, poll{})
}

func (n *node) stall(env *sim.Env, w *watching) {
	w.Stuck = true
	env.Note(stuck{w.ID, w.Range})
}
