package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// found is the places of a run at which a node may crash.
type found struct {
	run       *sim.Run
	from      int
	last      map[call]int  // boundary of a handler
	crashed   map[call]bool // handlers at whose end, or before, their node crashes already
	all       []Point
	unreached []string
}

// call is a handler of a node, by the entry that it takes up.
type call struct {
	node    sim.NodeID
	handler int32
}

// points are the places that come after so many entries of a run with sim.Options.Boundaries.
func points(run *sim.Run, from int) *found {
	f := &found{run: run, from: from, last: map[call]int{}, crashed: map[call]bool{}}
	for i := range run.Boundaries {
		f.last[call{run.Boundaries[i].Node, run.Boundaries[i].Handler}] = i
	}
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryCrashed {
			f.crashed[call{e.Node, e.Cause}] = true
		}
	}
	before := map[call]*sim.Boundary{} // the boundary before
	for i := range run.Boundaries {
		b := &run.Boundaries[i]
		c := call{b.Node, b.Handler}
		prev := before[c]
		before[c] = b
		if b.Entry < from || b.Left < 0 {
			continue // it did not happen: the node crashes there already
		}
		if f.before(prev, b); f.last[c] == i && !f.crashed[c] {
			f.after(b)
		}
	}
	f.silent()
	slices.SortStableFunc(f.all, func(a, b Point) int { return cmp.Compare(a.Entry, b.Entry) })
	for i := range f.all {
		f.all[i].Index = i
	}
	return f
}

// before adds the place before an effect; prev is the one before in its handler, nil if it is the
// first.
func (f *found) before(prev, b *sim.Boundary) {
	phase := f.handler(int(b.Handler)) + ", before " + f.effect(b)
	if prev != nil {
		phase = "after " + f.effect(prev) + ", before " + f.effect(b)
	}
	f.add(b, "before ", Point{Phase: phase, Entry: b.Entry, Unsynced: b.Unsynced})
}

// after adds the place after the last effect of a handler.
func (f *found) after(b *sim.Boundary) {
	f.add(b, "after ", Point{Phase: "after " + f.effect(b), Entry: b.Entry + 1, Unsynced: b.Left})
}

func (f *found) add(b *sim.Boundary, side string, p Point) {
	p.Node, p.Effect, p.Crash = f.run.Name(b.Node), b.Name.To, b.Crash
	p.Name = b.Name
	p.Name.To = side + b.Name.To
	f.all = append(f.all, p)
}

// effect is an effect in the words of a story, with the receiver of what is sent.
func (f *found) effect(b *sim.Boundary) string {
	words := []string{b.Name.To, b.Name.Of, b.Name.Keys}
	if b.Name.N > 1 {
		words = append(words, ordinal(int(b.Name.N)))
	}
	if b.Peer != sim.Nobody {
		words = append(words, "to", f.run.Name(b.Peer))
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// silent adds the places after handlers that have no effect. A start without effects is no place: a
// crash there is one that lasts longer.
func (f *found) silent() {
	logs := newLogs(f.run)
	for i := range f.run.Trace[:f.run.Epilogue] {
		e := &f.run.Trace[i]
		logs.see(e)
		if i < f.from || !TakesUp(e.Kind) || f.speaks(e.Node, i) {
			continue
		}
		p := Point{Node: f.run.Name(e.Node), Phase: f.handler(i) + ", no effect", Entry: i + 1,
			When: f.event(i), Crash: logs[e.Node].crashes + 1, Unsynced: logs[e.Node].unsynced()}
		switch {
		case p.When != nil:
			f.all = append(f.all, p)
		case e.Kind != sim.EntryStarted:
			f.unreached = append(f.unreached, p.Node+" "+p.Phase)
		}
	}
}

// speaks says that a handler has effects, or crashes with none.
func (f *found) speaks(node sim.NodeID, handler int) bool {
	_, has := f.last[call{node, int32(handler)}]
	cause := f.run.Trace[handler].Cause
	return has || f.crashed[call{node, int32(handler)}] ||
		cause >= 0 && f.crashed[call{node, cause}]
}

// TakesUp says that an entry begins a handler.
func TakesUp(k sim.EntryKind) bool {
	switch k {
	case sim.EntryStarted, sim.EntryArrived, sim.EntryDelivered, sim.EntryWorked, sim.EntryFired,
		sim.EntryLogged, sim.EntryTold, sim.EntryOpened, sim.EntryBroken, sim.EntryHeard:
		return true
	}
	return false
}

// event is what a trigger can wait for to crash a node after a handler without effects: the last
// fact that it notes, else what it took up; nil if there is neither.
func (f *found) event(handler int) *sim.Event {
	e := &f.run.Trace[handler]
	kinds, what, body := []sim.EntryKind{e.Kind}, sim.EventKind(0), e.Body
	at := handler
	switch e.Kind {
	case sim.EntryDelivered, sim.EntryWorked, sim.EntryLogged:
		kinds = []sim.EntryKind{sim.EntryDelivered, sim.EntryWorked, sim.EntryLogged}
		what = sim.Receives
	case sim.EntryFired:
		what = sim.Fires
	}
	for i := handler + 1; i < f.run.Epilogue; i++ {
		n := &f.run.Trace[i]
		if n.Kind == sim.EntryNoted && n.Node == e.Node && int(n.Cause) == handler {
			kinds, what, body, at = []sim.EntryKind{n.Kind}, sim.Notes, n.Body, i
		}
	}
	if what == 0 || body == nil {
		return nil
	}
	return &sim.Event{Node: f.run.Name(e.Node), What: what, Kind: body.Kind(),
		Keys: sim.KeysOf(body), Nth: f.nth(at, kinds, body)}
}

// nth counts the entries up to one that a trigger with the kind and keys of a body takes for it.
func (f *found) nth(at int, kinds []sim.EntryKind, body sim.Body) int {
	n := 0
	for i := range f.run.Trace[:at+1] {
		e := &f.run.Trace[i]
		if e.Node != f.run.Trace[at].Node || !slices.Contains(kinds, e.Kind) ||
			e.Body == nil || e.Body.Kind() != body.Kind() {
			continue
		}
		have := sim.KeysOf(e.Body)
		lacks := func(k string) bool { return !slices.Contains(have, k) }
		if !slices.ContainsFunc(sim.KeysOf(body), lacks) {
			n++
		}
	}
	return n
}

// handler is what a node took up at an entry, in words.
func (f *found) handler(i int) string {
	if i < 0 {
		return "acts"
	}
	e := &f.run.Trace[i]
	switch e.Kind {
	case sim.EntryStarted:
		if e.N > 1 {
			return "restarts"
		}
		return "starts"
	case sim.EntryArrived:
		return "is asked " + label(e.Body)
	case sim.EntryDelivered:
		return "receives " + label(e.Body) + " from " + f.run.Name(e.Peer)
	case sim.EntryWorked:
		return "does its own " + label(e.Body)
	case sim.EntryFired:
		return "fires " + label(e.Body)
	case sim.EntryLogged:
		return "consumes " + label(e.Body)
	case sim.EntryTold, sim.EntrySynced:
		return fmt.Sprintf("%s of its disk up to %d", hears(e.Kind), e.N)
	case sim.EntryOpened, sim.EntryBroken, sim.EntryHeard:
		return strings.TrimSpace("hears of " + f.run.Name(e.Peer))
	}
	return e.Kind.String()
}

func hears(k sim.EntryKind) string {
	if k == sim.EntryTold {
		return "is told"
	}
	return "hears"
}

// label is a body by kind and keys, as stories name it.
func label(b sim.Body) string {
	if b == nil {
		return ""
	}
	return strings.Join(append([]string{b.Kind()}, sim.KeysOf(b)...), " ")
}

// eventWords tells events apart.
func eventWords(e *sim.Event) string {
	return fmt.Sprint(e.Node, " ", e.What, " ", e.Kind, " ", e.Keys, " ", e.Nth)
}

// ordinal is 1st, 2nd, 3rd, 4th, ... 11th, ... 21st.
func ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 && n%10 < 4 {
		ending = [...]string{"th", "st", "nd", "rd"}[n%10]
	}
	return fmt.Sprint(n, ending)
}

// inEpilogue counts the effects that come in the epilogue.
func inEpilogue(run *sim.Run) int {
	n := 0
	for i := run.Epilogue; i < len(run.Trace); i++ {
		switch run.Trace[i].Kind {
		case sim.EntrySent, sim.EntryQueued, sim.EntryPublished, sim.EntryAppended,
			sim.EntryReplaced, sim.EntryFlushed, sim.EntrySynced, sim.EntryReturned:
			n++
		}
	}
	return n
}
