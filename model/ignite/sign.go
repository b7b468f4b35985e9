package ignite

import "github.com/downset/downset/sim"

// send sends a message, with the cut and the tag of the object that it is about, if it is one of
// the six kinds that carry them and the node signs (1.9). Who has left gets nothing (1.1).
func (n *node) send(env *sim.Env, to sim.NodeID, m sim.Message, o *object) {
	if !n.alive(env, to) {
		return
	}
	if n.signs(m) && !(n.ReadsUnsign && onlyReads(m, o)) {
		s := signed{Cut: n.stands(), TopVer: n.cut.TopVer, Message: m}
		if o != nil {
			s.Tag = o.Tag
		}
		m = s
	}
	n.post(env, to, m)
}

// post sends a message to the life of a node that this one knows of.
func (n *node) post(env *sim.Env, to sim.NodeID, m sim.Message) {
	mine, theirs := n.order.of(n.id), n.order.of(to)
	if to != n.id && (mine != 0 || theirs != 0) {
		m = addressed{mine, theirs, m}
	}
	env.Send(to, m)
}

// signs says that a message carries the cut.
func (n *node) signs(m sim.Message) bool {
	kind := kindOf(m)
	if kind == 0 && !(n.SignRescue && isRescue(m)) || n.Unsigned&kind != 0 {
		return false
	}
	return n.Always || n.cut.Signing || n.SignsOn && n.newest != (cutID{})
}

// onlyReads says that a message is the answer of a primary that has nothing to write.
func onlyReads(m sim.Message, o *object) bool {
	return kindOf(m) == kindNPR && o != nil && len(o.Own.Writes) == 0
}

// isRescue says that a message belongs to recovery.
func isRescue(m sim.Message) bool {
	switch m.(type) {
	case rq, rr, ccq, ccr:
		return true
	}
	return false
}

// stands is the cut that this node stands in: the newest version that it knows, or the id of the
// cut that is running.
func (n *node) stands() cutID {
	if n.Counter || n.SignsOn && n.cut.ID == (cutID{}) {
		return n.newest
	}
	return n.cut.ID
}

// tag fixes the tag of a transaction: it is after the cut that this node stands in, before all
// others.
func (n *node) tag(env *sim.Env, o *object) {
	o.Tag = cutID{}
	if n.Counter || n.cut.Signing || n.cut.Readable {
		o.Tag = n.stands()
	}
	env.Note(tagged{o.Key, o.Tag})
}

// heed takes the cut of a message: the node enters it, unless it joined after the cut began, and
// keeps the tag, if there is one, with the local object that the message is about.
func (n *node) heed(env *sim.Env, from sim.NodeID, s signed) {
	if !n.Counter && n.joinedAfter(s.TopVer) {
		return
	}
	n.enter(env, s.Cut, s.TopVer, s.Kind())
	n.keepTag(from, s)
}

// keepTag keeps the tag of a message, if it has one, with the object that it is about.
func (n *node) keepTag(from sim.NodeID, s signed) {
	if o := n.subject(from, s.Message); o != nil && s.Tag != (cutID{}) && !n.DropsTags {
		o.Tag = s.Tag
	}
}

// subject is the object whose tag a message carries: NPQ and DPQ carry none that counts.
func (n *node) subject(from sim.NodeID, m sim.Message) *object {
	switch m := m.(type) {
	case nfq:
		return n.find(key{m.txID, primary, n.id})
	case dfq:
		return n.find(key{m.txID, backup, from})
	case npr:
		return n.find(nearKey(m.txID))
	case dpr:
		return n.duty(m.txID)
	}
	return nil
}
