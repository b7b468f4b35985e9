package search

import (
	"errors"
	"slices"

	"github.com/downset/downset/sim"
)

// Way is a shortest way to a failure.
type Way struct {
	Broken []string   // what breaks at its end
	Path   []sim.Move // fewest moves: no shorter way leads to a state whose end breaks that
	Plan   *sim.Plan  // the same as a story, one line a move, whose run was played and breaks that
	States int64      // that were looked at
}

// Shortest finds a shortest way to a failure of a kind that an exploration found, breadth first.
// Unlike Explore, which judges only states where nothing is left to happen, it ends the run at
// every state: what is in flight arrives in its order. It gives nil if there is none within the
// depth and MaxStates, or no way that its story repeats: then the ways that Explore found are all.
func Shortest(x Exploration, broken []string, depth int) (*Way, error) {
	if x.MaxStates == 0 {
		x.MaxStates = DefaultMaxStates
	}
	x.Walk.Trace, x.Walk.Exact = true, true
	w := new(sim.World)
	root, err := w.Walk(x.Plan, x.Walk)
	var fell *sim.FellAtStart
	if errors.As(err, &fell) {
		return x.atStart(broken, fell.Run), nil
	}
	if err != nil {
		return nil, err
	}
	s := &quest{Exploration: x, world: w, want: broken}
	s.seen.add(root.Sum)
	for layer := []*sim.State{root}; len(layer) > 0; layer = s.nextLayer(layer, depth) {
		for _, state := range layer {
			if s.found == nil && s.fails(w.End(state)) {
				s.found = s.told(state.Path())
			}
			if s.interrupted() {
				return nil, nil
			}
		}
		if s.found != nil {
			return s.found, nil
		}
	}
	return nil, nil
}

// atStart is the way of no moves to what broke before any.
func (x *Exploration) atStart(broken []string, run *sim.Run) *Way {
	if !slices.Equal(x.Judge(run).Broken, broken) {
		return nil
	}
	plan := *x.Plan
	plan.Network.Manual, plan.Script = true, nil
	return &Way{Broken: broken, Plan: &plan, States: 1}
}

// quest is such a search under way.
type quest struct {
	Exploration
	world *sim.World
	want  []string
	seen  visited
	count int64
	found *Way
}

func (s *quest) fails(run *sim.Run) bool {
	s.count++
	f := s.Judge(run)
	return slices.Equal(f.Broken, s.want)
}

func (s *quest) interrupted() bool {
	select {
	case <-s.Stop:
		return true
	default:
		return s.count >= int64(s.MaxStates)
	}
}

// nextLayer are the new states one move further.
func (s *quest) nextLayer(layer []*sim.State, depth int) []*sim.State {
	if layer[0].Depth >= depth {
		return nil
	}
	var next []*sim.State
	for _, state := range layer {
		s.world.Load(state)
		moves := s.world.Moves(nil)
		for i := 0; i < len(moves); i++ {
			more, led := s.step(state, moves[i])
			moves = append(moves, more...)
			if led != nil {
				next = append(next, led)
			}
		}
		state.Forget()
	}
	return next
}

// step makes a move. It gives the crashes inside it, and what it leads to if that is new.
func (s *quest) step(state *sim.State, m sim.Move) (more []sim.Move, led *sim.State) {
	s.world.Load(state)
	tails, ok := s.world.Move(m)
	if m.Crash == 0 && m.Kind != sim.MoveCrash && state.MayCrash() {
		more = m.Within(tails, s.Walk.Keep)
	}
	if !ok {
		if s.found == nil && s.fails(s.world.Fallen()) {
			s.found = s.told(append(state.Path(), m))
		}
		return more, nil
	}
	if s.seen.add(s.world.Sum()) {
		led = s.world.Save(nil)
	}
	return more, led
}

// told makes a story of a way, and plays it; nil if the story does not break the same.
func (s *quest) told(path []sim.Move) *Way {
	plan, err := new(sim.World).Tell(s.Plan, s.Walk, path)
	if err != nil {
		panic(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		panic(err)
	}
	f := s.Judge(run)
	if !slices.Equal(f.Broken, s.want) {
		return nil
	}
	return &Way{Broken: f.Broken, Path: path, Plan: plan, States: s.count}
}
