package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// solutionTable is what the draft's solutions keep, on top of P0 (2). The protocol asks at six
// places: as a row is received, as a control row is applied, at a promotion, at a restart, as a
// relay sends, and at an ACK. What only one solution does stands in a file of its own.
type solutionTable struct {
	Copies   []row   // II: own copies of rollbacks
	MaxValid []lsn   // III: by origin, the first LSN that is not valid; 0: all are
	Pairs    []row   // III: by author, the CONFIRM about another that no ROLLBACK has followed yet
	RowTerm  []int64 // IV: by origin, the term of its rows at this place of its stream
	LogTerm  int64   // IV: the greatest of them
	Hold     held    // V
	Nops     []span  // V: rows that are relayed as NOPs
}

// span is a range of the rows of an origin.
type span struct {
	Of       sim.NodeID
	From, To lsn
}

// copied is what of the table outlives a restart in a snapshot. Its lists are never changed in
// place.
func (t solutionTable) copied() solutionTable {
	t.Hold = held{}
	return t
}

// at is a component of a list by node, which ends where all that follow are zero.
func at[T any](list []T, id sim.NodeID) (v T) {
	if int(id) < len(list) {
		v = list[id]
	}
	return v
}

// put is the list with a component set. It shares nothing with the old one.
func put[T any](list []T, id sim.NodeID, v T) []T {
	list = slices.Clone(list)
	for int(id) >= len(list) {
		var zero T
		list = append(list, zero)
	}
	list[id] = v
	return list
}

// solutionReceived is asked first about a transaction that a relay has sent: pass leaves it to the
// filter.
func (n *node) solutionReceived(v *view, t *txn) verdict {
	switch n.solution.Which {
	case solutionIII:
		return n.validity(v, t)
	case solutionIV:
		return n.rowTerm(v, t)
	}
	return verdict{}
}

// solutionEffect is asked as a control row takes effect, live or in a replay.
func (n *node) solutionEffect(env *sim.Env, t *txn) {
	switch n.solution.Which {
	case solutionIII:
		n.changeOwner(env, t)
	case solutionIV:
		n.learnTerm(t)
	}
}

// solutionApplied is asked once a control row has taken effect, live.
func (n *node) solutionApplied(env *sim.Env, t *txn, own bool) {
	switch n.solution.Which {
	case solutionII:
		if !own {
			n.duplicate(env, t)
		}
	case solutionV:
		n.evidence(env, t)
	}
}

// solutionClaim are the rows of a promotion.
func (n *node) solutionClaim(pair []row, term int64) []row {
	switch n.solution.Which {
	case solutionI:
		return nil // everyone owns a queue, and nobody another's
	case solutionIII:
		return n.takeOver(pair)
	case solutionIV:
		if n.electing() {
			return append([]row{{Type: termRow, Term: term}}, n.resolving(pair)...)
		}
	}
	return n.resolving(pair)
}

// solutionRestart is asked after a recovery, before anyone is subscribed to.
func (n *node) solutionRestart(env *sim.Env) {
	switch n.solution.Which {
	case solutionII:
		n.deriveCopies(env)
	case solutionIV:
		n.deriveTerms(env)
	case solutionV:
		if !n.solution.ForgetsNops {
			n.deriveNops(env)
		}
		n.hold()
	}
}

// sentAs is how a relay sends a transaction.
func (n *node) sentAs(t txn) txn {
	covers := func(s span) bool { return s.Of == t.Origin && s.From <= t.LSN && t.LSN <= s.To }
	if t.kind() == dml && slices.ContainsFunc(n.table.Nops, covers) {
		return t.nopified()
	}
	return t
}

// solutionSubscribed and solutionWelcomed are asked as a peer says what it has.
func (n *node) solutionSubscribed(env *sim.Env, from sim.NodeID) {
	if n.solution.Which != solutionV {
		return
	}
	if n.solution.EveryReconnect {
		n.deriveNops(env)
		n.hold()
	}
	n.learnClock(env, from, n.peers[from].relay.Has)
}

func (n *node) solutionWelcomed(env *sim.Env, from sim.NodeID, has clock) {
	if n.solution.Which == solutionV {
		n.learnClock(env, from, has)
	}
}

// ackHeard is what an ACK says of the rows of this queue's owner; in solution I, of this node's own
// queue.
func (n *node) ackHeard(env *sim.Env, from sim.NodeID, has clock) {
	switch {
	case n.table.Hold.On: // they are asked once the queue is resolved
	case n.solution.Which == solutionI:
		n.takeIn(env, n.queueOf(n.id), from, has.of(n.id))
	default:
		n.take(env, from, has.of(n.limbo.Owner))
	}
}

// ownsPairs says that a row of a pair about another changes the owner, whoever that was (III).
func (n *node) ownsPairs(t *txn) bool {
	if n.solution.Which != solutionIII {
		return false
	}
	kind := t.kind()
	pair := kind == confirmRow || kind == rollbackRow
	return kind == changeRow || pair && t.Origin != t.Rows[0].Prev
}
