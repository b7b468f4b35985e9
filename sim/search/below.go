package search

import (
	"cmp"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// From below. Dropping what can go ends wherever nothing more can, and ten failing runs end in
// several such places. So once a plan is small, all plans that are smaller still are tried in one
// order, the plainest first, and the first that fails is taken: it no longer matters from which run
// the way down began.
//
//	nodes      lines                    exceptions among them
//	P          0                        -
//	P          1   P read x             -
//	...
//	P Q        3   P write x 1          delay P->Q store x 1
//	               at 10ms Q read x
//
// Such a plan is a script of a few of the protocol's requests, on some nodes, at some pace, with at
// most two faults of the catalogue of its run. Small levels are tried in full, with the requests
// that the protocol draws. Of larger ones only what resembles the plan: its kinds of request, and
// its kinds of fault.

// level is a size of plans.
type level struct{ nodes, lines, exceptions int }

func (l level) requests() int { return l.lines - l.exceptions }

// small says that a level is tried in full.
func (l level) small() bool {
	switch l.lines {
	case 0, 1:
		return true
	case 2:
		return l.nodes <= 3 || l.exceptions > 0
	case 3:
		return l.nodes <= 2
	}
	return false
}

// size orders levels: small ones first and by their lines, others by lines and nodes together,
// where a node counts for two lines; then fewer nodes first, then fewer requests.
func (l level) size() int64 {
	first := int64(l.lines)
	if !l.small() {
		first = 1<<10 + int64(2*l.nodes+l.lines)
	}
	return first<<20 + int64(l.nodes)<<10 + int64(l.requests())
}

func compareLevels(a, b level) int { return cmp.Compare(a.size(), b.size()) }

// The bounds of what is tried.
const (
	mostNodes      = 4
	mostLines      = 6
	mostRequests   = 3
	mostExceptions = 4
	mostEvents     = 500_000 // handled in all of its runs
)

// levelOf is the level of a plan, whether or not the plan is of those that are tried. What its
// script does beside requests and joins counts as an exception does, and so does a slow disk.
func levelOf(p *sim.Plan) level {
	l := level{len(p.Nodes) + len(p.Later), actions(p) + len(p.Chance), len(p.Chance)}
	for i := range actions(p) {
		if v := actionAt(p, i).Verb; v != sim.Request && v != sim.Join {
			l.exceptions++
		}
	}
	if p.Network.DiskSlow {
		l.lines++
		l.exceptions++
	}
	return l
}

// levels are those up to a plan's own, in order.
func levels(p *sim.Plan) []level {
	var all []level
	own := levelOf(p)
	for nodes := 1; nodes <= min(mostNodes, own.nodes); nodes++ {
		for lines := range mostLines + 1 {
			all = append(all, mixes(nodes, lines)...)
		}
	}
	all = slices.DeleteFunc(all, func(l level) bool { return compareLevels(l, own) > 0 })
	slices.SortStableFunc(all, compareLevels)
	return all
}

// mixes are the levels of some nodes and lines.
func mixes(nodes, lines int) []level {
	var all []level
	for requests := max(0, lines-mostExceptions); requests <= min(lines, mostRequests); requests++ {
		all = append(all, level{nodes, lines, lines - requests})
	}
	return all
}

// below looks for the plainest plan that fails and is not larger than p: among the small ones, then
// among larger ones that resemble p.
func (s *Shrinking) below(p *sim.Plan) *sim.Plan {
	if p.Network.Manual {
		return nil
	}
	s.events = 0
	for _, e := range s.enumerations(p) {
		e.Shrinking, e.like = s, p
		e.kinds &= stood(p.Protocol)
		e.must &= e.kinds
		if q := e.first(); q != nil {
			return q
		}
	}
	return nil
}

// enumerations are what is tried: what is small; with one delay or loss at most; one request with
// two faults of messages; what has faults like those of p. What takes a crash and a restart is
// unlikely to do without.
func (s *Shrinking) enumerations(p *sim.Plan) []*enumeration {
	own, shapes := kindsOf(p), drawnAs(shapesOf(p), s.shapes)
	all := []*enumeration{{small: true, shapes: merged(s.shapes, shapes), kinds: everything}}
	must := hardest(own)
	if must&(torn|restarted) == 0 {
		all = append(all,
			&enumeration{shapes: shapes, kinds: delayed | lost | broken, single: true},
			&enumeration{shapes: shapes, kinds: lost | broken | copied, alone: true})
	}
	return append(all, &enumeration{shapes: shapes, kinds: own | delayed | lost | broken, must: must})
}

// hardest is the kind of fault that a plan is least likely to do without.
func hardest(all kinds) kinds {
	for _, k := range []kinds{torn, restarted, copied, crashed} {
		if all&k != 0 {
			return k
		}
	}
	return 0
}

// enumeration tries plans in order.
type enumeration struct {
	*Shrinking
	like   *sim.Plan
	small  bool // of small levels, else of the others
	shapes []shape
	kinds  kinds // of faults to try
	must   kinds // that a plan has
	single bool  // one fault, not two
	alone  bool  // one request
}

func (e *enumeration) done() bool { return e.spent >= e.limit || e.events >= mostEvents }

// first is the first plan that fails.
func (e *enumeration) first() *sim.Plan {
	for _, l := range levels(e.like) {
		if l.small() != e.small || l.exceptions < e.must.size() || e.alone && l.requests() > 1 {
			continue
		}
		for _, c := range e.casts(l.nodes) {
			if q := e.level(l, c); q != nil || e.done() {
				return q
			}
		}
	}
	return nil
}

// cast is who is there from the start, and who joins.
type cast struct{ nodes, later []string }

// casts are those of so many nodes: nobody joins, or the last one does.
func casts(n int, joins bool) []cast {
	names := namesOf(n)
	all := []cast{{nodes: names}}
	if joins && n > 1 {
		all = append(all, cast{names[: n-1 : n-1], names[n-1:]})
	}
	return all
}

// casts are those that the plan's set-up allows: it speaks of its own nodes.
func (e *enumeration) casts(n int) []cast {
	own := cast{e.like.Nodes, e.like.Later}
	switch {
	case len(e.like.Setup) == 0:
		return casts(n, len(own.later) > 0)
	case n == len(own.nodes)+len(own.later):
		return []cast{own}
	}
	return nil
}

// namesOf are names for n nodes.
func namesOf(n int) []string {
	var names []string
	for i := range n {
		names = append(names, string(rune('P'+i)))
	}
	return names
}

// level tries the plans of one level.
func (e *enumeration) level(l level, c cast) *sim.Plan {
	requests := l.requests()
	all := tempos(requests, l.exceptions == 0, e.timed)
	if e.must != 0 {
		slices.Reverse(all) // beside a node that goes down, requests are best kept apart
	}
	w := &writer{cast: c, shapes: e.shapes, lines: requests, capped: !e.small}
	for _, tempo := range all {
		for script := range w.scripts() {
			q := e.faulty(e.plan(c, script, tempo), l.exceptions)
			if q != nil || e.done() {
				return q
			}
		}
	}
	return nil
}

// plan is a plan without faults.
func (e *enumeration) plan(c cast, script []sim.Action, p tempo) *sim.Plan {
	q := *e.like
	q.Nodes, q.Later, q.Load, q.Chance = c.nodes, c.later, nil, nil
	q.Timed = !p.still
	n := &e.like.Network
	q.Network = sim.Network{InFlight: n.InFlight, Detect: n.Detect, Timeout: n.Timeout}
	if q.Timed {
		q.Network.Links = everywhere()
	} else {
		q.Network.Detect, q.Network.Timeout = 0, 0
	}
	q.Script = slices.Clone(script)
	for i := range q.Script {
		a := &q.Script[i]
		if a.Verb == sim.Request {
			a.Client = p.client
		}
		if i > 0 && p.gaps[min(i, 2)-1] > 0 {
			a.Place, a.Offset = sim.At, p.gaps[min(i, 2)-1]
		}
	}
	return &q
}

// everywhere is the plainest network of a timed plan: every message takes a millisecond.
func everywhere() []sim.Link {
	return []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: time.Millisecond}}}
}

// faulty tries a plan with so many exceptions: one fault of the catalogue, or two.
func (e *enumeration) faulty(q *sim.Plan, exceptions int) *sim.Plan {
	if exceptions == 0 {
		return e.try(q)
	}
	for _, f := range e.catalogue(q, e.kinds) {
		var found *sim.Plan
		switch left := exceptions - len(f.list); {
		case left == 0 && f.kinds&e.must == e.must:
			found = e.try(with(q, f))
		case left > 0 && !e.single:
			found = e.second(with(q, f), f, left)
		}
		if found != nil || e.done() {
			return found
		}
	}
	return nil
}

// second adds one more fault, later in the run, of so many exceptions.
func (e *enumeration) second(q *sim.Plan, first fault, exceptions int) *sim.Plan {
	if exceptions > mostOfFault {
		return nil
	}
	for _, f := range e.catalogue(q, e.kinds) {
		if f.at <= first.at || len(f.list) != exceptions || (f.kinds|first.kinds)&e.must != e.must {
			continue
		}
		if found := e.try(with(q, f)); found != nil {
			return found
		}
	}
	return nil
}

// try is a plan if it fails.
func (e *enumeration) try(p *sim.Plan) *sim.Plan {
	if e.fails(p) {
		return p
	}
	return nil
}

// with is a plan with one more fault.
func with(p *sim.Plan, f fault) *sim.Plan {
	q := *p
	q.Chance = slices.Concat(p.Chance, f.list)
	return &q
}

// tempo is when the requests of a script are made.
type tempo struct {
	still  bool
	client int              // that makes all of them, each when the one before has returned
	gaps   [2]time.Duration // when the second and the third are made, 0 for with the one before
}

// tempos are the ways to make some requests: in still time, all at once, by one client, some time
// after each other. With faults there are fewer, since each has a catalogue.
func tempos(requests int, bare, timed bool) []tempo {
	var all []tempo
	if bare {
		all = append(all, tempo{still: true})
	}
	if !timed {
		return all
	}
	all = append(all, tempo{})
	if requests < 2 {
		return all
	}
	all = append(all, tempo{client: 1})
	gaps := []time.Duration{1, 2, 5, 10}
	if !bare {
		gaps = gaps[3:]
	}
	for _, g := range gaps {
		g *= time.Millisecond
		all = append(all, tempo{gaps: [2]time.Duration{g, 2 * g}})
		if bare && requests > 2 {
			all = append(all, tempo{gaps: [2]time.Duration{g, g}}, tempo{gaps: [2]time.Duration{0, g}})
		}
	}
	return all
}
