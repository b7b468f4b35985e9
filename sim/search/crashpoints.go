package search

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Crashing is the search for crash points: a plan is played with one crash more, or two, at every
// place where a node may crash. It is played once without, to learn the places; a second crash
// falls at a place that the run with the first has, so that the recovery is struck too.
//
//	P ──append──sync──send──▸  ──sync──return──▸     Q ──append──…
//	  x       x     x     x   x     x       x          x
//
// A crash falls before an effect or after the last of a handler; after a handler that has no effect
// it falls when that is named by what it noted, received or fired. Each loses the unsynced tail, or
// keeps any number of its records, the last of them whole or torn; and the node restarts at once or
// in the epilogue. The names of exceptions carry over from run to run, and so do crashes.
//
// So each prefix of a log is recovered from that a crash can leave: of the log as it was at any
// time, what was durable then and any part of the rest. That a disk loses what it had synced is no
// crash but another fault, which a script can do.
//
// # The design not taken
//
// A node could crash between two effects of another node as well. That differs only in which
// messages to it are lost with it, and costs as many runs more as there are nodes. And with a slow
// disk it could crash while a sync is under way: no effect of its own marks that moment. What of
// the log is left then, some crash before the sync leaves too.
type Crashing struct {
	Plan    *sim.Plan              // without a seed: what chance chose is pinned
	Judge   func(*sim.Run) Finding // must be safe to call from several goroutines
	Crashes int                    // at most so many in one run: 1 or 2
	Most    int                    // runs; beyond, a sample is played
	Seed    uint64                 // of the sample
	Jobs    int                    // 1 or more
	Stop    <-chan struct{}        // closed to end early with what there is
}

// Point is a place in a run at which a node may crash.
type Point struct {
	Node     string
	Phase    string     // where that is, in words: "after append prepared tx1, before sync"
	Index    int        // among the places of its run
	Effect   string     // that names it: append, sync, send, publish or return; "" if When does
	Name     sim.Name   // of the exception that crashes the node here, unless When does
	When     *sim.Event // after a handler without effects: what a trigger waits for
	Entry    int        // how many entries the run had, at least
	Crash    int32      // which of its node's crashes it is, from 1
	Unsynced int64      // records that may be lost or kept
}

// Hit is one crash: where, what it leaves of the unsynced records, when the node restarts.
type Hit struct {
	*Point
	Keeps int64 // the first so many unsynced records stay
	Torn  bool  // the last of these is torn
	Now   bool  // the node restarts at once, else in the epilogue
}

// Struck is a run with crashes, and what came of it.
type Struck struct {
	Hits []Hit // in order of time
	Finding
	New    []string // what breaks, and neither without crashes nor with one of these alone
	Left   []Left   // by hit: the log that the crash left
	Hash   [2]uint64
	Same   bool     // an earlier one is the same run
	Missed bool     // a crash did not fall
	Apart  *Parting // it came out otherwise when played again
	Error  string   // the plan could not be played
	first  int      // of a pair: the run with the first crash alone
	later  []Point  // of a run with one crash: where a second may fall
	events int
	twice  bool
	played bool
}

// CrashPoints is what crashes came to. It does not depend on the number of jobs.
type CrashPoints struct {
	Base      Struck   // the run without a crash
	Points    []Point  // of that run, in order of time
	Unreached []string // moments after handlers that nothing names: "P: is asked read x, no effect"
	Epilogue  int      // effects that come in the epilogue, where nothing crashes
	Singles   []Struck // runs with one crash that were played, in order of points
	Pairs     []Struck // runs with two
	OfSingles int      // how many there are
	OfPairs   int      // at least, if not all singles were played; runs that are the same count once
	Distinct  int      // different runs among those played
	Events    int64
	Twice     int  // runs played twice
	Cut       bool // it was ended early
}

// Complete says that every run was played.
func (r *CrashPoints) Complete() bool {
	return !r.Cut && len(r.Singles) == r.OfSingles && len(r.Pairs) == r.OfPairs
}

// Runs is how many runs there were, that without a crash included.
func (r *CrashPoints) Runs() int { return 1 + len(r.Singles) + len(r.Pairs) }

// CrashPoints searches. The error is about the plan.
func (c *Crashing) CrashPoints() (*CrashPoints, error) {
	run, err := new(sim.World).Execute(c.Plan, sim.Options{Digest: true, Boundaries: true})
	if err != nil {
		return nil, err
	}
	f := points(run, 0)
	r := &CrashPoints{Points: f.all, Unreached: f.unreached, Epilogue: inEpilogue(run)}
	r.Base = Struck{Finding: c.Judge(run), Hash: [2]uint64{run.Hash, run.Digest}, events: run.Events,
		played: true}
	all := combine(nil, 0, r.Points)
	r.OfSingles = len(all)
	r.Singles = c.play(r, pick(all, c.Most-1, c.Seed))
	if c.Crashes > 1 {
		c.pairs(r)
	}
	r.sum()
	return r, nil
}

// pairs plays a second crash on top of each first one.
func (c *Crashing) pairs(r *CrashPoints) {
	var all []Struck
	seen := map[[2]uint64]bool{}
	for i := range r.Singles {
		s := &r.Singles[i]
		key := s.Hash
		if s.Hits[0].Torn {
			key[0]++ // what a torn record leads to may show with the second crash only
		}
		if !seen[key] {
			seen[key] = true
			all = append(all, combine(s.Hits, i, s.later)...)
		}
		s.later = nil
	}
	r.OfPairs = len(all)
	r.Pairs = c.play(r, pick(all, c.Most-1-len(r.Singles), c.Seed))
}

// combine is each of some crashes behind those that there are.
func combine(hits []Hit, first int, points []Point) []Struck {
	var all []Struck
	for i := range points {
		for _, h := range points[i].hits() {
			all = append(all, Struck{Hits: append(slices.Clip(hits), h), first: first})
		}
	}
	return all
}

// hits are all that a crash at a point may leave.
func (p *Point) hits() []Hit {
	var all []Hit
	for _, now := range []bool{true, false} {
		for keeps := range p.Unsynced + 1 {
			all = append(all, Hit{Point: p, Keeps: keeps, Now: now})
		}
		for keeps := range p.Unsynced {
			all = append(all, Hit{Point: p, Keeps: keeps + 1, Torn: true, Now: now})
		}
	}
	return all
}

// play plays and judges runs; those that an interrupt left out are left out.
func (c *Crashing) play(r *CrashPoints, all []Struck) []Struck {
	crews := make([]crew, max(1, c.Jobs))
	r.Cut = spread(len(crews), len(all), c.Stop, func(job, i int) {
		c.strike(&crews[job], &all[i])
	}) || r.Cut
	return slices.DeleteFunc(all, func(s Struck) bool { return !s.played })
}

// crew is the worlds of one worker.
type crew struct{ world, twin sim.World }

// strike plays one run; one that breaks twice, and one in twenty of the others.
func (c *Crashing) strike(w *crew, s *Struck) {
	s.played = true
	p := WithCrashes(c.Plan, s.Hits)
	options := sim.Options{Digest: true, Boundaries: true}
	run, err := w.world.Execute(p, options)
	if err != nil {
		s.Error = err.Error()
		return
	}
	s.Finding, s.Hash, s.events = c.Judge(run), [2]uint64{run.Hash, run.Digest}, run.Events
	s.Missed = missed(run)
	s.Left = left(run, s.Hits)
	if c.Crashes > len(s.Hits) && !s.Missed {
		s.later = points(run, fell(run, s.Hits[len(s.Hits)-1])).all
	}
	if s.twice = len(s.Broken) > 0 || run.Hash%20 == 0; !s.twice {
		return
	}
	if again, err := w.twin.Execute(p, options); err == nil {
		s.Apart = First(run, again)
	}
}

// sum counts, and finds out what is new in each run.
func (r *CrashPoints) sum() {
	seen := map[[2]uint64]bool{r.Base.Hash: true}
	alone := map[hitKey][]string{}
	add := func(s *Struck) {
		r.Events += int64(s.events)
		if s.twice {
			r.Twice++
		}
		s.Same = seen[s.Hash]
		seen[s.Hash] = true
	}
	r.Events = int64(r.Base.events)
	for i := range r.Singles {
		s := &r.Singles[i]
		add(s)
		s.New = without(s.Broken, r.Base.Broken)
		alone[s.Hits[0].key()] = s.Broken
	}
	for i := range r.Pairs {
		s := &r.Pairs[i]
		add(s)
		s.New = without(without(s.Broken, r.Base.Broken), r.Singles[s.first].Broken)
		s.New = without(s.New, alone[s.Hits[1].key()])
	}
	r.Distinct = len(seen)
}

// hitKey tells crashes apart, in whatever run.
type hitKey struct {
	name  sim.Name
	event string
	keeps int64
	torn  bool
	now   bool
}

func (h *Hit) key() hitKey {
	k := hitKey{name: h.Name, keeps: h.Keeps, torn: h.Torn, now: h.Now}
	if h.When != nil {
		k.event = eventWords(h.When)
	}
	return k
}

// without is a list but for some.
func without(list, some []string) []string {
	var rest []string
	for _, x := range list {
		if !slices.Contains(some, x) {
			rest = append(rest, x)
		}
	}
	return rest
}
