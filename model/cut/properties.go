package cut

import (
	"fmt"
	"strconv"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// properties are those of every cut, and two of this model's own.
func properties() []sim.Property {
	return append(Cuts.Properties(),
		sim.Property{
			Name:  "durable",
			Doc:   "what a node said is on its disk at the end, and what it told others is on its own",
			Class: sim.DetectedLoss,
			Scope: sim.ScopeEnd,
			Check: durable,
		},
		sim.Property{
			Name:  "termination",
			Doc:   "a cut under way ends: complete on every member, unless one gave it up",
			Layer: 3,
			Class: sim.Stopped,
			Scope: sim.ScopeEnd,
			Check: termination,
		},
	)
}

// Cuts is how a checker reads this model: transactions and cuts from facts, versions from facts and
// from messages.
var Cuts = checker.CutModel{
	Point:   pointOf,
	Draws:   func(b sim.Body) bool { return b.Kind() == "marker" },
	Version: versionOf,
	Adopt: func(b sim.Body) (int64, bool) {
		a, ok := b.(adopted)
		return int64(a.Version), ok
	},
	Stamp: func(b sim.Body) (int64, bool) {
		s, ok := b.(signed)
		return int64(s.Version), ok
	},
	Commit: func(b sim.Body) (string, bool) {
		c, ok := b.(committed)
		return c.Tx, ok
	},
	InChannel: notified,
	Channel: func(b sim.Body) (checker.Recorded, bool) {
		c, ok := b.(channel)
		return checker.Recorded{Cut: strconv.Itoa(c.Cut), What: c.Tx}, ok
	},
	Complete: func(b sim.Body) (string, bool) {
		c, ok := b.(complete)
		return strconv.Itoa(c.Cut), ok
	},
	Abandon: func(b sim.Body) (string, bool) {
		a, ok := b.(abandoned)
		return strconv.Itoa(a.Cut), ok
	},
	Due: notified,
}

// versionOf is the version that a node has from a fact on.
func versionOf(b sim.Body) (version int64, ok bool) {
	switch f := b.(type) {
	case point:
		return int64(f.Cut), true
	case adopted:
		return int64(f.Version), true
	}
	return 0, false
}

// notified is the transaction that a message tells of.
func notified(m sim.Body) (tx string, ok bool) {
	if s, wrapped := m.(signed); wrapped {
		m = s.Message
	}
	n, ok := m.(notify)
	return n.Tx, ok
}

// pointOf is the cut whose point a fact draws.
func pointOf(b sim.Body) (cut string, ok bool) {
	p, ok := b.(point)
	return strconv.Itoa(p.Cut), ok
}

// durable: a fact is said once its record is safe, and a transaction is told of once it is on the
// disk of its origin.
func durable(run *sim.Run) (premises int, v *sim.Violation) {
	disks := make([]map[string]bool, len(run.Nodes))
	for i := range disks {
		disks[i] = held(run.Disks[i])
	}
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntryNoted {
			continue
		}
		owner, what := e.Node, name(e.Body)
		if what == "" {
			continue
		}
		premises++
		if !disks[owner][what] {
			return premises, lost(run, i, owner, what)
		}
		if c, ok := e.Body.(committed); ok && !disks[c.Origin][what] {
			return premises, lost(run, i, c.Origin, what)
		}
	}
	return premises, nil
}

func lost(run *sim.Run, entry int, owner sim.NodeID, what string) *sim.Violation {
	return &sim.Violation{
		Reason: fmt.Sprintf("%s has said %q, but the disk of %s does not have it",
			run.Name(run.Trace[entry].Node), what, run.Name(owner)),
		Witness: []int{entry},
	}
}

// name names a fact that is kept, "" for one that is not.
func name(b sim.Body) string {
	switch f := b.(type) {
	case committed:
		return "committed " + f.Tx
	case point:
		return "point " + strconv.Itoa(f.Cut)
	}
	return ""
}

// held is what a disk holds, by name.
func held(d sim.Disk) map[string]bool {
	names := map[string]bool{}
	for lsn := d.First(); lsn <= d.Last(); lsn++ {
		if r := name(d.At(lsn)); r != "" {
			names[r] = true
		}
	}
	return names
}
