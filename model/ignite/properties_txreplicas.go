package ignite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// convergence compares what the owners of each partition hold in the end.
func convergence(t *tales, p *tally) {
	held := make([][]partition, len(t.run.Nodes)) // by node and place, of those that are asked
	for i := range t.layout.Places {
		t.alike(i, held, p)
	}
}

func (t *tales) alike(i int, held [][]partition, p *tally) {
	pl := &t.layout.Places[i]
	var first partition
	owner := sim.Nobody
	for _, n := range pl.Owners {
		if !t.whole(n, pl) {
			continue
		}
		if held[n] == nil {
			held[n] = t.holdings(n)
		}
		got := held[n][i]
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

// holdings are what a node's log says that it holds, by place: of those that it owns that is right.
func (t *tales) holdings(n sim.NodeID) []partition {
	parts := t.spare.parts.some(len(t.layout.Places))
	for i := range t.layout.Places {
		parts = append(parts, t.spare.founded(&t.layout.Places[i]))
	}
	rows := t.logs[n].rows
	for k := range rows {
		if d, ok := rows[k].record.(dataRecord); ok {
			if i := t.layout.at(d.Update.Key); i >= 0 {
				parts[i].put(d.txID, d.Update)
			}
			continue
		}
		for i := range parts {
			parts[i].redo(rows[k].record)
		}
	}
	return parts
}

// founded is a partition as it is at first, in spare memory.
func (s *spare) founded(pl *place) partition {
	part := partition{Name: pl.Part(), Group: pl.Group, Entries: s.entries.some(len(pl.Keys))}
	if pl.Holds != "" {
		for _, k := range pl.sorted() {
			part.Entries = append(part.Entries, entry{Key: k, Value: pl.Holds})
		}
	}
	return part
}

// redo does once more what a record that is no update says was done to a partition.
func (part *partition) redo(rec sim.Record) {
	switch r := rec.(type) {
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
