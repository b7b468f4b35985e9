package cut

import (
	"slices"

	"github.com/downset/downset/sim"
)

// goals are the situations that a campaign must reach, so that a clean result means something.
var goals = []sim.Goal{
	{Name: "crossed-forwards", Doc: "a message was sent before a cut and taken up after it",
		Count: func(run *sim.Run) int { return count(run, isA[channel]) }},
	{Name: "crossing-prevented", Doc: "a notification made its receiver draw its point first, which " +
		"would have crossed the cut backwards", Count: func(run *sim.Run) int {
		return count(run, func(e *sim.Entry) bool { return learnedBy(e, "notify") })
	}},
	{Name: "learned-from-request", Doc: "a client's request drew a point",
		Count: func(run *sim.Run) int {
			return count(run, func(e *sim.Entry) bool { return learnedBy(e, "request") })
		}},
	{Name: "learned-otherwise", Doc: "a marker, a start or a question made a node draw its point",
		Count: func(run *sim.Run) int {
			return count(run, func(e *sim.Entry) bool { return learnedBy(e, "ask", "marker", "start") })
		}},
	{Name: "cuts-overlapped", Doc: "a node drew a point while an earlier cut was open there",
		Count: overlaps},
	{Name: "cuts-drawn-at-once", Doc: "a node learned of several cuts at the same place",
		Count: leaps},
	{Name: "completed", Doc: "a node had its whole share of a cut",
		Count: func(run *sim.Run) int { return count(run, isA[complete]) }},
	{Name: "abandoned", Doc: "a node gave up a cut",
		Count: func(run *sim.Run) int { return count(run, isA[abandoned]) }},
	{Name: "crashed-before-telling", Doc: "a node crashed with a transaction on its disk of which " +
		"it had told nobody", Count: untold},
	{Name: "sent-again", Doc: "a notification was sent more than once by its origin",
		Count: repeated},
	{Name: "joined-during-a-cut", Doc: "a node joined while a cut was open", Count: joins},
}

func isA[F sim.Fact](e *sim.Entry) bool {
	_, ok := e.Body.(F)
	return ok
}

func learnedBy(e *sim.Entry, by ...string) bool {
	p, ok := e.Body.(point)
	return ok && slices.Contains(by, p.By)
}

// count counts facts.
func count(run *sim.Run, is func(*sim.Entry) bool) int {
	n := 0
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryNoted && is(e) {
			n++
		}
	}
	return n
}

// openCuts follows how many cuts are open on each node, and calls f at each point drawn.
func openCuts(run *sim.Run, f func(i int, open []int)) {
	open := make([]int, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntryJoined {
			f(i, open)
		}
		if e.Kind != sim.EntryNoted {
			continue
		}
		switch e.Body.(type) {
		case point:
			f(i, open)
			open[e.Node]++
		case complete, abandoned:
			open[e.Node]--
		}
	}
}

func overlaps(run *sim.Run) int {
	n := 0
	openCuts(run, func(i int, open []int) {
		if e := &run.Trace[i]; e.Kind == sim.EntryNoted && open[e.Node] > 0 {
			n++
		}
	})
	return n
}

func joins(run *sim.Run) int {
	n := 0
	openCuts(run, func(i int, open []int) {
		if run.Trace[i].Kind == sim.EntryJoined && slices.Max(open) > 0 {
			n++
		}
	})
	return n
}

// leaps counts points whose handler drew another one before.
func leaps(run *sim.Run) int {
	n, last := 0, make([]int32, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntryNoted || !isA[point](e) {
			continue
		}
		if last[e.Node] == e.Cause+1 {
			n++
		}
		last[e.Node] = e.Cause + 1
	}
	return n
}

// untold counts crashes after an origin wrote a transaction and before it sent anything of it.
func untold(run *sim.Run) int {
	n, mute := 0, make([]bool, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryNoted:
			c, ok := e.Body.(committed)
			mute[e.Node] = ok && c.Origin == e.Node && len(c.To) > 0
		case sim.EntrySent:
			mute[e.Node] = false
		case sim.EntryCrashed:
			if mute[e.Node] {
				n++
			}
			mute[e.Node] = false
		}
	}
	return n
}

// repeated counts sendings of a notification beyond the first on each channel.
func repeated(run *sim.Run) int {
	type sending struct {
		from, to sim.NodeID
		tx       string
	}
	n, seen := 0, map[sending]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntrySent || e.Body.Kind() != "notify" {
			continue
		}
		s := sending{e.Node, e.Peer, sim.KeysOf(e.Body)[0]}
		if seen[s] {
			n++
		}
		seen[s] = true
	}
	return n
}
