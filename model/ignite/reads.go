package ignite

// What properties of single nodes read: the kinds of facts and records whose order there matters.
// The more of them there are, the more states an exploration has.

// ofLogs: what logs hold in the end, and how cuts ended.
func ofLogs() []string { return []string{} }

// ofObjects: the way of each object and transaction.
func ofObjects() []string {
	list := []string{"began", "mapped", "made", "pinned", "tagged", "outcome"}
	return append(list, stateWords[:]...)
}

// ofSides: who decides each transaction, and when, and where the node enters a cut.
func ofSides() []string {
	return []string{"mapped", "pinned", "prepared", "tagged", "unknown", "entered"}
}

// ofDecisions: and where the node enters a cut.
func ofDecisions() []string { return append(ofObjects(), "entered") }

// ofTags: and until when it signs with one.
func ofTags() []string { return append(ofDecisions(), "unsigned", "forgot") }

// ofEnds: and where its part of a cut comes to an end.
func ofEnds() []string { return append(ofDecisions(), "finish", "failed", "refused") }

// ofVotes: and what it has answered recovery.
func ofVotes() []string { return append(ofObjects(), "voted") }

// ofWrites: and its data records.
func ofWrites() []string { return append(ofObjects(), "data") }
