package raft

// nodeMutants are wrong on purpose in what the state machine does with a log that is right. The
// numbers are rows of the table of such faults, 7.6.
func nodeMutants() []row {
	lease := row{name: "lease-read", of: "etcd", breaks: "read-fresh",
		doc: "a read by index is served by the lease of the library, and said to be linearizable " +
			"(16; etcd raft #166)", rules: rules{Library: true, Node: nodeRules{LeaseRead: true},
			Harness: libraryRules{OldLease: true}}}
	of := func(name, breaks, doc string, r nodeRules) row {
		return row{name: name, doc: doc, of: "raft", breaks: breaks, rules: rules{Node: r}}
	}
	return []row{
		of("local-read", "read-fresh", "a read by index is served from what the node has applied, "+
			"without asking who leads (15)", nodeRules{LocalRead: true}),
		lease,
		of("reads-early", "read-fresh", "a read sees the state before what came with its index",
			nodeRules{ReadEarly: true}),
		of("no-dedup", "answers", "a copy of a command takes effect again (31)",
			nodeRules{NoDedup: true}),
		of("dedup-not-in-snapshot", "answers", "a snapshot has the data, and not who has been "+
			"answered what (32)", nodeRules{BareImage: true}),
		of("data-ahead", "snapshot-true", "a snapshot stands for one entry less than its data: the "+
			"applied index is not kept with them (20; etcd #13766)", nodeRules{DataAhead: true}),
		of("swallows", "snapshot-true", "a node whose storage refuses an entry passes it over and "+
			"goes on (21; IGNITE-23834)", nodeRules{Swallows: true}),
		of("restamps", "answers", "a command that is proposed again is stamped anew, and not "+
			"known for a copy (IGNITE-27035)", nodeRules{Restamps: true}),
		of("gives-up", "linearizable", "what was proposed and not answered in time is refused, as "+
			"if it had surely no effect", nodeRules{GivesUp: true}),
		of("map-order", "snapshot-true", "an image lists its pairs in the order of a hash map, "+
			"which is each node's own (45; IGNITE-23907)", nodeRules{MapOrder: true}),
		of("answers-early", "answers", "a put is answered when it has been proposed",
			nodeRules{AnswersSoon: true}),
	}
}
