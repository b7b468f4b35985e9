package raft

import (
	etcd "go.etcd.io/raft/v3"

	"github.com/downset/downset/sim"
)

// LibraryRules are the decisions around the library.
type LibraryRules = libraryRules

// NewLibraryWith makes an engine of the library that goes by some rules.
func NewLibraryWith(id sim.NodeID, founders []sim.NodeID, c Codec, r LibraryRules) Engine {
	return newLibrary(id, founders, c, r)
}

// TimeoutError is why the election timeout of a node of the library cannot be set.
func TimeoutError(node any) error {
	_, err := timeoutOf(node)
	return err
}

// FreshNode is a node of the library as an engine makes it.
func FreshNode() *etcd.RawNode {
	l := newLibrary(0, []sim.NodeID{0}, nil, libraryRules{}).(*library)
	l.store.snap.Members = Members{Voters: l.founders}
	l.store.hard.To = sim.Nobody
	l.make()
	return l.node
}

// ConfChange is how many changes lead to a configuration, and by way of which one.
func (m Members) ConfChange(to Members) (changes int, through Members) {
	c := m.change(to)
	return len(c.GetChanges()), m.after(c, to)
}
