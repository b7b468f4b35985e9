package metastore

import (
	"fmt"
	"strings"
	"time"
)

// What clients ask for, beside the deeds put, delete, txn, compact, grant and revoke.
type (
	// read is "get RANGE [at N] [local] [limit N] [keys] [count] [mod N M]": through the whole group,
	// or from what one server happens to have.
	read struct {
		Query
		Local bool
	}
	// pages is "pages RANGE by N": all of a range, N keys at a time, all of one revision.
	pages struct {
		Range Range
		By    int
	}
	// putSeen is "put K V if seen": if the key is as this node has last seen it.
	putSeen struct{ Key, Value string }
	// update is "update K V": read, and put if nothing has come between, until it is done.
	update struct{ Key, Value string }
	// compactSeen is "compact seen [N]": up to N revisions before the last that this node has seen.
	compactSeen struct{ Less int64 }
	// keepAlive is "keepalive N": begins a lease anew.
	keepAlive struct{ ID int64 }
	// evictOld is "evict D": forgets the answers that are older.
	evictOld struct{ Age time.Duration }
	// watchOf is "watch RANGE [from N] [prev]".
	watchOf struct{ Watch }
	// unwatch ends the watches of a range at this node.
	unwatch struct{ Range Range }
	// bookmark asks how far a watch of this node is.
	bookmark struct{ Range Range }
	// stall makes the listener of a watch at this node fail: it is done with nothing any more.
	stall struct{ Range Range }
	// follow is "follow RANGE": reads it, and keeps up with it. Attends: what comes is acted upon.
	follow struct {
		Range   Range
		Attends bool
	}
	// snapshot makes a server cut its log.
	snapshot struct{}
	// transfer hands the lead to another server.
	transfer struct{ To string }
)

// Kind is "get".
func (read) Kind() string { return "get" }

// Kind is "pages".
func (pages) Kind() string { return "pages" }

// Kind is "put".
func (putSeen) Kind() string { return "put" }

// Kind is "update".
func (update) Kind() string { return "update" }

// Kind is "compact".
func (compactSeen) Kind() string { return "compact" }

// Kind is "keepalive".
func (keepAlive) Kind() string { return "keepalive" }

// Kind is "evict".
func (evictOld) Kind() string { return "evict" }

// Kind is "watch".
func (watchOf) Kind() string { return "watch" }

// Kind is "unwatch".
func (unwatch) Kind() string { return "unwatch" }

// Kind is "bookmark".
func (bookmark) Kind() string { return "bookmark" }

// Kind is "stall".
func (stall) Kind() string { return "stall" }

// Kind is "follow".
func (follow) Kind() string { return "follow" }

// Kind is "snapshot".
func (snapshot) Kind() string { return "snapshot" }

// Kind is "transfer".
func (transfer) Kind() string { return "transfer" }

// Keys are the words of the range.
func (r read) Keys() []string { return strings.Fields(r.Range.String()) }

// Keys are the words of the range.
func (p pages) Keys() []string { return strings.Fields(p.Range.String()) }

// Keys are the key and the value.
func (p putSeen) Keys() []string { return []string{word(p.Key), word(p.Value)} }

// Keys are the key and the value.
func (u update) Keys() []string { return []string{word(u.Key), word(u.Value)} }

// Keys are the lease.
func (k keepAlive) Keys() []string { return []string{fmt.Sprint(k.ID)} }

// Keys are the words of the range.
func (w watchOf) Keys() []string { return strings.Fields(w.Range.String()) }

// Keys are the words of the range.
func (f follow) Keys() []string { return strings.Fields(f.Range.String()) }

// Keys are the key and the value.
func (p Put) Keys() []string { return keysOf(p) }

// Keys are the words of the range.
func (d Delete) Keys() []string { return keysOf(d) }

// Keys are the first words.
func (t Txn) Keys() []string { return keysOf(t) }

// Keys are the revision.
func (c Compact) Keys() []string { return keysOf(c) }

// Keys are the lease and its length.
func (g Grant) Keys() []string { return keysOf(g) }

// Keys are the lease.
func (r Revoke) Keys() []string { return keysOf(r) }

func (r read) String() string {
	text := "get " + r.Range.String()
	for _, part := range [...]struct {
		has  bool
		text string
	}{
		{r.At > 0, fmt.Sprintf(" at %d", r.At)}, {r.Local, " local"},
		{r.Limit > 0, fmt.Sprintf(" limit %d", r.Limit)}, {r.Query.Keys, " keys"},
		{r.Count, " count"}, {r.Min > 0 || r.Max > 0, fmt.Sprintf(" mod %d %d", r.Min, r.Max)},
	} {
		if part.has {
			text += part.text
		}
	}
	return text
}

func (p pages) String() string { return fmt.Sprintf("pages %v by %d", p.Range, p.By) }

func (p putSeen) String() string {
	return "put " + word(p.Key) + " " + word(p.Value) + " if seen"
}

func (u update) String() string    { return "update " + word(u.Key) + " " + word(u.Value) }
func (k keepAlive) String() string { return fmt.Sprintf("keepalive %d", k.ID) }
func (e evictOld) String() string  { return fmt.Sprintf("evict %v", e.Age) }
func (u unwatch) String() string   { return "unwatch " + u.Range.String() }
func (b bookmark) String() string  { return "bookmark " + b.Range.String() }
func (s stall) String() string     { return "stall " + s.Range.String() }
func (t transfer) String() string  { return "transfer " + t.To }

func (c compactSeen) String() string {
	if c.Less == 0 {
		return "compact seen"
	}
	return fmt.Sprintf("compact seen %d", c.Less)
}

func (w watchOf) String() string {
	text := "watch " + w.Range.String()
	if w.From > 0 {
		text += fmt.Sprintf(" from %d", w.From)
	}
	if w.Prev {
		text += " prev"
	}
	return text
}

func (f follow) String() string {
	if f.Attends {
		return "attend"
	}
	return "follow " + f.Range.String()
}

// refusal is why a request is refused.
type refusal struct{ Why string }

// Kind is "refused".
func (refusal) Kind() string { return "refused" }

func (r refusal) String() string { return r.Why }

// done is the answer to what has no other.
type done struct{}

// Kind is "done".
func (done) Kind() string { return "done" }
