package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// cut is the cut that a node is in (1.8). The zero value is none.
type cut struct {
	ID         cutID
	TopVer     int64
	Readable   bool    // the id is known to the code of transactions
	Signing    bool    // messages carry it
	Remembers  bool    // the commit callback is installed
	Remembered []watch // what committed since
	Tracked    []watch // what it waits for
	Marked     bool    // step B is over
	Finished   bool    // FINISH is written
	Failed     string  // why the local part has failed, "" if it has not
	Included   []txID  // BEFORE, wherever their data records are
	Excluded   []txID  // AFTER, wherever their data records are
}

// watch is a transaction's object that the cut is interested in, and how it ended.
type watch struct {
	Object key
	State  state
	By     finalization
	Tag    cutID
	TopVer int64
}

// enter is step A: the node is in the cut from here on, whichever brought it first, discovery or a
// message, and in the latter case before the message is applied. Signing is switched on before the
// id can be read, or a transaction could be tagged AFTER and its finish leave unsigned.
func (n *node) enter(env *sim.Env, id cutID, topVer int64, by string) {
	if !n.isNew(env, id) {
		return
	}
	n.cut = cut{ID: id, TopVer: topVer, Readable: true, Signing: !n.PublishLate}
	n.cut.Remembers = n.baseline() && !n.NoCallback
	env.Note(entered{id, by, topVer})
	if n.PublishLate {
		env.Later(mark{id, signingStep})
	}
	switch {
	case !n.baseline():
	case n.Split:
		env.Later(mark{id, 0})
	default:
		n.markAll(env)
	}
}

// isNew says that a cut is one that the node has to enter. A version is if it is greater than all
// that it knows; then a cut that is still running here fails. An id is if the node is in no cut:
// one that differs is let pass (IGNITE-18599).
func (n *node) isNew(env *sim.Env, id cutID) bool {
	if !n.Counter {
		n.overtake(env, id)
		return id != (cutID{}) && n.cut.ID == (cutID{}) && !n.stale(id)
	}
	if id.Version <= n.newest.Version {
		return false
	}
	n.failCut(env, "a newer cut has begun")
	n.learn(env, id)
	return true
}

// learn keeps a version in the MetaStorage (D1).
func (n *node) learn(env *sim.Env, id cutID) {
	n.newest = id
	if !n.client() {
		env.Disk.Append(metaRecord{Version: id.Version, Forbidden: n.forbidden()})
		env.Disk.Sync()
	}
}

// signingStep is the part of step A that switches signing on, where that comes late.
const signingStep = -1

// The parts of step B.
const (
	writeStart = iota
	scanActive
	scanRemembered
)

// partsOfB is their order: START, the active map, the remembered commits (1.8).
func (n *node) partsOfB() []int {
	switch n.ScanOrder {
	case startLast:
		return []int{scanActive, scanRemembered, writeStart}
	case rememberedFirst:
		return []int{writeStart, scanRemembered, scanActive}
	}
	return []int{writeStart, scanActive, scanRemembered}
}

// markAll is step B at once.
func (n *node) markAll(env *sim.Env) {
	for _, part := range n.partsOfB() {
		n.markPart(env, part)
	}
	n.marked(env)
}

// onMark is step B in a thread of its own, or a part of it.
func (n *node) onMark(env *sim.Env, m mark) {
	switch {
	case m.Cut != n.cut.ID:
	case m.Step == signingStep:
		n.cut.Signing = n.cut.Readable
	case n.cut.Marked:
	case !n.ScanSteps:
		n.markAll(env)
	default:
		parts := n.partsOfB()
		n.markPart(env, parts[m.Step])
		if m.Step+1 < len(parts) {
			env.Later(mark{m.Cut, m.Step + 1})
			return
		}
		n.marked(env)
	}
}

func (n *node) markPart(env *sim.Env, part int) {
	switch part {
	case writeStart:
		env.Disk.Append(startRecord{n.cut.ID})
	case scanActive:
		for _, o := range n.objs {
			if !o.Off && !o.State.done() && n.Tracks.has(o.State) {
				n.track(watch{Object: o.Key})
			}
		}
	case scanRemembered:
		for _, w := range n.cut.Remembered {
			n.track(w)
		}
		n.cut.Remembers, n.cut.Remembered = false, nil
	}
}

// track puts an object on the list of those that the cut waits for.
func (n *node) track(w watch) {
	at := slices.IndexFunc(n.cut.Tracked, func(x watch) bool { return x.Object == w.Object })
	if at < 0 {
		n.cut.Tracked = append(n.cut.Tracked, w)
	} else if w.State.done() {
		n.cut.Tracked[at] = w
	}
}

// marked ends step B: what has ended meanwhile is decided.
func (n *node) marked(env *sim.Env) {
	n.cut.Marked = true
	list := make([]key, 0, len(n.cut.Tracked))
	for _, w := range n.cut.Tracked {
		list = append(list, w.Object)
	}
	env.Note(tracking{n.cut.ID, list})
	for _, w := range slices.Clone(n.cut.Tracked) {
		if w.State.done() {
			n.decide(env, w)
		}
	}
	n.finishCut(env)
}

// remember is the commit callback: between step A and the end of step B it remembers what commits.
func (n *node) remember(o *object) {
	if n.cut.Remembers {
		n.cut.Remembered = append(n.cut.Remembered, watch{Object: o.Key})
	}
}

// side is told how an object ended, whose side the cut may want to know.
func (n *node) side(env *sim.Env, o *object) {
	if n.cut.ID == (cutID{}) {
		return
	}
	w := watch{o.Key, o.State, o.By, o.Tag, o.Map.TopVer}
	if o.Rescued {
		w.By = byRecovery
	}
	for i := range n.cut.Remembered {
		if n.cut.Remembered[i].Object == o.Key {
			n.cut.Remembered[i] = w
		}
	}
	for i := range n.cut.Tracked {
		if n.cut.Tracked[i].Object != o.Key {
			continue
		}
		n.cut.Tracked[i] = w
		if n.cut.Marked {
			n.decide(env, w)
			n.finishCut(env)
		}
		return
	}
}

// decide decides the side of a tracked object (1.10), in one step or in two.
func (n *node) decide(env *sim.Env, w watch) {
	if !n.DecideEnd {
		n.record(env, w)
		n.untrack(w.Object)
		return
	}
	if n.DropFirst {
		n.untrack(w.Object)
	}
	env.Later(settleSide{n.cut.ID, w})
}

// onSettleSide is the second step, where deciding has two.
func (n *node) onSettleSide(env *sim.Env, m settleSide) {
	if m.Cut != n.cut.ID || n.cut.Finished {
		return
	}
	n.record(env, m.Watch)
	n.untrack(m.Watch.Object)
	n.finishCut(env)
}

func (n *node) untrack(k key) {
	n.cut.Tracked = those(n.cut.Tracked, func(w watch) bool { return w.Object != k })
}

// record is rules 1 to 6 of 1.10.
func (n *node) record(env *sim.Env, w watch) {
	side, why := n.sideOf(w)
	switch side {
	case sideFailed:
		env.Note(decided{Cut: n.cut.ID, Object: w.Object, Failed: why})
		n.failCut(env, "inconsistent: "+why)
	case sideBefore:
		n.cut.Included = withTx(n.cut.Included, w.Object.txID)
		env.Note(decided{Cut: n.cut.ID, Object: w.Object})
	case sideAfter:
		n.cut.Excluded = withTx(n.cut.Excluded, w.Object.txID)
		env.Note(decided{Cut: n.cut.ID, Object: w.Object, After: true})
	}
}

func withTx(list []txID, t txID) []txID {
	if slices.Contains(list, t) {
		return list
	}
	return append(slices.Clip(list), t)
}

// cutSide is what a tracked object comes to.
type cutSide uint8

const (
	sideNone cutSide = iota
	sideBefore
	sideAfter
	sideFailed
)

// sideOf is the side of an object that has ended, rule by rule.
func (n *node) sideOf(w watch) (cutSide, string) {
	late := !n.NoTopVer && w.TopVer > n.cut.TopVer+1
	switch {
	case w.State == rolledBack && n.RolledBack == harmful:
		return sideFailed, w.Object.Name + " was rolled back"
	case w.State == rolledBack && n.RolledBack != byTag: // rule 1
		return sideNone, ""
	case w.State == unknown && n.Unknown == asShipped: // rule 2
		return sideFailed, w.Object.Name + " is UNKNOWN"
	case w.State == unknown && n.Unknown == ignored, w.By == byRecovery && n.Recovered == ignored:
		return sideNone, ""
	case w.By == byRecovery && n.Recovered == asShipped: // rule 3
		return sideFailed, w.Object.Name + " was committed by recovery"
	case w.TopVer == 0: // rule 4
		return sideFailed, w.Object.Name + " was never mapped"
	case n.isAfter(w.Tag), late: // rule 5
		return sideAfter, ""
	}
	return sideBefore, "" // rule 6
}

// isAfter compares a tag with the cut.
func (n *node) isAfter(tag cutID) bool {
	switch n.Compares {
	case unequal:
		return tag != n.cut.ID
	case atLeast:
		return tag.Version >= n.cut.ID.Version || tag == (cutID{})
	}
	if n.Counter {
		return tag.Version == n.cut.ID.Version
	}
	return tag == n.cut.ID
}

// finishCut writes FINISH once nothing is waited for any more.
func (n *node) finishCut(env *sim.Env) {
	c := &n.cut
	if !c.Marked || c.Finished || c.Failed != "" || len(c.Tracked) > 0 && !n.Hasty {
		return
	}
	c.Finished = true
	r := finishRecord{Cut: c.ID, Included: c.Included, Excluded: c.Excluded}
	switch n.Sets {
	case onlyIncluded:
		r.Excluded = nil
	case onlyExcluded:
		r.Included = nil
	}
	env.Disk.Append(r)
	env.Disk.Sync()
	n.processLocal(env)
}

// failCut: the local part of the cut is inconsistent. There is no FINISH, and the node signs on
// until the process ends (Q18).
func (n *node) failCut(env *sim.Env, why string) {
	c := &n.cut
	if c.ID == (cutID{}) || c.Finished || c.Failed != "" || !n.baseline() {
		return
	}
	c.Failed = why
	env.Note(failedCut{c.ID, why})
	n.processLocal(env)
}

// unsign switches signing off.
func (n *node) unsign(env *sim.Env) {
	if n.cut.Signing {
		env.Note(unsigned{n.cut.ID})
	}
	n.cut.Signing, n.cut.Readable = false, false
}

// forgetCut ends the node's part in the cut.
func (n *node) forgetCut(env *sim.Env) {
	if n.cut.ID != (cutID{}) {
		env.Note(forgot{n.cut.ID})
	}
	if n.SignsOn {
		n.newest = n.cut.ID
	}
	n.cut = cut{}
}
