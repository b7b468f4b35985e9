package register

import (
	"fmt"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// properties are what clients are promised, and below it what that rests on.
func properties() []sim.Property {
	linearizable := checker.Linearizable(checker.Registers(access))
	linearizable.Layer = 2
	return []sim.Property{
		{Name: "durable", Class: sim.DetectedLoss, Check: durable,
			Doc: "a node says that it has a version once its disk keeps it"},
		{Name: "tags-grow", Class: sim.DetectedLoss, Check: tagsGrow,
			Doc: "the version of a register on a node is never older than one that it had said it has"},
		{Name: "majority", Class: sim.Silent, Check: majority,
			Doc: "a phase ends with the replies to it of more than half of the nodes"},
		{Name: "one-tag", Class: sim.Silent, Check: oneTag,
			Doc: "no two writes have the same tag, and no tag two values"},
		{Name: "at-majority", Class: sim.Silent, Layer: 1, Check: atMajority,
			Doc: "what a client is told, read or written, is then at a majority, or something newer is"},
		linearizable,
		{Name: "answers", Class: sim.Stopped, Scope: sim.ScopeEnd, Layer: 3, Check: answers,
			Doc: "in the end every call is answered but those whose node crashed, if a majority is up"},
	}
}

// access is how a checker reads an operation.
func access(op sim.Op, result sim.Body) (checker.Access, bool) {
	switch op := op.(type) {
	case write:
		_, fits := result.(ok)
		return checker.Access{Key: op.Key, What: checker.Writes, Value: op.Value}, fits
	case read:
		g, fits := result.(got)
		return checker.Access{Key: op.Key, What: checker.Reads, Value: g.Value}, fits
	}
	return checker.Access{}, false
}

// copy is a register on a node.
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
		if s, is := e.Body.(stored); is {
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
		if a, is := e.Body.(answer); is && e.Kind == sim.EntrySent {
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

// reply is that a node has replied to a phase.
type reply struct {
	phase phase
	from  sim.NodeID
}

// majority looks for the reply of each node that a phase has counted. The coordinator's own needs no
// message.
func majority(run *sim.Run) (premises int, v *sim.Violation) {
	came := map[reply]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if p, is := replyTo(e); is {
			came[reply{p, e.Peer}] = true
		}
		q, is := e.Body.(quorum)
		if !is || e.Kind != sim.EntryNoted {
			continue
		}
		premises++
		came[reply{q.Phase, e.Node}] = true
		if why := missing(run, q, came); why != "" {
			return premises, &sim.Violation{
				Reason: fmt.Sprintf("%s ends %v %s %s", run.Name(e.Node), q.Phase.Round, q.Key, why),
				Witness: []int{i},
			}
		}
	}
	return premises, nil
}

// replyTo is the phase that a delivered message replies to.
func replyTo(e *sim.Entry) (p phase, is bool) {
	if e.Kind != sim.EntryDelivered {
		return phase{}, false
	}
	switch m := e.Body.(type) {
	case answer:
		return m.Phase, m.Phase.Round == querying
	case ack:
		return m.Phase, m.Phase.Round == storing
	}
	return phase{}, false
}

// missing says what a quorum lacks, "" if nothing.
func missing(run *sim.Run, q quorum, came map[reply]bool) string {
	for k, id := range q.Of {
		if !came[reply{q.Phase, id}] {
			return "with a reply of " + run.Name(id) + " that never came"
		}
		for _, other := range q.Of[:k] {
			if other == id {
				return "with two replies of " + run.Name(id)
			}
		}
	}
	if n := len(run.Nodes); 2*len(q.Of) <= n {
		return fmt.Sprintf("with %d of %d replies", len(q.Of), n)
	}
	return ""
}

// origin is what a tag belongs to: one write, with one value.
type origin struct {
	call  sim.CallID // 0 where only the value is known
	value string
	entry int
}

// oneTag compares all that is said of one tag.
func oneTag(run *sim.Run) (premises int, v *sim.Violation) {
	type name struct {
		key string
		tag tag
	}
	of := map[name]origin{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntryNoted {
			continue
		}
		var ver version
		o := origin{entry: i}
		switch f := e.Body.(type) {
		case stored:
			ver = f.version
		case chosen:
			ver, o.call = f.version, f.Call
		default:
			continue
		}
		premises++
		o.value = ver.Value
		first, known := of[name{ver.Key, ver.Tag}]
		if known && o.contradicts(first) {
			return premises, &sim.Violation{
				Reason:  fmt.Sprintf("two writes of %s have the tag %v", ver.Key, ver.Tag),
				Witness: []int{first.entry, i},
			}
		}
		if !known || first.call == 0 {
			of[name{ver.Key, ver.Tag}] = o
		}
	}
	return premises, nil
}

func (o origin) contradicts(first origin) bool {
	return o.value != first.value || o.call != 0 && first.call != 0 && o.call != first.call
}

// atMajority counts, at each return, the nodes that have said that they have what is returned, or
// something newer.
func atMajority(run *sim.Run) (premises int, v *sim.Violation) {
	has := map[replica]tag{}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryNoted:
			if s, is := e.Body.(stored); is {
				r := replica{e.Node, s.Key}
				has[r] = newest(has[r], s.Tag)
			}
		case sim.EntryReturned:
			// what is returned
		}
	}
	return premises, nil
}
