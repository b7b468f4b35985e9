// Package synchro is Tarantool's synchronous replication: transactions that wait in a queue, the
// limbo, for a quorum of acknowledgements, CONFIRM and ROLLBACK rows that decide them, PROMOTE and
// DEMOTE rows that hand the queue from one node to another, and the elections that say who may.
// Its rules changed a lot over five years, so it is a set of profiles, P0 to P4, each a row of a
// table of named rules, with the five solutions that were weighed for issue #5445 beside them.
//
// A node has a journal that is never truncated; relays send every row of it, whatever its origin,
// and appliers write what they get into their own journal:
//
//	client  A: limbo      A: journal    B: journal   A: limbo   A: journal
//	put k ─► [k] ─submit─► 1.3 k ─relay─► 1.3 k ─ack─► quorum ─► 1.4 CONFIRM(1, 3)
//	 done ◄────────────────────────────────── applied once it is durable ─┘
//
// Submitted, durable, told, relayed, received, filtered, durable there, acknowledged, and heard by
// the main thread are steps of their own (1.17); so are the decision to CONFIRM, its write and its
// effect, and the latch, write and effect of a PROMOTE.
//
// The fault that it is about: A dies with k on its disk alone; B resolves the queue without k, by
// a ROLLBACK of what it does not have; A comes back and its relay sends k to those that have
// stored the ROLLBACK before it. There k is pending, and the next CONFIRM commits it; on A it is
// undone.
//
// # Where things stand
//
// wire.go has rows, transactions and messages; rules.go every decision, variants.go the profiles,
// mutants.go those that are wrong on purpose. wal.go is the journal, limbo.go and queue.go the
// queue, client.go what clients ask; relay.go, applier.go, filter.go and control.go replication and
// the control rows (1.4 to 1.11); raft.go, vote.go, health.go and promote.go the elections and the
// claim of the queue (1.10, 1.13); snapshot.go and restart.go what a node begins with (1.14, 1.15);
// solutions.go the draft's solutions. ledger.go and audit*.go judge: they read facts, records and
// answers, never a node's state.
//
// # Words of stories
//
// Set-up: "mode candidate|voter|manual|off NODE..." (who is not named has mode off), "quorum N" (a
// majority, if it is not said), "fencing soft|strict|off", "async KEY..." (keys in asynchronous
// spaces), "apart NODE NODE" (no link between them), "anonymous NODE...", "skip conflict", and
// "limit N" (as many transactions may wait at their owner).
//
// Requests: "put KEY[=VALUE]... [sync | async | local]", one transaction of a row a key; "insert",
// "remove", "cas KEY OLD NEW", "get KEY [confirmed | dirty | linearizable]"; "promote" and its old
// name "clear_synchro_queue", "demote", "resign", "quorum N", "mode MODE", "snapshot",
// "expel NODE", "settle-queue NODE confirm|rollback" (solution I), "jam N" (the journal refuses the
// next writes), "jam main" (the main thread stands still), "cancel KEY", "reconfigure" (stopped
// appliers begin again).
//
// Messages: subscribe, welcome, row, ack, beat, raft, join; own work: mail, hears, flow, confirm. A
// row has the keys that it writes, or its type: "hold A->* row k", "hold B->C row PROMOTE". Facts
// to wait for are those of facts.go: "when B notes plays leader". What a node shows stands in
// observe.go: data, queue, owner, limbo, term, raft, role, clock, wal, stopped, answer.
//
// # What is decided here
//
// Section numbers are those of the specification that the model follows; issue numbers, #5445, are
// Tarantool's.
//
//   - Times are 20 times as fast as the defaults, in the same proportions: a replication timeout of
//     one second is 50 ms.
//   - Silence is counted in heartbeats that a node itself has sent, not by a clock: nothing reads
//     one.
//   - A transaction without its quorum in time is detached with an unknown outcome, in all
//     profiles; the rule timeout=rollback brings the older rollback back, which is known to be
//     unsound (8.3).
//   - Elections, and a healthy quorum, count registered nodes. A node that joins is registered by
//     a row; it subscribes to others than its giver once it has the rows of its join.
//   - In P0 the first form of the fault wants a rule of its own, resolve-empty=write: with an empty
//     queue the code may write nothing.
//
// # The design not taken
//
// Raft messages could go on the stream of rows, as they share its TCP connection. But they come
// from a mailbox of their own, and what is held of rows must not hold them: they have a lane, and a
// PROMOTE waits at its applier for the raft message that its relay has sent before it. One machine
// for Raft's log and Tarantool's would be simpler, and hide what this is about: rows are never
// taken out of a log here, what undoes them is a later row. Profiles could be machines of their
// own; as rows of a table of rules, a story can set one rule of an era on top of another.
package synchro
