package search

import (
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/downset/downset/sim"
)

// Exploration plays a small story in every order: of deliveries, of timers, of requests, with up to
// so many faults, each at every moment. Time is left out: whatever is sent may arrive at any time
// after, a timer that is set may fire at any time.
//
// It goes depth first through the states of a walk (sim.World.Walk) and visits no fingerprint
// twice. Each state in which nothing is left to happen but what is optional (a timer, a fault) is
// an end: the world is healed and settles, as in any run, and the run is judged.
//
// What each pruning keeps:
//   - fingerprints, without Walk.Deep: the verdicts of properties of ScopeState, ScopeEnd; with
//     Deep: those of every property that does not tell runs apart by the order of independent
//     events alone (it reads the trace with its causes, and the order of invocations and answers);
//   - persistent sets (see sim.World.Persistent): all ends, and so the verdicts of all properties.
type Exploration struct {
	Plan      *sim.Plan              // in still time
	Judge     func(*sim.Run) Finding // must be safe to call from several goroutines
	Walk      sim.WalkOptions
	Jobs      int  // 1 or more
	MaxStates int  // give up after so many; 0 is ten million
	Full      bool // no persistent sets: every state that can be reached is visited
	All       bool // go on after a failure, to the end of the space
	Progress  func(Explored)
	Stop      <-chan struct{} // closed to end early with what there is
}

// Explored is what an exploration came to. If it is complete, all but Depth, Bytes and the ways of
// Broken depend on the story alone, not on jobs: which of several ways to a state is walked does.
type Explored struct {
	States      int64  // with different fingerprints
	Transitions int64  // moves made
	Ends        int64  // judged
	Depth       int    // moves to the deepest state
	Complete    bool   // nothing was left out within the bounds
	Why         string // if it is not
	Premises    []int  // summed over ends
	// Goals says in how many ends each goal was reached, on the way that was walked there. Without
	// Deep ends are not told apart by their past, and another way to one may reach other goals.
	Goals     []int
	Broken    []Broken
	Undecided int64  // ends without a verdict
	Unclear   string // why, of the first
	Untimed   bool   // a machine read its clock, which stands still here
	Draws     bool   // a machine drew: it always got 0
	Bytes     int64  // the set of states
}

// Broken is one kind of failure: which properties of the lowest layer broke, and a way there.
type Broken struct {
	Broken []string
	Path   []sim.Move
	Count  int64 // ends that broke so
}

// DefaultMaxStates is how many states an exploration visits that is told no bound.
const DefaultMaxStates = 10_000_000

// Explore plays every order. The error is about the plan, or that it cannot be walked.
func Explore(x Exploration) (Explored, error) {
	if x.MaxStates == 0 {
		x.MaxStates = DefaultMaxStates
	}
	x.Walk.Trace = true
	e := &explorer{Exploration: x}
	root, err := new(sim.World).Walk(x.Plan, x.Walk)
	var fell *sim.FellAtStart
	if errors.As(err, &fell) {
		w := &walker{explorer: e}
		w.judge(fell.Run, []sim.Move{})
		w.mine.Why = "a machine panics when it starts"
		return w.mine, nil
	}
	if err != nil {
		return Explored{}, err
	}
	e.seen.add(root.Sum)
	e.states.Store(1)
	e.work = make(chan *task, 1024)
	jobs := max(1, x.Jobs)
	e.idle.Store(int32(jobs))
	e.give(&task{root, nil, true})
	return e.run(jobs)
}

// explorer is an exploration under way.
type explorer struct {
	Exploration
	seen   visited
	work   chan *task
	idle   atomic.Int32 // workers that wait
	open   atomic.Int64 // tasks given and not done
	states atomic.Int64
	ended  atomic.Bool
	mu     sync.Mutex
	sum    Explored
	why    string
}

// task is a state with moves that are still to be made; fresh: it has not been looked at.
type task struct {
	state *sim.State
	moves []sim.Move
	fresh bool
}

func (e *explorer) give(t *task) {
	e.open.Add(1)
	e.work <- t
}

// run lets workers explore until nothing is left.
func (e *explorer) run(jobs int) (Explored, error) {
	done := make(chan error, jobs)
	for range jobs {
		go func() { done <- e.guarded() }()
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for left := jobs; left > 0; {
		select {
		case err := <-done:
			left--
			if crash, fell := err.(*Crash); fell {
				panic(crash)
			}
			if err != nil {
				return Explored{}, err
			}
		case <-e.Stop:
			e.end("it was interrupted")
			e.Stop = nil
		case <-tick.C:
			if e.Progress != nil {
				e.Progress(e.report())
			}
		}
	}
	return e.report(), nil
}

// guarded is one worker. A panic is an error that says where.
func (e *explorer) guarded() (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *sim.Uncopyable:
			err = r
		default:
			err = &Crash{r, debug.Stack()}
		}
	}()
	e.worker()
	return nil
}

// end lets all workers stop.
func (e *explorer) end(why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ended.Load() {
		e.why = why
		e.ended.Store(true)
	}
}

// report is what there is so far.
func (e *explorer) report() Explored {
	e.mu.Lock()
	defer e.mu.Unlock()
	sum := e.sum
	sum.States, sum.Bytes = e.states.Load(), e.seen.bytes()
	sum.Complete, sum.Why = !e.ended.Load(), e.why
	sum.Broken = slices.Clone(sum.Broken)
	slices.SortStableFunc(sum.Broken, func(a, b Broken) int {
		return slices.Compare(a.Broken, b.Broken)
	})
	return sum
}
