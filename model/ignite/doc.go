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
// search found necessary. What the transports, recovery and the topology do is the same in all.
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
