package register

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// opWords are the words that requests begin with.
var opWords = []string{"write", "read"}

// parseOp reads "write KEY VALUE" and "read KEY".
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want write KEY VALUE or read KEY")
	}
	switch words[0] {
	case "write":
		if len(words) != 3 {
			return nil, fmt.Errorf("want write KEY VALUE")
		}
		return write{words[1], words[2]}, nil
	case "read":
		if len(words) != 2 {
			return nil, fmt.Errorf("want read KEY")
		}
		return read{words[1]}, nil
	}
	return nil, fmt.Errorf("unknown request %q%s", words[0], sim.DidYouMean(words[0], opWords))
}

// keys are the registers of a random load, and those that are read in the end.
var keys = [...]string{"x", "y", "z"}

// drawLoad makes a random load: reads and writes of one to three registers, anywhere and at any
// time. No value is written twice, so that each read says which write it saw.
func drawLoad(d *sim.Draws) []sim.Action {
	many := 1 + d.Int(int64(len(keys)), "registers")
	reads := 1 + d.Int(3, "reads in four")
	load := make([]sim.Action, 0, d.Ops)
	for k := 1; k <= d.Ops; k++ {
		words := []string{"write", keys[d.Int(many, "register of operation", k)], strconv.Itoa(k)}
		if d.Int(4, "kind of operation", k) < reads {
			words = []string{"read", words[1]}
		}
		load = append(load, sim.Action{
			Verb:   sim.Request,
			Node:   d.Node("node of operation", k),
			Words:  words,
			Client: 1 + int(d.Int(int64(max(d.Clients, 1)), "client of operation", k)),
			Place:  sim.At,
			Offset: d.At("time of operation", k).Truncate(time.Microsecond),
		})
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load
}

// final reads every register once the world has healed.
func final(nodes []string) []sim.Action {
	if len(nodes) == 0 {
		return nil
	}
	var reads []sim.Action
	for _, key := range keys {
		reads = append(reads, sim.Action{Verb: sim.Request, Node: nodes[len(nodes)-1],
			Words: []string{"read", key}})
	}
	return reads
}
