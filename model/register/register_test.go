package register_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// right are the variants that hold whatever the weather.
var right = []string{"abd", "fast-read"}

func TestRightVariantsHoldOnRandomPlans(t *testing.T) {
	seeds := uint64(2000)
	if testing.Short() {
		seeds = 200
	}
	for _, name := range right {
		t.Run(name, func(t *testing.T) {
			s := sweep(t, name, seeds, register.Protocol.Properties)
			if s.Failing > 0 {
				t.Errorf("%s breaks %v under seed %d, and on %d of %d seeds, want none", name,
					s.Groups[0].Broken, s.Groups[0].Seed, s.Failing, s.Seeds)
			}
			if s.Undecided > 0 {
				t.Errorf("%s: %d of %d seeds are undecided: %s", name, s.Undecided, s.Seeds, s.Why)
			}
			for i, p := range register.Protocol.Properties {
				if s.Premises[i] == 0 {
					t.Errorf("%s: %s never met its premise on %d seeds", name, p.Name, s.Seeds)
				}
			}
		})
	}
}

// A goal may be rare: a torn record is left in about one run of a thousand.
func TestEveryGoalIsReachedOnRandomPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes thousands of seeds")
	}
	const step, most = 500, 20_000
	reached := make([]int, len(register.Protocol.Goals))
	for from := uint64(1); from <= most && slices.Contains(reached, 0); from += step {
		s := search.Sweep(search.Campaign{Plan: plans(t, "abd"), Judge: judged(nil),
			From: from, To: from + step - 1, Jobs: 2})
		for i, n := range s.Goals {
			reached[i] += n
		}
	}
	for i, g := range register.Protocol.Goals {
		if reached[i] == 0 {
			t.Errorf("goal %s is reached on none of %d seeds", g.Name, most)
		}
	}
}

// rare are the mutants that only two crashes in the wrong places show.
var rare = []string{"told-first", "stops-at-torn"}

func TestEveryMutantIsCaughtByThePropertyItNamesOnRandomPlans(t *testing.T) {
	count := 0
	for _, v := range register.Protocol.Variants {
		if !v.Mutant() {
			continue
		}
		count++
		t.Run(v.Name, func(t *testing.T) {
			if testing.Short() && slices.Contains(rare, v.Name) {
				t.Skip("it takes thousands of seeds, and a story breaks it")
			}
			seed := first(t, v.Name, v.Breaks, 40_000, register.Protocol.Properties)
			if seed == 0 {
				t.Fatalf("%s broke %s on none of 40000 seeds", v.Name, v.Breaks)
			}
			t.Logf("%s breaks %s first under seed %d", v.Name, v.Breaks, seed)
		})
	}
	if count < 8 {
		t.Errorf("%d mutants, want at least 8", count)
	}
}

// What the lower layers see in most runs, clients see in some. This is what the judge of
// linearizability is for: it knows nothing of tags and majorities.
func TestLinearizabilityAloneCatchesWhatClientsCanSee(t *testing.T) {
	for _, name := range []string{"no-write-back", "new-tag", "own-answer", "own-counter", "gives-up",
		"one-reply", "half-replies", "old-replies", "nameless", "forgetful", "overwrites"} {
		t.Run(name, func(t *testing.T) {
			seed := first(t, name, "linearizable", 5000, named(t, "linearizable"))
			if seed == 0 {
				t.Fatalf("%s broke linearizability on none of 5000 seeds", name)
			}
			t.Logf("%s breaks linearizability first under seed %d", name, seed)
		})
	}
}

// Each property must notice when what it rests on is taken out of a good run, or put in.
func TestPropertiesNoticeWhatIsTakenOutOfAGoodRun(t *testing.T) {
	for _, c := range []struct {
		name     string
		property string
		edit     func(*sim.Run) bool
	}{
		{"syncs that never came", "durable", func(run *sim.Run) bool {
			return without(run, func(e *sim.Entry) bool { return e.Kind == sim.EntrySynced })
		}},
		{"a reply that never came", "majority", func(run *sim.Run) bool {
			return without(run, func(e *sim.Entry) bool {
				return e.Kind == sim.EntryDelivered && e.Body.Kind() == "ack"
			})
		}},
		{"facts of a majority that were not said", "at-majority", func(run *sim.Run) bool {
			return without(run, func(e *sim.Entry) bool {
				return e.Kind == sim.EntryNoted && e.Body.Kind() == "stored" && e.Node > 0
			})
		}},
		{"a fact said once more after a newer one", "tags-grow", func(run *sim.Run) bool {
			return repeatOldFact(run)
		}},
		{"answers that were not given", "answers", func(run *sim.Run) bool {
			return without(run, func(e *sim.Entry) bool { return e.Kind == sim.EntryReturned })
		}},
		{"an answer of before in the place of a later one", "linearizable", func(run *sim.Run) bool {
			return returnOldValue(run)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := goodRun(t)
			property := named(t, c.property)
			if v := checker.Judge(run, property); v.Outcome != checker.Holds {
				t.Fatalf("before the edit: got %v of %s, want holds", v.Outcome, c.property)
			}
			if !c.edit(run) {
				t.Fatal("the run has nothing to edit")
			}
			if v := checker.Judge(run, property); v.Outcome != checker.Broken {
				t.Errorf("after the edit: got %v of %s, want broken", v.Outcome, c.property)
			}
		})
	}
}

// goodRun writes one register three times and reads it in between, on three nodes and in peace.
func goodRun(t *testing.T) *sim.Run {
	t.Helper()
	v, err := register.Protocol.Variant("abd")
	if err != nil {
		t.Fatal(err)
	}
	p := &sim.Plan{Protocol: register.Protocol, Variant: v, Nodes: []string{"A", "B", "C"}}
	for _, words := range [][]string{{"A", "write", "x", "1"}, {"B", "read", "x"},
		{"B", "write", "x", "2"}, {"C", "read", "x"}, {"C", "write", "x", "3"}, {"A", "read", "x"}} {
		p.Script = append(p.Script, sim.Action{Verb: sim.Request, Node: words[0], Words: words[1:]})
	}
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// without makes entries say nothing. It says whether there were any.
func without(run *sim.Run, which func(*sim.Entry) bool) bool {
	found := false
	for i := range run.Trace {
		if e := &run.Trace[i]; which(e) {
			e.Kind, e.Body, found = sim.EntryClock, nil, true
		}
	}
	return found
}

// repeatOldFact lets a node say once more, in the place of its last fact, what it stored first.
func repeatOldFact(run *sim.Run) bool {
	var said []int
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntryNoted && e.Body.Kind() == "stored" && e.Node == 0 {
			said = append(said, i)
		}
	}
	if len(said) < 3 {
		return false
	}
	run.Trace[said[2]].Body = run.Trace[said[0]].Body
	return true
}

// returnOldValue lets the second read return what the first did.
func returnOldValue(run *sim.Run) bool {
	var got []int
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryReturned && e.Body.Kind() == "got" {
			got = append(got, i)
		}
	}
	if len(got) < 2 || sim.Text(run.Trace[got[0]].Body) == sim.Text(run.Trace[got[1]].Body) {
		return false
	}
	run.Trace[got[1]].Body = run.Trace[got[0]].Body
	return true
}

func TestVariantsAreFoundByNameAndSlipsAreAnswered(t *testing.T) {
	_, err := register.Protocol.Variant("adb")
	want := `register has no variant "adb"; did you mean "abd"?`
	if err == nil || err.Error() != want {
		t.Errorf("variant adb: got error %v, want %s", err, want)
	}
	if names := register.Protocol.VariantNames(); !slices.Equal(names[:2], right) {
		t.Errorf("the first variants are %v, want %v", names[:2], right)
	}
}
