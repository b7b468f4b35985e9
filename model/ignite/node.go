package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// node is the machine of one node, server or client. What its parts do stands in a file each:
// near.go, primary.go, backup.go and finish.go have the transaction in the roles it can have here;
// locks.go and data.go what it works on; cut.go and sign.go the consistent cut; process.go the
// coordinator's process; recovery.go and peers.go what becomes of transactions whose nodes are
// gone; exchange.go and rebalance.go a change of topology; snapshot.go base, increments, restore.
type node struct {
	rules
	id       sim.NodeID
	founders []sim.NodeID
	layout   layout

	topVer int64       // position on the discovery log of the last change of membership consumed
	order  orders      // by node
	ended  []endedTx   // the completed-versions map (1.3)
	objs   []*object   // objects of transactions, in order of creation, until nothing waits for them
	early  []early     // messages of nodes that it does not know yet
	parts  []partition // the data of the partitions that this node owns
	locks  []lock      // of keys whose primary this node is
	marks  []string    // transactions that it will fail to prepare ("refuse T") or commit ("fail T")
	cut    cut         // the cut that it is in
	newest cutID       // D1: the newest version that it knows of

	process  process
	rescue   rescue
	exchange exchange
	snapshot snapshot
}

// endedTx is an entry of the completed-versions map. Near objects and answers of recovery are
// remembered by the near id, the others by the local one too.
type endedTx struct {
	Object    key
	Committed bool
}

// orders are the join orders of nodes: the position at which each joined, 0 of a founder and of who
// has not joined.
type orders []int64

func (o orders) of(id sim.NodeID) int64 {
	if int(id) < len(o) {
		return o[id]
	}
	return 0
}

func (o *orders) set(id sim.NodeID, pos int64) {
	for pos != 0 && int(id) >= len(*o) {
		*o = append(*o, 0)
	}
	if int(id) < len(*o) {
		(*o)[id] = pos
	}
}

// object is a local object of a transaction (1.2).
type object struct {
	Key       key
	State     state
	By        finalization
	Tag       cutID   // the cut that the transaction is after, the zero value for none
	Map       mapping // of near: complete once it is mapped
	Own       share   // the share of a primary, a backup and a colocated near object
	Colocated bool    // a near object that is the primary object of its node's share as well
	OnePhase  bool    // one phase; a primary may make two of it
	Demoted   bool    // which it has done
	Updates   []update
	Err       string       // why it cannot be prepared
	Prepares  bool         // a prepare is running: locks or answers are outstanding
	Second    bool         // of near: primaries with writes are asked once the others have answered
	Voted     bool         // the part of a primary is prepared
	Asked     bool         // DPQ has been sent
	Finishes  bool         // its finish is running: answers are outstanding
	Off       bool         // it has left the active map: its data records are written
	Stalled   bool         // a backup that waits for an earlier transaction on one of its keys
	Waits     []sim.NodeID // of near: primaries whose NPR, then NFR it waits for
	Backs     []sim.NodeID // of a primary: backups whose DPR, then DFR it waits for
	Wants     []string     // keys whose locks a primary waits for
	Rescued   bool         // its primary has committed by recovery
	Reply     bool         // a backup that owes a DFR, a primary that owes an NFR
	Obeys     obedience    // what NFQ has asked for while a prepare was running

	// Of near alone: the client's side.
	Call     sim.CallID // that waits for an answer, 0 if none does
	Answered bool       // the client has been told
	Auto     bool       // commit once Ahead is done
	Ahead    []access   // what it has still to lock or read
	Locks    []access   // what it has locked, and where
	Seen     []entry    // what it has read
	Writes   []write    // all its writes
	Reads    []access   // all its reads, with the counters that it saw
}

// obedience is what a finish request asked for that came too early.
type obedience uint8

const (
	nothing obedience = iota
	toCommit
	toRollback
)

// access is a key that a transaction locks or reads while it is ACTIVE, and its primary.
type access struct {
	Key     string
	Lock    bool
	Asked   bool // a remote primary has been asked for it
	Primary sim.NodeID
	Counter int64 // of what was read
}

// Start begins anew. A restarted node has what its log says (Q16): transactions that were not
// decided are gone.
func (n *node) Start(env *sim.Env) {
	n.layout = *layoutOf(env.Setup, len(n.founders))
	n.order = nil
	for _, id := range env.Nodes {
		n.order.set(id, env.JoinedAt(id))
	}
	n.parts = n.layout.owned(n.id)
	n.ended, n.objs = make([]endedTx, 0, 16), make([]*object, 0, 8) // room for a short run
	n.readLog(env)
	n.startProcess(env)
	n.startExchange(env)
}

// Receive heeds the cut of a message before the message itself (1.9).
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	theirs, mine, m := opened(m)
	switch {
	case from == n.id:
	case mine != n.order.of(n.id):
		return // it was sent to another life of this node
	case theirs > n.order.of(from):
		n.early = append(n.early, early{from, theirs, m})
		return // it comes from a node that is not known yet
	}
	n.read(env, from, m)
}

// early is a message that came before its sender was known to have joined.
type early struct {
	From sim.NodeID
	Life int64
	M    sim.Message
}

// admit takes up what a node has sent that is known from now on.
func (n *node) admit(env *sim.Env, id sim.NodeID) {
	waiting := n.early
	n.early = nil
	for _, e := range waiting {
		switch {
		case e.From != id || e.Life > n.order.of(id):
			n.early = append(n.early, e)
		case e.Life == n.order.of(id):
			n.read(env, e.From, e.M)
		}
	}
}

// read heeds the cut of a message, and then applies it.
func (n *node) read(env *sim.Env, from sim.NodeID, m sim.Message) {
	if n.isAhead(from, m) {
		return
	}
	s, ok := m.(signed)
	if !ok {
		n.apply(env, from, m)
		return
	}
	switch n.Heeds {
	case beforePayload:
		n.heed(env, from, s)
		n.apply(env, from, s.Message)
	case afterPayload:
		n.apply(env, from, s.Message)
		n.heed(env, from, s)
	case never:
		n.keepTag(from, s)
		n.apply(env, from, s.Message)
	}
}

// apply hands a message to the rule that it is for.
func (n *node) apply(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case npq:
		n.onNPQ(env, from, m)
	case npr:
		n.onNPR(env, from, m)
	case nfq:
		n.onNFQ(env, from, m)
	case nfr:
		n.onNFR(env, from, m)
	case dpq:
		n.onDPQ(env, from, m)
	case dpr:
		n.onDPR(env, from, m)
	case dfq:
		n.onDFQ(env, from, m)
	case dfr:
		n.onDFR(env, from, m)
	case lq:
		n.onLQ(env, from, m)
	case lr:
		n.onLR(env, from, m)
	case gq:
		n.onGQ(env, from, m)
	case gr:
		n.onGR(env, from, m)
	case rq:
		n.onRQ(env, from, m)
	case rr:
		n.onRR(env, from, m)
	case ccq:
		n.onCCQ(env, from, m)
	case ccr:
		n.onCCR(env, from, m)
	default:
		n.work(env, from, m)
	}
}

// work is own work, and what belongs to the processes over discovery.
func (n *node) work(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case mark:
		n.onMark(env, m)
	case step:
		n.onStep(env, m)
	case logPrepared:
		n.onLogPrepared(env, m.Object)
	case settleSide:
		n.onSettleSide(env, m)
	default:
		if !n.onProcess(env, from, m) && !n.onExchange(env, from, m) {
			n.onSnapshot(env, from, m)
		}
	}
}

// Notice is discovery: every node consumes the same log, each at its own pace (1.1).
func (n *node) Notice(env *sim.Env, what sim.Notice) {
	switch what.What {
	case sim.Joined:
		n.topVer = what.Pos
		n.order.set(what.Peer, what.Pos)
		n.onJoined(env, what.Peer)
	case sim.Left:
		n.topVer = what.Pos
		n.onLeft(env, what.Peer)
	case sim.Logged:
		n.onDiscovery(env, what)
	}
}

// onJoined tells all whom it concerns, in the order in which Ignite's listeners run.
func (n *node) onJoined(env *sim.Env, peer sim.NodeID) {
	n.processJoined(env, peer)
	n.exchangeJoined(env, peer)
	n.admit(env, peer)
	n.restoreJoined(env, peer)
}

// onLeft does the same for a node that left or failed: first the processes, then the transactions.
func (n *node) onLeft(env *sim.Env, peer sim.NodeID) {
	if n.defersLeft(env, peer) {
		return
	}
	n.processLeft(env, peer)
	n.peerLeft(env, peer)
	n.exchangeLeft(env, peer)
	n.restoreLeft(env, peer)
}

// onDiscovery is a custom message of the discovery log.
func (n *node) onDiscovery(env *sim.Env, what sim.Notice) {
	if !n.onProcessLog(env, what) && !n.onExchangeLog(env, what) {
		n.onSnapshotLog(env, what)
	}
}

// Timeout is a lock that did not come in time.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	if t, ok := t.(timeout); ok {
		n.onTimeout(env, t.Object)
	}
}

// Invoke serves a client of this node.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	if n.heldBack(env, c) {
		return
	}
	switch op := c.Op.(type) {
	case beginOp:
		n.onBegin(env, c.ID, op)
	case commitOp:
		n.onCommit(env, c.ID, op)
	case accessOp:
		n.onAccess(env, c.ID, op)
	case rollbackOp:
		n.onRollback(env, c.ID, op)
	case suspendOp:
		n.onSuspend(env, c.ID, op)
	case resumeOp:
		n.onResume(env, c.ID, op)
	case refuseOp:
		n.marks = append(n.marks, "refuse "+op.Tx)
		env.Return(c.ID, done{})
	case failOp:
		n.marks = append(n.marks, "fail "+op.Tx)
		env.Return(c.ID, done{})
	default:
		if !n.invokeProcess(env, c) {
			n.invokeSnapshot(env, c)
		}
	}
}

// client says that this node has no data and no log.
func (n *node) client() bool { return n.layout.client(n.id) }

// baseline says that this node has a log that the cut is marked in.
func (n *node) baseline() bool { return n.layout.baseline(n.id) }

// alive says that a peer has not left, as far as this node has consumed discovery.
func (n *node) alive(env *sim.Env, id sim.NodeID) bool {
	if int(id) < len(env.Nodes) && env.Nodes[id] == id {
		return true // as long as nobody has left, a node stands at its own place
	}
	_, found := slices.BinarySearch(env.Nodes, id)
	return found
}

// living are those of a list that are alive.
func (n *node) living(env *sim.Env, ids []sim.NodeID) []sim.NodeID {
	return those(ids, func(id sim.NodeID) bool { return n.alive(env, id) })
}

// find is the object with a local id, nil if there is none.
func (n *node) find(k key) *object {
	for _, o := range n.objs {
		if o.Key.is(&k) {
			return o
		}
	}
	return nil
}

// is says that two local ids are the same: most differ in more than the name.
func (k *key) is(x *key) bool {
	return k.Role == x.Role && k.Near == x.Near && k.Primary == x.Primary && k.Name == x.Name
}

// of are all objects of a transaction on this node.
func (n *node) of(t txID) []*object {
	var list []*object
	for _, o := range n.objs {
		if o.Key.txID == t {
			list = append(list, o)
		}
	}
	return list
}

// duty is the object that does the primary's part of a transaction here: the primary object, or
// the near object if near and primary are one node.
func (n *node) duty(t txID) *object {
	if t.Near == n.id {
		return n.find(nearKey(t))
	}
	return n.find(key{t, primary, n.id})
}

func nearKey(t txID) key { return key{t, near, t.Near} }

// forget drops an object that nothing waits for any more.
func (n *node) forget(o *object) {
	n.objs = slices.DeleteFunc(n.objs, func(x *object) bool { return x == o })
}
