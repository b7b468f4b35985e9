package register

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// Facts are what a node says about itself for checkers to read.

// stored: the node has a version on its disk. It is also the record that it keeps there: it is
// written, synced, and only then said. After a restart a node says what it has found.
type stored struct{ version }

// chosen: a write has found its tag, and the version is on the disk of the node that says so.
type chosen struct {
	Call sim.CallID
	version
}

// quorum: a phase has the replies of the nodes Of, the one that says so included, and ends.
type quorum struct {
	Phase phase
	Key   string
	Of    []sim.NodeID
}

func (stored) Kind() string { return "stored" }
func (chosen) Kind() string { return "chosen" }
func (quorum) Kind() string { return "quorum" }

func (q quorum) Keys() []string { return []string{q.Key} }

func (s stored) String() string { return s.text("stored") }
func (c chosen) String() string { return c.text("chosen") }
func (q quorum) String() string {
	return fmt.Sprintf("quorum of %d for %v %s", len(q.Of), q.Phase.Round, q.Key)
}
