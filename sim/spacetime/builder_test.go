package spacetime_test

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// body is whatever a test's nodes say: a kind and keys.
type body struct{ kind, keys string }

func (b body) Kind() string   { return b.kind }
func (b body) Keys() []string { return strings.Fields(b.keys) }

func say(text string) sim.Body {
	kind, keys, _ := strings.Cut(text, " ")
	return body{kind, keys}
}

// point is the tests' Options.Point: facts of kind "point" are points of the cut they name.
func point(b sim.Body) (string, bool) {
	return strings.Join(sim.KeysOf(b), " "), b.Kind() == "point"
}

// builder makes runs by hand, with the causes that the engine would give them.
type builder struct {
	run  *sim.Run
	now  sim.Time
	call int64
	head []int32 // by node: the entry of the call it is in
}

func nodes(names ...string) *builder {
	run := &sim.Run{
		Plan:  &sim.Plan{Protocol: &sim.Protocol{Name: "cut"}, Variant: sim.Variant{Name: "unsigned"}, Nodes: names},
		Nodes: names,
	}
	b := &builder{run: run, head: make([]int32, len(names))}
	for i := range names {
		b.head[i] = b.add(sim.EntryStarted, sim.NodeID(i), sim.Nobody, -1, 1, nil)
	}
	return b
}

// later adds nodes that are not members yet.
func (b *builder) later(names ...string) *builder {
	b.run.Nodes = append(b.run.Nodes[:len(b.run.Nodes):len(b.run.Nodes)], names...)
	b.run.Plan.Later = names
	b.head = append(b.head, make([]int32, len(names))...)
	return b
}

func (b *builder) add(k sim.EntryKind, node, peer sim.NodeID, cause int32, n int64, body sim.Body) int32 {
	b.run.Trace = append(b.run.Trace, sim.Entry{At: b.now, Node: node, Peer: peer, Kind: k,
		Cause: cause, N: n, Body: body})
	return int32(len(b.run.Trace) - 1)
}

func (b *builder) id(name string) sim.NodeID {
	for i, n := range b.run.Nodes {
		if n == name {
			return sim.NodeID(i)
		}
	}
	panic("no node " + name)
}

// ask is a client's request.
func (b *builder) ask(node, text string) *builder {
	id := b.id(node)
	b.call++
	at := b.add(sim.EntryInvoked, id, sim.ClientEnd, -1, b.call, say(text))
	b.head[id] = b.add(sim.EntryArrived, id, sim.Nobody, at, b.call, say(text))
	return b
}

// do is an effect of a node.
func (b *builder) do(k sim.EntryKind, node, text string) *builder {
	id := b.id(node)
	b.add(k, id, sim.Nobody, b.head[id], 1, say(text))
	return b
}

func (b *builder) note(node, text string) *builder { return b.do(sim.EntryNoted, node, text) }

func (b *builder) answer(node, text string) *builder {
	b.add(sim.EntryReturned, b.id(node), sim.Nobody, b.head[b.id(node)], b.call, say(text))
	return b
}

// send is a message on its way.
func (b *builder) send(from, to, text string) *builder {
	id := b.id(from)
	b.add(sim.EntrySent, id, b.id(to), b.head[id], 0, say(text))
	return b
}

// sent is the last such message, or the last copy of it.
func (b *builder) sent(from, to, text string) int32 {
	for i := len(b.run.Trace) - 1; i >= 0; i-- {
		e := b.run.Trace[i]
		if (e.Kind == sim.EntrySent || e.Kind == sim.EntryCopied) && e.Node == b.id(from) &&
			e.Peer == b.id(to) && e.Body == say(text) {
			return int32(i)
		}
	}
	panic(fmt.Sprintf("%s did not send %s to %s", from, text, to))
}

func (b *builder) get(from, to, text string) *builder {
	b.head[b.id(to)] = b.add(sim.EntryDelivered, b.id(to), b.id(from), b.sent(from, to, text), 0, say(text))
	return b
}

func (b *builder) lose(from, to, text string, why sim.Loss) *builder {
	b.add(sim.EntryLost, b.id(to), b.id(from), b.sent(from, to, text), int64(why), say(text))
	return b
}

// befall is something that happens to a node.
func (b *builder) befall(k sim.EntryKind, node string, n int64) *builder {
	at := b.add(k, b.id(node), sim.Nobody, -1, n, nil)
	if k == sim.EntryStarted {
		b.head[b.id(node)] = at
	}
	return b
}

func (b *builder) part(from, to string) *builder {
	b.add(sim.EntryParted, b.id(from), b.id(to), -1, 0, nil)
	return b
}

// commit is the draft's simple model: a node commits a transaction and the other hears of it.
func (b *builder) commit(from, to, tx string) *builder {
	return b.begin(from, to, tx).hear(from, to, tx)
}

func (b *builder) begin(from, to, tx string) *builder {
	return b.ask(from, "commit "+tx).note(from, "committed "+tx).send(from, to, "notify "+tx)
}

func (b *builder) hear(from, to, tx string) *builder {
	return b.get(from, to, "notify "+tx).note(to, "committed "+tx)
}

func (b *builder) cut(node, name string) *builder {
	return b.ask(node, "cut "+name).note(node, "point "+name)
}

// backwards and forwards are the draft's two pictures.
func backwards() *sim.Run {
	return nodes("P", "Q").commit("P", "Q", "tx1").commit("P", "Q", "tx2").commit("Q", "P", "tx3").
		commit("Q", "P", "tx4").cut("P", "1").commit("P", "Q", "tx5").cut("Q", "1").run
}

func forwards() *sim.Run {
	return nodes("P", "Q").commit("P", "Q", "tx1").commit("P", "Q", "tx2").commit("Q", "P", "tx3").
		commit("Q", "P", "tx4").begin("P", "Q", "tx5").cut("P", "1").cut("Q", "1").
		hear("P", "Q", "tx5").run
}
