package metastore

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// The metadata of a cluster is values of the store: the properties of its configuration, the
// baseline, that is who is to have data, which service is assigned to which node, and the affinity,
// that is which part of the data belongs to which node. A request changes a value by read, update
// and conditional put; every node that attends gets all changes in the order of their revisions and
// acts on them.
//
// Nobody in particular computes the affinity: who gets a new baseline puts what follows from it and
// from the affinity before, if nobody has put another meanwhile. One of them comes first, and what
// it has put all nodes get, in its place among the other changes.
const (
	metadata    = "sys/"
	affinityKey = metadata + "affinity"
	baselineKey = metadata + "baseline"
	configKey   = metadata + "config/"
	serviceKey  = metadata + "service/"
	shares      = 4 // the parts of the data
)

// attendAll acts on what a list has found that is later than what has been acted on.
func (n *node) attendAll(env *sim.Env, w *watching, from int64) {
	items := slices.Clone(w.Items)
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Mod, b.Mod), cmp.Compare(a.Sub, b.Sub))
	})
	for _, i := range items {
		if i.Mod >= from {
			n.attend(env, w, i)
		}
	}
	n.balance(env, w)
}

// attend acts on one change.
func (n *node) attend(env *sim.Env, w *watching, i Item) {
	if w.Attends {
		env.Note(processed{w.ID, i.Mod, i.Key, acts(i)})
	}
}

// acts is what a node does about a change.
func acts(i Item) string {
	name := strings.TrimPrefix(i.Key, metadata)
	if i.Dead {
		return "drop " + name
	}
	return "set " + name + " to " + i.Value
}

// balance puts the affinity that follows from the baseline, if there is none of it yet.
func (n *node) balance(env *sim.Env, w *watching) {
	base, known := item(w.Items, baselineKey)
	if !w.Attends || !known || w.Listing {
		return
	}
	is, _ := item(w.Items, affinityKey)
	if strings.HasPrefix(is.Value, affinityOf(base.Mod)) {
		return
	}
	p := Put{Key: affinityKey, If: is.Mod,
		Value: affinityOf(base.Mod) + spread(is.Value, strings.Split(base.Value, ","))}
	for _, a := range n.client.asks {
		if put, is := a.What.(Put); is && put == p {
			return
		}
	}
	n.asks(env, w, p)
}

func item(items []Item, key string) (Item, bool) {
	i := slices.IndexFunc(items, func(i Item) bool { return i.Key == key })
	if i < 0 {
		return Item{}, false
	}
	return items[i], true
}

// affinityOf is how an affinity begins that follows from the baseline of a revision.
func affinityOf(rev int64) string { return "b" + strconv.FormatInt(rev, 10) + ":" }

// spread is which of the nodes has which part: who has had it if he is among them, else those that
// have the fewest.
func spread(was string, nodes []string) string {
	_, list, _ := strings.Cut(was, ":")
	old := strings.Split(list, ",")
	has := make([]int, len(nodes))
	parts := make([]string, shares)
	most := (shares + len(nodes) - 1) / len(nodes)
	for p := range parts {
		if p >= len(old) {
			break
		}
		if at := slices.Index(nodes, old[p]); at >= 0 && has[at] < most {
			parts[p], has[at] = old[p], has[at]+1
		}
	}
	for p := range parts {
		if parts[p] == "" {
			at := slices.Index(has, slices.Min(has))
			parts[p], has[at] = nodes[at], has[at]+1
		}
	}
	return strings.Join(parts, ",")
}
