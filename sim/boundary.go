package sim

import "strings"

// Boundary is an effect of a handler that a node may crash just before or just after: with
// "before " or "after " in front of Name.To, Name is that of an exception which says so. Effects of
// the epilogue are no boundaries, since nothing crashes there.
type Boundary struct {
	Name     Name // its To is the effect: append, sync, send, publish or return
	Node     NodeID
	Peer     NodeID // of a send its receiver, else Nobody
	Entry    int    // how many entries the run had just before it
	Handler  int32  // the entry that its handler took up
	Crash    int32  // which of its node's crashes one here would be, from 1
	Unsynced int64  // records that a crash just before it may lose or keep
	Left     int64  // the same just after it; -1 if it did not happen, since its node crashed
}

// bound notes the boundary that a node has come to, whose name is its last one.
func (w *World) bound(n *node, e *effect) {
	b := n.last
	keys := strings.Join(KeysOf(b.body), " ")
	peer := Nobody
	switch e.what {
	case effSend, effStream, effLater:
		peer = e.to
	}
	w.boundaries = append(w.boundaries, Boundary{
		Name: Name{CrashAt, w.end(n.id), b.boundary, b.body.Kind(), keys, b.n},
		Node: n.id, Peer: peer, Entry: w.entries, Handler: n.cause, Crash: n.crashed + 1,
		Unsynced: n.disk.unsynced(), Left: -1})
}

// passed completes the boundary that a node has just gone past.
func (w *World) passed(n *node) { w.boundaries[len(w.boundaries)-1].Left = n.disk.unsynced() }
