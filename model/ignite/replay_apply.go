package ignite

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// replay is a restore under way: the partitions, and which updates have been applied to them.
type replay struct {
	rules replayRules
	cut   cutID
	parts []replica
	owned int // how many of the first ones the base has
	lost  []string
	cost  Cost
}

// replica is a partition that is being restored.
type replica struct {
	partition
	from    int64   // its counter in the base
	applied []int64 // counters of updates since
}

// newReplay begins with the full snapshot.
func newReplay(c cutID, rules replayRules, base []partition) *replay {
	r := &replay{rules: rules, cut: c}
	r.begin(base)
	return r
}

// begin puts the partitions into a state as a whole.
func (r *replay) begin(data []partition) {
	r.parts = make([]replica, len(data))
	for i, p := range data {
		r.parts[i] = replica{partition: p.clone(), from: p.Counter}
	}
	r.owned, r.lost = len(data), nil
}

// part is the partition of a name. One that is not in the base begins empty.
func (r *replay) part(name string) *replica {
	at := slices.IndexFunc(r.parts, func(p replica) bool { return p.Name == name })
	if at < 0 {
		at = len(r.parts)
		r.parts = append(r.parts, replica{partition: partition{Name: name}})
	}
	return &r.parts[at]
}

// apply applies an update.
func (r *replay) apply(d dataRecord) {
	r.part(d.Update.Part).apply(d, r.rules.ByArrival)
	r.cost.Applied++
}

// apply keeps entries in the order of their keys. Of two updates of a key that with the greater
// counter stays: a backup may have got them in the other order.
func (p *replica) apply(d dataRecord, byArrival bool) {
	u := d.Update
	p.applied = append(p.applied, u.Counter)
	at, found := slices.BinarySearchFunc(p.Entries, u.Key, func(e entry, key string) int {
		return strings.Compare(e.Key, key)
	})
	e := entry{u.Key, u.Value, u.Counter, d.txID}
	switch {
	case !found:
		p.Entries = slices.Insert(p.Entries, at, e)
	case p.Entries[at].Counter <= u.Counter || byArrival:
		p.Entries[at] = e
	}
}

// other applies what is neither data nor a mark: an earlier restore, which began anew, and what
// came past the log by rebalance, as far as there is a record of it or a snapshot of the group.
func (r *replay) other(rec sim.Record) {
	switch rec := rec.(type) {
	case restoredRecord:
		r.begin(rec.Data)
	case rebalanceRecord:
		r.rebalance(rec)
	case groupBaseRecord:
		for _, part := range rec.Data {
			r.replace(part)
		}
	case gapRecord:
		p := r.part(rec.Part)
		for c := rec.From; c <= rec.To; c++ {
			p.applied = append(p.applied, -c) // closes a gap, and is no update
		}
	}
}

// rebalance repeats one from the record of it. What was missing is applied to what there is. Of a
// partition that came as a whole the log has nothing (rebalance, fourth option): it goes on from
// there, and is to be taken over once more.
func (r *replay) rebalance(rec rebalanceRecord) {
	p := r.part(rec.Part.Name)
	if rec.Full {
		r.replace(rec.Part)
		r.lost = append(r.lost, rec.Part.Name)
		return
	}
	p.applied = append(p.applied, rec.Part.Counter)
	for _, e := range rec.Part.Entries {
		if e.Counter > p.get(e.Key).Counter {
			p.apply(dataRecord{e.Tx, update{e.Key, p.Name, e.Value, e.Counter}}, false)
			r.cost.Applied++
		}
	}
}

// replace puts a partition in the place of what was replayed of it.
func (r *replay) replace(part partition) {
	p := r.part(part.Name)
	*p = replica{partition: part.clone(), from: part.Counter}
	r.lost = slices.DeleteFunc(r.lost, func(name string) bool { return name == part.Name })
}

// end closes the gaps that transactions left in the counters which are not restored (4, step 7).
func (r *replay) end() restored {
	slices.SortStableFunc(r.parts[r.owned:], func(a, b replica) int {
		return strings.Compare(a.Name, b.Name)
	})
	slices.Sort(r.lost)
	got := restored{Cut: r.cut, Lost: r.lost, Cost: r.cost, Parts: make([]partition, 0, len(r.parts))}
	for i := range r.parts {
		p := &r.parts[i]
		p.Counter = p.counter(r.rules.KeepsGaps)
		p.Reserved = p.Counter
		got.Parts = append(got.Parts, p.partition)
	}
	return got
}

// counter is the greatest of the applied updates, or the last without a gap before it.
func (p *replica) counter(gaps bool) int64 {
	most := p.from
	for _, c := range p.applied {
		most = max(most, c)
	}
	if !gaps {
		return most
	}
	for at := p.from; at < most; at++ {
		if !slices.Contains(p.applied, at+1) && !slices.Contains(p.applied, -at-1) {
			return at
		}
	}
	return most
}
