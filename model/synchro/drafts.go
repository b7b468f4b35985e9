package synchro

// drafts are the solutions of the thread that were not taken, as it words them, on top of P0 (2);
// and the plan that was, in the form that older versions understand (7.2).
func drafts() []profile {
	return []profile{
		{name: "I", rules: rulesI(), breaks: "C1",
			doc: "the draft's solution I: a queue for each origin, no ROLLBACK, everyone writes"},
		{name: "II", rules: rulesII(), breaks: "C1",
			doc: "the draft's solution II: who receives a ROLLBACK of its own rows writes it once more"},
		{name: "III", rules: rulesIII(), breaks: "C1",
			doc: "the draft's solution III: CONFIRM N and ROLLBACK N+1 make an owner; rows of the former " +
				"one above N become NOPs"},
		{name: "IV", rules: rulesIV(), breaks: "C1",
			doc: "the draft's solution IV: RAFT_TERM is replicated; rows of an older term become NOPs"},
		{name: "V", rules: rulesV(), breaks: "C1",
			doc: "the draft's solution V: after a restart nothing is relayed until the pending rows are " +
				"resolved; what was rolled back goes as NOPs"},
		{name: "triplet", rules: rulesTriplet(), breaks: "L1",
			doc: "the plan with CONFIRM, ROLLBACK and RAFT_TERM in the place of PROMOTE"},
	}
}

func rulesI() rules {
	r := p0()
	r.solution.Which = solutionI
	r.filter.BySender, r.limbo.TimeoutRollsBack = false, false
	return r
}

func rulesII() rules {
	r := p0()
	r.solution.Which, r.promote.ResolveEmpty = solutionII, true
	return r
}

// rulesIII filter by the table instead of the sender. A queue belongs to its owner also while it is
// empty.
func rulesIII() rules {
	r := p0()
	r.solution.Which, r.promote.ResolveEmpty = solutionIII, true
	r.filter.BySender, r.limbo.AdoptsWriter, r.promote.NotPinned = false, false, false
	r.log.NoSummary = false
	return r
}

// rulesIV filters by the term of rows, whoever sends them.
func rulesIV() rules {
	r := p0()
	r.solution.Which, r.promote.ResolveEmpty = solutionIV, true
	r.filter.BySender = false
	return r
}

func rulesV() rules {
	r := p0()
	r.solution.Which, r.promote.ResolveEmpty = solutionV, true
	return r
}

func rulesTriplet() rules {
	r := p4()
	r.promote.Triplet = true
	return r
}
