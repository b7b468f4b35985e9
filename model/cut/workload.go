package cut

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// opWords are the words that requests begin with.
var opWords = []string{"commit", "cut"}

// parseOp reads "commit TX [NODE...]" and "cut NUMBER".
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want commit TX [NODE...] or cut NUMBER")
	}
	switch words[0] {
	case "commit":
		return parseCommit(words[1:])
	case "cut":
		return parseCut(words[1:])
	}
	return nil, fmt.Errorf("unknown request %q%s", words[0], sim.DidYouMean(words[0], opWords))
}

func parseCommit(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want commit TX [NODE...]")
	}
	to := append([]string(nil), words[1:]...)
	for i, name := range to {
		if slices.Contains(to[:i], name) {
			return nil, fmt.Errorf("want each receiver once, got %s twice", name)
		}
	}
	return commit{words[0], to}, nil
}

// opNodes are the receivers of a transaction that names them.
func opNodes(op sim.Op) []string {
	if c, is := op.(commit); is {
		return c.To
	}
	return nil
}

// mostCuts bounds the numbers of cuts: a node draws all it has not drawn.
const mostCuts = 1000

func parseCut(words []string) (sim.Op, error) {
	if len(words) != 1 {
		return nil, fmt.Errorf("want cut NUMBER")
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 || n > mostCuts || strconv.Itoa(n) != words[0] {
		return nil, fmt.Errorf("want a cut from 1 to %d, got %q", mostCuts, words[0])
	}
	return draw{n}, nil
}

// drawLoad makes a random load: transactions on random nodes, told to all or to some, and cuts,
// each asked of every node within a while, so that cuts overlap and meet the messages at every
// place.
func drawLoad(d *sim.Draws) []sim.Action {
	nodes := len(d.Nodes)
	cuts := max(1, d.Ops/(4*nodes))
	load := make([]sim.Action, 0, d.Ops)
	for k := 1; k <= cuts && len(load)+nodes <= max(d.Ops, nodes); k++ {
		begin := d.At("begin of cut", k) * 2 / 3
		for i, n := range d.Nodes {
			late := time.Duration(d.Int(int64(d.Span/3)+1, "node", i, "late for cut", k))
			load = append(load, request(d, begin+late, n, "cut", strconv.Itoa(k)))
		}
	}
	for t := 1; len(load) < d.Ops; t++ {
		words := append([]string{"commit", "tx" + strconv.Itoa(t)}, some(d, t)...)
		load = append(load, request(d, d.At("transaction", t), d.Node("origin of tx", t), words...))
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load
}

// request is one action of a load, by a client of its choice.
func request(d *sim.Draws, at time.Duration, node string, words ...string) sim.Action {
	client := 1 + d.Int(int64(max(d.Clients, 1)), "client for", node, "at", at)
	return sim.Action{Verb: sim.Request, Node: node, Words: words, Client: int(client),
		Place: sim.At, Offset: at.Truncate(time.Microsecond)}
}

// some are the receivers of a transaction: everyone for every other, else some of the nodes.
func some(d *sim.Draws, t int) []string {
	if d.Int(2, "tx", t, "goes to everybody") == 0 {
		return nil
	}
	var to []string
	for i, n := range d.Nodes {
		if d.Int(2, "tx", t, "goes to node", i) == 0 {
			to = append(to, n)
		}
	}
	return to
}
