package scenarios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// tape is a testing.TB that keeps what is said instead of failing.
type tape struct {
	testing.TB
	logs, errors []string
}

func (t *tape) Helper()      {}
func (t *tape) Name() string { return "TestTape/a+b" }
func (t *tape) Failed() bool { return len(t.errors) > 0 }
func (t *tape) Log(a ...any) { t.logs = append(t.logs, fmt.Sprint(a...)) }
func (t *tape) Logf(f string, a ...any) {
	t.logs = append(t.logs, fmt.Sprintf(f, a...))
}
func (t *tape) Error(a ...any) { t.errors = append(t.errors, fmt.Sprint(a...)) }
func (t *tape) Errorf(f string, a ...any) {
	t.errors = append(t.errors, fmt.Sprintf(f, a...))
}
func (t *tape) Fatalf(f string, a ...any) {
	t.Errorf(f, a...)
	runtime.Goexit()
}
func (t *tape) Fatal(a ...any) {
	t.Error(a...)
	runtime.Goexit()
}

// swept is what Sweep says of a protocol.
func swept(p *sim.Protocol, o scenarios.SweepOptions) *tape {
	return taped(func(t *tape) { scenarios.Sweep(t, p, o) })
}

// taped is what a test says.
func taped(test func(*tape)) *tape {
	t := &tape{}
	done := make(chan bool)
	go func() {
		defer close(done)
		test(t)
	}()
	<-done
	return t
}

// tell is a request and the message that it makes: a word for the next node.
type tell string

func (tell) Kind() string     { return "tell" }
func (w tell) Keys() []string { return []string{string(w)} }

// heard is the fact that a word has come.
type heard struct{ tell }

func (heard) Kind() string { return "heard" }

// gossip is a node that tells its words on, and says those that it has heard. It may do one thing
// wrong.
type gossip struct {
	sim.Idle
	doubles bool // says twice the word that it hears after another
	last    tell
	drifts  *int // counts over all runs, and is added to its words
}

func (g *gossip) Invoke(env *sim.Env, c sim.Call) {
	w := c.Op.(tell)
	if g.drifts != nil {
		*g.drifts++
		w += tell(strings.Repeat("s", *g.drifts%7))
		env.Send((env.ID+1)%sim.NodeID(len(env.Nodes)), w)
	}
	env.Send((env.ID+1)%sim.NodeID(len(env.Nodes)), w)
	env.Return(c.ID, w)
}

func (g *gossip) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) {
	w := m.(tell)
	env.Note(heard{w})
	if g.doubles && g.last == "a" && w == "b" {
		env.Note(heard{w})
	}
	g.last = w
}

// once is the property that no word is heard twice in a row at one moment.
func once(run *sim.Run) (premises int, v *sim.Violation) {
	for i, e := range run.Trace {
		if _, is := e.Body.(heard); !is {
			continue
		}
		premises++
		if before := run.Trace[i-1]; before.Body == e.Body && before.Kind == sim.EntryNoted {
			return premises, &sim.Violation{Reason: "heard twice", Witness: []int{i - 1, i}}
		}
	}
	return premises, nil
}

// gossips is a protocol of one right variant, which is what plain makes, and a mutant.
func gossips(plain, mutant gossip) *sim.Protocol {
	made := func(g gossip) func(sim.NodeID, []sim.NodeID) sim.Machine {
		return func(sim.NodeID, []sim.NodeID) sim.Machine {
			own := g
			return &own
		}
	}
	return &sim.Protocol{
		Name: "gossip",
		Variants: []sim.Variant{{Name: "plain", New: made(plain)},
			{Name: "doubles", Of: "plain", Breaks: "once", New: made(mutant)}},
		ParseOp:    func(words []string) (sim.Op, error) { return tell(words[0]), nil },
		Properties: []sim.Property{{Name: "once", Check: once}},
		Goals: []sim.Goal{
			{Name: "talk", Doc: "somebody heard something", Count: func(run *sim.Run) int { n, _ := once(run); return n }},
			{Name: "silence", Doc: "pigs fly", Count: func(*sim.Run) int { return 0 }},
		},
		Draw: func(d *sim.Draws) []sim.Action {
			var load []sim.Action
			for i := range d.Ops {
				load = append(load, sim.Action{Verb: sim.Request, Node: d.Nodes[0],
					Words: []string{string(rune('a' + d.Int(4, "word", i)))}})
			}
			return load
		},
	}
}

func TestSweepKeepsWhatBreaksAndTheNextTestFailsByItAtOnce(t *testing.T) {
	o := scenarios.SweepOptions{Dir: filepath.Join(t.TempDir(), "found")}
	wrong := gossips(gossip{doubles: true}, gossip{doubles: true})

	first := swept(wrong, o)
	file := filepath.Join(o.Dir, "gossip-plain-once.txt")
	if len(first.errors) != 1 {
		t.Fatalf("got the errors %q, want one", first.errors)
	}
	line := first.errors[0]
	if strings.Contains(line, "\n") || !strings.HasPrefix(line, "plain breaks once under seed ") ||
		!strings.HasSuffix(line, ": heard twice; the story is kept: downset replay "+filepath.ToSlash(file)) {
		t.Errorf("got the error %q, want one line with reason, path and command", line)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	replays(t, wrong, file, "once")

	second := swept(wrong, o)
	if len(second.errors) != 1 || !strings.Contains(second.errors[0], "want holds, got breaks once") {
		t.Errorf("got the errors %q, want one of the story", second.errors)
	}
	if said := strings.Join(second.logs, "\n"); strings.Contains(said, "seeds") && !testing.Short() {
		t.Errorf("the second test swept: %s", said)
	}
	if again, err := os.ReadFile(file); err != nil || string(again) != string(text) {
		t.Errorf("the second test changed the story (%v):\n%s", err, again)
	}

	mended := swept(gossips(gossip{}, gossip{doubles: true}), o)
	if mended.Failed() {
		t.Errorf("got the errors %q of the mended protocol, want none", mended.errors)
	}
	if said := strings.Join(mended.logs, "\n"); !strings.Contains(said, "played first: 1 stor") {
		t.Errorf("the mended protocol was not held to the story: %s", said)
	}

	other := swept(wrong, scenarios.SweepOptions{Dir: o.Dir})
	if !other.Failed() {
		t.Error("the fault is back, and nothing fails")
	}
}

// replays says that a stored run is the recorded one, and breaks a property.
func replays(t *testing.T, p *sim.Protocol, file, property string) {
	t.Helper()
	s := read(t, file)
	plan, found, err := s.Recorded(p)
	if err != nil {
		t.Fatal(err)
	}
	run, err := new(sim.World).Execute(plan, sim.Options{Digest: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := scenarios.Fingerprint(run); got != found.Hash {
		t.Errorf("%s plays %s, recorded is %s", file, got, found.Hash)
	}
	if _, v := once(run); v == nil || property != "once" {
		t.Errorf("%s does not break %s", file, property)
	}
}

func TestSweepOfAMutantWantsItFound(t *testing.T) {
	o := scenarios.SweepOptions{Variants: []string{"doubles"}, Dir: t.TempDir()}
	for range 2 { // the second time the story is there
		found := swept(gossips(gossip{}, gossip{doubles: true}), o)
		if found.Failed() {
			t.Fatalf("got the errors %q, want none: the mutant breaks what it must", found.errors)
		}
		if said := strings.Join(found.logs, "\n"); !strings.Contains(said, "doubles breaks once under seed ") {
			t.Errorf("got the log %q, want what was found", said)
		}
	}
	missed := swept(gossips(gossip{}, gossip{}), scenarios.SweepOptions{Variants: o.Variants, Dir: t.TempDir()})
	if len(missed.errors) != 1 || !strings.Contains(missed.errors[0], "doubles breaks once under none of ") {
		t.Errorf("got the errors %q of a mutant that is right, want one", missed.errors)
	}
}

func TestACleanSweepSaysWhatItWasWorth(t *testing.T) {
	right := gossips(gossip{}, gossip{})
	got := swept(right, scenarios.SweepOptions{Dir: t.TempDir()})
	said := strings.Join(got.logs, "\n")
	for _, want := range []string{"plain holds under ", "(3/N)", "plain met premises: once ",
		"plain reached goals, in runs: talk ", "silence 0"} {
		if !strings.Contains(said, want) {
			t.Errorf("got the log\n%s\nwant %q in it", said, want)
		}
	}
	rate := "less than 0.15 % of such runs"
	if testing.Short() {
		rate = "less than 1.5 % of such runs"
		if !strings.Contains(said, "-short: 200 seeds instead of 2000") {
			t.Errorf("got the log\n%s\nwant the seeds that -short leaves out", said)
		}
	}
	if !strings.Contains(said, rate) || got.Failed() {
		t.Errorf("got the errors %q and the log\n%s\nwant %q", got.errors, said, rate)
	}

	strict := swept(right, scenarios.SweepOptions{Dir: t.TempDir(), Goals: true})
	if want := "no run reached silence: pigs fly"; !testing.Short() &&
		!slices.Equal(strict.errors, []string{want}) {
		t.Errorf("got the errors %q, want %q", strict.errors, want)
	}
	right.Draw = func(*sim.Draws) []sim.Action { return nil }
	idle := swept(right, scenarios.SweepOptions{Dir: t.TempDir()})
	if testing.Short() {
		return // too few seeds to ask for anything
	}
	if len(idle.errors) != 1 || !strings.Contains(idle.errors[0], "once holds, but no run met its premise") {
		t.Errorf("got the errors %q of runs without requests, want one", idle.errors)
	}
}

func TestASearchWithoutWorkloadsSaysWhatItWants(t *testing.T) {
	mute := gossips(gossip{}, gossip{doubles: true})
	mute.Draw = nil
	const want = "gossip draws no workloads: want a story of it"
	for _, c := range []struct {
		name string
		said *tape
	}{
		{"a sweep", swept(mute, scenarios.SweepOptions{Dir: t.TempDir()})},
		{"the test of the workload", taped(func(t *tape) { scenarios.Workload(t, mute) })},
	} {
		if len(c.said.errors) != 1 || !strings.HasPrefix(c.said.errors[0], want) {
			t.Errorf("%s: got the errors %q, want one that begins with %q", c.name, c.said.errors, want)
		}
	}
}

func TestSweepNamesTheSeedWhoseTwoRunsDiffer(t *testing.T) {
	count := 0
	got := swept(gossips(gossip{drifts: &count}, gossip{}), scenarios.SweepOptions{Dir: t.TempDir(),
		Seeds: scenarios.Seeds{From: 20, To: 20}})
	if len(got.errors) != 1 || !strings.Contains(got.errors[0], "plain, seed 20: two runs of one plan differ at entry") ||
		!strings.HasSuffix(got.errors[0], "\n\tdownset sweep --variant plain --seeds 20..20 gossip") {
		t.Errorf("got the errors %q, want the seed, the entry, and the command", got.errors)
	}
}

func TestSweepPlaysAStoryUnderManySeeds(t *testing.T) {
	s, err := scenarios.Parse("two.txt", []byte("-- scenario --\nmodel gossip\nnodes P Q\n\n"+
		"-- script --\nP b\nP a\n\n-- expect --\nplain  holds\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := scenarios.SweepOptions{Scenario: s, Dir: t.TempDir(), Seeds: scenarios.Seeds{From: 1, To: 200}}
	got := swept(gossips(gossip{}, gossip{}), o)
	if got.Failed() || !strings.Contains(strings.Join(got.logs, "\n"), "plain met premises: once ") {
		t.Errorf("got the errors %q and the log %q", got.errors, got.logs)
	}
}
