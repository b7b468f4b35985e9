package commit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// opWords are the words that requests begin with.
var opWords = []string{"commit", "refuse"}

// parseOp reads "commit TX NODE..." and "refuse TX".
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want commit TX NODE... or refuse TX")
	}
	switch words[0] {
	case "commit":
		if len(words) < 3 {
			return nil, fmt.Errorf("want commit TX NODE..., with the participants")
		}
		of := slices.Clone(words[2:])
		for i, name := range of {
			if slices.Contains(of[:i], name) {
				return nil, fmt.Errorf("want each participant once, got %s twice", name)
			}
		}
		return begin{words[1], of}, nil
	case "refuse":
		if len(words) != 2 {
			return nil, fmt.Errorf("want refuse TX")
		}
		return refuse{words[1]}, nil
	}
	return nil, fmt.Errorf("unknown request %q%s", words[0], sim.DidYouMean(words[0], opWords))
}

// opNodes are the participants of a transaction.
func opNodes(op sim.Op) []string {
	if b, is := op.(begin); is {
		return b.Of
	}
	return nil
}

// others are the participants by name; why says what is wrong with one. A coordinator needs no
// messages to agree with itself, so it is none of them.
func others(env *sim.Env, names []string) (of []sim.NodeID, why string) {
	for _, name := range names {
		at := slices.IndexFunc(env.Nodes, func(id sim.NodeID) bool { return env.Name(id) == name })
		if at < 0 {
			return nil, "no node is called " + name
		}
		if env.Nodes[at] == env.ID {
			return nil, name + " is the coordinator: want other nodes"
		}
		of = append(of, env.Nodes[at])
	}
	return of, ""
}

// drawLoad makes a random load: transactions anywhere and at any time, with some or all of the
// other nodes; about one of five is refused by a participant, which is told so shortly before.
func drawLoad(d *sim.Draws) []sim.Action {
	load := make([]sim.Action, 0, d.Ops)
	for k := 1; len(load) < d.Ops; k++ {
		name, from, at := "tx"+strconv.Itoa(k), d.Node("coordinator of", k), d.At("time of", k)
		of := participants(d, from, k)
		if len(load)+1 < d.Ops && d.Int(5, "refused", k) == 0 {
			who := of[d.Int(int64(len(of)), "who refuses", k)]
			early := time.Duration(d.Int(int64(at)/4+1, "refusal of", k))
			load = append(load, request(d, at-early, who, "refuse", name))
		}
		load = append(load, request(d, at, from, append([]string{"commit", name}, of...)...))
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load
}

// participants are some of the nodes but the coordinator, at least one where there is one.
func participants(d *sim.Draws, coordinator string, k int) []string {
	rest := slices.DeleteFunc(slices.Clone(d.Nodes), func(n string) bool { return n == coordinator })
	if len(rest) == 0 {
		return d.Nodes // which the coordinator will refuse
	}
	some := slices.DeleteFunc(slices.Clone(rest), func(n string) bool {
		return d.Int(3, n, "is no participant of", k) == 0
	})
	if len(some) == 0 {
		return rest
	}
	return some
}

// request is one action of a load, by a client of its choice.
func request(d *sim.Draws, at time.Duration, node string, words ...string) sim.Action {
	client := 1 + d.Int(int64(max(d.Clients, 1)), "client for", words[1], words[0])
	return sim.Action{Verb: sim.Request, Node: node, Words: words, Client: int(client),
		Place: sim.At, Offset: at.Truncate(time.Microsecond)}
}
