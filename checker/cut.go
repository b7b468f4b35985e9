package checker

import "github.com/downset/downset/sim"

// CutModel says how to read a protocol that draws consistent cuts. Only Point must be there; a rule
// whose functions are missing has no premise and says nothing.
//
// A node draws its point of a cut by a fact. What it did before that fact is before the cut, what
// it does after is after it. A machine that restarts may say its points, versions, commits,
// records and completions again, in Start, since it cannot know whether it had said them.
//
// A cut is finished when each of its members has drawn its point and none has given it up. An
// unfinished cut is no cut, and nothing is claimed about it. Every node is a member but one that
// made its first step after the last point, was down for good before the first one, or joined and
// adopted the version of the cut without a point.
//
// "Received" is two moments: a message is delivered, and later in the same handler it takes effect.
// A handler that draws a point draws it between the two, so a message counts as received where its
// handler first does anything but draw. And a message is not received at all if a crash undoes it
// before anything but drawing came of it that lasts: something sent or said, or a record that
// survives.
type CutModel struct {
	// Point reads the fact by which a node draws its point of a cut.
	Point func(sim.Body) (cut string, ok bool)
	// Draws says that a handler does this only to draw its point, and does not yet apply what it
	// was handed: a record of the point, a marker sent before the fact. What Point and Version read
	// need not be told.
	Draws func(sim.Body) bool
	// Beside says that a message is outside the order that cuts keep, by design: discovery.
	Beside func(sim.Body) bool
	// Abandon reads the fact by which a node gives up a cut.
	Abandon func(sim.Body) (cut string, ok bool)

	// Version reads the version that a node has from this fact on, the points of versioned cuts
	// included. Cuts whose points have versions are nested in their order; others are not compared.
	Version func(sim.Body) (version int64, ok bool)
	// Stamp reads the version that a message carries.
	Stamp func(sim.Body) (version int64, ok bool)
	// Adopt reads the fact by which a node that joined begins with a version: it is no member of
	// the cuts up to it, and what it does from here on is after them.
	Adopt func(sim.Body) (version int64, ok bool)

	// Commit reads the fact by which a node commits a transaction. The first commit of a
	// transaction anywhere is the one that decides on which side it truly is.
	Commit func(sim.Body) (tx string, ok bool)
	// Side reads a fact by which a node says on which side of a cut a transaction is. Without one
	// it means before if it committed before its point or recorded the transaction in the channels,
	// and after if it did neither and calls its part of the cut complete.
	Side func(sim.Body) (s Side, ok bool)

	// InChannel reads a message that channel states are made of: what it tells, by a name that is
	// the same however often it is sent. If that is a transaction, it counts as sent when the
	// transaction was first committed, and as taken up when its receiver commits it.
	InChannel func(sim.Body) (what string, ok bool)
	// Channel reads the fact by which a node says that such a message to it belongs to the channel
	// state of a cut.
	Channel func(sim.Body) (r Recorded, ok bool)
	// Complete reads the fact by which a node says that its part of a cut is whole: its point
	// drawn, and nothing more in the channels to it. Where it is missing, parts are always
	// complete.
	Complete func(sim.Body) (cut string, ok bool)
	// Due reads a message whose receiver must commit the transaction.
	Due func(sim.Body) (tx string, ok bool)
}

// Side is on which side of a cut a transaction is.
type Side struct {
	Cut, Tx string
	Before  bool
}

// Recorded is something put into the channel state of a cut.
type Recorded struct{ Cut, What string }

// Properties are what a consistent cut must be. Layer 0 is the form of points and versions, layer 1
// the frontier that the points draw, layer 2 what the nodes make of it.
func (m CutModel) Properties() []sim.Property { return (&m).properties() }

func (m *CutModel) properties() []sim.Property {
	return []sim.Property{
		{
			Name:  "one-point",
			Doc:   "a node draws one point of a cut, and completes its part once and after it",
			Scope: sim.ScopeState,
			Check: m.rule((*reading).onePoint),
		},
		{
			Name:  "versions",
			Doc:   "no version decreases, no message exceeds its sender's, one version is one cut",
			Check: m.rule((*reading).versions),
		},
		{
			Name:  "consistent-cut",
			Doc:   "the cut is a down-set: no message sent after it takes effect before it",
			Layer: 1,
			Class: sim.Silent,
			Check: m.rule((*reading).consistent),
		},
		{
			Name:  "agreement",
			Doc:   "all have a transaction on the side of the cut where it was first committed",
			Layer: 2,
			Class: sim.Silent,
			Check: m.rule((*reading).agreement),
		},
		{
			Name:  "channel-state",
			Doc:   "the channels recorded hold what was sent before the cut and taken up after",
			Layer: 2,
			Class: sim.Silent,
			Check: m.rule((*reading).channelState),
		},
		{
			Name:  "completeness",
			Doc:   "a part called complete lacks nothing, nor does a transaction before the cut",
			Layer: 2,
			Class: sim.Silent,
			Check: m.rule((*reading).completeness),
		},
		{
			Name:  "nesting",
			Doc:   "what is before a cut is before every cut of a higher version",
			Layer: 2,
			Class: sim.Silent,
			Check: m.rule((*reading).nesting),
		},
	}
}

// rule is the check of a property of cuts: it reads a run, unless another rule has read it in this
// judging, and shows how the entries that cannot both be hang together.
func (m *CutModel) rule(check func(*reading) (int, *sim.Violation)) verdict {
	return func(run *sim.Run) (premises int, v *sim.Violation) {
		premises, v = check(m.shared(run))
		if v != nil {
			v.Chain = Chain(run, v.Witness[0], v.Witness[len(v.Witness)-1])
		}
		return premises, v
	}
}

// verdict is what a sim.Property has for its Check.
type verdict = func(*sim.Run) (premises int, v *sim.Violation)
