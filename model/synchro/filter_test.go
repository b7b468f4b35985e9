package synchro_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
)

// The columns of the table in section 1.11: profiles, with elections on or off where that matters.
var filterColumns = []string{"P0", "P1", "P1 off", "P2", "P2 off", "P3", "P3a", "P3b", "P4"}

// filterCase is a row of the table: what is received in which state, and what each column makes of it:
// . it passes, N it becomes NOPs, I it is stored without effect, X it stops the upstream, Z it passes
// with n counted as 0, T it is stored and moves the map of terms alone, - there is no such row.
type filterCase struct {
	name string
	row  synchro.Txn
	in   synchro.View
	want string // by column
}

// In all cases B took the queue over from A: B's PROMOTE has term 5, A's had 3, C has none. B has
// confirmed 10, A had 7. The queue is B's 11 to 14.
func afterPromote() synchro.View {
	return synchro.View{Electing: true, FromLeader: true, Raft: 5, Term: 5, Terms: []int64{3, 5}, Owner: 1,
		Confirmed: 10, Former: synchro.Clock{7, 10}, Queued: true, First: 11, Last: 14}
}

func alone(origin sim.NodeID, r synchro.Row) synchro.Txn {
	return synchro.Txn{Origin: origin, LSN: 20, Rows: []synchro.Row{r}}
}

func confirmOf(origin, prev sim.NodeID, n synchro.LSN) synchro.Txn {
	return alone(origin, synchro.Row{Type: synchro.ConfirmRow, Prev: prev, N: n})
}

func rollbackOf(origin, prev sim.NodeID, n synchro.LSN) synchro.Txn {
	return alone(origin, synchro.Row{Type: synchro.RollbackRow, Prev: prev, N: n})
}

func promoteOf(origin, prev sim.NodeID, n synchro.LSN, term int64) synchro.Txn {
	return alone(origin, synchro.Row{Type: synchro.PromoteRow, Prev: prev, N: n, Term: term})
}

func plainCases() []filterCase {
	usual, free := afterPromote(), afterPromote()
	free.Owner, free.Confirmed, free.Queued = synchro.Nobody, 0, false
	data := func(origin sim.NodeID, sync, ack bool) synchro.Txn {
		return synchro.Txn{Origin: origin, LSN: 20, Rows: []synchro.Row{{Key: "x"}, {Key: "y"}}, WaitSync: sync,
			WaitAck: ack}
	}
	return []filterCase{
		{"a synchronous transaction of the newest origin", data(1, true, true), usual, "........."},
		{"an asynchronous one of the newest origin", data(1, false, false), usual, "........."},
		{"a synchronous one of an outdated origin", data(0, true, true), usual, ".N.N.NNNN"},
		{"one that queued behind such a one", data(0, true, false), usual, ".N.N.NNNN"},
		{"a plain one of an outdated origin", data(0, false, false), usual, ".....XXXX"},
		{"a plain one of an origin without PROMOTE", data(2, false, false), usual, ".....XXXX"},
		{"a plain one of an outdated origin, no owner", data(0, false, false), free, "........."},
		{"NOPs of an outdated origin", data(0, true, true).Nopified(), usual, "........."},
	}
}

func confirmCases() []filterCase {
	usual, empty := afterPromote(), afterPromote()
	empty.Queued = false
	return []filterCase{
		{"CONFIRM of the first in the queue", confirmOf(1, 1, 11), usual, "........."},
		{"CONFIRM of the last in the queue", confirmOf(1, 1, 14), usual, "........."},
		{"CONFIRM behind the queue", confirmOf(1, 1, 15), usual, ".....XXX."},
		{"CONFIRM of what is confirmed", confirmOf(1, 1, 10), usual, ".....XXXI"},
		{"CONFIRM on an empty queue", confirmOf(1, 1, 12), empty, ".....XXX."},
		{"a late CONFIRM of a former owner, at its boundary", confirmOf(0, 0, 7), usual, "ININIXXNI"},
		{"a late CONFIRM of a former owner, above it", confirmOf(0, 0, 8), usual, "ININIXXXX"},
		{"a late CONFIRM of an old origin for the owner", confirmOf(0, 1, 12), usual, ".N.N....."},
		{"CONFIRM by the newest for a former owner, at its boundary", confirmOf(1, 0, 7), usual,
			"IIIIIXXXI"},
		{"CONFIRM by the newest for a former owner, above it", confirmOf(1, 0, 8), usual, "IIIIIXXXX"},
		{"CONFIRM without an owner", confirmOf(1, synchro.Nobody, 12), usual, "IIIIIXXXX"},
		{"CONFIRM without a number", confirmOf(1, 1, 0), usual, ".....XXXI"},
		{"ROLLBACK in the queue", rollbackOf(1, 1, 12), usual, "........."},
		{"ROLLBACK behind the queue", rollbackOf(1, 1, 15), usual, ".....XXX."},
		{"ROLLBACK of what is confirmed", rollbackOf(1, 1, 10), usual, ".....XXX."},
		{"ROLLBACK on an empty queue", rollbackOf(1, 1, 12), empty, ".....XXX."},
		{"a late ROLLBACK of a former owner, above its boundary", rollbackOf(0, 0, 8), usual, "ININIXXNI"},
		{"a late ROLLBACK of a former owner, at its boundary", rollbackOf(0, 0, 7), usual, "ININIXXXX"},
		{"ROLLBACK by the newest for a former owner", rollbackOf(1, 0, 8), usual, "IIIIIXXXX"},
	}
}

func promoteCases() []filterCase {
	usual, empty := afterPromote(), afterPromote()
	empty.Queued = false
	return []filterCase{
		{"a claim in the queue", promoteOf(2, 1, 12, 6), usual, "-........"},
		{"a claim at the boundary", promoteOf(2, 1, 10, 6), usual, "-........"},
		{"a claim at the boundary, on an empty queue", promoteOf(2, 1, 10, 6), empty, "-........"},
		{"a claim of the first row in the queue", promoteOf(2, 1, 11, 6), usual, "-........"},
		{"a claim of the last row in the queue", promoteOf(2, 1, 14, 6), usual, "-........"},
		{"a claim below the boundary", promoteOf(2, 1, 9, 6), usual, "-....XXXX"},
		{"a claim above it, on an empty queue", promoteOf(2, 1, 11, 6), empty, "-....XXXX"},
		{"a claim behind the queue", promoteOf(2, 1, 15, 6), usual, "-....XXXX"},
		{"a claim for a former owner, below the boundary", promoteOf(2, 0, 7, 6), usual, "-ZZZZXXXX"},
		{"a claim for a former owner, in the queue", promoteOf(2, 0, 12, 6), usual, "-ZZZZXXX."},
		{"a claim without a term", promoteOf(1, 1, 12, 0), usual, "-..IIXXXX"},
		{"a claim of the newest term by another", promoteOf(2, 1, 12, 5), usual, "-TT..XXXX"},
		{"an old claim of a node not seen before", promoteOf(2, 1, 12, 4), usual, "-TT..XXXX"},
		{"an old claim of the former owner, newer than its last", promoteOf(0, 1, 12, 4), usual,
			"-TT..XXXX"},
		{"an old claim for a former owner", promoteOf(2, 0, 7, 4), usual, "-TTZZXXXX"},
		{"a claim repeated by its author", promoteOf(1, 1, 12, 5), usual, "-..IIXXXX"},
		{"a claim repeated by the former owner", promoteOf(0, 1, 12, 3), usual, "-..IIXXXX"},
	}
}

// letter is what the filter has decided, as the tables say it.
func letter(v synchro.Verdict) string {
	switch {
	case v.Terms:
		return "T"
	case v.ByZero && v.Made == synchro.Pass:
		return "Z"
	}
	return map[synchro.Outcome]string{synchro.Pass: ".", synchro.BecomesNop: "N",
		synchro.Ignored: "I", synchro.Fatal: "X", synchro.Dropped: "D"}[v.Made]
}

// rulesOf are the rules of a column.
func rulesOf(t *testing.T, column string) synchro.FilterRules {
	t.Helper()
	name, _, _ := strings.Cut(column, " ")
	r, known := synchro.RulesOf(name)
	if !known {
		t.Fatalf("no profile %q", name)
	}
	return *r.Filter()
}

func TestTheFilterIsTheTableOfTheSpecification(t *testing.T) {
	cases := append(append(plainCases(), confirmCases()...), promoteCases()...)
	for _, c := range cases {
		for i, column := range filterColumns {
			v, want := c.in, c.want[i:i+1]
			v.Rules, v.Electing = rulesOf(t, column), !strings.HasSuffix(column, "off")
			if want == "-" {
				continue
			}
			got := v.Decide(&c.row)
			if letter(got) != want {
				t.Errorf("%s, %s: %s makes %s of it, want %s (%s)", c.name, c.row, column, letter(got), want,
					got.Why)
			}
			if got.Made == synchro.Fatal && got.Why == "" {
				t.Errorf("%s: %s stops the upstream and does not say why", c.name, column)
			}
		}
	}
}

func TestADemoteIsJudgedAsAPromote(t *testing.T) {
	for _, c := range promoteCases() {
		demote := alone(c.row.Origin, c.row.Rows[0])
		demote.Rows[0].Type = synchro.DemoteRow
		for _, column := range filterColumns {
			v := c.in
			v.Rules = rulesOf(t, column)
			if p, d := letter(v.Decide(&c.row)), letter(v.Decide(&demote)); p != d {
				t.Errorf("%s: %s makes %s of PROMOTE and %s of DEMOTE", c.name, column, p, d)
			}
		}
	}
}

func TestBeforeP2WhatDoesNotComeFromTheLeaderIsDroppedWhileElectionsAreOn(t *testing.T) {
	row := confirmOf(1, 1, 12)
	for i, want := range strings.Split("D D . . . . . . .", " ") {
		v := afterPromote()
		v.FromLeader = false
		v.Rules, v.Electing = rulesOf(t, filterColumns[i]), !strings.HasSuffix(filterColumns[i], "off")
		if got := letter(v.Decide(&row)); got != want {
			t.Errorf("%s makes %s of a row of another sender, want %s", filterColumns[i], got, want)
		}
	}
}

// A single field turns each rule of the newest filter into the wrong one of section 5.
func TestEachWrongFilterDiffersFromTheNewestInOneCase(t *testing.T) {
	stale := synchro.Txn{Origin: 0, LSN: 20, Rows: []synchro.Row{{Key: "x"}}, WaitSync: true, WaitAck: true}
	queued := stale
	queued.WaitAck = false
	nops, late := stale.Nopified(), promoteOf(2, 1, 12, 4)
	fresh := stale
	fresh.Origin = 1
	for _, c := range []struct {
		name        string
		row         synchro.Txn
		wrong       func(*synchro.View)
		right, want string
	}{
		{"M1, the sender counts: stale rows relayed by the owner", stale,
			func(v *synchro.View) { v.Rules.BySenderOnly, v.Sender = true, 1 }, "N", "."},
		{"M2, the raft term counts: rows of the owner in an election", fresh,
			func(v *synchro.View) { v.Rules.RaftTerm, v.Raft = true, 6 }, ".", "N"},
		{"M3, only synchronous ones: what queued behind", queued,
			func(v *synchro.View) { v.Rules.OnlyAck = true }, "N", "."},
		{"M4, they are dropped", stale, func(v *synchro.View) { v.Rules.Drops = true }, "N", "D"},
		{"M9, the own term of its author counts: an old claim", late,
			func(v *synchro.View) { v.Rules.OwnTerm = true }, "X", "."},
		{"M24, prev does not matter: a late CONFIRM", confirmOf(0, 0, 50),
			func(v *synchro.View) { v.Rules.AnyPrev = true }, "X", "."},
		{"#8746, NOPs are judged as others", nops, func(v *synchro.View) { v.Rules.NopsSplit = true }, ".", "X"},
	} {
		v := afterPromote()
		v.Rules = rulesOf(t, "P4")
		if got := letter(v.Decide(&c.row)); got != c.right {
			t.Errorf("%s: the right filter makes %s of it, want %s", c.name, got, c.right)
		}
		if c.wrong(&v); letter(v.Decide(&c.row)) != c.want {
			t.Errorf("%s: the wrong one makes %s of it, want %s", c.name, letter(v.Decide(&c.row)), c.want)
		}
	}
}
