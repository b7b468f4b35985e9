package clocks

import (
	"cmp"
	"fmt"

	"github.com/downset/downset/sim"
)

// Lamport is a stamp of Lamport's clock (Time, clocks, and the ordering of events in a distributed
// system, 1978), which one total order makes of: by count, and where counts are equal by node.
type Lamport struct {
	Count int64
	Node  sim.NodeID
}

// Tick is the stamp of the next event of a node whose last was l (IR1).
func (l Lamport) Tick() Lamport { return Lamport{l.Count + 1, l.Node} }

// Receive is the stamp of the receipt of a message with stamp m (IR2): above both.
func (l Lamport) Receive(m Lamport) Lamport { return Lamport{max(l.Count, m.Count) + 1, l.Node} }

// Compare is the total order: below zero if l is first.
func (l Lamport) Compare(m Lamport) int {
	return cmp.Or(cmp.Compare(l.Count, m.Count), cmp.Compare(l.Node, m.Node))
}

func (l Lamport) String() string { return fmt.Sprintf("L%d", l.Count) }
