package synchro_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// The schedules of section 2. A owns the queue, x is committed everywhere; A writes k and dies or is
// cut off, B resolves the queue without k. None has elections, so that any node may be asked.
const (
	begins = "A promote\nA put x\ncheck * data x\n"
	three  = "nodes A B C\nquorum 2\n"
	elects = three + "mode candidate A B\nmode voter C\n"
	five   = "nodes A B C D E\nquorum 3\n"

	// s2: A returns with k.
	s2 = begins + "hold A->* row k\nA put k\ncrash A\nB promote\nrestart A\nrelease A->* row k\n" +
		"A put z\n"
	// s1: C has k too, is down meanwhile, and brings it before A is back.
	s1 = begins + "hold A->B row k\nhold A->D row k\nhold A->E row k\nhold C->* row k\nA put k\n" +
		"crash C\ncrash A\nB promote\nrestart C\nrelease C->* row k\nrestart A\nrelease A->B row k\n" +
		"release A->D row k\nrelease A->E row k\n"
	// s3: A never dies; its relays reconnect.
	s3 = begins + "hold A->* row k\nA put k\nhold B->A row\nhold C->A row\nB promote\ndrop A->B\n" +
		"drop A->C\nrelease B->A row\nrelease C->A row\nrelease A->* row k\nA put z\n"
	// s5: B writes the key that A's pending row has. everyone: so too where nobody has to be promoted.
	s5 = begins + "hold A->* row k\nA insert k=1\ncrash A\nB promote\nB insert k=2\nrestart A\n" +
		"release A->* row k\n"
	everyone = "A put x\nhold A->* row k\nA insert k=1\ncrash A\nB insert k=2\nrestart A\n" +
		"release A->* row k\n"
	// s7: B and C resolve at once. D hears B first, E hears C first.
	s7 = begins + "crash A\nhold B->* row\nhold C->* row\nhold D->* row\nhold E->* row\nB promote\n" +
		"C promote\nrelease B->* row\nrelease C->* row\nB put y\n"
	// s8: C, which was down, hears of the resolution when A owns the queue again and v is pending on D.
	s8 = begins + "crash C\nhold A->* row k\nA put k\ncrash A\nB promote\nrestart A\nA promote\n" +
		"release A->* row k\nhold C->A row ROLLBACK\nhold C->B row ROLLBACK\nhold C->D row ROLLBACK\n" +
		"restart C\nhold A->D row CONFIRM\nhold B->D row CONFIRM\nhold C->D row CONFIRM\nA put v\n" +
		"check A data v x\nrelease C->D row ROLLBACK\nrelease A->D row CONFIRM\n"
	// s9: C has stored the resolution, and starts from a snapshot when A's rows come.
	s9 = "wake A until A role leader\nA put x\ncheck * data x\nhold A->* row k\nA put k\ncrash A\n" +
		"wake B until B role leader\nC snapshot\ncrash C\nrestart C\nrestart A\nrelease A->* row k\n"
	// s4: two resolve after each other, and leave rows of both.
	s4 = begins + "hold A->* row k\nA put k\ncrash A\nB promote\nhold B->* row m\nB put m\ncrash B\n" +
		"C promote\nrestart A\nrestart B\nrelease A->* row k\nrelease B->* row m\nC promote\nC put z\n"
	// s10: C knows of a newer term than that of A, who leads and commits y with the others.
	s10 = "wake A until A role leader\nA put x\ncheck * data x\nhold C->* raft\nC promote\nA put y\n" +
		"release C->* raft\ncheck C role leader\nC put z\n"
	// race: the restarted A sees that nobody has interfered; then B does.
	race = begins + "hold A->* row k\nA put k\ncrash A\nrestart A\nB promote\nrelease A->* row k\n" +
		"A put z\n"
	// outside: B had interfered, and A hears of C first.
	outside = begins + "hold A->* row k\nA put k\ncrash A\nhold B->C row\nB promote\n" +
		"hold B->A subscribe\nhold B->A welcome\nhold B->A row\nrestart A\nrelease B->C row\n" +
		"release B->A subscribe\nrelease B->A welcome\nrelease B->A row\nrelease A->* row k\nA put z\n"
	// cross: two write one key, and each is confirmed before the other arrives.
	cross = "hold A->B row\nhold B->A row\nhold C->* row\nA put k=1\nB put k=2\nrelease A->B row\n" +
		"release B->A row\nrelease C->* row\n"
)

// storyOf is a run of a story, of which nothing is expected.
func storyOf(t *testing.T, p *sim.Protocol, variant, set, script string) *sim.Run {
	t.Helper()
	text := "-- scenario --\nmodel synchro\n" + set + "-- script --\n" + script + "-- expect --\n* holds\n"
	story, err := scenarios.Parse("told.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := story.Plan(p, variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// oneOf says that a word is one of some.
func oneOf(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

func TestEachSolutionCuresAndLeavesOpenWhatTheSpecificationSays(t *testing.T) {
	for _, c := range []struct {
		name, set, script string
		cured             string // the variants that break nothing
		open              string // those that break want
		want              string
	}{
		{"S2, the former owner returns", three, s2,
			"I II II/dup-by=every III III/pair=one V V/hold=any P2 P4 triplet",
			"P0/resolve-empty=write IV", "C1"},
		{"S1, a third node returns first", five, s1,
			"I II/dup-by=every/freeze-restart=on III/freeze-restart=on V/hold=any P4 triplet",
			"P0/resolve-empty=write II IV V", "C1"},
		{"S12, the former owner counts the NOPs", five, s1, "", "III III/pair=one", "A1"},
		{"S3, the former owner was only cut off", three, s3,
			"I II II/dup-by=every III III/pair=one V/trigger=reconnect P4 triplet",
			"P0/resolve-empty=write IV V", "C1"},
		{"S5, a unique key was written anew", three, s5, "III/freeze-restart=on P4 triplet",
			"II IV", "D1"},
		{"S5, where everyone writes", three, everyone, "", "I", "L1"},
		{"S8, an open copy of an old ROLLBACK", "nodes A B C D\nquorum 3\n", s8,
			"II II/dup-by=every/bounded=closed III P4 triplet", "II/dup-by=every", "C1"},
		{"S9, a snapshot forgets the table", elects, s9, "III P4 triplet", "III/table=wal", "L1"},
		{"V, nobody interferes until all are asked", three, race, "II III P4", "V V/evidence=first", "C1"},
		{"V, the first evidence is not that of the resolver", three, outside, "V P4", "V/evidence=first",
			"C1"},
		{"S4, two resolve after each other", five, s4, "I III P4 triplet", "P0/resolve-empty=write IV", "R1"},
		{"S10, an election is on its way", five + "mode candidate A B C\nmode voter D E\n", s10,
			"P0/resolve-empty=write III IV/compare=leader-log V P4 triplet", "IV", "C1"},
		{"I, two write one key", three, cross, "", "I", "C1"},
	} {
		for _, v := range strings.Fields(c.cured) {
			if got := brokenBy(t, synchro.Protocol, v, c.set, c.script); len(got) > 0 {
				t.Errorf("%s: %s breaks %v, want nothing", c.name, v, got)
			}
		}
		for _, v := range strings.Fields(c.open) {
			if got := brokenBy(t, synchro.Protocol, v, c.set, c.script); !slices.Contains(got, c.want) {
				t.Errorf("%s: %s breaks %v, want %s", c.name, v, got, c.want)
			}
		}
	}
}

func TestCopiesOfCopiesDoNotEnd(t *testing.T) {
	script := begins + "B promote\n"
	for variant, endless := range map[string]bool{
		"II/dup-by=every/dedupe=off": true, "II/dup-by=every": false, "II/dedupe=off": false,
	} {
		run := storyOf(t, synchro.Protocol, variant, three+"budget events 20000\n", script)
		if got := checker.Judge(run, nil).Outcome == checker.Undecided; got != endless {
			t.Errorf("%s: the run has no end: %t, want %t", variant, got, endless)
		}
	}
}

// Pairs have no order between authors: who has heard C last takes C for the owner, and C itself B.
func TestTwoPairsAtOnceLeaveDifferentOwners(t *testing.T) {
	for _, variant := range []string{"III", "III/pair=one"} {
		run := storyOf(t, synchro.Protocol, variant, five, s7)
		if b, c := sees(run, "B", "owner"), sees(run, "C", "owner"); b != "C" || c != "B" {
			t.Errorf("%s: B takes %s for the owner and C %s, want each the other", variant, b, c)
		}
	}
}
