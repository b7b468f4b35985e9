package cut

import (
	"fmt"
	"strconv"

	"github.com/downset/downset/sim"
)

// signed is a message with the version of the cut in which its sender stood as it sent it
// (Algorithm, step 2). It is named by what it carries.
type signed struct {
	Version int
	sim.Message
}

// notify tells that Tx is committed, and in which version its origin committed it.
type notify struct {
	Tx      string
	Version int
}

// start tells that the sender has begun cut Cut.
type start struct{ Cut int }

// marker separates the messages of a channel that belong before cut Cut from those after it.
type marker struct{ Cut int }

// ask wants to know how many messages the channel from its receiver carries across cut Cut. The
// sender has Have of them.
type ask struct{ Cut, Have int }

// sent answers that the sender committed Count transactions before its point of Cut of which it
// notified the receiver.
type sent struct{ Cut, Count int }

// hello is what a node says that joined; welcome tells it the version.
type (
	hello   struct{}
	welcome struct{ Version int }
)

func (s signed) Keys() []string { return sim.KeysOf(s.Message) }

func (notify) Kind() string  { return "notify" }
func (start) Kind() string   { return "start" }
func (marker) Kind() string  { return "marker" }
func (ask) Kind() string     { return "ask" }
func (sent) Kind() string    { return "sent" }
func (hello) Kind() string   { return "hello" }
func (welcome) Kind() string { return "welcome" }

func (n notify) Keys() []string { return []string{n.Tx} }
func (s start) Keys() []string  { return []string{strconv.Itoa(s.Cut)} }
func (m marker) Keys() []string { return []string{strconv.Itoa(m.Cut)} }
func (a ask) Keys() []string    { return []string{strconv.Itoa(a.Cut)} }
func (s sent) Keys() []string   { return []string{strconv.Itoa(s.Cut)} }

func (s signed) String() string { return fmt.Sprintf("%s [%d]", sim.Text(s.Message), s.Version) }
func (s sent) String() string   { return fmt.Sprintf("sent %d: %d", s.Cut, s.Count) }

// gather is the timer of a node whose cuts are not complete; greet that of one that has joined and
// does not act yet.
type (
	gather struct{}
	greet  struct{}
)

func (gather) Kind() string { return "gather" }
func (greet) Kind() string  { return "greet" }

// commit and draw are what clients ask for.
type (
	// commit wants Tx committed on the node asked and on the nodes called To; on all if To is nil.
	commit struct {
		Tx string
		To []string
	}
	// draw wants cut Cut. A request names its cut, so that a node which has been reached by the cut
	// on another way does nothing more.
	draw struct{ Cut int }
)

func (commit) Kind() string { return "commit" }
func (draw) Kind() string   { return "cut" }

func (c commit) Keys() []string { return []string{c.Tx} }
func (d draw) Keys() []string   { return []string{strconv.Itoa(d.Cut)} }

// done and unable are the answers.
type (
	done   struct{}
	unable struct{ Why string }
)

func (done) Kind() string       { return "done" }
func (unable) Kind() string     { return "unable" }
func (u unable) String() string { return u.Why }
