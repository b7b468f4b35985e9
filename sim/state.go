package sim

import "slices"

// State is a state of a walk. It is never changed after it was saved, and may be loaded into any
// world that walks the same plan.
type State struct {
	Parent *State
	By     Move   // that led here from Parent
	Sum    uint64 // the fingerprint
	Depth  int
	Quiet  bool // nothing more happens unless a timer fires or something fails

	nodes   []*frozen
	slab    []event
	free    []int32
	parked  []int32
	streams []stream
	fifos   []fifo
	log     []logged
	cuts    cuts
	members []NodeID
	calls   []call
	clients []client
	nextID  ClientID
	trace   []Entry // since Parent
	entries int
	now     Time
	left    left
	done    []bool
	past    digests
	parts   sums
}

// frozen is a node as several states share it.
type frozen struct {
	node node
	sum  uint64
}

// own makes a node this world's own, so that it may change: until then it shares its memory with
// states that were saved or loaded.
func (n *node) own() {
	if n.still == nil {
		return
	}
	n.still = nil
	n.machine = n.w.walk.coder.machine(n.machine)
	n.timers = slices.Clone(n.timers)
	n.inbox = slices.Clone(n.inbox)
	n.pending = slices.Clone(n.pending)
	n.touched = slices.Clone(n.touched)
	n.disk.own()
}

func (k *disk) own() {
	k.records = slices.Clone(k.records)
	k.shadows = slices.Clone(k.shadows)
	k.trimmed = slices.Clone(k.trimmed)
	k.submitted = slices.Clone(k.submitted)
	k.spoiled = slices.Clone(k.spoiled)
}

// Save is the world's state. It may use the memory of a state that nobody needs any more; nil is
// none.
func (w *World) Save(used *State) *State {
	k := w.walk
	s := used
	if s == nil {
		s = &State{}
	}
	s.Parent, s.By, s.Depth, s.Sum, s.Quiet = k.loaded, Move{}, 0, w.Sum(), w.atRest()
	if k.loaded != nil {
		s.By, s.Depth = k.moved, k.loaded.Depth+1
	}
	s.slab = append(s.slab[:0], w.slab...)
	s.free = append(s.free[:0], w.free...)
	s.parked = append(s.parked[:0], w.parked...)
	s.streams = append(s.streams[:0], w.streams...)
	s.fifos = append(s.fifos[:0], w.fifos...)
	s.log, s.members = w.log[:len(w.log):len(w.log)], w.members
	s.calls = append(s.calls[:0], w.calls...)
	s.clients = append(s.clients[:0], w.clients...)
	s.nextID, s.entries, s.now = w.nextID, w.entries, w.now
	s.left, s.past.history, s.parts = k.left, k.past.history, k.parts
	s.done = append(s.done[:0], k.done...)
	s.past.trails = append(s.past.trails[:0], k.past.trails...)
	bits := append(s.cuts.bits[:0], w.cuts.bits...)
	s.cuts = w.cuts
	s.cuts.bits = bits
	if s.trace = s.trace[:0]; k.opt.Trace {
		s.trace = append(s.trace, w.trace...)
	}
	s.nodes = s.nodes[:0]
	for i := range w.nodes {
		s.nodes = append(s.nodes, w.freeze(&w.nodes[i], k.nodeSums[i]))
	}
	return s
}

// freeze lets states share a node as it is.
func (w *World) freeze(n *node, sum uint64) *frozen {
	if n.still == nil {
		n.still = &frozen{node: *n, sum: sum}
		n.still.node.still = n.still
	}
	return n.still
}

// Load makes a state the world's.
func (w *World) Load(s *State) {
	k := w.walk
	k.loaded, k.summed = s, false
	for i, f := range s.nodes {
		if n := &w.nodes[i]; n.still != f {
			*n = f.node
			n.w, n.env.node, n.env.Disk = w, n, Disk{n}
		}
	}
	w.slab = append(w.slab[:0], s.slab...)
	w.free = append(w.free[:0], s.free...)
	w.parked = append(w.parked[:0], s.parked...)
	w.queue.items, w.urgent, w.head = w.queue.items[:0], w.urgent[:0], 0
	w.loadStreams(s)
	w.fifos = append(w.fifos[:0], s.fifos...)
	w.log, w.members = s.log, s.members
	bits := append(w.cuts.bits[:0], s.cuts.bits...)
	w.cuts = s.cuts
	w.cuts.bits = bits
	w.calls = append(w.calls[:0], s.calls...)
	w.clients = append(w.clients[:0], s.clients...)
	w.nextID, w.entries, w.now = s.nextID, s.entries, s.now
	w.trace = w.trace[:0]
	w.busy, w.cur, w.deferring, w.events = 0, nil, false, 0
	w.unsure, w.active = true, w.now
	k.left, k.past.history = s.left, s.past.history
	k.done = append(k.done[:0], s.done...)
	k.past.trails = append(k.past.trails[:0], s.past.trails...)
}

func (w *World) loadStreams(s *State) {
	same := len(w.streams) == len(s.streams)
	for i := 0; same && i < len(s.streams); i++ {
		a, b := &w.streams[i], &s.streams[i]
		same = a.from == b.from && a.to == b.to && a.lane == b.lane
	}
	w.streams = append(w.streams[:0], s.streams...)
	if same {
		return
	}
	w.streamAt.reset()
	for i := range w.streams {
		w.streamAt.put(w.streams[i].key(), int32(i))
	}
}

// path is the whole trace up to a state.
func (s *State) path(buf Trace) Trace {
	if s.Parent != nil {
		buf = s.Parent.path(buf)
	}
	return append(buf, s.trace...)
}

// Forget drops what Load needs; the way to the state and its trace stay. For states that are done.
func (s *State) Forget() {
	s.nodes, s.slab, s.free, s.parked, s.streams, s.fifos = nil, nil, nil, nil, nil, nil
	s.log, s.calls, s.clients, s.done, s.past.trails = nil, nil, nil, nil, nil
}

// Path are the moves that lead to a state.
func (s *State) Path() []Move {
	if s.Parent == nil {
		return nil
	}
	return append(s.Parent.Path(), s.By)
}
