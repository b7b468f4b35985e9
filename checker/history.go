package checker

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/downset/downset/sim"
)

// History is what the clients of a run saw: their operations in order of invocation.
type History []Operation

// Operation is one use that a client made of the system. Call and Return are positions in the
// trace, never times: many things happen at one instant, and an order among them is what a history
// is about.
type Operation struct {
	Op     sim.Op
	Result sim.Body // what was returned, or why it was refused
	Call   int
	Return int // Never if it is open
	ID     sim.CallID
	Client sim.ClientID
	Node   sim.NodeID
	Fate   Fate
}

// Never is the Return of an open operation.
const Never = math.MaxInt

// Fate is how an operation ended for its client.
type Fate uint8

// The fates. A pending operation is as good as an unknown one, but that its client may yet hear.
const (
	Pending  Fate = iota // it had not ended when the run did
	Unknown              // its client gave up, or was cut off: it may take effect yet, or never
	Returned             // it took effect, between call and return
	Refused              // it had and will have no effect
)

func (f Fate) String() string {
	switch f {
	case Pending:
		return "pending"
	case Unknown:
		return "unknown"
	case Returned:
		return "returned"
	case Refused:
		return "refused"
	}
	panic(fmt.Sprintf("checker: fate %d", uint8(f)))
}

// Open says that the outcome is not known: the operation may take effect at any time after its
// call, or never.
func (o *Operation) Open() bool { return o.Fate <= Unknown }

// ReadHistory reads the history of a run and validates it. A malformed history says nothing of the
// protocol: it is an error of whoever made the run. An answer that comes after its call ended
// counts for nothing, since no client waits for it.
func ReadHistory(run *sim.Run) (History, error) {
	h := make(History, 0, len(run.Clients))
	for i := range run.Trace {
		e := &run.Trace[i]
		var err error
		switch e.Kind {
		case sim.EntryInvoked:
			err = h.invoke(run, i)
		case sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate:
			err = h.end(e, i)
		}
		if err != nil {
			return nil, fmt.Errorf("history: entry %d: %w", i, err)
		}
	}
	if err := h.sound(); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	return h, nil
}

func (h *History) invoke(run *sim.Run, at int) error {
	e := &run.Trace[at]
	if e.N != int64(len(*h)+1) {
		return fmt.Errorf("call %d is invoked, want call %d", e.N, len(*h)+1)
	}
	if e.N > int64(len(run.Clients)) {
		return fmt.Errorf("call %d is of no client: the run names those of %d calls", e.N,
			len(run.Clients))
	}
	*h = append(*h, Operation{Op: e.Body, Call: at, Return: Never, ID: sim.CallID(e.N),
		Client: run.Clients[e.N-1], Node: e.Node})
	return nil
}

func (h History) end(e *sim.Entry, at int) error {
	if e.N < 1 || e.N > int64(len(h)) {
		return fmt.Errorf("call %d ends, but was never invoked", e.N)
	}
	o := &h[e.N-1]
	switch {
	case e.Kind == sim.EntryLate && o.Fate == Pending:
		return fmt.Errorf("the answer to call %d is late, but the call has not ended", e.N)
	case e.Kind == sim.EntryLate:
	case o.Fate != Pending:
		return fmt.Errorf("call %d ends twice", e.N)
	case e.Kind == sim.EntryUnknown:
		o.Fate = Unknown
	case e.Kind == sim.EntryRefused:
		o.Fate, o.Result, o.Return = Refused, e.Body, at
	default:
		o.Fate, o.Result, o.Return = Returned, e.Body, at
	}
	return nil
}

// maxClient bounds the numbers of clients, so that they can be indices.
const maxClient = 1 << 24

// Validate says what is wrong with a history, whatever the object. Judges of linearizability take a
// malformed history for a wrong one, and say so of the protocol, so this must be asked first.
func (h History) Validate() error {
	if err := h.sound(); err != nil {
		return err
	}
	return h.distinct()
}

// sound is Validate but for what a trace cannot get wrong.
func (h History) sound() error {
	most := sim.ClientID(0)
	for i := range h {
		most = max(most, h[i].Client)
	}
	if most > maxClient {
		return fmt.Errorf("there is a client %d, want at most %d", most, maxClient)
	}
	last := make([]int32, most+1) // by client: its last operation, from 1
	for i := range h {
		o := &h[i]
		if err := o.sound(); err != nil {
			return fmt.Errorf("call %d: %w", o.ID, err)
		}
		if k := last[o.Client]; k > 0 && h[k-1].Return >= o.Call {
			return fmt.Errorf("client %d invokes call %d, but its call %d has not returned",
				o.Client, o.ID, h[k-1].ID)
		}
		last[o.Client] = int32(i + 1)
	}
	return nil
}

func (o *Operation) sound() error {
	switch {
	case o.Op == nil:
		return errors.New("it asks for nothing")
	case o.Client == 0:
		return errors.New("it is of client 0, want a client from 1")
	case o.Open() && o.Return != Never:
		return fmt.Errorf("it is %v, but returns at %d", o.Fate, o.Return)
	case !o.Open() && (o.Return <= o.Call || o.Return == Never):
		return fmt.Errorf("it returns at %d, want a place after its call at %d", o.Return, o.Call)
	}
	return nil
}

// distinct wants operations in order of invocation and each end at a place of its own: operations
// that touch count as concurrent, and a violation goes unseen.
func (h History) distinct() error {
	places := make([]int, 0, 2*len(h))
	for i := range h {
		if i > 0 && h[i-1].Call >= h[i].Call {
			return fmt.Errorf("call %d is invoked at %d, want a place after %d", h[i].ID,
				h[i].Call, h[i-1].Call)
		}
		places = append(places, h[i].Call)
		if h[i].Return != Never {
			places = append(places, h[i].Return)
		}
	}
	slices.Sort(places)
	for i := 1; i < len(places); i++ {
		if places[i-1] == places[i] {
			return fmt.Errorf("two things happen at %d, want one place for each", places[i])
		}
	}
	return nil
}
