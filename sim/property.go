package sim

import "fmt"

// Scope is what of a run a property reads. Explore must keep that much apart, and a verdict over an
// unsettled run is worth only so much.
type Scope uint8

// The scopes. ScopeTrace is the zero value, since it is the one that promises least about the
// property.
const (
	// any entries and their causes, but not which of two independent entries came first
	ScopeTrace   Scope = iota
	ScopeEnd           // the end of a settled run: judged undecided if it did not settle
	ScopeState         // only facts of single nodes and their order there
	ScopeHistory       // only invocations, answers and their order, of all clients together
	ScopeOrder         // as ScopeTrace, and the order of facts of different nodes
)

// Class is what a violation costs whoever relied on the protocol.
type Class uint8

// The classes, from harmless to worst.
const (
	Unclassified Class = iota
	Stopped            // stopped, with correct data
	DetectedLoss       // data lost, and said so
	Silent             // silent divergence
)

func (c Class) String() string {
	switch c {
	case Unclassified:
		return ""
	case Stopped:
		return "stopped"
	case DetectedLoss:
		return "detected loss"
	case Silent:
		return "silent divergence"
	}
	panic(fmt.Sprintf("sim: class %d", uint8(c)))
}

// Property is a named claim about a finished run. Check counts how often its precondition held
// and says why the claim fails, or returns nil. Layer orders properties from those that localise
// a fault (0) to those that see only its consequences: a verdict names the lowest layer that
// broke.
type Property struct {
	Name  string
	Doc   string
	Layer uint8
	Class Class
	Scope Scope
	// Reads are the kinds of facts and records whose place among others of their node matters, of a
	// property of ScopeState or ScopeEnd: an exploration keeps these apart only. What a run comes to,
	// disks, answers and the log lane, may be read besides. nil is all facts and no records.
	Reads []string
	Check func(*Run) (premises int, v *Violation)
}

// Violation says why a claim fails, with the entries of the trace that show it.
type Violation struct {
	Reason  string // one sentence
	Witness []int  // the entries that cannot all be, in trace order
	Clash   []int  // those two of them that cannot both be, if no others are needed to see it
	Chain   []int  // the shortest causal path between them, if there is one
	Count   int    // how many like it the run has, this one included; 0 is not counted
}

// Undecided is what a check panics with when it gives up within its step budget; a judge makes the
// verdict undecided of it.
type Undecided struct{ Reason string }

// Replies is the property that every answered operation got an answer that fits it.
func Replies(name string, fits func(op Op, got Body) bool) Property {
	return Property{
		Name: name,
		Doc:  "every answer fits its request",
		Check: func(run *Run) (premises int, v *Violation) {
			invoked := map[int64]int{}
			for i, e := range run.Trace {
				switch e.Kind {
				case EntryInvoked:
					invoked[e.N] = i
				case EntryReturned:
					premises++
					call, ok := invoked[e.N]
					if ok && fits(run.Trace[call].Body, e.Body) {
						continue
					}
					return premises, &Violation{
						Reason: fmt.Sprintf("%s asked %s and got %s",
							run.Name(e.Node), Text(run.Trace[call].Body), Text(e.Body)),
						Witness: []int{call, i},
					}
				}
			}
			return premises, nil
		},
	}
}
