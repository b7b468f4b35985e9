package raft

// rules are what variants differ in. Each part stands in a file of its own: rules_reference.go,
// rules_library.go, rules_node.go. The zero value is right.
type rules struct {
	Library   bool // the engine is the library
	Reference referenceRules
	Harness   libraryRules
	Node      nodeRules
}

// row is a variant as tables have it: see variants.go.
type row struct {
	name, doc  string
	of, breaks string // of a wrong one: what it spoils, and the property that must catch it
	story      string // that breaks it, if drawn workloads hardly ever do
	rules      rules
}
