package synchro

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// drawCluster draws election modes, fencing, a quorum above the majority now and then, keys in
// asynchronous spaces, and a voter's link that is left out: without one between two candidates
// there
// was no end of elections before pre-votes (#6654), nor with a large quorum and nodes that do not
// vote (7.3). No quorum is drawn below the majority: that is
// an operator's fault, of stories.
func drawCluster(d *sim.Draws) []any {
	c := &cluster{Draws: d}
	c.modes()
	n := int64(len(d.Nodes))
	if f := c.Int(6, "fencing"); f < 3 {
		c.line("fencing", fencingNames[min(1+f, 2)])
	}
	if n > 2 && c.electing && c.Int(10, "all must have it") == 0 {
		c.line("quorum", number1(n))
	}
	if c.Int(2, "asynchronous keys") == 0 {
		c.line("async", asyncKey)
	}
	if c.voters > 0 && n > 2 && len(d.Later) == 0 && c.Int(4, "apart") == 0 {
		at := c.Int(n-1, "apart from the last, a voter")
		c.line("apart", d.Nodes[at], d.Nodes[n-1])
	}
	return c.setup
}

// cluster is a set-up under way.
type cluster struct {
	*sim.Draws
	setup    []any
	voters   int64 // of the last nodes
	electing bool
}

// line adds a line.
func (c *cluster) line(words ...string) {
	value, err := parseSetup(words, slices.Concat(c.Nodes, c.Later))
	if err != nil {
		panic("synchro: " + strings.Join(words, " ") + ": " + err.Error())
	}
	c.setup = append(c.setup, value)
}

// modes are candidates all, or some of them voters; or all manual; or all off.
func (c *cluster) modes() {
	switch c.Int(8, "modes") {
	case 0:
		return
	case 1, 2:
		c.line(slices.Concat([]string{"mode", "manual"}, c.Nodes, c.Later)...)
		return
	}
	c.electing = true
	voters := c.Int(max(1, int64(len(c.Nodes))-1), "voters")
	if c.Int(2, "no voters") == 0 {
		voters = 0
	}
	at := len(c.Nodes) - int(voters)
	c.line(append([]string{"mode", "candidate"}, c.Nodes[:at]...)...)
	c.voters = voters
	if voters > 0 {
		c.line(append([]string{"mode", "voter"}, c.Nodes[at:]...)...)
	}
	if len(c.Later) > 0 {
		c.line(append([]string{"mode", "voter"}, c.Later...)...)
	}
}
