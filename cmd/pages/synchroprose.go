package pages

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// prose answers the draft's question. What it counts is counted by figures.
const prose = `
## Which solution

The last one of the thread: one row that confirms up to N, undoes what is above, makes its author
the owner and has the term of an election; rows that were in the queue of an owner whose claim is
not the newest become NOPs, whoever brings them. Of the %d schedules above, P4 holds in %d, with
elections in all. It took five years to get there: P1 has the row and the filter, P2 gives the
queue to one owner, P3 validates and freezes, P3a puts the term into ACKs, P3b remembers former
owners. Each step shows in some row of the first table. *It is not free of lost writes*: what was
found in it stands below, with the rule that cures each. *cured* is P4
with all of those; whoever builds this today builds that. What it costs more is in the table of
prices: a row that announces each change of owner, and the round trip until a quorum has it.

The others fail for one of three reasons. They *undo by a later row* and leave the order of the
two to chance; or they know *who* is outdated, and not *since when*; or they act on what a peer
has said, which was true then. A term in the log answers all three, since it travels with what it
is about.

**I, a queue for each origin and no ROLLBACK.** It cannot have the bug: nothing is undone, so
nothing can overtake. It is also the cheapest, %d rows and %d messages in S0, where P0 in the
draft's form needs %d and %d, and the most available: %d writes of %d done, more than any other,
since nobody is refused. What it gives up is the order of writes. Two nodes that replace a key at
the same time end with other values and equal vclocks (S5, two writers), silently; an insert of a
dead node stops its links for good when it comes back (S5), and no operator can undo it without a
rebuild. Rows of a node that never returns stay undecided for ever; who removes it from the
membership has the question of the ROLLBACK again. It is another product: multi-master with
confirmations.

**II, every ROLLBACK once more.** The owner's copy costs %d rows more than P0 in S0 and S2
together, and repairs S0, S2 and S3, since it stands in A's own stream behind k. It does not
repair S1, where C brings k and A is still away: without elections, silent divergence. With a copy
by everyone S1 is repaired; but as it is worded, with copies that are copied, the script of S2
alone stores %d rows until the budget ends. Copies that are told apart still do harm: an
open-ended one undoes what the owner, elected again, has written since (S8, silent; closed ranges
cure that); and nodes that do not lead write rows of their own, which P0's appliers drop, so that
vclocks are no longer comparable, votes are refused and no leader is found. That is why copying by
everyone ends with the fewest writes done, %d of %d. A crash between the ROLLBACK and its copy
loses the protection, unless copies are derived from the log (s09-crash-before-the-copy). Closed
ranges, derived copies and the owner alone are the best of the family; S1 and S7 stay open.

**III, ownership by pairs.** The path does not matter, only the origin, so S1 is no harder than
S0; A's own pair lifts the filter at the right place, so S8 holds. The price is the pair: %d rows
and %d messages in S0 against %d and %d for the one row of the first update, which also closes the
gap between the two. Nothing orders two pairs: two operators make two owners (S7), silently. The
table has to be in the snapshot, else a restart forgets it (S9; here the owner, which is in the
snapshot, refuses the row, and the link stops). And A counts ACKs of NOPs as if they were copies
(S12): silent.

**IV, terms of rows.** The wording, compare with the receiver's *current* raft term, is wrong: an
election that nobody has heard of makes a NOP of what the others commit (S10), a node that catches
up makes NOPs of history (S4), and a row that comes between the new term and the pair is lost
though it is confirmed (S6). All three are silent. The newest term *in a log of a leader* cures
them, and this is the term that the plan took. It needs elections (S2), and does nothing about
ACKs of NOPs (S12). Terms as rows of their own cost %d rows and %d messages in S0.

**V, filter at the sender.** The cheapest of those that undo, %d rows and %d messages in S0, as
nothing is written that P0 would not write. But what it acts on can change. If the resolver comes
after all peers were heard, A relays k behind its ROLLBACK (S0, the evidence changes): all forms
of V diverge, in a schedule next to that of the original bug. The second resolution of the thread,
take the first evidence, is safe where the evidence is a ROLLBACK, which is final, and not where
it is a vclock that equals one's own: the resolver may be elsewhere (S0, first evidence). To hold
after restarts alone misses S3; to hold own rows alone misses S1. Its price is availability by
design: until the last member has spoken, A relays nothing at all, not even rows that have nothing
to do with the queue; if one member is dead for good, that is for ever (s00-one-is-dead).

**The plan.** In S0 it stores %d rows and sends %d messages, where P0 stores %d and sends %d: one
control row for each change of leader, and rows that are NOPs where they would have been undone.
As CONFIRM, ROLLBACK and RAFT_TERM, which older versions would understand, it is %d rows and %d
messages. So the answer to the second open question is that the triplet holds wherever the row
does in these schedules, costs more, and has two crash points that one row does not have. To the
others: transactions that would enter the queue are marked on their last row, and the mark is
computed anew where they are received; every node votes, from P4 on. With all cures it is %d rows
and %d messages: a CLAIM goes before each PROMOTE, and a quorum acknowledges it first.

What it leaves open:

- *Two promotions without elections* (S7): two claims of terms that nobody has voted on. From P2
  on a link stops, so that it is noticed; k is committed on one side and undone on the other. P4
  has not changed that, it has only made it explicit: mode off is an election with a quorum of
  one.
- *Asynchronous rows of a deposed leader* (3.5): accepted late until P2, as the thread had
  decided; from P3 on they stop the links of their origin, which keeps them alone and is not told
  (#10528). A rebuild of that node is the price, though no promise was broken.
- *ACKs are content-free.* A NOP is acknowledged like the row it stands for. P3a sees to it that
  an owner learns of a newer term first, which closes S12; nothing in the rules asks whether a
  copy is real. What searches have made of that stands at the end of this page.
- *Rollback by time-out* (#12278) is not a part of these schedules. It cannot be reconciled with
  any of the solutions; P4 tells the client that the outcome is unknown.
- *P3 and P3a stop links over nothing*: a late CONFIRM of a former owner is a split-brain (S6,
  #9138).
`

// figures are the numbers in it, in their order.
func figures(rows []schedule) []any {
	sum := map[string]outcome{}
	for _, v := range synchroVariants() {
		for i := range rows {
			o, s := rows[i].of(v), sum[v]
			s.asked, s.done = s.asked+o.asked, s.done+o.done
			if o.class == sim.Unclassified {
				s.rows++
			}
			sum[v] = s
		}
	}
	first, second := scheduleOf(rows, priced[0]), scheduleOf(rows, priced[1])
	cost := func(v string) (int, int) { return first.of(v).rows, first.of(v).messages }
	copies := first.of("II").rows - first.of(writes).rows + second.of("II").rows -
		second.of(writes).rows
	all := []any{len(rows), sum["P4"].rows}
	add := func(variants ...string) {
		for _, v := range variants {
			stored, sent := cost(v)
			all = append(all, stored, sent)
		}
	}
	add("I", writes)
	all = append(all, sum["I"].done, sum["I"].asked, copies, second.of(endless).rows,
		sum["II/dup-by=every"].done, sum["II/dup-by=every"].asked)
	add("III", "III/pair=one", "IV", "V")
	add("P4", writes, "triplet", "cured")
	return all
}

func synchroProse(rows []schedule) string { return fmt.Sprintf(prose, figures(rows)...) }

// lacksProse is the first line of the prose, between its figures, that a page does not have.
func lacksProse(text string) string {
	for _, part := range strings.Split(prose, "%d") {
		if !strings.Contains(text, part) {
			first, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
			return first
		}
	}
	return ""
}
