package register

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Mutants are wrong on purpose, to measure the checkers: each says what it spoils and which
// property must catch it. They spoil the answer of the policy, or tamper with a node at its door.
var sabotaged = []variant{
	{name: "no-write-back", of: "abd", breaks: "at-majority", policy: never{},
		doc: "a read returns what it found and stores nothing"},
	{name: "own-highest", of: "fast-read", breaks: "at-majority", policy: unlessOwn{},
		doc: "a read stores nothing if no answer was newer than its own node's version"},
	{name: "new-tag", of: "abd", breaks: "linearizable", policy: newTag{},
		doc: "a read stores what it found under a new tag"},
	{name: "own-answer", of: "abd", breaks: "linearizable", policy: writeBack{},
		doc:  "a read asks a majority and takes the version of its own node",
		wrap: func(n *node) sim.Machine { return ownAnswer{n} }},
	{name: "own-counter", of: "abd", breaks: "linearizable", policy: writeBack{},
		doc:  "a write asks nobody and counts on from its own node's version",
		wrap: func(n *node) sim.Machine { return ownCounter{n} }},
	{name: "gives-up", of: "abd", breaks: "linearizable", policy: writeBack{},
		doc:  "refuses a call instead of asking again",
		wrap: func(n *node) sim.Machine { return givesUp{n} }},
	{name: "asks-once", of: "abd", breaks: "answers", policy: writeBack{},
		doc:  "never asks again",
		wrap: func(n *node) sim.Machine { return asksOnce{n} }},
	{name: "one-reply", of: "abd", breaks: "majority", policy: writeBack{},
		doc:  "one reply ends a phase: that of its own node",
		wrap: func(n *node) sim.Machine { return oneReply{n} }},
	{name: "half-replies", of: "abd", breaks: "majority", policy: writeBack{},
		doc:  "the replies of half of the nodes end a phase, where their number is even",
		wrap: func(n *node) sim.Machine { return halfReplies{n} }},
	{name: "old-replies", of: "abd", breaks: "majority", policy: writeBack{},
		doc:  "counts replies to an old phase as replies to the present one",
		wrap: func(n *node) sim.Machine { return oldReplies{n} }},
	{name: "copies", of: "abd", breaks: "majority", policy: writeBack{},
		doc:  "counts the copy of a reply as the reply of another node",
		wrap: func(n *node) sim.Machine { return copies{n} }},
	{name: "nameless", of: "abd", breaks: "one-tag", policy: writeBack{},
		doc:  "leaves the writer out of tags, so that two of one number are the same",
		wrap: func(n *node) sim.Machine { return nameless{n} }},
	{name: "told-first", of: "abd", breaks: "one-tag", policy: writeBack{},
		doc:  "a write tells the others of its version before it is on the disk of its own node",
		wrap: func(n *node) sim.Machine { return toldFirst{n} }},
	{name: "unsynced", of: "abd", breaks: "durable", policy: writeBack{},
		doc:  "acknowledges a version that is written and not synced",
		wrap: func(n *node) sim.Machine { return unsynced{n} }},
	{name: "forgetful", of: "abd", breaks: "tags-grow", policy: writeBack{},
		doc:  "begins with empty registers after a restart",
		wrap: func(n *node) sim.Machine { return forgetful{n} }},
	{name: "stops-at-torn", of: "abd", breaks: "tags-grow", policy: writeBack{},
		doc:  "reads its disk up to the first torn record, and not what it wrote after it",
		wrap: func(n *node) sim.Machine { return stopsAtTorn{n} }},
	{name: "overwrites", of: "abd", breaks: "tags-grow", policy: writeBack{},
		doc:  "stores an older version over a newer one",
		wrap: func(n *node) sim.Machine { return overwrites{n} }},
}

type never struct{}

func (never) back(_ *node, o *operation) (v version, needed bool) { return o.Best, false }

type unlessOwn struct{}

func (unlessOwn) back(n *node, o *operation) (v version, needed bool) {
	return o.Best, o.Best.Tag != n.version(o.Key).Tag
}

type newTag struct{}

func (newTag) back(n *node, o *operation) (v version, needed bool) {
	v = o.Best
	if v.Value != "" {
		v.Tag = n.next(o)
	}
	return v, true
}

type ownAnswer struct{ *node }

func (w ownAnswer) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if a, ok := m.(answer); ok {
		if o := w.awaits(a.Phase, from); o != nil && !o.Writes {
			m = answer{a.Phase, o.Best}
		}
	}
	w.node.Receive(env, from, m)
}

type ownCounter struct{ *node }

func (w ownCounter) Invoke(env *sim.Env, c sim.Call) {
	if o := w.enter(c); o.Writes {
		w.choose(env, o)
	} else {
		w.begin(env, o)
	}
}

type givesUp struct{ *node }

// refused is why a call is refused.
type refused struct{}

func (refused) Kind() string { return "refused" }

func (w givesUp) Timeout(env *sim.Env, t sim.Timer) {
	env.Cancel(t)
	env.Refuse(t.(again).Call, refused{})
	w.close(t.(again).Call)
}

type asksOnce struct{ *node }

func (asksOnce) Timeout(*sim.Env, sim.Timer) {}

type oneReply struct{ *node }

func (w oneReply) Start(env *sim.Env) {
	w.node.Start(env)
	w.quorum = 1
}

type halfReplies struct{ *node }

func (w halfReplies) Start(env *sim.Env) {
	w.node.Start(env)
	w.quorum = (len(env.Nodes) + 1) / 2
}

type oldReplies struct{ *node }

func (w oldReplies) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch r := m.(type) {
	case answer:
		r.Phase = w.present(querying, r.Key, r.Phase)
		m = r
	case ack:
		r.Phase = w.present(storing, r.Key, r.Phase)
		m = r
	}
	w.node.Receive(env, from, m)
}

// present is the first phase under way of a round on a register, if the given one is not.
func (w oldReplies) present(r round, key string, given phase) phase {
	p := given
	for i := len(w.open) - 1; i >= 0; i-- {
		switch o := &w.open[i]; {
		case o.Phase == given:
			return given
		case o.Phase.Round == r && o.Key == key:
			p = o.Phase
		}
	}
	return p
}

type copies struct{ *node }

func (w copies) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	var p phase
	switch r := m.(type) {
	case answer:
		p = r.Phase
	case ack:
		p = r.Phase
	}
	for i := range w.open {
		if o := &w.open[i]; o.Phase == p && slices.Contains(o.From, from) {
			from = other(env, o.From)
		}
	}
	w.node.Receive(env, from, m)
}

// other is a node that has not replied.
func other(env *sim.Env, replied []sim.NodeID) sim.NodeID {
	for _, id := range env.Nodes {
		if !slices.Contains(replied, id) {
			return id
		}
	}
	return env.ID
}

type nameless struct{ *node }

func (w nameless) Start(env *sim.Env) {
	w.node.Start(env)
	w.name = ""
}

type toldFirst struct{ *node }

func (w toldFirst) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if a, ok := m.(answer); ok {
		if o := w.awaits(a.Phase, from); o != nil && o.Writes && len(o.From) == w.quorum-1 {
			w.tell(env, *o, a.version)
		}
	}
	w.node.Receive(env, from, m)
}

// tell tells the others what a write is about to choose, with one more answer.
func (w toldFirst) tell(env *sim.Env, o operation, last version) {
	if o.Best.Tag.less(last.Tag) {
		o.Best = last
	}
	o.Best = version{o.Key, w.next(&o), o.Value}
	o.Phase.Round, o.From = storing, nil
	w.ask(env, &o)
}

type unsynced struct{ *node }

func (w unsynced) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if s, ok := m.(store); ok && w.take(s.version) {
		env.Disk.Append(stored{s.version})
		env.Note(stored{s.version})
	}
	w.node.Receive(env, from, m)
}

type forgetful struct{ *node }

func (w forgetful) Start(env *sim.Env) { w.name = env.Name(w.id) }

type stopsAtTorn struct{ *node }

func (w stopsAtTorn) Start(env *sim.Env) {
	w.name = env.Name(w.id)
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		s, whole := env.Disk.At(lsn).(stored)
		if !whole {
			break
		}
		w.take(s.version)
	}
	for _, v := range w.held {
		env.Note(stored{v})
	}
}

type overwrites struct{ *node }

func (w overwrites) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if s, ok := m.(store); ok && s.Tag.less(w.version(s.Key).Tag) {
		w.put(version{Key: s.Key}) // and so whatever comes is newer
	}
	w.node.Receive(env, from, m)
}
