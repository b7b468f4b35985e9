package raft

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// The records of a node's disk, of both engines. What a node has is what its records say from the
// first to the last: an entry takes the place of the one with its index and of all behind.
type (
	// HardState is the term and the vote: To is sim.Nobody if there is none in this term.
	HardState struct {
		Term int64
		To   sim.NodeID
		Name string // of To, for people
	}
	// Logged is an entry.
	Logged struct{ Entry }
	// Snapshot is the cell of the disk: the state with all up to Index, and the configuration there.
	// Hard is the hard state at that time, since the records before are gone with it.
	Snapshot struct {
		Index, Term int64
		Members     Members
		Hard        HardState
		State       sim.Record
	}
)

// Kind is "hardstate".
func (HardState) Kind() string { return "hardstate" }

// Kind is "logged".
func (Logged) Kind() string { return "logged" }

// Kind is "snapshot".
func (Snapshot) Kind() string { return "snapshot" }

// Keys are the term and for whom.
func (h HardState) Keys() []string { return named(h.Term, h.Name) }

// Keys are the place and the term.
func (l Logged) Keys() []string { return placed(l.Index, l.Term) }

// Keys are the place and the term.
func (s Snapshot) Keys() []string { return placed(s.Index, s.Term) }

// String is "logged 7 of term 2: put x 1".
func (l Logged) String() string { return "logged " + l.Entry.String() }

// String is "7 of term 2: put x 1".
func (e Entry) String() string {
	return fmt.Sprintf("%d of term %d: %s", e.Index, e.Term, sim.Text(e.Command))
}

// placed are a place of the log and its term, as keys.
func placed(index, term int64) []string {
	return []string{strconv.FormatInt(index, 10), "t" + strconv.FormatInt(term, 10)}
}

// named are a term and a node, as keys.
func named(term int64, name string) []string {
	keys := []string{"t" + strconv.FormatInt(term, 10)}
	if name != "" {
		keys = append(keys, name)
	}
	return keys
}

// The facts that both engines say, each before what it is about leaves the node, and in the handler
// in which it becomes so.
type (
	// Elected: this node leads a term.
	Elected struct{ Term int64 }
	// Deposed: it does no longer.
	Deposed struct{ Term int64 }
	// Granted: this node votes for another, or for itself.
	Granted struct {
		Term int64
		To   sim.NodeID
		Name string
	}
	// Pledged: this node tells the leader of a term that its log agrees with the leader's up to Match,
	// and that this is durable. A leader pledges to itself when it counts itself.
	Pledged struct{ Term, Match int64 }
	// Matched: a leader believes that another node's log agrees with its own up to Match.
	Matched struct {
		Term  int64
		Of    sim.NodeID
		Match int64
	}
	// Committed: this node knows that all up to Index is committed. Term is its term, Lead whether it
	// found out itself, as the leader, by counting.
	Committed struct {
		Index, Term int64
		Lead        bool
	}
	// Done: this node's state machine is handed an entry.
	Done struct{ Entry }
	// Installed: this node has put a snapshot in the place of its state.
	Installed struct {
		Index, Term int64
		Members     Members
	}
	// Governs: this node goes by a configuration from now on, which stands in the log at Index; 0 for
	// the first.
	Governs struct {
		Index   int64
		Members Members
	}
	// Asked: a read by index, or by lease, begins here.
	Asked struct {
		ID    ReadID
		Lease bool
	}
	// Served: it may be served with Index applied.
	Served struct {
		ID    ReadID
		Index int64
		Lease bool
	}
)

// Kind is "elected".
func (Elected) Kind() string { return "elected" }

// Kind is "deposed".
func (Deposed) Kind() string { return "deposed" }

// Kind is "granted".
func (Granted) Kind() string { return "granted" }

// Kind is "pledged".
func (Pledged) Kind() string { return "pledged" }

// Kind is "matched".
func (Matched) Kind() string { return "matched" }

// Kind is "committed".
func (Committed) Kind() string { return "committed" }

// Kind is "applied".
func (Done) Kind() string { return "applied" }

// Kind is "installed".
func (Installed) Kind() string { return "installed" }

// Kind is "governs".
func (Governs) Kind() string { return "governs" }

// Kind is "asked".
func (Asked) Kind() string { return "asked" }

// Kind is "served".
func (Served) Kind() string { return "served" }

// Keys are the term.
func (f Elected) Keys() []string { return named(f.Term, "") }

// Keys are the term.
func (f Deposed) Keys() []string { return named(f.Term, "") }

// Keys are the term and for whom.
func (f Granted) Keys() []string { return named(f.Term, f.Name) }

// Keys are the place.
func (f Committed) Keys() []string { return []string{strconv.FormatInt(f.Index, 10)} }

// Keys are the place and the term.
func (f Done) Keys() []string { return placed(f.Index, f.Term) }

// Keys are the place and the term.
func (f Installed) Keys() []string { return placed(f.Index, f.Term) }

// String is "applied 7 of term 2: put x 1".
func (f Done) String() string { return "applied " + f.Entry.String() }

// Text is a configuration with the names of its nodes: "A B C", "A B C, before B C D, learns E".
func (m Members) Text(name func(sim.NodeID) string) string {
	list := func(ids []sim.NodeID) string {
		names := make([]string, len(ids))
		for i, id := range ids {
			names[i] = name(id)
		}
		return strings.Join(names, " ")
	}
	text := list(m.Voters)
	if m.Joint() {
		text += ", before " + list(m.Outgoing)
	}
	if len(m.Learners) > 0 {
		text += ", learns " + list(m.Learners)
	}
	return text
}
