package metastore

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// replicaProperties are about what servers make of the log.
func replicaProperties() []sim.Property {
	return []sim.Property{
		{Name: "revisions", Layer: replicaLayer, Class: sim.Silent, Check: revisions,
			Doc: "revisions grow along the log, by one at the most for each command (M1)"},
		{Name: "same-state", Layer: replicaLayer, Class: sim.Silent, Check: sameState,
			Doc: "servers that have applied the same part of the log have the same revision, the " +
				"same checksum, and the same keys (M2)"},
		{Name: "timestamps", Layer: replicaLayer, Class: sim.Silent, Check: timestamps,
			Doc: "commands have times that grow along the log (M20)"},
	}
}

// firstSaid are, by index, the first that a replica said; nil where none did.
func (l *ledger) firstSaid() []*said {
	var first []*said
	for i := range l.says {
		s := &l.says[i]
		for int64(len(first)) <= s.Index {
			first = append(first, nil)
		}
		if first[s.Index] == nil {
			first[s.Index] = s
		}
	}
	return first
}

func sameState(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	first := l.firstSaid()
	for i := range l.says {
		s := &l.says[i]
		f := first[s.Index]
		if f == s {
			continue
		}
		premises++
		if f.replica != s.replica {
			v = witnessed(v, fmt.Sprintf("with the log up to %d %s has %s, and %s has %s", s.Index,
				run.Name(f.Node), f.replica.all(), run.Name(s.Node), s.replica.all()), f.At, s.At)
		}
	}
	return premises, v
}

// all is everything that a replica says of itself.
func (f replica) all() string {
	return fmt.Sprintf("revision %d, compacted %d, checksum %x, keys %x", f.Rev, f.Compacted,
		f.Chain&0xffff, f.Digest&0xffff)
}

// revisions: what servers say is held against what was said first of the nearest index before.
func revisions(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	first := l.firstSaid()
	for i := range l.says {
		s := &l.says[i]
		before := s.Index - 1
		for before > 0 && first[before] == nil {
			before--
		}
		if before <= 0 {
			continue
		}
		premises++
		f := first[before]
		if grown := s.Rev - f.Rev; grown < 0 || grown > s.Index-before || s.Rev < s.Compacted {
			v = witnessed(v, fmt.Sprintf("the log up to %d made revision %d, compacted %d, at %s; up "+
				"to %d revision %d at %s", s.Index, s.Rev, s.Compacted, run.Name(s.Node), before, f.Rev,
				run.Name(f.Node)), f.At, s.At)
		}
	}
	return premises, v
}

func timestamps(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	last := 0
	for i := range l.entries {
		n := &l.entries[i]
		if !n.Does || n.Command.Time == 0 || n.Command.Term != n.Term {
			continue
		}
		premises++
		if was := &l.entries[last]; last > 0 && n.Command.Time <= was.Command.Time {
			v = witnessed(v, fmt.Sprintf("command %d has time %v, and %d before it %v", n.Index,
				n.Command.Time, was.Index, was.Command.Time), was.At, n.At)
		}
		last = i
	}
	return premises, v
}
