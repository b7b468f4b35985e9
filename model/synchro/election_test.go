package synchro_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// electionCase is a story that a rule of the elections decides. Of a line with two forms, "A / B",
// the first is for the profile as it is, the second for the profile with the rule changed. A line
// "told A ..." is what the promotions and demotions that A was asked for were answered, in order.
type electionCase struct {
	name, base  string
	change      func(*synchro.Rules)
	set, script string
}

// toldOf is what a node has answered to promotions and demotions.
func toldOf(run *sim.Run, node string) string {
	asked := map[int64]bool{}
	var told []string
	for i := range run.Trace {
		e := &run.Trace[i]
		switch {
		case run.Name(e.Node) != node:
		case e.Kind == sim.EntryInvoked && slices.Contains([]string{"promote", "demote"}, e.Body.Kind()):
			asked[e.N] = true
		case (e.Kind == sim.EntryReturned || e.Kind == sim.EntryRefused) && asked[e.N]:
			told = append(told, synchro.Why(e.Body))
		}
	}
	return strings.Join(told, ", ")
}

// play plays one side of a case and says what is not as the story says.
func (c *electionCase) play(t *testing.T, at int) {
	t.Helper()
	variant := [...]string{c.base, "changed"}[at]
	var script, told []string
	for line := range strings.Lines(c.script) {
		forms := strings.Split(strings.TrimSpace(line), " / ")
		form := forms[min(at, len(forms)-1)]
		if strings.HasPrefix(form, "told ") {
			told = append(told, form)
			continue
		}
		script = append(script, form)
	}
	text := "-- scenario --\nmodel synchro\n" + c.set + "order fixed\n-- script --\n" +
		strings.Join(script, "\n") + "\n-- expect --\n" + variant + " holds\n"
	run := c.run(t, text, variant)
	for _, k := range run.Checks {
		if k.Fails != "" {
			t.Errorf("%s: line %d: %s", variant, k.Line, k.Fails)
		}
	}
	for _, s := range run.Stale {
		t.Errorf("%s: line %d: %s found nothing to do: %s", variant, s.Line, s.Text, s.Why)
	}
	for _, line := range told {
		words := strings.SplitN(line, " ", 3)
		want := strings.Join(words[2:], "")
		if got := toldOf(run, words[1]); got != want {
			t.Errorf("%s: %s was told %q, want %q", variant, words[1], got, want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func (c *electionCase) run(t *testing.T, text, variant string) *sim.Run {
	t.Helper()
	story, err := scenarios.Parse("election.txt", []byte(text))
	if err != nil {
		t.Fatal(err, text)
	}
	plan, err := story.Plan(synchro.Ruled(c.base, c.change), variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

const (
	candidateA = "nodes A B C\nmode candidate A\nmode voter B C\n"
	candidates = "nodes A B C\nmode candidate A B\nmode voter C\n"
	manuals    = "nodes A B C\nmode manual A B\nmode voter C\n"
	led        = "wake A until A role leader\n"
)

func electionCases() []electionCase {
	return []electionCase{
		{name: "an election by itself wants a healthy quorum of connections", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().NoPrevote = true }, set: candidateA,
			script: `crash B
crash C
deliver clock->A death
check A role follower / check A role candidate
`},
		{name: "nobody begins one while a peer sees the leader (#6654)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().NoPrevote = true },
			set:    "nodes A B C\nmode candidate A C\nmode voter B\napart A C\n",
			script: led + `deliver clock->C election
check A role leader / check A role follower
check C raft 2 / check C raft 3
`},
		{name: "a vote is written after what was on its way to the disk, or taken back (#7253)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().VoteWithTerm = true },
			set:    "nodes A B C\nmode candidate A\nmode voter B\nmode manual C\ndisk slow\n",
			script: led + `hold A->C row k
hold B->disk
A put k
C promote
release B->disk
check B wal 0.1 RAFT(2, 0), 0.2 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC k, 0.3 RAFT(3, 0) / check C role leader
`},
		{name: "in mode off the machine votes (P4)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().OffIdle = true },
			set:    "nodes A B C\nmode candidate A\n",
			script: `deliver clock->A death
check A role leader / check A role candidate
check B raft 2
`},
		{name: "a candidate must have all components, not the greater sum", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().Vote = synchro.SumOfComponents }, set: "nodes A B C\nasync a b c\n",
			script: incomparable},
		{name: "a candidate must have all components, not the owner's alone", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().Vote = synchro.LeaderComponent }, set: "nodes A B C\nasync a b c\n",
			script: incomparable},
		{name: "a vote outlives a crash", base: "P3",
			change: func(r *synchro.Rules) { r.Elections().Forgetful = true },
			set:    "nodes A B C\nmode manual A C\nmode voter B\napart A C\n",
			script: `hold B->A raft
hold B->C raft
A promote
crash B
hold A->B raft
restart B
C promote
release B->C raft
check A role candidate
check C role candidate / check C role leader
`},
		{name: "the quorum is of registered nodes, whoever is connected", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().Connected = true },
			set:    "nodes A B C\nmode manual A\nmode voter B C\n",
			script: `crash B
crash C
A promote
check A role candidate / check A role leader
`},
		{name: "a node without elections announces its term (#5438)", base: "P3",
			change: func(r *synchro.Rules) { r.Elections().Unannounced = true },
			set:    "nodes A B\nmode manual A\nmode candidate B\n",
			script: `crash B
A promote
A mode off
restart B
wake B until B role candidate
check B raft 3 / check B raft 2
`},
		{name: "the own vote stands in one row with the term (#8497)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().TwoWrites = true }, set: candidateA,
			script: led + `check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2) / check A wal 0.1 RAFT(2, 0), 0.2 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2)
`},
		{name: "promote is one round of elections (dd89c57e78)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().Retries = true }, set: manuals,
			script: `hold A->B raft
hold A->C raft
hold B->A raft
A promote
B promote
B resign
B promote
release B->A raft
check A raft 3 / check A raft 4
told A not promoted: a newer term was heard / told A not promoted: no leader in time
`},
		{name: "a manual candidate is one for one term (#8168)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().ManualBumps = true }, set: manuals,
			script: `hold A->B raft
hold A->C raft
A promote
deliver clock->A election
check A role follower / check A role candidate
check A raft 2 / check A raft 3
`},
		{name: "what is healthy is looked at before who sees the leader (#8433)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().WitnessFirst = true },
			set: "nodes A B C D E\nmode candidate A C\nmode voter B D E\napart A C\n" +
				"apart A E\nfencing off\n",
			script: led + `deliver clock->C election
crash B
check C raft 2
C jam 1
A put k
check C raft 2 / check C raft 3
`},
		{name: "who resigns does not vote for itself (#9855)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().SelfVote = true },
			set:    "nodes A B\nmode candidate A B\n",
			script: led + `A demote
check A role follower / check A role leader
check B role leader / check B role follower
check A raft 3
`},
		{name: "a node without elections does not say that it sees a leader (#12018)", base: "P3b",
			change: func(r *synchro.Rules) { r.Elections().OffSees = true }, set: "nodes A B C\nmode candidate A B\n",
			script: led + `crash A
deliver clock->B death
check B role candidate / check B role follower
`},
		{name: "promote ends with the election timeout (#10836)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().WaitsForever = true }, set: manuals,
			script: `hold A->B raft
hold A->C raft
A promote
deliver clock->A election
check A role follower / check A role candidate
told A not promoted: no leader in time / told A done
`},
		{name: "a term begins after the one decided, not the one on the disk (#6129)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().FromDurable = true },
			set:    manuals + "disk slow\n",
			script: `A promote
hold A->disk
B promote
check A raft 3
A promote
check A raft 4 / check A raft 3
`},
		{name: "a leader whose journal fails resigns (#9399)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().Stays = true }, set: candidateA,
			script: led + `A jam 1
A put k
check A role follower / check A role leader
`},
		{name: "a leader without a healthy quorum resigns (#6661)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().ResignsNot = true }, set: candidateA,
			script: led + `partition A | B C
` + beats(5) + `check A role follower / check A role leader
check A raft 2
`},
	}
}

// incomparable: A has written a, which B has; C has written more, which nobody has. C is promoted by
// hand.
const incomparable = `hold A->C row a
hold B->C row a
A put a=1
hold C->A row b
hold C->B row b
C put b=1
C put b=2
check B clock A:1
C mode manual
C promote
check C clock C:2 / check C clock C:3
check C role candidate / check C role leader
`

func beats(n int) string { return strings.Repeat("deliver clock->A beat\n", n) }

func TestRulesDecideElections(t *testing.T) {
	for _, c := range electionCases() {
		t.Run(c.name, func(t *testing.T) {
			c.play(t, 0)
			c.play(t, 1)
		})
	}
}

// A wait that is not shortened takes the election timeout.
func TestAWaitIsShortenedOnceNobodyCanWinTheElection(t *testing.T) {
	for _, c := range []struct {
		name, nodes string
		change      func(*synchro.Rules)
		shortened   bool
	}{
		{"two candidates of two nodes", "nodes A B\nmode candidate A B\n", func(*synchro.Rules) {}, true},
		{"two candidates, and the third vote is outstanding", "nodes A B C\nmode candidate A B\n" +
			"mode voter C\napart A C\napart B C\n", func(*synchro.Rules) {}, false},
		{"a vote of another counted as an own one (#8698)", "nodes A B C\nmode candidate A B\n" +
			"mode voter C\napart A C\napart B C\n",
			func(r *synchro.Rules) { r.Elections().CountsOwn = true }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := electionCase{base: "P4", change: c.change}
			text := "-- scenario --\nmodel synchro\n" + c.nodes + `order fixed
-- script --
hold A->B raft
hold B->A raft
deliver clock->A death
deliver clock->B death
release A->B raft
release B->A raft
check A role candidate
check B role candidate
deliver clock->A election
-- expect --
changed holds
`
			run := e.run(t, text, "changed")
			for _, k := range run.Checks {
				if k.Fails != "" {
					t.Fatal(k.Fails)
				}
			}
			var died, again sim.Time
			for _, e := range run.Trace[:run.Epilogue] {
				if e.Kind == sim.EntryFired && synchro.IsDeath(e.Body) && run.Name(e.Node) == "B" {
					died = e.At
				}
				if e.Kind == sim.EntryFired && synchro.IsElection(e.Body) {
					again = e.At
				}
			}
			if got := again.Sub(died) < synchro.ElectionTimeout; got != c.shortened {
				t.Errorf("A tries again after %v; shortened is %v, want %v", again.Sub(died), got,
					c.shortened)
			}
		})
	}
}
