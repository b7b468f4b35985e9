package ignite

import (
	"os"
	"slices"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// The stories that faults are planted in. In crossing, T1 crosses c1 and is included by P and Q, T2
// is decided in c1 and excluded, T3 of one phase comes before c2.
const (
	crossing = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P Q holds 10
key     y on Q P holds 10

-- script --
P snapshot F
hold N->P NFQ T1
hold N->Q NFQ T1
N commit T1 x+1 y-1
P cut c1
release N->P NFQ T1
release N->Q NFQ T1
N commit T3 x=6
P cut c2
`
	voting = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P
key     y on Q

-- script --
hold P->N NPR T1
hold Q->N NPR T1
N commit T1 x=1 y=1
P cut c1
release P->N NPR T1
release Q->N NPR T1
`
	joining = `
-- scenario --
model   ignite
nodes   P Q
later   M
client  M
key     x on P
key     y on Q

-- script --
hold Q->Q mark c1
P cut c1
join M
M commit T x=1 y=1
release Q->Q mark c1
`
	moving = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P holds 10
key     y on Q holds 10

-- script --
N commit T1 x+1 y-1
P cut c1
`
	failing = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P
key     y on Q

-- script --
P snapshot F
P refuse c1
P cut c1
N commit T1 x=1 y=1
P cut c2
`
)

// suspending is S-19.
const suspending = `
-- scenario --
model   ignite
nodes   P Q
key     x on P
key     y on Q

-- script --
P begin T1
P write T1 x=1 y=1
P suspend T1
Q cut c1
`

// tell plays a story.
func tell(t *testing.T, variant, story string) *sim.Run {
	t.Helper()
	v, err := Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("story.txt", []byte("# A story.\n"+story+"\n-- expect --\n* holds\n"))
	if err != nil {
		t.Fatal(err)
	}
	return playCase(t, v, s)
}

func playCase(t *testing.T, v sim.Variant, s *scenarios.Scenario) *sim.Run {
	t.Helper()
	plan, err := s.Plan(Protocol, "fixed", 1)
	if err != nil {
		t.Fatal(err)
	}
	plan.Variant = v
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	if !run.Settled() {
		t.Fatal(run.Why)
	}
	return run
}

// judged is what the properties of the cut say of a run.
func judged(run *sim.Run) (broken []string, premises map[string]int) {
	shared := *run
	shared.Memo = map[any]any{}
	premises = map[string]int{}
	for _, p := range cutProperties() {
		n, v := p.Check(&shared)
		premises[p.Name] = n
		if v != nil {
			broken = append(broken, p.Name)
		}
	}
	return broken, premises
}

func TestPropertiesOfTheCutFindWrongReplays(t *testing.T) {
	for _, c := range []struct {
		name, variant, story, breaks string
		change                       func(e edit)
	}{
		{"the START of a failed cut is taken for the right one", "any-start", failing, "failed-marks",
			func(edit) {}},
		{"an increment counts before it is there", "takes-failed", crossing, "truncated",
			func(e edit) {
				for _, n := range []string{"P", "Q"} {
					e.finish(n, "c2", func(r *finishRecord) { r.Excluded = []txID{t1} })
				}
			}},
		{"a SUSPENDED transaction is waited for", "merged", suspending, "suspended", func(edit) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if broken, _ := judged(tell(t, "fixed", c.story)); len(broken) > 0 {
				t.Fatalf("fixed: %v broken, want none", broken)
			}
			run := tell(t, c.variant, c.story)
			run.Trace = slices.Clone(run.Trace)
			c.change(edit{run})
			broken, premises := judged(run)
			if !slices.Contains(broken, c.breaks) || premises[c.breaks] == 0 {
				t.Errorf("%v broken, want %s; %d occasions", broken, c.breaks, premises[c.breaks])
			}
		})
	}
}

// What section 6 calls equivalent must not be reported of single transactions, and what it kills in
// another place must be found there.
func TestPropertiesOfTheCutReportNoEquivalentForm(t *testing.T) {
	unsigned := func(k kinds) func(*rules) { return func(r *rules) { r.Unsigned = k } }
	for _, c := range []struct {
		name   string
		change func(*rules)
		grid   string
		found  bool
	}{
		{"M-04: in one phase NPR may be unsigned", unsigned(kindNPR), "grid-one-phase", false},
		{"M-04: in two phases it may not", unsigned(kindNPR), "grid-two-primaries", true},
		{"M-07: in two phases DPQ may be unsigned", unsigned(kindDPQ), "grid-two-backups", false},
		{"M-07: in one phase it may not", unsigned(kindDPQ), "grid-one-phase", true},
		{"M-07b: in one phase NPQ may be unsigned", unsigned(kindNPQ), "grid-one-phase", false},
		{"M-07b: in two phases as well", unsigned(kindNPQ), "grid-two-primaries", false},
		{"M-18: in one phase PREPARING need not be tracked",
			func(r *rules) { r.Tracks &^= setOf(preparing) }, "grid-one-phase", false},
		{"M-18: nor in two", func(r *rules) { r.Tracks &^= setOf(preparing) }, "grid-crossed-backups", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			form := modes()[2]
			broken, sides := overGrid(t, form.with(c.change), c.grid)
			if (len(broken) > 0) != c.found || sides == 0 {
				t.Errorf("%v broken, want any: %t; %d sides compared", broken, c.found, sides)
			}
		})
	}
}

// overGrid plays all cases of a story, and gives what breaks in some, and how many sides there were
// to compare.
func overGrid(t *testing.T, v sim.Variant, name string) (broken []string, sides int) {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/ignite/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Grid() {
		found, premises := judged(playCase(t, v, c.Scenario))
		sides += premises["agreement"]
		for _, f := range found {
			if !slices.Contains(broken, f) {
				broken = append(broken, f)
			}
		}
	}
	return broken, sides
}
