package metastore

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// client is the library through which the clients of a node speak to the servers. A crash takes it
// with all that it knows.
type client struct {
	asks    []asking
	known   []Item     // what has been seen last of each key, ascending: tombstones too
	rev     int64      // the greatest revision that an answer or a watch has had
	hint    sim.NodeID // who leads, sim.Nobody: not known
	turn    int        // whose turn it is to be asked if that is not known
	watches []watching
}

// asking is a question that waits for its answer.
type asking struct {
	sim.Call          // for whom
	Stage    int64    // of the questions that the call takes
	What     sim.Body // what is asked
	Try      int64
	To       sim.NodeID
	Risk     bool // it may have an effect that nobody has told of
	Ever     bool // so may a try before
	Hops     int  // how often it was sent elsewhere since its timer was set
	Waits    int
	Items    []Item     // of pages
	At       int64      // the revision of pages
	Watch    sim.CallID // what follows, and reads its range; 0: none
}

// retry is how long a question waits before it is asked again, tries how often that is done, and
// hops how often it is sent elsewhere meanwhile.
const (
	retry = 60 * time.Millisecond
	tries = 12
	hops  = 3
)

// seq names the question among those of its session.
func (a *asking) seq() int64 { return int64(a.ID)<<16 | a.Stage }

func (a *asking) timer() again { return again{a.seq(), strings.Join(about(a.What), " ")} }

// begin takes up a call.
func (n *node) begin(env *sim.Env, c sim.Call) {
	switch op := c.Op.(type) {
	case watchOf:
		n.watch(env, watching{Call: c, Watch: op.Watch})
	case follow:
		n.follow(env, c, op)
	case unwatch:
		n.onWatches(env, c, op.Range, n.unwatch)
	case bookmark:
		n.onWatches(env, c, op.Range, n.bookmark)
	case stall:
		n.onWatches(env, c, op.Range, n.stall)
	case snapshot, transfer:
		if n.server == nil {
			env.Refuse(c.ID, refusal{"no server is here"})
			return
		}
		n.ask(env, asking{Call: c, What: op})
	default:
		n.ask(env, asking{Call: c, What: n.first(op)})
	}
}

// first is what is asked first for a request.
func (n *node) first(op sim.Op) sim.Body {
	switch op := op.(type) {
	case pages:
		return read{Query: Query{Range: op.Range, Limit: op.By}}
	case update:
		return read{Query: Query{Range: Key(op.Key)}}
	case putSeen:
		return Put{Key: op.Key, Value: op.Value, If: n.client.seen(op.Key)}
	case compactSeen:
		return Compact{max(n.client.rev-op.Less, 0)}
	}
	return op
}

// seen is the revision of a key as it was seen last, 0 if it did not live.
func (c *client) seen(key string) int64 {
	at, found := c.find(key)
	if !found || c.known[at].Dead {
		return 0
	}
	return c.known[at].Mod
}

func (c *client) find(key string) (at int, found bool) {
	return slices.BinarySearchFunc(c.known, key, func(i Item, key string) int {
		return cmp.Compare(i.Key, key)
	})
}

// learn takes in what has been seen of a key, unless something later has.
func (c *client) learn(items ...Item) {
	for _, i := range items {
		at, found := c.find(i.Key)
		switch {
		case !found:
			c.known = slices.Insert(c.known, at, i)
		case i.Mod > c.known[at].Mod:
			c.known[at] = i
		}
	}
}

// ask asks a question for the first time.
func (n *node) ask(env *sim.Env, a asking) {
	env.Note(asked{int64(a.Client), a.seq(), a.What})
	a.To = n.whom(a.What)
	n.client.asks = append(n.client.asks, a)
	n.send(env, &n.client.asks[len(n.client.asks)-1])
}

// whom is the server to ask: who leads, if that is known; the one here, if any will do; else the
// next.
func (n *node) whom(what sim.Body) sim.NodeID {
	local := false
	switch w := what.(type) {
	case read:
		local = w.Local
	case snapshot, transfer:
		return n.id
	}
	switch {
	case !local && n.client.hint != sim.Nobody:
		return n.client.hint
	case n.server != nil && n.client.turn == 0:
		return n.id
	}
	return n.next()
}

// next is the server whose turn it is.
func (n *node) next() sim.NodeID {
	list := n.layout.Servers
	n.client.turn++
	return list[(n.client.turn+int(n.id))%len(list)]
}

// send asks, and sets the timer.
func (n *node) send(env *sim.Env, a *asking) {
	a.Ever = a.Ever || a.Risk
	a.Try, a.Risk = a.Try+1, true
	tell(env, a.To, ask{int64(a.Client), a.seq(), a.Try, a.What})
	env.After(retry, a.timer())
}

// waiting is the place of a question, -1 if it does not wait any more.
func (n *node) waiting(seq int64) int {
	return slices.IndexFunc(n.client.asks, func(a asking) bool { return a.seq() == seq })
}

// replied takes up an answer, unless it says that nothing was done, or is older than what has been
// seen: then the timer asks again.
func (n *node) replied(env *sim.Env, from sim.NodeID, m reply) {
	i := n.waiting(m.Seq)
	if i < 0 {
		return
	}
	a := n.client.asks[i]
	if r, reads := a.What.(read); m.Answer.Why == Moved ||
		reads && r.Local && n.rules.client.older(m.Answer.Rev, n.client.rev) {
		if n.client.asks[i].Risk = a.Try != m.Try; n.client.hint == from {
			n.client.hint = sim.Nobody
		}
		return
	}
	n.client.asks = slices.Delete(n.client.asks, i, i+1)
	env.Cancel(a.timer())
	env.Note(answered{int64(a.Client), a.seq(), a.What, m.Answer})
	n.client.rev = max(n.client.rev, m.Answer.Rev)
	n.client.learn(m.Answer.Items...)
	n.went(env, a, m.Answer)
}

// sentElsewhere: nothing was done. Who is said to lead is asked at once.
func (n *node) sentElsewhere(env *sim.Env, from sim.NodeID, m elsewhere) {
	i := n.waiting(m.Seq)
	if i < 0 || n.client.asks[i].Try != m.Try {
		return
	}
	a := &n.client.asks[i]
	a.Risk = false
	n.client.hint = m.Leader
	if m.Leader == sim.Nobody || m.Leader == from || a.Hops >= hops {
		return
	}
	a.Hops++
	a.To = m.Leader
	n.send(env, a)
}

// again: nothing has come. What may be done twice is asked again, somewhere else: so may what one
// that follows puts, which has a condition that holds only once.
func (n *node) again(env *sim.Env, t again) {
	i := n.waiting(t.Seq)
	if i < 0 {
		return
	}
	a := &n.client.asks[i]
	a.Hops = 0
	a.Waits++
	switch {
	case a.Waits >= n.patience(a):
		n.giveUp(env, i)
	case a.Risk && a.Watch == 0 && !n.mayRepeat(a.What):
		env.After(retry, t)
	default:
		if n.client.hint == a.To {
			n.client.hint = sim.Nobody
		}
		a.To = n.next()
		n.send(env, a)
	}
}

// patience is how often a question is waited for.
func (n *node) patience(a *asking) int {
	if a.Watch != 0 {
		return 10 * tries
	}
	return tries
}

// mayRepeat says that to ask a second time does no harm: it changes nothing, or servers remember
// what they have done.
func (n *node) mayRepeat(what sim.Body) bool {
	switch what.(type) {
	case read, keepAlive:
		return true
	case snapshot, transfer:
		return false
	}
	return n.rules.store.Dialect.Remembers || n.rules.client.Repeats
}

// giveUp leaves a call without an answer, or refuses it if it surely had no effect.
func (n *node) giveUp(env *sim.Env, i int) {
	a := n.client.asks[i]
	n.client.asks = slices.Delete(n.client.asks, i, i+1)
	_, reads := a.What.(read)
	switch {
	case a.Watch != 0:
		if reads {
			n.lose(env, a.Watch)
		}
	case a.Stage == 0 && (reads || !a.Risk && !a.Ever):
		env.Refuse(a.ID, refusal{"no server takes it"})
	}
}

// went is what comes of an answer: the next question of the call, or its end.
func (n *node) went(env *sim.Env, a asking, got Answer) {
	switch op := a.Op.(type) {
	case update:
		n.updates(env, a, op, got)
	case pages:
		n.paged(env, a, op, got)
	case follow:
		n.listed(env, a, got)
	default:
		env.Return(a.ID, got)
	}
}

// updates is the loop of a conditional update: what was read is put in the place of what was read.
// If something has come between, that is what has been read.
func (n *node) updates(env *sim.Env, a asking, op update, got Answer) {
	_, put := a.What.(Put)
	if put && got.OK || a.Stage > 2*tries {
		env.Return(a.ID, got)
		return
	}
	p := Put{Key: op.Key, Value: op.Value}
	if len(got.Items) > 0 {
		p.If = got.Items[0].Mod
	}
	n.ask(env, asking{Call: a.Call, Stage: a.Stage + 1, What: n.rules.client.conditional(p)})
}

// paged is the loop of pages: each is of the revision of the first. A revision that is forgotten
// meanwhile ends it.
func (n *node) paged(env *sim.Env, a asking, op pages, got Answer) {
	if got.Why != "" {
		env.Return(a.ID, got)
		return
	}
	all := slices.Concat(a.Items, got.Items)
	if a.At == 0 {
		a.At = got.Rev
	}
	if int64(len(got.Items)) == got.Count {
		env.Return(a.ID, Answer{Rev: a.At, Index: got.Index, OK: true, Items: all,
			Count: int64(len(all))})
		return
	}
	rest := Range{From: all[len(all)-1].Key + "\x00", To: op.Range.To}
	n.ask(env, asking{Call: a.Call, Stage: a.Stage + 1, Items: all, At: a.At,
		What: read{Query: Query{Range: rest, Limit: op.By, At: n.rules.client.pinned(a.At)}}})
}
