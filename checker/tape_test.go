package checker_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// A tape is a run written by hand, entry by entry, for a small protocol of cuts that has everything
// a CutModel can read.

type (
	point   struct{ Cut, Version int64 }
	adopted struct{ Version int64 }
	gaveUp  struct{ Cut int64 }
	whole   struct{ Cut int64 }
	commit  struct{ Tx string }
	inside  struct {
		Tx  string
		Cut int64
	} // recorded in the channel
	side   checker.Side
	notify struct {
		Tx      string
		Version int64
	}
	start    struct{ Cut, Version int64 }
	gossip   struct{ N int }
	unmarked struct{ Tx string }
	moved    struct{ Version int64 } // has a version from here on
)

func (point) Kind() string    { return "point" }
func (adopted) Kind() string  { return "adopted" }
func (gaveUp) Kind() string   { return "abandoned" }
func (whole) Kind() string    { return "complete" }
func (commit) Kind() string   { return "commit" }
func (inside) Kind() string   { return "channel" }
func (side) Kind() string     { return "side" }
func (notify) Kind() string   { return "notify" }
func (start) Kind() string    { return "start" }
func (gossip) Kind() string   { return "gossip" }
func (unmarked) Kind() string { return "unmarked" }
func (moved) Kind() string    { return "moved" }

func (p point) Keys() []string    { return []string{fmt.Sprint(p.Cut)} }
func (c commit) Keys() []string   { return []string{c.Tx} }
func (i inside) Keys() []string   { return []string{i.Tx} }
func (w whole) Keys() []string    { return []string{fmt.Sprint(w.Cut)} }
func (n notify) Keys() []string   { return []string{n.Tx} }
func (s start) Keys() []string    { return []string{fmt.Sprint(s.Cut)} }
func (u unmarked) Keys() []string { return []string{u.Tx} }
func (s side) Keys() []string     { return []string{s.Tx} }

// onTape reads tapes.
var onTape = checker.CutModel{
	Point:   func(b sim.Body) (string, bool) { p, ok := b.(point); return strconv.FormatInt(p.Cut, 10), ok },
	Draws:   func(b sim.Body) bool { _, ok := b.(start); return ok },
	Beside:  func(b sim.Body) bool { _, ok := b.(gossip); return ok },
	Abandon: func(b sim.Body) (string, bool) { g, ok := b.(gaveUp); return strconv.FormatInt(g.Cut, 10), ok },
	Version: func(b sim.Body) (int64, bool) {
		switch f := b.(type) {
		case point:
			return f.Version, f.Version > 0
		case moved:
			return f.Version, true
		}
		return 0, false
	},
	Stamp: func(b sim.Body) (int64, bool) {
		switch m := b.(type) {
		case notify:
			return m.Version, true
		case start:
			return m.Version, m.Version > 0
		}
		return 0, false
	},
	Adopt:     func(b sim.Body) (int64, bool) { a, ok := b.(adopted); return a.Version, ok },
	Commit:    func(b sim.Body) (string, bool) { c, ok := b.(commit); return c.Tx, ok },
	Side:      func(b sim.Body) (checker.Side, bool) { s, ok := b.(side); return checker.Side(s), ok },
	InChannel: told,
	Channel: func(b sim.Body) (checker.Recorded, bool) {
		i, ok := b.(inside)
		return checker.Recorded{Cut: strconv.FormatInt(i.Cut, 10), What: i.Tx}, ok
	},
	Complete: func(b sim.Body) (string, bool) { w, ok := b.(whole); return strconv.FormatInt(w.Cut, 10), ok },
	Due:      told,
}

func told(b sim.Body) (string, bool) {
	switch m := b.(type) {
	case notify:
		return m.Tx, true
	case unmarked:
		return m.Tx, true
	}
	return "", false
}

// tape writes a run. Its verbs give the position of what they wrote last.
type tape struct {
	run   *sim.Run
	node  sim.NodeID // whose handler is being written
	cause int32
}

// newTape begins a run of these nodes, all of them up.
func newTape(names ...string) *tape {
	t := &tape{run: &sim.Run{Nodes: names}}
	for _, n := range names {
		t.start(n)
	}
	return t
}

func (t *tape) id(name string) sim.NodeID {
	for i, n := range t.run.Nodes {
		if n == name {
			return sim.NodeID(i)
		}
	}
	panic("no node " + name)
}

func (t *tape) add(e sim.Entry) int {
	at := len(t.run.Trace)
	e.At = sim.Time(at)
	t.run.Trace = append(t.run.Trace, e)
	t.run.Epilogue = at + 1
	return at
}

// begin opens a handler.
func (t *tape) begin(kind sim.EntryKind, node sim.NodeID, cause int, body sim.Body) int {
	at := t.add(sim.Entry{Kind: kind, Node: node, Peer: sim.Nobody, Cause: int32(cause), Body: body})
	t.node, t.cause = node, int32(at)
	return at
}

func (t *tape) start(node string) int { return t.begin(sim.EntryStarted, t.id(node), -1, nil) }

// ask opens the handler of a client's request.
func (t *tape) ask(node string) int { return t.begin(sim.EntryArrived, t.id(node), -1, nil) }

// deliver opens the handler of a message.
func (t *tape) deliver(sent int) int {
	e := t.run.Trace[sent]
	at := t.begin(sim.EntryDelivered, e.Peer, sent, e.Body)
	t.run.Trace[at].Peer = e.Node
	return at
}

func (t *tape) effect(kind sim.EntryKind, body sim.Body) int {
	return t.add(sim.Entry{Kind: kind, Node: t.node, Peer: sim.Nobody, Cause: t.cause, Body: body})
}

// note says facts in the open handler.
func (t *tape) note(facts ...sim.Body) (at int) {
	for _, f := range facts {
		at = t.effect(sim.EntryNoted, f)
	}
	return at
}

func (t *tape) send(to string, m sim.Body) int {
	at := t.effect(sim.EntrySent, m)
	t.run.Trace[at].Peer = t.id(to)
	return at
}

// tell is a message sent and delivered at once; its handler is open.
func (t *tape) tell(to string, m sim.Body) int { return t.deliver(t.send(to, m)) }

// copied is the network's copy of a message.
func (t *tape) copied(sent int) int {
	e := t.run.Trace[sent]
	e.Kind, e.Cause = sim.EntryCopied, int32(sent)
	return t.add(e)
}

// write appends a record; the n-th of the node.
func (t *tape) write(n int64, body sim.Body) int {
	at := t.effect(sim.EntryAppended, body)
	t.run.Trace[at].N = n
	return at
}

// crash takes a node down, which loses so many records.
func (t *tape) crash(node string, lost int64) int {
	return t.add(sim.Entry{Kind: sim.EntryCrashed, Node: t.id(node), Peer: sim.Nobody, Cause: -1, N: lost})
}

// draw is a request for a cut: each node draws its point of it.
func (t *tape) draw(cut int64, nodes ...string) {
	for _, n := range nodes {
		t.ask(n)
		t.note(point{cut, cut})
	}
}

// text is entries in words, joined by semicolons.
func text(run *sim.Run, entries []int) string {
	var words []string
	for _, i := range entries {
		e := run.Trace[i]
		words = append(words, strings.TrimSpace(
			fmt.Sprintf("%s %s %s", run.Name(e.Node), e.Kind, sim.Text(e.Body))))
	}
	return strings.Join(words, "; ")
}

// property is one of the model's, by name.
func property(name string) sim.Property {
	for _, p := range onTape.Properties() {
		if p.Name == name {
			return p
		}
	}
	panic("no property " + name)
}
