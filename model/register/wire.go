package register

import (
	"fmt"
	"strconv"

	"github.com/downset/downset/sim"
)

// tag orders the versions of a register: by sequence number, and where two writers chose the same,
// by the writer's name. The zero tag is that of a register that was never written.
type tag struct {
	Seq    int64
	Writer string
}

func (t tag) less(u tag) bool {
	if t.Seq != u.Seq {
		return t.Seq < u.Seq
	}
	return t.Writer < u.Writer
}

func (t tag) String() string {
	if t == (tag{}) {
		return "0"
	}
	return strconv.FormatInt(t.Seq, 10) + "." + t.Writer
}

// version is what a register holds: a value and the tag of the write that it is from.
type version struct {
	Key   string
	Tag   tag
	Value string // "" is that of a register that was never written
}

// Keys are register and value, so that stories and decisions name versions by what is in them.
func (v version) Keys() []string {
	if v.Value == "" {
		return []string{v.Key}
	}
	return []string{v.Key, v.Value}
}

func (v version) text(kind string) string {
	return fmt.Sprintf("%s %s %s [%v]", kind, v.Key, orEmpty(v.Value), v.Tag)
}

// phase is one round of one operation. Calls are numbered over all nodes and restarts, so no two
// phases are alike, and what answers an old one cannot be taken for an answer to another.
type phase struct {
	Call  sim.CallID
	Round round
}

// round is how far an operation is: each asks a majority twice.
type round uint8

const (
	querying round = iota + 1 // which version is the newest?
	storing                   // keep this version, unless you have a newer one
)

func (r round) String() string {
	switch r {
	case querying:
		return "querying"
	case storing:
		return "storing"
	}
	panic(fmt.Sprintf("round %d", uint8(r)))
}

type (
	// query asks for the version that its receiver has.
	query struct {
		Phase phase
		Key   string
	}
	// answer is the version that its sender has.
	answer struct {
		Phase phase
		version
	}
	// store wants its receiver to keep a version.
	store struct {
		Phase phase
		version
	}
	// ack says that its sender has the version with this tag, or a newer one, on its disk.
	ack struct {
		Phase phase
		Key   string
		Tag   tag
	}
)

func (query) Kind() string  { return "query" }
func (answer) Kind() string { return "answer" }
func (store) Kind() string  { return "store" }
func (ack) Kind() string    { return "ack" }

func (q query) Keys() []string { return []string{q.Key} }
func (a ack) Keys() []string   { return []string{a.Key, a.Tag.String()} }

func (a answer) String() string { return a.text("answer") }
func (s store) String() string  { return s.text("store") }

// again is the timer of an operation that waits for a majority.
type again struct {
	Key  string
	Call sim.CallID
}

func (again) Kind() string     { return "again" }
func (a again) Keys() []string { return []string{a.Key} }

// write and read are what clients ask for.
type (
	write struct{ Key, Value string }
	read  struct{ Key string }
)

func (write) Kind() string { return "write" }
func (read) Kind() string  { return "read" }

func (w write) Keys() []string { return []string{w.Key, w.Value} }
func (r read) Keys() []string  { return []string{r.Key} }

// wrote and got are what they get: a write that it is done, under which tag, a read what it found.
type (
	wrote struct {
		Key string
		Tag tag
	}
	got struct{ version }
)

func (wrote) Kind() string { return "ok" }
func (got) Kind() string   { return "got" }

func (w wrote) Keys() []string { return []string{w.Key} }

func (wrote) String() string { return "ok" }
func (g got) String() string { return orEmpty(g.Value) }

// orEmpty is a value for people.
func orEmpty(value string) string {
	if value == "" {
		return "empty"
	}
	return value
}
