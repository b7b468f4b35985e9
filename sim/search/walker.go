package search

import (
	"slices"

	"github.com/downset/downset/sim"
)

// worker is one goroutine of an exploration, with a world of its own.
type walker struct {
	*explorer
	world *sim.World
	stack []frame
	left  []*sim.State // that nobody needs any more
	moves [][]sim.Move // the same of lists of moves
	mine  Explored     // not yet added to the sum
}

// frame is a state on the way to the present one, with the moves still to be made. A lent one is
// known to other workers as well, or leads to such a one.
type frame struct {
	state *sim.State
	moves []sim.Move
	lent  bool
}

func (e *explorer) worker() {
	w := &walker{explorer: e, world: new(sim.World)}
	if _, err := w.world.Walk(e.Plan, e.Walk); err != nil {
		panic(err)
	}
	for t := range e.work {
		e.idle.Add(-1)
		w.do(t)
		w.flush()
		e.idle.Add(1)
		if e.open.Add(-1) == 0 {
			close(e.work)
		}
	}
}

// do explores from a state on.
func (w *walker) do(t *task) {
	if t.fresh {
		w.world.Load(t.state)
		w.enter(t.state)
	} else {
		w.stack = append(w.stack, frame{t.state, t.moves, true})
	}
	for len(w.stack) > 0 && !w.ended.Load() {
		w.share()
		f := &w.stack[len(w.stack)-1]
		if len(f.moves) == 0 {
			w.leave()
			continue
		}
		m := f.moves[len(f.moves)-1]
		f.moves = f.moves[:len(f.moves)-1]
		w.make(f.state, m)
	}
	w.stack = w.stack[:0]
}

// share gives moves of the oldest state away when another worker has nothing to do.
func (w *walker) share() {
	if w.idle.Load() == 0 || len(w.work) > 0 {
		return
	}
	for i := range w.stack {
		f := &w.stack[i]
		if n := len(f.moves); n > 1 || n == 1 && i < len(w.stack)-1 {
			half := (n + 1) / 2
			w.give(&task{f.state, slices.Clone(f.moves[:half]), false})
			f.moves = append(f.moves[:0], f.moves[half:]...)
			for j := range i + 1 {
				w.stack[j].lent = true
			}
			return
		}
	}
}

// make makes one move from a state, and enters what it leads to if that is new.
func (w *walker) make(s *sim.State, m sim.Move) {
	w.mine.Transitions++
	foreseen, tails, known := w.world.Foresee(s, m)
	if known && w.seen.has(foreseen) {
		w.crashes(m, tails)
		return
	}
	w.world.Load(s)
	tails, ok := w.world.Move(m)
	if !ok {
		w.crashes(m, tails)
		run := w.world.Fallen()
		w.judge(run, append(s.Path(), m))
		if run.End == sim.Unsettled {
			w.end("a move did not come to its end: " + run.Why)
		}
		return
	}
	w.crashes(m, tails)
	sum := w.world.Sum()
	if known && sum != foreseen {
		panic("sim/search: a move led elsewhere than was foreseen")
	}
	if !known {
		w.world.Learn(s, m)
	}
	if !w.seen.add(sum) {
		return
	}
	if n := w.states.Add(1); n > int64(w.MaxStates) {
		w.states.Add(-1)
		w.end("there are more states than were allowed")
		return
	}
	w.enter(w.world.Save(w.used()))
}

// crashes adds to the moves of the state on top the crashes inside the handler of one that was
// made: before each of its effects.
func (w *walker) crashes(m sim.Move, tails []sim.Tail) {
	if m.Crash > 0 || m.Kind == sim.MoveCrash || w.Walk.Crashes == 0 {
		return
	}
	f := &w.stack[len(w.stack)-1]
	if f.state.MayCrash() {
		f.moves = append(f.moves, m.Within(tails, w.Walk.Keep)...)
	}
}

// enter takes up a new state, which is the world's: judges it if it is an end, and puts its moves
// on the stack.
func (w *walker) enter(s *sim.State) {
	w.mine.Depth = max(w.mine.Depth, s.Depth)
	moves := w.next(s)
	if s.Quiet {
		w.judge(w.world.End(s), nil)
		if len(w.mine.Broken) > 0 && w.mine.Broken[len(w.mine.Broken)-1].Path == nil {
			w.mine.Broken[len(w.mine.Broken)-1].Path = s.Path()
		}
	}
	w.stack = append(w.stack, frame{state: s, moves: moves})
	if len(w.stack) > 0 && w.mine.Transitions > 4096 {
		w.flush()
	}
}

// next are the moves to make from a state, in memory of its own.
func (w *walker) next(s *sim.State) []sim.Move {
	var buf []sim.Move
	if n := len(w.moves); n > 0 {
		buf, w.moves = w.moves[n-1][:0], w.moves[:n-1]
	}
	moves := w.world.Moves(buf)
	if w.Full {
		return moves
	}
	return w.world.Persistent(s, moves)
}

// leave takes the state on top off the stack. Its memory is used again, if no one else knows it.
func (w *walker) leave() {
	f := &w.stack[len(w.stack)-1]
	w.moves = append(w.moves, f.moves)
	if !f.lent {
		w.left = append(w.left, f.state)
	}
	w.stack = w.stack[:len(w.stack)-1]
}

// used is a state that nobody needs any more, nil if there is none.
func (w *walker) used() *sim.State {
	n := len(w.left)
	if n == 0 {
		return nil
	}
	s := w.left[n-1]
	w.left = w.left[:n-1]
	return s
}

// judge judges an end.
func (w *walker) judge(run *sim.Run, path []sim.Move) {
	f := w.Judge(run)
	m := &w.mine
	m.Ends++
	m.Premises = addAll(m.Premises, f.Premises, false)
	m.Goals = addAll(m.Goals, f.Goals, true)
	switch {
	case len(f.Broken) > 0:
		m.Broken = append(m.Broken, Broken{f.Broken, path, 1})
		if !w.All {
			w.end("it ended at the first failure")
		}
	case f.Undecided != "":
		if m.Undecided++; m.Unclear == "" {
			m.Unclear = f.Undecided
		}
	}
}

// flush adds what a worker found to the sum.
func (w *walker) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum, m := &w.sum, &w.mine
	sum.Transitions += m.Transitions
	sum.Ends += m.Ends
	sum.Undecided += m.Undecided
	sum.Depth = max(sum.Depth, m.Depth)
	if sum.Unclear == "" {
		sum.Unclear = m.Unclear
	}
	sum.Premises = addAll(sum.Premises, m.Premises, false)
	sum.Goals = addAll(sum.Goals, m.Goals, false)
	for _, b := range m.Broken {
		sum.broke(b)
	}
	reads, draws := w.world.Untimed()
	sum.Untimed, sum.Draws = sum.Untimed || reads, sum.Draws || draws
	*m = Explored{}
}

// broke adds a failure; of those alike the shortest way stays.
func (x *Explored) broke(b Broken) {
	for i := range x.Broken {
		have := &x.Broken[i]
		if !slices.Equal(have.Broken, b.Broken) {
			continue
		}
		have.Count += b.Count
		if len(b.Path) < len(have.Path) {
			have.Path = b.Path
		}
		return
	}
	x.Broken = append(x.Broken, b)
}
