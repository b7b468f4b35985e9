package register

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// replica is a register on a node.
type replica struct {
	node sim.NodeID
	key  string
}

// since is a tag, and the entry that it is known from.
type since struct {
	tag   tag
	entry int
}

// durable follows what each node has written and synced. What it finds after a restart is on its
// disk.
func durable(run *sim.Run) (premises int, v *sim.Violation) {
	safe := map[replica]tag{}
	cached := make([][]int, len(run.Nodes)) // by node: entries that wrote what is not synced yet
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryAppended:
			cached[e.Node] = append(cached[e.Node], i)
		case sim.EntrySynced:
			cached[e.Node] = synced(run, cached[e.Node], e.N, safe)
		case sim.EntryCrashed:
			cached[e.Node] = nil
		}
		r, t, says := said(run, e)
		if !says || t == (tag{}) {
			continue
		}
		if premises++; e.Kind == sim.EntryNoted && afterStart(run, e) {
			safe[r] = newest(safe[r], t)
			continue
		}
		if safe[r].less(t) {
			return premises, &sim.Violation{
				Reason: fmt.Sprintf("%s says that it has %v of %s, but its disk may lose it",
					run.Name(e.Node), t, r.key),
				Witness: []int{i},
			}
		}
	}
	return premises, nil
}

// synced moves what is durable up to an LSN from cached to safe.
func synced(run *sim.Run, cached []int, lsn int64, safe map[replica]tag) []int {
	k := 0
	for ; k < len(cached) && run.Trace[cached[k]].N <= lsn; k++ {
		e := &run.Trace[cached[k]]
		if s, ok := e.Body.(stored); ok {
			r := replica{e.Node, s.Key}
			safe[r] = newest(safe[r], s.Tag)
		}
	}
	return cached[k:]
}

// said is a tag that a node says it has: in a fact, or to another node that counts on it.
func said(run *sim.Run, e *sim.Entry) (r replica, t tag, says bool) {
	switch b := e.Body.(type) {
	case stored:
		if e.Kind == sim.EntryNoted {
			return replica{e.Node, b.Key}, b.Tag, true
		}
	case ack:
		if e.Kind == sim.EntrySent {
			return replica{e.Node, b.Key}, b.Tag, true
		}
	}
	return replica{}, tag{}, false
}

func afterStart(run *sim.Run, e *sim.Entry) bool {
	return e.Cause >= 0 && run.Trace[e.Cause].Kind == sim.EntryStarted
}

func newest(a, b tag) tag {
	if a.less(b) {
		return b
	}
	return a
}

// tagsGrow compares what a node has with what it had said before: with what it stores or finds on
// its disk, and with what it answers.
func tagsGrow(run *sim.Run) (premises int, v *sim.Violation) {
	high := map[replica]since{}
	for i := range run.Trace {
		e := &run.Trace[i]
		r, t, says := said(run, e)
		has := says && e.Kind == sim.EntryNoted
		if a, ok := e.Body.(answer); ok && e.Kind == sim.EntrySent {
			r, t, says, has = replica{e.Node, a.Key}, a.Tag, true, true
		}
		if !says {
			continue
		}
		before, known := high[r]
		if known && has {
			premises++
		}
		if known && has && t.less(before.tag) {
			return premises, &sim.Violation{
				Reason: fmt.Sprintf("%s has %v of %s, and had said that it has %v",
					run.Name(e.Node), t, r.key, before.tag),
				Witness: []int{before.entry, i},
			}
		}
		if !known || before.tag.less(t) {
			high[r] = since{t, i}
		}
	}
	return premises, nil
}
