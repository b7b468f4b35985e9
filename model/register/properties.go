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
		_, fits := result.(wrote)
		return checker.Access{Key: op.Key, What: checker.Writes, Value: op.Value}, fits
	case read:
		g, fits := result.(got)
		return checker.Access{Key: op.Key, What: checker.Reads, Value: g.Value}, fits
	}
	return checker.Access{}, false
}

// atMajority counts, at each return, the nodes that have said that they have what is returned, or
// something newer. A register that was never written is nowhere.
func atMajority(run *sim.Run) (premises int, v *sim.Violation) {
	has := map[replica]tag{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if s, ok := e.Body.(stored); ok && e.Kind == sim.EntryNoted {
			r := replica{e.Node, s.Key}
			has[r] = newest(has[r], s.Tag)
		}
		key, t, ok := told(e)
		if !ok {
			continue
		}
		premises++
		n, nodes := 0, run.Plan.Nodes
		for id := range nodes {
			if !has[replica{sim.NodeID(id), key}].less(t) {
				n++
			}
		}
		if 2*n <= len(nodes) {
			return premises, &sim.Violation{
				Reason: fmt.Sprintf("a client is told %v of %s, which %d of %d nodes have",
					t, key, n, len(nodes)),
				Witness: []int{i},
			}
		}
	}
	return premises, nil
}

// told is the tag that a client is told, or told of.
func told(e *sim.Entry) (key string, t tag, ok bool) {
	if e.Kind != sim.EntryReturned {
		return "", tag{}, false
	}
	switch b := e.Body.(type) {
	case wrote:
		return b.Key, b.Tag, true
	case got:
		return b.Key, b.Tag, b.Tag != tag{}
	}
	return "", tag{}, false
}

// answers looks for calls that a node took up and never answered. A crash ends the calls of a node,
// and what is lost on the way from a node to its client is not the node's fault.
func answers(run *sim.Run) (premises int, v *sim.Violation) {
	if !mostUp(run) {
		return 0, nil
	}
	var waits []int // by call: where it was taken up, -1 if it has ended
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryInvoked:
			waits = append(waits, -1)
		case sim.EntryArrived:
			premises++
			waits[e.N-1] = i
		case sim.EntrySent:
			if e.Peer == sim.ClientEnd {
				waits[e.N-1] = -1
			}
		case sim.EntryReturned, sim.EntryRefused, sim.EntryLate:
			waits[e.N-1] = -1
		case sim.EntryCrashed:
			waits = ended(run, waits, e.Node)
		}
	}
	for _, at := range waits {
		if at >= 0 {
			return premises, &sim.Violation{
				Reason: fmt.Sprintf("%s never answers %s", run.Name(run.Trace[at].Node),
					sim.Text(run.Trace[at].Body)),
				Witness: []int{at},
			}
		}
	}
	return premises, nil
}

// mostUp says that a majority is up at the end.
func mostUp(run *sim.Run) bool {
	up := make([]bool, len(run.Nodes))
	for i := range run.Trace {
		switch e := &run.Trace[i]; e.Kind {
		case sim.EntryStarted:
			up[e.Node] = true
		case sim.EntryCrashed, sim.EntryLeft:
			up[e.Node] = false
		}
	}
	n := 0
	for _, isUp := range up {
		if isUp {
			n++
		}
	}
	return 2*n > len(up)
}

// ended ends the calls of a node that crashed.
func ended(run *sim.Run, waits []int, node sim.NodeID) []int {
	for call, at := range waits {
		if at >= 0 && run.Trace[at].Node == node {
			waits[call] = -1
		}
	}
	return waits
}
