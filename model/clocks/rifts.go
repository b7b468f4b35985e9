package clocks

import "github.com/downset/downset/sim"

// rifts are which nodes cannot hear each other in the end. What was refused before the epilogue is
// no excuse: by then a clock may be right again, and who was refused must have tried again.
type rifts struct {
	mute []bool   // by node: it is down, or has stopped
	torn [][]bool // by node and node: one has refused the stamps of the other since the epilogue
}

// riftsKey is under what the checks of one judging share them.
type riftsKey struct{}

func riftsOf(run *sim.Run) *rifts {
	if r, ok := run.Memo[riftsKey{}].(*rifts); ok {
		return r
	}
	r := &rifts{mute: make([]bool, len(run.Nodes))}
	for range run.Nodes {
		r.torn = append(r.torn, make([]bool, len(run.Nodes)))
	}
	for i := range run.Trace {
		r.see(&run.Trace[i], i > run.Epilogue)
	}
	if run.Memo != nil {
		run.Memo[riftsKey{}] = r
	}
	return r
}

// see takes in an entry; late says that it is of the epilogue.
func (r *rifts) see(e *sim.Entry, late bool) {
	switch e.Kind {
	case sim.EntryStarted:
		r.mute[e.Node] = false
	case sim.EntryCrashed, sim.EntryLeft:
		r.mute[e.Node] = true
	case sim.EntryNoted:
		switch b := e.Body.(type) {
		case stopped:
			r.mute[e.Node] = true
		case refused:
			r.torn[e.Node][b.From] = r.torn[e.Node][b.From] || late
		}
	}
}

// between says that two nodes cannot hear each other.
func (r *rifts) between(a, b sim.NodeID) bool {
	return r.mute[a] || r.mute[b] || r.torn[a][b] || r.torn[b][a]
}

// any says that there is a node that a node cannot hear, or that cannot hear it.
func (r *rifts) any(a sim.NodeID) bool {
	for b := range r.torn {
		if r.between(a, sim.NodeID(b)) {
			return true
		}
	}
	return false
}

// lacks says that there is a node that can hear a node, and has not what that has.
func (r *rifts) lacks(a sim.NodeID, has func(sim.NodeID) bool) bool {
	for b := range r.torn {
		if id := sim.NodeID(b); !has(id) && !r.between(a, id) {
			return true
		}
	}
	return false
}
