package synchro_test

import (
	"testing"

	"github.com/downset/downset/model/synchro"
)

const (
	off   = "nodes A B C\n"
	slowC = "nodes A B C\nmode manual A B\nmode voter C\ndisk slow\n"
)

// pendingAtA has A own the queue with k pending, which B has too, and A gone. C has not got it.
const pendingAtA = `A promote
hold A->C row k
hold B->C row k
hold B->A ack
hold A->B ack
A put k
crash A
`

func promotionCases() []electionCase {
	return []electionCase{
		{name: "a leader whose claim was overtaken by an older one leads without a queue, if it is not cured",
			base: "P4", change: func(r *synchro.Rules) { r.Cures().ClaimsAgain = true }, set: slowC,
			script: `hold B->A row PROMOTE
hold B->C row PROMOTE
B promote
hold C->A raft
A promote
hold A->disk row PROMOTE
release B->A row PROMOTE
release C->A raft
check A role leader
check A limbo inactive
release A->disk row PROMOTE
check A limbo replica / check A limbo leader
told A not promoted: the term has changed / told A done
`},
		{name: "P0 writes CONFIRM and ROLLBACK, but not about an empty queue", base: "P0",
			change: func(r *synchro.Rules) { r.Claims().ResolveEmpty = true }, set: candidates,
			script: led + `A put x
crash A
wake B until B role leader
check B wal 0.1 RAFT(2, 1), 1.1 SYNC x, 1.2 CONFIRM(1, 1), 0.2 RAFT(3, 2) / check B wal 0.1 RAFT(2, 1), 1.1 SYNC x, 1.2 CONFIRM(1, 1), 0.2 RAFT(3, 2), 2.1 CONFIRM(1, 1), 2.2 ROLLBACK(1, 2)
`},
		{name: "PROMOTE is one row, or the triplet of older versions (7.2)", base: "P4",
			change: func(r *synchro.Rules) { r.Claims().Triplet = true }, set: candidateA,
			script: led + `A put x
A resign
wake A until A role leader
check A raft 3
check B data x
check B owner A
`},
		{name: "without elections P1 has but one term (#6034)", base: "P2",
			change: func(r *synchro.Rules) { r.Claims().TermOne = true }, set: off,
			script: `A promote
B promote
check C wal 0.1 RAFT(2, 0), 1.1 PROMOTE(0, 0, 2), 0.2 RAFT(3, 0), 2.1 PROMOTE(1, 0, 3) / check C wal 1.1 PROMOTE(0, 0, 1), 2.1 PROMOTE(1, 0, 1)
told A done
told B done
`},
		{name: "demote came with P2", base: "P2",
			change: func(r *synchro.Rules) { r.Claims().NoDemote = true }, set: off,
			script: `A promote
A demote
check C owner nobody / check C owner A
told A done, done / told A done, refused: there is no demote yet
`},
		{name: "DEMOTE has a term of its own", base: "P4",
			change: func(r *synchro.Rules) { r.Claims().ReusesTerm = true }, set: off,
			script: `A promote
A demote
check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 0.2 RAFT(3, 0), 1.2 DEMOTE(1, 0, 3) / check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 DEMOTE(1, 0, 2)
`},
		{name: "the last transaction must be in Q WALs before PROMOTE is written", base: "P3b",
			change: func(r *synchro.Rules) { r.Claims().Unconditional = true }, set: off,
			script: pendingAtA + `B promote
check B limbo replica
deliver clock->B timeout
check B raft 3
check B owner A / check B owner B
maybe deliver clock->B timeout
told A done
told B not promoted: no quorum of the last transaction in time / told B done
`},
		{name: "the terms are looked at again under the latch (#7086)", base: "P3b",
			change: func(r *synchro.Rules) { r.Claims().NoRecheck = true }, set: off + "disk slow\n",
			script: `hold A->disk row PROMOTE
B promote
A promote
release A->disk row PROMOTE
check A owner B / check A owner A
told A not promoted: the term has changed / told A done
`},
		{name: "one PROMOTE in a term (#9263)", base: "P4",
			change: func(r *synchro.Rules) { r.Claims().Twice = true }, set: candidateA + "fencing off\n",
			script: led + `hold B->A ack
hold C->A ack
A put k
A resign
deliver clock->A death
A promote
release B->A ack
release C->A ack
check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC k, 0.2 RAFT(3, 1), 1.3 PROMOTE(1, 2, 3) / check A wal 0.1 RAFT(2, 1), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC k, 0.2 RAFT(3, 1), 1.3 PROMOTE(1, 2, 3), 1.4 PROMOTE(1, 2, 3)
told A done
`},
		{name: "before P4 promote returns once elected", base: "P4",
			change: func(r *synchro.Rules) { r.Claims().ReturnsElected = true }, set: slowC,
			script: `hold A->disk row PROMOTE
A promote
check A role leader
crash A
told A  / told A done
`},
	}
}

// outcomeCases have no rule that is changed: "changed" is another profile, or another set-up.
func outcomeCases() []electionCase {
	return []electionCase{
		{name: "of two nodes promoted at once one is elected, the other is told so", base: "P4",
			set: manuals, script: `hold A->B raft
hold A->C raft
hold B->A raft
hold B->C raft
A promote
B promote
release A->C raft
release B->C raft
release A->B raft
release B->A raft
check A role leader
check B role follower
check A raft 2
told A done
told B not promoted: another leads this term: A
`},
		{name: "a newer term ends a promotion", base: "P4", set: manuals,
			script: `hold A->B raft
hold A->C raft
hold B->A raft
A promote
B promote
B resign
B promote
release B->A raft
check A role follower
told A not promoted: a newer term was heard
told B done, done
`},
		{name: "the loss of the quorum ends a promotion", base: "P4", set: manuals,
			script: `hold A->B raft
hold A->C raft
A promote
crash B
crash C
told A not promoted: the quorum was lost
`},
		{name: "another mode ends a promotion", base: "P4", set: manuals,
			script: `hold A->B raft
hold A->C raft
A promote
A mode voter
check A role follower
told A not promoted: no candidate any more
`},
		{name: "a leader is promoted already, a voter never, and one promotion is enough", base: "P4",
			set: manuals,
			script: `A promote
A clear_synchro_queue
C promote
hold B->A raft
hold B->C raft
B promote
B promote
told A done, done
told C refused: a voter is never promoted
deliver clock->B election
told B refused: a promotion is under way here, not promoted: no leader in time
`},
		{name: "in mode off one vote is enough (P4), so two nodes may lead in one term", base: "P4",
			set: "nodes A B\n", script: `hold A->B
hold B->A
A promote
B promote
check A role leader
check B role leader
check A raft 2
check B raft 2
`},
		{name: "before P4 there is no vote in mode off: terms alone", base: "P3b", set: off,
			script: `A promote
check A role follower
check A limbo leader
check B wal 0.1 RAFT(2, 0), 1.1 PROMOTE(0, 0, 2)
B promote
check A limbo replica
check B limbo leader
told A done
told B done
`},
		{name: "without elections a promotion waits for the owner, then for the quorum", base: "P3b",
			set: off, script: pendingAtA + `B promote
check B raft 2
deliver clock->B timeout
check B raft 3
check B limbo replica
release B->C row k
check B limbo leader
check B data k
check B wal 0.1 RAFT(2, 0), 1.1 PROMOTE(0, 0, 2), 1.2 SYNC k, 0.2 RAFT(3, 0), 2.1 PROMOTE(1, 2, 3)
told B done
`},
		{name: "a queue that its owner clears is waited for", base: "P3b", set: off,
			script: `A promote
hold B->A ack
hold C->A ack
A put k
B promote
check B raft 2
release B->A ack
check B owner B
check B data k
told B done
`},
		{name: "an elected leader waits for the quorum of the last transaction for ever", base: "P4",
			set: manuals, script: pendingAtA + `B promote
check B role leader
check B limbo replica
deliver clock->B timeout
check B role leader
release B->C row k
check B limbo leader
check B data k
told B not promoted: elected, but no quorum of the last transaction in time
`},
		{name: "who does not own the queue has nothing to give up", base: "P4", set: off,
			script: `A promote
B demote
check B raft 2
check B owner A
told B done
`},
		{name: "a leader whose PROMOTE is on its way is not elected again", base: "P4",
			set: candidateA + "disk slow\n", script: `hold A->disk row PROMOTE
` + led + `A promote
release A->disk row PROMOTE
check A raft 2
check A limbo leader
told A done
`},
		{name: "what comes while an own PROMOTE is on its way waits for it", base: "P4",
			set: off + "disk slow\n", script: `B promote
hold B->A row k
hold C->A row k
hold C->B ack
B put k
hold A->disk row PROMOTE
A promote
release B->A row k
release A->disk row PROMOTE
check A owner A
check A wal 0.1 RAFT(2, 0), 2.1 PROMOTE(0, 0, 2), 0.2 RAFT(3, 1), 1.1 PROMOTE(2, 0, 3), 2.2 NOP
`},
		{name: "a demoted candidate makes way, and does not come back at once", base: "P4",
			set: candidates, script: led + `A demote
check A role follower
check B role leader
check B raft 3
told A done
`},
		{name: "a leader with strict fencing gives up earlier", base: "P4",
			set: candidateA + "fencing strict\n", script: led + `partition A | B C
` + beats(2) + `check A role leader
` + beats(1) + `check A role follower
`},
		{name: "a leader with soft fencing gives up after the disconnect timeout", base: "P4",
			set: candidateA, script: led + `partition A | B C
` + beats(4) + `check A role leader
` + beats(1) + `check A role follower
`},
		{name: "a leader without fencing stays", base: "P4",
			set: candidateA + "fencing off\n", script: led + `partition A | B C
` + beats(6) + `check A role leader
`},
		{name: "a node that becomes a candidate waits for the death timeout", base: "P4",
			set: "nodes A B C\nmode voter A B C\n", script: `A mode candidate
check A role follower
deliver clock->A death
check A role leader
A mode manual
check A role follower
`},
		{name: "a node elects when its leader falls silent, and no earlier", base: "P4", set: candidates,
			script: led + `partition A | B C
deliver clock->B death
check B role follower
deliver clock->C death
check B role leader
check B raft 3
`},
		{name: "a vote of the term is not given twice, and the leader of the term is followed", base: "P4",
			set: "nodes A B C D E\nmode manual A B\nmode voter C D E\n", script: `hold A->B
hold A->C
hold A->D
hold A->E
hold B->A
A promote
B promote
check A role candidate
check B role leader
release A->C
release A->D
check A raft 2
check A role candidate
release A->B
release A->E
release B->A
check A role follower
check B role leader
told A not promoted: another leads this term: B
told B done
`},
	}
}

func TestAPromotionEndsInOneOfItsWays(t *testing.T) {
	for _, c := range outcomeCases() {
		t.Run(c.name, func(t *testing.T) {
			c.change = func(*synchro.Rules) {}
			c.play(t, 0)
		})
	}
}

func TestRulesDecidePromotions(t *testing.T) {
	for _, c := range promotionCases() {
		t.Run(c.name, func(t *testing.T) {
			c.play(t, 0)
			c.play(t, 1)
		})
	}
}
