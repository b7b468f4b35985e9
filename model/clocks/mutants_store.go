package clocks

// storeMutants are stores and sessions that are wrong on purpose: each says which property must
// catch it.
func storeMutants() []row {
	var list []row
	for _, m := range storeSpoils() {
		list = append(list, row{name: m.name, of: m.of, breaks: m.breaks, doc: m.doc,
			rules: storeForm(m.rules), story: m.story})
	}
	return list
}

type storeSpoil struct {
	name, of, breaks, doc string
	rules                 storeRules
	story                 string // that shows it, if drawn loads hardly ever do
}

func storeSpoils() []storeSpoil {
	return []storeSpoil{
		{"store-blind", "dotted", "no-false-conflict",
			"a version does not say what its writer had seen",
			storeRules{Blind: true}, ""},
		{"store-forgets-puts", "dotted", "monotonic-writes",
			"a session's put has not seen the session's last", storeRules{ForgetsPuts: true}, ""},
		{"store-forgets-gets", "dotted", "writes-follow-reads",
			"a session's put has not seen what the session has read",
			storeRules{ForgetsGets: true}, ""},
		{"store-fills-gaps", "dotted", "no-false-descent",
			"who has made a write has seen all that the same replica took up before",
			storeRules{Gaps: true}, ""},
		{"store-keeps-one", "dotted", "no-lost-update",
			"of versions that have not seen each other one is kept", storeRules{KeepsOne: true}, ""},
		{"store-dots-again", "dotted", "no-false-descent",
			"a replica counts its puts from the start again after a crash",
			storeRules{DotsAgain: true}, ""},
		{"store-shared-dots", "dotted", "no-false-descent",
			"the count of a put is the next after what its writer has seen",
			storeRules{SharedDots: true}, ""},
		{"store-unsynced", "dotted", "durable",
			"a put is acknowledged that is written and not synced",
			storeRules{Unsynced: true}, ""},
		{"store-takes-reply", "dotted", "descendants-win",
			"the reply to an offer takes the place of what the replica has",
			storeRules{TakesReply: true}, ""},
		{"store-mends-oldest", "dotted", "descendants-win",
			"read repair writes back what the first replica has", storeRules{MendsOldest: true}, ""},
		{"store-twice", "dotted", "accepted-once", "a put that is asked for again is done again",
			storeRules{Twice: true}, ""},
		{"store-forgets-done", "dotted", "accepted-once",
			"a replica forgets in a crash which puts it has done", storeRules{ForgetsDone: true}, ""},
		{"store-offers-once", "dotted", "converges", "a change is offered once, and never again",
			storeRules{OffersOnce: true}, ""},
		{"store-reverses", "dotted", "answers", "the values that a get returns are in the other " +
			"order than their versions", storeRules{Reversed: true}, ""},
		{"store-sulks", "dotted", "converges", "a replica that was refused once offers nothing " +
			"any more, to nobody, though its clock is right again", storeRules{Sulks: true}, ""},
		{"store-ties", "hybrid", "converges",
			"of versions with equal stamps each replica keeps the one that it had first",
			storeRules{Conflict: byHybrid, Ties: true}, ""},
		{"store-any-home", "conditional", "no-false-descent",
			"the number of a record is checked at whichever replica is asked",
			storeRules{Conflict: byNumber, AnyHome: true}, ""},
	}
}
