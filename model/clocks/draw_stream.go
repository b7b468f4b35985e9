package clocks

import (
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// streamParts are the partitions of a drawn load.
const streamParts = "pq"

// drawStreams makes a load of one or two partitions: some nodes consume them, most of those early;
// events are emitted anywhere, most of them in bursts, and what is old is dropped now and then.
func drawStreams(d *sim.Draws) []sim.Action {
	parts := 1 + d.Int(2, "partitions")
	var load []sim.Action
	for k := range max(1, d.Ops/3) {
		a := ask(d, "consume", k, "consume", name(streamParts, d.Int(parts, "consumes", k)))
		if d.Int(3, "consumes late?", k) > 0 {
			a.Offset /= 8
		}
		load = append(load, a)
	}
	trims := d.Int(3, "trims?") > 0
	for k := range d.Ops - len(load) {
		part := name(streamParts, d.Int(parts, "partition of", k))
		a := ask(d, "event", k, "emit", part, "e"+strconv.Itoa(k))
		switch what := d.Int(12, "what", k); {
		case what == 0 && trims:
			a.Words = []string{"trim", part, strconv.Itoa(1+int(d.Int(30, "age", k))) + "ms"}
		case what == 1:
			a.Words = []string{"poll"}
		case what > 5:
			a.Offset = a.Offset.Round(d.Span/4 + 1)
			a.Offset += time.Duration(d.Int(3000, "burst", k)) * time.Microsecond
		}
		a.Offset = min(a.Offset, d.Span)
		load = append(load, a)
	}
	return load
}

// finalStreams let every consumer ask for what it lacks.
func finalStreams(nodes []string) []sim.Action {
	var list []sim.Action
	for _, node := range nodes {
		list = append(list, sim.Action{Verb: sim.Request, Node: node, Words: []string{"poll"}})
	}
	return list
}
