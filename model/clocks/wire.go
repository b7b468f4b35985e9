package clocks

import (
	"time"

	"github.com/downset/downset/sim"
)

// message is what nodes send: a part, and the stamp of its sending. It has the kind, the keys and
// the words of its part.
type message struct {
	Stamp Stamp
	part  part
}

func (m message) Kind() string   { return m.part.Kind() }
func (m message) Keys() []string { return sim.KeysOf(m.part) }
func (m message) String() string { return sim.Text(m.part) }

// refusal is why a request is refused.
type refusal struct{ Why string }

func (refusal) Kind() string     { return "refused" }
func (r refusal) String() string { return r.Why }

// question is what a node asks another for a call of one of its clients. It may be asked again, and
// must then have no second effect.
type question interface {
	part
	call() sim.CallID
}

// asking is a call that waits for a reply.
type asking struct {
	Call  sim.CallID
	To    sim.NodeID
	What  question
	Tries int
}

// retry is how long a node waits before it asks again, and tries how often it asks before it leaves
// the client without an answer.
const (
	retry = 20 * time.Millisecond
	tries = 8
)

// again is the timer of a call that waits for a reply.
type again struct{ Call sim.CallID }

func (again) Kind() string { return "again" }

// ask asks a question, and again until there is a reply.
func (n *node) ask(env *sim.Env, to sim.NodeID, q question) {
	n.asked = append(n.asked, asking{q.call(), to, q, 1})
	n.send(env, to, q)
	env.After(retry, again{q.call()})
}

// ring asks again, or gives up: the client then never hears.
func (a again) ring(n *node, env *sim.Env) {
	i := n.waits(a.Call)
	if i < 0 {
		return
	}
	if n.asked[i].Tries == tries {
		n.stopAsking(env, a.Call)
		return
	}
	n.asked[i].Tries++
	n.send(env, n.asked[i].To, n.asked[i].What)
	env.After(retry, a)
}

// waits is the place in asked of a call that waits, -1 if it does not any more.
func (n *node) waits(c sim.CallID) int {
	for i := range n.asked {
		if n.asked[i].Call == c {
			return i
		}
	}
	return -1
}

// stopAsking ends the wait of a call. It says whether there was one: a second reply finds none.
func (n *node) stopAsking(env *sim.Env, c sim.CallID) bool {
	i := n.waits(c)
	if i < 0 {
		return false
	}
	n.asked = append(n.asked[:i:i], n.asked[i+1:]...)
	env.Cancel(again{c})
	return true
}

// answer answers the client of a call that waits, once.
func (n *node) answer(env *sim.Env, c sim.CallID, result sim.Body) {
	if n.stopAsking(env, c) {
		env.Return(c, result)
	}
}
