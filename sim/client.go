package sim

// call is a client's operation.
type call struct {
	op       Op
	node     NodeID
	client   ClientID
	load     int32 // index of World.clients, -1 for a client of the script's
	entry    int32 // of its invocation
	answered bool  // an answer is on its way
	ended    bool
	limited  bool // its client will give up on it
}

// client is a client of the load: it has one operation at a time.
type client struct {
	id    ClientID
	busy  bool
	queue []*step // requests that wait for their turn
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
		clear(w.clients[i].queue)
		w.clients[i] = client{id: ClientID(i + 1), queue: w.clients[i].queue[:0]}
	}
	w.nextID = ClientID(most + 1)
}

// newClient numbers a client that has not been seen before.
func (w *World) newClient() ClientID {
	w.nextID++
	return w.nextID - 1
}

// ask is a request of the script or load; a client that has one already waits for its turn.
func (w *World) ask(st *step, cause int32, atOnce bool) {
	if c := st.act.Client; c > 0 {
		if l := &w.clients[c-1]; l.busy || len(l.queue) > 0 {
			l.queue = append(l.queue, st)
			return
		}
	}
	w.request(st, cause, atOnce)
}

// request invokes an operation for a client of the plan, or for one of its own. At once puts it
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
	c.entry = w.add(Entry{Kind: EntryInvoked, Node: n.id, Peer: ClientEnd, Cause: cause, N: id,
		Body: op})
	if d := w.plan.Network.Timeout; d > 0 && w.plan.Timed && !w.calm {
		// It is the call that is waited for: once it has ended, the time-out does not count.
		c.limited = true
		w.busy++
		w.schedule(w.later(d), &event{what: evTimeout, node: Nobody, cause: c.entry, n: id,
			fifo: -1, stream: -1, from: ClientEnd, to: n.id, idle: true})
	}
	w.calls = append(w.calls, c)
	a := w.about(ClientEnd, n.id, op)
	e := event{body: op, what: evRequest, from: ClientEnd, to: n.id, node: n.id, inc: n.inc,
		cause: c.entry, n: id, fifo: -1, stream: -1, h: a.h, ord: a.n}
	l := w.linkFor(ClientEnd, n.id)
	switch {
	case w.happens(Lost, &a, l.loss):
		w.requestLost(&e, LostByChance)
	case atOnce:
		w.soon(&e)
	default:
		w.schedule(w.later(w.delayOf(&a, l.delay)), &e)
	}
}

// arrive is a request reaching its machine.
func (w *World) arrive(n *node, e *event) {
	c := &w.calls[e.n-1]
	n.begin(w.add(Entry{Kind: EntryArrived, Node: n.id, Peer: ClientEnd, Cause: e.cause, N: e.n,
		Body: e.body}), false)
	n.machine.Invoke(&n.env, Call{ID: CallID(e.n), Client: c.client, Op: c.op})
	n.end()
}

// requestLost is a request that did not reach its machine. If the node was down, the client knows
// that it had no effect; else it waits on.
func (w *World) requestLost(e *event, why Loss) {
	switch c := &w.calls[e.n-1]; {
	case c.ended:
	case why == LostDown:
		w.endCall(e.n, EntryRefused, e.cause, Down{})
	default:
		w.add(Entry{Kind: EntryLost, Node: e.to, Peer: e.from, Cause: e.cause, N: int64(why),
			Body: e.body})
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
	at := w.add(Entry{Kind: EntrySent, Node: n.id, Peer: ClientEnd, Cause: n.cause, N: e.n,
		Body: e.body})
	body := e.body
	if body == nil {
		body = labelled("")
	}
	a := w.about(n.id, ClientEnd, body)
	l := w.linkFor(n.id, ClientEnd)
	if w.happens(Lost, &a, l.loss) {
		w.add(Entry{Kind: EntryLost, Node: ClientEnd, Peer: n.id, Cause: at,
			N: int64(LostByChance), Body: e.body})
		return
	}
	w.calls[e.n-1].answered = true
	w.schedule(w.later(w.delayOf(&a, l.delay)), &event{body: e.body,
		what: evAnswer, from: n.id, to: ClientEnd, node: Nobody, cause: at, n: e.n,
		low:  int64(kind),
		fifo: -1, stream: -1, h: a.h, ord: a.n})
}

// answered is an answer reaching its client.
func (w *World) answered(e *event) { w.endCall(e.n, EntryKind(e.low), e.cause, e.body) }

// endCall ends a call, or records an answer that comes too late. A client whose call ended unknown
// carries on under a new number.
func (w *World) endCall(id int64, kind EntryKind, cause int32, result Body) {
	c := &w.calls[id-1]
	if c.ended {
		w.add(Entry{Kind: EntryLate, Node: c.node, Peer: ClientEnd, Cause: cause, N: id,
			Body: result})
		return
	}
	c.ended = true
	if c.limited {
		w.busy--
	}
	w.add(Entry{Kind: kind, Node: c.node, Peer: ClientEnd, Cause: cause, N: id, Body: result})
	if c.load < 0 {
		return
	}
	l := &w.clients[c.load]
	l.busy = false
	if kind == EntryUnknown {
		l.id = w.newClient()
	}
	if len(l.queue) > 0 {
		w.schedule(w.now, &event{what: evTurn, node: Nobody, n: int64(c.load), cause: -1,
			fifo: -1, stream: -1})
	}
}

// takeTurn lets a client make the request that waited longest.
func (w *World) takeTurn(i int) {
	l := &w.clients[i]
	if w.calm || l.busy || len(l.queue) == 0 {
		return
	}
	st := l.queue[0]
	l.queue = append(l.queue[:0], l.queue[1:]...)
	w.request(st, -1, false)
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
	st := &w.script.load[e.n]
	if w.calm || st.skip {
		return
	}
	if why, _ := w.perform(st, -1, false); why != "" {
		w.note(st.act, why)
	}
}
