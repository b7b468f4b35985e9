// Package clocks is what orders events without a common clock: Lamport's counter, vector clocks,
// version vectors and dotted ones, hybrid logical clocks; and what goes wrong where something else
// is taken for an order: a replicated store, streams of events, leases and measurements of time, on
// nodes whose clocks are off, drift and jump.
//
// Each node carries three clocks and stamps with them what it does, and every message:
//
//	      put x 1             offer x                       lamport   vector     hybrid
//	A  ------o-------------------o------------------------   2        [2 0]     12.0
//	        ok                    \                          (A's clock is 10 ms fast)
//	                               \
//	B  -----------o-----------------o---------------------   3        [2 2]     12.1
//	            put x 2              two siblings of x: neither had seen the other
//
// By wall clock B's later write would lose to A's. The vectors say what is so: [1 0] and [0 1] are
// concurrent, both are kept, and whoever reads both and writes again has settled it.
//
// A node is three things at once: the application that a client asks, with a session that knows
// what it has read; a replica of the store, a leader of partitions of a stream and a granter of
// leases, which any application may ask; and a consumer of streams.
//
// node.go takes events up, stamp.go is what it does to its clocks; lamport.go, vector.go,
// versions.go, dotted.go, hybrid.go and crdt.go are types that know nothing of nodes. store.go and
// its neighbours are the replicated store, conflict.go its rules; stream.go, lease.go and
// latency.go what their names say. rules*.go have every decision, variants.go and mutants*.go the
// table. ledger.go is what is so, outside the nodes; properties_*.go what must hold.
//
// # Words of stories
//
// Set-up, each at most once, boot once a node: "max-offset 500ms" (how far ahead of a receiver's
// clock a hybrid stamp may be, else the message is refused), "granularity 1us" (of clocks as stamps
// read them), "limit 3" (how many pairs a version vector keeps, where it is pruned), "term 50ms"
// (for how long a lease is granted), "boot NODE 3h" (its host was started so long before the run,
// and its monotonic clock is ahead by that). But for boot, what is in these is what holds where a
// story says nothing.
//
// Requests. "At NODE" is who serves it, else the node that is asked:
//   - events: "tick" (something of no consequence), "say NODE WORD";
//   - the store: "put KEY VALUE [at NODE]", "get KEY [at NODE]", "repair KEY" (reads all replicas,
//     and mends those that lack something), "forget" (a session ends, and another begins that has
//     seen nothing);
//   - objects: "grow KEY N [at NODE]" of a g-counter, "inc KEY N" and "dec KEY N" of a pn-counter,
//     "add KEY ELEMENT" and "del KEY ELEMENT" of an or-set, "set KEY VALUE" of an lww-register,
//     "keep KEY VALUE" of an mv-register, all with [at NODE]; "value KIND KEY [at NODE]";
//   - streams, whose leader follows from the name: "emit PARTITION EVENT", "consume PARTITION",
//     "poll" (asks for what was missed), "trim PARTITION AGE" (drops what is older);
//   - leases and clocks: "lease [at NODE]" (asks that node for its lease), "act [at NODE]" (acts as
//     the holder of its lease, if it is still that by its own clock), "measure NODE".
//
// Messages, with the words that choose among them: offer, heard KEY; update KEY VALUE and done;
// query, found, collect, collected, mend KEY; change, changed KEY WHAT; look, looked KIND KEY; emit
// PARTITION EVENT, event PARTITION EVENT; subscribe, poll, ack, trim, behind PARTITION; claim,
// grant, denial; probe, echo, too-far; said WORD: "hold A->* offer x". A node that asks itself has
// them as work of its own. Timers: offer, collect, again, resend, due.
//
// Facts to wait for, "when A notes holds x": stamp, refused-stamp, order WORD; intends, accepted,
// compared, holds KEY; did KEY WHAT, object KIND KEY; appended PARTITION EVENT, followed, trimmed,
// consumes, gap, skipped PARTITION, delivered PARTITION EVENT, on-disk; granted, denied HOLDER,
// took, acted, idle GRANTER; saw, shunned NODE, stopped; forgot.
//
// What a node shows: lamport, vector, hybrid, words; value KEY, siblings KEY, kept KEY (with
// vectors), reads KEY, puts KEY, lost KEY; value KIND KEY and looks KIND KEY; stream PARTITION,
// missed PARTITION, and of its leader stream PARTITION log; holder, acts NODE; latency NODE,
// stopped. observe_*.go say more of each.
//
// # What is decided here
//
//   - In the right forms nodes have a hybrid clock, and refuse what comes from too far ahead, as in
//     CockroachDB. Stores, registers, streams and leases that go by something else have none, as
//     Cassandra, Riak and Dynamo have none, and take up everything: hybrid-clock=none does that to
//     any form.
//   - Of versions with equal wall stamps that of the greater node stands, and of one node's the
//     later: a node does not lose to itself unless its clock goes back.
//   - An update is lost only if its value is: two puts of one value, of which one is dropped, look
//     the same to everybody.
//   - A leader sends up to 64 events ahead of what a consumer has said to have.
//
// Not here: pruning by size and age together (Riak's small_vclock and its kin), uncertainty
// intervals of reads (CockroachDB), and safe time of a log (Ignite 3), which is for a model with
// logs. The specification calls pruning before the comparison Riak's #613; that issue is about
// which pair is dropped first.
//
// # The design not taken
//
// Each workload could be a protocol of its own. They would share the clocks, the faults and half of
// their stories; one machine that does all shows that stamps hold whatever they are put on. Clocks
// could be kept outside the machines, computed from the trace: downset does that for every protocol
// when asked for stamps, and a clock that a machine keeps wrongly is only found by keeping it.
package clocks
