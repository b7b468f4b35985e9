package ignite

import (
	"slices"
	"strconv"

	"github.com/downset/downset/sim"
)

// What the process says on the discovery log about nodes that join.
type (
	// version is D1: the newest version that a server has in its MetaStorage as it joins.
	version struct{ Version int64 }
	// greeting tells a node that has joined which cut is running, if there is one, and where its
	// START is on the log. Order is that of its joining: a greeting is for one life of a node. Bases
	// are the full snapshots that the exchange of the event at Want makes.
	greeting struct {
		To    sim.NodeID
		Order int64
		Name  string // of that node
		Told  []foreign
		Bases []baseAsked
		Want  int64
	}
	// foreign is a cut whose START a node has not consumed, for it joined later.
	foreign struct {
		Cut cutID
		Pos int64
	}
)

func (version) Kind() string  { return "version" }
func (greeting) Kind() string { return "greeting" }

func (m version) Keys() []string  { return []string{strconv.FormatInt(m.Version, 10)} }
func (m greeting) Keys() []string { return []string{m.Name} }

// gone is a fact: that a node left is taken up here, in its turn on the log.
type gone struct {
	Name string
	Pos  int64
}

func (gone) Kind() string     { return "gone" }
func (g gone) Keys() []string { return []string{g.Name} }

// absence is own work: that a node left is taken up late.
type absence struct {
	Peer sim.NodeID
	Pos  int64
}

func (absence) Kind() string { return "absence" }

// startProcess begins anew. A server of the draft that joins says which version it has stored;
// nobody tells it theirs but by messages and START.
func (n *node) startProcess(env *sim.Env) {
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		if m, ok := env.Disk.At(lsn).(metaRecord); ok && m.Version > n.newest.Version {
			n.newest = cutID{Version: m.Version}
		}
	}
	if n.order.of(n.id) == 0 {
		return // a founder
	}
	for _, id := range env.Nodes {
		if id != n.id && n.order.of(id) > 0 {
			n.process.Untold = append(n.process.Untold, id)
		}
	}
	n.process.Stranger = n.rules.process.Introduces
	if n.Counter && !n.client() {
		env.Publish(version{n.newest.Version})
	}
}

// onVersion is D1: the greater version counts.
func (n *node) onVersion(env *sim.Env, m version) {
	if m.Version > n.newest.Version {
		n.learn(env, cutID{Version: m.Version})
	}
}

// processJoined is D10: joins do not touch a running cut, but in the draft.
func (n *node) processJoined(env *sim.Env, peer sim.NodeID) {
	if n.rules.process.StopsOnChange && !n.layout.client(peer) {
		n.failCut(env, "inconsistent: a server joined")
	}
	if n.rules.process.Doubts && peer == n.id {
		n.doubt(env)
	}
	if n.rules.process.Introduces {
		n.process.Untold = append(n.process.Untold, peer)
		n.greet(env, []sim.NodeID{peer})
	}
}

// defersLeft says that it is taken up later that a node left.
func (n *node) defersLeft(env *sim.Env, peer sim.NodeID) bool {
	if n.rules.process.LateLeft {
		env.Later(absence{peer, n.topVer})
	}
	return n.rules.process.LateLeft
}

func (n *node) onAbsence(env *sim.Env, m absence) {
	n.lose(env, m.Peer, m.Pos)
	n.peerLeft(env, m.Peer)
	n.exchangeLeft(env, m.Peer)
}

// processLeft is what a departure means for the processes (3.2).
func (n *node) processLeft(env *sim.Env, peer sim.NodeID) { n.lose(env, peer, n.topVer) }

func (n *node) lose(env *sim.Env, peer sim.NodeID, pos int64) {
	env.Note(gone{env.Name(peer), pos})
	if n.rules.process.StopsOnChange && !n.layout.client(peer) {
		n.failCut(env, "inconsistent: a server left")
	}
	for at := len(n.process.Runs) - 1; at >= 0; at-- {
		if r := &n.process.Runs[at]; r.has(peer) {
			r.Gone = append(r.Gone, peer)
			n.bereave(env, r, peer)
		}
	}
	n.despair(env, peer)
	n.process.Untold = slices.DeleteFunc(slices.Clone(n.process.Untold),
		func(id sim.NodeID) bool { return id == peer })
	if n.rules.process.Introduces {
		n.process.Told = slices.DeleteFunc(slices.Clone(n.process.Told),
			func(f foreign) bool { return !n.survives(env, f) })
		n.greet(env, n.process.Untold)
	}
}

// bereave: a node that takes part has left. If it was the reducer, the next oldest server is, and
// replies are sent to it anew; the reducer waits for one less. With no server left there is nobody
// who could end the process.
func (n *node) bereave(env *sim.Env, r *run, peer sim.NodeID) {
	if peer != r.Reducer {
		n.reduce(env, r)
		return
	}
	left := slices.DeleteFunc(slices.Clone(r.Members),
		func(id sim.NodeID) bool { return !r.has(id) })
	next, ok := n.oldestOf(left)
	if !ok {
		r.Err = whyServers
		n.leaveCut(env, r)
		n.endProcess(env, r)
		return
	}
	r.Reducer = next
	if r.Replied {
		n.sendReply(env, r)
	}
	n.reduce(env, r)
}

// despair: a server has left that requests were passed on to. What became of a cut whose START is
// on the log, discovery tells; one that is not there yet fails without its initiator.
func (n *node) despair(env *sim.Env, peer sim.NodeID) {
	waits := n.process.Asked
	n.process.Asked = nil
	for _, a := range waits {
		switch err, ended := n.fate(a.Cut); {
		case a.Server == peer && ended:
			n.answerCut(env, a, err)
		case a.Server == peer && !n.known(a.Cut):
			n.answerCut(env, a, whyInitiator)
		default:
			if a.Server == peer {
				a.Server = sim.Nobody
			}
			n.process.Asked = append(n.process.Asked, a)
		}
	}
}

// fate is what became of a cut that has ended.
func (n *node) fate(name string) (err string, ended bool) {
	for _, m := range n.process.Ended {
		if m.Cut.Name == name {
			return m.Err, true
		}
	}
	return "", false
}

// strange says that this node joined and does not know yet which cut is running. The oldest server
// does: of a cut that began before it joined no server is left.
func (n *node) strange() bool { return n.process.Stranger }

// greet tells nodes that have joined which cuts are running, if this is the oldest server.
func (n *node) greet(env *sim.Env, ids []sim.NodeID) {
	if who, ok := n.oldestOf(env.Nodes); !ok || who != n.id {
		return
	}
	n.process.Stranger = false
	told := slices.Clone(n.process.Told)
	for _, r := range n.process.Runs {
		if r.running() {
			told = append(told, foreign{r.Start.Cut, r.Pos})
		}
	}
	m := greeting{Told: told}
	if n.rules.process.TellsBase && len(n.exchange.Asked) > 0 {
		m.Bases, m.Want = slices.Clone(n.exchange.Asked), n.exchange.Want
	}
	for _, id := range ids {
		if id != n.id {
			m.To, m.Order, m.Name = id, n.order.of(id), env.Name(id)
			env.Publish(m)
		}
	}
}

// onGreeting lets a node that has joined take part. It has consumed the START of every cut that is
// not mentioned, and the end of some that are.
func (n *node) onGreeting(env *sim.Env, m greeting) {
	if m.Order != n.order.of(m.To) {
		return // it was for the life before
	}
	n.process.Untold = slices.DeleteFunc(slices.Clone(n.process.Untold),
		func(id sim.NodeID) bool { return id == m.To })
	if m.To != n.id || !n.process.Stranger {
		return
	}
	n.process.Stranger = false
	for _, f := range m.Told {
		if n.run(f.Cut) == nil && !n.over(f.Cut) && n.survives(env, f) {
			n.process.Told = append(n.process.Told, f)
		}
	}
	n.hearOfBases(m)
}

// hearOfBases takes up which full snapshots are being made, unless they have been made since.
func (n *node) hearOfBases(m greeting) {
	e := &n.exchange
	if len(m.Bases) == 0 || e.View.Ver >= m.Want {
		return
	}
	e.Want = max(e.Want, m.Want)
	for _, b := range m.Bases {
		if !slices.Contains(e.Asked, b) {
			e.Asked = append(e.Asked, b)
		}
	}
}

// survives says that a server is left which takes part in a cut.
func (n *node) survives(env *sim.Env, f foreign) bool {
	return slices.ContainsFunc(env.Nodes, func(id sim.NodeID) bool {
		return !n.layout.client(id) && n.order.of(id) < f.Pos
	})
}
