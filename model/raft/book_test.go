package raft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// planted is a trace made by hand that breaks a property, and one like it that breaks none.
type planted struct {
	name, property string
	wrong, right   string
	reason         string // of the violation
}

// Most traces go on from here: A leads term 1, and two entries are committed.
var (
	first  = group + lead(1, "A", "B")
	begun  = first + entry(1, 1, "A", "B", "noop")
	going  = begun + "A asks 1 put x 1; A takes 1;" + entry(2, 1, "A", "B", "1 put x 1")
	wide   = begun + "A logs 2 1 noop; A syncs;"
	inTwo  = going + "A deposed 1;" + lead(2, "B", "C") // and B leads term 2
	joint  = "members A B D before A B C"
	afterA = "A crashes; A starts; A governs 0 A B C;"
)

func TestAPlantedTraceBreaksItsPropertyAndItsNeighbourDoesNot(t *testing.T) {
	for _, c := range plantedTraces() {
		t.Run(c.property+"/"+c.name, func(t *testing.T) {
			for _, f := range checker.Judge(taped(t, c.right), raft.Protocol.Properties).Findings {
				if f.Violation != nil || f.Undecided != "" {
					t.Errorf("without it: %s is broken: %v, undecided: %q, want neither",
						f.Property.Name, f.Violation, f.Undecided)
				}
				if f.Property.Name == c.property && f.Premises == 0 {
					t.Errorf("without it: %s never met its premise", c.property)
				}
			}
			f := findingOf(t, taped(t, c.wrong), c.property)
			switch {
			case f.Violation == nil:
				t.Fatalf("%s holds (%s), want it broken: %s", c.property, f.Undecided, c.reason)
			case c.reason != "" && f.Violation.Reason != c.reason:
				t.Errorf("got %q\nwant %q", f.Violation.Reason, c.reason)
			case len(f.Violation.Witness) == 0 || !slices.IsSorted(f.Violation.Witness):
				t.Errorf("the witness is %v, want entries in order", f.Violation.Witness)
			}
		})
	}
}

// findingOf is what one property says of a run.
func findingOf(t *testing.T, run *sim.Run, property string) checker.Finding {
	t.Helper()
	for _, f := range checker.Judge(run, raft.Protocol.Properties).Findings {
		if f.Property.Name == property {
			return f
		}
	}
	t.Fatalf("no property is called %q", property)
	return checker.Finding{}
}

func TestEveryPropertyIsBrokenByATrace(t *testing.T) {
	for _, p := range raft.Protocol.Properties {
		if !slices.ContainsFunc(plantedTraces(), func(c planted) bool { return c.property == p.Name }) {
			t.Errorf("no trace breaks %s", p.Name)
		}
	}
}

// quiet are traces in which something looks wrong and is not.
func quietTraces() map[string]string {
	return map[string]string{
		"a vote that was torn is given to another": first + "B hard 2 A; B crashes 0; B starts;" +
			"B governs 0 A B C; B hard 2 C; B syncs; C hard 2 C; C syncs; C granted 2 C; B granted 2 C",
		"a term that was torn, and an entry after it": going + "B hard 2; B crashes 0; B starts;" +
			"B governs 0 A B C; A logs 3 1 noop; B logs 3 1 noop; B syncs; B pledged 1 3; A syncs",
		"a vote that was torn two crashes ago": group + "B hard 1 A; B crashes 0; B starts; B hard 1;" +
			"B crashes 1; B starts; B governs 0 A B C; C hard 1 C; C syncs; C granted 1 C;" +
			"B hard 1 C; B syncs; B granted 1 C; C elected 1",
		"an entry that was torn two crashes ago": going + "B logs 3 1 noop; B crashes 0; B starts;" +
			"B hard 2; B syncs; B crashes; B starts; B governs 0 A B C; C logs 1 1 noop;" +
			"C logs 2 1 1 put x 1; C syncs;" + lead(3, "C", "B"),
		"an entry that may be torn is not missed in a candidate": going + "B logs 3 1 noop;" +
			"B crashes 0; B starts; B governs 0 A B C; B hard 2 B; B syncs; B granted 2 B; A hard 2 B;" +
			"A syncs; A granted 2 B",
		"a vote that a crash has left is given again": first + "A hard 2 A; A syncs; A granted 2 A;" +
			"B hard 2 A; B crashes 0; B starts; B governs 0 A B C; B granted 2 A",
		"an entry that was torn is not in the voter's log": going + "B logs 3 1 noop; B crashes 0;" +
			"B starts; B governs 0 A B C; C logs 1 1 noop; C logs 2 1 1 put x 1; C syncs;" +
			lead(2, "C", "B"),
		"a snapshot that was not durable": going + "B replaces 2 1 hard 1 A has A B C; B crashes;" +
			"B starts; B governs 0 A B C; B committed 2 1; B applied 1 1 noop; B applied 2 1 1 put x 1",
		"a snapshot that was written after the flush": going + "B flushes f; " +
			"B replaces 2 1 hard 1 A has A B C; B flushed f; B crashes; B starts; B governs 0 A B C;" +
			"B committed 2 1; B applied 1 1 noop; B applied 2 1 1 put x 1",
		"a snapshot that was flushed": going + "B replaces 2 1 hard 1 A has A B C; B flushes f;" +
			"B flushed f; B crashes; B starts; B governs 2 A B C; B pledged 1 2; A asks 2 put x 2;" +
			entry(3, 1, "A", "B", "2 put x 2"),
		"a candidate beside a leader that a majority has only just heard again": going + "+700ms;" +
			"A sends h; B hears A h; +50ms; A sends i; B hears A i; C hard 2 C; C syncs; C granted 2 C",
		"a candidate beside a leader that has handed over": going + "A asks 2 transfer C; A takes 2;" +
			strings.Repeat("+50ms; A sends h; B hears A h;", 12) + "C logs 1 1 noop; C logs 2 1 1 put x 1;" +
			"C hard 2 C; C syncs; C granted 2 C",
		"a call of a node that is in no group": going + "A answers 1 wrote 2; D starts; D asks 2 get x;" +
			"D takes 2; C crashes; epilogue",
		"no majority is left": going + "A deposed 1; B crashes; C crashes; epilogue",
	}
}

func TestWhatLooksWrongAndIsNotBreaksNothing(t *testing.T) {
	for name, lines := range quietTraces() {
		for _, f := range checker.Judge(taped(t, lines), raft.Protocol.Properties).Findings {
			if f.Violation != nil || f.Undecided != "" {
				t.Errorf("%s: %s is broken: %v, undecided: %q, want neither", name, f.Property.Name,
					f.Violation, f.Undecided)
			}
		}
	}
}

// C leads without the configuration that A has committed. It goes by what it has.
func TestALeaderWithoutAConfigurationIsNotSaidToPassItOver(t *testing.T) {
	const wider = "members A B C D"
	lines := going + "A logs 3 1 " + wider + "; A governs 3 A B C D; B logs 3 1 " + wider + "; B syncs;" +
		"A syncs; A committed 3 1 lead; C logs 1 1 noop; C logs 2 1 1 put x 1; C logs 3 2 noop;" +
		lead(2, "C", "B")
	if f := findingOf(t, taped(t, lines), "quorums-meet"); f.Violation != nil {
		t.Errorf("quorums-meet: got %v, want it to hold", f.Violation)
	}
	if f := findingOf(t, taped(t, lines), "leader-complete"); f.Violation == nil {
		t.Error("leader-complete holds, want it broken")
	}
}

func TestALeaseIsNotJudgedWhereAClockWasChanged(t *testing.T) {
	late := going + "A jumps; A asked 7 lease; A served 7 1 lease"
	if f := findingOf(t, taped(t, late), "lease-fresh"); f.Premises != 0 || f.Violation != nil {
		t.Errorf("got %d premises and %v, want none", f.Premises, f.Violation)
	}
}
