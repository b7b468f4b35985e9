package raft

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// callBook is a client's call.
type callBook struct {
	op      sim.Op
	node    sim.NodeID
	invoked int32
	taken   int32 // where a node took it up, 0 if none did
	over    bool  // nobody will answer it, or somebody has
	refused bool
	ended   int32 // where it was answered, 0 if it was not
	result  sim.Body
	told    int64 // the greatest index that any client had been told when it was invoked
	toldAt  int32
}

func (b *book) invoked(at int32, e *sim.Entry) {
	b.calls = append(b.calls, callBook{op: e.Body, node: e.Node, invoked: at, told: b.told,
		toldAt: b.toldAt})
}

// call is a call by its number, nil if it was never made.
func (b *book) call(id int64) *callBook {
	if id < 1 || id > int64(len(b.calls)) {
		return nil
	}
	return &b.calls[id-1]
}

func (b *book) arrived(n *nodeBook, at int32, e *sim.Entry) {
	if c := b.call(e.N); c != nil {
		c.taken = at
		if t, ok := c.op.(transfer); ok && n.leads > 0 {
			b.transferred(n, at, t)
		}
	}
}

// replied is an answer on its way.
func (b *book) replied(e *sim.Entry) {
	if c := b.call(e.N); c != nil {
		c.over = true
	}
}

// ended is a call that has ended for its client.
func (b *book) ended(_ *nodeBook, at int32, e *sim.Entry) {
	c := b.call(e.N)
	if c == nil {
		return
	}
	c.over = c.over || e.Kind != sim.EntryUnknown
	c.refused = e.Kind == sim.EntryRefused
	if e.Kind != sim.EntryReturned {
		return
	}
	c.ended, c.result = at, e.Body
	if index, ok := indexOf(e.Body); ok && index > b.told {
		b.told, b.toldAt = index, at
	}
}

// indexOf is the index that a client is told of what it wrote or read.
func indexOf(result sim.Body) (index int64, ok bool) {
	switch r := result.(type) {
	case wrote:
		return r.Index, true
	case got:
		return r.Index, true
	case swapped:
		return r.Index, true
	}
	return 0, false
}

// replay plays the committed log: what a state machine without faults comes to. A command that is
// there again has no effect. It is written apart from what nodes do.
type replay struct {
	b      *book
	index  int64
	firsts []int64 // by call: the index of its command, 0 if there is none
	done   []bool  // by call: a cas did it
	again  int     // commands that were there before
	keys   []keyed // by key
}

// keyed are the values that a key has had, and since where.
type keyed struct {
	key    string
	values []since
}

type since struct {
	index int64
	value string
}

func newReplay(b *book) *replay {
	return &replay{b: b, firsts: make([]int64, len(b.calls)+1), done: make([]bool, len(b.calls)+1)}
}

// upTo plays all up to an index.
func (p *replay) upTo(index int64) {
	for p.index < min(index, int64(len(p.b.commits))) {
		p.index++
		l, _ := p.b.trace[p.b.commits[p.index-1].entry].Body.(Logged)
		c, ok := l.Command.(command)
		if !ok || int(c.Call) >= len(p.firsts) {
			continue
		}
		if p.firsts[c.Call] > 0 {
			p.again++
			continue
		}
		p.firsts[c.Call] = p.index
		switch op := c.Op.(type) {
		case put:
			p.set(op.Key, op.Value)
		case cas:
			if p.value(op.Key, p.index) == op.Old {
				p.done[c.Call] = true
				p.set(op.Key, op.New)
			}
		}
	}
}

func (p *replay) find(key string) (at int, ok bool) {
	return slices.BinarySearchFunc(p.keys, key, func(k keyed, key string) int {
		switch {
		case k.key < key:
			return -1
		case k.key > key:
			return 1
		}
		return 0
	})
}

func (p *replay) set(key, value string) {
	at, ok := p.find(key)
	if !ok {
		p.keys = slices.Insert(p.keys, at, keyed{key: key})
	}
	p.keys[at].values = append(p.keys[at].values, since{p.index, value})
}

// value is what a key has at an index.
func (p *replay) value(key string, index int64) string {
	at, ok := p.find(key)
	if !ok {
		return ""
	}
	values := p.keys[at].values
	for k := len(values) - 1; k >= 0; k-- {
		if values[k].index <= index {
			return values[k].value
		}
	}
	return ""
}

// text is the state as images show it: each key with its value.
func (p *replay) text() string {
	words := make([]string, len(p.keys))
	for i, k := range p.keys {
		words[i] = k.key + "=" + k.values[len(k.values)-1].value
	}
	return strings.Join(words, " ")
}
