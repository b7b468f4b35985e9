package metastore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// drawnKeys are the keys of a drawn load: some of them begin alike.
var drawnKeys = [...]string{"a", "ab", "b", "c"}

// load is a drawn load under way.
type load struct {
	*sim.Draws
	all  []sim.Action
	left int // requests still wanted
	keys int64
	seen [][2]string // what is watched: the node and the range
}

// drawLoad makes a random load: writes, reads and watches of one to four keys by clients at any
// node. Each seed has some of the rest: leases, compactions, followers, metadata, and what befalls
// servers. No value is put twice. The first election takes some of the time, so what is asked comes
// when it is nearly over.
func drawLoad(d *sim.Draws) []sim.Action {
	l := &load{Draws: d, left: d.Ops, keys: 1 + d.Int(int64(len(drawnKeys)), "keys")}
	kinds := l.kinds()
	l.watches()
	for k := 0; l.left > 0; k++ {
		kinds[d.Int(int64(len(kinds)), "kind", k)](k)
	}
	slices.SortStableFunc(l.all, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return l.all
}

// kinds are what a seed asks for: what is there more than once is asked for more often.
func (l *load) kinds() []func(k int) {
	list := []func(int){l.put, l.put, l.put, l.put, l.update, l.update, l.remove, l.txn, l.txn, l.get,
		l.get, l.get, l.past, l.past, l.local}
	for _, some := range [...]struct {
		of    int64
		name  string
		kinds []func(int)
	}{
		{2, "compactions?", []func(int){l.compact, l.compact, l.compact, l.past, l.watch}},
		{3, "leases?", []func(int){l.lease, l.lease, l.alive, l.alive, l.leased}},
		{2, "watches?", []func(int){l.watch, l.watch, l.mark, l.mark, l.mark}},
		{3, "followers?", []func(int){l.follow}},
		{4, "metadata?", []func(int){l.metadata, l.metadata, l.metadata, l.metadata, l.metadata}},
		{4, "transfers?", []func(int){l.transfer, l.transfer}},
		{4, "snapshots?", []func(int){l.snapshot}},
		{3, "pages?", []func(int){l.pages, l.pages, l.pages}},
	} {
		if l.Int(some.of, some.name) == 0 {
			list = append(list, some.kinds...)
		}
	}
	return list
}

// watches begins a few watches at the start.
func (l *load) watches() {
	for k := range int(l.Int(4, "first watches")) {
		label := -1 - k
		switch {
		case l.Int(4, "metadata?") == 0:
			l.here(label, "attend")
		case l.Int(3, "first follows", k) == 0:
			l.follow(label)
		default:
			l.watch(label)
		}
	}
}

// ask makes a request, if one is left.
func (l *load) ask(k int, node, words string) {
	if l.left == 0 {
		return
	}
	l.left--
	a := sim.Action{Verb: sim.Request, Node: node, Words: strings.Fields(words), Place: sim.At,
		Client: 1 + int(l.Int(int64(max(l.Clients, 1)), "client of ", k)), Offset: l.time(k)}
	if k < 0 { // a watch of the start: nobody waits for it
		a.Client, a.Offset = max(l.Clients, 1)-k, min(l.Span/4, 50*time.Millisecond)
	}
	l.all = append(l.all, a)
}

// time is when a request is made: most after the first election. In some seeds several come nearly
// at once.
func (l *load) time(k int) time.Duration {
	lead := min(l.Span/2, 150*time.Millisecond)
	if l.Int(8, "early?", k) == 0 || l.Span <= lead {
		return l.At("time of ", k)
	}
	at := lead + time.Duration(l.Int(int64(l.Span-lead), "time of ", k))
	if l.Int(3, "bursts?") == 0 {
		at = at.Truncate(burst) + at%time.Millisecond
	}
	return min(at, l.Span).Truncate(time.Microsecond)
}

// burst is how far apart bursts of requests are.
const burst = 40 * time.Millisecond

func (l *load) here(k int, format string, args ...any) {
	l.ask(k, l.Node("node of ", k), fmt.Sprintf(format, args...))
}

func (l *load) key(k int) string { return drawnKeys[l.Int(l.keys, "key of ", k)] }

// span is a range: a key, or several.
func (l *load) span(k int) string {
	switch l.Int(6, "range of ", k) {
	case 0:
		return "prefix a"
	case 1:
		return "a to c"
	case 2:
		return "all"
	}
	return l.key(k)
}

func (l *load) put(k int) {
	if l.Int(4, "seen?", k) == 0 {
		l.here(k, "put %s %d if seen", l.key(k), k)
		return
	}
	l.here(k, "put %s %d", l.key(k), k)
}

func (l *load) update(k int) { l.here(k, "update %s %d", l.key(k), k) }

func (l *load) remove(k int) { l.here(k, "delete %s", l.span(k)) }

// conditions and steps of transactions; KEY and OTHER are keys, N is a number of its own.
var (
	conditions = [...]string{"exists KEY", "mod KEY = 0", "count KEY > 1", "value KEY < 5",
		"exists KEY and mod OTHER > 3", "lease KEY = 0", "create KEY != mod", "not exists KEY",
		"exists KEY or exists OTHER", "mod KEY < 9"}
	branches = [...]string{"put KEY N", "put KEY N , put OTHER N.5", "delete KEY", "delete all",
		"get KEY", "put KEY N , get all", "put KEY N , delete OTHER", "yield N",
		"txn if exists OTHER then put KEY N else put OTHER N end", "put KEY N , put KEY N.5",
		"put KEY N , put OTHER N.5 , get prefix a"}
)

func (l *load) txn(k int) {
	key := l.Int(int64(len(drawnKeys)), "first key of ", k)
	other := (key + 1 + l.Int(int64(len(drawnKeys)-1), "other key of ", k)) % int64(len(drawnKeys))
	pick := func(from []string, label string) string {
		text := from[l.Int(int64(len(from)), label, k)]
		return strings.NewReplacer("KEY", drawnKeys[key], "OTHER", drawnKeys[other],
			"N", fmt.Sprint(k), "!= mod", "!= 4").Replace(text)
	}
	words := "txn"
	if l.Int(3, "condition?", k) > 0 {
		words += " if " + pick(conditions[:], "condition of ")
	}
	words += " then " + pick(branches[:], "then of ")
	if l.Int(2, "else?", k) == 0 {
		words += " else " + pick(branches[:], "else of ")
	}
	l.here(k, "%s end", words)
}

func (l *load) get(k int) { l.here(k, "get %s", l.span(k)) }

// past reads a revision that is past, or to come.
func (l *load) past(k int) {
	l.here(k, "get %s at %d", l.span(k), 1+l.Int(int64(2+l.Ops/2), "revision of ", k))
}

func (l *load) local(k int) { l.here(k, "get %s local", l.span(k)) }

func (l *load) pages(k int) { l.here(k, "pages all by %d", 1+l.Int(2, "page of ", k)) }

func (l *load) compact(k int) {
	if less := l.Int(4, "less of ", k); less > 0 {
		l.here(k, "compact seen %d", less)
		return
	}
	l.here(k, "compact seen")
}

func (l *load) lease(k int) {
	if l.Int(4, "revoke?", k) == 0 {
		l.here(k, "revoke %d", 1+l.Int(2, "lease of ", k))
		return
	}
	l.here(k, "grant %d %dms", 1+l.Int(2, "lease of ", k), 60+20*l.Int(10, "length of ", k))
}

func (l *load) alive(k int) { l.here(k, "keepalive %d", 1+l.Int(2, "lease of ", k)) }

func (l *load) leased(k int) {
	l.here(k, "put %s %d lease %d", l.key(k), k, 1+l.Int(2, "lease of ", k))
}

func (l *load) watch(k int) {
	span := l.span(k)
	words := "watch " + span
	l.seen = append(l.seen, [2]string{l.Node("node of ", k), span})
	if l.Int(2, "from?", k) == 0 {
		most := int64(3)
		if l.Int(2, "near?", k) == 0 {
			most += int64(l.Ops / 2)
		}
		words += fmt.Sprintf(" from %d", 1+l.Int(most, "start of ", k))
	}
	if l.Int(2, "prev?", k) == 0 {
		words += " prev"
	}
	l.here(k, "%s", words)
}

// mark asks how far a watch is, and mostly of one that there is.
func (l *load) mark(k int) {
	if len(l.seen) == 0 {
		l.here(k, "bookmark %s", l.span(k))
		return
	}
	w := l.seen[l.Int(int64(len(l.seen)), "mark of ", k)]
	l.ask(k, w[0], "bookmark "+w[1])
}

func (l *load) follow(k int) {
	span := l.span(k)
	l.seen = append(l.seen, [2]string{l.Node("node of ", k), span})
	l.here(k, "follow %s", span)
}

func (l *load) metadata(k int) {
	switch l.Int(5, "metadata of ", k) {
	case 0:
		l.here(k, "attend")
	case 1, 2:
		l.here(k, "baseline %s", strings.Join(l.Nodes[:1+l.Int(int64(len(l.Nodes)), "baseline", k)], " "))
	case 3:
		l.here(k, "assign s%d %s", l.Int(2, "service", k), l.Node("serves", k))
	default:
		l.here(k, "configure limit %d", k)
	}
}

func (l *load) transfer(k int) {
	l.here(k, "transfer %s", l.Node("transfer to ", k)) // in vain if its node does not lead
}

func (l *load) snapshot(k int) { l.here(k, "snapshot") }

// drawCluster draws what a scenario may set up.
func drawCluster(d *sim.Draws) []any {
	var all []any
	if n := len(d.Nodes); n > 3 && d.Int(3, "servers?") == 0 {
		all = append(all, serversLine{d.Nodes[:min(n, 5)]})
	} else if n > 1 && d.Int(6, "one server?") == 0 {
		all = append(all, serversLine{d.Nodes[:1]})
	}
	if d.Int(4, "learners?") == 0 {
		all = append(all, learnersLine{})
	}
	count := func(name string, of, most int64) {
		if d.Int(of, name, "?") == 0 {
			all = append(all, countLine{name, 1 + d.Int(most, name)})
		}
	}
	count("snapshot", 2, 10)
	count("window", 2, 3)
	count("batch", 2, 4)
	if d.Int(5, "retain?") == 0 {
		all = append(all, retainLine{time.Duration(20+d.Int(100, "retain")) * time.Millisecond})
	}
	return all
}

// finalReads ask, once the world has healed, for all that there is.
func finalReads(nodes []string) []sim.Action {
	var all []sim.Action
	for _, node := range nodes {
		all = append(all, sim.Action{Verb: sim.Request, Node: node, Words: []string{"get", "all"}})
	}
	return all
}
