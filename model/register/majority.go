package register

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// reply is that a node has replied to a phase.
type reply struct {
	phase phase
	from  sim.NodeID
}

// majority looks for the reply of each node that a phase has counted. That of the coordinator
// itself needs no message.
func majority(run *sim.Run) (premises int, v *sim.Violation) {
	came := map[reply]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if p, ok := replyTo(e); ok {
			came[reply{p, e.Peer}] = true
		}
		q, ok := e.Body.(quorum)
		if !ok || e.Kind != sim.EntryNoted {
			continue
		}
		premises++
		came[reply{q.Phase, e.Node}] = true
		if why := missing(run, q, came); why != "" {
			return premises, &sim.Violation{
				Reason:  fmt.Sprintf("%s ends %v %s %s", run.Name(e.Node), q.Phase.Round, q.Key, why),
				Witness: []int{i},
			}
		}
	}
	return premises, nil
}

// replyTo is the phase that a delivered message replies to.
func replyTo(e *sim.Entry) (p phase, ok bool) {
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
	if n := len(run.Plan.Nodes); 2*len(q.Of) <= n {
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
			both := []int{first.entry, i}
			return premises, &sim.Violation{
				Reason:  fmt.Sprintf("two writes of %s have the tag %v", ver.Key, ver.Tag),
				Witness: both,
				Clash:   both,
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
