package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// The guarantees of sessions (Terry and others, Session guarantees for weakly consistent replicated
// data, 1994), by key. The session is that of a node and ends with a crash of it, or when it is
// told to forget. "Or later" is: or a version that descends from it. Of what is read its value will
// do.

func sessionProperties() []sim.Property {
	return []sim.Property{
		{Name: "writes-follow-reads", Layer: judgeLayer, Class: sim.Silent,
			Check: func(run *sim.Run) (int, *sim.Violation) { return visits(run, writesFollow) },
			Doc: "a session's put is made with what the session has read of its key as seen, or " +
				"something later"},
		{Name: "monotonic-writes", Layer: judgeLayer, Class: sim.Silent,
			Check: func(run *sim.Run) (int, *sim.Violation) { return visits(run, writesGrow) },
			Doc: "a session's put is made with its own earlier puts of its key as seen, or " +
				"something later"},
		{Name: "read-your-writes", Layer: sessionLayer,
			Check: func(run *sim.Run) (int, *sim.Violation) { return visits(run, readsWrites) },
			Doc:   "a session that was told of its put reads it afterwards, or something later"},
		{Name: "monotonic-reads", Layer: sessionLayer,
			Check: func(run *sim.Run) (int, *sim.Violation) { return visits(run, readsGrow) },
			Doc:   "what a session has read it reads again, or something later"},
	}
}

// visit is an operation of a session: a get with what it returned, or a put.
type visit struct {
	put  bool
	key  string
	ids  []sim.CallID // that it returned, or its one
	seen []sim.CallID // of a put: what its session sent as seen
	// entries: when the session took it up, and when it was told; -1 if never
	begun, ended int
	life         int // the entry with which its session began
	node         sim.NodeID
}

// visitsOf are the operations of all sessions on the store, in the order in which they began.
func visitsOf(run *sim.Run) []visit {
	var list []visit
	at := map[int64]int{}
	life := make([]int, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryStarted:
			life[e.Node] = i
		case sim.EntryArrived:
			at[e.N] = len(list)
			list = append(list, visit{begun: i, ended: -1, life: life[e.Node], node: e.Node})
		case sim.EntryNoted:
			if b, ok := e.Body.(intends); ok {
				list[at[int64(b.Call)]].sent(b)
			} else if _, ends := e.Body.(forgot); ends {
				life[e.Node] = i
			}
		case sim.EntryReturned:
			if k, known := at[e.N]; known {
				list[k].told(e.Body, i)
			}
		}
	}
	return slices.DeleteFunc(list, func(v visit) bool { return v.key == "" })
}

// sent takes in that the session has sent a put.
func (v *visit) sent(b intends) {
	v.put, v.key, v.seen, v.ids = true, b.Key, b.Seen, []sim.CallID{b.Call}
}

// told takes in what the client was told.
func (v *visit) told(result sim.Body, entry int) {
	switch b := result.(type) {
	case got:
		v.key, v.ids, v.ended = b.Key, b.IDs, entry
	case wrote:
		v.ended = entry
	}
}

// pairing is a guarantee about an operation that had ended before another of its session began:
// that it is about them, and what a must be found in of b.
type pairing func(a, b *visit) (concerns bool, in []sim.CallID, says string)

func writesFollow(a, b *visit) (concerns bool, in []sim.CallID, says string) {
	return !a.put && b.put, b.seen, "had read v%d of %s, and puts v%d without having seen it"
}

func writesGrow(a, b *visit) (concerns bool, in []sim.CallID, says string) {
	return a.put && b.put, b.seen, "had put v%d of %s, and puts v%d without having seen it"
}

func readsWrites(a, b *visit) (concerns bool, in []sim.CallID, says string) {
	return a.put && !b.put && b.ended >= 0, b.ids,
		"had put v%d of %s, and does not read it, nor anything that descends from it"
}

func readsGrow(a, b *visit) (concerns bool, in []sim.CallID, says string) {
	return !a.put && !b.put && b.ended >= 0, b.ids,
		"had read v%d of %s, and does not read it again, nor anything that descends from it"
}

// visits goes through the pairs of operations of each session on one key.
func visits(run *sim.Run, pair pairing) (premises int, v *sim.Violation) {
	l, list := ledgerOf(run), visitsOf(run)
	for j := range list {
		for i := range list[:j] {
			n, v := l.compare(&list[i], &list[j], pair)
			if premises += n; v != nil {
				return premises, v
			}
		}
	}
	return premises, nil
}

// compare holds a guarantee against two operations.
func (l *ledger) compare(a, b *visit, pair pairing) (premises int, v *sim.Violation) {
	if a.node != b.node || a.life != b.life || a.key != b.key || a.ended < 0 || a.ended > b.begun {
		return 0, nil
	}
	concerns, in, says := pair(a, b)
	if !concerns {
		return 0, nil
	}
	for _, id := range a.ids {
		premises++
		if b.put && l.kept(id, in) || !b.put && !l.lost(id, in) {
			continue
		}
		text := fmt.Sprintf(says, id, a.key)
		if b.put {
			text = fmt.Sprintf(says, id, a.key, b.ids[0])
		}
		return premises, &sim.Violation{Count: 1,
			Reason:  fmt.Sprintf("a session of %s %s", l.run.Name(b.node), text),
			Witness: sorted(a.ended, b.begun, b.ended)}
	}
	return premises, nil
}
