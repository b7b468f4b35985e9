package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/downset/downset/sim"
)

// events is what matters of the run, an entry a line, as many as there is room for.
func (r *failureReport) events(room int) []string {
	some := r.telling(room - 1)
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\tentry\ttime\tnode\twhat\tabout\teffect on state\n")
	for _, i := range some {
		e := r.run.Trace[i]
		mark := " "
		if slices.Contains(r.witness, i) {
			mark = ">"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n", mark, i, e.At, r.run.Name(e.Node), e.Kind,
			about(r.run, e), r.effect(i))
	}
	w.Flush()
	var rows []string
	for row := range strings.Lines(text.String()) {
		rows = append(rows, cut(strings.TrimRight(row, "\n"), maxWidth))
	}
	return append(rows, "")
}

// telling are the entries that matter, in order, the most telling first until there is no room: the
// witness and the path between its entries, what was asked, what went wrong, what of the same led
// to it, what else brought nodes what it is about, points of cuts, what was said of it, what else
// led to it, and the latest facts.
func (r *failureReport) telling(room int) []int {
	var some []int
	has := make([]bool, len(r.run.Trace))
	for _, i := range slices.Concat(r.witness, r.inTrace(r.first.Violation.Chain), r.asked(),
		r.wrongs(), r.led(), r.brought(), r.points(), r.stated(), r.causes(), r.facts(),
		r.past()) {
		if !has[i] && len(some) < room {
			some, has[i] = append(some, i), true
		}
	}
	slices.Sort(some)
	return some
}

// keys are what the entries of the witness are about, sorted.
func (r *failureReport) keys() []string {
	var keys []string
	for _, i := range r.witness {
		keys = append(keys, sim.KeysOf(r.run.Trace[i].Body)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// onSubject are the entries up to the last of the witness that have one of its keys, of some kinds.
func (r *failureReport) onSubject(is func(k sim.EntryKind) bool) []int {
	keys := r.keys()
	known := func(key string) bool { return slices.Contains(keys, key) }
	var some []int
	for i, e := range r.run.Trace[:r.last()+1] {
		if is(e.Kind) && slices.ContainsFunc(sim.KeysOf(e.Body), known) {
			some = append(some, i)
		}
	}
	return some
}

// asked are the requests about what the witness is about.
func (r *failureReport) asked() []int {
	return r.onSubject(func(k sim.EntryKind) bool { return k == sim.EntryInvoked })
}

// brought is the mail that first brought the nodes of the witness each thing that it is about: its
// sending and its delivery.
func (r *failureReport) brought() []int {
	type mail struct {
		to   sim.NodeID
		text string
	}
	ends := r.ends()
	seen := map[mail]bool{}
	var some []int
	for _, i := range r.onSubject(func(k sim.EntryKind) bool { return k == sim.EntryDelivered }) {
		e := r.run.Trace[i]
		m := mail{e.Node, sim.Text(e.Body)}
		if seen[m] || !slices.Contains(ends, e.Node) {
			continue
		}
		seen[m] = true
		if e.Cause >= 0 {
			some = append(some, int(e.Cause))
		}
		some = append(some, i)
	}
	return some
}

// ends are the nodes of the witness.
func (r *failureReport) ends() []sim.NodeID {
	var ends []sim.NodeID
	for _, i := range r.witness {
		ends = append(ends, r.run.Trace[i].Node)
	}
	return ends
}

// wrongs are the first things that went wrong, and restarts among them.
func (r *failureReport) wrongs() []int {
	var some []int
	for i := 0; i <= r.last() && len(some) < maxFaults; i++ {
		e := r.run.Trace[i]
		if misfortune(e.Kind) || e.Kind == sim.EntryStarted && e.N > 1 {
			some = append(some, i)
		}
	}
	return some
}

// points are the points of cuts that the nodes of the witness drew.
func (r *failureReport) points() []int {
	if r.protocol.Point == nil {
		return nil
	}
	ends := r.ends()
	var some []int
	for i, e := range r.run.Trace[:r.last()+1] {
		if e.Kind != sim.EntryNoted || !slices.Contains(ends, e.Node) {
			continue
		}
		if _, is := r.protocol.Point(e.Body); is {
			some = append(some, i)
		}
	}
	return some
}

// stated are the facts about what the witness is about, those of its nodes first, the latest of
// either first.
func (r *failureReport) stated() []int {
	all := r.onSubject(func(k sim.EntryKind) bool { return k == sim.EntryNoted })
	ends := r.ends()
	near, far := []int{}, []int{}
	for _, i := range slices.Backward(all) {
		if slices.Contains(ends, r.run.Trace[i].Node) {
			near = append(near, i)
		} else {
			far = append(far, i)
		}
	}
	return append(near, far...)
}

// led is what led to each entry of the witness, and is about the same.
func (r *failureReport) led() []int {
	keys := r.keys()
	return slices.DeleteFunc(r.causes(), func(i int) bool {
		known := func(key string) bool { return slices.Contains(keys, key) }
		return !slices.ContainsFunc(sim.KeysOf(r.run.Trace[i].Body), known)
	})
}

// causes are what led to each entry of the witness, the nearest causes of all of them first,
// without what is small.
func (r *failureReport) causes() []int {
	return slices.DeleteFunc(r.past(), func(i int) bool { return small(r.run.Trace[i].Kind) })
}

// past is all that led to each entry of the witness, the nearest causes of all of them first.
func (r *failureReport) past() []int {
	var some []int
	now := slices.Clone(r.witness)
	for len(now) > 0 {
		var before []int
		for _, i := range now {
			some = append(some, i)
			if cause := int(r.run.Trace[i].Cause); cause >= 0 {
				before = append(before, cause)
			}
		}
		now = before
	}
	return some
}

// small says that an entry is no more than the working of a node: its own queues and its disk.
func small(k sim.EntryKind) bool {
	switch k {
	case sim.EntryQueued, sim.EntryWorked, sim.EntryFired, sim.EntryFlushed, sim.EntrySynced,
		sim.EntryTold:
		return true
	}
	return false
}

// facts are the facts up to the last entry of the witness, the latest first.
func (r *failureReport) facts() []int {
	var some []int
	for i := r.last(); i >= 0; i-- {
		if r.run.Trace[i].Kind == sim.EntryNoted {
			some = append(some, i)
		}
	}
	return some
}
