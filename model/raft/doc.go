// Package raft is a replicated log after Raft, with two engines behind one interface: the library
// that runs in production, go.etcd.io/raft/v3, driven deterministically; and one of our own that
// reads like the paper, which searches may copy and spoil.
//
//	        put x 1                         applied 7 put x 1
//	client --------> node ---- Propose ---> Engine ---- Take ----> node: its state machine
//	                  |                     |    |
//	                  |               records    messages: votes, appends, snapshots
//	                  |                     |    |
//	                  +--- the machine -- Disk  other nodes' engines
//
// What other models build upon is in log.go: a log of commands, each with a number. What judges
// read is in facts.go: both engines say the same facts and write the same records, so one set of
// properties judges both.
//
// Sources: Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm" (2014), here
// "the paper"; Ongaro's dissertation (2014), here "the dissertation"; the library's source, v3.7.0.
// R1 to R20 are the invariants of the field: see properties.go.
//
// # Stories
//
// Requests: "put K V", "get K [through log|index|lease|local]", "cas K OLD NEW" (OLD "empty" is no
// value), "members A B C [learns D]", "transfer TO NODE", "compact". Set-up: "voters A B C",
// "compact every N", "replace after 300ms", "patience spread 20ms". What a node shows: value,
// leader, term, commit, log, reads, members. A session is a client's: a request that is sent again
// takes effect once. A request to a node that knows no leader is refused, surely without effect.
//
// In still time nobody's patience is drawn: A is the first to be impatient, then B ("deliver
// clock->A election" is an election). A group at rest says nothing, so that a run comes to its
// end.
//
// # The library
//
// The library draws its election timeouts from the system's entropy, and nothing else of it is
// left to chance. The engine puts a timeout of its own in that place, drawn by name, before each
// tick (library_timeout.go, the one file of all models that reaches into another's memory). A
// machine with the library in it cannot be copied, so explore refuses it; sweeps, crash points and
// why play it again instead.
//
// # Decided against the specifications
//
// It is said that the commit index of the hard state need not be durable. With changes of members
// it must be, as far as the log's configurations go: a restarted node that does not know that they
// are committed campaigns by a configuration two steps behind (etcd-old-members). A snapshot whose
// configuration lacks its receiver is ignored by the library for ever; who is asked for one must
// make another (etcd-old-snapshot).
//
// # The design not taken
//
// One engine would have been less to write. The library alone cannot be copied nor spoiled inside,
// so neither could every order of a small group be played, nor a wrong rule of the paper be shown
// to be caught; our own alone would be believed by nobody. That both say the same facts, and that
// the same judges read them, is what ties the two together. The library could have been driven by
// its public calls alone (ForgetLeader, Campaign): that is another order of calls than
// production's.
package raft
