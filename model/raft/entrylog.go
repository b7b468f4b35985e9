package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// entryLog is the log of Figure 2 behind a snapshot, as it stands in memory. Entries are never
// overwritten, since messages show them: a log that is cut begins a new list.
type entryLog struct {
	base, baseTerm int64 // what the snapshot ends with
	entries        []Entry
	places         []sim.LSN // of the entries' records on the disk
}

// last is the index of the last entry.
func (l *entryLog) last() int64 { return l.base + int64(len(l.entries)) }

// term is the term of the entry at index, -1 if it is not known: there is none, or it is in the
// snapshot.
func (l *entryLog) term(index int64) int64 {
	switch {
	case index == l.base:
		return l.baseTerm
	case index < l.base, index > l.last():
		return -1
	}
	return l.at(index).Term
}

// at is the entry at index, which must be behind the snapshot.
func (l *entryLog) at(index int64) Entry { return l.entries[index-l.base-1] }

// from are at most so many entries from index on.
func (l *entryLog) from(index int64, most int) []Entry {
	first := int(index - l.base - 1)
	end := min(len(l.entries), first+most)
	return l.entries[first:end:end]
}

// firstOf is the first entry behind the snapshot of the term that the one at index has.
func (l *entryLog) firstOf(index int64) int64 {
	for index > l.base+1 && l.term(index-1) == l.term(index) {
		index--
	}
	return index
}

// put adds an entry in the place of the one with its index and of all behind.
func (l *entryLog) put(e Entry, place sim.LSN) {
	l.cut(e.Index - 1)
	l.entries, l.places = append(l.entries, e), append(l.places, place)
}

// cut drops the entries behind index.
func (l *entryLog) cut(index int64) {
	if keep := int(max(0, index-l.base)); keep < len(l.entries) {
		l.entries, l.places = slices.Clone(l.entries[:keep]), l.places[:keep]
	}
}

// compact lets a snapshot stand for all up to index. What follows is kept only if it follows that
// very entry (Figure 13, 6 and 7).
func (l *entryLog) compact(index, term int64) {
	if l.term(index) == term {
		gone := int(index - l.base)
		l.entries, l.places = slices.Clone(l.entries[gone:]), slices.Clone(l.places[gone:])
	} else {
		l.entries, l.places = nil, nil
	}
	l.base, l.baseTerm = index, term
}

// before is up to where the disk may forget: all records before that of the first entry.
func (l *entryLog) before(last sim.LSN) sim.LSN {
	if len(l.places) == 0 {
		return last
	}
	return l.places[0] - 1
}

// upToDate says that a log that ends so is at least as up-to-date as this one (5.4.1).
func (l *entryLog) upToDate(lastIndex, lastTerm int64) bool {
	mine := l.term(l.last())
	return lastTerm > mine || lastTerm == mine && lastIndex >= l.last()
}
