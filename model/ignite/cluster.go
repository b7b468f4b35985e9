package ignite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// drawCluster draws who is a client, who is a server without a place in the baseline, and where
// keys live. Nodes that join are mostly clients: while a baseline node is still to come, no cut can
// be made.
func drawCluster(d *sim.Draws) []any {
	c := &cluster{Draws: d}
	c.roles()
	for i := range 2 + d.Int(3, "places") {
		c.place(int(i))
	}
	return c.setup
}

// cluster is a set-up under way.
type cluster struct {
	*sim.Draws
	baseline []string
	setup    []any
}

// line adds a line.
func (c *cluster) line(words ...string) {
	value, err := parseSetup(words, slices.Concat(c.Nodes, c.Later))
	if err != nil {
		panic("ignite: " + strings.Join(words, " ") + ": " + err.Error())
	}
	c.setup = append(c.setup, value)
}

// roles makes the last nodes clients, and one of the first an outsider: at least one server
// is in the baseline.
func (c *cluster) roles() {
	servers := c.Nodes
	if n := len(servers); n > 2 || n == 2 && c.Int(4, "a lone server") == 0 {
		some := int(min(c.Int(4, "clients"), 1+int64(n/5)))
		if some > 0 {
			c.line(slices.Concat([]string{"client"}, servers[n-some:])...)
		}
		servers = servers[:n-some]
	}
	if len(servers) > 2 && c.Int(5, "outsider?") == 0 {
		at := c.Int(int64(len(servers)), "outsider")
		c.line("outsider", servers[at])
		servers = slices.Delete(slices.Clone(servers), int(at), int(at)+1)
	}
	c.baseline = servers
	for _, n := range c.Later {
		switch c.Int(8, "role of ", n) {
		case 0:
		case 1:
			c.line("outsider", n)
		default:
			c.line("client", n)
		}
	}
}

// keyNames are the keys of drawn clusters.
const keyNames = "xyzuvwab"

// place draws a partition of one key or two. Of every third the keys are accounts.
func (c *cluster) place(i int) {
	words := []string{"key", keyNames[2*i : 2*i+1]}
	if c.Int(3, "two keys in ", i) == 0 {
		words = append(words, keyNames[2*i+1:2*i+2])
	}
	words = append(words, "on")
	left := slices.Clone(c.baseline)
	for k := range 1 + min(c.Int(3, "backups of ", i), int64(len(left))-1) {
		at := c.Int(int64(len(left)), "owner ", k, " of ", i)
		words = append(words, left[at])
		left = slices.Delete(left, int(at), int(at)+1)
	}
	if c.Int(4, "group of ", i) == 0 {
		words = append(words, "in", "g"+strconv.Itoa(1+i%2))
	}
	if c.Int(3, "accounts in ", i) == 0 {
		words = append(words, "holds", startBalance)
	}
	if c.Int(8, "cached ", i) == 0 {
		words = append(words, "cached")
	}
	c.line(words...)
}

// startBalance is what accounts hold at first.
const startBalance = "100"
