package sim

// Moment is an event at which a fault hurts most: "when P notes elected".
type Moment struct {
	What EventKind
	Kind string
}

// Nemesis is an adversary with a plan of its own: faults that belong together, set off by what
// machines do, which random faults hardly ever come to. Draw draws it from named decisions; the
// setting up of Draws.Setup is done.
type Nemesis struct {
	Name, Doc string
	Draw      func(*Draws) Strike
}

// Strike is what a nemesis does in one plan. What it asks for may find nothing to act upon: it is
// never stale.
type Strike struct {
	Setup []any    // further values of Protocol.ParseSetup, for clusters that are drawn whole
	Armed []Action // each with a When, armed from the start
	Load  []Action // each with an Offset
}
