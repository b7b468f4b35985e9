package commit

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Mutants are wrong on purpose, to measure the checkers: each says what it spoils and which
// property must catch it. They spoil the answer of the policy, or tamper with a node at its door.
var sabotaged = []variant{
	{name: "in-memory", breaks: "agreement", policy: unwritten{decided},
		doc: "the coordinator keeps its decision in memory"},
	{name: "tells-first", breaks: "agreement", policy: unforced{decided},
		doc: "the coordinator tells its decision before the record is forced"},
	{name: "votes-first", breaks: "termination", policy: unforced{prepared},
		doc: "a participant votes yes before the record is forced"},
	{name: "refuses-first", breaks: "stable", policy: unforced{refused},
		doc: "a participant votes no before the record is forced"},
	{name: "acks-first", breaks: "stable", policy: unforced{committed},
		doc: "a participant acknowledges the commit before the record is forced"},
	{name: "decides-alone", breaks: "agreement", policy: logged{},
		doc:  "a participant in doubt aborts after a while",
		wrap: func(n *node) sim.Machine { return decidesAlone{n} }},
	{name: "never-asks", breaks: "termination", policy: logged{},
		doc:  "a participant in doubt waits to be told",
		wrap: func(n *node) sim.Machine { return neverAsks{n} }},
	{name: "tells-once", breaks: "termination", policy: logged{},
		doc:  "the coordinator tells of a commit once",
		wrap: func(n *node) sim.Machine { return tellsOnce{n} }},
	{name: "forgets-promise", breaks: "termination", policy: logged{},
		doc:  "a participant that restarts forgets what it was prepared for",
		wrap: func(n *node) sim.Machine { return forgetsPromise{n} }},
	{name: "forgets-commit", breaks: "stable", policy: logged{},
		doc:  "a participant forgets what it has committed, and may be asked to prepare it again",
		wrap: func(n *node) sim.Machine { return forgetsCommit{n} }},
	{name: "ends-early", breaks: "agreement", policy: logged{},
		doc:  "the coordinator forgets a commit after the first acknowledgement",
		wrap: func(n *node) sim.Machine { return endsEarly{n} }},
	{name: "answers-early", breaks: "agreement", policy: logged{},
		doc:  "the coordinator answers abort while it waits for votes",
		wrap: func(n *node) sim.Machine { return answersEarly{n} }},
	{name: "flinches", breaks: "reason", policy: logged{},
		doc:  "the coordinator aborts if a participant asks before there is a decision",
		wrap: func(n *node) sim.Machine { return flinches{n} }},
	{name: "presumes-commit", breaks: "all-yes", policy: logged{},
		doc:  "the coordinator answers commit where it knows nothing",
		wrap: func(n *node) sim.Machine { return presumesCommit{n} }},
	{name: "gives-up", breaks: "stable", policy: logged{},
		doc:  "the coordinator aborts if acknowledgements do not come",
		wrap: func(n *node) sim.Machine { return givesUp{n} }},
	{name: "half", breaks: "all-yes", policy: logged{},
		doc:  "the coordinator commits once half of the participants have voted yes",
		wrap: func(n *node) sim.Machine { return half{n} }},
	{name: "copies", breaks: "all-yes", policy: logged{},
		doc:  "the coordinator takes the copy of a vote for the vote of another participant",
		wrap: func(n *node) sim.Machine { return copies{n} }},
}

// unwritten does not write a status.
type unwritten struct{ is status }

func (p unwritten) keep(env *sim.Env, r record) {
	if r.Is != p.is {
		logged{}.keep(env, r)
	}
}

// unforced writes a status and does not force it.
type unforced struct{ is status }

func (p unforced) keep(env *sim.Env, r record) {
	if r.Is != p.is {
		logged{}.keep(env, r)
		return
	}
	env.Disk.Append(r)
}

type decidesAlone struct{ *node }

func (m decidesAlone) Timeout(env *sim.Env, t sim.Timer) {
	if e := m.of(t.(again).tx); e.Is == prepared {
		m.enter(env, record{tx: e.tx, Is: aborted})
		return
	}
	m.node.Timeout(env, t)
}

type neverAsks struct{ *node }

func (m neverAsks) Timeout(env *sim.Env, t sim.Timer) {
	if m.of(t.(again).tx).Is != prepared {
		m.node.Timeout(env, t)
	}
}

type tellsOnce struct{ *node }

func (m tellsOnce) Timeout(env *sim.Env, t sim.Timer) {
	if m.of(t.(again).tx).Is != decided {
		m.node.Timeout(env, t)
	}
}

type forgetsPromise struct{ *node }

func (m forgetsPromise) Start(env *sim.Env) {
	m.node.Start(env)
	m.txs = slices.DeleteFunc(m.txs, func(e entry) bool { return e.Is == prepared })
}

type forgetsCommit struct{ *node }

func (m forgetsCommit) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	d, ok := body.(decision)
	if ok && d.Commit && m.of(d.tx).Is == unknown {
		env.Send(from, ack{d.tx})
		return
	}
	m.node.Receive(env, from, body)
	if ok && d.Commit {
		m.put(record{tx: d.tx, Is: aborted})
	}
}

type endsEarly struct{ *node }

func (m endsEarly) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	if a, ok := body.(ack); ok {
		if e := m.of(a.tx); e.Is == decided {
			e.Waits = []sim.NodeID{from}
		}
	}
	m.node.Receive(env, from, body)
}

type answersEarly struct{ *node }

func (m answersEarly) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	if a, ok := body.(ask); ok && m.of(a.tx).Is == voting {
		env.Send(from, decision{a.tx, false})
		return
	}
	m.node.Receive(env, from, body)
}

type flinches struct{ *node }

func (m flinches) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	if a, ok := body.(ask); ok && m.of(a.tx).Is == voting {
		m.decide(env, m.of(a.tx), aborted)
		return
	}
	m.node.Receive(env, from, body)
}

type presumesCommit struct{ *node }

func (m presumesCommit) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	if a, ok := body.(ask); ok && m.of(a.tx).Is == unknown {
		env.Send(from, decision{a.tx, true})
		return
	}
	m.node.Receive(env, from, body)
}

type givesUp struct{ *node }

func (m givesUp) Timeout(env *sim.Env, t sim.Timer) {
	e := m.of(t.(again).tx)
	if e.Is == decided {
		m.decide(env, e, aborted)
		return
	}
	m.node.Timeout(env, t)
}

type half struct{ *node }

func (m half) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	m.node.Receive(env, from, body)
	if v, ok := body.(vote); ok {
		if e := m.of(v.tx); e.Is == voting && 2*len(e.Waits) <= len(e.Of) {
			m.decide(env, e, decided)
		}
	}
}

type copies struct{ *node }

func (m copies) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	if v, ok := body.(vote); ok && v.Yes {
		e := m.of(v.tx)
		if e.Is == voting && len(e.Waits) > 0 && !slices.Contains(e.Waits, from) {
			from = e.Waits[0]
		}
	}
	m.node.Receive(env, from, body)
}
