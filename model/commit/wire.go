package commit

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// tx is a transaction: the name that a client gave it, and the call with which it asked. Calls are
// numbered over all nodes and restarts, so two transactions of one name are two.
type tx struct {
	Name string
	Call sim.CallID
}

func (t tx) Keys() []string { return []string{t.Name} }

// status is how far a transaction is on a node.
type status uint8

const (
	unknown   status = iota // which means aborted, but for those who never heard of it
	voting                  // at the coordinator: votes are missing
	decided                 // at the coordinator: it is committed, acks are missing
	ended                   // at the coordinator: all have acknowledged, it may be forgotten
	prepared                // at a participant: in doubt
	refused                 // at a participant: it has voted no, and that is that
	committed               // at a participant
	aborted                 // anywhere; it may be forgotten
)

var statusNames = [...]string{"unknown", "voting", "decided", "ended", "prepared", "refused",
	"committed", "aborted"}

func (s status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	panic(fmt.Sprintf("status %d", uint8(s)))
}

// record is what a node writes of a transaction. Of a prepared and a refused one it is also the
// fact, once it is on the disk.
type record struct {
	tx
	Is status
	By sim.NodeID   // of prepared and refused: the coordinator
	Of []sim.NodeID // of voting and decided: the participants
}

func (r record) Kind() string { return r.Is.String() }

// What nodes say to each other, in the words of the paper.
type (
	prepare struct{ tx } // can you commit it?
	vote    struct {
		tx
		Yes bool
	}
	// decision is the outcome, wherever it is said: to a participant, to the client, as a fact.
	decision struct {
		tx
		Commit bool
	}
	ack struct{ tx } // that it is committed is on my disk
	ask struct{ tx } // what became of it?
)

// again is the timer of a transaction for which a node waits.
type again struct{ tx }

// What clients ask for, and what they get: a decision, or noted.
type (
	begin struct {
		Tx string
		Of []string // the participants, by name
	}
	refuse struct{ Tx string }
	noted  struct{}
	unable struct{ Why string } // of a call that is refused
)

func (prepare) Kind() string { return "prepare" }
func (ack) Kind() string     { return "ack" }
func (ask) Kind() string     { return "ask" }
func (again) Kind() string   { return "again" }
func (begin) Kind() string   { return "commit" }
func (refuse) Kind() string  { return "refuse" }
func (noted) Kind() string   { return "ok" }
func (unable) Kind() string  { return "unable" }

func (b begin) Keys() []string  { return append([]string{b.Tx}, b.Of...) }
func (r refuse) Keys() []string { return []string{r.Tx} }

func (u unable) String() string { return u.Why }

func (v vote) Kind() string {
	if v.Yes {
		return "yes"
	}
	return "no"
}

func (d decision) Kind() string {
	if d.Commit {
		return "commit"
	}
	return "abort"
}
