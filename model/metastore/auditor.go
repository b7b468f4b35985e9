package metastore

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// audit walks through what one watch was told, and holds it against the log.
type audit struct {
	*ledger
	*stream
	v *views

	start   int64 // the revision with which it began
	covered int64 // up to here its client has been told that it has everything
	claim   int   // the entry that said so
	marked  bool  // by a parcel without events
	last    int64 // the revision of the last event
	lastAt  int
	got     map[place]int // the entry in which an event came
	fresh   bool          // it has not begun since it was made, or has read its range
	opened  int           // the entry in which it began last
	resumed bool          // no event has come since
}

// place is an event's: the revision and the key.
type place struct {
	Rev int64
	Key string
}

// views are what the watches of a run come to, by the name of the property.
type views struct {
	premises map[string]int
	wrong    map[string]*sim.Violation
}

// viewsKey is under what the checks of one judging share the views.
type viewsKey struct{}

func viewsOf(run *sim.Run) *views {
	if v, ok := run.Memo[viewsKey{}].(*views); ok {
		return v
	}
	l := ledgerOf(run)
	v := &views{map[string]int{}, map[string]*sim.Violation{}}
	for _, s := range l.streams {
		a := &audit{ledger: l, stream: s, v: v, got: map[place]int{}, fresh: true}
		a.walk()
	}
	if run.Memo != nil {
		run.Memo[viewsKey{}] = v
	}
	return v
}

// holds counts that a property had something to say.
func (a *audit) holds(name string) { a.v.premises[name]++ }

// fails says that a property does not hold.
func (a *audit) fails(name string, entries []int, format string, args ...any) {
	text := fmt.Sprintf("the watch of %v at %s %s", a.Range, a.run.Name(a.Node),
		fmt.Sprintf(format, args...))
	a.v.wrong[name] = witnessed(a.v.wrong[name], text, entries...)
}

func (a *audit) walk() {
	for _, s := range a.Steps {
		switch f := s.What.(type) {
		case began:
			a.began(s.At, f)
		case saw:
			a.saw(s.At, f)
		case cached:
			if f.Listed {
				a.fresh, a.covered = true, f.Rev
				clear(a.got)
			}
		}
	}
}

// began: a watch that goes on elsewhere begins with what comes next.
func (a *audit) began(at int, f began) {
	a.opened, a.resumed = at, !a.fresh
	if a.fresh {
		a.fresh, a.start, a.covered, a.last = false, f.Next, f.Next-1, 0
		a.claim, a.lastAt = at, at
		clear(a.got)
		a.fromNow(at, f)
		return
	}
	a.holds("resumable")
	if f.Next != a.covered+1 {
		a.fails("resumable", []int{a.claim, at}, "has everything up to %d and goes on with %d",
			a.covered, f.Next)
	}
}

// fromNow: what is made after a watch from now has begun it must be told.
func (a *audit) fromNow(at int, f began) {
	if f.Watch.From != 0 {
		return
	}
	a.holds("begins")
	for i := range a.entries {
		n := &a.entries[i]
		if n.At > at && n.Rev > a.entries[max(i, 1)-1].Rev && n.Rev < f.Next {
			a.fails("begins", []int{at, n.At}, "begins now, and with %d: of %d, which comes after, "+
				"it is not told", f.Next, n.Rev)
		}
	}
}

// saw takes in what a watch was told.
func (a *audit) saw(at int, f saw) {
	rev, compacted := a.revAt(at)
	if f.Batch.Compacted >= 0 {
		a.ends(at, f.Batch.Compacted, compacted)
		return
	}
	for _, e := range f.Batch.Events {
		a.event(at, e)
	}
	a.whole(at, f.Batch)
	a.claims(at, f)
	if f.Batch.To > rev {
		a.fails("bookmarks", []int{at}, "is told that it has everything up to %d, and there is only "+
			"%d", f.Batch.To, rev)
	}
}

// ends: a watch is over only if what comes next is forgotten.
func (a *audit) ends(at int, told, compacted int64) {
	a.holds("forgotten")
	next := max(a.start, a.covered+1)
	if floor := a.dialect.floor(told); told > compacted || next >= floor {
		a.fails("forgotten", []int{at}, "wants what comes from %d on, and is told that it is "+
			"forgotten up to %d; %d is", next, told, compacted)
	}
	a.fresh = true
}

// event takes in one event.
func (a *audit) event(at int, e Event) {
	a.holds("ordered")
	a.holds("unique")
	p := place{e.Mod, e.Key}
	first, twice := a.got[p]
	if e.Mod < a.last {
		a.fails("ordered", []int{a.lastAt, at}, "is told of %d after %d", e.Mod, a.last)
	}
	if twice {
		a.fails("unique", []int{first, at}, "is told twice of %v", e.Item)
	}
	if a.holds("not-before"); e.Mod < a.start {
		a.fails("not-before", []int{at}, "begins with %d and is told of %v", a.start, e.Item)
	}
	if a.marked && e.Mod <= a.covered && !twice && e.Mod >= a.start {
		a.fails("bookmarks", []int{a.claim, at}, "had everything up to %d, and is told of %v",
			a.covered, e.Item)
	}
	a.content(at, e)
	a.missing(at, e.Mod-1, a.gap)
	a.got[p] = at
	if e.Mod > a.last {
		a.last = e.Mod
	}
	a.lastAt, a.resumed = at, false
}

// missing finds what should have come of the revisions up to one, and has not.
func (a *audit) missing(at int, to int64, fails func(at int, e Event)) {
	from := max(a.start, min(a.covered, a.last)+1)
	for _, e := range a.due(a.Range, from, to) {
		if _, came := a.got[place{e.Mod, e.Key}]; !came {
			fails(at, e)
			return
		}
	}
}

// gap: an event has come, and one before it has not.
func (a *audit) gap(at int, e Event) {
	_, compacted := a.revAt(at)
	switch {
	case e.Mod < a.dialect.floor(compacted):
		a.fails("forgotten", []int{a.opened, at}, "is not told of %v, which is forgotten, and goes "+
			"on", e.Item)
	default:
		a.fails("complete", []int{a.opened, at}, "is not told of %v", e.Item)
	}
}

// whole: what one revision did comes at once.
func (a *audit) whole(at int, b Batch) {
	for i := 0; i < len(b.Events); {
		rev, n := b.Events[i].Mod, 0
		for ; i < len(b.Events) && b.Events[i].Mod == rev; i++ {
			n++
		}
		due := len(a.due(a.Range, rev, rev))
		if due > 1 {
			a.holds("whole")
		}
		if n < due {
			a.fails("whole", []int{at}, "is told %d of the %d things that %d did", n, due, rev)
		}
	}
}

// claims: a parcel says up to where its watch has everything.
func (a *audit) claims(at int, f saw) {
	name := "complete"
	if len(f.Batch.Events) == 0 {
		name = "bookmarks"
	}
	a.holds(name)
	a.missing(at, f.Batch.To, func(at int, e Event) {
		if _, compacted := a.revAt(at); e.Mod < a.dialect.floor(compacted) {
			a.gap(at, e)
			return
		}
		a.fails(name, []int{a.opened, at}, "is told that it has everything up to %d, and has not "+
			"been told of %v", f.Batch.To, e.Item)
	})
	if f.Batch.To < a.start-1 {
		a.fails("not-before", []int{at}, "begins with %d and is told how far it is: %d", a.start,
			f.Batch.To)
	}
	if f.Batch.To >= a.covered {
		a.covered, a.claim, a.marked = f.Batch.To, at, len(f.Batch.Events) == 0
	}
}

// content: an event says what its revision did, and of a key that is watched.
func (a *audit) content(at int, e Event) {
	a.holds("content")
	if !a.Range.Has(e.Key) {
		a.fails("content", []int{at}, "is told of %v", e.Item)
		return
	}
	n := a.made(e.Mod)
	due := a.due(Key(e.Key), e.Mod, e.Mod)
	if len(due) == 0 {
		a.fails("content", []int{at}, "is told of %v, which nothing did", e.Item)
		return
	}
	is := due[0]
	was, lived := a.state.live(e.Key, e.Mod-1)
	switch {
	case is.Item != e.Item || is.Time != e.Time:
		a.fails("content", []int{a.entries[n].At, at}, "is told %v at %v, and it is %v at %v",
			e.Item, e.Time, is.Item, is.Time)
	case e.HasPrev && (!lived || e.Prev.Version != was):
		a.fails("content", []int{a.entries[n].At, at}, "is told that there was %v before %v",
			e.Prev, e.Item)
	}
}
