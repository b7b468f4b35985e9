package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// crdtGoals are the situations without which clean runs of replicated objects would say little.
func crdtGoals() []sim.Goal {
	return []sim.Goal{
		{Name: "add-meets-del", Doc: "an add and a del of one element had not seen each other",
			Count: func(run *sim.Run) int { return pairs(run, addMeetsDel) }},
		{Name: "added-again", Doc: "an element was added after a del of it had been seen",
			Count: func(run *sim.Run) int { return pairs(run, addedAgain) }},
		{Name: "sets-meet", Doc: "two sets of one last-write register had not seen each other",
			Count: func(run *sim.Run) int { return pairs(run, meetsOf(verbSet)) }},
		{Name: "keeps-meet", Doc: "two keeps of one multi-value register had not seen each other",
			Count: func(run *sim.Run) int { return pairs(run, meetsOf(verbKeep)) }},
		{Name: "counts-meet", Doc: "edits of one counter at two replicas had not seen each other",
			Count: func(run *sim.Run) int { return pairs(run, countsMeet) }},
		{Name: "three-merged", Doc: "a replica had edits of three replicas in an object, no two " +
			"of which had seen each other", Count: threeMerged},
		{Name: "edit-asked-twice", Doc: "a replica was asked again for an edit that it had made",
			Count: editAskedTwice},
		{Name: "object-over-restart", Doc: "a replica had an object after a restart",
			Count: objectOverRestart},
	}
}

// apartFrom says that neither of two edits of one object had seen the other.
func (d *madeEdit) apartFrom(e *madeEdit) bool {
	return d.Edit.on(e.Edit.Type, e.Edit.Key) && !d.saw(e) && !e.saw(d) && d.Call != e.Call
}

// pairs counts the ordered pairs of edits of one object, the first said first, that are so.
func pairs(run *sim.Run, so func(d, e *madeEdit) bool) int {
	n, b := 0, bookOf(run)
	for i := range b.made {
		for k := range b.made[:i] {
			d, e := &b.made[k], &b.made[i]
			if d.Edit.on(e.Edit.Type, e.Edit.Key) && so(d, e) {
				n++
			}
		}
	}
	return n
}

func addMeetsDel(d, e *madeEdit) bool {
	return d.Edit.Type == orSet && d.Edit.Word == e.Edit.Word && d.Edit.Verb != e.Edit.Verb &&
		d.apartFrom(e)
}

func addedAgain(d, e *madeEdit) bool {
	return d.Edit.Verb == verbDel && e.Edit.Verb == verbAdd && d.Edit.Word == e.Edit.Word &&
		e.saw(d)
}

func meetsOf(verb string) func(d, e *madeEdit) bool {
	return func(d, e *madeEdit) bool { return d.Edit.Verb == verb && d.apartFrom(e) }
}

func countsMeet(d, e *madeEdit) bool {
	return d.Edit.Type <= pnCounter && d.node != e.node && d.apartFrom(e)
}

// threeMerged counts what was said of objects that three replicas had edited, none seeing another.
func threeMerged(run *sim.Run) int {
	n, b := 0, bookOf(run)
	for _, s := range b.said {
		in, _ := b.edits(s.Calls)
		if slices.ContainsFunc(in, func(d madeEdit) bool { return meetsTwo(in, &d) }) {
			n++
		}
	}
	return n
}

// meetsTwo says that two more edits of other replicas had not seen each other, nor d.
func meetsTwo(in []madeEdit, d *madeEdit) bool {
	for i := range in {
		e := &in[i]
		if e.node == d.node || !e.apartFrom(d) {
			continue
		}
		for k := range in[:i] {
			f := &in[k]
			if f.node != d.node && f.node != e.node && f.apartFrom(d) && f.apartFrom(e) {
				return true
			}
		}
	}
	return false
}

// editAskedTwice counts questions for an edit that their receiver had said it made.
func editAskedTwice(run *sim.Run) int {
	n, b := 0, bookOf(run)
	for i, c := range parts[change](run) {
		at, known := b.at[c.Call]
		if known && b.made[at].entry < i && b.made[at].node == run.Trace[i].Node {
			n++
		}
	}
	return n
}

// objectOverRestart counts what nodes said of objects as they started.
func objectOverRestart(run *sim.Run) int {
	n := 0
	for _, s := range bookOf(run).said {
		if c := run.Trace[s.entry].Cause; c >= 0 && run.Trace[c].Kind == sim.EntryStarted {
			n++
		}
	}
	return n
}
