package search_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// ends is what all ends of a story came to, each once: with a way there, if there is one.
type ends struct {
	sync.Mutex
	verdicts map[string]string
	states   map[string]string
	traces   map[string]string // in the order of what happened before, and of calls
	deep     bool
	count    int
}

func newEnds(deep bool) *ends {
	return &ends{verdicts: map[string]string{}, states: map[string]string{}, traces: map[string]string{}, deep: deep}
}

// add takes up an end. Without deep only properties that do not read the trace count.
func (x *ends) add(run *sim.Run, way string) search.Finding {
	v := checker.Judge(run, run.Plan.Protocol.Properties)
	var verdict []string
	for _, f := range v.Findings {
		if f.Property.Scope == sim.ScopeTrace && !x.deep && slices.ContainsFunc(run.Plan.Protocol.Properties,
			func(p sim.Property) bool { return p.Name == f.Property.Name }) {
			continue
		}
		verdict = append(verdict, fmt.Sprintf("%s %v %v %v", f.Property.Name, f.Violation != nil, f.Undecided != "", f.Premises > 0))
	}
	state, trace := final(run), ""
	if x.deep {
		trace = partial(run)
	}
	x.Lock()
	defer x.Unlock()
	x.count++
	x.verdicts[strings.Join(verdict, ", ")] = way
	x.states[state] = way
	x.traces[trace] = way
	return search.Finding{Broken: v.Broken()}
}

// final is how a run left things: facts and outcomes of each node in their order, disks.
func final(run *sim.Run) string {
	at := make([]strings.Builder, len(run.Nodes))
	for _, e := range run.Trace {
		switch e.Kind {
		case sim.EntryNoted, sim.EntryFailed, sim.EntryInvoked, sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate:
			fmt.Fprintf(&at[e.Node], " %d:%d:%+v", e.Kind, e.N, e.Body)
		}
	}
	text := fmt.Sprint(run.End)
	if run.Panic != nil {
		text += run.Panic.Value
	}
	for i, d := range run.Disks {
		text += fmt.Sprintf("\n%s:%s | %+v %d", run.Nodes[i], at[i].String(), d.Snapshot(), d.Durable())
		for n := d.First(); n <= d.Last(); n++ {
			text += fmt.Sprintf(" %+v", d.At(n))
		}
	}
	return text
}

// partial is a trace up to the epilogue without the order of what is independent: of each node its
// steps with their causes, by place there; of all the order of calls; what is no step as a set.
func partial(run *sim.Run) string {
	trace := run.Trace[:run.Epilogue]
	names := make([]string, len(trace))
	steps := map[sim.NodeID][]string{}
	var calls, rest []string
	for i, e := range trace {
		text := fmt.Sprintf("%d %d>%d %d %+v", e.Kind, e.Node, e.Peer, e.N, e.Body)
		if (e.Kind.Carries() || e.Kind.Local()) && e.Cause >= 0 {
			text += " by " + names[e.Cause]
		}
		switch {
		case e.Kind == sim.EntryInvoked, e.Kind >= sim.EntryReturned && e.Kind <= sim.EntryLate:
			calls = append(calls, text)
			names[i] = fmt.Sprint("call", len(calls))
		case e.Kind.Local():
			steps[e.Node] = append(steps[e.Node], text)
			names[i] = fmt.Sprint(e.Node, "/", len(steps[e.Node]))
		default:
			names[i] = "[" + text + "]" // no matter which of those alike
			rest = append(rest, names[i])
		}
	}
	slices.Sort(rest)
	for _, id := range slices.Sorted(maps.Keys(steps)) {
		calls = append(calls, steps[id]...)
	}
	return strings.Join(append(calls, rest...), "\n")
}

// mostPaths is how many paths a story may have that is played without pruning.
const mostPaths = 1000

// choice is where a path stands at one of its states: the moves there, and which was made.
type choice struct {
	moves []sim.Move
	at    int
}

// unpruned plays every path of a story, from its start each time: no state is ever gone back to, and
// none is left out for being alike another one. It says whether that was possible.
func unpruned(plan *sim.Plan, opt sim.WalkOptions, found *ends) (paths int, ok bool) {
	w := new(sim.World)
	opt.Trace = true
	for path := []choice(nil); ; paths++ {
		if paths == mostPaths {
			return paths, false
		}
		path = play(w, plan, opt, path, found)
		for len(path) > 0 && path[len(path)-1].at+1 == len(path[len(path)-1].moves) {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			return paths + 1, true
		}
		path[len(path)-1].at++
	}
}

// play plays the moves of a path and goes on by first moves until there are none. It adds the ends
// that it comes to after the last of the given moves.
func play(w *sim.World, plan *sim.Plan, opt sim.WalkOptions, path []choice, found *ends) []choice {
	s, err := w.Walk(plan, opt)
	if err != nil {
		panic(err)
	}
	given := len(path)
	for i := 0; ; i++ {
		w.Load(s)
		if i >= given {
			moves := w.Moves(nil)
			if !slices.ContainsFunc(moves, func(m sim.Move) bool { return !m.Optional() }) {
				found.add(w.End(s), fmt.Sprint(s.Path()))
				w.Load(s)
			}
			if len(moves) == 0 {
				return path
			}
			path = append(path, choice{moves, 0})
		}
		c := &path[i]
		m := c.moves[c.at]
		tails, ok := w.Move(m)
		if i >= given-1 && ok && m.Crash == 0 && m.Kind != sim.MoveCrash && s.MayCrash() {
			c.moves = append(c.moves, m.Within(tails, opt.Keep)...)
		}
		if !ok {
			found.add(w.Fallen(), fmt.Sprint(append(s.Path(), m)))
			return path[:i+1]
		}
		s = w.Save(nil)
	}
}

// explored is what Explore finds of the same.
func explored(t *testing.T, plan *sim.Plan, opt sim.WalkOptions, full bool, jobs int) (*ends, search.Explored) {
	t.Helper()
	found := newEnds(opt.Deep)
	x, err := search.Explore(search.Exploration{Plan: plan, Walk: opt, Full: full, All: true, Jobs: jobs,
		Judge: func(run *sim.Run) search.Finding { return found.add(run, "") }})
	if err != nil {
		t.Fatal(err)
	}
	if !x.Complete {
		t.Fatalf("it is not complete: %s", x.Why)
	}
	return found, x
}

// differ says what of two sets is in one of them alone.
func differ(got, want map[string]string) string {
	var text string
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[k]; !ok {
			text += fmt.Sprintf("\nnot found: %s\nthere by %s", k, want[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[k]; !ok {
			text += "\nfound, and no path leads there: " + k
		}
	}
	if len(text) > 2500 {
		text = text[:2500] + "..."
	}
	return text
}

// against compares what was found with what there is.
func (x *ends) against(all *ends) string {
	for _, part := range []struct {
		name      string
		got, want map[string]string
	}{{"verdicts", x.verdicts, all.verdicts}, {"final states", x.states, all.states}, {"traces", x.traces, all.traces}} {
		if d := differ(part.got, part.want); d != "" {
			return fmt.Sprintf("%d %s, want %d:%s", len(part.got), part.name, len(part.want), d)
		}
	}
	return ""
}
