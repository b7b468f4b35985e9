package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Run is a finished run, or at a check in the middle of one the run so far. It is never changed
// after; a Run of World.Execute is valid until that world executes again.
type Run struct {
	Plan     *Plan
	Nodes    []string // by NodeID
	Trace    Trace
	Disks    []Disk   // by NodeID
	Hash     uint64   // over (time, sequence, node, peer, kind, cause) of all entries
	Digest   uint64   // over bodies as well; 0 unless Options.Digest
	Digests  []uint64 // the digest after each entry, with Options.Digest
	Entries  int      // how many there were, also when no trace was kept
	Events   int      // how many events the world handled
	End      Ending
	Why      string      // in words, if the run did not end Settled
	Epilogue int         // position of the epilogue's entry; len(Trace) if it was not reached
	Panic    *Panic      // if a machine panicked
	Stale    []Stale     // what the plan said and nothing came of
	Checks   []Check     // what the script checked
	Drifts   []int       // the entries of kind EntryClock that set a drift; the others are jumps
	Clients  []ClientID  // who made the calls, by CallID from 1: Clients[id-1]
	Steps    []int       // how many entries there were before each event, with Options.Steps
	Chosen   []Exception // decisions of this run that were not boring; nil unless Options.Record
	Memo     map[any]any // what the checks of one judging share of what they read; nil: nothing
	// memory that checks have left for those of the world's next run, if there is any; nil: none
	Spare map[any]any
	// effects in order that a node may crash before or after; nil unless Options.Boundaries
	Boundaries []Boundary
}

// Ending is how a run ended.
type Ending uint8

// The endings.
const (
	Settled   Ending = iota // nothing more would happen
	Unsettled               // it did not settle within its budget
	Panicked                // a machine panicked
	Halted                  // Options.Until stopped it
)

// Panic is a panic in a machine: whose, at which entry, and where, with addresses taken out.
type Panic struct {
	Node  NodeID
	Entry int
	Value string
	Stack []string // functions of the protocol, innermost first
}

// Stale is something the plan says and nothing came of: a line of the script that found nothing, an
// exception that named nothing.
type Stale struct {
	Line int    // of the scenario file; 0 if it has none
	Text string // what was said
	Why  string
}

// Check is a claim that the script tested.
type Check struct {
	Line  int
	Claim Claim
	Entry int    // length of the trace when it was tested
	Fails string // "" if it held, else what was seen instead
}

// Name is the name of a node, or of an end that is no node.
func (r *Run) Name(id NodeID) string { return endName(r.Nodes, id) }

// ClockChange says in the words of a story what an entry of kind EntryClock did: "+50ms", or "drift
// 200" in parts per million. Which of them only the plan says; without it that is "changed by N".
func (r *Run) ClockChange(e Entry) string {
	var jump, drift bool
	if r.Plan != nil {
		for _, actions := range [][]Action{r.Plan.Script, r.Plan.Load} {
			for i := range actions {
				a := &actions[i]
				same := a.Node == r.Name(e.Node) && a.Amount == e.N
				jump, drift = jump || same && a.Verb == Jump, drift || same && a.Verb == Drift
			}
		}
	}
	switch {
	case jump && !drift && e.N >= 0:
		return "+" + time.Duration(e.N).String()
	case jump && !drift:
		return time.Duration(e.N).String()
	case drift && !jump:
		return fmt.Sprintf("drift %d", e.N)
	}
	return fmt.Sprintf("changed by %d", e.N)
}

// Clocks are, by entry, what the clock of its node showed then: what Env.Now gave to a machine that
// took it up. An entry that changes a clock has what that shows afterwards, an entry of no node the
// world's time.
func (r *Run) Clocks() []Time {
	shown, clocks := make([]Time, len(r.Trace)), make([]clock, len(r.Nodes))
	for i := range r.Trace {
		e := &r.Trace[i]
		if int(e.Node) >= len(clocks) {
			shown[i] = e.At
			continue
		}
		c := &clocks[e.Node]
		if e.Kind == EntryClock {
			r.change(c, i)
		}
		shown[i] = c.at(e.At)
	}
	return shown
}

// change does to a clock what an entry of kind EntryClock says. A drift that no clock has, which a
// run of an engine does not say, changes nothing.
func (r *Run) change(c *clock, entry int) {
	e := &r.Trace[entry]
	if _, drift := slices.BinarySearch(r.Drifts, entry); drift {
		_ = c.skew(e.At, e.N)
		return
	}
	c.jump(e.At, time.Duration(e.N))
}

// Settled says that the run came to rest.
func (r *Run) Settled() bool { return r.End == Settled }

// Observe is what the protocol shows of the run, nothing if it shows nothing.
func (r *Run) Observe() []Observation {
	if r.Plan.Protocol.Observe == nil {
		return nil
	}
	return r.Plan.Protocol.Observe(r)
}

// Test says what is wrong with a claim, "" if nothing, given what was observed. nodes are all node
// names.
func (c Claim) Test(seen []Observation) string {
	name := c.name(seen)
	if name == "" {
		return fmt.Sprintf("nothing is called %q; there is %s", strings.Join(c.Words, " "),
			known(seen))
	}
	want := strings.TrimPrefix(strings.TrimPrefix(strings.Join(c.Words, " "), name), " ")
	for _, who := range c.Who {
		found := false
		for _, o := range seen {
			if o.Name != name || (who != "*" && o.Node != who) {
				continue
			}
			found = true
			if o.Value != want {
				return strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Node, name, o.Value))
			}
		}
		if !found {
			return fmt.Sprintf("%s has no %s", who, name)
		}
	}
	return ""
}

// name is the longest observed name that the claim's words begin with.
func (c Claim) name(seen []Observation) string {
	best, text := "", strings.Join(c.Words, " ")
	for _, o := range seen {
		if len(o.Name) > len(best) && (text == o.Name || strings.HasPrefix(text, o.Name+" ")) {
			best = o.Name
		}
	}
	return best
}

// String is the claim as it is written.
func (c Claim) String() string {
	return strings.Join(c.Who, " ") + " " + strings.Join(c.Words, " ")
}

func known(seen []Observation) string {
	var names []string
	for _, o := range seen {
		if !contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	if len(names) == 0 {
		return "nothing to see"
	}
	return strings.Join(names, ", ")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
