package ignite

import (
	"slices"
)

// Compact is a shorter log from which the same restores bring back the same (draft, the first
// optimisation). Ignite leaves out of archived files what only the restart of a node needs; here
// that are the TxRecords, and all that a replay passes over: marks of failed cuts, increments taken
// back. Beyond that each update is put where its side is, so that marks stand together and their
// sets are empty, and of the updates of a key in one increment only that with the greatest counter
// is kept. What comes after the last increment is left as it is, since no cut has its side yet.
func (l Log) Compact() Log {
	c := compaction{log: l, cuts: l.standing()}
	if len(c.cuts) == 0 {
		return slices.Clone(l)
	}
	c.tail = c.cuts[len(c.cuts)-1].made + 1
	c.sections = make([][]int, len(c.cuts)+1)
	for at := range l[:c.tail] {
		c.put(at)
	}
	var out Log
	for k, section := range c.sections {
		for _, at := range c.newest(section) {
			out = append(out, l[at])
		}
		if k < len(c.cuts) {
			cut := &c.cuts[k]
			out = append(out, startRecord{cut.id}, finishRecord{Cut: cut.id}, l[cut.made])
		}
	}
	return append(out, l[c.tail:]...)
}

// compaction is Compact under way. A section is what an increment adds, by place in the log.
type compaction struct {
	log      Log
	cuts     []standing
	sections [][]int
	tail     int // place from which the log is left as it is
}

// standing is an increment that can be restored: its cut and where its record is.
type standing struct {
	id                 cutID
	marks              marks
	made               int
	included, excluded map[txID]bool
}

// standing are the increments of a log that stand, in order.
func (l Log) standing() []standing {
	var list []standing
	for at, r := range l {
		inc, ok := r.(incrementRecord)
		if !ok {
			continue
		}
		if _, newest := l.increment(inc.Cut.Name); newest != at || inc.Removed {
			continue
		}
		if m := l[:at].marksOf(inc.Cut); m.complete() {
			end := l[m.Finish].(finishRecord)
			list = append(list, standing{inc.Cut, m, at, among(end.Included), among(end.Excluded)})
		}
	}
	return list
}

// put puts a record into the section that it belongs to, if a replay needs it.
func (c *compaction) put(at int) {
	k := 0
	for k < len(c.cuts) && c.cuts[k].marks.Start < at {
		k++
	}
	switch r := c.log[at].(type) {
	case dataRecord:
		switch {
		case k > 0 && at < c.cuts[k-1].marks.Finish && c.cuts[k-1].included[r.txID]:
			k--
		case k < len(c.cuts) && c.cuts[k].excluded[r.txID]:
			k++
		}
	case baseRecord, groupBaseRecord, restoredRecord, rebalanceRecord:
	default:
		return
	}
	c.sections[k] = append(c.sections[k], at)
}

// newest leaves out of a section what a greater counter of its key has overwritten. Full snapshots,
// restores and rebalances are walls: updates before one are not weighed against those after it.
func (c *compaction) newest(section []int) []int {
	type where struct{ part, key string }
	best := map[where]int{} // place in kept
	var kept []int
	for _, at := range section {
		d, ok := c.log[at].(dataRecord)
		if !ok {
			clear(best)
			kept = append(kept, at)
			continue
		}
		k := where{d.Update.Part, d.Update.Key}
		i, known := best[k]
		switch {
		case !known:
			best[k] = len(kept)
			kept = append(kept, at)
		case d.Update.Counter >= c.log[kept[i]].(dataRecord).Update.Counter:
			kept[i] = at
		}
	}
	return kept
}
