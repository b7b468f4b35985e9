package spacetime_test

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// chance makes runs that could be runs of the engine. pick chooses a number below n.
type chance struct {
	*builder
	pick  func(n int) int
	down  []bool
	out   []bool // no member
	sends []int32
	tx    int
	cuts  int
}

// mix is a pick that depends on a seed only.
func mix(seed uint64) func(n int) int {
	return func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
}

func random(pick func(n int) int, size, steps int) *sim.Run {
	names := []string{"P", "Q", "R", "S", "T", "U", "V"}[:size]
	c := &chance{builder: nodes(names...).later("Z"), pick: pick}
	c.down, c.out = make([]bool, size+1), make([]bool, size+1)
	c.out[size] = true
	for range steps {
		c.now += sim.Time(c.pick(3) * 500_000)
		c.step(sim.NodeID(c.pick(size + 1)))
	}
	return c.run
}

// step is one event, at a node if it is a node's.
func (c *chance) step(id sim.NodeID) {
	what := c.pick(40)
	switch {
	case what < 18 && len(c.sends) > 0:
		c.arrive()
	case c.out[id]:
		c.join(id, what)
	case c.down[id]:
		c.head[id] = c.add(sim.EntryStarted, id, sim.Nobody, -1, 2, nil)
		c.down[id] = false
	case what < 24:
		c.request(id)
	case what < 26:
		c.cuts++
		c.point(id, c.cuts)
		c.broadcast(id, fmt.Sprintf("start %d", c.cuts))
	case what < 30:
		c.head[id] = c.add(sim.EntryFired, id, sim.Nobody, -1, 0, say("tick"))
		c.broadcast(id, "beat")
	default:
		c.rare(id, what)
	}
}

func (c *chance) join(id sim.NodeID, what int) {
	if what < 36 {
		return
	}
	c.add(sim.EntryJoined, id, sim.Nobody, -1, 0, nil)
	c.head[id] = c.add(sim.EntryStarted, id, sim.Nobody, -1, 1, nil)
	c.out[id] = false
}

func (c *chance) request(id sim.NodeID) {
	c.tx++
	tx := fmt.Sprintf("tx%d", c.tx)
	c.ask(c.run.Nodes[id], "commit "+tx)
	c.add(sim.EntryAppended, id, sim.Nobody, c.head[id], 1, say("commit "+tx))
	c.add(sim.EntrySynced, id, sim.Nobody, c.head[id], 1, nil)
	c.note(c.run.Nodes[id], "committed "+tx)
	c.broadcast(id, "notify "+tx)
	c.answer(c.run.Nodes[id], "ok")
}

func (c *chance) point(id sim.NodeID, cut int) {
	c.ask(c.run.Nodes[id], fmt.Sprintf("cut %d", cut))
	c.note(c.run.Nodes[id], fmt.Sprintf("point %d", cut))
}

func (c *chance) broadcast(id sim.NodeID, text string) {
	to := c.pick(len(c.run.Nodes))
	for other := range c.run.Nodes {
		if other == int(id) || to != other && c.pick(3) > 0 {
			continue
		}
		at := c.add(sim.EntrySent, id, sim.NodeID(other), c.head[id], 0, say(text))
		if c.pick(12) == 0 {
			c.add(sim.EntryLost, sim.NodeID(other), id, at, int64(1+c.pick(8)), say(text))
			continue
		}
		c.sends = append(c.sends, at)
		if c.pick(15) == 0 {
			c.sends = append(c.sends, c.add(sim.EntryCopied, id, sim.NodeID(other), at, 0, say(text)))
		}
	}
}

// arrive is the end of a message under way.
func (c *chance) arrive() {
	i := c.pick(min(len(c.sends), 4))
	at := c.sends[i]
	c.sends = append(c.sends[:i:i], c.sends[i+1:]...)
	e := c.run.Trace[at]
	if c.down[e.Peer] || c.out[e.Peer] || c.pick(20) == 0 {
		c.add(sim.EntryLost, e.Peer, e.Node, at, int64(sim.LostDown), e.Body)
		return
	}
	c.head[e.Peer] = c.add(sim.EntryDelivered, e.Peer, e.Node, at, 0, e.Body)
	keys := sim.KeysOf(e.Body)
	switch e.Body.Kind() {
	case "notify":
		c.note(c.run.Nodes[e.Peer], "committed "+keys[0])
	case "start":
		c.note(c.run.Nodes[e.Peer], "point "+keys[0])
		if c.pick(2) == 0 {
			c.note(c.run.Nodes[e.Peer], "saved "+keys[0])
		}
	}
}

func (c *chance) rare(id sim.NodeID, what int) {
	name := c.run.Nodes[id]
	other := sim.NodeID(c.pick(len(c.run.Nodes)))
	switch what {
	case 30:
		c.add(sim.EntryCrashed, id, sim.Nobody, -1, int64(c.pick(3)), nil)
		c.add(sim.EntryUnknown, id, sim.ClientEnd, -1, 1, nil)
		c.down[id] = true
	case 31:
		c.befall(sim.EntryPaused, name, 0)
	case 32:
		c.befall(sim.EntryResumed, name, 0)
	case 33:
		c.part(name, c.run.Nodes[other]).part(c.run.Nodes[other], name)
	case 34:
		c.add(sim.EntryHealed, sim.Nobody, sim.Nobody, -1, 0, nil)
	case 35:
		at := c.add(sim.EntryQueued, id, id, c.head[id], 0, say("flush"))
		c.head[id] = c.add(sim.EntryWorked, id, id, at, 0, say("flush"))
	case 36:
		at := c.add(sim.EntryPublished, id, sim.Nobody, c.head[id], 0, say("join X"))
		at = c.add(sim.EntrySequenced, sim.Nobody, id, at, 1, say("join X"))
		c.head[id] = c.add(sim.EntryLogged, id, id, at, 1, say("join X"))
	case 37:
		c.add(sim.EntryFailed, id, sim.Nobody, c.head[id], 0, sim.Failure{Claim: "order", Why: "late"})
	case 38:
		c.befall(sim.EntryClock, name, 50).befall(sim.EntryDisk, name, 1)
	case 39:
		c.add(sim.EntryLeft, id, sim.Nobody, -1, 0, nil)
		c.out[id] = true
	}
}
