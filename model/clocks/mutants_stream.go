package clocks

// streamMutants are wrong on purpose, each in one thing.
func streamMutants() []row {
	of := func(name, breaks, doc string, r streamRules) row {
		return wrong(name, breaks, doc, rules{stream: r})
	}
	return []row{
		of("skips-gaps", "stream-complete", "a consumer takes any greater number for the next, "+
			"and what comes late for a copy", streamRules{SkipsGaps: true}),
		of("place-forgotten", "stream-once", "where a consumer is is not on its disk: after a "+
			"restart it begins again", streamRules{ForgetsPlace: true}),
		of("count-forgotten", "stream-numbers", "a leader counts from one again after a restart",
			streamRules{ForgetsCount: true}),
		of("numbers-per-producer", "stream-numbers",
			"each producer's events have numbers of their own",
			streamRules{PerProducer: true}),
		of("says-first", "stream-durable", "a leader answers before the event is in its log",
			streamRules{SaysFirst: true}),
		of("appends-twice", "stream-numbers", "an event that is asked for again is appended again",
			streamRules{AppendsTwice: true}),
		of("old-by-stamp", "stream-retention", "what is too old to keep is told by the clocks of "+
			"the producers", streamRules{OldByStamp: true}),
		of("behind-unsaid", "stream-complete", "a consumer is not told that what it waits for is "+
			"no longer kept", streamRules{Unsaid: true}),
		of("renumbers", "stream-numbers", "numbers begin again when all events have been dropped",
			streamRules{Renumbers: true}),
		of("tells-next", "answers", "who asks for an event is told the number of the next one",
			streamRules{TellsNext: true}),
		of("consumers-forgotten", "stream-complete", "who consumes is not on the leader's disk",
			streamRules{ForgetsWho: true}),
	}
}
