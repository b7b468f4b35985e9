package synchro_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
)

// wrongCase is a story that P4 plays without fault, and that breaks a property once a rule is changed.
type wrongCase struct {
	name        string
	change      func(*synchro.Rules)
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
		{"M1, the filter looks at who sends", func(r *synchro.Rules) { r.Filter().BySenderOnly = true }, twoLead,
			aLed + "hold A->C row y\nA put y\nrelease A->C row y\n", "R1"},
		{"M2, it compares with the raft term", func(r *synchro.Rules) { r.Filter().RaftTerm = true },
			five + "mode candidate A C\nmode voter B D E\n", aLed + "hold C->* raft\nhold C->* ack\n" +
				"C promote\nA put y\nrelease C->* raft\nrelease C->* ack\n", "R1"},
		{"M3, only what is truly synchronous", func(r *synchro.Rules) { r.Filter().OnlyAck = true },
			twoLead + "async u\n", aLed + "hold A->* row\nA put k\nA put u\ncrash A\n" +
				"wake B until B limbo leader\nrestart A\nrelease A->* row\n", "C1"},
		{"M4, stale rows are dropped", func(r *synchro.Rules) { r.Filter().Drops = true }, twoLead, stale, "L2"},
		{"M5, the last row alone becomes a NOP", func(r *synchro.Rules) { r.Filter().LastRow = true }, twoLead,
			aLed + "hold A->* row\nA put k l\ncrash A\nwake B until B limbo leader\nrestart A\n" +
				"release A->* row\n", "R2"},
		{"M6, the WAL has the row", func(r *synchro.Rules) { r.Filter().InMemory = true }, twoLead,
			stale + "crash C\nrestart C\n", "S1 C1 W4"},
		{"M11, foreign claims do not move the greatest term", func(r *synchro.Rules) { r.Filter().TermsOnly = true },
			twoLead, stale, "L1"},
		{"M20, nothing waits for the latch", func(r *synchro.Rules) { r.Filter().NoLatch = true },
			twoLead + "disk slow\n", aLed + "hold A->* row k\nA put k\ncrash A\nhold B->C row PROMOTE\n" +
				"wake B until B limbo leader\nhold C->disk\nrestart A\nrelease B->C row PROMOTE\n" +
				"release A->* row k\nrelease C->disk\n", "W4"},
		{"#6035, the sender counts", func(r *synchro.Rules) { r.Filter().BySender = true },
			"nodes A B C\nmode candidate A\nmode voter B C\napart A C\n",
			"wake A until A limbo leader\nA put x\n", "L2"},
		{"#8746, NOPs of outdated origins are judged", func(r *synchro.Rules) { r.Filter().NopsSplit = true }, twoLead,
			aLed + "hold A->B row k\nhold A->C row k\nA put k\ncrash A\nwake B until B limbo leader\n" +
				"restart A\nrelease A->B row k\nrelease A->C row k\n", "L1"},
	}
}

// streamWrongs are wrong relays, ACKs and effects.
func streamWrongs() []wrongCase {
	return []wrongCase{
		{"M10, claims of others are not written", func(r *synchro.Rules) { r.Claims().Unpersisted = true }, twoLead,
			aLed + "hold A->* row k\nA put k\ncrash A\nwake B until B limbo leader\ncrash C\nrestart C\n" +
				"restart A\nrelease A->* row k\n", "C1 L1 L2 S1 V2"},
		{"M19, PROMOTE goes before the term", func(r *synchro.Rules) { r.Claims().BeforeTerm = true },
			"nodes A B C\nmode candidate A\nmode voter B C\n",
			"hold A->B raft\nhold C->B raft\nhold A->B ack\nhold C->B ack\nwake A until A limbo leader\n", "T2"},
		{"M32, a relay sends the owner's rows alone", func(r *synchro.Rules) { r.Log().OnlyLeaderRows = true },
			five + "mode candidate A B\nmode voter C D E\n", aLed + "crash C\nA put y\n" +
				"crash A for good\nwake B until B limbo leader\nrestart C\n", "L1 L2 V5"},
		{"#12795, an old ACK comes on a new connection", func(r *synchro.Rules) { r.Log().OldAck = true },
			twoLead, aLed + "hold A->B row\nhold C->B row\nA put y\npartition A | B\ndrop A->B\n" +
				"release C->B row\nheal\nrelease A->B row\n", "A2"},
		{"M28, a subscription counts what is not durable", func(r *synchro.Rules) { r.Log().SubscribeAhead = true },
			twoLead + "disk slow\nfencing off\n", aLed + "crash C\nhold B->disk\nA put y\ndrop A->B\n" +
				"crash B\nrelease B->disk\n", "A1 D1"},
		{"#10266, rows of expelled nodes are accepted", func(r *synchro.Rules) { r.Log().Expelled = true },
			allOff + "async a\n", "A promote\nA put x\ncheck * data x\nA expel C\nA demote\nC put a\n",
			"M1"},
		{"M35, ACKs count what is not durable", func(r *synchro.Rules) { r.Queue().PendingAck = true },
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
			if got := brokenBy(t, synchro.Protocol, "P4", c.set, c.script); len(got) > 0 {
				t.Errorf("P4 breaks %v, want nothing", got)
			}
			p := synchro.Both("P4", nil, c.change)
			got := brokenBy(t, p, "changed", c.set, c.script)
			if !slices.ContainsFunc(got, func(name string) bool { return oneOf(c.want, name) }) {
				t.Errorf("with the rule changed it breaks %v, want %s", got, c.want)
			}
		})
	}
}

// replicationCases are stories in which a rule shows before they end.
func replicationCases() []ruleCase {
	return []ruleCase{
		{name: "M7, a CONFIRM takes effect before it is durable", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().AppliesEarly = true }, set: twoLead + "disk slow\n",
			script: aLed + "hold A->C row CONFIRM\nhold B->C row CONFIRM\nA put y\nhold C->disk\n" +
				"release A->C row CONFIRM\ncheck C data x / check C data x y\nrelease C->disk\n" +
				"check C data x y\n"},
		{name: "M24, a late CONFIRM hits the queue of another owner", base: "P4",
			change: func(r *synchro.Rules) { r.Filter().AnyPrev = true }, set: twoLead,
			script: aLed + "A put y\nhold A->B row CONFIRM\nhold A->C row CONFIRM\nA put z\ncrash A\n" +
				"wake B until B limbo leader\nhold *->B ack\nB put w\nrestart A\n" +
				"release A->C row CONFIRM\ncheck C data x y z / check C data x y z w\n"},
		{name: "#5433, a new leader sends again what was dropped", base: "P0",
			change: func(r *synchro.Rules) { r.Log().NoRewind = true }, set: twoLead,
			script: "wake A until A role leader\nA put x\ncheck * data x\nhold A->C row\nA put k\n" +
				"check A data x k\ncrash A for good\nwake B until B role leader\ncheck C data x k / not\n"},
		{name: "#10073, a split-brain frees the latch", base: "P4",
			change: func(r *synchro.Rules) { r.Log().KeepsLatch = true }, set: allOff,
			script: "A promote\nA put x\ncheck * data x\nhold B->C row\nhold A->C row\nB promote\nC promote\n" +
				"release A->C row\nrelease B->C row\nC demote\ncheck C owner nobody / not\n"},
		{name: "9ad1bd15f4, a control row that the journal refuses frees the latch", base: "P4",
			change: func(r *synchro.Rules) { r.Log().KeepsLatch = true }, set: twoLead,
			script: aLed + "hold A->C row CONFIRM\nhold B->C row CONFIRM\nA put y\nC jam 1\n" +
				"release A->C row CONFIRM\nrelease B->C row CONFIRM\nC reconfigure\n" +
				"check C data x y / not\n"},
		{name: "a write that fails ends the appliers of a replica, until an operator sets them anew",
			base: "P4", set: twoLead, script: aLed + "C jam 1\nA put y\ncheck A B data x y\ncheck C data x\n" +
				"C reconfigure\ncheck C data x y\n"},
		{name: "rows reach who has no link to their origin", base: "P4",
			set:    "nodes A B C\nmode candidate A\nmode voter B C\napart A C\n",
			script: "wake A until A limbo leader\nA put x\ncheck * data x\n"},
		{name: "a row that comes by two paths is stored once", base: "P4", set: twoLead,
			script: aLed + "hold A->C row\nA put y\ncheck C data x y\nrelease A->C row\ncheck C data x y\n"},
		{name: "a gap in the stream is closed by a new subscription", base: "P4",
			change: func(r *synchro.Rules) { r.Filter().Drops = true }, set: twoLead,
			script: aLed + "hold A->* row k\nA put k\ncrash A\nwake B until B limbo leader\nB put y\n" +
				"restart A\nrelease A->* row k\nB resign\nwake A until A limbo leader\n" +
				"A put z\ncheck B C data x y z / not\n"},
		{name: "a duplicate key stops the upstream that brings it", base: "P0", set: allOff,
			script: "hold A->* row\nA insert k=1\nB insert k=2\nrelease A->* row\ncheck B stopped A " +
				"duplicate key k\n"},
		{name: "a duplicate key becomes a NOP if conflicts are skipped", base: "P0",
			set: allOff + "skip conflict\n", script: "hold A->* row\nA insert k=1 async\nB insert k=2 async\n" +
				"release A->* row\ncheck B data k=2\ncheck B clock A:1 B:1\n"},
	}
}

func TestRulesOfReplicationShowInWhatIsSeen(t *testing.T) {
	for _, c := range replicationCases() {
		t.Run(c.name, func(t *testing.T) { c.play(t) })
	}
}
