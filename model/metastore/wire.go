package metastore

import (
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// What clients and servers say to each other: questions and answers on a stream; of watches
// datagrams, since each of their parcels has a number and is sent again until it is acknowledged.
type (
	// ask wants something done: a deed, a read or a keepAlive.
	ask struct {
		Session, Seq, Try int64
		What              sim.Body
	}
	// reply is the answer.
	reply struct {
		Seq, Try int64
		Answer   Answer
		About    string
	}
	// elsewhere says that nothing was done, and who may do it if that is known.
	elsewhere struct {
		Seq, Try int64
		Leader   sim.NodeID // sim.Nobody: not known
		About    string
	}
	// poll is a client's part in a watch: that it is there, and what it has got. A server that does
	// not know the watch begins it, if nothing of it has been got. Life is of the server that began
	// it, 0 if the client knows of none: a copy that comes late must not make two watches one.
	poll struct {
		ID          sim.CallID
		Life        int64
		Attempt     int64 // how often it has begun, at any server
		Watch       Watch // From: what comes next
		Got         int64 // the number of the last parcel
		Again       bool  // nothing has come for a while: send what is under way once more
		Mark, Close bool  // asks how far it is; ends it
	}
	// opened says that a watch has begun, and with what.
	opened struct {
		ID            sim.CallID
		Life          int64
		Attempt, Next int64
		Range         Range
	}
	// parcel is what a watch is told. Mark: the client had asked.
	parcel struct {
		ID          sim.CallID
		Life        int64
		Attempt, No int64
		Range       Range
		Batch       Batch
		Mark        bool
	}
	// alive says that there is nothing new, and gone that the server knows nothing of the watch.
	alive struct {
		ID      sim.CallID
		Attempt int64
		Range   Range
	}
	gone struct {
		ID      sim.CallID
		Attempt int64
		Range   Range
	}
)

// Kind is "ask".
func (ask) Kind() string { return "ask" }

// Kind is "reply".
func (reply) Kind() string { return "reply" }

// Kind is "elsewhere".
func (elsewhere) Kind() string { return "elsewhere" }

// Kind is "poll".
func (poll) Kind() string { return "poll" }

// Kind is "opened".
func (opened) Kind() string { return "opened" }

// Kind is "events" if there are any, else "progress" or "compacted".
func (p parcel) Kind() string {
	switch {
	case p.Batch.Compacted >= 0:
		return "compacted"
	case len(p.Batch.Events) == 0:
		return "progress"
	}
	return "events"
}

// Kind is "alive".
func (alive) Kind() string { return "alive" }

// Kind is "gone".
func (gone) Kind() string { return "gone" }

// Keys are the words of what is asked.
func (m ask) Keys() []string { return about(m.What) }

// Keys are the words of what was asked.
func (m reply) Keys() []string { return strings.Fields(m.About) }

// Keys are the words of what was asked.
func (m elsewhere) Keys() []string { return strings.Fields(m.About) }

// Keys are the words of the range.
func (m poll) Keys() []string { return strings.Fields(m.Watch.Range.String()) }

// Keys are the words of the range.
func (m opened) Keys() []string { return strings.Fields(m.Range.String()) }

// Keys are the words of the range, and the last revision, "r5".
func (p parcel) Keys() []string {
	return append(strings.Fields(p.Range.String()), "r"+strconv.FormatInt(p.Batch.To, 10))
}

// Keys are the words of the range.
func (m alive) Keys() []string { return strings.Fields(m.Range.String()) }

// Keys are the words of the range.
func (m gone) Keys() []string { return strings.Fields(m.Range.String()) }

func (m reply) String() string { return "reply " + m.About + ": " + m.Answer.String() }

// same says that another parcel is this one once more.
func (p parcel) same(o parcel) bool { return p.Life == o.Life && p.No == o.No }

func (p parcel) String() string {
	return p.Kind() + " " + p.Range.String() + " " + p.Batch.String()
}

// The timers.
type (
	// again is that of a question without an answer.
	again struct {
		Seq   int64
		About string
	}
	// polling is that of the watches of a client.
	polling struct{}
	// idling is that of a leader that has had nothing to do: it says what time it is.
	idling struct{}
	// sweeping is when a server removes a part of what is compacted.
	sweeping struct{}
	// expiring is when a lease is over that nobody has begun anew.
	expiring struct{}
)

// Kind is "again".
func (again) Kind() string { return "again" }

// Kind is "polling".
func (polling) Kind() string { return "polling" }

// Kind is "idling".
func (idling) Kind() string { return "idling" }

// Kind is "sweeping".
func (sweeping) Kind() string { return "sweeping" }

// Kind is "expiring".
func (expiring) Kind() string { return "expiring" }

// Keys are the words of what is asked.
func (t again) Keys() []string { return strings.Fields(t.About) }

// Codec is the commands of the store as bytes, for an engine that replicates bytes.
type Codec struct{}

// Encode is a command as text.
func (Codec) Encode(c sim.Body) []byte { return []byte(encode(c.(Command))) }

// Decode is the command of a text.
func (Codec) Decode(text []byte) (sim.Body, error) { return decode(string(text)) }
