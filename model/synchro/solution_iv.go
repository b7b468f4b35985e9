package synchro

import "github.com/downset/downset/sim"

// Solution IV: who wins an election writes RAFT_TERM, which is relayed as any row. The rows of an
// origin have the term of its last RAFT_TERM before them; those of an older term become NOPs.

// rowTerm is what becomes of a row by its term. Without elections there are no terms.
func (n *node) rowTerm(v *view, t *txn) verdict {
	now := v.Raft
	if n.solution.ByLeaderLog {
		now = n.table.LogTerm
	}
	queued := t.WaitSync || n.solution.NopAsync || t.kind().control()
	old := at(n.table.RowTerm, t.Origin) < now
	if !v.Electing || t.kind() == termRow || !old || !queued || t.empty() {
		return verdict{}
	}
	if v.dropsSender() {
		return verdict{} // the filter drops it
	}
	return verdict{Made: becomesNop}
}

// learnTerm moves the term of an origin's rows.
func (n *node) learnTerm(t *txn) {
	if t.kind() != termRow {
		return
	}
	term := t.Rows[0].Term
	n.table.RowTerm = put(n.table.RowTerm, t.Origin, max(term, at(n.table.RowTerm, t.Origin)))
	n.table.LogTerm = max(n.table.LogTerm, term)
}

// deriveTerms reads them from the log. Those of rows that a snapshot has taken the place of are
// lost.
func (n *node) deriveTerms(env *sim.Env) {
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		if t, ok := env.Disk.At(at).(txn); ok {
			n.learnTerm(&t)
		}
	}
}
