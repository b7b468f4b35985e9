package checker

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Order is the happened-before of a run, by vector clocks: program order, across the incarnations
// of a node too, and the causes that carry. Entries that are no steps of a machine (a copy made by
// the network, a place on the log lane, a loss) stand between the cause they carry and what they
// carry it to; those that carry nothing are ordered with nothing.
type Order struct {
	run  *sim.Run
	nth  []int32 // by entry: its place among its node's steps from 1, 0 if it is no step
	row  []int32 // by entry: which row of rows it has, but for its own node's component
	rows []int32 // flat; a node gets a new row only when it learns something
}

// NewOrder reads the order of a run in one pass.
func NewOrder(run *sim.Run) *Order {
	width := len(run.Nodes)
	o := &Order{
		run:  run,
		nth:  make([]int32, len(run.Trace)),
		row:  make([]int32, len(run.Trace)),
		rows: make([]int32, width, width*(1+len(run.Trace)/8)), // row 0: nothing known
	}
	known := make([]int32, width) // by node: its row
	steps := make([]int32, width) // by node: how many
	for i := range run.Trace {
		e := &run.Trace[i]
		if !isStep(run, i) {
			continue
		}
		if source, ok := origin(run.Trace, i); ok && run.Trace[source].Node != e.Node {
			known[e.Node] = o.learn(known[e.Node], source)
		}
		steps[e.Node]++
		o.nth[i] = steps[e.Node]
		o.row[i] = known[e.Node]
	}
	return o
}

// learn is the row of a node with row mine after it learnt of the step at source.
func (o *Order) learn(mine int32, source int) int32 {
	width := len(o.run.Nodes)
	from := o.run.Trace[source].Node
	mineAt, theirsAt := int(mine)*width, int(o.row[source])*width
	news := o.rows[mineAt+int(from)] < o.nth[source]
	for n := 0; n < width && !news; n++ {
		news = o.rows[mineAt+n] < o.rows[theirsAt+n]
	}
	if !news {
		return mine
	}
	at := len(o.rows)
	o.rows = append(o.rows, o.rows[mineAt:mineAt+width]...)
	joined := o.rows[at:]
	for n := range joined {
		joined[n] = max(joined[n], o.rows[theirsAt+n])
	}
	joined[from] = max(joined[from], o.nth[source])
	return int32(at / width)
}

// Clock is the vector clock of a step: by node, how many of its steps are this one or happened
// before it. It is nil for an entry that is no step.
func (o *Order) Clock(entry int) []int32 {
	if o.nth[entry] == 0 {
		return nil
	}
	width := len(o.run.Nodes)
	at := int(o.row[entry]) * width
	clock := slices.Clone(o.rows[at : at+width])
	clock[o.run.Trace[entry].Node] = o.nth[entry]
	return clock
}

// Before says that entry a happened before entry b.
func (o *Order) Before(a, b int) bool {
	if a >= b {
		return false
	}
	if o.nth[b] == 0 {
		from, ok := carried(o.run.Trace, b)
		return ok && (from == a || o.Before(a, from))
	}
	if o.nth[a] != 0 {
		return o.stepBefore(a, b)
	}
	for i := a + 1; i <= b; i++ {
		if from, ok := carried(o.run.Trace, i); ok && from == a && (i == b || o.Before(i, b)) {
			return true
		}
	}
	return false
}

// stepBefore is Before for two steps.
func (o *Order) stepBefore(a, b int) bool {
	node := o.run.Trace[a].Node
	if node == o.run.Trace[b].Node {
		return o.nth[a] < o.nth[b]
	}
	return o.rows[int(o.row[b])*len(o.run.Nodes)+int(node)] >= o.nth[a]
}

// Concurrent says that neither of two different entries happened before the other.
func (o *Order) Concurrent(a, b int) bool {
	return a != b && !o.Before(a, b) && !o.Before(b, a)
}

// isStep says that an entry is a step of a machine.
func isStep(run *sim.Run, entry int) bool {
	e := &run.Trace[entry]
	return e.Kind.Local() && int(e.Node) < len(run.Nodes)
}

// carried is the entry that an entry carries the order of.
func carried(trace sim.Trace, entry int) (int, bool) {
	e := &trace[entry]
	if !e.Kind.Carries() || e.Cause < 0 {
		return 0, false
	}
	return int(e.Cause), true
}

// origin is the step of a machine from which the order came to this entry by messages, the log lane
// or the disk: of a delivery its sending.
func origin(trace sim.Trace, entry int) (int, bool) {
	at, ok := carried(trace, entry)
	for ok && !trace[at].Kind.Local() {
		at, ok = carried(trace, at)
	}
	return at, ok
}
