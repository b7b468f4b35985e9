package cut

import (
	"fmt"
	"strconv"

	"github.com/downset/downset/sim"
)

// Facts are what a node says about itself for checkers to read. Each is also the record that it
// keeps on its disk: it is written, synced, and only then said, so what was said survives a crash.
// A crash between writing and saying can leave a record that was never said, so after a restart
// Start says the last record again: what is said twice counts once.

// committed: Tx is committed on the node that says so. On its origin, the node whose client asked
// for it, To lists whom it notifies; elsewhere To is nil. Version is the version of the cut that
// the origin stood in as it committed: Tx is before every cut above Version, and after the others.
type committed struct {
	Tx      string
	Version int
	Origin  sim.NodeID
	To      []sim.NodeID
}

// point: the node draws its point of cut Cut here. What it said earlier is before the cut, what it
// says later is after. A node that learns of several cuts at once says one point for each, in
// order. By is the kind of message that made it draw, "request" for its client. Of are the members
// that the cut is drawn over as far as this node knows, itself included.
type point struct {
	Cut int
	By  string
	Of  []sim.NodeID
}

// channel: transaction Tx from node From belongs to the state of the channel From -> this node in
// cut Cut: From committed it before its point, this node commits it after its own. The committed
// fact of Tx follows in the same handler. It is no record of its own: it follows from those of the
// point and of the commit.
type channel struct {
	Cut  int
	From sim.NodeID
	Tx   string
}

// complete: this node has its whole share of cut Cut, its own state and the state of every channel
// to it; no channel fact of Cut follows. A cut is complete once every member has said so.
type complete struct{ Cut int }

// abandoned: this node gives up cut Cut, which will never be complete.
type abandoned struct{ Cut int }

// adopted: a node that has joined takes over this version. It is a member of later cuts only: of
// those up to Version it draws no point. Ready says that it acts from here on; before, it may learn
// of a newer version and say so.
type adopted struct {
	Version int
	Ready   bool
}

func (committed) Kind() string { return "committed" }
func (point) Kind() string     { return "point" }
func (channel) Kind() string   { return "channel" }
func (complete) Kind() string  { return "complete" }
func (abandoned) Kind() string { return "abandoned" }
func (adopted) Kind() string   { return "adopted" }

func (c committed) Keys() []string { return []string{c.Tx} }
func (p point) Keys() []string     { return []string{strconv.Itoa(p.Cut)} }
func (c channel) Keys() []string   { return []string{strconv.Itoa(c.Cut), c.Tx} }
func (c complete) Keys() []string  { return []string{strconv.Itoa(c.Cut)} }
func (a abandoned) Keys() []string { return []string{strconv.Itoa(a.Cut)} }
func (a adopted) Keys() []string   { return []string{strconv.Itoa(a.Version)} }

func (c committed) String() string { return fmt.Sprintf("commits %s in %d", c.Tx, c.Version) }
func (p point) String() string     { return fmt.Sprintf("cut %d, by %s", p.Cut, p.By) }
func (c channel) String() string   { return fmt.Sprintf("cut %d takes up late %s", c.Cut, c.Tx) }
func (c complete) String() string  { return fmt.Sprintf("cut %d complete", c.Cut) }
func (a abandoned) String() string { return fmt.Sprintf("cut %d abandoned", a.Cut) }
func (a adopted) String() string   { return fmt.Sprintf("adopts version %d", a.Version) }
