package metastore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// What servers say.
type (
	// serves: this node is a server from here on, of a store of this dialect, and has a vote or none.
	serves struct {
		Dialect Dialect
		Votes   bool
	}
	// replica: this server has applied the log up to Index, and this is what has come of it. Digest
	// is over what can be read.
	replica struct {
		Index, Rev, Compacted int64
		Chain, Digest         uint64
	}
	// ready: this server leads, and has applied all that was committed before its term.
	ready struct{ Term int64 }
	// renewed: as a leader it has begun a lease anew.
	renewed struct{ ID int64 }
)

// What clients say.
type (
	// asked: a client's library asks something, for the first time.
	asked struct {
		Session, Seq int64
		What         sim.Body
	}
	// answered: it takes an answer.
	answered struct {
		Session, Seq int64
		What         sim.Body
		Answer       Answer
	}
	// began: a watch begins, or goes on after its server was lost, with revision Next.
	began struct {
		ID      sim.CallID
		Attempt int64
		Watch   Watch
		Next    int64
	}
	// saw: the next that a watch was told. Mark: it had asked how far it is.
	saw struct {
		ID    sim.CallID
		Range Range
		Batch Batch
		Mark  bool
	}
	// cached: what a follower has of its range, as of a revision. Listed: it has read all of it.
	cached struct {
		ID     sim.CallID
		Range  Range
		Rev    int64
		Items  []Item
		Listed bool
	}
	// closed: a watch is over.
	closed struct {
		ID    sim.CallID
		Range Range
	}
	// stuck: the listener of a watch has failed.
	stuck struct {
		ID    sim.CallID
		Range Range
	}
	// processed: a node has acted on an update of the cluster's metadata.
	processed struct {
		ID   sim.CallID
		Rev  int64
		Key  string
		Does string
	}
)

// Kind is "serves".
func (serves) Kind() string { return "serves" }

// Kind is "replica".
func (replica) Kind() string { return "replica" }

// Kind is "ready".
func (ready) Kind() string { return "ready" }

// Kind is "renewed".
func (renewed) Kind() string { return "renewed" }

// Kind is "wants".
func (asked) Kind() string { return "wants" }

// Kind is "gets".
func (answered) Kind() string { return "gets" }

// Kind is "began".
func (began) Kind() string { return "began" }

// Kind is "saw".
func (saw) Kind() string { return "saw" }

// Kind is "cached".
func (cached) Kind() string { return "cached" }

// Kind is "closed".
func (closed) Kind() string { return "closed" }

// Kind is "stuck".
func (stuck) Kind() string { return "stuck" }

// Kind is "processed".
func (processed) Kind() string { return "processed" }

// Keys are the index and the revision.
func (f replica) Keys() []string {
	return []string{strconv.FormatInt(f.Index, 10), "r" + strconv.FormatInt(f.Rev, 10)}
}

// Keys are the lease.
func (f renewed) Keys() []string { return []string{strconv.FormatInt(f.ID, 10)} }

// Keys are the words of what is asked.
func (f asked) Keys() []string { return about(f.What) }

// Keys are the words of what was asked.
func (f answered) Keys() []string { return about(f.What) }

// Keys are the words of the range.
func (f began) Keys() []string { return strings.Fields(f.Watch.Range.String()) }

// Keys are the words of the range.
func (f saw) Keys() []string { return strings.Fields(f.Range.String()) }

// Keys are the words of the range.
func (f cached) Keys() []string { return strings.Fields(f.Range.String()) }

// Keys are the words of the range.
func (f closed) Keys() []string { return strings.Fields(f.Range.String()) }

// Keys are the words of the range.
func (f stuck) Keys() []string { return strings.Fields(f.Range.String()) }

// Keys are the key.
func (f processed) Keys() []string { return []string{word(f.Key)} }

func (f replica) String() string {
	return fmt.Sprintf("replica %d: revision %d, compacted %d", f.Index, f.Rev, f.Compacted)
}

func (f answered) String() string {
	return "gets " + strings.Join(about(f.What), " ") + ": " + f.Answer.String()
}

func (f began) String() string { return fmt.Sprintf("began %v from %d", f.Watch.Range, f.Next) }

func (f saw) String() string { return fmt.Sprintf("saw %v %v", f.Range, f.Batch) }

func (f cached) String() string {
	words := make([]string, len(f.Items))
	for i, item := range f.Items {
		words[i] = item.String()
	}
	return strings.TrimSpace(fmt.Sprintf("cached %v at %d: %s", f.Range, f.Rev,
		strings.Join(words, ", ")))
}

func (f processed) String() string {
	return fmt.Sprintf("processed %s at %d: %s", word(f.Key), f.Rev, f.Does)
}

// about are the kind of what is asked, and its keys.
func about(what sim.Body) []string { return append([]string{what.Kind()}, sim.KeysOf(what)...) }
