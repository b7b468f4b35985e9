package synchro_test

import "github.com/downset/downset/model/synchro"

func restartCases() []ruleCase {
	return []ruleCase{
		{name: "a restarted owner finalizes nothing (5856, 5295)", base: "P3",
			change: func(r *synchro.Rules) { r.Queue().NoFreezeStart = true }, set: allOff,
			script: `A promote
hold A->* row t
A put t
crash A
restart A
release A->* row t
check B queue t / check B queue nothing
check A queue t / check A queue nothing
`},
		{name: "recovery believes the flags of rows (11053)", base: "P4",
			change: func(r *synchro.Rules) { r.Log().DerivedFlags = true }, set: oneLeads,
			script: untilLed + `hold A->* row t
A put t
A put f async
check A data f
crash A
restart A
check A queue t / check A queue t f
check A data f / check A data nothing
`},
		{name: "recovery takes a transaction whole (5874)", base: "P4",
			change: func(r *synchro.Rules) { r.Log().RowByRow = true }, set: oneLeads + "async a\n",
			script: untilLed + `hold A->* row t
A put t a
crash A
restart A
check A data nothing / check A data a
`},
		{name: "a snapshot waits for what it shows", base: "P4", set: oneLeads,
			script: untilLed + `hold A->* row t
A put t
A snapshot
release A->* row t
crash A
restart A
check A data t
check A queue nothing
check A owner A
`},
		{name: "a snapshot keeps whose the queue is", base: "P4",
			change: func(r *synchro.Rules) { r.Log().NoSummary = true }, set: allOff,
			script: `A promote
A put t
A snapshot
crash A
restart A
A put u
check A answer u refused / check A answer u refused
A promote
check A data t
`},
		{name: "an anonymous replica is told whose the queue is (9401)", base: "P4",
			change: func(r *synchro.Rules) { r.Log().NoAnonymous = true },
			set:    oneLeads + "later D\nanonymous D\n",
			script: untilLed + `A put t
join D
A put u
check D data t u / not
`},
		{name: "rows of its own that a node has lost come back", base: "P4",
			change: func(r *synchro.Rules) { r.Log().ReusesLSN = true }, set: allOff + "async a\n",
			script: `A put a=1
check * data a=1
crash A
disk A lost
hold B->A row a
hold C->A row a
restart A
A put a=2
check A answer a refused / check A answer a done
release B->A row a
release C->A row a
check A data a=1 / check A data a=2
`},
		{name: "a node joins with the data of another", base: "P4", set: oneLeads + "later D\n",
			script: untilLed + `A put t
A put here local
join D
check D data t
A put u
check D data t u
check A data t here u
`},
		{name: "a joiner gets nothing that is not confirmed", base: "P3", set: oneLeads + "later D\n",
			script: untilLed + `A put t
hold A->B row u
hold A->C row u
A put u
join D
check D data nothing
release A->B row u
release A->C row u
check * data t u
A put v
check * data t u v
`},
		{name: "whose rows are outdated outlives the WAL (S9)", base: "P4",
			change: func(r *synchro.Rules) { r.Log().NoSummary = true }, set: manual,
			script: `A promote
hold A->* row k
A put k
crash A
B promote
B snapshot
crash B
restart B
check B clock A:1 B:1
restart A
hold C->B row
release A->* row k
check B clock A:2 B:1 / not
`},
	}
}

func journalCases() []ruleCase {
	return []ruleCase{
		{name: "a leader whose journal fails resigns (9399)", base: "P4",
			change: func(r *synchro.Rules) { r.Elections().Stays = true }, set: oneLeads,
			script: untilLed + `A jam 1
A put t
check A answer t rolled-back
check A role follower / check A role leader
`},
		{name: "what is behind a failed write fails too", base: "P4", set: slow,
			script: untilLed + `A put t=0
hold A->A failed
A jam 1
A put t=1
A put u
release A->A failed
check A answer t rolled-back
check A answer u rolled-back
check A queue nothing
check A data t=0
`},
		{name: "a failed row of a peer stops the applier, not the process", base: "P4", set: oneLeads,
			script: untilLed + `B jam 1
A put t
check A data t
check B stopped A the journal fails
B reconfigure
check B data t
`},
		{name: "a failed CONFIRM is written again, or ends the process", base: "P4", set: slow,
			also:   func(r *synchro.Rules) { r.Elections().Stays = true },
			change: func(r *synchro.Rules) { r.Queue().Worker = false },
			script: untilLed + `hold A->* row t
A put t
A jam 1
release A->* row t
check A answer t done / check A answer t unknown
`},
		{name: "a process that ends by itself is started again", base: "P4", set: oneLeads,
			script: untilLed + `A resign
A jam 1
wake A until A raft 3
A put t
check A answer t refused
wake A until A limbo leader
A put u
check * data u
`},
	}
}
