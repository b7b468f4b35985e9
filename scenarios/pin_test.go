package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// faults are header lines of timed runs; each seed leaves out most of them.
var faults = []string{
	"delay 1ms..10ms",
	"delay P->Q 2ms..90ms heavy",
	"delay P->P 0s..3ms",
	"delay log->R 1ms..20ms",
	"delay P->log 1ms..5ms",
	"delay Q->client 1ms..5ms",
	"loss 10%",
	"loss Q->P 30%",
	"duplicate 12.5%",
	"disk slow 1ms..4ms told 0s..2ms",
	"disk fails 2%",
	"disk torn 50%",
	"disk keeps some",
	"crash 3%",
	"crashes 2",
	"restart 5ms..20ms",
	"break 5%",
	"detect 7ms",
	"reopen 1ms..9ms",
	"timeout 40ms",
	"late 0s..2ms",
	"inflight park",
}

// scripts are what a script does beside the drawn load.
var scripts = []string{
	"at 4ms partition P | Q R\nat 9ms heal",
	"at 4ms partition P -> Q R\nat 9ms heal",
	"at 3ms crash Q\nat 12ms restart Q",
	"when Q sends 2nd crash Q",
	"at 5ms pause R\nat 8ms resume R",
	"at 2ms join S",
	"at 6ms clock P +3ms\nat 7ms clock Q drift 200000",
	"at 5ms leave R",
	"at 2ms disk P torn\nat 3ms crash P\nat 9ms restart P",
	"at 2ms hold P->*\nat 9ms release P->*",
}

// timedStory is a timed story of three nodes with a drawn load, whose faults and script the seed
// chooses.
func timedStory(modelName, variant string, seed uint64) string {
	d := &sim.Draws{Seed: seed}
	var b strings.Builder
	fmt.Fprintf(&b, "-- scenario --\nmodel %s\nvariants %s\nnodes P Q R\nlater S\ntime runs\n", modelName, variant)
	fmt.Fprintf(&b, "clients %d\nops %d\nspan 30ms\n", 1+d.Int(3, "clients"), 3+d.Int(12, "ops"))
	for i, line := range faults {
		if d.Int(3, "fault", i) == 0 {
			fmt.Fprintln(&b, line)
		}
	}
	if modelName == "relay" {
		fmt.Fprintln(&b, "tag here")
	}
	fmt.Fprintf(&b, "-- script --\n%s\n", scripts[d.Int(int64(len(scripts)), "script")])
	fmt.Fprintf(&b, "-- expect --\n* holds\n")
	return b.String()
}

// pinned is what pinning many runs came to.
type pinned struct{ runs, decisions, crashes int }

// pinAndReplay runs a story under a seed, pins the run, prints it, reads it again, plays it, and
// wants the same run.
func (p *pinned) pinAndReplay(t *testing.T, protocol *sim.Protocol, variant string, seed uint64) {
	t.Helper()
	text := timedStory(protocol.Name, variant, seed)
	s, err := scenarios.Parse("timed.txt", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	plan, err := s.Plan(protocol, variant, seed)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	run, err := new(sim.World).Execute(plan, sim.Options{Record: true})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	printed := scenarios.Format(s.Pinned(scenarios.Pin(plan, run)))
	again := replay(t, protocol, printed)
	if again.Hash != run.Hash {
		t.Fatalf("%s, seed %d: hash %016x, pinned %016x, first difference:\n%s\npinned story:\n%s\nof\n%s",
			variant, seed, run.Hash, again.Hash, difference(run, again), printed, text)
	}
	p.runs++
	p.decisions += len(run.Chosen)
	for _, e := range run.Trace {
		if e.Kind == sim.EntryCrashed {
			p.crashes++
		}
	}
}

// replay plays a printed story of one variant.
func replay(t *testing.T, protocol *sim.Protocol, text []byte) *sim.Run {
	t.Helper()
	s, err := scenarios.Parse("pinned.txt", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := s.Check(protocol); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	plan, err := s.Plan(protocol, s.Played[0], 0)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return run
}

// difference is where two runs part, with what came before.
func difference(a, b *sim.Run) string {
	x, y := scenarios.TraceText(a), scenarios.TraceText(b)
	for i := range min(len(x), len(y)) {
		if lineWords(x[i]) != lineWords(y[i]) {
			return strings.Join(x[max(0, i-8):min(len(x), i+6)], "\n") + "\n---\n" +
				strings.Join(y[i:min(len(y), i+6)], "\n")
		}
	}
	return fmt.Sprintf("one has %d entries, the other %d", len(x), len(y))
}

func lineWords(line string) string { return strings.Join(strings.Fields(line), " ") }

func TestARunPinnedPrintedAndReadAgainIsTheSameRun(t *testing.T) {
	variants := []string{"plain", "rows", "plain/way=log"}
	var p pinned
	for seed := uint64(1); seed <= 1000; seed++ {
		p.pinAndReplay(t, relaying, variants[seed%3], seed)
	}
	t.Logf("%+v", p)
	if p.decisions < 20_000 || p.crashes < 200 {
		t.Errorf("%+v: too calm to prove anything", p)
	}
}

func TestARunOfTheCutPinnedPrintedAndReadAgainIsTheSameRun(t *testing.T) {
	protocol := model.Lookup("cut")
	variants := protocol.VariantNames()
	var p pinned
	for seed := uint64(1); seed <= 1000; seed++ {
		p.pinAndReplay(t, protocol, variants[seed%uint64(len(variants))], seed)
	}
	t.Logf("%+v", p)
	if p.decisions < 20_000 || p.crashes < 200 {
		t.Errorf("%+v: too calm to prove anything", p)
	}
}

func TestStoryPrintsSetUpAsItsValuesSay(t *testing.T) {
	s := parse(t, "-- scenario --\nmodel relay\nnodes P Q\ntag here\n-- script --\nP put a\n"+
		"-- expect --\nplain holds\n")
	plan, err := s.Plan(relaying, "plain", 0)
	if err != nil {
		t.Fatal(err)
	}
	got, want := scenarios.Format(scenarios.Story(plan)), scenarios.Format(s.Pinned(plan))
	if string(got) != string(want) {
		t.Errorf("Story:\n%s\nPinned:\n%s", got, want)
	}
	if !strings.Contains(string(got), "\ntag") {
		t.Errorf("got\n%s\nwant it to hold the line tag here", got)
	}
}

func TestAStoryPinnedForgetsItsSeedAndItsDrawnLoad(t *testing.T) {
	s, err := scenarios.Parse("timed.txt", []byte(timedStory("relay", "plain", 3)))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(relaying, "plain", 3)
	if err != nil {
		t.Fatal(err)
	}
	run, err := new(sim.World).Execute(plan, sim.Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	p := s.Pinned(scenarios.Pin(plan, run))
	if p.Seeds != (scenarios.Seeds{}) || p.Clients != 0 || p.Ops != 0 || len(p.Load) != len(plan.Load) {
		t.Errorf("got seeds %v, clients %d, ops %d and %d lines of load, want none, none, none and %d",
			p.Seeds, p.Clients, p.Ops, len(p.Load), len(plan.Load))
	}
}
