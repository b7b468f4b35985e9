package clocks

import (
	"fmt"
	"time"

	"github.com/downset/downset/sim"
)

// latencyProperties are those of measuring, of clocks as above.
func latencyProperties() []sim.Property {
	return []sim.Property{
		{Name: "latency-possible", Layer: dataLayer, Class: sim.Silent, Check: latencyPossible,
			Doc: "what a node measures is no less than nothing, and no more than went by, by " +
				"true time, between its question and the answer (E6)"},
		{Name: "self-check", Layer: dataLayer, Class: sim.Stopped, Check: selfCheck,
			Doc: "a node that stops was off from most others by more than 80 % of max-offset, " +
				"each at the time of its answer (C8)"},
		{Name: "stops-when-off", Layer: dataLayer, Class: sim.Silent, Check: stopsWhenOff,
			Doc: "a node answers no client once the clocks of more than half of the others were " +
				"off from its own, each at the time of its last answer and by more than 80 % of " +
				"max-offset and twice the error of the measurement, since it started and its " +
				"clock was last set (C8; RemoteClockMonitor.VerifyClockOffset of CockroachDB)"},
	}
}

func latencyPossible(run *sim.Run) (premises int, v *sim.Violation) {
	if !steadyClocks(run) {
		return 0, nil
	}
	asked := arrivals(run)
	for i := range run.Trace {
		e := &run.Trace[i]
		l, ok := e.Body.(latency)
		if !ok || e.Kind != sim.EntryReturned {
			continue
		}
		premises++
		from, to := asked[sim.CallID(e.N)], i
		if e.Cause >= 0 {
			to = int(e.Cause)
		}
		past := run.Trace[to].At.Sub(run.Trace[from].At)
		if l.Took < 0 || l.Took > past {
			return premises, &sim.Violation{Witness: []int{from, i}, Reason: fmt.Sprintf(
				"%s takes a message to %s to take %v, and had its answer after %v",
				run.Name(e.Node), l.To, l.Took, past)}
		}
	}
	return premises, nil
}

func selfCheck(run *sim.Run) (premises int, v *sim.Violation) {
	if !steadyClocks(run) || countFacts[stopped](run) == 0 {
		return 0, nil
	}
	clocks, most := run.Clocks(), layoutOf(run.Plan.Setup).MaxOffset/10*8
	off := make([][]bool, len(run.Nodes)) // by node and peer: it was when it was last looked at
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case nil:
			if e.Kind == sim.EntryStarted {
				off[e.Node] = make([]bool, len(run.Nodes))
			}
		case saw:
			off[e.Node][b.Peer] = trueOffset(run, clocks, i).Abs()+b.Error/500 >= most
		case stopped:
			premises++
			if n := trues(off[e.Node]); 2*n <= b.Peers {
				return premises, &sim.Violation{Witness: []int{i}, Reason: fmt.Sprintf(
					"%s stops, but of its %d peers %d are off by more than %v", run.Name(e.Node),
					b.Peers, n, most)}
			}
		}
	}
	return premises, nil
}

// stopsWhenOff counts a peer as off only if the node must have seen it, for all that the error of
// the measurement may hide; what it saw before its own clock was set it must not go by.
func stopsWhenOff(run *sim.Run) (premises int, v *sim.Violation) {
	if !steadyClocks(run) || countFacts[saw](run) == 0 {
		return 0, nil
	}
	clocks, most := run.Clocks(), layoutOf(run.Plan.Setup).MaxOffset/10*8
	off := make([][]bool, len(run.Nodes)) // by node and peer
	due := make([]int, len(run.Nodes))    // by node: where it must have stopped; 0 is nowhere
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case saw:
			off[e.Node][b.Peer] = trueOffset(run, clocks, i).Abs() > most+2*b.Error+b.Error/100
			if due[e.Node] == 0 && 2*trues(off[e.Node]) > len(run.Nodes)-1 {
				premises++
				due[e.Node] = i
			}
		case stopped:
			due[e.Node] = i
		}
		switch {
		case e.Kind == sim.EntryStarted:
			off[e.Node], due[e.Node] = make([]bool, len(run.Nodes)), 0
		case e.Kind == sim.EntryClock:
			off[e.Node] = make([]bool, len(run.Nodes))
		case e.Kind == sim.EntryReturned && due[e.Node] > 0:
			v = witnessed(v, fmt.Sprintf("%s answers, though it has stopped, or must have: "+
				"most others are off by more than %v", run.Name(e.Node), most), due[e.Node], i)
		}
	}
	return premises, v
}

// trues counts what is true.
func trues(list []bool) int {
	n := 0
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// trueOffset is by how much the clock of a peer was ahead of a node's that saw it, when the peer
// answered.
func trueOffset(run *sim.Run, clocks []sim.Time, saw int) time.Duration {
	came := int(run.Trace[saw].Cause)
	said := came
	for run.Trace[said].Kind != sim.EntrySent {
		said = int(run.Trace[said].Cause)
	}
	said = int(run.Trace[said].Cause) // where the peer looked at its clock
	theirs := clocks[said].Add(run.Trace[came].At.Sub(run.Trace[said].At))
	return theirs.Sub(clocks[came])
}
