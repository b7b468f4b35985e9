package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// campaigns is an election that a node begins: who may, and when (1.13). Risen is when the term
// before it began there, 0 if that was never known.
func (a *audit) campaigns(f *rises, risen sim.Time) {
	l := a.me()
	if f.Why != "election" {
		return
	}
	mode := a.mode(a.e.Node)
	a.on(cT3).must(mode == modeCandidate || a.remoded(a.e.Node),
		"%s begins term %d by itself, and its mode is %v", a.name(a.e.Node), f.Term, mode)
	a.early(f, risen)
	has := a.linkedTo(l)
	a.on(cE7).must(a.givenUp(f.Term-1) || a.faults.Moved || has >= a.electionLeast(),
		"%s begins an election in term %d with connections to %d nodes with itself, of %d wanted",
		a.name(a.e.Node), f.Term, has, a.electionLeast())
}

// givenUp says that the leader of a term has said itself that it leads no more: then candidates do
// not wait (1.13, 5).
func (a *audit) givenUp(term int64) bool {
	return slices.ContainsFunc(a.leaders, func(v vote) bool {
		adv := a.me().Adv
		return v.Term == term && int(v.For) < len(adv) && adv[v.For].Term == term &&
			adv[v.For].Role != leader
	})
}

// linkedTo is how many nodes that have a vote a node has connections with, as it was told.
func (a *audit) linkedTo(l *life) int {
	has := 1
	for id := range a.lives {
		p := sim.NodeID(id)
		if p != a.e.Node && a.registered(p) && a.layout.linked(p, a.e.Node) && !l.unlinked(p) &&
			!l.halted(p) {
			has++
		}
	}
	return has
}

// halts is an applier that is stopped, or started again.
func (l *life) halts(f *stops) {
	for int(f.From) >= len(l.Halted) {
		l.Halted = append(l.Halted, false)
	}
	l.Halted[f.From] = f.Why != ""
}

func (l *life) halted(id sim.NodeID) bool { return int(id) < len(l.Halted) && l.Halted[id] }

// early: T3. An election in which nobody is known to have won is waited for, as long as the votes
// that are still out may make a leader (#8698). A vote counts as known also if it came on a
// connection that was gone by then.
func (a *audit) early(f *rises, risen sim.Time) {
	l := a.me()
	won := slices.ContainsFunc(a.leaders, func(v vote) bool { return v.Term == f.Term-1 })
	if risen == 0 || won || a.faults.Moved {
		return
	}
	var votes []sim.NodeID
	if l.Own == f.Term-1 {
		votes = append(votes, a.e.Node)
	}
	for _, b := range l.Ballots {
		if b.Term == f.Term-1 {
			votes = append(votes, b.For)
		}
	}
	most := 0
	for _, v := range votes {
		most = max(most, countOf(votes, v))
	}
	split := most+a.members-len(votes) < min(a.members, a.quorumNow())
	a.on(cT3).must(split || a.e.At.Sub(risen) >= electionTimeout/2,
		"%s begins term %d %v after term %d, in which somebody could still be elected",
		a.name(a.e.Node), f.Term, a.e.At.Sub(risen), f.Term-1)
}

func countOf(list []sim.NodeID, id sim.NodeID) int {
	count := 0
	for _, v := range list {
		if v == id {
			count++
		}
	}
	return count
}

// begun is the vote of a node for itself: a term that it has begun.
func (a *audit) begun(f *votes) {
	if f.For == a.e.Node {
		a.me().Own = f.Term
	}
}

// announces: E2. Who begins a term says with it that it stands (#8497).
func (a *audit) announces(m *announced) {
	if l := a.me(); m.Term == l.Own {
		a.on(cE2).must(m.Vote == a.e.Node, "%s announces its term %d without its vote",
			a.name(a.e.Node), m.Term)
	}
}

// hush is how many of its own heartbeats a node may send without an answer of a quorum and still be
// in leader state: until it gives up connections, and some for what is on its way.
const hush = disconnectBeats + 2

// beats is a heartbeat of a node: E6. Who is cut off from the quorum finds that out by itself, so
// that it leads beside another for a while only.
func (a *audit) beats() {
	l := a.me()
	for len(l.Quiet) < len(a.lives) {
		l.Quiet = append(l.Quiet, 0)
	}
	hears := 1
	for id := range l.Quiet {
		l.Quiet[id]++
		if p := sim.NodeID(id); p != a.e.Node && a.registered(p) && l.Quiet[id] <= hush {
			hears++
		}
	}
	cutOff := hears < a.electionLeast() && a.mode(a.e.Node) != modeOff && !a.remoded(a.e.Node)
	if l.State != "leader" || !cutOff || a.layout.Fencing == fenceOff || a.faults.Moved {
		return
	}
	for id := range a.lives {
		o := &a.lives[id]
		a.on(cE6, o.StateAt).must(sim.NodeID(id) == a.e.Node || !o.Up || o.State != "leader",
			"%s is in leader state beside %s, and hears of %d nodes, itself included, of %d wanted",
			a.name(a.e.Node), a.name(sim.NodeID(id)), hears, a.electionLeast())
	}
}

// answersTo is a sign of life of a peer.
func (l *life) answersTo(id sim.NodeID) {
	if int(id) < len(l.Quiet) {
		l.Quiet[id] = 0
	}
}
