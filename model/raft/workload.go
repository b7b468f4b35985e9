package raft

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// storeKeys are the keys of a random load.
var storeKeys = [...]string{"x", "y", "z"}

// load is a random load under way.
type load struct {
	*sim.Draws
	all  []sim.Action
	left int // requests still wanted
	keys int64
	last []string // by key: the value that was drawn last
}

// drawLoad makes a random load: writes and reads of one to three keys by clients at any node. Some
// loads have changes of the configuration besides, or of who leads, or logs that are cut; then the
// same is asked of several nodes, since a client does not know who leads. No value is written
// twice, so that each read says which write it saw. The first election takes some of the time, so
// most of what is asked comes after it.
func drawLoad(d *sim.Draws) []sim.Action {
	l := &load{Draws: d, left: d.Ops, keys: 1 + d.Int(int64(len(storeKeys)), "keys"),
		last: make([]string, len(storeKeys))}
	changes, transfers := d.Int(3, "changes?") == 0, d.Int(4, "transfers?") == 0
	cuts := d.Int(4, "cuts?") == 0
	for k := 0; l.left > 0; k++ {
		switch kind := d.Int(16, "kind", k); {
		case kind < 3 && changes && len(d.Nodes) > 1:
			l.change(k)
		case kind < 5 && kind > 1 && transfers && len(d.Nodes) > 1:
			l.everywhere(k, "transfer", d.Node("transfer to", k))
		case kind == 5 && cuts:
			l.ask(k, d.Node("cuts", k), "compact")
		default:
			l.request(k)
		}
	}
	slices.SortStableFunc(l.all, func(a, b sim.Action) int {
		return cmp.Compare(a.Offset, b.Offset)
	})
	return l.all
}

// ask makes a request, if one is left.
func (l *load) ask(k int, node string, words ...string) {
	if l.left == 0 {
		return
	}
	l.left--
	l.all = append(l.all, sim.Action{Verb: sim.Request, Node: node, Words: words, Place: sim.At,
		Client: 1 + int(l.Int(int64(max(l.Clients, 1)), "client of ", k, " at ", node)),
		Offset: l.time(k)})
}

// time is when a request comes. In most loads that is when a leader may be there.
func (l *load) time(k int) time.Duration {
	at, from := l.At("time of ", k), time.Duration(0)
	if l.Int(4, "waits?") > 0 {
		from = min(2*election, l.Span/2)
	}
	part := at.Microseconds() * (l.Span - from).Microseconds() / max(1, l.Span.Microseconds())
	return (from + time.Duration(part)*time.Microsecond).Truncate(time.Microsecond)
}

// node is where a request comes: most often one that votes from the beginning, if some do not.
func (l *load) node(k int) string {
	names := l.Nodes
	for _, v := range l.Setup {
		if v, is := v.(votersLine); is && l.Int(8, "spare too? ", k) > 0 {
			names = v.Names
		}
	}
	return names[l.Int(int64(len(names)), "node of ", k)]
}

// request is a read or a write of a key.
func (l *load) request(k int) {
	i := l.Int(l.keys, "key of ", k)
	key, node, value := storeKeys[i], l.node(k), strconv.Itoa(k+1)
	switch what := l.Int(12, "what ", k); {
	case what < 5:
		l.ask(k, node, "put", key, value)
		l.last[i] = value
	case what < 6:
		l.ask(k, node, "cas", key, cmp.Or(l.last[i], noValue), value)
		l.last[i] = value
	case what < 9:
		l.ask(k, node, "get", key)
	default:
		way := [...]string{throughLog, throughLease, throughLease, throughLocal}
		l.ask(k, node, "get", key, "through", way[l.Int(4, "way of ", k)])
	}
}

// everywhere asks the same of all nodes, for the one that leads.
func (l *load) everywhere(k int, words ...string) {
	for _, node := range l.Nodes {
		l.ask(k, node, words...)
	}
}

// change wants another configuration, of which there are four in a load: all nodes, all but one,
// all with that one to learn, and any.
func (l *load) change(k int) {
	odd := l.Node("odd one")
	var voters, learners []string
	kind := l.Int(4, "change ", k)
	for _, node := range l.Nodes {
		switch role := l.Int(6, "role of ", node, " in ", k); {
		case node == odd && kind == 1, kind == 3 && role == 0 && node != odd:
		case node == odd && kind == 2, kind == 3 && role == 1 && node != odd:
			learners = append(learners, node)
		default:
			voters = append(voters, node)
		}
	}
	words := append([]string{"members"}, voters...)
	if len(learners) > 0 {
		words = append(append(words, "learns"), learners...)
	}
	l.everywhere(k, words...)
}

// drawCluster draws what a scenario may set up.
func drawCluster(d *sim.Draws) []any {
	var all []any
	if n := len(d.Nodes); n > 3 && d.Int(2, "spare?") == 0 {
		all = append(all, votersLine{slices.Clone(d.Nodes[:3+d.Int(int64(n-3), "voters")])})
		if d.Int(2, "replaces?") == 0 {
			all = append(all, replaceLine{time.Duration(1+d.Int(4, "patience")) * election})
		}
	}
	if d.Int(6, "close patiences?") == 0 {
		all = append(all, patienceLine{time.Duration(2+d.Int(4, "spread")) * tick})
	}
	if d.Int(3, "compacts?") == 0 {
		all = append(all, compactLine{2 + d.Int(12, "compact every")})
	}
	return all
}

// finalReads read the key that every load writes, once the world has healed. It is one read, since
// each waits for a group of heartbeats to come to rest, and through the log, so that something of
// the last term is committed even where leaders begin theirs without an entry.
func finalReads(nodes []string) []sim.Action {
	if len(nodes) == 0 {
		return nil
	}
	return []sim.Action{{Verb: sim.Request, Node: nodes[0],
		Words: []string{"get", storeKeys[0], "through", throughLog}}}
}
