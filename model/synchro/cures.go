package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// cureRules mend what searches have found in the rules as they were shipped: the zero value is what
// P4 does. Each names the story that shows what it is for.
type cureRules struct {
	// found-abandoned-claim: a leader whose claim was overtaken by an older one claims again, as
	// long as its term is the newest.
	ClaimsAgain bool
	// found-stale-claim: a claim of an old term that asks for nothing that is not decided is stored
	// without effect, as old CONFIRMs are (1.11); else it is a split-brain.
	StaleHarmless bool
	// found-subscription-counts: a subscription says the raft term, as ACKs do (1.7).
	SubscribeTerm bool
	// found-lost-write, found-claim-of-few: a claim takes effect anywhere only once Q nodes have a
	// row that announces it, CLAIM, and with those that it is built on.
	ClaimsAhead bool
	// found-queued-async: what queues behind a synchronous transaction is one too, and waits for a
	// quorum of its own.
	QueuedSync bool
	// found-snapshot-in-a-claim: the summary of a snapshot is not taken while a row takes effect that
	// its clock covers.
	SummaryOfRow bool
	// found-forced-async: what its origin did not queue is not queued on others either.
	FlagsOfRow bool
	// found-giver-leaves: a joiner is given nothing that a majority has not got.
	JoinsMajority bool
}

// cured is the final plan with all cures.
func cured() []profile {
	r := p4()
	r.cure = cureRules{true, true, true, true, true, true, true, true}
	return []profile{{name: "cured", rules: r,
		doc: "P4 with a cure for each violation that searches have found in it"}}
}

// cureRows are the cures by name. The first value is that of all profiles.
func cureRows() []rule {
	return []rule{
		sim.Flag("overtaken-claim", "what a leader does whose claim was overtaken by an older one",
			"abandons|claims-again", func(r *rules) *bool { return &r.cure.ClaimsAgain }),
		sim.Flag("stale-claim", "what a claim of an old term is that asks for nothing undecided",
			"split-brain|no-effect", func(r *rules) *bool { return &r.cure.StaleHarmless }),
		sim.Flag("subscribe-term", "whether a subscription says the raft term, as ACKs do",
			"off|on", func(r *rules) *bool { return &r.cure.SubscribeTerm }),
		sim.Flag("claim-ahead", "whether claims are announced, and take effect once Q nodes know",
			"off|on", func(r *rules) *bool { return &r.cure.ClaimsAhead }),
		sim.Flag("queued-async", "what an asynchronous transaction is behind a synchronous one",
			"async|sync", func(r *rules) *bool { return &r.cure.QueuedSync }),
		sim.Flag("summary-moment",
			"when the summary of a snapshot is taken: as the last transaction that it shows "+
				"commits, or after the row that commits it, if its clock covers that row",
			"commit|row", func(r *rules) *bool { return &r.cure.SummaryOfRow }),
		sim.Flag("replica-flags",
			"whether a transaction of a peer queues by the queue here alone, or only if its "+
				"origin has queued it, as its flags say",
			"queue|row", func(r *rules) *bool { return &r.cure.FlagsOfRow }),
		sim.Flag("join-rows", "what a joiner is given: what its giver has, or once a majority has it",
			"giver|majority", func(r *rules) *bool { return &r.cure.JoinsMajority }),
	}
}

// raise makes an own transaction that queues a synchronous one.
func (n *node) raise(t *txn) {
	t.WaitAck = t.WaitAck || t.WaitSync && n.cure.QueuedSync && t.Origin == n.id && !t.Local
}

// announcedClaim is a claim that is in the WAL and may come to take effect.
type announcedClaim struct {
	By   sim.NodeID
	Row  row // its CLAIM
	Type rowType
}

// owner is who owns the queue once it has taken effect.
func (c *announcedClaim) owner() sim.NodeID {
	if c.Type == demoteRow {
		return nobody
	}
	return c.By
}

// announceClaim is the row that goes before a claim. It is built on the last claim known, whether
// that has taken effect or not: if it has anywhere, Q nodes knew of it, and so does who was elected
// since.
func (n *node) announceClaim(kind rowType, term int64) row {
	q := &n.limbo
	last, _ := n.lastSync()
	r := row{Type: claimRow, Prev: q.Owner, N: last, Term: term, On: q.Term,
		Demotes: kind == demoteRow}
	if at := len(q.Claims); at > 0 {
		before := &q.Claims[at-1]
		r.Prev, r.On = before.owner(), before.Row.Term
		r.N = q.Former.of(r.Prev)
	}
	return r
}

// aimed: a CLAIM is in the WAL. Those that it is not built on are given up: had one of them been
// known to Q nodes, so it would have been to the author of this one.
func (n *node) aimed(t *txn) {
	q := &n.limbo
	r := t.Rows[0]
	at := slices.IndexFunc(q.Claims, func(c announcedClaim) bool { return c.Row.Term > r.On })
	kept := q.Claims
	if at >= 0 {
		kept = q.Claims[:at]
	}
	c := announcedClaim{By: t.Origin, Row: r, Type: promoteRow}
	if r.Demotes {
		c.Type = demoteRow
	}
	q.Claims = append(slices.Clone(kept), c)
}

// builtOn has the claims take effect that one of a term is built on.
func (n *node) builtOn(env *sim.Env, term int64) {
	for len(n.limbo.Claims) > 0 && n.limbo.Claims[0].Row.Term < term {
		c := n.limbo.Claims[0]
		n.transfer(env, c.owner(), c.Row.N)
		n.termSeen(c.By, c.Row.Term)
		n.forgetClaims(c.Row.Term)
		n.say(env, owns{Owner: n.limbo.Owner, Prev: c.Row.Prev, N: c.Row.N, Term: c.Row.Term,
			By: c.By, Raft: n.raft.Term})
	}
}

// forgetClaims forgets those that have taken effect up to a term.
func (n *node) forgetClaims(term int64) {
	n.limbo.Claims = slices.DeleteFunc(slices.Clone(n.limbo.Claims),
		func(c announcedClaim) bool { return c.Row.Term <= term })
}

// ownClaim is the CLAIM of the procedure under way, if it is in the queue's list.
func (n *node) ownClaim() (row, bool) {
	for _, c := range n.limbo.Claims {
		if c.By == n.id && c.Row.Term == n.raft.Procedure.Term {
			return c.Row, true
		}
	}
	return row{}, false
}

// claimIsKnown says that Q nodes have the CLAIM of the procedure under way in their WAL. What they
// have said of it came with their terms, and none is newer.
func (n *node) claimIsKnown() bool {
	count := 0
	for id := range n.peers {
		p := sim.NodeID(id)
		has := n.peers[id].relay.Heard.of(n.id)
		if p == n.id {
			has = n.wal.Clock.of(n.id)
		}
		if n.counts(p) && has >= n.raft.Procedure.Last {
			count++
		}
	}
	return count >= n.synchroQuorum()
}

// claimAhead decides about a CLAIM: one of an old term comes too late.
func (v *view) claimAhead(t *txn) verdict {
	if r := &t.Rows[0]; r.Term <= max(v.Term, v.Announced) {
		return verdict{Made: ignored}
	}
	return verdict{}
}

// harmlessClaim says that all that an old claim asks for is decided.
func (v *view) harmlessClaim(r *row) bool {
	return v.Cure.StaleHarmless && r.N <= v.boundary(r.Prev)
}

// majorityHas says that most members have all rows up to a clock in their WAL, as they have said.
func (n *node) majorityHas(c clock) bool {
	count := 0
	for id := range n.peers {
		has := n.peers[id].relay.Heard
		if sim.NodeID(id) == n.id {
			has = n.wal.Clock
		}
		if n.counts(sim.NodeID(id)) && has.covers(c) {
			count++
		}
	}
	return count > n.members()/2
}
