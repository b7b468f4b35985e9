package ignite

import (
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// replayRules are those of reading a log back (4), and of a restore. The zero value of each field
// is what merged code does.
type replayRules struct {
	// Completes completes a commit at a restart, of whose data records a crash has lost the last.
	// Merged code applies those that are there: half a transaction, if no other owner has it whole.
	Completes bool
	// CountsOn gives restored data new update counters, above all that were given. Merged code sets
	// them back: a node that has missed the restore then takes what it still has for the newer.
	CountsOn bool

	Filter      sets // M-38: which of the two sets of FINISH are heeded
	NoPrevious  bool // M-38: FINISH of the increment before is not looked for
	AnyStart    bool // M-39: the next START is taken for that of the cut, whichever it is
	Undrained   bool // 1.10 from the base on: nothing rests on the drain of the cut before (M-24)
	ByArrival   bool // of two updates of a key the one later in the log stays, whatever its counter
	KeepsGaps   bool // counters stop at the first gap that a transaction left which is not restored
	TakesFailed bool // a cut with FINISH is restored, though its increment is missing or taken back
	Finishless  bool // a cut whose FINISH is not in the log is restored as if it had named nothing
	Alone       bool // a node restores as it is asked to, without knowing whether all others can
	Heedless    bool // transactions under way are not looked for, and new ones not held back
	VersionBack bool // draft: the version after a restore is that of the cut, whatever came after
	Increments  bool // draft: increments go on after a restore; else a full snapshot comes first (D12)
}

// restored is what a replay comes to.
type restored struct {
	Cut   cutID
	Parts []partition // in the order of the base
	// Lost are the partitions that the log alone does not restore: they have been taken over as a
	// whole from another node, which has to be done once more.
	Lost []string
	Cost Cost
}

// Cost is what a restore costs. Time is virtual: see readTime.
type Cost struct {
	Searched int // records read to find the cut
	Looked   int // look-ups in the index instead
	Read     int // records read from the base on
	Applied  int // updates applied
	Time     time.Duration
}

// The model of virtual time. A record is read in sequence and decoded at the rate of a disk of 200
// MB/s and records of 200 bytes; an update is a descent of a tree of pages in memory; a look-up in
// the index is a read at random of a solid-state disk. Without stripes one thread reads and
// applies; with them one thread reads and hands each update to the worker of its stripe.
const (
	readTime  = time.Microsecond
	applyTime = 5 * time.Microsecond
	lookTime  = 100 * time.Microsecond
)

// passage is what a restore needs, by place in the log.
type passage struct {
	Cut           cutID
	Base          int // the full snapshot, -1 for the first one, which is not in the log
	Previous      int // FINISH of the increment before, -1 if there is none
	Start, Finish int // of a full snapshot both are where that is
}

// Restore gives what restoring a cut brings back, or a full snapshot, from this log, and what that
// costs. It is an error if the log does not have all of it: each increment from the first one on,
// and FINISH of the last.
func (l Log) Restore(name string) (restored, error) { return l.restore(name, replayRules{}) }

// restore is Restore by rules.
func (l Log) restore(name string, rules replayRules) (restored, error) {
	return l.restoreOn(nil, name, rules)
}

// restoreOn is restore for the log of a node that has got the partitions first at its set-up, which
// are the full snapshot that is there at first. The filter on near ids is as the shipped code has
// it: it goes through the log record by record.
func (l Log) restoreOn(first []partition, name string, rules replayRules) (restored, error) {
	if rules.Finishless {
		l = l.closed(name)
	}
	p, err := l.passage(name, rules)
	if err != nil {
		return restored{}, err
	}
	r := newReplay(p.Cut, rules, l.dataOf(p, first))
	f := newFilter(l, p, rules)
	for at := p.Base + 1; at < p.Finish; at++ {
		switch rec := l[at].(type) {
		case startRecord:
			f.start(rec.Cut)
		case finishRecord:
			f.finish(at)
		case dataRecord:
			if f.passes(rec.txID) {
				r.apply(rec)
			}
		default:
			r.other(rec)
		}
	}
	got := r.end()
	got.Cost.Searched = len(l) + len(l.lastSegment(p))
	got.Cost.Read = p.Finish - p.Base
	got.Cost.Time = time.Duration(got.Cost.Searched+got.Cost.Read)*readTime +
		time.Duration(got.Cost.Applied)*applyTime
	return got, nil
}

// dataOf is the full snapshot that a passage begins with.
func (l Log) dataOf(p passage, first []partition) []partition {
	if p.Base < 0 {
		return first
	}
	return l[p.Base].(baseRecord).Data
}

// lastSegment are the records from the end of the segment before it to FINISH, which is read first
// (4, step 3): each FINISH ends a segment.
func (l Log) lastSegment(p passage) Log {
	if p.Finish <= p.Base {
		return nil
	}
	for at := p.Finish - 1; at > p.Base; at-- {
		if _, ok := l[at].(finishRecord); ok {
			return l[at+1 : p.Finish+1]
		}
	}
	return l[p.Base+1 : p.Finish+1]
}

// filter is on near ids (4, step 5). What is before START of the cut passes unless the cut excludes
// it, which of a later increment is asked only after FINISH of the one before: by then all that the
// cut could exclude had begun. What is after START passes only if the cut includes it.
type filter struct {
	rules              replayRules
	passage            passage
	excludes, includes bool // whether the sets are asked
	excluded, included []txID
}

func newFilter(l Log, p passage, rules replayRules) *filter {
	f := &filter{rules: rules, passage: p, excludes: p.Previous < 0 || rules.Undrained}
	if p.Finish > p.Base {
		end := l[p.Finish].(finishRecord)
		f.excluded, f.included = end.Excluded, end.Included
	}
	return f
}

func (f *filter) start(c cutID) {
	open := f.rules.AnyStart && f.excludes
	if c == f.passage.Cut || open {
		f.includes = true
	}
}

func (f *filter) finish(at int) {
	if at == f.passage.Previous && !f.rules.NoPrevious {
		f.excludes = true
	}
}

func (f *filter) passes(t txID) bool {
	switch {
	case f.includes && f.rules.Filter == onlyExcluded:
		return !holds(f.excluded, t)
	case f.includes:
		return holds(f.included, t)
	case f.excludes && f.rules.Filter != onlyIncluded:
		return !holds(f.excluded, t)
	}
	return true
}

// passage finds what a restore needs: it goes through the log for each.
func (l Log) passage(name string, rules replayRules) (passage, error) {
	inc, at := l.increment(name)
	switch {
	case at >= 0 && (!inc.Removed || rules.TakesFailed):
		return l.chain(inc, at, rules)
	case at >= 0:
		return passage{}, fmt.Errorf("increment %s has been taken back: its cut failed", name)
	}
	if base, ok := l.baseBefore(len(l), name); ok {
		return passage{Base: base, Previous: -1, Start: base, Finish: base}, nil
	}
	if rules.TakesFailed || rules.Finishless {
		if c, m := l.finished(name); m.complete() {
			return passage{c, -1, -1, m.Start, m.Finish}, nil
		}
	}
	return passage{}, &absentCut{l, name}
}

// absentCut is the error that nothing of a name can be restored from a log. Checks meet it in each
// run and do not read it, so its text is made when it is asked for.
type absentCut struct {
	log  Log
	name string
}

func (e *absentCut) Error() string {
	return fmt.Sprintf("no increment and no full snapshot is called %q here%s", e.name,
		sim.DidYouMean(e.name, e.log.restorable()))
}

// increment is the newest record of an increment, and where it is.
func (l Log) increment(name string) (incrementRecord, int) {
	for at := len(l) - 1; at >= 0; at-- {
		if r, ok := l[at].(incrementRecord); ok && r.Cut.Name == name {
			return r, at
		}
	}
	return incrementRecord{}, -1
}

// finished is the cut of a name that has FINISH.
func (l Log) finished(name string) (cutID, marks) {
	for _, c := range l.cutsOf() {
		if m := l.marksOf(c); c.Name == name && m.complete() {
			return c, m
		}
	}
	return cutID{}, marks{-1, -1}
}

// closed is a log with a FINISH at its end, if the cut of a name has only START.
func (l Log) closed(name string) Log {
	for _, c := range l.cutsOf() {
		if c.Name == name && !l.marksOf(c).complete() {
			return append(slices.Clip(l), finishRecord{Cut: c})
		}
	}
	return l
}

// baseBefore is the last full snapshot of a name before a place. The first one is always there.
func (l Log) baseBefore(at int, name string) (int, bool) {
	for at--; at >= 0; at-- {
		if r, ok := l[at].(baseRecord); ok && r.Name == name {
			return at, true
		}
	}
	return -1, name == firstBase
}

// chain is the passage of an increment: its base, all increments up to it, and its marks.
func (l Log) chain(inc incrementRecord, at int, rules replayRules) (passage, error) {
	p := passage{Cut: inc.Cut, Previous: -1}
	m := l[:at+1].marksOf(inc.Cut)
	if p.Start, p.Finish = m.Start, m.Finish; !m.complete() {
		return p, fmt.Errorf("increment %s has no FINISH here", inc.Cut.Name)
	}
	var ok bool
	if p.Base, ok = l.baseBefore(p.Start, inc.Base); !ok {
		return p, fmt.Errorf("increment %s is of the full snapshot %s, which is not here",
			inc.Cut.Name, inc.Base)
	}
	if inc.Removed {
		return p, nil // taken, though it failed: which others there were does not matter
	}
	for k := inc.Index - 1; k >= 1; k-- {
		before, ok := l.numbered(p, inc.Base, k)
		if !ok {
			return p, fmt.Errorf("increment %d of %s is not here, and %s is its number %d", k, inc.Base,
				inc.Cut.Name, inc.Index)
		}
		marks := l.marksOf(before)
		if !marks.complete() || marks.Finish > p.Start || marks.Finish < p.Base {
			return p, fmt.Errorf("increment %s before %s has no FINISH here", before.Name, inc.Cut.Name)
		}
		if k == inc.Index-1 {
			p.Previous = marks.Finish
		}
	}
	return p, nil
}

// numbered is the cut that made an increment with a number, if it stands.
func (l Log) numbered(p passage, base string, k int) (cutID, bool) {
	for at := p.Start - 1; at > p.Base; at-- {
		r, ok := l[at].(incrementRecord)
		if !ok || r.Base != base || r.Index != k {
			continue
		}
		if newest, _ := l.increment(r.Cut.Name); !newest.Removed {
			return r.Cut, true
		}
	}
	return cutID{}, false
}

// restorable are the names that a restore can have from this log.
func (l Log) restorable() []string {
	names := []string{firstBase}
	for _, r := range l {
		name := ""
		switch r := r.(type) {
		case baseRecord:
			name = r.Name
		case incrementRecord:
			if newest, _ := l.increment(r.Cut.Name); !newest.Removed {
				name = r.Cut.Name
			}
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
