package ignite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

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
	c := t.numbered(int(w.keyed), x.epoch)
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
func (t *tales) chain(k string, epoch int) *chain { return t.numbered(t.keyed(k), epoch) }

// numbered is that of a key by its number.
func (t *tales) numbered(keyed, epoch int) *chain {
	if keyed == 0 {
		return nil
	}
	return &t.chains[epoch*(t.width()-1)+keyed-1]
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
		slot := &last[int(w.node)*t.width()+int(w.keyed)]
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
		for _, known := range t.layout.Places[i].Keys {
			if known == k {
				return n
			}
			n++
		}
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
