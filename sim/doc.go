// Package sim is a deterministic simulator of distributed protocols: one process, virtual time, one
// goroutine a run. It knows no protocol, no checker and no file format.
//
// Five nouns: a Plan is everything that decides a run. A World plays it. A Machine is the protocol
// code of one node; an Env is all that it may see and do. The Run that comes out holds a Trace, in
// which every Entry names the entry that led to it.
//
//	 Plan
//	  | Execute
//	  v
//	World --- next event by (time, sequence) ---> Machine of one node
//	  ^                                               |
//	  |      effects, in order: append, sync, send,   |
//	  +----- note, set timer, publish, return <-------+
//	  |           ^ a crash may fall between any two
//	  v
//	 Run: Trace, Disks, Hash
//
// The life of a message: Env.Send puts EntrySent into the trace. Its name (link, kind, keys, and
// the n-th of these) decides its fate: an exception of the plan, else a hash of seed and name,
// else the boring default, which is to arrive at once. When its time comes, a hold of the script
// may park it, a partition may keep it, a crash of the receiver may lose it; else EntryDelivered
// names EntrySent as its cause, the machine's Receive runs, and what it does names the delivery.
//
//	P ---s------------------------  s: P sends finish tx2
//	      \    delay P->Q finish tx2 by 3ms
//	       `--------.
//	Q ---------------d--e---------  d: Q receives it; e: its effects
//
// Still time is the default: no delay unless written, timers parked until somebody fires them, and
// after each line of the script the world runs until only parked events are left. Timed runs let
// the clock run.
//
// # The design not taken
//
// Nodes as goroutines or coroutines: straight-line protocol code, but state that cannot be copied,
// compared or shown, and events that cost two to three times as much. A drawn number for each
// choice in the order in which choices come up: then dropping one action reshuffles all that
// follows, and neither shrinking nor stored failures survive an edit. Effects collected in a list
// and applied after the handler: the same to every observer as applying each as it is issued and
// ignoring those after a crash, since nobody else acts during a handler, but slower. A Machine's
// constructor is given the founders rather than the present members, so that a machine can tell
// whether it joined; the present members are in Env.Nodes.
//
// "*" in a pattern is any node, not any end: a story that holds *->Q means the network, and would
// be surprised to find its requests and timers held too. Own work, log, disk, clock and client are
// named. An answer is an event of its own only in plans that speak of a link to the client.
package sim
