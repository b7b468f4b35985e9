package model_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// TestMain lets the collector rest: the tests play thousands of runs, of which nothing stays.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a fifth less time
	}
	os.Exit(m.Run())
}

// tape is a test that keeps what is said of it.
type tape struct {
	testing.TB
	said     []string
	failed   bool
	cleanups []func()
}

func (t *tape) Helper()                   {}
func (t *tape) Name() string              { return "tape" }
func (t *tape) Failed() bool              { return t.failed }
func (t *tape) Fail()                     { t.failed = true }
func (t *tape) Cleanup(f func())          { t.cleanups = append(t.cleanups, f) }
func (t *tape) Log(a ...any)              { t.said = append(t.said, fmt.Sprint(a...)) }
func (t *tape) Logf(f string, a ...any)   { t.said = append(t.said, fmt.Sprintf(f, a...)) }
func (t *tape) Errorf(f string, a ...any) { t.Logf(f, a...); t.Fail() }
func (t *tape) Fatalf(f string, a ...any) { t.Errorf(f, a...); runtime.Goexit() }
func (t *tape) FailNow()                  { t.Fail(); runtime.Goexit() }
func (t *tape) last() string              { return t.said[len(t.said)-1] }

// played is a test played to its end, and then its cleanups, the last first.
func played(f func(*tape)) *tape {
	t := &tape{}
	done := make(chan bool)
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
	for _, c := range slices.Backward(t.cleanups) {
		c()
	}
	return t
}

// sabotaged is a drawer of plans of a variant.
func sabotaged(t *testing.T, name, variant string) drawer {
	t.Helper()
	p := model.Lookup(name)
	v, err := p.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	return drawer{p, v, 5, 12}
}

func TestWhatRandomPlansBreakIsShrunkAndKeptAsAStory(t *testing.T) {
	for _, c := range []struct {
		name             string
		protocol, mutant string
		actions          int // that are left of it, at most
	}{
		{"a fault of nearly every run", "cut", "skips", 3},
		{"a fault of one run in eighty", "cut", "signed-at-commit", 4},
		{"a fault that only clients see", "register", "own-answer", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sabotaged(t, c.protocol, c.mutant)
			one := &checking{drawer: d, law: holds, factor: 50, found: t.TempDir()}
			begin := time.Now()
			tape := played(func(t *tape) { check(t, one) })
			if !tape.failed {
				t.Fatalf("%s broke nothing in %d drawn plans", c.mutant, one.runs)
			}
			t.Logf("%d plans and %v: %s", one.runs, time.Since(begin), tape.last())
			file := filepath.Join(one.found, c.protocol+"-"+c.mutant+"-"+d.variant.Breaks+".txt")
			if want := "; the story is kept: downset replay " + filepath.ToSlash(file); !strings.HasSuffix(tape.last(), want) {
				t.Errorf("the last line is %q, want it to end with %q", tape.last(), want)
			}
			if n := kept(t, file, d); n > c.actions {
				t.Errorf("%s has %d actions, want at most %d", file, n, c.actions)
			}
		})
	}
}

// kept replays a story that was kept: it is the recorded run, and breaks what its variant says that
// it breaks. It gives the number of actions in it.
func kept(t *testing.T, file string, d drawer) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	plan, found, err := s.Recorded(d.protocol)
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
	if got := checker.Judge(run, d.protocol.Properties).Broken(); !slices.Contains(got, d.variant.Breaks) {
		t.Errorf("%s breaks %q, want %s", file, got, d.variant.Breaks)
	}
	return len(plan.Script) + len(plan.Load)
}

// loses is a law that does not hold: no datagram is ever lost.
func loses(p *sim.Plan) (name, why string) {
	run, err := sim.Execute(p)
	if err != nil {
		return "playable", err.Error()
	}
	for i, e := range run.Trace {
		if e.Kind == sim.EntryLost {
			return "replays", fmt.Sprintf("entry %d is a loss", i)
		}
	}
	return "", ""
}

func TestALawOfTheEngineThatBreaksIsShrunkToo(t *testing.T) {
	d := sabotaged(t, "register", "abd")
	one := &checking{drawer: d, law: loses, factor: 2, found: t.TempDir()}
	tape := played(func(t *tape) { check(t, one) })
	if !tape.failed {
		t.Fatal("no plan loses anything")
	}
	file := filepath.Join(one.found, "register-abd-replays.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v after %q", err, tape.said)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := s.Recorded(d.protocol)
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := loses(plan); name == "" {
		t.Errorf("the story loses nothing:\n%s", text)
	}
}

// slow is in the environment of a test that is to be short of time.
const slow = "DOWNSET_TEST_SLOW"

// TestShortOfTime is played by TestAnEarlyExitOfRapidIsNoSuccess.
func TestShortOfTime(t *testing.T) {
	if os.Getenv(slow) == "" {
		t.Skip("it is for another test to play") // in a process of its own, which fails as it should
	}
	check(t, &checking{drawer: sabotaged(t, "register", "abd"), factor: 1,
		law: func(*sim.Plan) (name, why string) {
			time.Sleep(100 * time.Millisecond) // a hundred of these do not fit into -test.timeout below
			return "", ""
		}})
}

func TestAnEarlyExitOfRapidIsNoSuccess(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestShortOfTime$", "-test.timeout=1500ms")
	cmd.Env = append(os.Environ(), slow+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "plans, want ") {
		t.Errorf("a test that drew a few plans of many ends with %v:\n%s", err, out)
	}
}

// liner is a failer that notes which line fails.
type liner struct{ line string }

func (l *liner) Fatalf(string, ...any) {
	_, file, line, _ := runtime.Caller(1)
	l.line = fmt.Sprint(file, ":", line)
}

func TestEachPropertyFailsOnALineOfItsOwn(t *testing.T) {
	names := []string{"panic", "decided", "playable", "replays", "pins", "tells", "order"}
	for _, p := range model.All {
		for _, q := range p.Properties {
			names = append(names, q.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names) // two models may have a property of one name
	other, lines := &liner{}, map[string]string{}
	fail(other, "no such property", "")
	lines[other.line] = "the last line"
	for _, name := range names {
		l := &liner{}
		fail(l, name, "")
		if who, taken := lines[l.line]; taken {
			t.Errorf("%s fails on the line of %s: give it a case of its own", name, who)
		}
		lines[l.line] = name
	}
}
