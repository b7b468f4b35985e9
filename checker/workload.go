package checker

import (
	"strconv"

	"github.com/downset/downset/sim"
)

// Workload makes random histories of registers, to measure judges of linearizability by and to hold
// them against each other. The registers are atomic: an operation takes effect at a random moment
// between its call and its return, so the history is linearizable unless Stale or Spoiled says
// otherwise, and mostly even then.
type Workload struct {
	Clients int
	Ops     int
	Keys    int
	Swaps   bool // some operations compare and set, or append, and few values are used, often
	Open    int  // percent of operations that end unknown, never or refused
	Stale   int  // percent of reads that return what the last write replaced
	Spoiled int  // results that are exchanged for others
}

// drawnOp is an operation of a workload, and drawnValue its result.
type (
	drawnOp    struct{ Access }
	drawnValue struct {
		Value string
		Done  bool
	}
)

// Kind says what is done.
func (o drawnOp) Kind() string { return [...]string{"", "get", "set", "swap", "add"}[o.What] }

// Keys is the register, and what is put there.
func (o drawnOp) Keys() []string {
	switch o.What {
	case Swaps:
		return []string{o.Key, o.Old, o.Value}
	case Reads:
		return []string{o.Key}
	}
	return []string{o.Key, o.Value}
}

// Kind is "value".
func (drawnValue) Kind() string { return "value" }

func (v drawnValue) String() string {
	if v.Value == "" {
		return strconv.FormatBool(v.Done)
	}
	return v.Value
}

// Spec is the object of a workload's histories.
func (Workload) Spec() Spec {
	return Registers(func(op sim.Op, result sim.Body) (Access, bool) {
		o, ours := op.(drawnOp)
		v, fits := result.(drawnValue)
		a := o.Access
		if a.What == Reads {
			a.Value = v.Value
		}
		a.Done = v.Done
		return a, ours && fits
	})
}

// Run is a run with the history that belongs to a seed, and nothing else.
func (w Workload) Run(seed uint64) *sim.Run {
	r := &rehearsal{Workload: w, dice: dice(seed), run: &sim.Run{Nodes: []string{"P"}},
		held: make([]string, w.Keys), before: make([]string, w.Keys)}
	r.run.Plan = &sim.Plan{Nodes: r.run.Nodes}
	for i := range w.Clients {
		r.clients = append(r.clients, drawnClient{id: sim.ClientID(i + 1)})
	}
	r.next = sim.ClientID(w.Clients + 1)
	for r.unfinished() {
		r.step()
	}
	for range w.Spoiled {
		r.spoil()
	}
	r.run.Entries, r.run.Epilogue = len(r.run.Trace), len(r.run.Trace)
	return r.run
}

// rehearsal makes a history.
type rehearsal struct {
	Workload
	dice    dice
	run     *sim.Run
	clients []drawnClient
	next    sim.ClientID
	late    []drawnOp // given up by their clients, and yet to take effect
	held    []string  // by register
	before  []string  // what that replaced
	values  int
}

// drawnClient is a client with at most one operation.
type drawnClient struct {
	id     sim.ClientID
	call   int64 // 0 if it has none
	op     drawnOp
	result drawnValue
	done   bool // it took effect
}

func (r *rehearsal) unfinished() bool {
	if len(r.run.Clients) < r.Ops {
		return true
	}
	for i := range r.clients {
		if r.clients[i].call > 0 {
			// With open operations, some are left pending when the run is over.
			return r.Open == 0 || r.dice.below(100) > 0
		}
	}
	return false
}

func (r *rehearsal) step() {
	if n := len(r.late); n > 0 && r.dice.below(8) == 0 {
		r.apply(r.late[n-1])
		r.late = r.late[:n-1]
	}
	c := &r.clients[r.dice.below(len(r.clients))]
	switch {
	case c.call == 0 && len(r.run.Clients) < r.Ops:
		r.invoke(c)
	case c.call == 0:
	case r.dice.below(200) < r.Open: // asked twice or more of each
		r.giveUp(c)
	case c.done:
		r.end(c, sim.EntryReturned, c.result)
	default:
		c.result, c.done = r.apply(c.op), true
	}
}

func (r *rehearsal) add(kind sim.EntryKind, call int64, body sim.Body) {
	r.run.Trace = append(r.run.Trace, sim.Entry{Kind: kind, Peer: sim.ClientEnd, N: call,
		Body: body, Cause: -1})
}

func (r *rehearsal) invoke(c *drawnClient) {
	r.run.Clients = append(r.run.Clients, c.id)
	*c = drawnClient{id: c.id, call: int64(len(r.run.Clients)), op: r.draw()}
	r.add(sim.EntryInvoked, c.call, c.op)
}

// draw is a random operation: reads and writes alike, and none writes a value that another does
// unless there are swaps.
func (r *rehearsal) draw() drawnOp {
	a := Access{Key: string(rune('a' + r.dice.below(r.Keys))), What: Reads}
	if r.dice.below(2) == 0 {
		return drawnOp{a}
	}
	a.What = Writes
	r.values++
	a.Value = strconv.Itoa(r.values)
	if r.Swaps {
		a.What = []AccessKind{Writes, Swaps, Swaps, Appends}[r.dice.below(4)]
		a.Value = strconv.Itoa(1 + r.dice.below(3))
		if a.What == Swaps {
			a.Old = []string{"", "1", "2", "3"}[r.dice.below(4)]
		}
	}
	return drawnOp{a}
}

// apply lets an operation take effect now.
func (r *rehearsal) apply(o drawnOp) drawnValue {
	k := int(o.Key[0] - 'a')
	held := r.held[k]
	result := drawnValue{Done: o.What == Swaps && held == o.Old}
	if o.What == Reads {
		result.Value = held
		if r.dice.below(100) < r.Stale {
			result.Value = r.before[k]
		}
	}
	if o.What == Reads || o.What == Swaps && !result.Done {
		return result
	}
	_, r.held[k] = o.apply(held, true)
	r.before[k] = held
	return result
}

// giveUp ends an operation without an answer that says what became of it, or with a refusal.
func (r *rehearsal) giveUp(c *drawnClient) {
	if !c.done && r.dice.below(4) == 0 {
		r.end(c, sim.EntryRefused, drawnValue{})
		return
	}
	if !c.done && r.dice.below(2) == 0 {
		r.late = append(r.late, c.op)
	}
	r.end(c, sim.EntryUnknown, nil)
	c.id = r.next
	r.next++
}

func (r *rehearsal) end(c *drawnClient, kind sim.EntryKind, body sim.Body) {
	r.add(kind, c.call, body)
	c.call = 0
}

// spoil exchanges the result of one operation for what another one put there, or for nothing.
func (r *rehearsal) spoil() {
	trace := r.run.Trace
	at, from := r.dice.below(len(trace)), r.dice.below(len(trace))
	v, ok := trace[at].Body.(drawnValue)
	if !ok || trace[at].Kind != sim.EntryReturned {
		return
	}
	v.Value, v.Done = "", !v.Done
	if o, ok := trace[from].Body.(drawnOp); ok {
		v.Value = o.Value
	}
	trace[at].Body = v
}
