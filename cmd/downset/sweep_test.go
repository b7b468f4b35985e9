package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
)

// TestMain plays the other process that selftest compares with, which is this program again. The
// tests play thousands of runs, of which nothing stays: the collector may rest.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "selftest" {
		os.Exit(cli.Main(nil, os.Args[1:], os.Stdout, os.Stderr))
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a fifth less time
	}
	os.Exit(m.Run())
}

// swept is what of a sweep's object the tests read.
type swept struct {
	Variant        string
	From, To       uint64
	Seeds, Failing int
	Bound          string
	Failures       []struct {
		Broken        []string
		Seed          uint64
		File, Replay  string
		SampleFailing int `json:"sample_failing"`
		SampleTried   int `json:"sample_tried"`
		RateLow       int `json:"rate_low_ppm"`
		RateHigh      int `json:"rate_high_ppm"`
	}
}

// sweep runs a sweep over some protocols and reads its one object.
func sweep(t *testing.T, protocols []*sim.Protocol, args ...string) (s swept) {
	t.Helper()
	var out, err bytes.Buffer
	args = append([]string{"sweep", "--json", "--out", t.TempDir()}, args...)
	cli.Main(protocols, args, &out, &err)
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatalf("downset %s: %v: %s", strings.Join(args, " "), err, out.String())
	}
	return s
}

// TestSweepsDoNotDependOnJobs compares what sweeps print with one job and with four.
func TestSweepsDoNotDependOnJobs(t *testing.T) {
	for _, variant := range []string{"signed", "deaf", "takes-none"} {
		dir := t.TempDir()
		args := []string{"sweep", "--seeds", "300", "--variant", variant, "--out", dir, "--stop-after", "0", "cut"}
		one, _, _ := run(append(args, "--jobs", "1")...)
		four, _, _ := run(append(args, "--jobs", "4")...)
		if one != four {
			t.Errorf("a sweep of %s prints with one job\n%s\nwith four\n%s", variant, one, four)
		}
	}
}

// TestTheLastLineOfAReportReplaysTheFailure sweeps mutants, each alone, and runs what the report says
// replays its failure. The report is at most forty lines beneath the picture.
func TestTheLastLineOfAReportReplaysTheFailure(t *testing.T) {
	for _, c := range []struct{ model, variant string }{
		{"cut", "apply-first"}, {"cut", "copies"}, {"cut", "forgetful"}, {"cut", "marker-aside"},
		{"register", "no-write-back"}, {"register", "copies"}, {"register", "unsynced"},
	} {
		t.Run(c.model+" "+c.variant, func(t *testing.T) {
			t.Chdir(t.TempDir())
			out, stderr, code := run("sweep", "--variant", c.variant, c.model)
			if code != 0 {
				t.Fatalf("exits with %d, want 0 for a mutant that is caught: %s%s", code, out, stderr)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			report := lines[slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "repro ") })-3:]
			if len(report) > 40 {
				t.Errorf("the report has %d lines, want at most 40:\n%s", len(report), strings.Join(report, "\n"))
			}
			for _, l := range report {
				if n := utf8.RuneCountInString(l); n > 110 && !mayBeLong(l) {
					t.Errorf("the report has a line of %d columns, want at most 110:\n%s", n, l)
				}
			}
			words := split(strings.TrimPrefix(lines[len(lines)-1], "replay  "))
			if out, stderr, code := run(words[1:]...); words[0] != "downset" || words[1] != "replay" || code != 0 {
				t.Errorf("%q exits with %d, want the recorded run: %s%s", words, code, out, stderr)
			}
		})
	}
}

// toss is a request of the protocol that tosses coins: the number of the toss.
type toss int

func (toss) Kind() string     { return "toss" }
func (n toss) String() string { return fmt.Sprintf("toss %d", int(n)) }

// coin is a protocol that tosses one coin a run, the one of the seed's number. Up to some number they
// all fall wrong.
func coin(wrong int) []*sim.Protocol {
	return []*sim.Protocol{{
		Name: "coin",
		Variants: []sim.Variant{{Name: "plain",
			New: func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }}},
		OpWords: []string{"toss"},
		ParseOp: func(words []string) (sim.Op, error) {
			n, err := strconv.Atoi(words[len(words)-1])
			return toss(n), err
		},
		Draw: func(d *sim.Draws) []sim.Action {
			return []sim.Action{{Verb: sim.Request, Node: d.Nodes[0], Words: []string{"toss", fmt.Sprint(d.Seed)}}}
		},
		Properties: []sim.Property{{Name: "heads", Check: func(run *sim.Run) (int, *sim.Violation) {
			for i, e := range run.Trace {
				if n, is := e.Body.(toss); is && int(n) <= wrong {
					return 1, &sim.Violation{Reason: "it is tails", Witness: []int{i}}
				}
			}
			return 1, nil
		}}},
	}}
}

// TestTheBoundIsThreeOverN compares the bound of clean sweeps with a quotient of floats.
func TestTheBoundIsThreeOverN(t *testing.T) {
	for _, n := range []int{3, 4, 29, 30, 31, 99, 100, 1000, 2999, 3000, 7777} {
		var got float64
		text := sweep(t, coin(0), "--seeds", fmt.Sprint(n), "coin").Bound
		if _, err := fmt.Sscan(text, &got); err != nil {
			t.Fatalf("the bound of %d seeds is %q: %v", n, text, err)
		}
		if want := 3 / float64(n); got < want*(1-1e-9) || got > want*1.11 {
			t.Errorf("the bound of %d seeds is %s, want %g rounded up to two digits", n, text, want)
		}
	}
	if text := sweep(t, coin(0), "--seeds", "2", "coin").Bound; text != "1" {
		t.Errorf("the bound of 2 seeds is %s, want 1: they rule nothing out", text)
	}
}

// TestTheIntervalIsWilsons compares the interval of a failure rate with the formula in floats.
func TestTheIntervalIsWilsons(t *testing.T) {
	for _, c := range []struct{ k, n int }{{1, 1}, {1, 100}, {50, 100}, {99, 100}, {100, 100}, {7, 2345}} {
		s := sweep(t, coin(c.k), "--stop-after", "0", "--seeds", fmt.Sprint(c.n), "coin")
		if s.Failing != c.k || s.Seeds != c.n || len(s.Failures) != 1 {
			t.Fatalf("%+v, want %d of %d to fail", s, c.k, c.n)
		}
		k, n, z := float64(c.k), float64(c.n), 1.96
		middle, half := k+z*z/2, z*math.Sqrt(k*(n-k)/n+z*z/4)
		low, high := 1e6*(middle-half)/(n+z*z), 1e6*math.Min(1, (middle+half)/(n+z*z))
		g := s.Failures[0]
		if g.SampleFailing != c.k || g.SampleTried != c.n ||
			math.Abs(float64(g.RateLow)-low) > 100 || math.Abs(float64(g.RateHigh)-high) > 100 {
			t.Errorf("%d of %d: %+v, want between %.0f and %.0f ppm", c.k, c.n, g, low, high)
		}
	}
}

// TestHowCommonAFailureIsDoesNotDependOnLuck sweeps until the first failure: seeds after it are
// counted, not those up to it.
func TestHowCommonAFailureIsDoesNotDependOnLuck(t *testing.T) {
	s := sweep(t, coin(301), "--seeds", "5000", "coin")
	if g := s.Failures[0]; s.Seeds != 1 || g.SampleFailing != 300 || g.SampleTried != 1000 {
		t.Errorf("%+v, want one seed swept, and 300 of the next 1000 to fail", s)
	}
}

// TestShardsPartTheSeeds puts the shards of some seeds together again.
func TestShardsPartTheSeeds(t *testing.T) {
	for _, c := range []struct{ from, to, n uint64 }{{1, 100, 3}, {17, 40, 7}, {5, 9, 5}, {1, 1000, 1}} {
		next := c.from
		for i := uint64(1); i <= c.n; i++ {
			s := sweep(t, coin(0), "--seeds", fmt.Sprintf("%d..%d", c.from, c.to),
				"--shard", fmt.Sprintf("%d/%d", i, c.n), "coin")
			if s.From != next || uint64(s.Seeds) != s.To-s.From+1 {
				t.Errorf("shard %d/%d of %d..%d plays %d seeds, %d..%d, want them from %d on", i, c.n, c.from, c.to,
					s.Seeds, s.From, s.To, next)
			}
			next = s.To + 1
		}
		if next != c.to+1 {
			t.Errorf("%d shards of %d..%d end before %d", c.n, c.from, c.to, next)
		}
	}
}

// TestTimeEndsASweep gives a sweep little time and no number of seeds.
func TestTimeEndsASweep(t *testing.T) {
	s := sweep(t, coin(0), "--time", "100ms", "coin")
	if s.Seeds == 0 || uint64(s.Seeds) == s.To {
		t.Errorf("%d of %d seeds are played in 100ms, want some of them", s.Seeds, s.To)
	}
}

// TestAnInterruptedSweepSaysWhatItPlayed presses Ctrl-C in the middle of a sweep.
func TestAnInterruptedSweepSaysWhatItPlayed(t *testing.T) {
	coins := coin(0)
	press := ctrlC()
	coins[0].Variants[0].New = func(sim.NodeID, []sim.NodeID) sim.Machine {
		press()
		return sim.Idle{}
	}
	var out, stderr bytes.Buffer
	code := cli.Main(coins, []string{"sweep", "--seeds", "1000000000", "coin"}, &out, &stderr)
	if code != 3 || !strings.Contains(out.String(), "; INTERRUPTED, of 1000000000\n") ||
		!strings.Contains(out.String(), "  premises ") {
		t.Errorf("exits with %d and prints %q, %q, want 3 and a summary of what was played", code, out.String(), stderr.String())
	}
}

// mostMutants is how many wrong variants of a model the tool's own test is tried with. results/
// mutants.md has the first seed of each of the others, and a test plays it; downset selftest tries all.
const mostMutants = 8

// thinned is a model with some of its wrong variants, evenly spaced.
func thinned(p *sim.Protocol) *sim.Protocol {
	some, wrong := *p, 0
	all := len(slices.DeleteFunc(slices.Clone(p.Variants), func(v sim.Variant) bool { return !v.Mutant() }))
	n := min(all, mostMutants)
	some.Variants = slices.DeleteFunc(slices.Clone(p.Variants), func(v sim.Variant) bool {
		if !v.Mutant() {
			return false
		}
		wrong++
		return (wrong-1)*n/all == wrong*n/all
	})
	return &some
}

// TestSelftestFindsWhatIsPlanted runs the tool's own test over the models of the repository.
func TestSelftestFindsWhatIsPlanted(t *testing.T) {
	// With -short, as under -race, nobody judges that the tool's own test finds everything: it takes
	// most of a minute under -race. What it is made of stays there: sweeps by several workers in
	// TestSweepsDoNotDependOnJobs, hashes in TestGoldenHashes, what it says of faults in the tests below.
	if testing.Short() {
		t.Skip("it sweeps eight mutants of each model")
	}
	t.Chdir("../..")
	var some []*sim.Protocol
	for _, p := range model.All {
		some = append(some, thinned(p))
	}
	var stdout, stderr bytes.Buffer
	code := cli.Main(some, []string{"selftest"}, &stdout, &stderr)
	out := stdout.String()
	if code != 0 {
		t.Errorf("exits with %d:\n%s%s", code, out, stderr.String())
	}
	for _, want := range []string{"map range", "environment", "finalizer",
		"cache in order of use", "golden hashes"} {
		if !strings.Contains(out, want) {
			t.Errorf("it says nothing of %q:\n%s", want, out)
		}
	}
	for _, p := range some {
		for _, v := range p.Variants {
			if v.Mutant() && v.Story == "" && !strings.Contains(out, "  ok      "+p.Name+" "+v.Name+" ") {
				t.Errorf("it says nothing of %s %s:\n%s", p.Name, v.Name, out)
			}
		}
		if !strings.Contains(out, "  ok      "+p.Name+" ") || strings.Count(out, " runs, as recorded") != len(model.All) {
			t.Errorf("it compares no golden hashes of %s:\n%s", p.Name, out)
		}
	}
}

// TestSelftestSeesAMutantThatSurvives gives the tool's own test a mutant that nothing can catch.
func TestSelftestSeesAMutantThatSurvives(t *testing.T) {
	t.Chdir(t.TempDir())
	coins := coin(0)
	blank := coins[0].Variants[0]
	blank.Name, blank.Of, blank.Breaks = "blank", "plain", "heads"
	coins[0].Variants = append(coins[0].Variants, blank)
	var out, stderr bytes.Buffer
	code := cli.Main(coins, []string{"selftest"}, &out, &stderr)
	if code != 1 || !strings.Contains(out.String(), "FAILED  coin blank") {
		t.Errorf("exits with %d, want 1 and coin blank in it:\n%s%s", code, out.String(), stderr.String())
	}
}

// TestSelftestSeesOtherGoldenHashes changes one hash.
func TestSelftestSeesOtherGoldenHashes(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{".txt", ".hashes"} {
		text, err := os.ReadFile(filepath.Join("testdata", "golden", "cut"+ext))
		if err != nil {
			t.Fatal(err)
		}
		if ext == ".hashes" {
			text = bytes.Replace(text, []byte(" 007 "), []byte(" 007 f"), 1)
		}
		if err := os.WriteFile(filepath.Join(dir, "cut"+ext), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	one := *model.Lookup("cut")
	one.Variants = slices.DeleteFunc(slices.Clone(one.Variants), sim.Variant.Mutant)
	var out, stderr bytes.Buffer
	code := cli.Main([]*sim.Protocol{&one}, []string{"selftest", "--golden", dir}, &out, &stderr)
	if code != 4 || !strings.Contains(out.String(), "FAILED  cut ") {
		t.Errorf("exits with %d, want 4 and one run that is another:\n%s%s", code, out.String(), stderr.String())
	}
}

// TestBenchPrintsAnObjectALine measures in next to no time, for the form of what is printed.
func TestBenchPrintsAnObjectALine(t *testing.T) {
	out, stderr, code := run("bench", "--rounds", "1", "--time", "1ms", "cut")
	if code != 0 {
		t.Fatalf("exits with %d: %s", code, stderr)
	}
	var names []string
	for line := range strings.Lines(out) {
		var o struct {
			Format             int
			Object, Name, Unit string
			Value              int64
			Ratio              float64
			Against            string
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if o.Format != 1 || o.Object != "bench" || o.Value <= 0 || !strings.HasSuffix(o.Unit, "/s") ||
			o.Against != "" && (o.Ratio <= 0 || !slices.Contains(names, o.Against)) {
			t.Errorf("%s, want a value a second, and a ratio to what comes before", line)
		}
		names = append(names, o.Name)
	}
	for _, want := range []string{"reference/queued=100", "event/trace=off/queued=1000", "run/cut/signed", "checked/cut/signed"} {
		if !slices.Contains(names, want) {
			t.Errorf("it measures %q, want %s among them", names, want)
		}
	}
}
