package sim_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
)

// ramble is what random walks go through.
type ramble struct {
	name string
	plan func(*rand.Rand) *sim.Plan
}

// rambles are all models, and the protocols of the tests.
func rambles() []ramble {
	all := []ramble{{"busybodies", rambleOfBusybodies}, {"puppets", rambleOfPuppets}}
	for _, p := range model.All {
		all = append(all, ramble{p.Name, func(r *rand.Rand) *sim.Plan { return rambleOf(p, r) }})
	}
	return all
}

// aroundALibrary says that the machines of a variant of raft cannot be copied: they are made of
// etcd's library, and say so (sim.Opaque).
func aroundALibrary(v sim.Variant) bool {
	return strings.HasPrefix(v.Name, "etcd") || strings.HasPrefix(v.Of, "etcd")
}

// rambleOf is a small drawn workload of a model, under any of its variants.
func rambleOf(p *sim.Protocol, r *rand.Rand) *sim.Plan {
	copied := p.Variants
	if p.Name == "raft" {
		copied = slices.DeleteFunc(slices.Clone(p.Variants), aroundALibrary)
	}
	plan := &sim.Plan{Protocol: p, Variant: copied[r.IntN(len(copied))],
		Nodes: []string{"P", "Q", "R"}[:2+r.IntN(2)]}
	plan.Network.DiskSlow = r.IntN(3) == 0
	plan.Script = p.Draw(&sim.Draws{Nodes: plan.Nodes, Clients: 1 + r.IntN(3), Ops: 2 + r.IntN(3), Span: ms, Seed: r.Uint64()})
	for i := range plan.Script {
		plan.Script[i].Place, plan.Script[i].Offset = sim.InTurn, 0
	}
	if p.Joins && r.IntN(2) == 0 {
		plan.Later = []string{"S"}
		plan.Script = append(plan.Script, line("join S"))
	}
	return plan
}

// rambleOfBusybodies is some requests, and much that befalls nodes.
func rambleOfBusybodies(r *rand.Rand) *sim.Plan {
	p := &sim.Plan{Protocol: richWorld, Variant: richWorld.Variants[0], Nodes: []string{"A", "B", "C"}, Later: []string{"D"}}
	p.Network.DiskSlow, p.Network.InFlight = r.IntN(2) == 0, sim.InFlight(r.IntN(3))
	for i, text := range []string{"disk A keep 1", "join D", "crash B", "restart B", "partition A | B C", "heal", "disk C torn", "disk B failing", "leave C", "disk A lost"} {
		if r.IntN(3) == 0 {
			p.Script = append(p.Script, line(text))
		}
		if i%2 == 0 {
			p.Script = append(p.Script, line(fmt.Sprint("by ", r.IntN(3), " ", p.Nodes[r.IntN(3)], " put ", i)))
		}
	}
	return p
}

// rambleOfPuppets is requests that do what busybodies do not.
func rambleOfPuppets(r *rand.Rand) *sim.Plan {
	programs := []string{"append a; sync; send B x; note done; return ok", "append a; flush; send B y; send C z; return ok",
		"flow B one; flow B two; append b; sync; flow B three; return ok", "mail B one; mail B two; close B; return ok",
		"append c; replace 1 snap; sync; later work; return ok", "after 5ms t; every 7ms tick; after 9ms u; append d; flush; return ok",
		"stream B; flow C x; stream C; refuse no", "cancel t; after 5ms t; send A self; append e; append f; sync; send B w; return ok"}
	p := withRules(world("A B C"), rule{"B got x", "append x; sync; note stored; send back ack"}, rule{"A fired t", "append t; flush; send C late"},
		rule{"* fired u", "append u; send B late"}, rule{"B got one", "mail A back; append one"}, rule{"C got z", "append z; sync; flow back z; note gone"})
	p.Network.DiskSlow, p.Budget.Events = r.IntN(2) == 0, 5000
	for i := range 3 {
		p.Script = append(p.Script, line(fmt.Sprint("by ", r.IntN(2), " ", p.Nodes[r.IntN(3)], " put ", i, " : ", programs[r.IntN(len(programs))])))
	}
	return p
}

// trip is one random walk: the states it came through, the first that of the start.
type trip struct {
	plan   *sim.Plan
	opt    sim.WalkOptions
	moves  []sim.Move
	states []*sim.State
	fallen bool // the last move ended in a panic
}

// wander walks at random, up to so many moves, without ever going back but for a crash in a handler.
func wander(t *testing.T, w *sim.World, r *rand.Rand, plan *sim.Plan, most int) *trip {
	bound := func() int { return r.IntN(3) }
	tr := &trip{plan: plan, opt: sim.WalkOptions{Timers: bound(), Crashes: bound(), Losses: bound(), Duplicates: bound(),
		Partitions: bound(), Breaks: bound(), Keep: r.IntN(2) == 0, Deep: r.IntN(2) == 0, Exact: r.IntN(2) == 0, Trace: true}}
	root, err := w.Walk(plan, tr.opt)
	if err != nil {
		t.Fatal(err)
	}
	tr.states = append(tr.states, root)
	w.Load(root)
	for len(tr.moves) < most {
		moves := w.Moves(nil)
		if len(moves) == 0 {
			break
		}
		m := moves[r.IntN(len(moves))]
		last := tr.states[len(tr.states)-1]
		tails, ok := w.Move(m)
		if within := m.Within(tails, tr.opt.Keep); ok && last.MayCrash() && m.Kind != sim.MoveCrash && len(within) > 0 && r.IntN(3) == 0 {
			m = within[r.IntN(len(within))]
			w.Load(last)
			_, ok = w.Move(m)
		}
		tr.moves = append(tr.moves, m)
		if !ok {
			tr.fallen = true
			break
		}
		s := w.Save(nil)
		tr.states = append(tr.states, s)
		w.Load(s)
	}
	return tr
}

func TestCopiesOfRandomPrefixesGoOnAsTheOriginalDoes(t *testing.T) {
	for _, x := range rambles() {
		t.Run(x.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			first, second, third := new(sim.World), new(sim.World), new(sim.World)
			want := 10_000
			if testing.Short() {
				want = 500
			}
			if x.name == "synchro" {
				want /= 10 // each step of it is a dozen events of others
			}
			prefixes := 0
			for walks := 0; prefixes < want && !t.Failed(); walks++ {
				tr := wander(t, first, r, x.plan(r), 24)
				tr.check(t, r, first, second, third)
				prefixes += len(tr.states)
				if walks > want {
					t.Fatalf("%d walks have only %d prefixes", walks, prefixes)
				}
			}
			t.Logf("%d prefixes", prefixes)
		})
	}
}

// check plays on from every state of a trip in the second world, and looks at each state again in
// the third, once both have moved on from it. The first world is where the trip ended.
func (tr *trip) check(t *testing.T, r *rand.Rand, first, second, third *sim.World) {
	t.Helper()
	for _, w := range []*sim.World{second, third} {
		if _, err := w.Walk(tr.plan, tr.opt); err != nil {
			t.Fatal(err)
		}
	}
	last := tr.states[len(tr.states)-1]
	whole := r.IntN(len(tr.states)) // from there to the end, from others a few moves
	for from := range tr.states {
		at := tr.goOn(t, second, from, from == whole)
		if t.Failed() {
			return
		}
		third.Load(tr.states[from])
		if why := third.Recount(); why != "" {
			t.Errorf("state %d, once a copy has moved on: %s\n%s", from, why, tr)
			return
		}
		if from != whole || tr.fallen {
			continue
		}
		if a, b := outcome(first, last), outcome(second, at); a != b {
			t.Errorf("from state %d on the copy ends otherwise: %x, want %x\n%s", from, b, a, tr)
		}
	}
}

// goOn makes the moves of the trip from a state on, and compares each state that it comes to.
func (tr *trip) goOn(t *testing.T, w *sim.World, from int, whole bool) *sim.State {
	s := tr.states[from]
	w.Load(s)
	for i := from; i < len(tr.states)-1 && (whole || i < from+3); i++ {
		w.Move(tr.moves[i])
		s = w.Save(nil)
		if s.Sum != tr.states[i+1].Sum {
			t.Errorf("from state %d on move %d leads to %x, want %x\n%s", from, i, s.Sum, tr.states[i+1].Sum, tr)
			return s
		}
		if why := w.Recount(); why != "" {
			t.Errorf("from state %d on, after move %d: %s\n%s", from, i, why, tr)
			return s
		}
		w.Load(s)
	}
	return s
}

// String is what a walk was.
func (tr *trip) String() string {
	text := fmt.Sprintf("%s of %s, %+v\nscript", tr.plan.Variant.Name, tr.plan.Protocol.Name, tr.opt)
	for _, a := range tr.plan.Script {
		text += fmt.Sprintf(" [%d %s %v %d]", a.Verb, a.Node, a.Words, a.Client)
	}
	return text + fmt.Sprintf("\nmoves %+v", tr.moves)
}

// outcome is a hash of how a state ends: of the trace, the machines and the disks.
func outcome(w *sim.World, s *sim.State) [2]uint64 {
	run := w.End(s)
	return [2]uint64{w.Remains(), sim.NewCoder().Hash(run.Trace)}
}

func TestAStoryThatIsToldOfAWalkIsTheWalk(t *testing.T) {
	for _, x := range rambles() {
		t.Run(x.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			w := new(sim.World)
			told, stuck := 0, 0
			for range 300 {
				tr := wander(t, w, r, x.plan(r), 4+r.IntN(20))
				if tr.fallen {
					continue
				}
				if tr.tell(t, w) {
					told++
				} else {
					stuck++
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d told, %d that lines cannot name", told, stuck)
			if told < 2*stuck {
				t.Errorf("%d of %d walks were told, want two thirds", told, told+stuck)
			}
		})
	}
}

// tell plays the story of a trip in the engine. It says whether each of its lines found what it
// names.
func (tr *trip) tell(t *testing.T, w *sim.World) bool {
	t.Helper()
	walked := w.End(tr.states[len(tr.states)-1])
	want := slices.Clone(walked.Trace)
	whole := tr.opt.Exact && !numbersClients(tr.plan.Protocol)
	if !whole {
		want = want[:walked.Epilogue]
	}
	plan, err := new(sim.World).Tell(tr.plan, tr.opt, tr.moves)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatalf("%v\n%s", err, tr)
	}
	for _, s := range run.Stale {
		if strings.Contains(s.Why, "match") || strings.Contains(s.Why, "stands behind") {
			return false
		}
	}
	got := slices.Clone(run.Trace)
	if !whole {
		got = got[:run.Epilogue]
	}
	tr.same(t, run, undisturbed(want), undisturbed(got))
	return true
}

// numbersClients says that what a protocol's machines say has the numbers of clients in it. Those that
// ask in the end come after the clients of the script, of which a story has only those that asked.
func numbersClients(p *sim.Protocol) bool { return p.Name == "raft" || p.Name == "metastore" }

// same compares the traces of a walk and of its story.
func (tr *trip) same(t *testing.T, run *sim.Run, want, got []sim.Entry) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i < min(len(want), len(got)) && reflect.DeepEqual(want[i], got[i]) {
			continue
		}
		show := func(trace []sim.Entry) (text string) {
			for k := max(0, i-2); k < min(i+2, len(trace)); k++ {
				text += fmt.Sprintf("\n%4d %s  cause %d n %d", k, sentence(run, trace[k]), trace[k].Cause, trace[k].N)
			}
			return text
		}
		t.Errorf("the story differs from entry %d on, stale %v: got%s\nwant%s\n%s", i, run.Stale, show(got), show(want), tr)
		return
	}
}

// undisturbed is a trace without the entries of disks that a story tells what to keep, which a walk
// has none of.
func undisturbed(trace []sim.Entry) []sim.Entry {
	at, kept := make([]int32, len(trace)), trace[:0]
	for i, e := range trace {
		at[i] = int32(len(kept))
		if e.Kind == sim.EntryDisk && e.N == int64(sim.DiskKeep) {
			continue
		}
		if e.Cause >= 0 {
			e.Cause = at[e.Cause]
		}
		kept = append(kept, e)
	}
	return kept
}
