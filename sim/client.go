package sim

// call is a client's operation.
type call struct {
	op       Op
	node     NodeID
	client   ClientID
	load     int32 // index of World.clients, -1 for a client of the script's
	entry    int32 // of its invocation
	answered bool
	ended    bool
}

// client is a client of the load: it has one operation at a time.
type client struct {
	id    ClientID
	busy  bool
	queue []int64 // indices of Plan.Load that wait for their turn
}

// Down is what a request to a node that is down is refused with.
type Down struct{}

// Kind is "down".
func (Down) Kind() string { return "down" }

func (w *World) resetClients() {
	clear(w.calls)
	w.calls = w.calls[:0]
	most := 0
	for i := range w.plan.Load {
		most = max(most, w.plan.Load[i].Client)
	}
	for i := range w.plan.Script {
		most = max(most, w.plan.Script[i].Client)
	}
	for len(w.clients) < most {
		w.clients = append(w.clients, client{})
	}
	w.clients = w.clients[:most]
	for i := range w.clients {
		w.clients[i] = client{id: ClientID(i + 1), queue: w.clients[i].queue[:0]}
	}
	w.nextID = ClientID(most + 1)
}

// newClient numbers a client that has not been seen before.
func (w *World) newClient() ClientID {
	w.nextID++
	return w.nextID - 1
}

// request invokes an operation for a client of the load, or for one of its own (-1). At once puts it
// before everything else that is due.
func (w *World) request(st *step, cause int32, atOnce bool) {
	op, n := st.op, &w.nodes[st.node]
	c := call{op: op, node: n.id, load: int32(st.act.Client) - 1}
	if c.load >= 0 {
		w.clients[c.load].busy = true
		c.client = w.clients[c.load].id
	} else {
		c.client = w.newClient()
	}
	id := int64(len(w.calls) + 1)
	c.entry = w.add(Entry{Kind: EntryInvoked, Node: n.id, Peer: ClientEnd, Cause: cause, N: id, Body: op})
	w.calls = append(w.calls, c)
	a := w.about(ClientEnd, n.id, op)
	e := event{body: op, what: evRequest, from: ClientEnd, to: n.id, node: n.id, inc: n.inc,
		cause: c.entry, n: id, fifo: -1, stream: -1, h: a.h, ord: a.n}
	if atOnce {
		w.soon(&e)
	} else {
		w.schedule(w.later(w.delayOf(&a, w.linkFor(ClientEnd, n.id).delay)), &e)
	}
	if d := w.plan.Network.Timeout; d > 0 && !w.calm {
		w.schedule(w.later(d), &event{what: evTimeout, node: Nobody, cause: c.entry, n: id,
			fifo: -1, stream: -1, from: ClientEnd, to: n.id})
	}
}

// arrive is a request reaching its machine.
func (w *World) arrive(n *node, e *event) {
	c := &w.calls[e.n-1]
	n.begin(w.add(Entry{Kind: EntryArrived, Node: n.id, Peer: ClientEnd, Cause: e.cause, N: e.n, Body: e.body}), false)
	n.machine.Invoke(&n.env, Call{ID: CallID(e.n), Client: c.client, Op: c.op})
	n.end()
}

// requestLost is a request that found its node down: it had no effect.
func (w *World) requestLost(e *event) {
	c := &w.calls[e.n-1]
	if !c.ended {
		w.endCall(e.n, EntryRefused, e.cause, Down{})
	}
}

// answer is a machine's Return or Refuse.
func (w *World) answer(n *node, e *effect) {
	if e.n < 1 || e.n > int64(len(w.calls)) {
		panic("answer to a call that was never made")
	}
	kind := EntryReturned
	if e.what == effRefuse {
		kind = EntryRefused
	}
	if !w.answersTravel {
		w.endCall(e.n, kind, n.cause, e.body)
		return
	}
	w.calls[e.n-1].answered = true
	at := w.add(Entry{Kind: EntrySent, Node: n.id, Peer: ClientEnd, Cause: n.cause, N: e.n, Body: e.body})
	body := e.body
	if body == nil {
		body = labelled("")
	}
	a := w.about(n.id, ClientEnd, body)
	l := w.linkFor(n.id, ClientEnd)
	if w.happens(Lost, &a, l.loss) {
		w.add(Entry{Kind: EntryLost, Node: ClientEnd, Peer: n.id, Cause: at, N: int64(LostByChance), Body: e.body})
		return
	}
	w.schedule(w.later(w.delayOf(&a, l.delay)), &event{body: e.body,
		what: evAnswer, from: n.id, to: ClientEnd, node: Nobody, cause: at, n: e.n, low: int64(kind),
		fifo: -1, stream: -1, h: a.h, ord: a.n})
}

// answered is an answer reaching its client.
func (w *World) answered(e *event) { w.endCall(e.n, EntryKind(e.low), e.cause, e.body) }

// endCall ends a call, or records an answer that comes too late. A client whose call ended unknown
// carries on under a new number.
func (w *World) endCall(id int64, kind EntryKind, cause int32, result Body) {
	c := &w.calls[id-1]
	if c.ended {
		w.add(Entry{Kind: EntryLate, Node: c.node, Peer: ClientEnd, Cause: cause, N: id, Body: result})
		return
	}
	c.ended = true
	w.add(Entry{Kind: kind, Node: c.node, Peer: ClientEnd, Cause: cause, N: id, Body: result})
	if c.load < 0 {
		return
	}
	l := &w.clients[c.load]
	l.busy = false
	if kind == EntryUnknown {
		l.id = w.newClient()
	}
	if len(l.queue) > 0 && !w.calm {
		next := l.queue[0]
		l.queue = append(l.queue[:0], l.queue[1:]...)
		w.schedule(w.now, &event{what: evLoad, node: Nobody, n: next, cause: -1, fifo: -1, stream: -1})
	}
}

// endCalls ends unknown the calls that a node's crash cuts off.
func (w *World) endCalls(n *node) {
	for i := range w.calls {
		if c := &w.calls[i]; c.node == n.id && !c.ended && !c.answered {
			w.endCall(int64(i+1), EntryUnknown, c.entry, nil)
		}
	}
}

// timeout is a client giving up.
func (w *World) timeout(e *event) {
	if !w.calls[e.n-1].ended {
		w.endCall(e.n, EntryUnknown, e.cause, nil)
	}
}

// loadDue is an action of the load whose time has come.
func (w *World) loadDue(e *event) {
	if w.calm {
		return
	}
	a := &w.plan.Load[e.n]
	if a.Verb == Request && a.Client > 0 {
		l := &w.clients[a.Client-1]
		if l.busy {
			l.queue = append(l.queue, e.n)
			return
		}
	}
	w.actLoad(int(e.n))
}
