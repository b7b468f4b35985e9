package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// till is a machine that asserts something itself: no coin comes twice. The plain one knows a copy
// of a coin from a coin.
type till struct {
	sim.Idle
	copies bool // takes a copy for another coin
	taken  int
	asks   int
}

type penny struct{ Number int }

func (penny) Kind() string { return "penny" }

func (t *till) Invoke(env *sim.Env, c sim.Call) {
	t.asks++
	env.Send(1-env.ID, penny{t.asks})
	env.Return(c.ID, word("paid"))
}

func (t *till) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) {
	c := m.(penny)
	switch {
	case c.Number > t.taken:
		t.taken = c.Number
	case t.copies:
		env.Fail("no-coin-twice", "a coin has come again")
	}
	env.Note(word("richer"))
}

// tills is a protocol with a claim and a property.
func tills(claims ...string) *sim.Protocol {
	made := func(copies bool) func(sim.NodeID, []sim.NodeID) sim.Machine {
		return func(sim.NodeID, []sim.NodeID) sim.Machine { return &till{copies: copies} }
	}
	return &sim.Protocol{
		Name: "till", Doc: "coins that go from one till to another", Claims: claims,
		Stands: sim.Duplicates, OpWords: []string{"pay"},
		Variants: []sim.Variant{{Name: "plain", New: made(false)},
			{Name: "copies", Of: "plain", Breaks: "no-coin-twice", New: made(true)}},
		ParseOp: func([]string) (sim.Op, error) { return word("pay"), nil },
		Properties: []sim.Property{{Name: "paid", Doc: "somebody gets richer",
			Check: func(run *sim.Run) (premises int, _ *sim.Violation) { return len(run.Trace), nil }}},
		Draw: func(d *sim.Draws) []sim.Action {
			var load []sim.Action
			for i := range d.Ops {
				load = append(load, sim.Action{Verb: sim.Request, Node: d.Nodes[0], Words: []string{"pay"},
					Place: sim.At, Offset: time.Duration(i) * time.Millisecond})
			}
			return load
		},
	}
}

// cliOf runs downset for one protocol.
func cliOf(p *sim.Protocol, args ...string) (out, errs string, code int) {
	var stdout, stderr bytes.Buffer
	code = cli.Main([]*sim.Protocol{p}, args, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

func TestAClaimOfTheMachinesIsSweptShrunkStoredPlayedAndListed(t *testing.T) {
	t.Chdir(t.TempDir())
	p := tills("no-coin-twice")
	out, errs, code := cliOf(p, "sweep", "--seeds", "200", "--variant", "copies", "till")
	if code != 0 || errs != "" || !strings.Contains(out, "caught, as expected") {
		t.Fatalf("sweep: exit %d, %q, want the claim caught\n%s", code, errs, out)
	}
	const file = "findings/till-copies-no-coin-twice.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"copies  breaks no-coin-twice", "# no-coin-twice: ", "plain   holds"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q:\n%s", file, want, text)
		}
	}
	for _, args := range [][]string{{"run", file}, {"replay", file}, {"fmt", "-l", file}} {
		if out, errs, code := cliOf(p, args...); code != 0 || errs != "" {
			t.Errorf("downset %q: exit %d, %q, want 0\n%s", args, code, errs, out)
		}
	}
	for _, args := range [][]string{{"list", "till"}, {"list", "--json", "till"}} {
		out, _, _ := cliOf(p, args...)
		if !strings.Contains(out, "claims") || !strings.Contains(out, "no-coin-twice") {
			t.Errorf("downset %q says\n%s\nwant the claim no-coin-twice", args, out)
		}
	}
}

func TestAClaimIsKeptByGoTestToo(t *testing.T) {
	dir := t.TempDir()
	o := scenarios.SweepOptions{Variants: []string{"copies"}, Dir: dir,
		Seeds: scenarios.Seeds{From: 1, To: 200}}
	for range 2 { // the second time the stored story is played first
		scenarios.Sweep(t, tills("no-coin-twice"), o)
	}
	if _, err := os.Stat(filepath.Join(dir, "till-copies-no-coin-twice.txt")); err != nil {
		t.Error(err)
	}
}

func TestAClaimThatIsNotInTheListIsReportedWithWhatToAdd(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs, code := cliOf(tills(), "sweep", "--seeds", "200", "--stop-after", "1", "--variant",
		"copies", "till")
	want := `add "no-coin-twice" to Protocol.Claims of till`
	if code != 1 || errs != "" || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
		t.Errorf("exit %d, %q, want 1 and %q in\n%s", code, errs, want, out)
	}
	if out, errs, code := cliOf(tills(), "run", "findings/till-copies-panic.txt"); code != 0 || errs != "" {
		t.Errorf("run of the stored story: exit %d, %q, want 0\n%s", code, errs, out)
	}
	story := "-- scenario --\nmodel till\nnodes A B\n\n-- script --\nA pay\n\n-- expect --\n" +
		"plain  breaks no-coin-twice\n"
	if err := os.WriteFile("early.txt", []byte(story), 0o666); err != nil {
		t.Fatal(err)
	}
	_, errs, code = cliOf(tills(), "run", "early.txt")
	if want := `early.txt:9: model till has no property or claim "no-coin-twice"`; code != 2 ||
		!strings.HasPrefix(errs, want) {
		t.Errorf("run of a story with an unknown claim: exit %d, %q, want 2 and %q", code, errs, want)
	}
}
