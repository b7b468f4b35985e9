package checker

import (
	"math"
	"slices"

	"github.com/downset/downset/sim"
)

// Where the line of a cut runs through a node that drew no point of it.
const (
	nowhere    int32 = -2            // it owes its point: the cut is not finished
	beforeAll  int32 = -1            // it came after the cut: all it did is after
	afterEvery int32 = math.MaxInt32 // it was gone before the cut: all it did is before
)

// reading is what a cut model sees in a run: its cuts, and when messages take effect.
type reading struct {
	run     *sim.Run
	trace   sim.Trace
	model   *CutModel
	width   int             // nodes
	cuts    []cutLine       // in the order of their first points
	index   map[string]int  // of cuts, by name; no map here is ever ranged over
	effects map[int32]int32 // deliveries whose handler drew a point: when they took effect
	wiped   map[int]bool    // deliveries that a crash undid
	adopted []number        // by node: the version it joined with
	extra   []extraPoint    // points beyond the first of a node and cut
	known   known           // what some rule has asked for
}

// known is what several rules ask for, each read when first asked for.
type known struct {
	commits     *commits
	transits    *transits
	parts       *parts
	completions []completion // nil: not yet read
	left        []int        // by node: the entry of its first leaving, Never if it stayed
	down        []int        // by node: its last crash
}

// cutLine is one cut, from node to node.
type cutLine struct {
	name     string
	version  number
	at       []int32 // by node: the entry of its point, or a constant above, or of its adoption
	frontier []int32 // by node: the same but where it adopted the cut: there it follows the others
	member   []bool  // by node: it drew a point
	dropped  number  // a node gave it up
	finished bool
}

// number is a number that a fact told, if entry >= 0.
type number struct {
	value int64
	entry int
}

// covers says that both are told and the other is no greater.
func (n number) covers(other number) bool {
	return n.entry >= 0 && other.entry >= 0 && n.value >= other.value
}

// extraPoint is a point of a cut that the node had already drawn.
type extraPoint struct {
	cut   int
	entry int
}

// shared is what the rules of one judging read of a run.
func (m *CutModel) shared(run *sim.Run) *reading {
	if r, ok := run.Memo[m].(*reading); ok && r.run == run {
		return r
	}
	r := m.read(run)
	if run.Memo != nil {
		run.Memo[m] = r
	}
	return r
}

// read collects the cuts of a run.
func (m *CutModel) read(run *sim.Run) *reading {
	r := &reading{run: run, trace: run.Trace, model: m, width: len(run.Nodes),
		index: map[string]int{}, effects: map[int32]int32{}, wiped: map[int]bool{}}
	r.adopted = slices.Repeat([]number{{entry: -1}}, r.width)
	life, crashed := make([]lifetime, r.width), false
	for i := range r.trace {
		e := &r.trace[i]
		if int(e.Node) >= r.width {
			continue
		}
		life[e.Node].see(e.Kind, int32(i))
		crashed = crashed || e.Kind == sim.EntryCrashed
		if e.Kind == sim.EntryNoted && e.Body != nil {
			r.readFact(i)
		}
	}
	if crashed {
		r.readCrashes()
	}
	for c := range r.cuts {
		r.finish(&r.cuts[c], life)
	}
	return r
}

// lifetime is when a node's machine did something, and when it went down for the last time.
type lifetime struct {
	stepped     bool
	first, last int32 // steps
	down        int32 // crash or leave after the last step, 0 if none
}

func (l *lifetime) see(kind sim.EntryKind, at int32) {
	switch {
	case kind == sim.EntryCrashed || kind == sim.EntryLeft:
		if l.down == 0 {
			l.down = at
		}
	case kind.Local():
		if !l.stepped {
			l.stepped, l.first = true, at
		}
		l.last, l.down = at, 0
	}
}

func (r *reading) readFact(entry int) {
	e := &r.trace[entry]
	if name, ok := r.model.Point(e.Body); ok {
		r.readPoint(entry, name)
	}
	version, ok := read(r.model.Adopt, e.Body)
	if adopted := &r.adopted[e.Node]; ok && (adopted.entry < 0 || adopted.value < version) {
		*adopted = number{version, entry}
	}
	if name, ok := read(r.model.Abandon, e.Body); ok {
		r.cuts[r.cut(name)].dropped.entry = entry
	}
}

func (r *reading) readPoint(entry int, name string) {
	r.readEffect(entry)
	c := r.cut(name)
	line, node := &r.cuts[c], r.trace[entry].Node
	if line.member[node] {
		if !r.repeats(entry) {
			r.extra = append(r.extra, extraPoint{c, entry})
		}
		return
	}
	line.at[node], line.member[node] = int32(entry), true
	if version, ok := read(r.model.Version, r.trace[entry].Body); ok {
		line.version = number{version, entry}
	}
}

// repeats says that a machine says this at its restart, of what its disk holds.
func (r *reading) repeats(entry int) bool {
	cause := r.trace[entry].Cause
	return cause >= 0 && r.trace[cause].Kind == sim.EntryStarted
}

// cut is the index of a cut, new if need be.
func (r *reading) cut(name string) int {
	c, ok := r.index[name]
	if ok {
		return c
	}
	c = len(r.cuts)
	r.index[name] = c
	at := slices.Repeat([]int32{nowhere}, r.width)
	none := number{entry: -1}
	r.cuts = append(r.cuts, cutLine{name: name, version: none, dropped: none, at: at, frontier: at,
		member: make([]bool, r.width)})
	return c
}

// finish puts the nodes in their places that drew no point of a cut, and says whether it is
// finished.
func (r *reading) finish(line *cutLine, life []lifetime) {
	first, last := afterEvery, nowhere
	for n, at := range line.at {
		if line.member[n] {
			first, last = min(first, at), max(last, at)
		}
	}
	line.finished = line.dropped.entry < 0 && last != nowhere
	free := false
	for n := range line.at {
		switch l := &life[n]; {
		case line.member[n]:
		case !l.stepped || l.first > last:
			line.at[n] = beforeAll
		case l.down > 0 && l.down < first:
			line.at[n] = afterEvery
		case r.adopted[n].covers(line.version):
			line.at[n], free = int32(r.adopted[n].entry), true
		default:
			line.finished = false
		}
	}
	if line.finished && free {
		r.follow(line)
	}
}

// follow draws the frontier through nodes that adopted a cut: of what they did before they acted
// with its version, only what others had taken in before their points is before the cut.
func (r *reading) follow(line *cutLine) {
	line.frontier = slices.Clone(line.at)
	free := make([]bool, r.width)
	for n, at := range line.at {
		if !line.member[n] && at >= 0 && at != afterEvery {
			free[n], line.frontier[n] = true, beforeAll
		}
	}
	for d := len(r.trace) - 1; d >= 0; d-- {
		from := r.source(d)
		if from < 0 || r.effect(d) >= line.frontier[r.trace[d].Node] {
			continue
		}
		if sender := r.trace[from].Node; free[sender] {
			line.frontier[sender] = max(line.frontier[sender], int32(from)+1)
		}
	}
}

// before says that what happened at an entry is before a cut.
func (c *cutLine) before(trace sim.Trace, entry int) bool {
	return int32(entry) < c.at[trace[entry].Node]
}

// finishedCuts counts the finished cuts: the premises of most rules.
func (r *reading) finishedCuts() int {
	count := 0
	for c := range r.cuts {
		if r.cuts[c].finished {
			count++
		}
	}
	return count
}

// nameAt is the name of the node of an entry.
func (r *reading) nameAt(entry int) string { return r.run.Name(r.trace[entry].Node) }

// noted reads an entry if it is a fact that f knows.
func noted[T any](r *reading, entry int, f func(sim.Body) (T, bool)) (value T, ok bool) {
	if r.trace[entry].Kind != sim.EntryNoted || !isStep(r.run, entry) {
		return value, false
	}
	return read(f, r.trace[entry].Body)
}

// read asks a function of a model that may be missing, about a body that may be.
func read[T any](f func(sim.Body) (T, bool), b sim.Body) (value T, ok bool) {
	if f == nil || b == nil {
		return value, false
	}
	return f(b)
}

// is does the same for functions that only say yes or no.
func is(f func(sim.Body) bool, b sim.Body) bool { return f != nil && b != nil && f(b) }
