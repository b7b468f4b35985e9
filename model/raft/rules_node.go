package raft

import (
	"cmp"
	"hash/fnv"
	"slices"

	"github.com/downset/downset/sim"
)

// nodeRules are the decisions of the state machine on the log. The zero value is right.
type nodeRules struct {
	LocalRead   bool // a read by index is served from what the node has applied
	LeaseRead   bool // a read by index is served by the lease
	ReadEarly   bool // a read sees the state before what came with its index
	NoDedup     bool // a copy of a command takes effect again
	BareImage   bool // a snapshot has no sessions
	DataAhead   bool // a snapshot is said to be older by one entry than its data
	Swallows    bool // a node whose storage refuses an entry goes on
	Restamps    bool // a command that is proposed again is another one
	GivesUp     bool // a request that was proposed and not answered in time is refused
	MapOrder    bool // an image lists its pairs in an order that is each node's own
	AnswersSoon bool // a put is answered when it has been proposed
}

// takes says that a node's storage takes an entry; else it is passed over. Where one refuses, all
// that the node may do is stop: its state would no longer be a function of the log.
func (r *nodeRules) takes(env *sim.Env) bool {
	return !r.Swallows || env.Draw("apply", 12) != 1
}

// try is the number with which a command is proposed.
func (r *nodeRules) try(tries int64) int64 {
	if r.Restamps {
		return tries
	}
	return 0
}

// way is how a read is served.
func (r *nodeRules) way(asked string) string {
	switch {
	case asked == throughIndex && r.LocalRead:
		return throughLocal
	case asked == throughIndex && r.LeaseRead:
		return throughLease
	}
	return asked
}

// image is what a snapshot holds of a state, and the index that it is said to stand for.
func (r *nodeRules) image(s *store) (img image, index int64) {
	img = image{s.copied()}
	if r.BareImage {
		img.Sessions = nil
	}
	if r.DataAhead {
		return img, img.Index - 1
	}
	return img, img.Index
}

// text is what a node says of a state.
func (r *nodeRules) text(s *store, id sim.NodeID) string {
	if !r.MapOrder {
		return s.digest()
	}
	order := func(p pair) uint32 {
		h := fnv.New32a()
		h.Write([]byte{byte(id)})
		h.Write([]byte(p.Key))
		return h.Sum32()
	}
	pairs := slices.Clone(s.Pairs)
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(order(a), order(b)) })
	t := store{s.Index, pairs, s.Sessions}
	return t.digest()
}
