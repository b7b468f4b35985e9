package commit_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// only judges a campaign's runs by one property alone.
func only(c *scenarios.Campaign, property string) func(*sim.Run) search.Finding {
	return func(run *sim.Run) search.Finding {
		if slices.Contains(checker.Judge(run, c.Protocol.Properties).Broken(), property) {
			return search.Finding{Broken: []string{property}}
		}
		return search.Finding{}
	}
}

// named is the property called name.
func named(t testing.TB, name string) []sim.Property {
	t.Helper()
	for _, p := range commit.Protocol.Properties {
		if p.Name == name {
			return []sim.Property{p}
		}
	}
	t.Fatalf("no property is called %s", name)
	return nil
}

// played plays requests on C, P and Q in peace, one after the other: "C commit tx1 P Q".
func played(t testing.TB, variant string, requests ...string) *sim.Run {
	t.Helper()
	v, err := commit.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := &sim.Plan{Protocol: commit.Protocol, Variant: v, Nodes: []string{"C", "P", "Q"}}
	for _, r := range requests {
		words := strings.Fields(r)
		p.Script = append(p.Script, sim.Action{Verb: sim.Request, Node: words[0], Words: words[1:]})
	}
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// in finds an entry by what it is, where, and about what: -1 if there is none.
func in(run *sim.Run, kind sim.EntryKind, node, text string) int {
	return slices.IndexFunc(run.Trace, func(e sim.Entry) bool {
		return e.Kind == kind && run.Name(e.Node) == node && sim.Text(e.Body) == text
	})
}

// Each property must notice when what it rests on is taken out of a good run, or put in. P refuses
// tx2; what it says then is put into a run in which it refuses nothing.
func TestPropertiesNoticeWhatIsTakenOutOfAGoodRun(t *testing.T) {
	for _, c := range []struct {
		name       string
		property   string
		kind       sim.EntryKind
		node, text string
		refused    bool   // the run is that in which P refuses
		by         string // what comes in the place of the entry, "" if nothing
	}{
		{"a participant that says first that it aborts", "stable",
			sim.EntryNoted, "P", "prepared tx2", false, "abort tx2"},
		{"a vote that was not cast", "all-yes",
			sim.EntryNoted, "Q", "prepared tx2", false, ""},
		{"a client that is told otherwise", "agreement",
			sim.EntryReturned, "C", "commit tx2", false, "abort tx2"},
		{"a participant that decides otherwise", "agreement",
			sim.EntryNoted, "Q", "commit tx2", false, "abort tx2"},
		{"a no that was not said", "reason",
			sim.EntryNoted, "P", "refused tx2", true, ""},
		{"a decision that was not taken", "termination",
			sim.EntryNoted, "Q", "commit tx2", false, ""},
		{"an end that was not written", "termination",
			sim.EntryAppended, "C", "ended tx2", false, ""},
		{"an answer that was not given", "termination",
			sim.EntryReturned, "C", "commit tx2", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			peace := played(t, "logged", "P refuse tx1", "C commit tx2 P Q")
			quarrel := played(t, "logged", "P refuse tx2", "C commit tx2 P Q")
			run := peace
			if c.refused {
				run = quarrel
			}
			property := named(t, c.property)
			if v := checker.Judge(run, property); v.Outcome == checker.Broken {
				t.Fatalf("before the edit: %s is broken: %s", c.property, v.Lowest()[0].Violation.Reason)
			}
			at := in(run, c.kind, c.node, c.text)
			if at < 0 {
				t.Fatalf("%s does not %v %s", c.node, c.kind, c.text)
			}
			if e := &run.Trace[at]; c.by == "" {
				e.Kind, e.Body = sim.EntryClock, nil
			} else {
				e.Body = quarrel.Trace[in(quarrel, sim.EntryNoted, "P", c.by)].Body
			}
			if v := checker.Judge(run, property); v.Outcome != checker.Broken {
				t.Errorf("after the edit: got %v of %s, want broken", v.Outcome, c.property)
			}
		})
	}
}

func TestRequestsThatNameNoOtherNodesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, request, want string }{
		{"a stranger as participant", "C commit tx1 P Z", "no node is called Z"},
		{"the coordinator as participant", "C commit tx1 P C", "C is the coordinator: want other nodes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := played(t, "logged", c.request)
			at := in(run, sim.EntryRefused, "C", c.want)
			if at < 0 {
				t.Fatalf("%s: want it refused with %q, got %d entries and no such refusal", c.request, c.want,
					len(run.Trace))
			}
			for _, e := range run.Trace {
				if e.Kind == sim.EntrySent && e.Peer != sim.ClientEnd {
					t.Errorf("%s: C sends %s, want nothing", c.request, sim.Text(e.Body))
				}
			}
		})
	}
}

// What an abort costs is what presumed abort is about: no forced record at the coordinator, none at
// who is told, no acknowledgement.
func TestAnAbortForcesAndAcknowledgesNothingButTheVotes(t *testing.T) {
	count := func(run *sim.Run) (synced [3]int, acks int) {
		for _, e := range run.Trace {
			switch {
			case e.Kind == sim.EntrySynced:
				synced[e.Node]++
			case e.Kind == sim.EntrySent && e.Body.Kind() == "ack":
				acks++
			}
		}
		return synced, acks
	}
	for _, c := range []struct {
		name   string
		run    []string
		synced [3]int // at C, P and Q
		acks   int
	}{
		{"a commit forces a record at its coordinator and two at each participant",
			[]string{"C commit tx1 P Q"}, [3]int{1, 2, 2}, 2},
		{"an abort forces the votes", []string{"P refuse tx1", "C commit tx1 P Q"}, [3]int{0, 1, 1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synced, acks := count(played(t, "logged", c.run...))
			if synced != c.synced || acks != c.acks {
				t.Errorf("%q: %v syncs and %d acknowledgements, want %v and %d", c.run, synced, acks,
					c.synced, c.acks)
			}
		})
	}
}

// The protocol is the example that people read first.
func TestTheProtocolFitsIntoAHundredAndFiftyLines(t *testing.T) {
	text, err := os.ReadFile("node.go")
	if err != nil {
		t.Fatal(err)
	}
	code := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code++
		}
	}
	if code > 150 {
		t.Errorf("node.go has %d lines of code, want at most 150", code)
	}
}

func TestVariantsAreFoundByNameAndSlipsAreAnswered(t *testing.T) {
	_, err := commit.Protocol.Variant("loged")
	want := `commit has no variant "loged"; did you mean "logged"?`
	if err == nil || err.Error() != want {
		t.Errorf("variant loged: got error %v, want %s", err, want)
	}
}
