package commit

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// node is the machine of one node: the coordinator of what its own clients ask, and a participant
// in what others coordinate. The numbers of rules are those of doc.go.
type node struct {
	sim.Idle
	policy  policy
	txs     []entry  // what it has not forgotten, in the order of their calls
	refuses []string // names of transactions that it will vote against
}

// policy is what variants differ in.
type policy interface {
	// keep writes a record, if there must be one, and forces it to the disk, if that must be.
	keep(env *sim.Env, r record)
}

// patience is how long a node waits before it asks or tells again.
const patience = 20 * time.Millisecond

// Start reads the log and goes on where it ends (rule 11). A torn record never was durable, so
// nothing has come of it.
func (n *node) Start(env *sim.Env) {
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		if r, whole := env.Disk.At(lsn).(record); whole {
			n.put(r)
		}
	}
	for i := range n.txs {
		n.txs[i].say(env)
		n.txs[i].press(env)
		n.txs[i].wait(env)
	}
}

// enter writes how far a transaction is, and goes there.
func (n *node) enter(env *sim.Env, r record) *entry {
	n.policy.keep(env, r)
	r.say(env)
	e := n.put(r)
	e.wait(env)
	return e
}

// Invoke begins the first phase (rule 1), or notes what to vote against, until the node crashes.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	switch op := c.Op.(type) {
	case refuse:
		n.refuses = with(n.refuses, op.Tx)
		env.Return(c.ID, noted{})
	case begin:
		of, why := others(env, op.Of)
		if why != "" {
			env.Refuse(c.ID, unable{why})
			return
		}
		n.enter(env, record{tx: tx{op.Tx, c.ID}, Is: voting, Of: of}).press(env)
	}
}

// Receive is what a coordinator says to a participant, and the other way round.
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case prepare:
		n.onPrepare(env, from, n.of(m.tx))
	case vote:
		n.onVote(env, from, m)
	case decision:
		n.onDecision(env, from, m)
	case ack:
		n.onAck(env, from, n.of(m.tx))
	case ask:
		n.onAsk(env, from, n.of(m.tx))
	}
}

// onPrepare: a vote binds, so it is on the disk before it is said, a yes (rule 2) as well as a no
// (rule 3). To a copy of the question the node says the same again.
func (n *node) onPrepare(env *sim.Env, from sim.NodeID, e *entry) {
	if e.Is == unknown {
		is := prepared
		if slices.Contains(n.refuses, e.Name) {
			is = refused
		}
		e = n.enter(env, record{tx: e.tx, Is: is, By: from})
	}
	if e.Is != committed {
		env.Send(from, vote{e.tx, e.Is == prepared})
	}
}

// onVote: with the last yes the coordinator commits (rule 4), with the first no it aborts (rule 5).
func (n *node) onVote(env *sim.Env, from sim.NodeID, v vote) {
	switch e := n.of(v.tx); {
	case e.Is != voting: // it has decided
	case !v.Yes:
		n.decide(env, e, aborted)
	case e.hears(from):
		n.decide(env, e, decided)
	}
}

// decide: what commits a transaction is the record, so it comes before all else (rule 4). That
// nothing is known of it says that it was aborted, and needs no record (rule 5).
func (n *node) decide(env *sim.Env, e *entry, is status) {
	e = n.enter(env, record{tx: e.tx, Is: is, Of: e.Of})
	env.Return(e.Call, decision{e.tx, is == decided})
	e.send(env, decision{e.tx, is == decided})
}

// onDecision: what a participant has decided stays so. A commit is on the disk before it is
// acknowledged (rule 6), an abort is not acknowledged (rule 7).
func (n *node) onDecision(env *sim.Env, from sim.NodeID, d decision) {
	e := n.of(d.tx)
	switch {
	case e.Is == prepared && d.Commit:
		e = n.enter(env, record{tx: d.tx, Is: committed})
	case e.Is == prepared:
		n.enter(env, record{tx: d.tx, Is: aborted})
	}
	if e.Is == committed && d.Commit {
		env.Send(from, ack{d.tx})
	}
}

// onAck: once all have acknowledged, nobody will ask (rule 8).
func (n *node) onAck(env *sim.Env, from sim.NodeID, e *entry) {
	if e.Is == decided && e.hears(from) {
		n.enter(env, record{tx: e.tx, Is: ended})
	}
}

// onAsk: who has not decided lets the participant wait, who knows nothing answers abort (rule 10).
func (n *node) onAsk(env *sim.Env, from sim.NodeID, e *entry) {
	if e.Is != voting {
		env.Send(from, decision{e.tx, e.Is == decided})
	}
}

// Timeout: a coordinator asks for votes once more and then aborts (rule 5), and tells of a commit
// until it is acknowledged (rule 8). A participant in doubt asks (rule 9).
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	e := n.of(t.(again).tx)
	if e.Is == voting && e.Pressed {
		env.Note(gaveUp{e.tx})
		n.decide(env, e, aborted)
		return
	}
	e.Pressed = e.Is == voting
	e.press(env)
}

// press says what those should know that the node waits for.
func (e *entry) press(env *sim.Env) {
	switch e.Is {
	case voting:
		e.send(env, prepare{e.tx})
	case decided:
		e.send(env, decision{e.tx, true})
	case prepared:
		env.Send(e.By, ask{e.tx})
	}
}
