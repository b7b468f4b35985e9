package clocks

import "slices"

// stampMutants are wrong on purpose: each clock with one decision of its rules changed.
func stampMutants() []row {
	var list []row
	for _, s := range spoiltStamps() {
		r := row{name: s.name, doc: s.doc, of: "dotted", breaks: s.breaks}
		s.spoil(&r.rules.stamp)
		list = append(list, r)
	}
	return list
}

// spoiltStamp is a wrong clock.
type spoiltStamp struct {
	name, breaks, doc string
	spoil             func(*stampRules)
}

func spoiltStamps() []spoiltStamp {
	return slices.Concat(spoiltLamport(), spoiltVector(), spoiltHybrid(), spoiltLimit(),
		spoiltRestart())
}

func spoiltLamport() []spoiltStamp {
	return []spoiltStamp{
		{"lamport-keeps", "lamport-order", "the receipt of a message is no event: Lamport's " +
			"clock takes the maximum and does not count on",
			func(r *stampRules) { r.KeepsOnReceive = true }},
		{"lamport-forgets-received", "lamport-order",
			"a receipt counts on from the node's own stamp: that of the message is forgotten",
			func(r *stampRules) { r.ForgetsReceived = true }},
		{"lamport-volatile", "lamport-order", "Lamport's clock is in memory only, and begins at " +
			"0 after a restart",
			func(r *stampRules) { r.LamportVolatile = true }},
		{"lamport-by-arrival", "lamport-total",
			"each node has words in the order in which it got them",
			func(r *stampRules) { r.ByArrival = true }},
		{"sends-old-stamp", "lamport-order", "a message carries the stamp of the event before " +
			"its sending",
			func(r *stampRules) { r.SendsOld = true }},
	}
}

func spoiltVector() []spoiltStamp {
	return []spoiltStamp{
		{"vector-adds", "vector-exact", "a receipt adds the entries of two vectors, in place of " +
			"taking the greater",
			func(r *stampRules) { r.Adds = true }},
		{"vector-still", "vector-exact", "a receipt is not counted in the node's own entry",
			func(r *stampRules) { r.StillOnReceive = true }},
		{"vector-own-only", "vector-exact", "a vector has its node's own entry only: what others " +
			"know is not taken up",
			func(r *stampRules) { r.OwnOnly = true }},
		{"vector-volatile", "vector-grows", "the vector is in memory only, and begins empty " +
			"after a restart, so that its node's events are numbered again",
			func(r *stampRules) { r.VectorVolatile = true }},
	}
}

func spoiltHybrid() []spoiltStamp {
	return []spoiltStamp{
		{"hybrid-keeps-logical", "hybrid-logical",
			"the logical part is not reset where the physical one advances, and grows for ever",
			func(r *stampRules) { r.KeepsLogical = true }},
		{"hybrid-resets-logical", "hybrid-ahead",
			"the logical part is always reset, also where the physical one stays",
			func(r *stampRules) { r.ResetsLogical = true }},
		{"hybrid-ignores-message", "hybrid-order",
			"a receipt heeds the node's own stamp and clock, and not the stamp of the message",
			func(r *stampRules) { r.IgnoresMessage = true }},
		{"hybrid-own-logical", "hybrid-order", "of a message only the physical part is taken up",
			func(r *stampRules) { r.OwnLogical = true }},
		{"hybrid-by-physical", "hybrid-ahead", "the physical part is what the clock shows, not " +
			"the greatest known: it goes back when the clock does",
			func(r *stampRules) { r.ByPhysical = true }},
	}
}

func spoiltLimit() []spoiltStamp {
	return []spoiltStamp{
		{"hybrid-limit-from-own", "hybrid-limit",
			"the limit counts from the node's hybrid clock, which others have moved already, " +
				"and not from its physical one",
			func(r *stampRules) { r.FromOwn = true }},
		{"hybrid-takes-refused", "hybrid-limit",
			"a message from too far ahead is refused, and its stamp taken up",
			func(r *stampRules) { r.TakesRefused = true }},
	}
}

func spoiltRestart() []spoiltStamp {
	return []spoiltStamp{
		{"hybrid-batched", "hybrid-restart",
			"of eight events one has its hybrid stamp on the disk, without a bound for those " +
				"after it, and a restart goes on from there",
			func(r *stampRules) { r.Batched = true }},
		{"hybrid-drops-logical", "hybrid-restart",
			"a restart goes on from the physical part on the disk: that there was a logical one " +
				"is forgotten",
			func(r *stampRules) { r.DropsLogical = true }},
		{"hybrid-bound-not-waited", "hybrid-drift",
			"a restart begins at a bound ten milliseconds above the last stamp, and does not " +
				"wait until its clock is past it: each restart carries all hybrid clocks further " +
				"ahead",
			func(r *stampRules) { r.StartsAhead = true }},
	}
}
