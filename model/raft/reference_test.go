package raft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// ruleCase is a story that a rule of our own engine decides. Of a line with two forms, "A / B", the
// first is for the engine as it is, the second for the engine with the rule changed. A line "told A
// KIND" is how A answered the last read, before the end.
type ruleCase struct {
	name   string
	base   raft.ReferenceRules // of both
	change func(*raft.ReferenceRules)
	set    string // lines of the scenario beside the model
	script string
	breaks string // the property that the changed engine breaks so; "" if the change is harmless
}

func (c *ruleCase) play(t *testing.T, at int) {
	t.Helper()
	r := c.base
	if at == 1 {
		c.change(&r)
	}
	var script, told []string
	for line := range strings.Lines(c.script) {
		forms := strings.Split(strings.TrimSpace(line), " / ")
		form := forms[min(at, len(forms)-1)]
		if rest, ok := strings.CutPrefix(form, "told A"); ok {
			told = append(told, strings.TrimSpace(rest))
			continue
		}
		script = append(script, form)
	}
	text := "-- scenario --\nmodel raft\n" + c.set + "order fixed\n-- script --\n" +
		strings.Join(script, "\n") + "\n-- expect --\nchanged holds\n"
	story, err := scenarios.Parse("reference.txt", []byte(text))
	if err != nil {
		t.Fatal(err, text)
	}
	plan, err := story.Plan(raft.Ruled(r), "changed", 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range run.Checks {
		if k.Fails != "" {
			t.Errorf("form %d: line %d: %s", at, k.Line, k.Fails)
		}
	}
	for _, s := range run.Stale {
		t.Errorf("form %d: line %d: %s found nothing to do: %s", at, s.Line, s.Text, s.Why)
	}
	for _, want := range told {
		if got := lastRead(run); got != want {
			t.Errorf("form %d: the last read was answered %q, want %q", at, got, want)
		}
	}
	broken := checker.Judge(run, raft.Protocol.Properties).Broken()
	if at == 0 && len(broken) > 0 || at == 1 && c.breaks != "" != slices.Contains(broken, c.breaks) {
		t.Errorf("form %d breaks %v, want none of the engine as it is, and %q of the other", at,
			broken, c.breaks)
	}
	if t.Failed() {
		t.Log(text)
		for i, e := range run.Trace[:run.Epilogue] {
			t.Log(i, e.At, run.Name(e.Node), e.Kind, run.Name(e.Peer), sim.Text(e.Body))
		}
	}
}

// lastRead is the kind of the answer to the last read of A before the end, "" if there was none.
func lastRead(run *sim.Run) string {
	told := map[int64]string{}
	last := int64(0)
	for _, e := range run.Trace[:run.Epilogue] {
		switch {
		case run.Name(e.Node) != "A":
		case e.Kind == sim.EntryInvoked && e.Body.Kind() == "get":
			last = e.N
		case e.Kind == sim.EntryReturned || e.Kind == sim.EntryRefused:
			told[e.N] = e.Body.Kind()
		}
	}
	return told[last]
}

const (
	two    = "nodes A B\n"
	three  = "nodes A B C\n"
	spares = "nodes A B C D E\nvoters A B C\n"
	led    = "wake A until A leader yes\n"
	beat   = "deliver clock->A heartbeat\n"
	// A leads and is cut off; what it is asked then, nobody else has.
	cutOff = led + "partition A | B C\nA put x 1\n"
)

// plain are elections as in Figure 2, without what the dissertation adds to them.
var plain = raft.ReferenceRules{NoPreVote: true, NoCheckQuorum: true}

// asking is as plain, but that a candidate asks first: who cannot be elected comes to rest.
var asking = raft.ReferenceRules{NoCheckQuorum: true}

// bare is as plain, and leaders begin without an entry: all logs are equal.
var bare = raft.ReferenceRules{NoPreVote: true, NoCheckQuorum: true, NoNoop: true}

func ruleCases() []ruleCase {
	return slices.Concat(choiceCases(), voteCases(), logCases(), diskCases(), memberCases(), readCases())
}

func choiceCases() []ruleCase {
	return []ruleCase{
		{name: "a leader begins its term with an entry of its own", set: three,
			change: func(r *raft.ReferenceRules) { r.NoNoop = true },
			script: led + "check * log 1.- / check * commit 0\nB put x 1\ncheck * value x 1\n"},
		{name: "who asks first does not raise its term in vain", set: three,
			change: func(r *raft.ReferenceRules) { r.NoPreVote = true },
			script: led + "partition A B | C\ndeliver clock->C election\ncheck C term 1 / check C term 2\n"},
		{name: "a leader without a majority steps down", set: three,
			change: func(r *raft.ReferenceRules) { r.NoCheckQuorum = true },
			script: led + "partition A | B C\ndeliver clock->A election\ncheck A leader yes\n" +
				"deliver clock->A election\ncheck A leader no / check A leader yes\n"},
		{name: "a message brings all that is missing", set: three,
			change: func(r *raft.ReferenceRules) { r.OneEntry = true },
			script: led + "crash B\nA put x 1\nA put x 2\nrestart B\nhold A->B append\n" + beat +
				"hold B->A appended\ndeliver A->B append 2\n" +
				"check B log 1.- 1.x=1 1.x=2 / check B log 1.- 1.x=1\n"},
		{name: "a leader takes followers to have its log", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.Cautious = true },
			script: led + "hold A->B heartbeat\nA put x 1\ncrash A\nhold B->C append\n" +
				"deliver clock->B election\ndeliver B->C append 3 / deliver B->C append 2\n"},
	}
}

func voteCases() []ruleCase {
	return []ruleCase{
		{name: "no vote for a log that misses an entry", breaks: "leader-complete", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.NoLogCheck = true },
			script: led + "hold A->C\nA put x 1\ncrash A\ndeliver clock->C election\n" +
				"check C leader no / check C leader yes\n"},
		{name: "a newer last term outweighs a longer log", breaks: "leader-complete", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.LengthOnly = true },
			script: cutOff + "A put x 2\ndeliver clock->B election\ncrash B\nheal\n" + beat +
				"deliver clock->A election\ncheck A leader no / check A leader yes\n"},
		{name: "a shorter log of a newer term gets the vote", breaks: "progress", set: three, base: asking,
			change: func(r *raft.ReferenceRules) { r.LongerOnly = true },
			script: cutOff + "A put x 2\ndeliver clock->B election\ncrash B\ncrash C for good\ncrash A\nrestart A\nrestart B\n" +
				"heal\ndeliver clock->B election\ncheck B leader yes / check B leader no\n"},
		{name: "one vote a term", breaks: "one-vote", set: three, base: bare,
			change: func(r *raft.ReferenceRules) { r.VotesTwice = true },
			script: "hold B->C\nhold C->B\ndeliver clock->B election\ncheck B leader yes\n" +
				"deliver clock->C election\ncheck C leader no / check C leader yes\n"},
		{name: "to follow does not free the vote", breaks: "one-vote", set: three, base: bare,
			change: func(r *raft.ReferenceRules) { r.VoteCleared = true },
			script: "hold B->C\nhold C->B\ndeliver clock->B election\ncheck B leader yes\n" +
				"deliver clock->C election\ncheck C leader no / check C leader yes\n"},
		{name: "a term that was heard of is written", breaks: "pledges-kept", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.TermForgotten = true },
			script: "hold A->C request-vote\n" + led + "check C term 1 / check C term 0\n"},
		{name: "a vote outlives a crash", breaks: "pledges-kept", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.VoteForgotten = true },
			script: "hold B->C\nhold C->B\nhold A->B\ndeliver clock->B election\ncrash A\n" +
				"restart A\ndeliver clock->C election\ncheck C leader no / check C leader yes\n"},
		{name: "one that is to leave still votes for itself", breaks: "progress", set: spares, base: asking,
			change: func(r *raft.ReferenceRules) { r.NoSelfVote = true },
			script: led + "crash C for good\nhold A->B append\nhold A->D\nA members B C D\n" +
				"check A members B C D, before A B C\ncrash A\ndrop A->B append\ndrop A->D\n" +
				"release A->B append\nrelease A->D\n" +
				"restart A\ndeliver clock->A election\n" +
				"check B members B C D / check B members A B C\n"},
		{name: "who is not removed yet for all it knows campaigns", breaks: "progress", set: two, base: asking,
			change: func(r *raft.ReferenceRules) { r.LeavesEarly = true },
			script: led + "hold A->B append\nA members B\ncrash A\ndrop A->B append\nrelease A->B append\nrestart A\n" +
				"deliver clock->A election\ncheck B members B / check B members A B\n"},
		{name: "who hears a leader gives no pre-vote", breaks: "undisturbed", set: three,
			change: func(r *raft.ReferenceRules) { r.PreVoteBlind = true },
			script: led + "hold A->C heartbeat\n" + strings.Repeat(beat, 25) +
				"deliver clock->C election\ncheck C term 1 / check C term 2\n"},
	}
}

// overwritten: A has an entry of term 1 where the others have come to agree on another of term 2.
const overwritten = cutOff + "deliver clock->B election\nB put y 2\nheal\n" +
	"deliver clock->B heartbeat\n"

func logCases() []ruleCase {
	return []ruleCase{
		{name: "entries follow the entry that they followed", breaks: "log-matching", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.NoPrevCheck = true },
			script: overwritten + "check A log 1.- 2.- 2.y=2 / check A log 1.- 1.x=1 2.y=2\n"},
		{name: "an entry that conflicts goes", breaks: "log-matching", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.NeverCuts = true },
			script: overwritten + "check A log 1.- 2.- 2.y=2 / check A log 1.- 1.x=1 2.y=2\n"},
		{name: "a late message takes nothing away", breaks: "pledges-kept", set: three,
			change: func(r *raft.ReferenceRules) { r.AlwaysCuts = true },
			script: led + "hold A->B append 2 1st\nA put x 1\nA put x 2\n" +
				"check B log 1.- 1.x=1 1.x=2\nrelease A->B append 2 1st\n" +
				"check B log 1.- 1.x=1 1.x=2 / check B log 1.- 1.x=1\n"},
		{name: "a heartbeat commits nothing in a log that does not agree", breaks: "same-commands", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.TrustsCommit = true },
			script: cutOff + "deliver clock->B election\nheal\ndeliver clock->B heartbeat\n" +
				"check A value x empty / check A value x 1\n"},
		{name: "no more is committed than was found to agree", breaks: "same-commands", set: three,
			base:   raft.ReferenceRules{NoPreVote: true, NoCheckQuorum: true, OneEntry: true, Cautious: true},
			change: func(r *raft.ReferenceRules) { r.CommitsOwnLast = true },
			script: led + "hold A->B heartbeat\nA put w 1\npartition A | B C\nA put x 1\n" +
				"deliver clock->B election\nheal\ndeliver clock->B heartbeat\n" +
				"check A value x empty / check A value x 1\n"},
		{name: "Figure 8: an entry of an older term is not committed by counting", breaks: "own-term",
			set:    "nodes A B C D E\n",
			base:   raft.ReferenceRules{NoPreVote: true, NoCheckQuorum: true, OneEntry: true, NoNoop: true},
			change: func(r *raft.ReferenceRules) { r.AnyTerm = true },
			script: led + "hold A->C append\nhold A->D append\nhold A->E append\nA put x 1\ncrash A\n" +
				"drop A->C append\ndrop A->D append\ndrop A->E append\nrelease A->C append\n" +
				"deliver clock->E election\npartition E | A B C D\nE put y 1\ncrash E\nrestart A\n" +
				"deliver clock->A election\ncheck A leader no\ndeliver clock->A election\n" +
				"check A leader yes\ncheck A commit 0 / check A commit 1\n"},
		{name: "half of an even number is no majority", breaks: "durable-quorum", set: "nodes A B C D\n",
			change: func(r *raft.ReferenceRules) { r.HalfCommits = true },
			script: led + "hold A->C\nhold A->D\nA put x 1\ncheck A commit 1 / check A commit 2\n"},
		{name: "a leader that steps down keeps its log", breaks: "leader-complete", set: three,
			base:   raft.ReferenceRules{NoPreVote: true},
			change: func(r *raft.ReferenceRules) { r.RollsBack = true },
			script: led + "partition A B | C\nhold B->A\nA put x 1\ndeliver clock->A election\n" +
				"deliver clock->A election\ncrash B\nheal\nmaybe release B->A\n" +
				"deliver clock->C election\ncheck C leader no / check C leader yes\n"},
		{name: "a restart keeps the log", breaks: "leader-complete", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.CutsAtStart = true },
			script: led + "A put x 1\ncrash A\ncrash B\ncrash C\nrestart A\nrestart B\nrestart C\n" +
				"deliver clock->A election\ncheck A log 1.- 1.x=1 2.- / check A log 2.-\n"},
	}
}

// undurable: C is down, so that only B's acknowledgement commits; its disk does not get on.
const undurable = led + "crash C\nHOLD\nA put x 1\n" +
	"check A commit 1 / check A commit 2\nrelease B->disk / maybe release B->disk\n"

func diskCases() []ruleCase {
	slow := three + "disk slow\n"
	asked := strings.ReplaceAll(undurable, "HOLD", "hold B->disk")
	never := strings.ReplaceAll(undurable, "HOLD", "hold B->disk / maybe hold B->disk")
	return []ruleCase{
		{name: "what is pledged is durable", breaks: "pledges-kept", set: slow, script: never,
			change: func(r *raft.ReferenceRules) { r.NoSync = true }},
		{name: "what is pledged was synced before", breaks: "pledges-kept", set: slow, script: asked,
			change: func(r *raft.ReferenceRules) { r.SendFirst = true }},
		{name: "entries are synced with their pledge", breaks: "pledges-kept", set: slow, script: never,
			change: func(r *raft.ReferenceRules) { r.LatePledge = true }},
	}
}

func memberCases() []ruleCase {
	return []ruleCase{
		{name: "one change at a time", breaks: "quorums-meet", set: spares,
			change: func(r *raft.ReferenceRules) { r.SeveralChanges = true },
			script: led + "hold B->A\nhold C->A\nhold D->A\nA members A B C D\n" +
				"A members A B C D E\ncheck A members A B C D / check A members A B C D E\n"},
		{name: "no change before a commit in the own term", breaks: "quorums-meet", set: spares,
			change: func(r *raft.ReferenceRules) { r.UnprovenChanges = true },
			script: "hold B->A appended\nhold C->A appended\n" + led + "A members A B C D\n" +
				"check A members A B C / check A members A B C D\n"},
		{name: "a restart goes by the newest configuration of the log", breaks: "quorums-meet", set: spares,
			change: func(r *raft.ReferenceRules) { r.CommittedOnly = true },
			script: led + "hold B->A appended\nhold C->A appended\nhold D->A appended\n" +
				"A members A B C D\ncrash A\nrestart A\n" +
				"check A members A B C D / check A members A B C\n"},
		{name: "a snapshot has the configuration at its index", breaks: "snapshot-true", set: spares,
			change: func(r *raft.ReferenceRules) { r.SnapshotBefore = true },
			script: led + "A members A B C D\nA compact\ncrash A\nrestart A\n" +
				"check A members A B C D / check A members A B C\n"},
		{name: "a snapshot's index is its state's", breaks: "snapshot-true", set: three,
			change: func(r *raft.ReferenceRules) { r.SnapshotMislabels = true },
			script: led + "A put x 1\nA put x 2\nA compact\ncheck A log ..3 / check A log ..2 1.x=2\n" +
				"crash A\nrestart A\n"},
		{name: "a configuration from a snapshot is as joint as it was", breaks: "quorums-meet", set: spares,
			change: func(r *raft.ReferenceRules) { r.HalfRestored = true },
			script: led + "hold A->B append 3\nA members B C D\nB compact\ncrash B\n" +
				"maybe hold A->B\nrestart B\n" +
				"check B members B C D, before A B C / check B members B C D\n"},
	}
}

func readCases() []ruleCase {
	return []ruleCase{
		{name: "a read waits for a commit in the leader's own term", breaks: "read-fresh", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.UnprovenReads = true },
			script: led + "hold A->B heartbeat\nA put x 1\ncrash A\nhold B->C append\n" +
				"deliver clock->B election\nB get x\nrelease B->C append\n" +
				"check B reads x 1 / check B reads x empty\n"},
		{name: "a read waits for a round that began after it", breaks: "read-fresh", set: three, base: plain,
			change: func(r *raft.ReferenceRules) { r.RoundReused = true },
			script: led + "A put x 1\nhold B->A\n" + beat + "maybe hold A->B\nmaybe hold A->C\nhold C->A\n" +
				"deliver clock->C election\nC put x 2\nA get x\nrelease B->A\n" +
				"told A  / told A got\n"},
		{name: "a lease counts from the question", breaks: "lease-fresh", set: three,
			change: func(r *raft.ReferenceRules) { r.LeaseFromAnswer = true },
			script: led + "hold B->A appended\n" + beat + "partition A | B C\n" +
				strings.Repeat(beat, 5) + "deliver clock->B election\nB put x 2\n" +
				"release B->A appended\nA get x through lease\ntold A refused / told A got\n"},
		{name: "no lease after the heir has been told", breaks: "lease-fresh", set: three,
			change: func(r *raft.ReferenceRules) { r.LeaseKept = true },
			script: led + beat + "hold B->A\nA transfer B\nB put x 2\nA get x through lease\n" +
				"told A refused / told A got\n"},
	}
}

func TestRulesDecideTheReference(t *testing.T) {
	for _, c := range ruleCases() {
		t.Run(c.name, func(t *testing.T) {
			c.play(t, 0)
			c.play(t, 1)
		})
	}
}

// What is wrong on purpose has a case that shows that it is, by the property that it names.
func TestEveryWrongReferenceHasItsCase(t *testing.T) {
	for name, m := range raft.ReferenceMutants() {
		is := func(c ruleCase) bool {
			none, same := raft.ReferenceRules{}, m.Rules
			c.change(&none)
			c.change(&same)
			return none != raft.ReferenceRules{} && same == m.Rules && c.breaks == m.Breaks
		}
		if !slices.ContainsFunc(ruleCases(), is) {
			t.Errorf("%s has no case in which it breaks %s", name, m.Breaks)
		}
	}
}
