package clocks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// streamWords and leaseWords are the requests of streams, of leases and of measuring.
var (
	streamWords = []string{"emit", "consume", "trim"}
	leaseWords  = []string{"lease", "act", "measure"}
)

// about says that a drawn load is about some requests.
func about(plan *sim.Plan, words []string) bool {
	return slices.ContainsFunc(plan.Load, func(a sim.Action) bool {
		return len(a.Words) > 0 && slices.Contains(words, a.Words[0])
	})
}

// ofParts are the properties of streams, leases and measuring.
func ofParts() []sim.Property {
	return slices.DeleteFunc(slices.Clone(clocks.Protocol.Properties), func(p sim.Property) bool {
		return !strings.HasPrefix(p.Name, "stream-") && !ofLeases(p.Name)
	})
}

func ofLeases(property string) bool {
	return slices.Contains([]string{"one-holder", "lease-usable", "lease-passes", "grant-numbers", "stops-when-off",
		"latency-possible", "self-check"}, property)
}

// judged plays a drawn plan of a variant, if it is about some requests.
func judged(t *testing.T, v sim.Variant, seed uint64, words []string) (checker.Verdict, bool) {
	t.Helper()
	plan := search.Random(clocks.Protocol, v, seed, 0)
	if !about(plan, words) {
		return checker.Verdict{}, false
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatalf("%s, seed %d: %v", v.Name, seed, err)
	}
	return checker.Judge(run, ofParts()), true
}

func TestWrongFormsOfStreamsAndLeasesBreakWhatTheySay(t *testing.T) {
	// With -short, as under -race, nobody judges that these wrong forms are found: a rare one takes
	// thousands of runs, and a run has one goroutine, in which there is no race to detect. It is judged
	// by go test ./..., of which .ci/run makes a step of its own.
	if testing.Short() {
		t.Skip("it takes thousands of seeds")
	}
	for _, v := range clocks.Protocol.Variants {
		words := streamWords
		if ofLeases(v.Breaks) {
			words = leaseWords
		}
		if v.Story != "" || !ofLeases(v.Breaks) && !strings.HasPrefix(v.Breaks, "stream-") {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			const most = 3000
			for seed := range uint64(most) {
				if got, ok := judged(t, v, seed+1, words); ok && slices.Contains(got.Broken(),
					v.Breaks) {
					return
				}
			}
			t.Errorf("no seed up to %d breaks %s, want one", most, v.Breaks)
		})
	}
}

func TestTheRightFormOfStreamsAndLeasesHolds(t *testing.T) {
	right, err := clocks.Protocol.Variant("dotted")
	if err != nil {
		t.Fatal(err)
	}
	met, most := map[string]int{}, uint64(2000)
	if testing.Short() {
		most = 200
	}
	for seed := range most {
		got, ok := judged(t, right, seed+1, append(slices.Clone(streamWords), leaseWords...))
		if !ok {
			continue
		}
		for _, f := range got.Findings {
			met[f.Property.Name] += f.Premises
		}
		if got.Outcome == checker.Broken || got.Outcome == checker.Undecided {
			t.Errorf("seed %d: got %v %v, want that nothing breaks", seed+1, got.Outcome,
				got.Broken())
		}
	}
	for _, p := range ofParts() {
		if met[p.Name] == 0 && !testing.Short() {
			t.Errorf("no run met what %s presumes", p.Name)
		}
	}
}

func TestRequestsOfStreamsAndLeasesAreReadBack(t *testing.T) {
	for _, text := range []string{"emit p a", "consume p", "poll", "trim p 50ms", "lease",
		"lease at B", "act", "act at B", "measure B"} {
		op, err := clocks.Protocol.ParseOp(strings.Fields(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := sim.Text(op); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestRequestsOfStreamsAndLeasesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an event without a partition", "emit a", "want emit PARTITION EVENT"},
		{"an age that is none", "trim p soon", "want a duration above zero"},
		{"an age below zero", "trim p -5ms", "want a duration above zero"},
		{"two nodes", "lease B", "want lease [at NODE]"},
		{"nobody to measure", "measure", "want measure NODE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := clocks.Protocol.ParseOp(strings.Fields(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: got error %v, want one with %q", c.text, err, c.want)
			}
		})
	}
}
