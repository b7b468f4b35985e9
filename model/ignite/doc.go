// Package ignite is Apache Ignite's consistent cut of committed transactions (IEP-89) and the
// incremental snapshots that came of it (Ignite 2.15): two-phase and one-phase commit between near,
// primary and backup, the cut that runs through them, the recovery of transactions whose nodes have
// died, write-ahead logs, and the restore of a cut from them.
//
//	N --------PREPARED, tag---NFQ [c1]------         near, a client: it decides, and fixes the tag
//	    NPR /              |         \
//	P -----/---------------+----------|S------C--F-  primary: NFQ brings the cut, so S comes first;
//	   DPR /                                         T is tracked, and its tag says AFTER
//	B ----/--------------S-------------------C--F--  backup: in the cut by discovery
//
// A cut is the colouring of Lai and Yang: the six messages of a transaction carry its id, and who
// meets it first enters before it applies the message. On top of that, the node that commits a
// transaction first fixes on which side it is, by a tag that travels with the decision. Every
// server with data puts two marks into its log, S and F, that turn the tags into a filter.
//
// Where the rules stand, by sections of the specification:
//
//	near.go active.go mapping.go decide.go   near: clients, locks, mapping, decision (1.2 to 1.6)
//	primary.go backup.go finish.go           the other roles, and how a commit ends (1.4 to 1.7)
//	state.go locks.go data.go                the table of 1.3, and what transactions work on
//	sign.go cut.go                           signing, entering, tracking, deciding (1.8 to 1.11)
//	process*.go                              the coordinator's process over discovery (1.12)
//	recovery.go votes.go peers.go            recovery (3.1), and what near does (3.2)
//	exchange.go view.go rebalance.go base.go baseline.go    topology, full snapshots
//	snapshot.go restore*.go replay*.go sides.go             logs read back (4), sides (1.10)
//	rules.go variants.go mutants.go          every decision by its name; modes are rows of them
//	properties_*.go reading*.go              what must hold (7), the oracle (1.13) among it
//
// There are three modes. `draft` is the design page: versions that grow, every message signed,
// START at entry. `merged` is what shipped (D1 to D18). `fixed` is merged with every cure that
// search found necessary. What the two transports and failures do is not softened in any of them.
//
// # Stories
//
// Lines of set-up, and requests, each at a node:
//
//	client NODE...                           no data, no log
//	outsider NODE...                         a server that is not in the baseline
//	key KEY... on PRIMARY [BACKUP...] [in GROUP] [holds VALUE] [cached]
//
//	commit TX [KEY...] [reads KEY...] [MODE] [SYNC]    all at once, or what begin opened
//	begin TX [MODE] [SYNC], write TX KEY..., read TX KEY..., rollback TX, suspend TX, resume TX
//	refuse TX, fail TX                       this node will not prepare it, or fails to commit it
//	cut CUT, snapshot NAME, restore CUT, baseline NODE...
//
// A KEY that is written is x=5 (set), x+1 or x-1 (added to), or x alone, which writes the name of
// the transaction. MODE is pessimistic, optimistic or serializable, SYNC full-sync, primary-sync or
// full-async. A cached key has readers in near caches, so that its primary makes two phases of one.
// At first there is a full snapshot, called base, of what keys hold then.
//
// Messages have the short names of wire.go (NPQ is GridNearTxPrepareRequest), discovery is the link
// log->NODE with start, start-result, end and end-result, and single-start and single-end are the
// answers to the reducer. The other threads of a node are own work, NODE->NODE: mark (START and
// the scans), prepared (its record), write, leave and complete (the steps of a commit).
//
// What can be seen stands at the top of observe.go, the letters of logs in logtext.go: P prepared,
// D data, C committed, R rolled back, S start of a cut, F its finish, F+T with T included, F-T with
// T excluded. Numbers in comments are those of the model's specification: D1 to D18 where merged
// departs from the draft, R1 to R22 bugs of Ignite, M-01 to M-42 wrong decisions, I-1 to I-31
// invariants, S-01 to S-46 scenarios; issue numbers are Ignite's own.
//
// Decisions where the specification is silent, taken as the real system would:
//
//   - A near object whose node is a primary of the transaction is the primary object as well.
//   - A backup commits in the order in which the primary gave the locks (commitIfLocked): one whose
//     earlier transaction is still open waits in COMMITTING.
//   - Update counters are given out as a primary prepares, and travel with DPQ.
//   - The additions of a transaction (x+5) are resolved by the primary under the lock, as an entry
//     processor is.
//   - A primary that rolls back waits for its backups before it writes ROLLED_BACK.
//   - A prepare request that its own NFQ(rollback) has overtaken is refused: the rollback stands in
//     the completed-versions map.
//   - FINISH of the draft has an id here as well (D7): its cuts that fail write none, so that the
//     nearest START before one is its own, and the id says nothing more.
//   - Near waits for every answer to its prepare before it rolls back, and a primary for those of
//     its backups, also after the first that says no. So a finish overtakes a prepare seldom.
//   - A transaction is decided where its deciding object becomes PREPARED (1.13 speaks of the
//     message that is handled there): the record of it may be a step later.
//   - A backup that has only voted in recovery still obeys the finish of its living primary, in all
//     modes; else two backups that ask each other would stay PREPARED for ever.
//   - Every rebalance past the log forbids increments, a historical one as well (D12).
//   - A restore sets update counters back to those of the cut. In fixed what is restored gets new
//     ones, above all that were given.
//   - A commit that fails, UNKNOWN, fails before its first data record. There is no ACK1, since
//     backups keep no return values, and there are no explicit locks.
//   - The near id of a transaction is its name, its node and which life of that: a node that is
//     back takes a name again, unless it remembers a transaction of it.
//   - A topology has the position on the discovery log of the last change of membership, plus one.
//   - Three steps of a commit are steps of their own in merged: data records, leaving the active
//     map, COMMITTED. Rules entry, commit and log say where a handler is cut into steps.
//
// # The design not taken
//
// Threads of a node could be coroutines, as they are in Ignite. Here what a thread does later is
// own work of the node, a message to itself: only where another thread can come between do the
// rules split a handler, so explore sees those interleavings and no others. And the cut could have
// been written on top of the checker's CutModel. But its cuts have points by which all that a node
// does is before or after, and here a transaction is on the side that its tag says, wherever its
// records are; so the properties of this package read tags, sets and positions themselves.
package ignite
