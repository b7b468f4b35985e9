package search

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/downset/downset/sim"
)

// Finding is what a judge says of one run, as a search needs it.
type Finding struct {
	Broken    []string // properties of the lowest layer that broke, sorted; empty: none
	Shared    bool     // a variant that is right here breaks under the same plan too
	Undecided string   // why there is no verdict, "" if there is one
	Premises  []int    // by property: how often its precondition held
	Goals     []int    // by goal: how often it was reached
}

// Campaign is one sweep: many seeds of one plan.
type Campaign struct {
	Plan     func(seed uint64) (*sim.Plan, error) // must be safe to call from several goroutines
	Judge    func(*sim.Run) Finding               // the same
	From, To uint64                               // seeds, both included
	Jobs     int                                  // 1 or more
	Distinct int                                  // stop after so many different failures; 0: never
	Enough   func([]Group) bool                   // but not before it says so; nil: at once
	Stop     <-chan struct{}                      // closed to end early with what there is
	Limit    time.Duration                        // of wall time for one run; 0 is ten seconds
	Progress func(Summary)                        // now and then, from the caller's goroutine
}

// Summary is what a sweep found. It depends on the seeds alone, not on jobs, unless Cut says that
// it was ended early, at the end of a run of seeds without a gap.
type Summary struct {
	Seeds     int // played, from Campaign.From on
	Failing   int
	Undecided int
	Why       string   // of the first undecided
	Groups    []Group  // distinct failures, in order of their first seed
	Premises  []int    // summed
	Goals     []int    // in how many runs each was reached
	Kinds     []string // kinds of message, timer, record and fact that occurred, sorted
	Events    int64
	Twice     int          // runs played twice
	Apart     []*Different // runs that came out otherwise the second time
	Hung      []uint64     // seeds whose run did not come back in time
	Errors    []string     // plans that could not be played, the first few
	Cut       bool         // ended early
}

// Group is failures that break the same. Those under plans which a right variant breaks too are a
// group of their own: they do not show what is wrong with this one.
type Group struct {
	Broken []string
	Shared bool
	Seed   uint64 // the first that fails so
	Count  int
}

// Different is a seed whose two runs differ.
type Different struct {
	Seed uint64
	*Parting
}

// batch is what a worker hands over: the results of consecutive seeds.
const batchSize = 32

type batch struct {
	results [batchSize]result
	kinds   []string
}

type result struct {
	finding Finding
	events  int
	twice   bool
	apart   *Parting
	err     string
	hung    bool
}

// Sweep plays a campaign. Jobs share the seeds; results are taken in the order of seeds.
func Sweep(c Campaign) Summary {
	s := sweep{Campaign: c, total: int(c.To-c.From) + 1}
	if s.Limit == 0 {
		s.Limit = 10 * time.Second
	}
	s.batches = make(chan numbered, 64)
	s.ready = map[int]*batch{}
	for range max(1, c.Jobs) {
		s.hire()
	}
	return s.collect()
}

type numbered struct {
	number int
	*batch
}

type sweep struct {
	Campaign
	total   int
	next    atomic.Int64
	ended   atomic.Bool
	batches chan numbered
	ready   map[int]*batch
	mu      sync.Mutex
	workers []*worker
	sum     Summary
}

// worker plays batches. When one run takes longer than the limit, the worker is given up, and
// another takes over what is left of its batch.
type worker struct {
	world  *sim.World
	twin   *sim.World
	number int
	batch  *batch
	at     int // index in the batch
	since  time.Time
	gone   bool
	kinds  map[string]bool
}

func (s *sweep) hire() { s.employ(nil, 0, 0) }

// employ starts a worker, on the rest of a batch if there is one.
func (s *sweep) employ(b *batch, number, at int) {
	w := &worker{world: new(sim.World), twin: new(sim.World), kinds: map[string]bool{}}
	s.mu.Lock()
	s.workers = append(s.workers, w)
	s.mu.Unlock()
	go s.work(w, b, number, at)
}

func (s *sweep) batchCount() int { return (s.total + batchSize - 1) / batchSize }

func (s *sweep) work(w *worker, b *batch, number, at int) {
	for {
		if b == nil {
			number, at = int(s.next.Add(1)-1), 0
			if number >= s.batchCount() || s.ended.Load() {
				return
			}
			b = &batch{}
		}
		for ; at < batchSize && number*batchSize+at < s.total; at++ {
			if !s.clockIn(w, b, number, at) {
				return
			}
			r := s.play(w, s.From+uint64(number*batchSize+at))
			s.mu.Lock()
			if w.gone {
				s.mu.Unlock()
				return
			}
			b.results[at] = r
			w.since = time.Time{}
			s.mu.Unlock()
		}
		b.kinds = sortedKeys(w.kinds)
		s.batches <- numbered{number, b}
		b = nil
	}
}

// clockIn says which seed a worker is at, for the watch.
func (s *sweep) clockIn(w *worker, b *batch, number, at int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.gone {
		return false
	}
	w.batch, w.number, w.at, w.since = b, number, at, time.Now()
	return true
}

// watch gives up workers whose run takes too long.
func (s *sweep) watch() {
	s.mu.Lock()
	var late []*worker
	for _, w := range s.workers {
		if !w.gone && !w.since.IsZero() && time.Since(w.since) > s.Limit {
			w.gone = true
			w.batch.results[w.at] = result{hung: true}
			late = append(late, w)
		}
	}
	s.mu.Unlock()
	for _, w := range late {
		s.employ(w.batch, w.number, w.at+1)
	}
}

// play plays and judges one seed; a failing seed twice, and one in twenty of the others.
func (s *sweep) play(w *worker, seed uint64) result {
	p, err := s.Plan(seed)
	if err != nil {
		return result{err: err.Error()}
	}
	run, err := w.world.Execute(p, sim.Options{})
	if err != nil {
		return result{err: err.Error()}
	}
	r := result{finding: s.Judge(run), events: run.Events}
	w.see(run)
	if len(r.finding.Broken) == 0 && seed%20 != 0 {
		return r
	}
	r.twice = true
	r.apart = w.again(p)
	return r
}

// again plays a plan twice more, each in a world of its own, and compares bodies as well.
func (w *worker) again(p *sim.Plan) *Parting {
	options := sim.Options{Digest: true}
	first, err := w.world.Execute(p, options)
	if err != nil {
		return nil
	}
	then, err := w.twin.Execute(p, options)
	if err != nil {
		return nil
	}
	return First(first, then)
}

// see notes which kinds of body occurred.
func (w *worker) see(run *sim.Run) {
	for i := range run.Trace {
		if b := run.Trace[i].Body; b != nil {
			k := b.Kind()
			if !w.kinds[k] {
				w.kinds[k] = true
			}
		}
	}
}

// collect takes the batches in order.
func (s *sweep) collect() Summary {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	kinds := map[string]bool{}
	for number := 0; number < s.batchCount(); {
		select {
		case n := <-s.batches:
			s.ready[n.number] = n.batch
		case <-tick.C:
			s.watch()
			if s.Progress != nil {
				s.Progress(s.sum)
			}
		case <-s.Stop:
			s.ended.Store(true)
			s.sum.Cut = true
			s.sum.Kinds = sortedKeys(kinds)
			return s.sum
		}
		for b := s.ready[number]; b != nil; b = s.ready[number] {
			delete(s.ready, number)
			for _, k := range b.kinds {
				kinds[k] = true
			}
			if s.take(number, b) {
				s.ended.Store(true)
				s.sum.Kinds = sortedKeys(kinds)
				return s.sum
			}
			number++
		}
	}
	s.sum.Kinds = sortedKeys(kinds)
	return s.sum
}

// take adds a batch to the summary. It says whether there are enough different failures.
func (s *sweep) take(number int, b *batch) (enough bool) {
	for i := 0; i < batchSize && number*batchSize+i < s.total; i++ {
		s.add(s.From+uint64(number*batchSize+i), &b.results[i])
		if s.enough() {
			return true
		}
	}
	return false
}

func (s *sweep) enough() bool {
	return s.Distinct > 0 && len(s.sum.Groups) >= s.Distinct &&
		(s.Enough == nil || s.Enough(s.sum.Groups))
}

func (s *sweep) add(seed uint64, r *result) {
	sum := &s.sum
	sum.Seeds++
	switch {
	case r.err != "":
		if len(sum.Errors) < 5 {
			sum.Errors = append(sum.Errors, r.err)
		}
		return
	case r.hung:
		sum.Hung = append(sum.Hung, seed)
		return
	}
	sum.Events += int64(r.events)
	if r.twice {
		sum.Twice++
	}
	if r.apart != nil {
		sum.Apart = append(sum.Apart, &Different{seed, r.apart})
	}
	sum.Premises = addAll(sum.Premises, r.finding.Premises, false)
	sum.Goals = addAll(sum.Goals, r.finding.Goals, true)
	switch f := &r.finding; {
	case len(f.Broken) > 0:
		sum.Failing++
		sum.group(f, seed)
	case f.Undecided != "":
		if sum.Undecided++; sum.Undecided == 1 {
			sum.Why = f.Undecided
		}
	}
}

func (s *Summary) group(f *Finding, seed uint64) {
	one := Group{f.Broken, f.Shared, seed, 1}
	for i := range s.Groups {
		if s.Groups[i].Like(one) {
			s.Groups[i].Count++
			return
		}
	}
	s.Groups = append(s.Groups, one)
}

// Like says that failures are of one group.
func (g Group) Like(other Group) bool {
	return g.Shared == other.Shared && slices.Equal(g.Broken, other.Broken)
}

// Bound is the failure rate that a clean sweep rules out with 95 % confidence, in failures per
// billion runs: 3/N. It is about this distribution of plans only.
func (s *Summary) Bound() int64 {
	if s.Seeds == 0 {
		return 1_000_000_000
	}
	return (3_000_000_000 + int64(s.Seeds) - 1) / int64(s.Seeds)
}

func addAll(sum, more []int, once bool) []int {
	for len(sum) < len(more) {
		sum = append(sum, 0)
	}
	for i, n := range more {
		if once && n > 1 {
			n = 1
		}
		sum[i] += n
	}
	return sum
}

func sortedKeys(m map[string]bool) []string {
	return slices.Sorted(maps.Keys(m))
}
