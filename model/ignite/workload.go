package ignite

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// drawLoad makes a random load: transactions of all kinds, short and long, alone and in conflict,
// with cuts among them, now and then two close together, a full snapshot, seldom a restore; and the
// nodes that are still to come join. Crashes are for the search to add.
func drawLoad(d *sim.Draws) []sim.Action {
	l := &load{Draws: d, layout: layoutOf(d.Setup, len(d.Nodes)), joins: map[string]time.Duration{}}
	l.sortKeys()
	l.left = d.Ops
	for _, n := range d.Later {
		l.join(n)
	}
	for l.left > 0 {
		l.draw()
	}
	slices.SortStableFunc(l.all, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return l.all
}

// load is a load under way.
type load struct {
	*sim.Draws
	layout   *layout
	plain    []string // keys that are set
	accounts []string // keys that hold a sum, which moves between them
	joins    map[string]time.Duration
	all      []sim.Action
	left     int // requests still wanted
	txs      int
	cuts     int
	bases    int

	// Of what is drawn now: its label, its transaction, its node and client, and when its next
	// request is made.
	label  int
	tx     string
	node   string
	client int
	at     time.Duration
}

// join lets a node join: mostly just after a cut was asked for, and with transactions at once.
// Those are of a newer topology than the cut, and a server that is slow to look for what it has
// under way may find them there.
func (l *load) join(n string) {
	l.label++
	at := min(l.At("join ", n), l.At("earlier join ", n))
	l.joins[n] = at
	l.add(at, sim.Action{Verb: sim.Join, Node: n, Maybe: true})
	if l.left < 2 || l.below(5, "joins by itself") == 0 {
		return
	}
	l.node, l.client = l.Nodes[l.below(int64(len(l.Nodes)), "initiator")], 0
	l.at = max(0, at-time.Duration(l.below(int64(shortly)+1, "cut before")))
	l.another()
	l.node = n
	for range min(1+l.below(4, "transactions"), int64(l.left)) {
		l.at = min(l.Span, at+time.Microsecond)
		l.begun()
		l.commit(append(l.writes(1+int(l.below(2, "keys "+l.tx))), modeNames[optimistic])...)
	}
}

// shortly is about as long as a message takes.
const shortly = 500 * time.Microsecond

// sortKeys tells accounts from the keys that are set. A cluster without keys has one that is not
// there.
func (l *load) sortKeys() {
	for _, p := range l.layout.Places {
		if _, err := strconv.ParseInt(p.Holds, 10, 64); err == nil {
			l.accounts = append(l.accounts, p.Keys...)
		} else {
			l.plain = append(l.plain, p.Keys...)
		}
	}
	if len(l.plain)+len(l.accounts) == 0 {
		l.plain = []string{"x"}
	}
}

func (l *load) add(at time.Duration, a sim.Action) {
	a.Place, a.Offset = sim.At, at.Truncate(time.Microsecond)
	l.all = append(l.all, a)
}

// below is in [0, n), drawn for what is drawn now.
func (l *load) below(n int64, what string) int64 { return l.Int(n, what, " of ", l.label) }

// draw draws a request, or a few that belong together.
func (l *load) draw() {
	l.label++
	l.at = l.At("time of ", l.label)
	l.node, l.client = l.someone(), 1+int(l.below(int64(max(l.Clients, 1)), "client"))
	for _, k := range drawnKinds {
		if l.below(k.in, k.name) == 0 && l.left >= k.least {
			k.draw(l)
			return
		}
	}
	l.begun()
	l.commit(l.options(l.writes(1 + int(l.below(3, "keys"))))...)
}

// drawnKinds are what is drawn beside plain transactions, each once in so many of those that are
// none of the kinds above it, and how many requests it takes.
var drawnKinds = []struct {
	name  string
	in    int64
	least int
	draw  func(*load)
}{
	{"snapshot", 24, 1, (*load).snapshot},
	{"restore", 60, 1, (*load).restore},
	{"rewind", 16, 2, (*load).rewind},
	{"baseline", 90, 1, (*load).baseline},
	{"cut", 5, 1, (*load).cut},
	{"two cuts", 10, 2, (*load).twoCuts},
	{"reluctant", 12, 2, (*load).reluctant},
	{"open", 4, 4, (*load).open},
	{"transfer", 2, 1, (*load).transfer},
	{"reader", 5, 1, (*load).reader},
	{"misplaced", 12, 2, (*load).misplaced},
}

// someone is a node, or one that has joined by now.
func (l *load) someone() string {
	for _, n := range l.Later {
		if l.at > l.joins[n] && l.below(2, "at "+n) == 0 {
			return n
		}
	}
	return l.Node("node of ", l.label)
}

// baseline asks for a baseline of all founders that are servers, but for some that have no keys.
func (l *load) baseline() {
	words := []string{"baseline"}
	for i, n := range l.Nodes {
		id := sim.NodeID(i)
		owns := func(p place) bool { return slices.Contains(p.Owners, id) }
		needed := slices.ContainsFunc(l.layout.Places, owns)
		if !l.layout.client(id) && (needed || l.below(3, "without "+n) > 0) {
			words = append(words, n)
		}
	}
	if len(words) == 1 {
		words = append(words, l.node)
	}
	l.request(words...)
}

// request asks the node for something, and the next thing a while later.
func (l *load) request(words ...string) {
	l.left--
	l.add(l.at, sim.Action{Verb: sim.Request, Node: l.node, Words: words, Client: l.client})
	step := l.Int(int64(l.Span/8)+1, "pause after ", l.left)
	l.at = min(l.at+time.Duration(step), l.Span)
}

// begun names the next transaction.
func (l *load) begun() {
	l.txs++
	l.tx = "tx" + strconv.Itoa(l.txs)
}

func (l *load) commit(words ...string) {
	l.request(slices.Concat([]string{"commit", l.tx}, words)...)
}

// writes are so many writes at most, of different keys that are set; of accounts if there are no
// others, and then they keep the sum.
func (l *load) writes(n int) []string {
	if len(l.plain) == 0 {
		return l.moves()
	}
	keys := l.some(l.plain, n, "writes")
	for i := range keys {
		if l.below(6, "value "+keys[i]) == 0 {
			keys[i] += "=" + l.tx + "v"
		}
	}
	return keys
}

// moves takes from one account what it gives to another.
func (l *load) moves() []string {
	pair := l.some(l.accounts, 2, "accounts")
	sum := strconv.Itoa(1 + int(l.below(9, "sum")))
	return []string{pair[0] + "-" + sum, pair[len(pair)-1] + "+" + sum}
}

// some are up to n different words of a list, in an order of their own.
func (l *load) some(list []string, n int, what string) []string {
	left := slices.Clone(list)
	var some []string
	for i := 0; i < n && len(left) > 0; i++ {
		at := int(l.below(int64(len(left)), what+strconv.Itoa(i)))
		some = append(some, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return some
}

// options gives a transaction a mode and a sync mode: mostly the usual ones.
func (l *load) options(words []string) []string {
	if m := l.below(2*int64(len(modeNames)), "mode"); m < int64(len(modeNames)) {
		words = append(words, modeNames[m])
	}
	if s := l.below(3*int64(len(syncNames)), "sync"); s < int64(len(syncNames)) {
		words = append(words, syncNames[s])
	}
	return words
}

// transfer moves a sum between accounts, if there are any.
func (l *load) transfer() {
	l.begun()
	if len(l.accounts) > 0 {
		l.commit(l.options(l.moves())...)
		return
	}
	l.commit(l.options(l.writes(2))...)
}

// reader reads some keys, and writes one or none.
func (l *load) reader() {
	l.begun()
	var words []string
	if l.below(3, "only reads") > 0 {
		words = l.writes(1)
	}
	words = append(words, "reads")
	words = append(words, l.some(slices.Concat(l.plain, l.accounts), 1+int(l.below(2, "read")),
		"reads")...)
	l.commit(l.options(words)...)
}

// misplaced is a transaction, and soon after it a request that may not suit the state that it is in
// by then.
func (l *load) misplaced() {
	l.begun()
	at := l.at
	l.commit(l.options(l.writes(1 + int(l.below(2, "keys"))))...)
	l.at = min(l.Span, at+time.Duration(l.below(int64(l.Span/16)+1, "how soon")))
	l.request([]string{"suspend", "resume", "rollback"}[l.below(3, "what")], l.tx)
}

// reluctant is a transaction that an owner of its key refuses to prepare, or fails to commit.
func (l *load) reluctant() {
	l.begun()
	words := l.writes(2)
	near, word := l.node, "refuse"
	if l.below(3, "fails") == 0 {
		word = "fail"
	}
	l.node = l.ownerOf(words[0])
	l.request(word, l.tx)
	l.node = near
	l.commit(l.options(words)...)
}

// ownerOf is an owner of the key that a word writes, someone if it has none in the plan.
func (l *load) ownerOf(word string) string {
	end := 0
	for end < len(word) && word[end] != '=' && word[end] != '+' && word[end] != '-' {
		end++
	}
	p := l.layout.of(word[:end])
	if p == nil {
		return l.node
	}
	id := p.Owners[l.below(int64(len(p.Owners)), "owner")]
	if int(id) >= len(l.Nodes) {
		return l.node
	}
	return l.Nodes[id]
}

// open is a transaction that stays open for a while, and may rest meanwhile.
func (l *load) open() {
	l.begun()
	l.request(l.options([]string{"begin", l.tx})...)
	if l.below(2, "reads before") == 0 && l.left > 2 {
		l.request(slices.Concat([]string{"read", l.tx},
			l.some(slices.Concat(l.plain, l.accounts), 1, "read"))...)
	}
	l.request(slices.Concat([]string{"write", l.tx}, l.writes(1+int(l.below(2, "keys"))))...)
	if l.below(2, "rests") == 0 && l.left > 1 {
		l.request("suspend", l.tx)
		if l.left > 1 {
			l.request("resume", l.tx)
		}
	}
	if l.below(4, "rolls back") == 0 {
		l.request("rollback", l.tx)
		return
	}
	l.commit()
}

func (l *load) snapshot() {
	l.bases++
	l.request("snapshot", "F"+strconv.Itoa(l.bases))
}

func (l *load) restore() {
	l.request("restore", "c"+strconv.Itoa(1+int(l.below(int64(max(l.cuts, 1)), "cut"))))
}

// rewind is a client that asks for a cut and then to restore it, perhaps with a transaction before
// that, which is undone; and now and then does the same once more from a new full snapshot. A
// client waits for one answer before it asks for the next thing, so a cut may well have succeeded.
func (l *load) rewind() {
	for l.left > 1 {
		l.another()
		if l.left > 1 && l.below(2, "undoes") == 0 {
			l.begun()
			l.commit(l.options(l.writes(1 + int(l.below(2, "undone"))))...)
		}
		l.request("restore", "c"+strconv.Itoa(l.cuts))
		if l.left < 4 || l.below(2, "once more") > 0 {
			return
		}
		l.label++
		l.snapshot()
		l.begun()
		l.commit(l.options(l.writes(1))...)
	}
}

// cut is mostly asked for soon after something that is drawn already.
func (l *load) cut() {
	if len(l.all) > 0 && l.below(4, "anywhen") > 0 {
		near := l.all[l.below(int64(len(l.all)), "soon after")].Offset
		l.at = min(l.Span, near+time.Duration(l.below(int64(l.Span/16)+1, "how soon")))
		l.node = l.someone()
	}
	l.another()
}

// another asks for the next cut.
func (l *load) another() {
	l.cuts++
	l.request("cut", "c"+strconv.Itoa(l.cuts))
}

// twoCuts are asked for one after the other, mostly of two nodes, so that the second meets the end
// of the first.
func (l *load) twoCuts() {
	l.cut()
	if l.below(3, "same node") > 0 {
		l.node = l.Node("other node of ", l.label)
		l.client = 1 + l.client%max(l.Clients, 1)
	}
	l.another()
}
