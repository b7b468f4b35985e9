package sim_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// executed plays a plan in a world of its own.
func executed(t testing.TB, p *sim.Plan, opt sim.Options) *sim.Run {
	t.Helper()
	run, err := new(sim.World).Execute(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// runsOf is how many runs a property is tried on.
func runsOf(full int) int {
	if testing.Short() {
		return full / 10
	}
	return full
}

// staleChance counts the exceptions that named nothing.
func staleChance(run *sim.Run) int {
	n := 0
	for _, s := range run.Stale {
		if s.Why == "no decision has this name" {
			n++
		}
	}
	return n
}

// choiceNames are the choices, for messages.
var choiceNames = map[sim.Choice]string{sim.Delay: "delay", sim.Lost: "lost", sim.Copy: "copy", sim.Tardy: "late", sim.CrashAt: "crash",
	sim.RestartIn: "restart", sim.KeepRows: "keep", sim.Tear: "torn", sim.SyncFails: "sync fails", sim.BreakAt: "break",
	sim.LoseAfter: "lose after", sim.Drawn: "draw"}

func TestAPinnedRunIsTheRun(t *testing.T) {
	runs, choices, ends := 0, map[sim.Choice]int{}, map[sim.Ending]int{}
	for seed := uint64(1); seed <= uint64(runsOf(1000)); seed++ {
		p := rich(seed)
		run := executed(t, p, sim.Options{Record: true, Digest: true})
		runs++
		ends[run.End]++
		for _, c := range run.Chosen {
			choices[c.Name.What]++
		}
		q := *p
		q.Seed, q.Chance = 0, run.Chosen
		pinned := executed(t, &q, sim.Options{Digest: true, Record: true})
		if pinned.Hash != run.Hash || pinned.Digest != run.Digest {
			t.Fatalf("seed %d: pinned, another run; first difference:\n%s", seed, parting(run, pinned))
		}
		if n := staleChance(pinned); n > 0 || !slices.Equal(inOrder(pinned.Chosen), inOrder(run.Chosen)) {
			t.Fatalf("seed %d: of %d exceptions %d are stale, and %d were chosen again\n%v\n%v", seed, len(run.Chosen), n, len(pinned.Chosen), run.Chosen, pinned.Chosen)
		}
	}
	t.Logf("%d runs, endings %v, choices %v", runs, ends, choices)
	if runs != runsOf(1000) || ends[sim.Settled] < runs*9/10 {
		t.Errorf("%d runs of which %d settled, want %d and nearly all", runs, ends[sim.Settled], runsOf(1000))
	}
	for c := sim.Delay; c <= sim.Drawn; c++ {
		if choices[c] < runs/20 {
			t.Errorf("%q was chosen %d times in %d runs, want at least %d", choiceNames[c], choices[c], runs, runs/20)
		}
	}
}

// inOrder are decisions by name.
func inOrder(chosen []sim.Exception) []string {
	var out []string
	for _, e := range chosen {
		out = append(out, fmt.Sprint(e))
	}
	slices.Sort(out)
	return out
}

// parting shows where two runs part.
func parting(a, b *sim.Run) string {
	for i := range min(len(a.Trace), len(b.Trace)) {
		x, y := a.Trace[i], b.Trace[i]
		if x != y {
			text := ""
			for j := max(0, i-12); j < i; j++ {
				text += fmt.Sprintf("%d %v %s cause %d n %d\n", j, a.Trace[j].At, sentence(a, a.Trace[j]), a.Trace[j].Cause, a.Trace[j].N)
			}
			return text + fmt.Sprintf("%d: %v %s cause %d n %d\nand: %v %s cause %d n %d", i, x.At, sentence(a, x), x.Cause, x.N, y.At, sentence(b, y), y.Cause, y.N)
		}
	}
	return fmt.Sprintf("%d and %d entries", len(a.Trace), len(b.Trace))
}

// byName are the decisions of a run that hang on their name alone. How much of a tail is lost, and
// where in a handler a crash falls, also hangs on what is there to lose.
func byName(run *sim.Run) []sim.Exception {
	return slices.DeleteFunc(slices.Clone(run.Chosen), func(e sim.Exception) bool {
		return e.Name.What == sim.CrashAt || e.Name.What == sim.KeepRows || e.Name.What == sim.LoseAfter
	})
}

// TestRemovingAnActionLeavesOtherDecisions removes one action of a random run. All decisions whose
// names still come up must be as they were: forcing them changes nothing.
func TestRemovingAnActionLeavesOtherDecisions(t *testing.T) {
	runs, shared, differ := 0, 0, 0
	rng := rand.New(rand.NewSource(1))
	for seed := uint64(1); seed <= uint64(runsOf(1000)); seed++ {
		p := rich(seed)
		if p.Network.Links[0].Delay.Shape == sim.Ranked {
			p.Network.Links[0].Delay.Shape = sim.Uniform // what a link's rank is hangs on the time
			p.Network.Links[1].Delay.Shape = sim.Uniform
		}
		before := executed(t, p, sim.Options{Record: true})
		q := *p
		if i := rng.Intn(len(p.Script) + len(p.Load)); i < len(p.Script) {
			q.Script = slices.Delete(slices.Clone(p.Script), i, i+1)
		} else {
			q.Load = slices.Delete(slices.Clone(p.Load), i-len(p.Script), i-len(p.Script)+1)
		}
		after := executed(t, &q, sim.Options{Record: true})
		value := map[sim.Name]int64{}
		for _, e := range byName(before) {
			value[e.Name] = e.Value
		}
		for _, e := range byName(after) {
			if v, ok := value[e.Name]; ok {
				shared++
				if v != e.Value {
					t.Fatalf("seed %d: %v was %d, and %d without %s", seed, e.Name, v, e.Value, "an action")
				}
			}
		}
		if after.Hash != before.Hash {
			differ++
		}
		forced := q
		forced.Chance = byName(before)
		if again := executed(t, &forced, sim.Options{}); again.Hash != after.Hash {
			t.Fatalf("seed %d: what was chosen before is not what is chosen now:\n%s", seed, parting(after, again))
		}
		runs++
	}
	t.Logf("%d runs, %d differ, %d decisions in both", runs, differ, shared)
	if runs != runsOf(1000) || differ < runs*7/10 || shared < 50*runs {
		t.Errorf("%d runs, %d differ, %d decisions in both, want more", runs, differ, shared)
	}
}

func TestRemovingANodeRenamesNothing(t *testing.T) {
	d := sim.Dist{Shape: sim.Uniform, Low: ms, High: 900 * ms}
	when := func(nodes ...string) sim.Time {
		p := timed("", "B x: send C m 1")
		p.Nodes, p.Seed, p.Network.Links = nodes, 9, []sim.Link{{From: "*", To: "*", Delay: d}}
		run := play(t, p)
		i := slices.IndexFunc(run.Trace, func(e sim.Entry) bool { return e.Kind == sim.EntryDelivered })
		return run.Trace[i].At
	}
	if a, b, c := when("A", "B", "C"), when("B", "C"), when("C", "B"); a != b || a != c {
		t.Errorf("B->C m 1 took %v, %v without A, %v with the nodes turned round", a, b, c)
	}
}

func TestOtherTrafficChangesNoDecision(t *testing.T) {
	d := sim.Dist{Shape: sim.Uniform, Low: ms, High: 900 * ms}
	arrival := func(program string) sim.Time {
		p := withLog(timed("A B C", "B x: "+program))
		p.Seed, p.Network.Links = 9, []sim.Link{{From: "*", To: "*", Delay: d}}
		run := play(t, p)
		i := slices.IndexFunc(run.Trace, func(e sim.Entry) bool { return sentence(run, e) == "C receives B m 1" })
		return run.Trace[i].At
	}
	want := arrival("send C m 1")
	for _, program := range []string{"send C m 2; send C m 1", "send A m 1; send C m 1", "draw m 9; send C m 1", "append m 1; sync; send C m 1",
		"send C n 1; later m 1; publish m 1; after 1ms m 1; send C m 1"} {
		if got := arrival(program); got != want {
			t.Errorf("%s: C got m 1 at %v, want %v as alone", program, got, want)
		}
	}
}

func TestAWorldThatIsReusedIsAsGoodAsNew(t *testing.T) {
	n := runsOf(300)
	fresh := make([]uint64, n)
	digest := make([]uint64, n)
	plans := make([]*sim.Plan, n)
	for i := range plans {
		plans[i] = rich(uint64(i + 1))
		if i%10 == 0 {
			plans[i] = variety()[i/10%len(variety())]
		}
		run := executed(t, plans[i], sim.Options{Digest: true})
		fresh[i], digest[i] = run.Hash, run.Digest
	}
	up := make([]int, n)
	for i := range up {
		up[i] = i
	}
	down := slices.Clone(up)
	slices.Reverse(down)
	rng := rand.New(rand.NewSource(2))
	shuffled := slices.Concat(rng.Perm(n), rng.Perm(n))
	w := new(sim.World)
	played := 0
	for name, order := range map[string][]int{"forwards": up, "backwards": down, "shuffled": shuffled} {
		for _, i := range order {
			run, err := w.Execute(plans[i], sim.Options{Digest: true, Record: i%2 == 0})
			if err != nil {
				t.Fatal(err)
			}
			if run.Hash != fresh[i] || run.Digest != digest[i] {
				t.Fatalf("%s: plan %d gives %x %x in a used world, %x %x in a new one", name, i, run.Hash, run.Digest, fresh[i], digest[i])
			}
			played++
		}
	}
	if played != 4*n {
		t.Errorf("%d runs played, want %d", played, 4*n)
	}
}

func TestAFailedPlanLeavesNothingBehind(t *testing.T) {
	w := new(sim.World)
	bad := rich(3)
	bad.Script = append(slices.Clone(bad.Script), sim.Action{Verb: sim.Crash, Node: "Q"})
	want := executed(t, rich(4), sim.Options{}).Hash
	for range 3 {
		if _, err := w.Execute(bad, sim.Options{}); err == nil {
			t.Fatal("a crash of Q was accepted")
		}
		if run, err := w.Execute(rich(4), sim.Options{}); err != nil || run.Hash != want {
			t.Fatalf("hash %x, want %x: %v", run.Hash, want, err)
		}
	}
}

func TestTheLastOfTwoExceptionsCountsAndTheOtherIsStale(t *testing.T) {
	name := sim.Name{What: sim.Delay, At: "A", To: "B", Of: "m", N: 1}
	p := timed("A B", "A x: send B m")
	p.Chance = []sim.Exception{{Name: name, Value: int64(5 * ms)}, {Name: name, Value: int64(7 * ms)}}
	run := play(t, p)
	if at := lastDelivery(run); at != sim.Time(7*ms) || staleChance(run) != 1 {
		t.Errorf("delivered at %v with %d stale, want 7ms and 1\n%s", at, staleChance(run), whole(run))
	}
}

func lastDelivery(run *sim.Run) sim.Time {
	at := sim.Time(-1)
	for _, e := range run.Trace {
		if e.Kind == sim.EntryDelivered {
			at = e.At
		}
	}
	return at
}

func TestExceptionsForDatagrams(t *testing.T) {
	name := func(what sim.Choice, keys string, n int32) sim.Name {
		return sim.Name{What: what, At: "A", To: "B", Of: "m", Keys: keys, N: n}
	}
	p := timed("A B", "A x: send B m 1; send B m 1; send B m 2; send B m 3 4")
	p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: ms, High: ms}}}
	p.Chance = []sim.Exception{{Name: name(sim.Delay, "1", 2), Value: int64(5 * ms)}, {Name: name(sim.Lost, "2", 1), Value: 1},
		{Name: name(sim.Copy, "3 4", 1), Value: 1 + int64(8*ms)}, {Name: name(sim.Delay, "9", 1), Value: 1}}
	run := play(t, p)
	var got []string
	for _, e := range run.Trace {
		if has(fates, e.Kind) {
			got = append(got, fmt.Sprint(sentence(run, e), " ", e.At))
		}
	}
	compare(t, run, "", fmt.Sprint(got), "[B lost A m 2 (lost) 0s A copied B m 3 4 0s B receives A m 1 1ms B receives A m 3 4 1ms B receives A m 1 6ms B receives A m 3 4 9ms]")
	if n := staleChance(run); n != 1 {
		t.Errorf("%d exceptions are stale, want the one for m 9", n)
	}
}

func TestAnExceptionOfZeroIsBoring(t *testing.T) {
	p := spread(5, sim.Link{From: "*", To: "*", Loss: 1_000_000})
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.Lost, At: "A", To: "B", Of: "m", Keys: "4"}, Value: 0}}
	run := play(t, p)
	compare(t, run, "", facts(run, "B"), "got A m 4")
}

func TestKeysMayHoldBlanks(t *testing.T) {
	p := timed("A B", "A x: note on")
	p.Variant.New = func(id sim.NodeID, _ []sim.NodeID) sim.Machine { return &blank{} }
	p.Seed, p.Network.Links = 1, []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Shape: sim.Uniform, High: 90 * ms}}}
	run := executed(t, p, sim.Options{Record: true})
	p.Seed, p.Chance = 0, run.Chosen
	if again := play(t, p); again.Hash != run.Hash || staleChance(again) != 0 || len(run.Chosen) != 3 {
		t.Errorf("pinned by %v: hash %x, want %x; %d stale", run.Chosen, again.Hash, run.Hash, staleChance(again))
	}
}

// blank sends a message whose keys are no words.
type blank struct{ sim.Idle }

type oddKeys struct{ keys [3]string }

func (oddKeys) Kind() string     { return "odd" }
func (o oddKeys) Keys() []string { return o.keys[:] }

func (blank) Invoke(env *sim.Env, _ sim.Call) {
	env.Send(1, oddKeys{[3]string{"a b", "", "c"}})
	env.Send(1, oddKeys{[3]string{"a", "b", "c"}})
	env.Draw("two words", 1000)
}

func TestADrawIsByLabelAndNumber(t *testing.T) {
	draws := func(seed uint64, program string) string {
		p := world("A", "A x: "+program)
		p.Seed = seed
		run := play(t, p)
		return facts(run, "A")
	}
	if got := draws(0, "draw d 100; draw d 100; draw e 100"); got != "drew d 0, drew d 0, drew e 0" {
		t.Errorf("without a seed %q, want the boring 0", got)
	}
	if a, b := draws(5, "draw d 1000000; draw e 1000000"), draws(5, "draw e 1000000; draw d 1000000"); !sameFacts(a, b) || a == draws(6, "draw d 1000000; draw e 1000000") {
		t.Errorf("draws hang on their order, or not on the seed: %q and %q", a, b)
	}
	p := world("A", "A x: draw d 10; draw d 10; draw d 10")
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.Drawn, At: "A", Of: "d", N: 2}, Value: 7}, {Name: sim.Name{What: sim.Drawn, At: "A", Of: "d", N: 3}, Value: 70, Line: 12}}
	run := play(t, p)
	compare(t, run, "", facts(run, "A"), "drew d 0, drew d 7, drew d 9")
	if want := (sim.Stale{Line: 12, Why: "the draw is from 0 to 9"}); len(run.Stale) != 1 || run.Stale[0] != want {
		t.Errorf("got stale %+v, want %+v", run.Stale, want)
	}
}

func TestADrawAfterACrashPointIsNotCounted(t *testing.T) {
	p := world("A", "A x: append r; draw d 10", "restart A", "A y: draw d 10; draw d 10")
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.CrashAt, At: "A", To: "before append", Of: "r"}, Value: 1},
		{Name: sim.Name{What: sim.Drawn, At: "A", Of: "d", N: 1}, Value: 7}}
	run := play(t, p)
	compare(t, run, "", facts(run, "A"), "drew d 7, drew d 0")
}

func sameFacts(a, b string) bool {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// TestAnyExceptionsMakeALegalRun forces the decisions of random runs to odd values.
func TestAnyExceptionsMakeALegalRun(t *testing.T) {
	values := []int64{0, 1, 2, 7, int64(ms), int64(time.Hour), 1 << 62, math.MaxInt64}
	rng := rand.New(rand.NewSource(3))
	forced, ends := 0, map[sim.Ending]int{}
	for seed := uint64(1); seed <= uint64(runsOf(500)); seed++ {
		p := rich(seed)
		p.Chance = executed(t, p, sim.Options{Record: true}).Chosen
		most := []int{5, len(values)}[rng.Intn(2)] // the last three are beyond any budget
		for i := range p.Chance {
			if rng.Intn(4) == 0 {
				p.Chance[i].Value = values[rng.Intn(most)]
				forced++
			}
		}
		if rng.Intn(2) == 0 {
			p.Seed = 0
		}
		run := executed(t, p, sim.Options{Digest: true})
		ends[run.End]++
		if run.Settled() && most == 5 {
			audit(t, run, map[string]int{})
		}
		if again := executed(t, p, sim.Options{}); again.Hash != run.Hash {
			t.Fatalf("seed %d: twice the same, but %x and %x", seed, run.Hash, again.Hash)
		}
	}
	t.Log(forced, "values forced, endings", ends)
	if forced < 10*runsOf(500) || ends[sim.Settled] < runsOf(500)/20 || ends[sim.Unsettled] < runsOf(500)/20 {
		t.Errorf("%d values forced, endings %v, want many of both", forced, ends)
	}
}
