package clocks

import (
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// A lease is the right to act alone for a while, which a node, the granter, gives to one of those
// who ask. Nobody need come to take it back: it ends by the clock. But whose? A duration means the
// same on two clocks, a time does not:
//
//	holder   --asks at 0-----------------may act until 50ms------|
//	              \           /
//	granter  ------o-gives 50ms---------------------------------------50.025ms--| free again
//
// The holder counts from when it asked, which is before the granter gave; the granter adds a
// margin, by which two clocks may drift apart in the meantime. So the holder's end is before the
// granter's, however long messages take. Between looking at the clock and acting a node may be
// paused: what it acts upon must refuse who comes with an older number than it has seen. Grants
// have numbers for that.

// leases are what this node has given, and what it holds of others.
type leases struct {
	Given verdict     // the last lease that was given
	Until sim.Time    // it may be acted upon until then, by this node's clock
	Said  []verdict   // what has been said to whom
	Held  []heldLease // in the order in which they were first held
	Fresh int64       // how many leases were given in this life
}

// verdict is what a granter says to a request: a lease, with a number, or none. It is a record:
// what was said once is said again.
type verdict struct {
	ID     sim.CallID
	Holder sim.NodeID
	Number int64 // 0 is no
	// at the end of this, by the granter's clocks, the lease is over
	Steady, Wall sim.Time
}

// heldLease is a lease as its holder knows it.
type heldLease struct {
	Granter sim.NodeID
	ID      sim.CallID
	Number  int64
	Until   sim.Time // by a clock that the rules say
}

type (
	// lease asks a node for its lease, act does something that takes the lease of a node.
	lease struct{ At string }
	act   struct{ At string }
	// claim asks for a lease. Sent is the asking node's monotonic clock.
	claim struct {
		ID   sim.CallID
		Sent sim.Time
	}
	// grant is the answer.
	grant struct {
		verdict
		Sent sim.Time
	}
)

func (lease) Kind() string   { return "lease" }
func (act) Kind() string     { return "act" }
func (claim) Kind() string   { return "claim" }
func (verdict) Kind() string { return "verdict" }
func (g grant) Kind() string {
	if g.Number == 0 {
		return "denial"
	}
	return "grant"
}

func (l lease) Keys() []string { return atKey(l.At) }
func (a act) Keys() []string   { return atKey(a.At) }

// atKey is the name of a node, if there is one.
func atKey(at string) []string {
	if at == "" {
		return nil
	}
	return []string{at}
}

func (l lease) String() string { return "lease" + atText(l.At) }
func (a act) String() string   { return "act" + atText(a.At) }
func (g grant) String() string {
	if g.Number == 0 {
		return "denial"
	}
	return fmt.Sprintf("grant %d", g.Number)
}

func (c claim) call() sim.CallID { return c.ID }
func (g grant) call() sim.CallID { return g.ID }

// Facts and results.
type (
	// granted: this node has given its lease, durably.
	granted struct {
		ID     sim.CallID
		Holder string
		Number int64
	}
	// denied: this node has not given its lease, which somebody else has.
	denied struct {
		ID     sim.CallID
		Holder string
	}
	// took: this node holds the lease of Granter, for which it asked in call ID.
	took struct {
		Granter string
		ID      sim.CallID
		Number  int64
	}
	// acted: this node has looked at its clock, and acts as holder.
	acted struct {
		Granter string
		ID      sim.CallID // of the request for the lease
		Number  int64
	}
	// idle: this node has looked at its clock, and does not act.
	idle struct{ Granter string }
	held struct {
		Granter string
		Number  int64
	}
)

func (granted) Kind() string { return "granted" }
func (denied) Kind() string  { return "denied" }
func (took) Kind() string    { return "took" }
func (acted) Kind() string   { return "acted" }
func (idle) Kind() string    { return "idle" }
func (held) Kind() string    { return "held" }

func (g granted) Keys() []string { return []string{g.Holder} }
func (d denied) Keys() []string  { return []string{d.Holder} }
func (t took) Keys() []string    { return []string{t.Granter} }
func (a acted) Keys() []string   { return []string{a.Granter} }
func (i idle) Keys() []string    { return []string{i.Granter} }

func (g granted) String() string { return fmt.Sprintf("granted %d to %s", g.Number, g.Holder) }
func (d denied) String() string  { return fmt.Sprintf("denied, %s has it", d.Holder) }
func (t took) String() string    { return fmt.Sprintf("took %d of %s", t.Number, t.Granter) }
func (a acted) String() string   { return fmt.Sprintf("acted as %d of %s", a.Number, a.Granter) }
func (i idle) String() string    { return fmt.Sprintf("idle, holds no lease of %s", i.Granter) }
func (h held) String() string    { return fmt.Sprintf("holder %d of %s", h.Number, h.Granter) }

// leaseOps are their forms.
func leaseOps() []opForm {
	return []opForm{
		{"lease", "[at NODE]",
			func(_ []string, at string) (sim.Op, error) { return lease{at}, nil }},
		{"act", "[at NODE]", func(_ []string, at string) (sim.Op, error) { return act{at}, nil }},
	}
}

// margin is what a granter waits in addition to the length of a lease: two clocks that run within
// 200 parts per million of true time, one fast and one slow, drift apart by less than 401.
func margin(term time.Duration) time.Duration { return term/2000 + 1 }

// start reads what was given. Its host may have been down too, and have started its monotonic clock
// anew: for all the granter knows the last lease was given just now, and is waited out once more.
// Who held a lease has lost it.
func (l *leases) start(n *node, env *sim.Env) {
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		if v, ok := env.Disk.At(lsn).(verdict); ok {
			l.say(v)
		}
	}
	if l.Given.Number > 0 {
		l.Until = n.leaseClock(env).Add(n.rules.lease.waitAgain(n.layout.Term))
	}
}

// say takes down what is said.
func (l *leases) say(v verdict) {
	l.Said = append(l.Said, v)
	if v.Number > 0 {
		l.Given = v
	}
}

func (o lease) begin(n *node, env *sim.Env, c sim.Call) {
	if to, ok := n.find(env, c.ID, o.At); ok {
		n.ask(env, to, claim{c.ID, n.monotonic(env)})
	}
}

// arrive gives the lease, unless another may still act upon it.
func (c claim) arrive(n *node, env *sim.Env, from sim.NodeID) {
	l := &n.leases
	at := slices.IndexFunc(l.Said, func(v verdict) bool { return v.ID == c.ID })
	if at >= 0 {
		n.send(env, from, grant{l.Said[at], c.Sent})
		return
	}
	v := verdict{ID: c.ID, Holder: from, Steady: n.monotonic(env).Add(n.layout.Term),
		Wall: env.Now().Add(n.layout.Term)}
	if n.free(env, from) {
		l.Fresh++
		v.Number = n.rules.lease.number(l)
		l.Until = n.leaseClock(env).Add(n.rules.lease.wait(n.layout.Term))
	}
	l.say(v)
	if n.rules.lease.keeps() {
		env.Disk.Append(v)
		env.Disk.Sync()
	}
	if v.Number > 0 {
		env.Note(granted{c.ID, env.Name(from), v.Number})
	} else {
		env.Note(denied{c.ID, env.Name(l.Given.Holder)})
	}
	n.send(env, from, grant{v, c.Sent})
}

// free says that this node's lease may be given to a node: nobody else may act upon it.
func (n *node) free(env *sim.Env, to sim.NodeID) bool {
	l := &n.leases
	return l.Given.Number == 0 || n.rules.lease.same(l.Given.Holder, to) ||
		n.leaseClock(env) > l.Until
}

// leaseClock is the clock by which a granter tells when a lease is over.
func (n *node) leaseClock(env *sim.Env) sim.Time {
	if n.rules.lease.byWall() {
		return env.Now()
	}
	return n.monotonic(env)
}

// arrive makes this node the holder, if it still asks and the lease is not over yet.
func (g grant) arrive(n *node, env *sim.Env, from sim.NodeID) {
	i := n.waits(g.ID)
	if i < 0 {
		return
	}
	if g.Number == 0 {
		n.stopAsking(env, g.ID)
		env.Refuse(g.ID, refusal{"another holds it"})
		return
	}
	n.leases.hold(heldLease{from, g.ID, g.Number, n.rules.lease.until(n, env, g)})
	env.Note(took{env.Name(from), g.ID, g.Number})
	n.answer(env, g.ID, held{env.Name(from), g.Number})
}

// hold takes down a lease. Answers may overtake each other, and so may questions: the last number
// counts, and the latest end, for the granter waits for the end of each.
func (l *leases) hold(h heldLease) {
	k := l.holding(h.Granter)
	if k < 0 {
		l.Held = append(l.Held, h)
		return
	}
	old := &l.Held[k]
	old.Until = max(old.Until, h.Until)
	if h.Number > old.Number {
		old.ID, old.Number = h.ID, h.Number
	}
}

// holding is the place in Held of the lease of a granter, -1 if there is none.
func (l *leases) holding(granter sim.NodeID) int {
	return slices.IndexFunc(l.Held, func(h heldLease) bool { return h.Granter == granter })
}

// leaseOf is the lease of a granter, of number 0 if there is none.
func (l *leases) leaseOf(granter sim.NodeID) heldLease {
	if k := l.holding(granter); k >= 0 {
		return l.Held[k]
	}
	return heldLease{Granter: granter}
}

// begin acts, if by its clock this node holds the lease.
func (a act) begin(n *node, env *sim.Env, c sim.Call) {
	granter, ok := n.find(env, c.ID, a.At)
	if !ok {
		return
	}
	name := env.Name(granter)
	h := n.leases.leaseOf(granter)
	if !n.rules.lease.mayAct(n, env, h) {
		env.Note(idle{name})
		env.Refuse(c.ID, refusal{"holds no lease of " + name})
		return
	}
	env.Note(acted{name, h.ID, h.Number})
	env.Return(c.ID, held{name, h.Number})
}
