package metastore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Version is what a revision made of one key.
type Version struct {
	Mod, Sub int64 // the revision, and the place among the writes of the revision, from 0
	Dead     bool  // a tombstone: the key is gone; Value, Create, Count and Lease say nothing
	Value    string
	Create   int64 // the revision that began this life of the key
	Count    int64 // of the version in this life, from 1
	Lease    int64 // 0 is none
}

// Item is a key with what it has.
type Item struct {
	Key string
	Version
}

// String is "x=1@5", or "x@5 deleted".
func (i Item) String() string {
	if i.Dead {
		return fmt.Sprintf("%s@%d deleted", word(i.Key), i.Mod)
	}
	text := fmt.Sprintf("%s=%s@%d", word(i.Key), word(i.Value), i.Mod)
	if i.Create != i.Mod {
		text += fmt.Sprintf(" from %d, %d", i.Create, i.Count)
	}
	if i.Lease != 0 {
		text += fmt.Sprintf(" lease %d", i.Lease)
	}
	return text
}

// history is the versions of a key, ascending.
type history struct {
	Key      string
	Versions []Version
}

// at is the newest version that a revision has, alive or dead; false if there is none.
func (h *history) at(rev int64) (Version, bool) {
	for i := len(h.Versions) - 1; i >= 0; i-- {
		if h.Versions[i].Mod <= rev {
			return h.Versions[i], true
		}
	}
	return Version{}, false
}

// last is the newest version.
func (h *history) last() Version { return h.Versions[len(h.Versions)-1] }

// Revision is what is known of one revision.
type Revision struct {
	Rev, Index, Term int64
	Time             sim.Time
	Chain            uint64   // over all commands before the one that made it
	Keys             []string // what it changed, in the order of Sub
}

// Lease is one that has been granted, and what hangs on it.
type Lease struct {
	ID        int64
	TTL, Left int64    // nanoseconds; Left is what a new leader begins with, 0 is TTL
	Keys      []string // ascending
}

// Done is an answer that is kept for those who ask again.
type Done struct {
	Session, Seq int64
	Time         sim.Time
	Answer       Answer
}

// Why is why a command or a read came to nothing, "" if it did not.
type Why string

// The refusals. All are answers: what was asked had surely no effect.
const (
	Compacted   Why = "compacted"   // it is about a revision that is forgotten
	Future      Why = "future"      // it is about a revision that is not yet
	Duplicate   Why = "duplicate"   // one transaction writes a key twice
	NoLease     Why = "no-lease"    // there is no such lease
	Exists      Why = "exists"      // there is such a lease already
	Moved       Why = "moved"       // another term has begun since it was proposed
	Unsupported Why = "unsupported" // the dialect does not have it
	Invalid     Why = "invalid"     // it makes no sense
)

// Answer is what a command or a read comes to.
type Answer struct {
	Rev   int64 // of the store, with the command
	Index int64 // of the log: the command's, or what the state of a read has applied
	Why   Why
	At    int64 // of Compacted: what is compacted
	OK    bool  // the condition held, or there was none
	Yield string
	Items []Item // what a read found; of a put whose condition did not hold: what there is
	Count int64  // how many keys a read found before its limit, or a delete deleted
	Steps []Answer
}

// Kind is "answer".
func (Answer) Kind() string { return "answer" }

// String is "rev 5: ok", "rev 5: compacted 3", "rev 7: no, x=1@5".
func (a Answer) String() string {
	return fmt.Sprintf("rev %d: %s", a.Rev, a.says())
}

func (a Answer) says() string {
	if a.Why == Compacted {
		return fmt.Sprintf("%s %d", a.Why, a.At)
	}
	if a.Why != "" {
		return string(a.Why)
	}
	words := []string{"no"}
	if a.OK {
		words[0] = "ok"
	}
	if a.Yield != "" {
		words = append(words, "yield "+word(a.Yield))
	}
	if a.Count > 0 {
		words = append(words, fmt.Sprintf("count %d", a.Count))
	}
	for _, i := range a.Items {
		words = append(words, i.String())
	}
	for _, s := range a.Steps {
		words = append(words, "("+s.says()+")")
	}
	return strings.Join(words, ", ")
}

// Equal says that two answers are the same, bit by bit.
func (a Answer) Equal(b Answer) bool {
	return a.Rev == b.Rev && a.Index == b.Index && a.Why == b.Why && a.At == b.At &&
		a.OK == b.OK && a.Yield == b.Yield && a.Count == b.Count &&
		slices.Equal(a.Items, b.Items) && slices.EqualFunc(a.Steps, b.Steps, Answer.Equal)
}
