package ignite

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/downset/downset/sim"
)

// recovered is what one node makes of its log, if a cut is restored by the rules of its variant.
type recovered struct {
	node  sim.NodeID
	log   Log
	first []partition // what the node has at its set-up
	got   restored
	done  bool // it is in place
	err   error
}

// restore restores a cut from some log of the node.
func (x *recovered) restore(r *reading, l *line, log Log) (restored, error) {
	return log.restoreOn(x.first, l.id.Name, r.replayRules())
}

// replays restores a cut on each listed node that has its marks.
func (r *reading) replays(l *line) []recovered {
	if l.restored != nil {
		return l.restored
	}
	l.restored = []recovered{}
	for _, n := range l.baseline {
		if !l.at[n].whole() || l.at[n].undone >= 0 {
			continue
		}
		x := recovered{node: n, log: r.log(n), first: r.layout.owned(n)}
		x.got, x.err = x.restore(r, l, x.log)
		l.restored = append(l.restored, x)
	}
	return l.restored
}

// replayRules are those of the variant that was run.
func (r *reading) replayRules() replayRules {
	if r.byRules != nil {
		return *r.byRules
	}
	r.byRules = &replayRules{}
	if r.run.Plan == nil || r.run.Plan.Variant.New == nil {
		return *r.byRules
	}
	if n, ok := r.run.Plan.Variant.New(0, nil).(*node); ok {
		*r.byRules = n.rules.replay
	}
	return *r.byRules
}

// log is what a node's log holds in the end.
func (r *reading) log(n sim.NodeID) Log {
	l := &r.logs[n]
	if l.all == nil {
		l.all = slices.Grow(l.memory[:0], len(l.rows)+1)
		for at, row := range l.rows {
			if r.torn(int(n), at) {
				row.record = sim.Torn{}
			}
			l.all = append(l.all, row.record)
		}
		l.memory = l.all
	}
	return l.all
}

// restoredRight is I-24: a model that applies what is before the cut in the order of the counters,
// against what each node replays.
func restoredRight(r *reading, l *line, t *tally) {
	list := r.replays(l)
	if len(list) == 0 {
		return
	}
	want := r.expected(l)
	for k := range list {
		x := &list[k]
		t.premises++
		if x.err != nil {
			t.wrong([]int32{l.ended}, "cut %s is a success, but cannot be restored on %s: %s", l.id,
				r.run.Name(x.node), x.err)
			continue
		}
		for p := range r.layout.Places {
			if why := r.misses(l, want, x, &r.layout.Places[p]); why != "" {
				t.wrong([]int32{l.ended}, "restoring cut %s, %s has %s", l.id, r.run.Name(x.node), why)
			}
		}
	}
}

// contents is what partitions hold, in no order.
type contents struct {
	keys    []string
	entries []entry
}

// expected is what a cut holds: what was there at first, or at the last restore, and what the
// transactions before the cut have written since.
func (r *reading) expected(l *line) *contents {
	keys := 0
	for p := range r.layout.Places {
		keys += len(r.layout.Places[p].Keys)
	}
	w := &contents{keys: make([]string, 0, keys), entries: make([]entry, 0, keys)}
	for p := range r.layout.Places {
		place := &r.layout.Places[p]
		if old, ok := r.atRestore(l, place); ok {
			for _, e := range old.Entries {
				w.put(e)
			}
			continue
		}
		for _, k := range place.Keys {
			w.put(entry{Key: k, Value: place.Holds})
		}
	}
	for k := range r.txs {
		c := &r.txs[k]
		for _, d := range c.data {
			if r.counts(l, d) && r.before(l, d, c.id) {
				u := r.logs[d.node].rows[d.row].record.(dataRecord).Update
				w.put(entry{u.Key, u.Value, u.Counter, c.id})
			}
		}
	}
	return w
}

// atRestore is what a partition held at the last restore before a cut, if there was one. An owner
// that had failed to write something of it is asked only if there is no other.
func (r *reading) atRestore(l *line, p *place) (held partition, ok bool) {
	for _, n := range p.Owners {
		at := l.at[n].fresh
		if at < 0 || !l.at[n].whole() {
			continue
		}
		data := r.logs[n].rows[at].record.(restoredRecord).Data
		k := slices.IndexFunc(data, func(x partition) bool { return x.Name == p.Part() })
		if k < 0 {
			continue
		}
		failed := func(key string) bool { return r.damaged(l, n, key) }
		if !slices.ContainsFunc(p.Keys, failed) {
			return data[k], true
		}
		if !ok {
			held, ok = data[k], true
		}
	}
	return held, ok
}

// put writes an entry, unless a later one is there.
func (w *contents) put(e entry) {
	at := slices.Index(w.keys, e.Key)
	switch {
	case at < 0:
		w.keys, w.entries = append(w.keys, e.Key), append(w.entries, e)
	case w.entries[at].Counter <= e.Counter:
		w.entries[at] = e
	}
}

// of is what a key holds.
func (w *contents) of(key string) entry {
	if at := slices.Index(w.keys, key); at >= 0 {
		return w.entries[at]
	}
	return entry{Key: key}
}

// misses says what is wrong with what a node restores of a place that it owns, "" if nothing is. A
// partition that was taken over past the log is not there to be judged, nor a key that the node had
// failed to write before the cut. Data in place may have a new counter, the same of all keys.
func (r *reading) misses(l *line, w *contents, x *recovered, p *place) string {
	if !slices.Contains(p.Owners, x.node) || slices.Contains(x.got.Lost, p.Part()) {
		return ""
	}
	at := slices.IndexFunc(x.got.Parts, func(g partition) bool { return g.Name == p.Part() })
	have, counter := partition{}, int64(0)
	if at >= 0 {
		have = x.got.Parts[at]
	}
	for _, k := range p.Keys {
		e, want := have.get(k), w.of(k)
		if r.damaged(l, x.node, k) {
			continue
		}
		renewed := x.done && e.Counter == have.Counter
		if e.Value != want.Value || e.Counter != want.Counter && !renewed {
			return fmt.Sprintf("%s, and should have %s", e.text(), want.text())
		}
		counter = max(counter, want.Counter)
	}
	if have.Counter < counter {
		return fmt.Sprintf("a gap in the counters of %s after %d", p.Part(), have.Counter)
	}
	return ""
}

// text is an entry for people: x = 5 by tx3.
func (e entry) text() string {
	value := e.Value
	if value == "" {
		value = "nothing"
	}
	if e.Tx == (txID{}) {
		return e.Key + " = " + value
	}
	return e.Key + " = " + value + " by " + e.Tx.Name
}

// marksIgnored is I-26.
func marksIgnored(r *reading, l *line, t *tally) {
	for _, x := range r.replays(l) {
		log, others := r.withoutFailed(x.log)
		if !others || x.err != nil {
			continue
		}
		t.premises++
		got, err := x.restore(r, l, log)
		if err != nil || !same(got.Parts, x.got.Parts) {
			t.wrong([]int32{l.ended}, "restoring cut %s, %s is led by the marks of a cut that failed", l.id,
				r.run.Name(x.node))
		}
	}
}

// withoutFailed is a log without the marks of cuts that did not succeed, if it has any.
func (r *reading) withoutFailed(log Log) (rest Log, others bool) {
	for _, rec := range log {
		if m, ok := rec.(startRecord); ok && !r.succeeded(m.Cut) {
			others = true
		}
	}
	if !others {
		return nil, false
	}
	return slices.DeleteFunc(slices.Clone(log), func(rec sim.Record) bool {
		switch m := rec.(type) {
		case startRecord:
			return !r.succeeded(m.Cut)
		case finishRecord:
			return !r.succeeded(m.Cut)
		case incrementRecord:
			return !r.succeeded(m.Cut)
		}
		return false
	}), true
}

func (r *reading) succeeded(c cutID) bool {
	at, ok := r.lineOf(c)
	return ok && r.cuts[at].good
}

// same says that partitions hold the same.
func same(a, b []partition) bool {
	return slices.EqualFunc(a, b, func(x, y partition) bool {
		return x.Name == y.Name && x.Counter == y.Counter && slices.Equal(x.Entries, y.Entries)
	})
}

// truncated is I-27: before FINISH there is nothing to restore, after it all or nothing.
func truncated(r *reading, l *line, t *tally) {
	for _, x := range r.replays(l) {
		if x.err != nil {
			continue
		}
		finish := l.at[x.node].finishes[0]
		for end := finish; end <= finish+1; end++ {
			t.premises++
			got, err := x.restore(r, l, x.log[:end])
			if err == nil && (end == finish || !same(got.Parts, x.got.Parts)) {
				t.wrong([]int32{r.logs[x.node].rows[finish].entry},
					"%s restores cut %s from a log that ends at record %d", r.run.Name(x.node), l.id, end)
			}
		}
	}
}

// sums is P3. It speaks of the keys that hold a number at first, and only if transactions do
// nothing to them but move amounts.
func sums(r *reading, l *line, t *tally) {
	want, ok := r.total()
	if !ok || !r.onlyMoves() || r.torso() {
		return
	}
	got := int64(0)
	for p := range r.layout.Places {
		place := &r.layout.Places[p]
		if _, ok := number(place.Holds); !ok {
			continue
		}
		at := slices.IndexFunc(r.replays(l), func(x recovered) bool { return x.node == place.Owners[0] })
		if at < 0 || l.restored[at].err != nil {
			return
		}
		for _, part := range l.restored[at].got.Parts {
			if part.Name == place.Part() {
				got += part.total()
			}
		}
	}
	t.premises++
	if got != want {
		t.wrong([]int32{l.ended}, "cut %s restores a total of %d, and it was %d at first", l.id, got,
			want)
	}
}

// torso says that a part of a transaction was lost with all who had it.
func (r *reading) torso() bool {
	return slices.ContainsFunc(r.txs, func(c course) bool {
		return len(c.data) > 0 && slices.ContainsFunc(c.mapping.Shares, func(s share) bool {
			return slices.ContainsFunc(s.Writes, func(w write) bool { return !r.wrote(&c, w.Key) })
		})
	})
}

// wrote says that some log has a key of a transaction.
func (r *reading) wrote(c *course, key string) bool {
	return slices.ContainsFunc(c.data, func(d datum) bool { return r.keyOf(d) == key })
}

func number(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// total is what keys hold at first that hold a number; there must be two of them.
func (r *reading) total() (sum int64, ok bool) {
	keys := 0
	for p := range r.layout.Places {
		if n, ok := number(r.layout.Places[p].Holds); ok {
			keys += len(r.layout.Places[p].Keys)
			sum += n * int64(len(r.layout.Places[p].Keys))
		}
	}
	return sum, keys > 1
}

func (p *partition) total() (sum int64) {
	for _, e := range p.Entries {
		n, _ := number(e.Value)
		sum += n
	}
	return sum
}

// onlyMoves says that transactions only add to keys that hold a number at first, and nothing in
// sum, and that none failed in its commit.
func (r *reading) onlyMoves() bool {
	for k := range r.txs {
		if r.txs[k].failed || !r.moves(&r.txs[k]) {
			return false
		}
	}
	return true
}

func (r *reading) moves(c *course) bool {
	sum := int64(0)
	for k := range c.mapping.Shares {
		for _, w := range c.mapping.Shares[k].Writes {
			p := r.layout.of(w.Key)
			if _, counts := number(p.Holds); !counts {
				continue
			}
			if !w.Adds {
				return false
			}
			sum += w.Add
		}
	}
	return sum == 0
}
