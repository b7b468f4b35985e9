package synchro

import (
	"cmp"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// end judges what is left once the world has healed and come to rest (6.3).
func (a *audit) end() {
	a.e = nil
	a.at = len(a.run.Trace) - 1
	a.chain()
	a.inflation()
	if a.run.End != sim.Settled || a.run.Epilogue >= len(a.run.Trace) {
		return
	}
	up := a.upright()
	for i, x := range up {
		for _, y := range up[i+1:] {
			a.alike(x, y)
		}
	}
	a.stopped(up)
	a.led(up)
	a.ended()
}

// upright are the nodes that are up, and not expelled.
func (a *audit) upright() []sim.NodeID {
	var up []sim.NodeID
	for id := range a.lives {
		if a.lives[id].Up && !a.gone(sim.NodeID(id)) {
			up = append(up, sim.NodeID(id))
		}
	}
	return up
}

// gone says that a node is expelled, as someone has it.
func (a *audit) gone(id sim.NodeID) bool {
	return slices.ContainsFunc(a.lives, func(l life) bool {
		return slices.Contains(l.Expelled,
			id)
	})
}

// alike: C1 and, of nodes that nothing has stopped, L2.
func (a *audit) alike(x, y sim.NodeID) {
	l, m := &a.lives[x], &a.lives[y]
	equal := l.Clock.covers(m.Clock) && m.Clock.covers(l.Clock)
	a.diverged(x, y)
	if a.anyStopped() || a.faults.Expelled || !a.layout.linked(x, y) || a.unresolved(x) ||
		a.unresolved(y) {
		return
	}
	a.on(cL2).must(equal, "in the end %s has %v and %s has %v", a.name(x), l.Clock, a.name(y),
		m.Clock)
	if len(a.claims) > 0 && equal {
		a.on(cL2).must(l.Owner == m.Owner && l.Term == m.Term,
			"in the end the owner is %s of term %d on %s, and %s of term %d on %s",
			a.name(l.Owner), l.Term, a.name(x), a.name(m.Owner), m.Term, a.name(y))
	}
}

// quiescent judges C1 as soon as a node has decided something: with every other one that has the
// same rows, if neither has anything left to decide (6.3).
func (a *audit) quiescent() {
	l := a.me()
	if len(l.Queue) > 0 || l.Open > 0 {
		return
	}
	for id := range a.lives {
		m := &a.lives[id]
		if sim.NodeID(id) != a.e.Node && m.Up && len(m.Queue) == 0 && m.Open == 0 {
			a.diverged(a.e.Node, sim.NodeID(id))
		}
	}
}

// diverged: C1.
func (a *audit) diverged(x, y sim.NodeID) {
	l, m := &a.lives[x], &a.lives[y]
	if !l.Clock.covers(m.Clock) || !m.Clock.covers(l.Clock) {
		return
	}
	key, one, other := a.difference(l.Data, m.Data)
	if key == "" || l.waitsFor(key) || m.waitsFor(key) {
		a.on(cC1).must(true, "")
		return
	}
	why, at := a.overtakenKey(key, x, y)
	a.on(cC1, at...).must(false, "%s and %s have the same vclock %v, and %s is %s on %s and "+
		"%s on %s%s", a.name(x), a.name(y), l.Clock, key, orNone(one), a.name(x), orNone(other),
		a.name(y), why)
}

// waitsFor says that what a key holds is not decided on a node.
func (l *life) waitsFor(key string) bool {
	return slices.ContainsFunc(l.Queue, func(e entered) bool {
		return slices.Contains(e.Txn.Keys(), key)
	})
}

func orNone(value string) string {
	if value == "" {
		return "not there"
	}
	return value
}

// difference is a key that two states differ in, "" if there is none; a value that is there and
// empty is shown as there.
func (a *audit) difference(x, y []cell) (key, one, other string) {
	for _, k := range keysOf(x, y) {
		v, is := valueOf(x, k)
		w, has := valueOf(y, k)
		if v == w && is == has || k == hereKey || a.contested(k) {
			continue
		}
		shown := func(v string, there bool) string {
			if there && v == "" {
				return "there"
			}
			return v
		}
		return k, shown(v, is), shown(w, has)
	}
	return "", "", ""
}

// unresolved is a joiner that still has nothing: what the others have in their queues has to be
// decided first (1.15), and nobody is elected by itself who would, or can: some go by a greater
// quorum than there are members left.
func (a *audit) unresolved(id sim.NodeID) bool {
	able := slices.Contains(a.layout.Modes, modeCandidate) && a.quorumLeft(a.upright()) <= a.members
	if int(id) < len(a.run.Plan.Nodes) || len(a.lives[id].Clock) > 0 || able {
		return false
	}
	return slices.ContainsFunc(a.lives, func(l life) bool { return l.Up && len(l.Queue) > 0 })
}

// stops is an applier that is stopped, or started again by an operator.
func (a *audit) stops(f *stops) {
	l := a.me()
	if f.Why != "" {
		l.Stops = append(l.Stops, a.at)
		return
	}
	l.Stops = slices.DeleteFunc(l.Stops, func(at int) bool {
		return a.run.Trace[at].Body.(stops).From == f.From
	})
}

// anyStopped says that an applier was stopped for good.
func (a *audit) anyStopped() bool {
	return slices.ContainsFunc(a.lives, func(l life) bool { return len(l.Stops) > 0 })
}

// excused says that operators did what the rules do not promise to survive.
func (a *audit) excused() bool {
	f := &a.faults
	return f.Timeouts > 0 || f.LowQuorum || len(f.OffPromotes) > 1 || f.LateAsync ||
		f.LateUnowned && a.owned() || f.Expelled
}

// excusedStop says so of an applier that is stopped: a journal that was made to fail stops those of
// its node.
func (a *audit) excusedStop(s *stops) bool {
	return a.excused() || a.faults.Jammed && strings.Contains(s.Why, "journal")
}

// stopped: L1.
func (a *audit) stopped(up []sim.NodeID) {
	for _, id := range up {
		l := &a.lives[id]
		for _, at := range l.Stops {
			s := a.run.Trace[at].Body.(stops)
			a.on(cL1, at).must(a.excusedStop(&s), "%s has stopped its applier from %s: %s", a.name(id),
				a.name(s.From), s.Why)
		}
		a.on(cL1).must(true, "")
	}
}

// led: L3, of clusters with candidates that have a quorum up and all links.
func (a *audit) led(up []sim.NodeID) {
	voters := slices.DeleteFunc(slices.Clone(up), func(id sim.NodeID) bool {
		return !a.registered(id) || int(id) >= len(a.run.Plan.Nodes) // a joiner may not be yet
	})
	excused := (a.excused() || a.faults.Jammed) && !a.faults.Broken
	if a.anyStopped() || excused || len(a.layout.Apart) > 0 ||
		len(voters) < max(a.electionLeast(), a.quorumLeft(voters)) {
		return
	}
	candidates := 0
	for _, id := range up {
		if a.mode(id) == modeCandidate && !a.remoded(id) {
			candidates++
		}
	}
	if candidates == 0 {
		return
	}
	leads := slices.ContainsFunc(up, func(id sim.NodeID) bool { return a.lives[id].Role == leader })
	a.on(cL3).must(leads, "in the end nobody leads")
	if !leads {
		return
	}
	probed := false
	for i := range a.calls {
		c := &a.calls[i]
		if op, ok := c.Op.(putOp); ok && c.At > a.run.Epilogue && op.Writes[0].Key == probeKey {
			_, ok := c.Reply.(done)
			probed = probed || ok && c.How == sim.EntryReturned
		}
	}
	a.on(cL3).must(probed, "in the end a write does not succeed on any node")
}

// remoded says that an operator has set a node's mode during the run.
func (a *audit) remoded(id sim.NodeID) bool {
	return slices.ContainsFunc(a.calls, func(c callLife) bool {
		_, ok := c.Op.(setModeOp)
		return ok && c.Node == id
	})
}

// quorumNow is the greatest quorum that was set.
func (a *audit) quorumNow() int {
	q := max(a.layout.Quorum, a.voters/2+1)
	for i := range a.calls {
		if op, ok := a.calls[i].Op.(setQuorumOp); ok {
			q = max(q, op.N)
		}
	}
	return q
}

// quorumLeft is the greatest quorum that some nodes go by in the end.
func (a *audit) quorumLeft(up []sim.NodeID) int {
	greatest := 0
	for _, id := range up {
		q := cmp.Or(a.layout.Quorum, a.voters/2+1)
		for i := range a.calls {
			if op, ok := a.calls[i].Op.(setQuorumOp); ok && a.calls[i].Node == id {
				q = op.N
			}
		}
		greatest = max(greatest, q)
	}
	return greatest
}

// ended: L4.
func (a *audit) ended() {
	for i := range a.calls {
		c := &a.calls[i]
		a.on(cL4, c.At).must(c.End > 0, "the call of %s on %s never ends", sim.Text(c.Op),
			a.name(c.Node))
		a.on(cL4, c.At).must(!c.barred(), "%s refuses a write to a local space: %s", a.name(c.Node),
			sim.Text(c.Reply))
	}
}

// barred says that a write to a local space was refused because of whose the queue is (#7592).
func (c *callLife) barred() bool {
	op, ok := c.Op.(putOp)
	why, refused := c.Reply.(refusal)
	return ok && op.Local && refused && why.Why == foreignQueue
}

// chain: P2. By term, prev of each claim that took effect is the owner that one before it has left:
// the
// last under which something was committed, or one after that. A claim under which nothing was
// committed may be passed over: its row may have come to nobody in time.
func (a *audit) chain() {
	var took []claim
	for i := range a.claims {
		if c := a.claims[i]; c.Took > 0 {
			took = append(took, c)
		}
	}
	slices.SortStableFunc(took, func(x, y claim) int { return cmp.Compare(x.Row.Term, y.Row.Term) })
	for i := range took {
		c := &took[i]
		if i < len(took)-1 && !a.used(c) {
			continue
		}
		owner, at, follows := a.follows(took[:i], c)
		a.on(cP2, at, c.Took).must(follows, "%v took effect, and the owner before it was %s",
			a.byID[c.ID].Txn, a.name(owner))
	}
}

// follows says that a claim is about an owner that one of those before it has left, and who the
// last
// owner was, since where.
func (a *audit) follows(before []claim, c *claim) (owner sim.NodeID, at int, follows bool) {
	for i := len(before) - 1; i >= 0; i-- {
		b := &before[i]
		left := b.ID.Origin
		if b.Row.Type == demoteRow {
			left = nobody
		}
		if at == 0 {
			owner, at = left, b.Took
		}
		if left == c.Row.Prev || a.used(b) {
			return owner, at, left == c.Row.Prev
		}
	}
	if at == 0 {
		owner = nobody
	}
	return owner, at, c.Row.Prev == nobody
}

// inflation: T3.
func (a *audit) inflation() {
	terms, causes := int64(0), int64(len(a.lives))
	for i := range a.run.Trace {
		switch e := &a.run.Trace[i]; e.Kind {
		case sim.EntryStarted, sim.EntryCrashed, sim.EntryBroken, sim.EntryParted,
			sim.EntryPaused, sim.EntryJoined,
			sim.EntryLeft, sim.EntryHealed, sim.EntryClock, sim.EntryResumed:
			causes++
		case sim.EntryInvoked:
			switch e.Body.(type) {
			case promoteOp, demoteOp, resignOp, setModeOp, setQuorumOp, jamOp:
				causes++
			}
		case sim.EntryNoted:
			if f, ok := e.Body.(rises); ok {
				terms = max(terms, f.Term)
			}
		}
	}
	a.on(cT3).must(terms <= 4*causes, "the raft term has grown to %d, with %d causes", terms,
		causes)
}

// contested says that nodes have written a key asynchronously side by side; or one has so, as an
// outdated origin while nobody owned the queue (#7286), and another in whatever way. Nothing orders
// such writes: that they end in another order on each node is no fault of the queue.
func (a *audit) contested(key string) bool {
	var plain, queued []sim.NodeID
	for _, x := range a.txns {
		switch {
		case x.Txn.kind() != dml || !slices.Contains(x.Txn.Keys(), key):
		case x.Txn.WaitSync:
			queued = append(queued, x.ID.Origin)
		default:
			plain = append(plain, x.ID.Origin)
		}
	}
	if a.faults.LateUnowned && len(plain) > 0 {
		plain = append(plain, queued...)
	}
	return slices.ContainsFunc(plain, func(id sim.NodeID) bool { return id != plain[0] })
}

// used says that something was committed under a claim, so that a quorum had it, or that it gave
// the
// queue up.
func (a *audit) used(c *claim) bool {
	x := a.byID[c.ID]
	return c.Row.Type == demoteRow || slices.ContainsFunc(a.txns, func(t *txnLife) bool {
		after := t.ID.Origin == c.ID.Origin && t.ID.LSN > c.ID.LSN && t.Written > x.Written &&
			a.claimedBy(t) == c.Row.Term // not under a later claim of the same node
		return after && t.sync() && slices.ContainsFunc(t.Committed,
			func(at int) bool { return at > 0 })
	})
}
