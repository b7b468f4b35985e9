package clocks

// rules are what variants differ in: each is one decision. The zero value of a field is what is
// right, unless said, so that a wrong variant changes one field.
type rules struct {
	stamp   stampRules
	store   storeRules
	crdt    crdtRules
	stream  streamRules
	lease   leaseRules
	latency latencyRules
}
