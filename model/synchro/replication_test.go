package synchro

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// wrongCase is a story that P4 plays without fault, and that breaks a property once a rule is changed.
type wrongCase struct {
	name        string
	change      func(*rules)
	set, script string
	want        string // one of these is enough: "C1 L1"
}

const (
	aLed = "wake A until A limbo leader\nA put x\ncheck * data x\n"
	// stale: A has written k and died, B has taken over, A is back with k.
	stale = aLed + "hold A->* row k\nA put k\ncrash A\nwake B until B limbo leader\nrestart A\n" +
		"release A->* row k\n"
)

// filterWrongs are wrong filters (section 5).
func filterWrongs() []wrongCase {
	return []wrongCase{
		{"M1, the filter looks at who sends", func(r *rules) { r.filter.BySenderOnly = true }, twoLead,
			aLed + "hold A->C row y\nA put y\nrelease A->C row y\n", "R1"},
		{"M2, it compares with the raft term", func(r *rules) { r.filter.RaftTerm = true },
			five + "mode candidate A C\nmode voter B D E\n", aLed + "hold C->* raft\nhold C->* ack\n" +
				"C promote\nA put y\nrelease C->* raft\nrelease C->* ack\n", "R1"},
		{"M3, only what is truly synchronous", func(r *rules) { r.filter.OnlyAck = true },
			twoLead + "async u\n", aLed + "hold A->* row\nA put k\nA put u\ncrash A\n" +
				"wake B until B limbo leader\nrestart A\nrelease A->* row\n", "C1"},
		{"M4, stale rows are dropped", func(r *rules) { r.filter.Drops = true }, twoLead, stale, "L2"},
		{"M5, the last row alone becomes a NOP", func(r *rules) { r.filter.LastRow = true }, twoLead,
			aLed + "hold A->* row\nA put k l\ncrash A\nwake B until B limbo leader\nrestart A\n" +
				"release A->* row\n", "R2"},
		{"M6, the WAL has the row", func(r *rules) { r.filter.InMemory = true }, twoLead,
			stale + "crash C\nrestart C\n", "S1 C1"},
		{"M11, foreign claims do not move the greatest term", func(r *rules) { r.filter.TermsOnly = true },
			twoLead, stale, "L1"},
		{"M20, nothing waits for the latch", func(r *rules) { r.filter.NoLatch = true },
			twoLead + "disk slow\n", aLed + "hold A->* row k\nA put k\ncrash A\nhold B->C row PROMOTE\n" +
				"wake B until B limbo leader\nhold C->disk\nrestart A\nrelease B->C row PROMOTE\n" +
				"release A->* row k\nrelease C->disk\n", "W4"},
		{"#6035, the sender counts", func(r *rules) { r.filter.BySender = true },
			"nodes A B C\nmode candidate A\nmode voter B C\napart A C\n",
			"wake A until A limbo leader\nA put x\n", "L2"},
		{"#8746, NOPs of outdated origins are judged", func(r *rules) { r.filter.NopsSplit = true }, twoLead,
			aLed + "hold A->B row k\nhold A->C row k\nA put k\ncrash A\nwake B until B limbo leader\n" +
				"restart A\nrelease A->B row k\nrelease A->C row k\n", "L1"},
	}
}

// streamWrongs are wrong relays, ACKs and effects.
func streamWrongs() []wrongCase {
	return []wrongCase{
		{"M10, claims of others are not written", func(r *rules) { r.promote.Unpersisted = true }, twoLead,
			aLed + "hold A->* row k\nA put k\ncrash A\nwake B until B limbo leader\ncrash C\nrestart C\n" +
				"restart A\nrelease A->* row k\n", "C1 L1 L2 S1 V2"},
		{"M19, PROMOTE goes before the term", func(r *rules) { r.promote.BeforeTerm = true },
			"nodes A B C\nmode candidate A\nmode voter B C\n",
			"hold A->B raft\nhold C->B raft\nhold A->B ack\nhold C->B ack\nwake A until A limbo leader\n", "T2"},
		{"M32, a relay sends the owner's rows alone", func(r *rules) { r.log.OnlyLeaderRows = true },
			twoLead + "apart A C\n", "hold B->C row\nwake A until A role leader\nA put x\ncrash A for good\n" +
				"wake B until B role leader\nrelease B->C row\ncrash C\nrestart C\n", "L2 P2"},
		{"#12795, an old ACK comes on a new connection", func(r *rules) { r.log.OldAck = true },
			twoLead, aLed + "hold A->B row\nhold C->B row\nA put y\npartition A | B\ndrop A->B\n" +
				"release C->B row\nheal\nrelease A->B row\n", "A2"},
		{"M35, ACKs count what is not durable", func(r *rules) { r.limbo.PendingAck = true },
			twoLead + "disk slow\n", aLed + "hold B->disk\nhold C->disk\nA put y\nA get x\ncrash B\n" +
				"release C->disk\nrelease B->disk\n", "A1 A2"},
	}
}

// brokenBy are the properties that a variant of a protocol breaks in a story.
func brokenBy(t *testing.T, p *sim.Protocol, variant, set, script string) []string {
	t.Helper()
	run := storyOf(t, p, variant, set, script)
	var names []string
	for _, f := range checker.Judge(run, p.Properties).Findings {
		if f.Violation != nil {
			names = append(names, f.Property.Name)
		}
	}
	return names
}

func TestEachWrongRuleOfReplicationBreaksWhatTheRightOneKeeps(t *testing.T) {
	for _, c := range slices.Concat(filterWrongs(), streamWrongs()) {
		t.Run(c.name, func(t *testing.T) {
			if got := brokenBy(t, Protocol, "P4", c.set, c.script); len(got) > 0 {
				t.Errorf("P4 breaks %v, want nothing", got)
			}
			p := withRules("P4", nil, c.change)
			got := brokenBy(t, p, "changed", c.set, c.script)
			if !slices.ContainsFunc(got, func(name string) bool { return oneOf(c.want, name) }) {
				t.Errorf("with the rule changed it breaks %v, want %s", got, c.want)
			}
		})
	}
}
