package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// goal names a situation within a book.
type goal uint8

const (
	gSplitVote goal = iota
	gTailFell
	gTailCut
	gInstalled
	gJointEntered
	gJointLeft
	gPromoted
	gRemovedItself
	gReplaced
	gHandedOver
	gPreVoteRefused
	gSteppedDown
	gFollowerRead
	gReadParked
	gLeaseRead
	gRestartedChanging
	gCopyArrived
	gForwarded
	gTwiceInLog
	gOldCommitted
	gEvenGroup
	gSwapFailed
	gUnsyncedKept
	goals
)

// goalList are the situations that a campaign must reach, so that a clean result means something.
func goalList() []sim.Goal {
	docs := [goals]sim.Goal{
		gSplitVote: {Name: "split-vote", Doc: "two nodes stood for election in one term, and " +
			"neither won"},
		gTailFell:     {Name: "tail-fell", Doc: "a leader crashed with entries that were not committed"},
		gTailCut:      {Name: "tail-cut", Doc: "a follower's log lost entries to a leader's"},
		gInstalled:    {Name: "snapshot-installed", Doc: "a node took over a snapshot of another"},
		gJointEntered: {Name: "joint-entered", Doc: "a node began to go by a joint configuration"},
		gJointLeft:    {Name: "joint-left", Doc: "a node ceased to go by one"},
		gPromoted:     {Name: "learner-promoted", Doc: "who learned became a voter"},
		gRemovedItself: {Name: "removed-itself", Doc: "a leader stepped down that its group is " +
			"without"},
		gReplaced: {Name: "member-replaced", Doc: "a leader wanted a silent member replaced"},
		gHandedOver: {Name: "handed-over", Doc: "who the lead was to be handed to was elected in " +
			"the next term"},
		gPreVoteRefused: {Name: "pre-vote-refused", Doc: "a node was told that it would not be " +
			"voted for"},
		gSteppedDown: {Name: "stepped-down", Doc: "a leader stepped down that knew of no later term"},
		gFollowerRead: {Name: "follower-read", Doc: "a read by index was served by a node that did " +
			"not lead"},
		gReadParked: {Name: "read-parked", Doc: "a read was asked of a leader before it had " +
			"committed anything of its term, and served"},
		gLeaseRead: {Name: "lease-read", Doc: "a read by lease was served"},
		gRestartedChanging: {Name: "restarted-changing", Doc: "a node restarted in the middle of a " +
			"change of members"},
		gCopyArrived: {Name: "copy-arrived", Doc: "a second copy of a message arrived"},
		gForwarded: {Name: "forwarded", Doc: "a leader put a command into its log that a client " +
			"gave another node"},
		gTwiceInLog: {Name: "twice-in-log", Doc: "a command was committed twice"},
		gOldCommitted: {Name: "old-committed", Doc: "entries of older terms were committed along " +
			"with one of the leader's own"},
		gEvenGroup:    {Name: "even-group", Doc: "an even number of voters committed an entry"},
		gSwapFailed:   {Name: "swap-failed", Doc: "a cas found another value"},
		gUnsyncedKept: {Name: "unsynced-kept", Doc: "a crash left records that were not synced"},
	}
	list := make([]sim.Goal, goals)
	for g := range docs {
		list[g] = docs[g]
		list[g].Count = func(run *sim.Run) int { return bookOf(run).reached[g] }
	}
	return list
}

// reach counts a situation.
func (b *book) reach(g goal) { b.reached[g]++ }

// fell is a node that crashes.
func (b *book) fell(n *nodeBook) {
	if n.leads > 0 && n.disk.cache.last() > int64(len(b.commits)) {
		b.reach(gTailFell)
	}
}

// restarted is a node that starts.
func (b *book) restarted(n *nodeBook) {
	v := &n.disk.cache
	if n.disk.doubt || n.disk.hardDoubt {
		b.reach(gUnsyncedKept)
	}
	if v.last() == 0 {
		return
	}
	if s, ok := b.before(v, v.last()); ok && (s.members.Joint() || s.index > int64(len(b.commits))) {
		b.reach(gRestartedChanging)
	}
}

// goes counts what comes with a configuration that a node goes by from now on.
func (b *book) goes(n *nodeBook, m *Members) {
	if !n.known {
		return
	}
	switch was := n.governs.Joint(); {
	case m.Joint() && !was:
		b.reach(gJointEntered)
	case was && !m.Joint():
		b.reach(gJointLeft)
	}
	for _, id := range n.governs.Learners {
		if slices.Contains(m.Voters, id) {
			b.reach(gPromoted)
		}
	}
}

// stepsDown counts why a leader does.
func (b *book) stepsDown(n *nodeBook) {
	switch {
	case n.known && !n.governs.Votes(n.id):
		b.reach(gRemovedItself)
	case n.disk.cache.hard.Term <= n.leads:
		b.reach(gSteppedDown)
	}
}

// serves counts how a read is served.
func (b *book) serves(n *nodeBook, r *readBook) {
	switch {
	case r.lease:
		b.reach(gLeaseRead)
	case n.leads == 0:
		b.reach(gFollowerRead)
	case r.parked:
		b.reach(gReadParked)
	}
}

// leads counts how a node has come to lead.
func (b *book) leads(n *nodeBook, term int64) {
	for k := len(b.reigns) - 1; k >= 0; k-- {
		if r := &b.reigns[k]; r.moved && r.term == term-1 && r.heir == b.name(n.id) {
			b.reach(gHandedOver)
		}
	}
}

// forwarded counts a command in a leader's log that came from elsewhere.
func (b *book) forwarded(n *nodeBook, e *Entry) {
	c, ok := e.Command.(command)
	if !ok {
		return
	}
	if call := b.call(int64(c.Call)); call != nil && call.node != n.id {
		b.reach(gForwarded)
	}
}

// splits counts, at the end, terms in which several stood and nobody won.
func (b *book) splits() {
	var stood []int64
	for i := range b.nodes {
		n := &b.nodes[i]
		for k := range n.grants {
			g := &n.grants[k]
			if g.to == n.id && (k == 0 || n.grants[k-1].term != g.term) {
				stood = append(stood, g.term)
			}
		}
	}
	slices.Sort(stood)
	for k, term := range stood {
		first := k > 0 && stood[k-1] == term && (k < 2 || stood[k-2] != term)
		if first && !slices.ContainsFunc(b.reigns, func(r reign) bool { return r.term == term }) {
			b.reach(gSplitVote)
		}
	}
}
