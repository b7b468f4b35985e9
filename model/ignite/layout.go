package ignite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What a scenario sets up: who is a client, who is a server without a place in the baseline, and
// where keys live. Everyone else is a baseline server.
type (
	// clients are the nodes that have no data and no log.
	clients struct {
		Nodes []sim.NodeID
		Text  string // the line
	}
	// outsiders are servers that are not in the baseline: they sign, and that is all.
	outsiders struct {
		Nodes []sim.NodeID
		Text  string
	}
	// place is a partition: its keys, and its owners, the primary first.
	place struct {
		Keys   []string // the first one names the partition
		Owners []sim.NodeID
		Group  string // "" is the group that keys are in if nobody says otherwise
		Holds  string // what the keys hold at first, "" is nothing
		Cached bool   // clients have it in near caches: its primary demotes one phase to two
		Text   string
	}
)

// Part is the name of the partition.
func (p *place) Part() string { return p.Keys[0] }

// layout is all of it.
type layout struct {
	Founders  int // nodes below this one were there from the start
	Clients   []sim.NodeID
	Outsiders []sim.NodeID
	Baseline  []sim.NodeID // as a request has set it; nil: as it was set up
	Places    []place
}

// layoutOf reads what was set up in a cluster with so many founders.
func layoutOf(setup []any, founders int) *layout {
	l := &layout{Founders: founders, Places: make([]place, 0, len(setup))}
	for _, s := range setup {
		switch s := s.(type) {
		case clients:
			l.Clients = append(l.Clients, s.Nodes...)
		case outsiders:
			l.Outsiders = append(l.Outsiders, s.Nodes...)
		case place:
			l.Places = append(l.Places, s)
		}
	}
	return l
}

// client says that a node is a client.
func (l *layout) client(id sim.NodeID) bool { return slices.Contains(l.Clients, id) }

// baseline says that a node is a server in the baseline: one that was there from the start, or that
// keys are placed on. Who joins later brings no data.
func (l *layout) baseline(id sim.NodeID) bool {
	switch {
	case l.Baseline != nil:
		return slices.Contains(l.Baseline, id)
	case l.client(id), slices.Contains(l.Outsiders, id):
		return false
	case int(id) < l.Founders:
		return true
	}
	return slices.ContainsFunc(l.Places, func(p place) bool { return slices.Contains(p.Owners, id) })
}

// of is the place of a key, nil if there is none.
func (l *layout) of(key string) *place {
	if i := l.at(key); i >= 0 {
		return &l.Places[i]
	}
	return nil
}

// at is the number of the place of a key, -1 if there is none.
func (l *layout) at(key string) int {
	for i := range l.Places {
		for _, k := range l.Places[i].Keys {
			if k == key {
				return i
			}
		}
	}
	return -1
}

// sorted are the keys of a place in their order. They must not be changed.
func (p *place) sorted() []string {
	if slices.IsSorted(p.Keys) {
		return p.Keys
	}
	return slices.Sorted(slices.Values(p.Keys))
}

// owned are the partitions of a node, as they are at first.
func (l *layout) owned(id sim.NodeID) []partition {
	parts, keys := 0, 0
	for i := range l.Places {
		if p := &l.Places[i]; slices.Contains(p.Owners, id) {
			parts, keys = parts+1, keys+len(p.Keys)
		}
	}
	list, entries := make([]partition, 0, parts), make([]entry, keys) // for all of them
	for i := range l.Places {
		p := &l.Places[i]
		if !slices.Contains(p.Owners, id) {
			continue
		}
		part := partition{Name: p.Part(), Group: p.Group, Entries: entries[:0:len(p.Keys)]}
		entries = entries[len(p.Keys):]
		if p.Holds != "" {
			for _, k := range p.sorted() {
				part.Entries = append(part.Entries, entry{Key: k, Value: p.Holds})
			}
		}
		list = append(list, part)
	}
	return list
}

// setupWords are the words that lines of set-up begin with.
var setupWords = []string{"client", "outsider", "key"}

// parseSetup reads "client NODE...", "outsider NODE..." and
// "key KEY... on NODE... [in GROUP] [holds VALUE] [cached]".
func parseSetup(words, nodes []string) (any, error) {
	switch words[0] {
	case "client":
		ids, err := nodesOf(words[1:], nodes, "client NODE...")
		return clients{ids, strings.Join(words, " ")}, err
	case "outsider":
		ids, err := nodesOf(words[1:], nodes, "outsider NODE...")
		return outsiders{ids, strings.Join(words, " ")}, err
	case "key":
		p, err := parsePlace(words[1:], nodes)
		p.Text = strings.Join(words, " ")
		return p, err
	}
	return nil, fmt.Errorf("unknown word %q%s", words[0], sim.DidYouMean(words[0], setupWords))
}

// fitSetup says which line of set-up does not fit with the others: data belongs to servers (an
// outsider owns it once it comes into the baseline), and a key has one place.
func fitSetup(values []any, names []string) (at int, err error) {
	l := layoutOf(values, len(names))
	placed := map[string]bool{}
	for i, v := range values {
		p, ok := v.(place)
		if !ok {
			continue
		}
		for _, id := range p.Owners {
			if l.client(id) {
				return i, fmt.Errorf("want servers to own %s, and %s is a client", p.Part(), names[id])
			}
		}
		for _, k := range p.Keys {
			if placed[k] {
				return i, fmt.Errorf("want one place for key %s, got a second", k)
			}
			placed[k] = true
		}
	}
	for i, v := range values {
		o, ok := v.(outsiders)
		if ok && slices.ContainsFunc(o.Nodes, l.client) {
			return i, fmt.Errorf("want outsiders to be servers, and one is a client")
		}
	}
	return 0, nil
}

// fitOp says which key of a request has no place.
func fitOp(op sim.Op, setup []any) error {
	l := layoutOf(setup, 0)
	var keys []string
	switch op := op.(type) {
	case commitOp:
		keys = keysOf(op.Writes, op.Reads)
	case accessOp:
		keys = keysOf(op.Writes, op.Reads)
	}
	for _, k := range keys {
		if l.of(k) != nil {
			continue
		}
		known := append([]string{"reads"}, slices.Concat(modeNames[:], syncNames[:])...)
		for i := range l.Places {
			known = append(known, l.Places[i].Keys...)
		}
		return fmt.Errorf("no key is called %q%s; a line \"key %s on NODE...\" places one", k,
			sim.DidYouMean(k, known), k)
	}
	return nil
}

func keysOf(writes []write, reads []string) []string {
	keys := slices.Clone(reads)
	for _, w := range writes {
		keys = append(keys, w.Key)
	}
	return keys
}

func nodesOf(words, nodes []string, form string) ([]sim.NodeID, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want %s", form)
	}
	var ids []sim.NodeID
	for _, w := range words {
		at := slices.Index(nodes, w)
		if at < 0 {
			return nil, fmt.Errorf("no node is called %q%s", w, sim.DidYouMean(w, nodes))
		}
		if slices.Contains(ids, sim.NodeID(at)) {
			return nil, fmt.Errorf("want each node once, got %s twice", w)
		}
		ids = append(ids, sim.NodeID(at))
	}
	return ids, nil
}

const placeForm = "key KEY... on PRIMARY [BACKUP...] [in GROUP] [holds VALUE] [cached]"

func parsePlace(words, nodes []string) (place, error) {
	on := slices.Index(words, "on")
	if on < 1 {
		return place{}, fmt.Errorf("want %s", placeForm)
	}
	p := place{Keys: slices.Clone(words[:on])}
	for i, k := range p.Keys {
		if slices.Contains(p.Keys[:i], k) {
			return place{}, fmt.Errorf("want each key once, got %s twice", k)
		}
	}
	rest := words[on+1:]
	owners := len(rest)
	for i, w := range rest {
		if w == "in" || w == "holds" || w == "cached" {
			owners = i
			break
		}
	}
	var err error
	if p.Owners, err = nodesOf(rest[:owners], nodes, placeForm); err != nil {
		return place{}, err
	}
	for rest = rest[owners:]; len(rest) > 0; {
		switch {
		case rest[0] == "cached":
			p.Cached, rest = true, rest[1:]
		case rest[0] == "in" && len(rest) > 1:
			p.Group, rest = rest[1], rest[2:]
		case rest[0] == "holds" && len(rest) > 1:
			p.Holds, rest = rest[1], rest[2:]
		default:
			return place{}, fmt.Errorf("want %s", placeForm)
		}
	}
	return p, nil
}

func (c clients) String() string   { return c.Text }
func (o outsiders) String() string { return o.Text }
func (p place) String() string     { return p.Text }
