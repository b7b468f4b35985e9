package sim

import "slices"

// Board is what is seen of a run as it is read from its beginning: each thing of a node under a
// name, in the order in which the names came up. It is meant for Protocol.Observe.
type Board struct {
	Run  *Run
	Seen []Observation
}

// Set shows a value in the place of the one before.
func (b *Board) Set(id NodeID, name, value string) {
	if at := b.find(id, name); at >= 0 {
		b.Seen[at].Value = value
		return
	}
	b.Seen = append(b.Seen, Observation{Node: b.Run.Name(id), Name: name, Value: value})
}

// Add shows a value after those before, with between between them.
func (b *Board) Add(id NodeID, name, between, value string) {
	if at := b.find(id, name); at >= 0 {
		b.Seen[at].Value += between + value
		return
	}
	b.Set(id, name, value)
}

func (b *Board) find(id NodeID, name string) int {
	return slices.IndexFunc(b.Seen, func(o Observation) bool {
		return o.Node == b.Run.Name(id) && o.Name == name
	})
}
