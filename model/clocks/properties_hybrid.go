package clocks

import (
	"fmt"
	"sort"

	"github.com/downset/downset/sim"
)

// What hybrid clocks promise; the list is in properties_stamps.go.

// hybrids are the stamped events of a run whose nodes have hybrid clocks; none if they have not.
func hybrids(run *sim.Run) *happenings {
	h := happened(run)
	if len(h.all) > 0 && h.all[0].Stamp.Hybrid.never() {
		return &happenings{run: run}
	}
	return h
}

// hybridAhead looks at each stamp beside its node's clock and, within a life of its node, the stamp
// before it.
func hybridAhead(run *sim.Run) (premises int, v *sim.Violation) {
	h := hybrids(run)
	for _, events := range h.of {
		for i, e := range events {
			premises++
			if e.Stamp.Hybrid.Wall < e.Stamp.Physical {
				return premises, &sim.Violation{Witness: []int{e.Entry}, Reason: fmt.Sprintf(
					"%s is at %v, behind its node's clock, which shows %v", h.name(e),
					e.Stamp.Hybrid, e.Stamp.Physical)}
			}
			if i == 0 || e.What == starts {
				continue
			}
			if d := events[i-1]; d.Stamp.Hybrid.Compare(e.Stamp.Hybrid) >= 0 {
				return premises, h.hybridBreaks(d, e)
			}
		}
	}
	return premises, nil
}

// hybridBreaks says of two events, of which one happened before the other, that their hybrid stamps
// are not in order.
func (h *happenings) hybridBreaks(d, e *happening) *sim.Violation {
	return h.breaks(d, e, fmt.Sprintf("%v is not below %v", d.Stamp.Hybrid, e.Stamp.Hybrid))
}

// hybridOrder looks at the last event of each other node before each event; hybridAhead and
// hybridRestart look at those of its own.
func hybridOrder(run *sim.Run) (premises int, v *sim.Violation) {
	h := hybrids(run)
	for _, e := range h.all {
		for _, d := range h.lasts(e) {
			if d.Node == e.Node {
				continue
			}
			premises++
			if d.Stamp.Hybrid.Compare(e.Stamp.Hybrid) >= 0 {
				return premises, h.hybridBreaks(d, e)
			}
		}
	}
	return premises, nil
}

// hybridDrift compares the physical part of each stamp with what it has to be.
func hybridDrift(run *sim.Run) (premises int, v *sim.Violation) {
	h := hybrids(run)
	for _, e := range h.all {
		premises++
		if e.Stamp.Hybrid.Wall != e.Top {
			return premises, &sim.Violation{Witness: []int{e.Entry}, Reason: fmt.Sprintf(
				"%s is at %v, but the greatest that a clock has shown, then or before it, is %v",
				h.name(e), e.Stamp.Hybrid, e.Top)}
		}
	}
	return premises, nil
}

// hybridLogical counts, for each event, those before it with the same physical part.
func hybridLogical(run *sim.Run) (premises int, v *sim.Violation) {
	type wall struct {
		node sim.NodeID
		at   sim.Time
	}
	h, same := hybrids(run), map[wall][]int{} // the events of a node with it, by their numbers
	for _, e := range h.all {
		for _, s := range append(e.Unsaid, e.Stamp) {
			w := wall{e.Node, s.Hybrid.Wall}
			same[w] = append(same[w], e.Nth)
		}
	}
	for _, e := range h.all {
		premises++
		n := int64(-1) // itself
		for node, past := range e.Past {
			n += int64(sort.SearchInts(same[wall{sim.NodeID(node), e.Stamp.Hybrid.Wall}], past+1))
		}
		if e.Stamp.Hybrid.Logical > n {
			return premises, &sim.Violation{Witness: []int{e.Entry}, Reason: fmt.Sprintf(
				"%s is at %v, and there are %d events with that physical part before it", h.name(e),
				e.Stamp.Hybrid, n)}
		}
	}
	return premises, nil
}

// hybridLimit looks for a stamp that is too far ahead of its node's clock, without having been so
// before.
func hybridLimit(run *sim.Run) (premises int, v *sim.Violation) {
	h, offset := hybrids(run), layoutOf(run.Plan.Setup).MaxOffset
	for _, events := range h.of {
		for i, e := range events {
			// A start goes on from what is on the disk, which a crash may have kept from being said.
			if i == 0 || e.What == starts {
				continue
			}
			premises++
			d := events[i-1]
			ahead := e.Stamp.Hybrid.Ahead(e.Stamp.Physical)
			if ahead > offset && e.Stamp.Hybrid.Wall > d.Stamp.Hybrid.Wall {
				return premises, &sim.Violation{Witness: []int{d.Entry, e.Entry},
					Reason: fmt.Sprintf(
						"%s moves its hybrid clock from %v to %v, which is %v ahead of its "+
							"clock, by more than %v", h.name(e), d.Stamp.Hybrid, e.Stamp.Hybrid, ahead, offset)}
			}
		}
	}
	return premises, nil
}

// hybridRestart compares the stamp of each start but the first with the greatest before it.
func hybridRestart(run *sim.Run) (premises int, v *sim.Violation) {
	h := hybrids(run)
	for _, events := range h.of {
		var top *happening
		for _, e := range events {
			above := top == nil || top.Stamp.Hybrid.Compare(e.Stamp.Hybrid) < 0
			if e.What == starts && top != nil {
				premises++
			}
			if e.What == starts && !above {
				return premises, h.hybridBreaks(top, e)
			}
			if above {
				top = e
			}
		}
	}
	return premises, nil
}
