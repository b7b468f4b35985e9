package clocks

import (
	"fmt"
	"time"

	"github.com/downset/downset/sim"
)

// storeKeys are the keys of a drawn load, and those that are read in the end.
const storeKeys = "xyz"

// drawStore asks for puts of one to three keys, most of them after a get, by sessions that use
// replicas anywhere. In half of the seeds one follows the other closely, so that each has seen
// those before: at gaps that are about what the clocks are off by. No value is put twice.
func drawStore(d *sim.Draws) []sim.Action {
	many := int64(1)
	if d.Int(2, "more than one key?") == 0 {
		many += d.Int(int64(len(storeKeys)), "store keys")
	}
	even := d.Int(2, "one after the other?") == 0
	var load []sim.Action
	for k := 1; len(load) < d.Ops; k++ {
		s := storeStep{d: d, k: k, key: name(storeKeys, d.Int(many, "key of put", k)),
			node: d.Node("session of put", k), at: d.At("time of put", k),
			client: 1 + int(d.Int(int64(max(d.Clients, 1)), "client of put", k))}
		if even {
			s.at = time.Duration(len(load)) * d.Span / time.Duration(d.Ops)
		}
		load = append(load, s.requests()...)
	}
	return load
}

// storeStep is what one session does at a time.
type storeStep struct {
	d         *sim.Draws
	k         int
	key, node string
	client    int
	at        time.Duration
}

func (s storeStep) requests() []sim.Action {
	put := []string{"put", s.key, fmt.Sprint(s.k)}
	switch s.d.Int(12, "store step", s.k) {
	case 0:
		return []sim.Action{s.asks("repair", s.key)}
	case 1, 2:
		return []sim.Action{s.asks("get", s.key, "at", s.d.Node("replica of get", s.k))}
	case 3, 4, 5:
		return []sim.Action{s.asks(s.somewhere(put)...)}
	}
	return []sim.Action{s.asks("get", s.key, "at", s.d.Node("replica of get", s.k)),
		s.asks(s.somewhere(put)...)}
}

// somewhere is at another replica, or at the session's own.
func (s storeStep) somewhere(words []string) []string {
	if s.d.Int(3, "own replica?", s.k) == 0 {
		return words
	}
	return append(words, "at", s.d.Node("replica of put", s.k))
}

func (s storeStep) asks(words ...string) sim.Action {
	return sim.Action{Verb: sim.Request, Node: s.node, Words: words, Client: s.client,
		Place: sim.At, Offset: s.at}
}

// finalStore reads every key at every node: what a replica has its own session is told.
func finalStore(nodes []string) []sim.Action {
	var all []sim.Action
	for _, node := range nodes {
		for _, key := range storeKeys {
			all = append(all, sim.Action{Verb: sim.Request, Node: node,
				Words: []string{"get", string(key)}})
		}
	}
	return all
}
