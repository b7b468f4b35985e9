package metastore

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Deed is what a command does to the store.
type Deed interface {
	sim.Op
	fmt.Stringer
	do(s *State, c *Command) Answer
	// fits is why the dialect refuses it before it is proposed, "" if it does not.
	fits(d *Dialect) Why
}

// Unless is the condition of a put without one.
const Unless = -1

// The deeds.
type (
	// Put writes a key. If is the revision of which the living version must be, 0: none must live;
	// Unless: there is no condition.
	Put struct {
		Key, Value string
		If         int64
		Lease      int64 // 0 is none
	}
	// Delete deletes the living keys of a range.
	Delete struct{ Range Range }
	// Get reads a range as it is, within a transaction.
	Get struct{ Range Range }
	// Txn does one branch, as one revision.
	Txn struct {
		If         Cond
		Then, Else Branch
	}
	// Compact lets what is up to a revision be forgotten.
	Compact struct{ Rev int64 }
	// Grant makes a lease.
	Grant struct {
		ID  int64
		TTL time.Duration
	}
	// Revoke ends a lease, and deletes what hangs on it. By is the term of a leader that has seen it
	// expire, 0 if a client asks.
	Revoke struct{ ID, By int64 }
	// Checkpoint is how much of a lease is left, for who leads next.
	Checkpoint struct {
		ID   int64
		Left time.Duration
	}
	// Tick says what time it is.
	Tick struct{}
	// Evict forgets the answers that are older than a time.
	Evict struct{ Before sim.Time }
)

// Branch is what a transaction does on one side, in order, and what it yields.
type Branch struct {
	Deeds []Deed // Put, Delete, Get or Txn
	Yield string
}

// Command is what the log holds: a deed, whose it is, and what its leader stamped it with.
type Command struct {
	Session, Seq int64    // whose, and which: 0, 0 is nobody's
	Term         int64    // of the leader that proposed it
	Time         sim.Time // by that leader: more than any before
	Deed         Deed
}

// Kind is "put".
func (Put) Kind() string { return "put" }

// Kind is "delete".
func (Delete) Kind() string { return "delete" }

// Kind is "get".
func (Get) Kind() string { return "get" }

// Kind is "txn".
func (Txn) Kind() string { return "txn" }

// Kind is "compact".
func (Compact) Kind() string { return "compact" }

// Kind is "grant".
func (Grant) Kind() string { return "grant" }

// Kind is "revoke".
func (Revoke) Kind() string { return "revoke" }

// Kind is "checkpoint".
func (Checkpoint) Kind() string { return "checkpoint" }

// Kind is "tick".
func (Tick) Kind() string { return "tick" }

// Kind is "evict".
func (Evict) Kind() string { return "evict" }

// Kind is that of the deed.
func (c Command) Kind() string { return c.Deed.Kind() }

// Keys are the first words of the deed.
func (c Command) Keys() []string { return keysOf(c.Deed) }

// keysOf are the words of a deed after its kind: two at the most.
func keysOf(d Deed) []string {
	words := strings.Fields(d.String())[1:]
	return words[:min(2, len(words))]
}

// String is the deed.
func (c Command) String() string { return c.Deed.String() }

func (p Put) String() string {
	text := "put " + word(p.Key) + " " + word(p.Value)
	if p.If != Unless {
		text += fmt.Sprintf(" if %d", p.If)
	}
	if p.Lease != 0 {
		text += fmt.Sprintf(" lease %d", p.Lease)
	}
	return text
}

func (d Delete) String() string { return "delete " + d.Range.String() }

func (g Get) String() string { return "get " + g.Range.String() }

func (t Txn) String() string {
	text := "txn"
	if !t.If.always() {
		text += " if " + t.If.String()
	}
	text += " then" + t.Then.String()
	if len(t.Else.Deeds) > 0 || t.Else.Yield != "" {
		text += " else" + t.Else.String()
	}
	return text + " end"
}

func (b Branch) String() string {
	var parts []string
	for _, d := range b.Deeds {
		parts = append(parts, " "+d.String())
	}
	if b.Yield != "" {
		parts = append(parts, " yield "+word(b.Yield))
	}
	return strings.Join(parts, " ,")
}

func (c Compact) String() string { return fmt.Sprintf("compact %d", c.Rev) }

func (g Grant) String() string { return fmt.Sprintf("grant %d %v", g.ID, g.TTL) }

func (r Revoke) String() string {
	if r.By == 0 {
		return fmt.Sprintf("revoke %d", r.ID)
	}
	return fmt.Sprintf("revoke %d by %d", r.ID, r.By)
}

func (c Checkpoint) String() string { return fmt.Sprintf("checkpoint %d %v", c.ID, c.Left) }

func (Tick) String() string { return "tick" }

func (e Evict) String() string { return fmt.Sprintf("evict %d", int64(e.Before)) }
