package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// topologyRules are those of joins, leaves, the exchange, the rebalance and the full snapshot. The
// zero value of each field is what merged code does.
type topologyRules struct {
	// Rebalance is which of the draft's four options (its list TBD, D12) keeps data and log
	// together when a node takes over what it has missed.
	Rebalance rebalancing

	MapsOn         bool // new transactions are mapped while an exchange runs
	ReleasesEarly  bool // partitions are released with transactions of the topology before under way
	TakesAhead     bool // requests from a topology that a node has not come to are not kept till then
	TakesOutdated  bool // requests of clients from a topology that is over are served
	OwnsAtOnce     bool // a returned node is an owner before it has what it missed: no late affinity
	SuppliesLate   bool // the supply is a copy of when it is asked for, and takes the place of all
	KeepsQuiet     bool // data is replaced past the log, and increments are not forbidden
	FlagVolatile   bool // that they are forbidden is not persisted
	FlagForGood    bool // they are forbidden on, though there is a new full snapshot
	FlagUntilJoin  bool // that they are forbidden is forgotten at the next start
	CutsWhileTaken bool // a cut may begin while a rebalance runs
	Unaligned      bool // R13: each node makes its part of a full snapshot when it hears of it
	OneWait        bool // R13: backups are not waited for once all near and primary objects are done
}

// rebalancing is one of the four options.
type rebalancing uint8

const (
	// forbidIncrements has the log of what is taken over off. The data lies past the log, so
	// increments are forbidden until a new full snapshot. The flag is persisted.
	forbidIncrements rebalancing = iota
	// logAll has the log on: what is taken over gets data records.
	logAll
	// snapshotGroups has it off, and a full snapshot of the groups concerned follows at once.
	snapshotGroups
	// recordRebalance has it off, and a record in the log says what was taken over: a restore
	// repeats it.
	recordRebalance
)

var rebalancingNames = [...]string{"flag", "wal", "snapshot", "record"}

func (r rebalancing) String() string { return rebalancingNames[r] }

// exchange is the partition map exchange of a node (PME), and what it has led to. A change of the
// servers, of who has whole data, of the baseline, and a full snapshot are events that want one:
// nobody maps new transactions from the event on; each server releases its partitions once the
// transactions mapped before are done here. A transaction may come to a server after that, from one
// that has not released yet; so when all have, each waits a second time for what it has now. When
// all have again, the oldest server says on discovery that the exchange is done, and what the
// topology is from there on.
type exchange struct {
	View     view  // the newest topology that all have agreed on
	Known    bool  // it is one: a node that joins has to be told
	Sure     bool  // that Want is the newest such event: a client that joins has to be told
	Want     int64 // position on discovery of the newest event that wants an exchange
	Let      int64 // this server has released its partitions up to this event
	Latch    int64 // all have, up to this event
	Again    int64 // this server has released once more
	Releases []release
	Latched  int64   // as the oldest server it has said that all have released
	Told     int64   // and that the exchange is done
	Held     []key   // near objects that wait
	Ahead    []ahead // requests from the topology that the exchange will come to
	Wholes   []rebalanced
	Asked    []baseAsked  // full snapshots that wait for the exchange
	Calls    []baseCall   // clients of this node that wait for one
	Baseline []sim.NodeID // that the newest event asks for, nil: that of the set-up
	Asking   []sim.CallID // clients of this node that wait for a new one
	Flag     string       // why increments are forbidden
	Base     string       // the newest full snapshot that this node has its part of
	Count    int          // increments of the newest full snapshot
	Since    int          // the last increment that was made since this node started
	Of       string       // and its full snapshot

	Before []partition // the data as it was at the start of a node that joins
	Takes  []take      // partitions that it takes over
	Taken  []string    // those that it has taken over
	Copies []partition // copies as of the exchange, for those that take over
	Wanted []demandFrom
}

// release is how far a server has released its partitions, and once more.
type release struct {
	Node       sim.NodeID
	Ver, Again int64
}

// The messages of the exchange. Released goes to the oldest server, latched from it, exchanged
// through discovery.
type (
	// released: all that was mapped before the event at Ver is done on this server; Again is the
	// second time.
	released struct {
		Ver   int64
		Again bool
	}
	// latched: all servers have released for the first time.
	latched struct{ Ver int64 }
	// exchanged: all servers have released; this is the topology from here on. Want is the newest
	// event that wants an exchange, as far as the oldest server has consumed discovery, and Seen is
	// how far that is.
	exchanged struct {
		View       view
		Want, Seen int64
	}
)

func (released) Kind() string  { return "released" }
func (latched) Kind() string   { return "latched" }
func (exchanged) Kind() string { return "exchanged" }

// topology is a fact: this node has taken over the topology of the event at Ver, and maps on it.
type topology struct{ View view }

func (topology) Kind() string { return "topology" }

// startExchange begins with the set-up; a node that joins has to be told how things stand.
func (n *node) startExchange(env *sim.Env) {
	n.readBase(env)
	e := &n.exchange
	if n.order.of(n.id) == 0 {
		e.View, e.Known, e.Sure = n.founded(env), true, true
		return
	}
	e.View = blank(&n.layout)
	for i := range n.parts {
		e.Before = append(e.Before, n.parts[i].clone())
	}
}

// exchangeJoined: a server changes the topology. A client only wants to know it, and whether an
// exchange is under way, whose event it has not consumed. If the oldest server falls before it has
// said so, an exchange follows that says it.
func (n *node) exchangeJoined(env *sim.Env, peer sim.NodeID) {
	if !n.layout.client(peer) {
		n.exchange.Sure = n.exchange.Sure || peer == n.id
		n.wantExchange(env, n.topVer)
		return
	}
	if peer != n.id && n.oldest(env) == n.id {
		n.say(env, n.exchange.View)
	}
}

// say publishes a topology.
func (n *node) say(env *sim.Env, v view) { env.Publish(exchanged{v, n.exchange.Want, n.topVer}) }

// exchangeLeft: a server that left changes the topology. If it was the oldest, another one is now,
// and all release to that one.
func (n *node) exchangeLeft(env *sim.Env, peer sim.NodeID) {
	if !n.layout.client(peer) {
		n.wantExchange(env, n.topVer)
	}
}

// wantExchange: an event on discovery that an exchange follows.
func (n *node) wantExchange(env *sim.Env, pos int64) {
	n.topVer, n.exchange.Want = pos, pos
	n.tryRelease(env)
	n.tryFinish(env)
}

// pending says that an exchange is under way, or may be; exchanging that new transactions must wait
// for it.
func (n *node) pending() bool {
	e := &n.exchange
	return !e.Known || !e.Sure || e.View.Ver < e.Want
}

func (n *node) exchanging() bool { return n.pending() && !n.topology.MapsOn }

// await keeps a near object until the exchange is done: it goes on where it stands.
func (n *node) await(o *object) {
	if !slices.Contains(n.exchange.Held, o.Key) {
		n.exchange.Held = append(n.exchange.Held, o.Key)
	}
}

// exchangeDone: an object is done, which the release of partitions may have waited for.
func (n *node) exchangeDone(env *sim.Env, o *object) { n.tryRelease(env) }

// tryRelease releases the partitions of this server once all is done that was mapped before.
func (n *node) tryRelease(env *sim.Env) {
	e := &n.exchange
	open := e.Let < e.Want || e.Latch == e.Want && e.Again < e.Want
	if !open || n.client() || n.inUse() {
		return
	}
	if e.Let < e.Want {
		e.Let = e.Want
		n.toOldest(env, released{e.Want, false})
	}
	if e.Latch == e.Want && e.Again < e.Want {
		e.Again = e.Want
		n.toOldest(env, released{e.Want, true})
	}
}

// toOldest tells the oldest server that this one has released.
func (n *node) toOldest(env *sim.Env, m released) {
	if to := n.oldest(env); to != n.id {
		n.post(env, to, m)
		return
	}
	n.onReleased(env, n.id, m)
}

// onLatched: all have released for the first time.
func (n *node) onLatched(env *sim.Env, m latched) {
	n.exchange.Latch = max(n.exchange.Latch, m.Ver)
	n.tryRelease(env)
}

// inUse says that a transaction is under way here that was mapped before the event.
func (n *node) inUse() bool {
	if n.topology.ReleasesEarly {
		return false
	}
	return slices.ContainsFunc(n.objs, func(o *object) bool {
		return o.Map.TopVer != 0 && o.Map.TopVer <= n.exchange.Want && !o.State.done()
	})
}

// onReleased notes a release, for the case that this server is the oldest, or will be.
func (n *node) onReleased(env *sim.Env, from sim.NodeID, m released) {
	e := &n.exchange
	at := slices.IndexFunc(e.Releases, func(r release) bool { return r.Node == from })
	if at < 0 {
		at = len(e.Releases)
		e.Releases = append(e.Releases, release{Node: from})
	}
	r := &e.Releases[at]
	r.Ver = max(r.Ver, m.Ver)
	if m.Again {
		r.Again = max(r.Again, m.Ver)
	}
	n.tryFinish(env)
}

// tryFinish is the part of the oldest server: it lets all wait a second time when all have
// released, and says that the exchange is done when all have once more.
func (n *node) tryFinish(env *sim.Env) {
	e := &n.exchange
	if e.View.Ver >= e.Want || n.client() || n.oldest(env) != n.id {
		return
	}
	first, again := true, true
	for _, id := range n.servers(env) {
		at := slices.IndexFunc(e.Releases, func(r release) bool { return r.Node == id })
		first = first && at >= 0 && e.Releases[at].Ver >= e.Want
		again = again && at >= 0 && e.Releases[at].Again >= e.Want
	}
	switch {
	case (again || first && n.topology.OneWait) && e.Told < e.Want:
		e.Told = e.Want
		n.say(env, n.nextView(env))
	case first && e.Latched < e.Want:
		e.Latched = e.Want
		for _, id := range except(n.servers(env), []sim.NodeID{n.id}) {
			n.post(env, id, latched{e.Want})
		}
		n.onLatched(env, latched{e.Want})
	}
}

// onExchangeLog takes what belongs to the exchange from discovery.
func (n *node) onExchangeLog(env *sim.Env, what sim.Notice) bool {
	switch m := what.Body.(type) {
	case exchanged:
		n.onExchanged(env, m)
	case rebalanced:
		n.onRebalanced(env, what, m)
	case baseAsked:
		n.onBaseAsked(env, what, m)
	case baselineAsked:
		n.onBaselineAsked(env, what, m)
	default:
		return false
	}
	return true
}

// onExchanged: the exchange is done, unless another event has come before this word of it. A client
// that has joined is told of such an event too, by a server that knew of its joining.
func (n *node) onExchanged(env *sim.Env, m exchanged) {
	e := &n.exchange
	e.Want, e.Sure = max(e.Want, m.Want), e.Sure || m.Seen >= n.order.of(n.id)
	if m.View.Ver >= e.Want && (!e.Known || m.View.Ver > e.View.Ver) {
		n.agree(env, m.View)
	}
	if n.pending() {
		return
	}
	held := e.Held
	e.Held = nil
	for _, k := range held {
		if o := n.find(k); o != nil && o.State == active {
			n.next(env, o)
		}
	}
}

// agree takes over a topology that all have agreed on.
func (n *node) agree(env *sim.Env, v view) {
	e := &n.exchange
	told := !e.Known
	if told {
		e.Count = v.Count
	}
	if told && e.Of == v.Base {
		e.Count = max(v.Count, e.Since)
	}
	e.View, e.Known, e.Wholes = v, true, nil
	n.topVer = max(n.topVer, v.Ver)
	env.Note(topology{v})
	n.takeBaseline(env, told)
	n.takeBases(env)
	n.takeOver(env)
	waiting := e.Ahead
	e.Ahead = nil
	for _, a := range waiting {
		n.read(env, a.From, a.M)
	}
}

// onExchange takes a message of the exchange or of the rebalance.
func (n *node) onExchange(env *sim.Env, from sim.NodeID, m sim.Message) bool {
	switch m := m.(type) {
	case released:
		n.onReleased(env, from, m)
	case latched:
		n.onLatched(env, m)
	case demand:
		n.onDemand(env, from, m)
	case supply:
		n.onSupply(env, from, m)
	default:
		return false
	}
	return true
}

// servers are the living servers, in order of their ids; oldest is the one that joined first.
func (n *node) servers(env *sim.Env) []sim.NodeID {
	return slices.DeleteFunc(slices.Clone(env.Nodes), n.layout.client)
}

func (n *node) oldest(env *sim.Env) sim.NodeID {
	oldest := sim.Nobody
	for _, id := range n.servers(env) {
		if oldest == sim.Nobody || n.order.of(id) < n.order.of(oldest) {
			oldest = id
		}
	}
	return oldest
}
