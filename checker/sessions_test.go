package checker_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// seen is a fact: a node applied versions, "x1 y2".
type seen string

func (seen) Kind() string { return "seen" }

// numbered reads versions as the tests write them.
func numbered(text string) []checker.Version {
	var list []checker.Version
	for _, w := range strings.Fields(text) {
		n, err := strconv.ParseInt(w[1:], 10, 64)
		if err != nil {
			return nil
		}
		list = append(list, checker.Version{Key: w[:1], Number: n})
	}
	return list
}

// sessions reads "get" and "set": what they result in is the versions read or made. "move" reads
// the versions before "to" and makes those after it.
var sessions = checker.SessionModel{
	Saw: func(op sim.Op, result sim.Body) []checker.Version {
		before, _, moves := strings.Cut(string(result.(got)), " to ")
		if op == asked("set") && !moves {
			return nil
		}
		return numbered(before)
	},
	Made: func(op sim.Op, result sim.Body) []checker.Version {
		_, after, moves := strings.Cut(string(result.(got)), " to ")
		if op == asked("set") && !moves {
			after = string(result.(got))
		}
		return numbered(after)
	},
	Applied: func(e sim.Entry) []checker.Version {
		if s, ok := e.Body.(seen); ok && e.Kind == sim.EntryNoted {
			return numbered(string(s))
		}
		return nil
	},
}

// session makes a run of steps: those of tell, and "P applies x1".
func session(steps ...string) *sim.Run {
	var told []string
	facts := map[int]sim.Entry{}
	for i, step := range steps {
		who, what, _ := strings.Cut(step, " applies ")
		if what == "" {
			told = append(told, step)
			continue
		}
		facts[i] = sim.Entry{Kind: sim.EntryNoted, Node: sim.NodeID(who[0] - 'P'), Body: seen(what), Cause: -1}
	}
	run := tell(told...)
	trace := run.Trace
	run.Trace = nil
	for i := range steps {
		e, fact := facts[i]
		if !fact {
			e, trace = trace[0], trace[1:]
		}
		run.Trace = append(run.Trace, e)
	}
	return run
}

func TestASessionThatIsServedWell(t *testing.T) {
	run := session("1 set", "P applies x1", "1 = x1", "1 get", "1 = x1 y0", "1 set", "P applies y1", "Q applies x1",
		"Q applies y1", "1 = y1", "2 get", "2 = y1", "2 set", "P applies y2", "2 = y2", "2 get", "2 = y2",
		"1 get", "1 = x1 y2", "P applies x1 y1", "2 set", "2 = x1 to x2", "3 set", "3 ?", "3 get", "3 = x0 y0", "Q applies y3 x2 y2")
	for _, p := range sessions.Properties() {
		premises, v, panicked := check(p, run)
		if premises == 0 || v != nil || panicked != nil {
			t.Errorf("%s: got %d premises, %v, panic %v, want some, none", p.Name, premises, v, panicked)
		}
	}
}

func TestASessionBrokenOneWay(t *testing.T) {
	for _, c := range []struct {
		name    string
		steps   []string
		breaks  string
		reason  string
		witness []int
	}{
		{"a write is not read back",
			[]string{"1 set", "1 = x2", "1 get", "1 = x1"}, "read-your-writes",
			"get (call 2) read version 1 of x, but its session had made version 2 (call 1)", []int{1, 2, 3}},
		{"a write is not there at all",
			[]string{"1 set", "1 = x2", "1 get", "1 = x0"}, "read-your-writes",
			"get (call 2) read no version of x, but its session had made version 2 (call 1)", []int{1, 2, 3}},
		{"a read goes back",
			[]string{"1 get", "1 = x2 y1", "1 get", "1 = y1", "1 get", "1 = x1"}, "monotonic-reads",
			"get (call 3) read version 1 of x, but its session had read version 2 (call 1)", []int{1, 4, 5}},
		{"a write comes before an earlier one",
			[]string{"1 set", "1 = x2", "1 set", "1 = x1"}, "monotonic-writes",
			"set (call 2) made version 1 of x, but its session had made version 2 (call 1)", []int{1, 2, 3}},
		{"a node applies a write before an earlier one of another key",
			[]string{"1 set", "P applies x1", "1 = x1", "1 set", "P applies y1", "Q applies y1", "Q applies x1", "1 = y1"},
			"monotonic-writes",
			"Q applies version 1 of y without version 1 of x, which the session of call 2 had made (call 1)",
			[]int{2, 3, 5}},
		{"a write is older than what was read",
			[]string{"1 get", "1 = x3", "1 set", "1 = x2"}, "writes-follow-reads",
			"set (call 2) made version 2 of x, but its session had read version 3 (call 1)", []int{1, 2, 3}},
		{"a write is no newer than what it read itself",
			[]string{"1 set", "1 = x3 to x3"}, "writes-follow-reads",
			"set (call 1) made version 3 of x, but its session had read version 3 (call 1)", []int{0, 1}},
		{"a node applies an answer before what it answers",
			[]string{"1 set", "P applies x1", "1 = x1", "2 get", "2 = x1", "2 set", "P applies y1", "Q applies y1",
				"2 = y1", "Q applies x1"},
			"writes-follow-reads",
			"Q applies version 1 of y without version 1 of x, which the session of call 3 had read (call 2)",
			[]int{4, 5, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := checker.Judge(session(c.steps...), sessions.Properties())
			if got := v.Broken(); !slices.Equal(got, []string{c.breaks}) {
				t.Fatalf("%s: got %v broken, want %s", strings.Join(c.steps, "; "), got, c.breaks)
			}
			f := v.Lowest()[0]
			if f.Violation.Reason != c.reason || !slices.Equal(f.Violation.Witness, c.witness) {
				t.Errorf("got  %s %v\nwant %s %v", f.Violation.Reason, f.Violation.Witness, c.reason, c.witness)
			}
		})
	}
}

func TestASessionRemembersTheLatestOfWhatItRead(t *testing.T) {
	v := checker.Judge(session("1 get", "1 = x2", "1 get", "1 = x1", "1 get", "1 = x1"), sessions.Properties())
	if n := v.Lowest()[0].Violation.Count; n != 2 {
		t.Errorf("two reads are older than the first: got %d violations, want 2", n)
	}
}

func TestANodeKeepsTheLatestOfWhatItApplied(t *testing.T) {
	run := session("1 set", "P applies x2", "1 = x2", "P applies x1", "1 set", "P applies y1", "1 = y1")
	if v := checker.Judge(run, sessions.Properties()); v.Outcome != checker.Holds {
		t.Errorf("an old version comes late: got %v, %v, want holds", v.Outcome, v.Broken())
	}
}

func TestASessionMayOutliveAClientsNumber(t *testing.T) {
	steps := []string{"1 set", "1 = x2", "1 set", "1 ?", "1 get", "1 = x1"}
	if v := checker.Judge(session(steps...), sessions.Properties()); v.Outcome == checker.Broken {
		t.Errorf("the session ended with its number: got %v broken, want none", v.Broken())
	}
	one := sessions
	one.Session = func(checker.Operation) string { return "the same" }
	if v := checker.Judge(session(steps...), one.Properties()); fmt.Sprint(v.Broken()) != "[read-your-writes]" {
		t.Errorf("the session goes on: got %v broken, want read-your-writes", v.Broken())
	}
	v := checker.Judge(session("1 get", "2 get", "2 = x1", "1 = x1"), one.Properties())
	want := "check panicked: checker: calls 1 and 2 of session the same overlap"
	if f := v.Findings[0]; v.Outcome != checker.Undecided || f.Undecided != want {
		t.Errorf("a session does two things at once: got %v, %q, want %q", v.Outcome, f.Undecided, want)
	}
}
