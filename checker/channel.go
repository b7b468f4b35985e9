package checker

import "github.com/downset/downset/sim"

// parts are what the nodes have of cuts beside their points: the channel states they recorded, and
// whether they call their part complete.
type parts struct {
	recorded  map[onNode][]recording // by what was recorded: the first records, one a cut
	records   []recording            // all but those that a restart only repeats
	completed [][]bool               // by cut, by node; nil if parts are complete without a word
}

// recording is a record of channel state. cut is -1 if nobody drew the cut.
type recording struct {
	onNode
	cut   int
	entry int
}

func (p *parts) complete(cut int, node sim.NodeID) bool {
	return p.completed == nil || p.completed[cut][node]
}

// first is the first record of the same thing for the same cut.
func (p *parts) first(what onNode, cut int) (entry int, ok bool) {
	for _, x := range p.recorded[what] {
		if x.cut == cut {
			return x.entry, true
		}
	}
	return 0, false
}

// parts reads them.
func (r *reading) parts() *parts {
	if r.known.parts == nil {
		r.known.parts = r.readParts()
	}
	return r.known.parts
}

func (r *reading) readParts() *parts {
	p := &parts{recorded: map[onNode][]recording{}}
	if r.model.Complete != nil {
		p.completed = r.completed()
	}
	for i := range r.trace {
		record, ok := noted(r, i, r.model.Channel)
		if !ok {
			continue
		}
		cut, known := r.index[record.Cut]
		if !known {
			cut = -1
		}
		key := onNode{record.What, r.trace[i].Node}
		_, again := p.first(key, cut)
		if again && r.repeats(i) {
			continue
		}
		x := recording{key, cut, i}
		if !again && known {
			p.recorded[key] = append(p.recorded[key], x)
		}
		p.records = append(p.records, x)
	}
	return p
}

// completed says by cut and node that the node calls its part complete.
func (r *reading) completed() [][]bool {
	completed := make([][]bool, len(r.cuts))
	for c := range completed {
		completed[c] = make([]bool, r.width)
	}
	for _, c := range r.completions() {
		if cut, known := r.index[c.cut]; known {
			completed[cut][r.trace[c.entry].Node] = true
		}
	}
	return completed
}

// transit is something told to a node, by one message or several.
type transit struct {
	what    string
	to      sim.NodeID
	sent    int // when it was first committed, or else sent
	taken   int // when it was committed there, or else first took effect
	applied bool
}

// transits are what was told of the kind that channel states are made of, in order of arrival.
type transits struct {
	list []transit
	at   onNodes // indices of list
}

// find is what was told to a node.
func (t *transits) find(what onNode) (told transit, ok bool) {
	k, ok := t.at.find(what)
	if ok {
		told = t.list[k]
	}
	return told, ok
}

// transits reads them.
func (r *reading) transits() *transits {
	if r.known.transits == nil {
		r.known.transits = r.readTransits()
	}
	return r.known.transits
}

func (r *reading) readTransits() *transits {
	few := len(r.trace) / 8 // of all entries bring something new
	list, at := make([]transit, 0, few), newOnNodes(r.width, few)
	short := r.cutShort()
	for d := range r.trace {
		e := &r.trace[d]
		if e.Kind != sim.EntryDelivered {
			continue
		}
		what, ok := read(r.model.InChannel, e.Body)
		sent := r.source(d)
		if !ok || sent < 0 {
			continue
		}
		key := onNode{what, e.Node}
		k := len(list)
		if at.put(key, k) {
			k, _ = at.find(key)
		} else {
			list = append(list, transit{what, e.Node, sent, int(r.effect(d)), false})
		}
		list[k].sent = min(list[k].sent, sent)
		list[k].applied = list[k].applied || !short[d]
	}
	all := r.commits()
	for k := range list {
		list[k].adjust(all)
	}
	return &transits{list, at}
}

// adjust looks at a transaction as such, not at the messages that tell of it.
func (t *transit) adjust(all *commits) {
	if sign, ok := all.signed(t.what); ok {
		t.sent = sign
		t.taken, t.applied = all.on(t.what, t.to)
	}
}

// inChannel says that something was sent before a cut and taken up after it.
func (r *reading) inChannel(c *cutLine, t transit) bool {
	return t.applied && c.member[t.to] && c.before(r.trace, t.sent) && int32(t.taken) >= c.at[t.to]
}

// channelState is that the nodes record as the state of the channels of a finished cut exactly what
// was sent before it and taken up after it. The premises are what is in the channels to nodes that
// call their part complete, and the records.
func (r *reading) channelState() (premises int, v *sim.Violation) {
	if r.model.Channel == nil || r.model.InChannel == nil {
		return 0, nil
	}
	parts, told := r.parts(), r.transits()
	for c := range r.cuts {
		line := &r.cuts[c]
		for _, t := range told.list {
			if !line.finished || !r.inChannel(line, t) || !parts.complete(c, t.to) {
				continue
			}
			premises++
			if _, ok := parts.first(onNode{t.what, t.to}, c); !ok {
				v = count(v, r.absence(t.sent, t.taken,
					"cut %s lacks %s in the channel from %s to %s", line.name, t.what,
					r.nameAt(t.sent), r.run.Name(t.to)))
			}
		}
	}
	for _, x := range parts.records {
		if x.cut < 0 || r.cuts[x.cut].finished {
			premises++
			v = count(v, r.misrecorded(x, parts, told))
		}
	}
	return premises, v
}

// misrecorded says what is wrong with a record.
func (r *reading) misrecorded(x recording, p *parts, told *transits) *sim.Violation {
	what, node := x.name, r.run.Name(x.node)
	if x.cut < 0 || !r.cuts[x.cut].member[x.node] {
		return r.violation(x.entry, x.entry, "%s records %s for a cut that it does not draw", node,
			what)
	}
	line := &r.cuts[x.cut]
	t, ok := told.find(x.onNode)
	switch first, _ := p.first(x.onNode, x.cut); {
	case !ok:
		return r.violation(x.entry, x.entry, "%s records %s for cut %s, but nobody told it", node,
			what, line.name)
	case first != x.entry:
		return r.violation(first, x.entry, "%s records %s for cut %s twice", node, what, line.name)
	case !line.before(r.trace, t.sent):
		return r.violation(t.sent, x.entry, "%s records %s for cut %s, but it is after it on %s",
			node, what, line.name, r.nameAt(t.sent))
	case t.applied && !r.inChannel(line, t):
		return r.violation(t.taken, x.entry,
			"%s records %s for cut %s, but had it before its point", node, what, line.name)
	}
	return nil
}
