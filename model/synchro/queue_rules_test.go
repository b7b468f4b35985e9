package synchro_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
)

// ruleCase is a story that a rule decides. Of a line with two forms, "A / B", the first is played
// with the rules of the profile, the second with the rule changed; a check that ends with "/ not"
// must fail then.
type ruleCase struct {
	name, base   string
	also, change func(*synchro.Rules)
	set, script  string
}

func legacy(r *synchro.Rules) { r.Queue().TimeoutRollsBack = true }

const (
	slow     = oneLeads + "disk slow\n"
	twoLead  = "nodes A B C\nmode candidate A B\nmode voter C\n"
	allOff   = "nodes A B C\n"
	manual   = allOff + "mode manual A B C\n"
	untilBLd = "wake B until B limbo leader\n"
)

func TestRulesDecideWhatBecomesOfTheQueue(t *testing.T) {
	for _, c := range slices.Concat(queueCases(), ownerCases(), restartCases(), journalCases()) {
		t.Run(c.name, func(t *testing.T) { c.play(t) })
	}
}

func (c *ruleCase) play(t *testing.T) {
	t.Helper()
	p := synchro.Both(c.base, c.also, c.change)
	for at, variant := range []string{"kept", "changed"} {
		if at == 1 && c.change == nil {
			return
		}
		script, fails := side(c.script, at)
		run := playedStory(t, p, variant, c.set, script)
		for at, k := range run.Checks {
			if (k.Fails != "") != fails[at] {
				t.Errorf("%s: check %d, of %v: fails %t, want %t: %s", variant, at+1, k.Claim.Words,
					k.Fails != "", fails[at], k.Fails)
			}
		}
		if len(run.Checks) != len(fails) {
			t.Errorf("%s: %d checks were made, want %d", variant, len(run.Checks), len(fails))
		}
		if t.Failed() {
			if testing.Verbose() {
				t.Log(text(run))
			}
			t.Log(sees(run, "A", "wal"))
			t.Log(sees(run, "B", "wal"))
			t.Log(sees(run, "C", "wal"))
			return
		}
	}
}

// side is a script with the first or the second form of a line, where there are two, and which of
// its checks must fail.
func side(script string, at int) (string, []bool) {
	var lines []string
	var fails []bool
	for line := range strings.Lines(script) {
		forms := strings.Split(strings.TrimSpace(line), " / ")
		form := forms[min(at, len(forms)-1)]
		if form == "not" {
			form = forms[0]
		}
		lines = append(lines, form)
		if strings.HasPrefix(form, "check ") {
			fails = append(fails, at == 1 && forms[len(forms)-1] == "not")
		}
	}
	return strings.Join(lines, "\n") + "\n", fails
}

func queueCases() []ruleCase {
	return []ruleCase{
		{name: "a transaction without quorum in time is detached, or rolled back (1.9)", base: "P4",
			change: legacy, set: oneLeads,
			script: untilLed + `hold A->* row t
A put t
deliver clock->A timeout
check A answer t unknown / check A answer t rolled-back
check A queue t / check A queue nothing
`},
		{name: "no newcomers during a ROLLBACK (5140)", base: "P3", also: legacy,
			change: func(r *synchro.Rules) { r.Queue().NewcomersInRollback = true }, set: slow,
			script: untilLed + `hold A->* row t
hold A->disk row ROLLBACK
A put t
deliver clock->A timeout
A put u
release A->disk row ROLLBACK
check A queue nothing
check A answer u refused / check A answer u rolled-back
crash A
restart A
check A queue nothing / check A queue u
`},
		{name: "no CONFIRM during a ROLLBACK (5185)", base: "P3", also: legacy,
			change: func(r *synchro.Rules) { r.Queue().ConfirmInRollback = true }, set: slow,
			script: untilLed + `hold A->* row t
hold A->disk row ROLLBACK
A put t
deliver clock->A timeout
release A->* row t
release A->disk row ROLLBACK
check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC t, 1.3 ROLLBACK(1, 2) / not
`},
		{name: "no ROLLBACK of what a CONFIRM is under way for (5185)", base: "P3", also: legacy,
			change: func(r *synchro.Rules) { r.Queue().RollbackInConfirm = true }, set: slow,
			script: untilLed + `hold A->disk row CONFIRM
A put t
deliver clock->A timeout
release A->disk row CONFIRM
check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC t, 1.3 CONFIRM(1, 2) / not
check A answer t done
`},
		{name: "what is undone is undone newest first", base: "P3", also: legacy,
			change: func(r *synchro.Rules) { r.Queue().OldestFirst = true }, set: oneLeads,
			script: untilLed + `A put t=0
hold A->* row t
A put t=1
A put t=2
deliver all clock->A timeout
check A queue nothing
A cas t 1 3
check A answer t mismatch / not
`},
		{name: "an asynchronous transaction that nothing stands before becomes a plain one (6057)",
			base: "P4", set: slow + "async a\n",
			script: untilLed + `hold A->disk row CONFIRM
hold A->disk row a
A put t
A put a
check A queue t a
release A->disk row CONFIRM
check A queue a
check A data t
release A->disk row a
check A answer a done
check * data t a
`},
		{name: "an ACK that says nothing new counts for nothing (5144)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().CountsTwice = true }, set: oneLeads + "quorum 3\n",
			script: untilLed + `hold *->C row t
A put t
deliver clock->A beat
deliver clock->A beat
check A queue t / check A queue nothing
`},
		{name: "a client who is cancelled leaves its transaction (9480)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().CancelRollsBack = true }, set: oneLeads,
			script: untilLed + `hold A->* row t
A put t
A cancel t
check A queue t / check A queue nothing
release A->* row t
check A data t / check A data nothing
`},
		{name: "what the owner has no room for is ordered, and not in the journal", base: "P4",
			set: oneLeads + "limit 1\n",
			script: untilLed + `hold A->* row t
A put t
A put u
A put v
A put w
check A queue t u v w
check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC t
A cancel v
check A answer w rolled-back
check A queue t u
release A->* row t
check * data t u
`},
		{name: "replicas know no limit (11836)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().LimitsReplicas = true }, set: oneLeads + "limit 1\n",
			script: untilLed + `hold *->A ack
A put t
A put u
release *->A ack
check A data t u / check A data t
check B data t u / check B data nothing
`},
		{name: "what is behind a cancelled volatile transaction is undone too (11180)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().CancelAlone = true }, set: oneLeads + "limit 1\n",
			script: untilLed + `hold A->* row t
A put t
A put u
A put v
A cancel u
check A queue t / check A queue t v
`},
		{name: "local spaces can be written to behind a foreign queue (7592)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().BarsLocal = true }, set: oneLeads,
			script: untilLed + `hold *->A ack
A put t
B put here local
check B queue t here / check B queue t
release *->A ack
check B data t here / check B data t
`},
		{name: "PROMOTE does not wait for what may never be written (12205)", base: "P4",
			change: func(r *synchro.Rules) { r.Log().WaitsVolatile = true }, set: manual + "limit 1\n",
			script: `A promote
hold A->* row t
A put t
A put u
B promote
check A owner B / not
`},
	}
}

func ownerCases() []ruleCase {
	return []ruleCase{
		{name: "a new quorum does not move a frozen queue (51999396d5)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().FrozenQuorum = true }, set: oneLeads,
			script: untilLed + `hold A->* row t
A put t
A resign
A quorum 1
check A queue t / check A queue nothing
`},
		{name: "who is expelled counts for nothing, by a synchronous row of the system (10266)",
			base: "P4", change: func(r *synchro.Rules) { r.Queue().SystemAsync = true }, set: oneLeads,
			script: untilLed + `A expel C
check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 EXPEL(3), 1.3 CONFIRM(1, 2) / not
hold A->B row t
A put t
check A queue t
release A->B row t
check A data t
`},
		{name: "a new quorum holds for what is queued", base: "P4", set: oneLeads,
			script: untilLed + `hold A->* row t
A put t
A quorum 1
check A data t
`},
		{name: "a PROMOTE confirms the last that it knows (M8)", base: "P4",
			change: func(r *synchro.Rules) { r.Claims().RollsOne = true }, set: manual,
			script: `A promote
hold *->A ack
A put t
B promote
check B data t / check B data nothing
`},
		{name: "a newer term freezes the owner (5295)", base: "P3",
			change: func(r *synchro.Rules) { r.Queue().NoFreezeTerm = true }, set: allOff,
			script: `A promote
hold *->A ack
A put t
hold B->A row PROMOTE
hold C->A row PROMOTE
B promote
deliver clock->B timeout
release *->A ack
check A queue t / check A queue nothing
`},
		{name: "ACKs are forgotten with their owner (M13)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().KeepsAcks = true }, set: twoLead,
			script: untilLed + `A put t
A put u
A put v
A resign
` + untilBLd + `hold B->* row w
B put w
check B queue w / check B queue nothing
`},
		{name: "the boundary is that of the owner (5395)", base: "P3",
			change: func(r *synchro.Rules) { r.Queue().KeepsBoundary = true }, set: twoLead,
			script: untilLed + `A put t
A put u
A put v
A resign
` + untilBLd + `B put w
check B data t u v w / not
`},
		{name: "a client is answered although the queue is frozen meanwhile (7253)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().FreezeHangs = true }, set: slow,
			script: untilLed + `hold A->disk row CONFIRM
A put t
A resign
release A->disk row CONFIRM
check A answer t done / not
`},
		{name: "nothing enters while a PROMOTE is being written (6842)", base: "P2",
			change: func(r *synchro.Rules) { r.Queue().NewcomersInClaim = true }, set: allOff + "disk slow\n",
			script: `A promote
hold A->disk row PROMOTE
B promote
A put t
release A->disk row PROMOTE
check A answer t refused / check A answer t rolled-back
`},
		{name: "an LSN is known as the write is complete (6842)", base: "P2",
			change: func(r *synchro.Rules) { r.Queue().LateLSN = true }, set: twoLead + "disk slow\n",
			script: untilLed + `hold disk->A row t
A put t
A resign
` + untilBLd + `release disk->A row t
check A data t / check A data nothing
`},
		{name: "a node leads once its PROMOTE has taken effect (M31)", base: "P4",
			change: func(r *synchro.Rules) { r.Claims().ActsEarly = true }, set: slow,
			script: `hold A->disk row PROMOTE
wake A until A role leader
check A limbo inactive / not
A put t
check A queue nothing / check A queue t
`},
		{name: "an empty queue is its owner's (M26)", base: "P4",
			change: func(r *synchro.Rules) { r.Queue().AdoptsWriter, r.Claims().WritableEarly = true, true }, set: allOff,
			script: `A put t
check A queue nothing / check A queue t
`},
	}
}
