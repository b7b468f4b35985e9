package clocks

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// Facts that replicas of the store and sessions say, for the ledger to read. A version is named by
// the call that made it.

type (
	// intends: a session sends a put of Key, with a context of the versions Seen.
	intends struct {
		Call sim.CallID
		Key  string
		Seen []sim.CallID
	}
	// accepted: a replica has made version ID, durably. Seen are what its writer had seen.
	accepted struct {
		Key   string
		ID    sim.CallID
		Seen  []sim.CallID
		Value string
	}
	// compared: by its conflict rule a replica takes A to stand so to B. Only rules that claim to
	// know descent say it.
	compared struct {
		Key  string
		A, B sim.CallID
		Says Relation
	}
	// holds: what a replica has of Key, durably, from now on. IDs are in order. The largest vector
	// of it has so many Pairs.
	holds struct {
		Key   string
		IDs   []sim.CallID
		Text  string
		Pairs int
	}
)

func (intends) Kind() string  { return "intends" }
func (accepted) Kind() string { return "accepted" }
func (compared) Kind() string { return "compared" }
func (holds) Kind() string    { return "holds" }

func (i intends) Keys() []string  { return []string{i.Key} }
func (a accepted) Keys() []string { return []string{a.Key, a.Value} }
func (c compared) Keys() []string { return []string{c.Key} }
func (h holds) Keys() []string    { return []string{h.Key} }

func (i intends) String() string { return fmt.Sprintf("intends %s having seen %v", i.Key, i.Seen) }
func (a accepted) String() string {
	return fmt.Sprintf("accepted %s=%s v%d", a.Key, a.Value, a.ID)
}
func (c compared) String() string {
	return fmt.Sprintf("compared %s v%d is %v v%d", c.Key, c.A, c.Says, c.B)
}
func (h holds) String() string { return strings.TrimSpace("holds " + h.Key + " " + h.Text) }
