package ignite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

func dataProperties() []sim.Property {
	return []sim.Property{
		{Name: "versions", Layer: 2, Class: sim.Silent, Scope: sim.ScopeTrace, Check: told(revisions),
			Doc: "each update counter is one write of one transaction, on all owners; keys get " +
				"theirs in rising order, and no update is lost between lock and write"},
		{Name: "serializable", Layer: 2, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(acyclic),
			Doc: "writes, and reads that were locked or validated, have an order of transactions " +
				"that agrees with every client's clock"},
		{Name: "linearizable", Layer: 2, Class: sim.Silent, Scope: sim.ScopeHistory,
			Check: told(atomicKeys),
			Doc: "on each key transactions take effect at one moment between call and answer, as " +
				"far as their answers tell"},
		{Name: "replicas", Layer: 2, Class: sim.Silent, Scope: sim.ScopeEnd, Check: told(convergence),
			Doc: "in the end all owners of a partition whose data is whole hold the same entries " +
				"and the same update counter"},
	}
}

// chain is what became of one key in one epoch: its versions, in the order of their counters.
type chain struct {
	key, part string
	epoch     int
	held      entry // before the first version
	steady    bool  // an owner was there all the time, and no write of it ended UNKNOWN
	versions  []revision
}

// revision is a value that a key had.
type revision struct {
	counter int64
	value   string
	tx      int32
	entry   int32 // the first data record of it
	steady  bool  // written by an owner that was there all the time
}

// history are the chains of all keys, epoch by epoch.
func (t *tales) history() []chain {
	if t.chains != nil {
		return t.chains
	}
	t.chains = []chain{}
	for epoch := range len(t.renewals) + 1 {
		for i := range t.layout.Places {
			t.begin(&t.layout.Places[i], epoch)
		}
	}
	for i := range t.list {
		x := &t.list[i]
		for k := range x.data {
			t.link(x, &x.data[k])
		}
	}
	for i := range t.chains {
		slices.SortStableFunc(t.chains[i].versions, func(a, b revision) int {
			return cmp.Compare(a.counter, b.counter)
		})
	}
	return t.chains
}

// begin begins the chains of a place in an epoch.
func (t *tales) begin(pl *place, epoch int) {
	for _, k := range pl.Keys {
		held, known := t.basis(pl, k, epoch)
		known = known && (epoch == 0 || !slices.Contains(t.failedKeys(), k))
		t.chains = append(t.chains, chain{key: k, part: pl.Part(), epoch: epoch, held: held,
			steady: known && slices.ContainsFunc(pl.Owners, func(n sim.NodeID) bool { return t.steady[n] })})
	}
}

// link takes a data record into the chain of its key.
func (t *tales) link(x *tale, w *wrote) {
	c := t.chain(w.update.Key, x.epoch)
	if c == nil {
		return
	}
	c.steady = c.steady && !x.failed
	for i := range c.versions {
		v := &c.versions[i]
		if v.counter == w.update.Counter && v.tx == x.index && v.value == w.update.Value {
			v.steady = v.steady || t.steady[w.node]
			v.entry = min(v.entry, w.entry)
			return
		}
	}
	if c.versions == nil {
		c.versions = t.spare.version.some(8)
	}
	c.versions = append(c.versions, revision{w.update.Counter, w.update.Value, x.index, w.entry,
		t.steady[w.node]})
}

// chain is that of a key in an epoch, nil if nobody has said where it is.
func (t *tales) chain(k string, epoch int) *chain {
	at := t.keyed(k) - 1
	if at < 0 {
		return nil
	}
	return &t.chains[epoch*(t.width()-1)+at]
}

// revisions looks at every write of every key.
func revisions(t *tales, p *tally) {
	t.rising(p)
	list := t.history()
	for i := range list {
		if !list[i].steady {
			continue
		}
		t.unique(list, i, p)
		t.resolved(&list[i], p)
	}
	for i := range t.grants {
		t.unlost(&t.grants[i], p)
	}
}

// rising wants the counters of a key to rise in every log, up to a restore, and as long as the node
// is up: a crash may lose records.
func (t *tales) rising(p *tally) {
	last := make([]*wrote, len(t.run.Nodes)*t.width())
	failed := t.failedKeys()
	for _, at := range t.order {
		p.premises++
		w := &t.list[at.tx].data[at.nth]
		slot := &last[int(w.node)*t.width()+t.keyed(w.update.Key)]
		was := *slot
		*slot = w
		if was == nil || was.epoch != w.epoch || was.update.Counter < w.update.Counter ||
			t.fell(w.node, was.entry, w.entry) || slices.Contains(failed, w.update.Key) {
			continue
		}
		p.wrong(order(was.entry, w.entry), "%s wrote %s of %s at counter %d, and then of %s at %d",
			t.run.Name(w.node), w.update.Key, t.called(was.tx), was.update.Counter, t.called(w.tx),
			w.update.Counter)
	}
}

// keyed is the number of a key, from 1; 0 of one that nobody has said where it is.
func (t *tales) keyed(k string) int {
	n := 1
	for i := range t.layout.Places {
		keys := t.layout.Places[i].Keys
		if at := slices.Index(keys, k); at >= 0 {
			return n + at
		}
		n += len(keys)
	}
	return 0
}

// unique wants no counter of a partition to be given twice. A write that ended UNKNOWN on an owner
// has left it without that counter: if it becomes the primary, it gives the same once more, perhaps
// to another key.
func (t *tales) unique(list []chain, i int, p *tally) {
	for k := range list[i].versions {
		for j := range i + 1 {
			same := list[j].part == list[i].part && list[j].epoch == list[i].epoch
			if same && list[j].steady {
				t.other(&list[j], &list[i], k, p)
			}
		}
	}
}

// other looks in one chain for the counter that a revision of another has, or of the same
// before it.
func (t *tales) other(c, of *chain, k int, p *tally) {
	v := &of.versions[k]
	for n := range c.versions {
		o := &c.versions[n]
		if c == of && n >= k || !o.steady || !v.steady || o.counter != v.counter {
			continue
		}
		p.wrong(order(o.entry, v.entry), "counter %d of partition %s is %s of %s, and %s of %s",
			v.counter, c.part, t.said(c, o), t.called(o.tx), t.said(of, v), t.called(v.tx))
	}
}

func (t *tales) said(c *chain, v *revision) string { return c.key + " = " + v.value }

// called is the name of a transaction.
func (t *tales) called(tx int32) string { return t.list[tx].id.Name }

// resolved wants every value to be what its transaction asked for, given the version before, and
// every version to be later than what was there at first.
func (t *tales) resolved(c *chain, p *tally) {
	held, nth := c.held.Value, 0
	for i := range c.versions {
		v := &c.versions[i]
		if !v.steady {
			continue
		}
		if i > 0 && c.versions[i-1].tx == v.tx {
			nth++
		} else {
			nth = 0
		}
		p.premises++
		if v.counter <= c.held.Counter {
			p.wrong(order(v.entry), "%s wrote %s at counter %d, and that of what was restored is %d",
				t.called(v.tx), c.key, v.counter, c.held.Counter)
		}
		if w, ok := t.list[v.tx].nth(c.key, nth); ok && v.value != w.onto(held) {
			p.wrong(order(t.list[v.tx].mapped, v.entry), "%s found %s = %q and asked for %s, which is "+
				"%q, not %q", t.called(v.tx), c.key, held, w.words(), w.onto(held), v.value)
		}
		held = v.value
	}
}

// nth is the n-th write of a key that a transaction asks for.
func (x *tale) nth(k string, n int) (write, bool) {
	for i := range x.mapping.Shares {
		for _, w := range x.mapping.Shares[i].Writes {
			if w.Key != k {
				continue
			}
			if n == 0 {
				return w, true
			}
			n--
		}
	}
	return write{}, false
}

// onto is what a write makes of what a key holds. What is no number counts as none.
func (w write) onto(held string) string {
	if !w.Adds {
		return w.Value
	}
	was, _ := strconv.ParseInt(held, 10, 64)
	return strconv.FormatInt(was+w.Add, 10)
}

func (w write) words() string {
	if w.Adds {
		return fmt.Sprintf("%+d", w.Add)
	}
	return w.Value
}

// unlost wants nothing between the version that a transaction locked and the one that it wrote.
func (t *tales) unlost(g *grant, p *tally) {
	c := t.chain(g.Key, t.list[g.tx].epoch)
	if c == nil || !c.steady {
		return
	}
	mine := slices.IndexFunc(c.versions, func(v revision) bool {
		return v.tx == g.tx && v.steady && v.entry > g.entry
	})
	if mine < 0 {
		return
	}
	p.premises++
	for i := range mine {
		if v := &c.versions[i]; v.steady && v.counter > g.Counter && v.tx != g.tx {
			p.wrong(order(g.entry, v.entry, c.versions[mine].entry), "%s locked %s at counter %d and wrote "+
				"counter %d, but %s wrote %d between", t.called(g.tx), g.Key, g.Counter,
				c.versions[mine].counter, t.called(v.tx), v.counter)
			return
		}
	}
}

// convergence compares what the owners of each partition hold in the end.
func convergence(t *tales, p *tally) {
	for i := range t.layout.Places {
		t.alike(&t.layout.Places[i], p)
	}
}

func (t *tales) alike(pl *place, p *tally) {
	var first partition
	owner := sim.Nobody
	for _, n := range pl.Owners {
		if !t.whole(n, pl) {
			continue
		}
		got := t.holding(n, pl)
		if owner == sim.Nobody {
			first, owner = got, n
			continue
		}
		p.premises++
		counts := t.steady[owner] && t.steady[n] // a rebalance can leave the counter to memory
		if counts && got.Counter != first.Counter || !slices.Equal(got.Entries, first.Entries) {
			p.wrong(order(t.lastWrite(owner, pl), t.lastWrite(n, pl)),
				"partition %s is %s on %s, and %s on %s", pl.Part(), first.words(), t.run.Name(owner),
				got.words(), t.run.Name(n))
		}
	}
}

// whole says that an owner is up in the end and its data must be whole: it was there all the time,
// or the newest topology says so; and no write of it ended UNKNOWN.
func (t *tales) whole(n sim.NodeID, pl *place) bool {
	lost := func(k string) bool { return slices.Contains(pl.Keys, k) }
	if !t.members[n].up || slices.ContainsFunc(t.failedKeys(), lost) {
		return false
	}
	if t.steady[n] || t.members[n].order > t.view.Ver {
		return t.steady[n] && t.layout.baseline(n)
	}
	return slices.ContainsFunc(t.view.Parts, func(h holding) bool {
		return h.Part == pl.Part() && !h.Lost && slices.Contains(h.Whole, n)
	})
}

// holding is what a node's log says that it holds of a partition.
func (t *tales) holding(n sim.NodeID, pl *place) partition {
	part := partition{Name: pl.Part(), Group: pl.Group}
	if pl.Holds != "" {
		for _, k := range slices.Sorted(slices.Values(pl.Keys)) {
			part.Entries = append(part.Entries, entry{Key: k, Value: pl.Holds})
		}
	}
	for _, row := range t.logs[n].rows {
		part.redo(row.record, pl)
	}
	return part
}

// redo does once more what a record says was done to a partition.
func (part *partition) redo(rec sim.Record, pl *place) {
	switch r := rec.(type) {
	case dataRecord:
		if slices.Contains(pl.Keys, r.Update.Key) {
			part.put(r.txID, r.Update)
		}
	case gapRecord:
		if r.Part == part.Name {
			part.Counter = max(part.Counter, r.To)
		}
	case restoredRecord:
		for _, d := range r.Data {
			if d.Name == part.Name {
				part.Counter, part.Entries = d.Counter, slices.Clone(d.Entries)
			}
		}
	case pagesRecord:
		if r.Part.Name == part.Name {
			part.Counter, part.Entries = r.Part.Counter, slices.Clone(r.Part.Entries)
		}
	case rebalanceRecord:
		if r.Part.Name != part.Name {
			return
		}
		if r.Full {
			part.Entries = nil
		}
		for _, e := range r.Part.Entries {
			part.put(e.Tx, update{Key: e.Key, Part: part.Name, Value: e.Value, Counter: e.Counter})
		}
		part.Counter = max(part.Counter, r.Part.Counter)
	}
}

// words is a partition for people.
func (part *partition) words() string {
	words := make([]string, 0, len(part.Entries)+1)
	for _, e := range part.Entries {
		words = append(words, fmt.Sprintf("%s=%s(%d)", e.Key, e.Value, e.Counter))
	}
	return strings.Join(append(words, fmt.Sprintf("up to %d", part.Counter)), " ")
}

// lastWrite is the last data record of a partition in a node's log.
func (t *tales) lastWrite(n sim.NodeID, pl *place) int32 {
	rows := t.logs[n].rows
	for i := len(rows) - 1; i >= 0; i-- {
		if d, ok := rows[i].record.(dataRecord); ok && slices.Contains(pl.Keys, d.Update.Key) {
			return rows[i].entry
		}
	}
	return nowhere
}
