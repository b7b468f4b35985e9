package search

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Shrinking takes a plan whose run fails and gives a smaller one whose run fails in the same way.
// The run is pinned first, so that nothing in it is left to a seed; then whatever can go, goes:
// actions, nodes, exceptions; and what must stay is pulled towards the plainest value that still
// fails.
//
// Dropping an action may lose the failure only because the schedule no longer fits. So when the
// pinned plan without it holds, a few fresh schedules are tried for the smaller plan: this is what
// removes most of a workload.
//
// What is left is the least of its surroundings, not the least of all: another seed ends elsewhere.
// So in the end small plans are tried from below, in an order that knows nothing of the seed.
type Shrinking struct {
	// Same says that a run fails as the original did: the same property, and whatever else the
	// caller asks (that the right variant holds under the same plan).
	Same func(*sim.Plan, *sim.Run) bool
	// Fresh are how many schedules to try for a smaller plan; 0 is 60.
	Fresh int
	// Temper gives a plan a random network by a seed, for fresh schedules; nil: Temper of this
	// package.
	Temper func(p *sim.Plan, seed uint64)
	// Bare is the network before it was tempered, for fresh schedules.
	Bare sim.Network
	// Runs bounds the executions; 0 is 60,000. A third is for what can go, the rest for small plans.
	Runs int

	world  *sim.World
	memo   memo
	spent  int
	limit  int        // of spent, for now
	events int        // handled since the enumeration began
	pool   [][]string // the requests of the original plan, the plainest first
	shapes []shape    // the kinds of request of the protocol
	timed  bool       // the original plan is
}

// Shrunk is what came of it.
type Shrunk struct {
	Plan          *sim.Plan
	Runs          int // executions it took
	Actions       int // left
	Exceptions    int // left
	ActionsWas    int
	ExceptionsWas int
}

// Shrink reduces a plan. It gives nil if the plan's own run does not fail.
func (s *Shrinking) Shrink(p *sim.Plan) *Shrunk {
	if s.Fresh == 0 {
		s.Fresh = 60
	}
	if s.Runs == 0 {
		s.Runs = 60_000
	}
	if s.Temper == nil {
		s.Temper = func(p *sim.Plan, _ uint64) { Temper(p, Mix) }
	}
	s.world, s.memo, s.limit = new(sim.World), memo{}, max(1, s.Runs/3)
	s.pool, s.shapes, s.timed = requests(p), drawnShapes(p), p.Timed
	best := s.pin(p)
	if best == nil {
		return nil
	}
	best = s.sayable(best)
	out := &Shrunk{ActionsWas: actions(best), ExceptionsWas: len(best.Chance)}
	best = s.reduced(best)
	best = s.certain(best)
	s.world, s.memo, s.spent = new(sim.World), memo{}, min(s.spent, s.limit-1)
	if !s.plays(best) {
		panic("sim/search: the shrunk plan does not fail")
	}
	out.Plan, out.Runs = best, s.spent
	out.Actions, out.Exceptions = actions(best), len(best.Chance)
	return out
}

// reduced is the smallest plan that is found.
func (s *Shrinking) reduced(p *sim.Plan) *sim.Plan {
	p = s.rounds(p)
	s.limit = s.Runs
	if q := s.below(p); q != nil {
		return s.polished(q)
	}
	return p
}

// polished is a plan of the enumeration with plainer values, and with less if less will do.
func (s *Shrinking) polished(p *sim.Plan) *sim.Plan {
	p = s.fewer(p, actions(p), dropActions, false)
	p = s.fewer(p, len(p.Chance), dropChance, false)
	return s.plainValues(p)
}

// rounds tries every kind of reduction until none helps.
func (s *Shrinking) rounds(p *sim.Plan) *sim.Plan {
	for s.spent < s.limit {
		q := s.round(p)
		less := weight(q) < weight(p)
		if weight(q) <= weight(p) {
			p = q
		}
		if !less {
			break
		}
	}
	return p
}

// certain drops the maybe of lines that do come to something.
func (s *Shrinking) certain(p *sim.Plan) *sim.Plan {
	for i := range actions(p) {
		if !actionAt(p, i).Maybe {
			continue
		}
		q := editable(p)
		actionAt(q, i).Maybe = false
		s.spent++
		run, err := s.world.Execute(q, sim.Options{})
		if err == nil && len(run.Stale) == 0 && s.Same(q, run) {
			p = q
		}
	}
	return p
}

// pin plays a plan and, if it fails, gives the plan that fails without a seed.
func (s *Shrinking) pin(p *sim.Plan) *sim.Plan {
	s.spent++
	run, err := s.world.Execute(p, sim.Options{Record: true})
	if err != nil || !s.Same(p, run) {
		return nil
	}
	return Pin(p, run)
}

// Pin is a plan that plays a recorded run again without its seed: what chance chose stands as
// exceptions, and the network keeps only what is not by chance.
func Pin(p *sim.Plan, run *sim.Run) *sim.Plan {
	q := *p
	q.Seed = 0
	q.Chance = slices.Clone(run.Chosen)
	n := &q.Network
	n.Links = slices.Clone(n.Links)
	for i := range n.Links {
		l := &n.Links[i]
		l.Delay, l.Loss, l.Duplicate = boring(l.Delay), 0, 0
	}
	n.Break, n.Crash, n.Crashes, n.SyncFail, n.Torn = 0, 0, 0, 0, 0
	n.Keep, n.Restart = false, sim.Dist{}
	n.SyncTime, n.Told, n.Late, n.Reopen = boring(n.SyncTime), boring(n.Told), boring(n.Late),
		boring(n.Reopen)
	return &q
}

func boring(d sim.Dist) sim.Dist { return sim.Dist{Low: d.Low} }

func actions(p *sim.Plan) int { return len(p.Script) + len(p.Load) }

// fails says that a plan fails, as it is, and that a story can say it.
func (s *Shrinking) fails(p *sim.Plan) bool {
	fails, known := s.memo.known(p)
	if known || s.spent >= s.limit {
		return fails
	}
	if !fits(p) {
		s.memo.learn(false)
		return false
	}
	fails = s.plays(p)
	s.memo.learn(fails)
	return fails
}

// plays says that a plan fails, whether or not a story can say it.
func (s *Shrinking) plays(p *sim.Plan) bool {
	s.spent++
	run, err := s.world.Execute(p, sim.Options{})
	if err != nil {
		return false
	}
	s.events += run.Events
	return s.Same(p, run)
}

// round tries every kind of reduction once.
func (s *Shrinking) round(p *sim.Plan) *sim.Plan {
	p = s.dropStale(p)
	p = s.fewer(p, len(p.Script)+len(p.Load), dropActions, true)
	p = s.fewer(p, len(p.Chance), dropChance, false)
	p = s.dropNodes(p)
	p = s.dropSetup(p)
	p = s.dropWords(p)
	p = s.plainNetwork(p)
	p = s.plainValues(p)
	return s.canonical(p)
}

// dropStale removes what the plan says and nothing came of.
func (s *Shrinking) dropStale(p *sim.Plan) *sim.Plan {
	s.spent++
	run, err := s.world.Execute(p, sim.Options{Record: true})
	if err != nil {
		return p
	}
	q := *p
	q.Chance = slices.Clone(run.Chosen)
	if len(q.Chance) < len(p.Chance) && s.fails(&q) {
		return &q
	}
	return p
}

// fewer removes runs of items, long ones first, then single ones. With fresh, a plan that no longer
// fails gets a few fresh schedules.
func (s *Shrinking) fewer(p *sim.Plan, total int, without func(*sim.Plan, int, int) *sim.Plan,
	fresh bool) *sim.Plan {
	for size := max(1, total/2); size >= 1; size /= 2 {
		for from := total - size; from >= 0; from -= size {
			q := s.smaller(without(p, from, min(from+size, total)), fresh && size <= 2)
			if q == nil {
				continue
			}
			p, total = q, total-size
			from = min(from, total)
		}
	}
	return p
}

// smaller is a plan that fails: p, or p under another schedule if fresh ones may be tried; or nil.
func (s *Shrinking) smaller(p *sim.Plan, fresh bool) *sim.Plan {
	if s.fails(p) {
		return p
	}
	if fresh {
		return s.anew(p)
	}
	return nil
}

// anew looks for a schedule under which a smaller plan fails.
func (s *Shrinking) anew(p *sim.Plan) *sim.Plan {
	for seed := uint64(1); seed <= uint64(s.Fresh) && s.spent < s.limit; seed++ {
		q := *p
		q.Seed, q.Chance = seed, nil
		q.Network = s.Bare
		q.Script, q.Load = slices.Clone(p.Script), slices.Clone(p.Load)
		s.Temper(&q, seed)
		q.Script, q.Load = p.Script, p.Load // of the temper only the network, not more faults
		if pinned := s.pin(&q); pinned != nil {
			return pinned
		}
	}
	return nil
}

func dropActions(p *sim.Plan, from, to int) *sim.Plan {
	q := *p
	q.Script, q.Load = nil, nil
	for i := range p.Script {
		if i < from || i >= to {
			q.Script = append(q.Script, p.Script[i])
		}
	}
	for i := range p.Load {
		if k := i + len(p.Script); k < from || k >= to {
			q.Load = append(q.Load, p.Load[i])
		}
	}
	return &q
}

func dropChance(p *sim.Plan, from, to int) *sim.Plan {
	q := *p
	q.Chance = slices.Delete(slices.Clone(p.Chance), from, to)
	return &q
}

// dropWords removes words from requests: all but the first few, else single ones.
func (s *Shrinking) dropWords(p *sim.Plan) *sim.Plan {
	for i := range actions(p) {
		if a := actionAt(p, i); a.Verb == sim.Request {
			p = s.dropWordsOf(p, i)
		}
	}
	return p
}

func (s *Shrinking) dropWordsOf(p *sim.Plan, i int) *sim.Plan {
	words := actionAt(p, i).Words
	for k := 1; k < len(words); k++ {
		if q := withWords(p, i, words[:k]); s.fails(q) {
			return q
		}
	}
	for k := len(words) - 1; k > 0; k-- {
		fewer := slices.Delete(slices.Clone(words), k, k+1)
		if q := withWords(p, i, fewer); s.fails(q) {
			p, words = q, fewer
		}
	}
	return p
}

func withWords(p *sim.Plan, i int, words []string) *sim.Plan {
	q := editable(p)
	actionAt(q, i).Words = slices.Clone(words)
	return q
}

// actionAt is the i-th action, script first.
func actionAt(p *sim.Plan, i int) *sim.Action {
	if i < len(p.Script) {
		return &p.Script[i]
	}
	return &p.Load[i-len(p.Script)]
}

// dropNodes removes nodes, with the actions that speak of them.
func (s *Shrinking) dropNodes(p *sim.Plan) *sim.Plan {
	for _, name := range slices.Concat(p.Later, p.Nodes) {
		if len(p.Nodes) == 1 {
			break
		}
		q := withoutNode(p, name)
		if s.fails(q) {
			p = q
		} else if q = s.anew(q); q != nil {
			p = q
		} else if q = s.handedOver(p, name); q != nil {
			p = q
		}
	}
	return p
}

// withoutNode is the plan without a node and whatever names it.
func withoutNode(p *sim.Plan, name string) *sim.Plan {
	q := editable(p)
	is := func(n string) bool { return n == name }
	names := func(a sim.Action) bool { return mentions(&a, name) }
	q.Nodes, q.Later = slices.DeleteFunc(q.Nodes, is), slices.DeleteFunc(q.Later, is)
	q.Script, q.Load = slices.DeleteFunc(q.Script, names), slices.DeleteFunc(q.Load, names)
	q.Chance = slices.DeleteFunc(q.Chance, func(e sim.Exception) bool {
		return is(e.Name.At) || is(e.Name.To) || slices.Contains(strings.Fields(e.Name.Keys), name)
	})
	q.Network.Links = slices.DeleteFunc(q.Network.Links, func(l sim.Link) bool {
		return is(l.From) || is(l.To)
	})
	leaveOut(q, name)
	return q
}

func mentions(a *sim.Action, name string) bool {
	if a.Node == name || slices.Contains(a.Words, name) || a.Event.Node == name ||
		a.When != nil && a.When.Event.Node == name ||
		slices.Contains(a.Pattern.From, name) || slices.Contains(a.Pattern.To, name) {
		return true
	}
	return slices.ContainsFunc(a.Groups, func(g []string) bool { return slices.Contains(g, name) })
}
