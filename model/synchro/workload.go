package synchro

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// drawLoad makes a random load: writes and reads of all kinds, most of them asked of two nodes
// since
// a client does not know who leads; promotions, mostly on one node at a time; now and then what
// operators do. Values are never written twice. Nodes that are still to come join. Crashes are for
// the search to add, but for those of a shape.
func drawLoad(d *sim.Draws) []sim.Action {
	l := &load{Draws: d, layout: layoutOf(d.Setup, nil), left: d.Ops}
	for _, n := range d.Later {
		l.add(l.At("join ", n), sim.Action{Verb: sim.Join, Node: n, Maybe: true})
	}
	l.start()
	l.drawShape()
	for l.left > 0 {
		l.draw()
	}
	slices.SortStableFunc(l.all, func(a, b sim.Action) int {
		return cmp.Compare(a.Offset,
			b.Offset)
	})
	return l.all
}

// asyncKey is in an asynchronous space, if the set-up says so; syncKeys never are.
const asyncKey = "a"

var syncKeys = []string{"x", "y", "z"}

// load is a load under way.
type load struct {
	*sim.Draws
	layout *layout
	all    []sim.Action
	left   int // requests still wanted
	values int
	// Of what is drawn now.
	label  int
	client int
	at     time.Duration
}

func (l *load) add(at time.Duration, a sim.Action) {
	a.Place, a.Offset = sim.At, min(at, l.Span).Truncate(time.Microsecond)
	l.all = append(l.all, a)
}

// below is in [0, n), drawn for what is drawn now.
func (l *load) below(n int64, what string) int64 { return l.Int(n, what, " of ", l.label) }

// ask makes a request, if one is left.
func (l *load) ask(node string, words ...string) {
	if l.left == 0 {
		return
	}
	l.left--
	l.add(l.at, sim.Action{Verb: sim.Request, Node: node, Words: words, Client: l.client})
}

func (l *load) someone() string { return l.Nodes[l.below(int64(len(l.Nodes)), "node")] }

// start has a node promoted where nobody is elected by itself.
func (l *load) start() {
	if slices.Contains(l.layout.Modes, modeCandidate) {
		return
	}
	l.label++
	l.client = 1
	l.ask(l.Nodes[l.Int(int64(len(l.Nodes)), "promoted first")], "promote")
}

// drawnKinds are what is drawn beside plain writes, each once in so many of those that are none of
// the kinds above it.
var drawnKinds = []struct {
	name string
	in   int64
	draw func(*load)
}{
	{"read", 5, (*load).read},
	{"promote", 10, (*load).promotion},
	{"asynchronous", 8, func(l *load) { l.write("put", l.value(asyncKey)) }},
	{"two rows", 10, func(l *load) { l.write("put", l.value("x"), l.value("y")) }},
	{"two spaces", 20, func(l *load) { l.write("put", l.value(asyncKey), l.value("x")) }},
	{"insert", 12, func(l *load) { l.write("insert", l.value(l.key())) }},
	{"cas", 10, (*load).cas},
	{"forced", 30, func(l *load) { l.write("put", l.value(l.key()), "sync") }},
	{"unforced", 60, func(l *load) { l.write("put", l.value(asyncKey), "async") }},
	{"local", 40, func(l *load) { l.write("put", l.value("here"), "local") }},
	{"removal", 30, func(l *load) { l.write("remove", l.key()) }},
	{"resignation", 20, func(l *load) { l.everywhere("resign") }},
	{"demotion", 25, func(l *load) { l.everywhere("demote") }},
	{"snapshot", 15, func(l *load) { l.ask(l.someone(), "snapshot") }},
	{"quorum", 60, (*load).quorum},
	{"mode", 40, (*load).mode},
	{"jam", 60, func(l *load) { l.ask(l.someone(), "jam", number1(1+l.below(2, "jammed"))) }},
	{"cancelled", 60, func(l *load) { l.everywhere("cancel", l.key()) }},
	{"reconfigured", 60, func(l *load) { l.ask(l.someone(), "reconfigure") }},
	{"expelled", 80, (*load).expulsion},
}

// draw draws a request, or a few that belong together.
func (l *load) draw() {
	l.label++
	l.at = l.At("time of ", l.label)
	l.client = 1 + int(l.below(int64(max(l.Clients, 1)), "client"))
	for _, k := range drawnKinds {
		if l.below(k.in, k.name) == 0 {
			k.draw(l)
			return
		}
	}
	l.write("put", l.value(l.key()))
}

func number1(n int64) string { return strconv.FormatInt(n, 10) }

func (l *load) key() string { return syncKeys[l.below(int64(len(syncKeys)), "key")] }

// value gives a key a value that nothing else has.
func (l *load) value(key string) string {
	l.values++
	return key + "=" + strconv.Itoa(l.values)
}

// write asks one node, and mostly a second one with other values.
func (l *load) write(words ...string) {
	first := l.below(int64(len(l.Nodes)), "writer")
	l.ask(l.Nodes[first], words...)
	if len(l.Nodes) == 1 || l.below(4, "asks no other") == 0 {
		return
	}
	other := (first + 1 + l.below(int64(len(l.Nodes))-1, "other writer")) % int64(len(l.Nodes))
	l.client = 1 + l.client%max(l.Clients, 1)
	again := slices.Clone(words)
	for i, w := range again {
		if at := slices.Index([]byte(w), '='); at > 0 {
			again[i] = l.value(w[:at])
		}
	}
	l.ask(l.Nodes[other], again...)
}

// everywhere asks all nodes: only one of them can do it.
func (l *load) everywhere(words ...string) {
	for _, n := range l.Nodes {
		l.ask(n, words...)
	}
}

// read reads a key, mostly so that what it shows must stay.
func (l *load) read() {
	how := []string{"confirmed", "confirmed", "linearizable", "linearizable", "dirty"}
	l.ask(l.someone(), "get", l.key(), how[l.below(int64(len(how)), "how")])
}

// cas is asked for with a value that may well be there.
func (l *load) cas() {
	old := number1(1 + l.below(int64(max(l.values, 1)), "old"))
	l.values++
	l.ask(l.someone(), "cas", l.key(), old, number1(int64(l.values)))
}

// promotion promotes a node, by either name, and reads what the new owner has; seldom two nodes at
// once. With elections off it is always the same node: nothing keeps two of them apart there, which
// is an operator's fault (7.3, 6.3), of stories.
func (l *load) promotion() {
	word := "promote"
	if l.below(4, "by its old name") == 0 {
		word = "clear_synchro_queue"
	}
	at := l.below(int64(len(l.Nodes)), "promoted")
	electing := slices.ContainsFunc(l.layout.Modes,
		func(m electionMode) bool { return m != modeOff })
	if !electing {
		at = l.Int(int64(len(l.Nodes)), "promoted first")
	}
	l.ask(l.Nodes[at], word)
	if electing && l.below(3, "two at once") == 0 {
		l.client = 1 + l.client%max(l.Clients, 1)
		l.ask(l.Nodes[(int(at)+1)%len(l.Nodes)], word)
		return
	}
	if l.below(2, "reads then") == 0 {
		l.ask(l.Nodes[at], "get", l.key(), "linearizable")
	}
}

// quorum is set to the majority or more, and never below what the set-up says: reads on a node that
// goes by more would see too little.
func (l *load) quorum() {
	n := int64(len(l.Nodes))
	least := max(n/2+1, int64(l.layout.Quorum))
	l.ask(l.someone(), "quorum", number1(least+l.below(n-least+1, "quorum")))
}

// mode turns a candidate into a voter or a manual one, and soon back.
func (l *load) mode() {
	node := l.someone()
	at := slices.Index(l.Nodes, node)
	was := l.layout.mode(sim.NodeID(at))
	if was == modeOff {
		l.write("put", l.value(l.key()))
		return
	}
	l.ask(node, "mode", modeNames[1+l.below(3, "mode")])
	l.at += l.Span / 16
	l.ask(node, "mode", was.String())
}

// expulsion removes a node of more than three, and what is left of its queue is settled, which only
// solution I has a use for.
func (l *load) expulsion() {
	last := l.Nodes[len(l.Nodes)-1]
	if len(l.Nodes) < 3 || l.below(3, "some other time") > 0 {
		l.write("put", l.value(l.key()))
		return
	}
	for _, n := range l.Nodes[:len(l.Nodes)-1] {
		l.ask(n, "expel", last)
	}
	l.at += l.Span / 16
	l.ask(l.Nodes[0], "settle-queue", last, []string{"confirm", "rollback"}[l.below(2, "settled")])
}
