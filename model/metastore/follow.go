package metastore

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// follow begins to follow a range: read it, watch from the next revision on, act on what comes; and
// when what comes next is forgotten, read again.
func (n *node) follow(env *sim.Env, c sim.Call, op follow) {
	w := watching{Call: c, Watch: Watch{Range: op.Range}, Follows: true, Attends: op.Attends,
		Server: sim.Nobody}
	if len(n.client.watches) == 0 {
		env.Every(pollEvery, polling{})
	}
	n.client.watches = append(n.client.watches, w)
	n.list(env, &n.client.watches[len(n.client.watches)-1])
}

// list reads the range.
func (n *node) list(env *sim.Env, w *watching) {
	w.Listing = true
	n.asks(env, w, read{Query: Query{Range: w.Range}})
}

// asks asks something for one that follows.
func (n *node) asks(env *sim.Env, w *watching, what sim.Body) {
	w.Lists++
	n.ask(env, asking{Call: w.Call, Stage: w.Lists, What: what, Watch: w.ID})
}

// listed: the range has been read, as of a revision.
func (n *node) listed(env *sim.Env, a asking, got Answer) {
	i := slices.IndexFunc(n.client.watches, func(w watching) bool { return w.ID == a.Watch })
	if _, reads := a.What.(read); i < 0 || !reads {
		return // it is over; or what it has put comes back as an event
	}
	w := &n.client.watches[i]
	was := w.Next
	w.Listing, w.Items, w.From = false, got.Items, n.rules.client.after(got.Rev)
	w.Next = w.From
	if w.Server == sim.Nobody {
		w.Server = n.watchServer()
	}
	n.reopen(w)
	env.Note(cached{w.ID, w.Range, got.Rev, w.Items, true})
	n.poll(env, w, poll{})
	n.attendAll(env, w, was)
}

// keepUp takes events into what there is.
func (n *node) keepUp(env *sim.Env, w *watching, b Batch) {
	items := slices.Clone(w.Items)
	for _, e := range b.Events {
		at, found := slices.BinarySearchFunc(items, e.Key, func(i Item, key string) int {
			return cmp.Compare(i.Key, key)
		})
		switch {
		case e.Dead && found:
			items = slices.Delete(items, at, at+1)
		case e.Dead:
		case found:
			items[at] = e.Item
		default:
			items = slices.Insert(items, at, e.Item)
		}
	}
	w.Items = items
	env.Note(cached{w.ID, w.Range, b.To, items, false})
	for _, e := range n.rules.client.turns(b.Events) {
		n.attend(env, w, e.Item)
	}
	if n.rules.client.balances(b.Events) {
		n.balance(env, w)
	}
}
