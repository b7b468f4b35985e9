package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Solution V: a node that finds transactions in its queue as it starts relays no rows until it
// knows what has become of them. Raft messages and heartbeats go on.

// held is what a node waits for before it relays rows.
type held struct {
	On    bool
	Of    sim.NodeID // whose rows are pending
	To    lsn        // the last of them: M
	From  lsn        // N+1 of the pair that has been seen about them; 0: none
	Known []clock    // by peer, what it has said to have; nil: nothing yet
}

// holdsBack says that relays send no rows now.
func (n *node) holdsBack() bool { return n.table.Hold.On }

// hold begins to hold rows back, if there is something to be resolved: rows of this node's own, or
// any.
func (n *node) hold() {
	q := &n.limbo
	if len(q.Queue) == 0 || n.table.Hold.On || q.Owner != n.id && !n.solution.AnyPending {
		return
	}
	h := held{On: true, Of: q.Owner, To: n.wal.Accepted.of(q.Owner)}
	for p := range n.peers {
		if r := &n.peers[p].relay; r.Conn != 0 {
			h.Known = put(h.Known, sim.NodeID(p), slices.Clone(r.Acked.Clock))
		}
	}
	n.table.Hold = h
}

// learnClock is evidence: what a peer has.
func (n *node) learnClock(env *sim.Env, from sim.NodeID, has clock) {
	if h := &n.table.Hold; h.On {
		h.Known = put(h.Known, from, append(clock{0}, has...)[1:])
		n.weigh(env, from)
	}
}

// evidence of another kind: a pair about the pending rows, of somebody else.
func (n *node) evidence(env *sim.Env, t *txn) {
	h, r := &n.table.Hold, t.Rows[0]
	if !h.On {
		return
	}
	if r.Type == rollbackRow && r.Prev == h.Of && t.Origin != h.Of {
		h.From = r.N
	}
	n.weigh(env, n.id)
}

// weigh says whether the evidence is enough. Nobody has interfered if no peer has more than this
// node: rows are relayed as they are. Somebody has if its pair is here: what it rolls back is
// relayed as NOPs. The draft waits for all peers; either may be believed at once instead.
func (n *node) weigh(env *sim.Env, from sim.NodeID) {
	h := &n.table.Hold
	all, clean := true, true
	for p := range n.peers {
		has := at(h.Known, sim.NodeID(p))
		if n.peers[p].Member && !n.peers[p].Expelled && sim.NodeID(p) != n.id {
			all = all && has != nil
			clean = clean && n.wal.Clock.covers(has)
		}
	}
	if n.solution.FirstEvidence && from != n.id {
		all, clean = true, n.wal.Clock.covers(at(h.Known, from))
	}
	seen := h.From != 0 && (all || n.solution.FirstEvidence)
	if !seen && !(all && clean) && len(n.limbo.Queue) > 0 {
		return
	}
	if h.From != 0 && h.From <= h.To {
		n.nopify(span{h.Of, h.From, h.To})
	}
	*h = held{}
	n.letGo(env)
}

// letGo relays what was held, and takes in the ACKs that have come meanwhile.
func (n *node) letGo(env *sim.Env) {
	for p := range n.peers {
		if r := &n.peers[p].relay; r.Conn != 0 && n.counts(sim.NodeID(p)) {
			n.ackHeard(env, sim.NodeID(p), r.Acked.Clock)
		}
	}
	n.wakeRelays(env)
}

// deriveNops finds in the log what pairs have rolled back: who connects later gets NOPs in its
// place.
func (n *node) deriveNops(env *sim.Env) {
	var last clock
	for at := env.Disk.First(); at <= env.Disk.Durable(); at++ {
		t, ok := env.Disk.At(at).(txn)
		if !ok || t.Local {
			continue
		}
		r := t.Rows[0]
		if r.Type == rollbackRow && t.Origin != r.Prev && r.N <= last.of(r.Prev) &&
			(r.Prev == n.id || n.solution.AnyPending) {
			n.nopify(span{r.Prev, r.N, last.of(r.Prev)})
		}
		last.set(t.Origin, t.LSN)
	}
}

func (n *node) nopify(s span) {
	if !slices.Contains(n.table.Nops, s) {
		n.table.Nops = append(slices.Clone(n.table.Nops), s)
	}
}
