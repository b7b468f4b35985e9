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
