package sim

import (
	"fmt"
	"slices"
	"time"
)

// eventKind is what a pending event is.
type eventKind uint8

const (
	evNone     eventKind = iota // taken back
	evDatagram                  // body from from to to
	evStream                    // the same, on a stream; n its epoch
	evOwn                       // own work of node
	evRequest                   // call n reaches node
	evAnswer                    // the answer of call n reaches its client
	evTimer                     // timer body of node; n its generation
	evSync                      // node's disk becomes durable up to n
	evTold                      // node is told of it
	// body gets its place on the log lane; n is 1+member for joins, leaves
	evSequence
	evLogged  // node consumes position n of the log lane
	evOpened  // node is told that a stream is up; n its epoch
	evBroken  // node is told that a stream broke; n its epoch
	evReopen  // a stream comes up again
	evRestart // node restarts after a crash by chance
	evDetect  // node's absence is noticed
	evTimeout // the client of call n gives up
	evLoad    // action n of the plan's load
	evMember  // node hears that from joined (n=1) or left (n=0)
	evDurable // node hears that its disk is durable up to n
	evTurn    // client n may go on
)

// event is something pending. It lives in World.slab; the queue holds its place.
type event struct {
	body   Body
	n      int64
	low    int64  // of a sync: durable before it
	h      uint64 // name of its decisions
	sum    uint64 // in a walk: digest of what led to it
	marks  uint64 // which counting patterns it is the n-th match of
	cause  int32
	inc    int32 // incarnation of node that it is meant for
	ord    int32 // of its name
	fifo   int32 // index of World.fifos, or -1
	stream int32 // index of World.streams, or -1
	from   NodeID
	to     NodeID
	lane   Lane   // of a stream
	node   NodeID // whose machine or disk takes it; Nobody for the world's own
	what   eventKind
	idle   bool // descends from periodic timers only
	sync   bool // of a sync and its telling: the node waits for it
	failed bool // of a sync: it fails
	passed bool // it may pass: neither a hold nor a partition stops it again
	met    bool // the triggers just before it have had their turn
}

// fifo is a channel that keeps its order.
type fifo struct {
	last   Time  // nothing on it may come earlier
	parked int32 // events on it that are held
}

// schedule puts an event into the queue.
func (w *World) schedule(at Time, e *event) int32 {
	if at < w.now {
		panic("sim: event in the past")
	}
	if e.fifo >= 0 {
		f := &w.fifos[e.fifo]
		at = max(at, f.last)
		f.last = at
	}
	if len(w.counted) > 0 && e.what != evTimer { // a timer is counted when it is set
		w.count(e)
	}
	slot := w.place(e)
	if w.walk != nil && w.walk.nth != nil {
		w.walk.countPlaced(w, slot)
	}
	w.seq++
	w.queue.push(item{at, w.seq, slot})
	return slot
}

// soon makes an event the next of this instant, after those that are already.
func (w *World) soon(e *event) {
	if len(w.counted) > 0 && e.what != evTimer {
		w.count(e)
	}
	w.urgent = append(w.urgent, w.place(e))
}

func (w *World) place(e *event) int32 {
	if !e.idle {
		w.busy++
	}
	if w.walk != nil && e.sum == 0 {
		e.sum = w.walk.causeSum(e.cause)
	}
	if k := len(w.free); k > 0 {
		slot := w.free[k-1]
		w.free = w.free[:k-1]
		w.slab[slot] = *e
		return slot
	}
	w.slab = append(w.slab, *e)
	return int32(len(w.slab) - 1)
}

// step takes the next event, if there is one up to limit. It says whether there was.
func (w *World) step(limit Time) (bool, error) {
	if (w.opt.Fork != nil || w.opt.Steps) && w.boundary() {
		return true, nil // limit was that of the run before it forked
	}
	slot, ok := w.next(min(limit, w.deadline))
	if !ok {
		return false, w.overrun(limit)
	}
	e := &w.slab[slot]
	if !e.idle {
		w.busy--
	}
	if e.what == evNone {
		w.discard(slot)
		return true, nil
	}
	if (len(w.holds) > 0 || len(w.parked) > 0 || w.cuts.active) && w.screen(slot, e) {
		return true, nil
	}
	taken := *e
	w.discard(slot)
	w.events++
	if w.walk != nil {
		w.walk.handed = taken.sum
	}
	w.dispatch(&taken)
	if w.halts() {
		return true, errHalt
	}
	return true, w.withinBudget()
}

// next is the slot of the next event up to limit; the clock moves to it.
func (w *World) next(limit Time) (int32, bool) {
	if w.head < len(w.urgent) {
		slot := w.urgent[w.head]
		if w.head++; w.head == len(w.urgent) {
			w.urgent, w.head = w.urgent[:0], 0
		}
		return slot, true
	}
	for w.queue.len() > 0 && w.queue.items[0].at <= limit {
		it := w.queue.pop()
		if w.slab[it.slot].what == evNone {
			w.discard(it.slot) // it was taken back: not even time passes for it
			continue
		}
		w.now = max(w.now, it.at)
		return it.slot, true
	}
	return 0, false
}

// discard frees a slot.
func (w *World) discard(slot int32) {
	w.slab[slot] = event{}
	w.free = append(w.free, slot)
}

// withinBudget says whether the run may go on.
func (w *World) withinBudget() error {
	switch {
	case w.events > w.limit.Events, w.now > w.deadline:
		return w.overrun(never)
	case w.events&1023 == 0:
		return w.withinMemory()
	}
	return nil
}

// withinMemory is withinBudget for memory alone, which is looked at now and then.
func (w *World) withinMemory() error {
	if w.memory() <= w.limit.Bytes {
		return nil
	}
	return w.exceed(fmt.Sprintf("%d bytes of memory were not enough", w.limit.Bytes))
}

// overrun says which budget is used up: of events, or of time, by what was handled or by what would
// be, up to limit. It is nil if none is.
func (w *World) overrun(limit Time) error {
	if w.events > w.limit.Events {
		return w.exceed(fmt.Sprintf("%d events were not enough", w.limit.Events))
	}
	late := w.now > w.deadline
	for i := 0; i < len(w.queue.items) && limit > w.deadline; i++ {
		it := &w.queue.items[i]
		late = late || it.at <= limit && w.slab[it.slot].what != evNone
	}
	if !late {
		return nil
	}
	return w.exceed(fmt.Sprintf("%v of virtual time were not enough", w.limit.Time))
}

// exceed ends the run, with what would have come next, or what kept it from settling.
func (w *World) exceed(why string) error {
	w.why = why
	if what := w.pending(); what != "" {
		w.why += "; next would be " + what
	} else if what := w.renewal(); what != "" {
		w.why += "; " + what
	}
	return errBudget
}

// memory estimates what trace, pending events and disks take.
func (w *World) memory() int64 {
	sum := int64(w.entries)*48 + int64(len(w.slab))*120
	for i := range w.nodes {
		sum += int64(len(w.nodes[i].disk.records)) * 64
	}
	return sum
}

// pending describes the next event that keeps the world from settling, "" if there is none.
func (w *World) pending() string {
	for _, slot := range w.flying(func(e *event) bool { return !e.idle }) {
		if !slices.Contains(w.parked, slot) {
			return w.describe(&w.slab[slot])
		}
	}
	return ""
}

// describe is an event in the words of a pattern.
func (w *World) describe(e *event) string {
	text := w.end(e.from) + "->" + w.end(e.to)
	if e.body != nil {
		text += " " + Text(labelledBody{e.body})
	}
	return text
}

// labelledBody shows a body by kind and keys, whatever its String says: as patterns name it.
type labelledBody struct{ Body }

// Keys are the body's.
func (l labelledBody) Keys() []string { return KeysOf(l.Body) }

// later is now plus d, or the end of time.
func (w *World) later(d time.Duration) Time {
	if at := w.now.Add(d); at >= w.now {
		return at
	}
	return never
}

// dispatch lets an event happen.
func (w *World) dispatch(e *event) {
	switch e.what {
	case evDatagram, evStream, evOwn, evRequest, evTimer, evLogged, evOpened, evBroken, evMember,
		evDurable:
		w.hand(e)
	case evSync:
		w.syncDone(e)
	case evTold:
		w.syncTold(e)
	case evAnswer:
		w.answered(e)
	case evSequence:
		w.sequence(e)
	case evReopen:
		w.reopen(e)
	case evRestart:
		w.restartByChance(e)
	case evDetect:
		w.detected(e)
	case evTimeout:
		w.timeout(e)
	case evLoad:
		w.loadDue(e)
	case evTurn:
		w.takeTurn(int(e.n))
	case evNone:
	default:
		panic(fmt.Sprintf("sim: event kind %d", e.what))
	}
}
