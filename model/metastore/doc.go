// Package metastore is a store for the metadata of a cluster: keys with values whose every change
// has a revision, one order for all keys. Past revisions can be read until they are compacted, and
// who watches a range is told of each change to it, from a revision on, in order. It stands on a
// replicated log, model/raft; a few nodes keep it, and all have clients.
//
//	  D: client                 A: server, leads                      B: server
//
//	put x 1 if 3 --- ask ---> stamp, Propose ---> log ---> Apply      Apply <--- log
//	   rev 5: ok <-- reply -----------------------------------+        |
//	                                                                   v
//	watch x from 3 ---------------- poll -------------------------> Watcher: next 3
//	   saw x=1@5 <----------------- events to 5 ----------------------+
//
// Two dialects of one state machine, where etcd (version 3) and Ignite 3 differ for clients:
// dialect.go has a rule for each difference, and a story may set each.
//
// # Where things stand
//
// The store itself knows of no nodes. state.go is what the log makes of nothing, commands.go what
// it may be told, deeds.go and leases.go what comes of it, fits.go what is refused before; cond.go
// are conditions, reads.go reads, compact.go what may be forgotten and how it is removed, watch.go
// what a watch is told next, rows.go how a state is kept on a disk. words.go and parse.go are all
// that as text: the same words in the log and in a story.
//
// node.go is the machine of a node. server*.go is what keeps the store: commands, reads, watches,
// leases. client.go is the library of the clients, client_watch.go their watches, follow.go one
// that reads a range and keeps up with it, metadata.go what the draft wants the store for:
// configuration, baseline, services and affinity as updates that every node acts on in one order.
//
// ledger.go is what is so, read from outside: the log that was committed, done once more by a store
// that forgets nothing, which gives every answer that clients may be given in linear time;
// auditor.go walks through what a watch was told. properties_*.go judge. spec.go is a second
// opinion on the whole history, which knows no log.
//
// # Words of stories
//
// Requests: put K V [if N | if seen] [lease N]; delete, get, watch, follow RANGE, where a range is
// K, K to K, from K, prefix P or all; get ... [at N] [local] [limit N] [keys] [count] [mod N M];
// txn [if COND] then DEED , DEED [, yield W] [else ...] end; update K V; compact N, compact seen
// [N]; pages RANGE by N; watch ... [from N] [prev], bookmark, unwatch, stall RANGE; grant N D,
// revoke N, keepalive N; attend, configure P V, baseline NODE..., assign S NODE; evict D,
// snapshot, transfer NODE. Set-up: see layout.go. Messages: ask, reply and elsewhere, with the
// words of what is asked; poll, opened, events, progress, compacted, alive and gone, with those of
// the range.
//
// # What is decided here
//
//   - Questions and answers go on a stream, as in gRPC; the parcels of a watch are numbered
//     datagrams with a window, so that each can be late or lost in a story by itself.
//   - A command carries the term in which it was stamped, and has no effect in another. A leader
//     stamps only when it has applied all that was committed before it leads.
//   - A lease lasts from when it was asked for, not from when the leader heard of it.
//   - Ignite accepts a transaction that writes a key twice, and may lose the removal; here it is
//     refused, as etcd does. The rule repeats=accepted has it Ignite's way.
//
// # The design not taken
//
// A watch could be a stream of the engine, reliable and in order, and its server could forget all
// that it has sent. Then a lost suffix would be the only thing that can go wrong, and a window that
// is full could not be told from a slow reader. The index of the log could be the revision: the
// draft itself asks for a numbering of its own, since no-ops, changes of members and commands that
// are refused take indexes as well. Properties could ask the servers what they have; they read what
// clients were told and what the log is, so a store that is wrong on all servers alike is seen.
package metastore
