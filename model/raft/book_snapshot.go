package raft

import (
	"fmt"

	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// celled is a snapshot: on a disk, or installed.
type celled struct {
	Snapshot
	entry int32
	node  sim.NodeID
}

// pictured is what a state machine was at an index.
type pictured struct {
	Image
	entry int32
	node  sim.NodeID
}

// cell is a snapshot that a node puts in the place of its log. One that is older than the one
// before takes it back: R16.
func (b *book) cell(n *nodeBook, at int32, s *Snapshot) {
	b.cells = append(b.cells, celled{*s, at, n.id})
	if was := &n.disk.cache; s.Index < was.base {
		b.premise(cSnapshotTrue)
		b.clash(cSnapshotTrue, was.cell, at, fmt.Sprintf("%s puts a snapshot at %d in the place of "+
			"the one at %d", b.name(n.id), s.Index, was.base))
	}
}

// installed is a snapshot of a leader that a node has taken over: R16.
func (b *book) installed(n *nodeBook, at int32, f Installed) {
	b.reach(gInstalled)
	b.premise(cSnapshotTrue)
	if f.Index < n.applied {
		b.fails(cSnapshotTrue, []int32{n.appliedAt, at}, "%s takes over a snapshot at %d, and has "+
			"applied entry %d", b.name(n.id), f.Index, n.applied)
	}
	n.applied, n.appliedAt = f.Index, at
	if f.Index > n.commit {
		n.commit, n.commitAt = f.Index, at
	}
	b.cells = append(b.cells, celled{Snapshot{Index: f.Index, Term: f.Term, Members: f.Members}, at,
		n.id})
}

// snapshots judges at the end: R16. The log is that of all that was committed.
func (b *book) snapshots() {
	for k := range b.cells {
		b.snapshot(&b.cells[k])
	}
	slices.SortStableFunc(b.images, func(x, y pictured) int { return int(x.Index - y.Index) })
	p := newReplay(b)
	for k := range b.images {
		m := &b.images[k]
		b.premise(cSnapshotTrue)
		if m.Index > int64(len(b.commits)) {
			b.fails(cSnapshotTrue, []int32{m.entry}, "%s has the state at %d, and no leader has found "+
				"that committed", b.name(m.node), m.Index)
			continue
		}
		p.upTo(m.Index)
		says, _, _ := strings.Cut(" "+m.Text+" ", " sessions ")
		if is := p.text(); strings.TrimSpace(says) != is {
			b.fails(cSnapshotTrue, []int32{m.entry}, "%s has the state %q at %d, where the committed "+
				"log comes to %q", b.name(m.node), m.Text, m.Index, is)
		}
		if k > 0 && b.images[k-1].Index == m.Index && b.images[k-1].Text != m.Text {
			o := &b.images[k-1]
			b.clash(cSnapshotTrue, o.entry, m.entry, fmt.Sprintf("the state at %d is %q on %s, and %q on "+
				"%s", m.Index, o.Text, b.name(o.node), m.Text, b.name(m.node)))
		}
	}
}

// snapshot compares one with the committed log.
func (b *book) snapshot(s *celled) {
	b.premise(cSnapshotTrue)
	if s.Index > int64(len(b.commits)) || s.Index < 1 {
		b.fails(cSnapshotTrue, []int32{s.entry}, "%s has a snapshot at %d, and no leader has found "+
			"that committed", b.name(s.node), s.Index)
		return
	}
	c := &b.commits[s.Index-1]
	if c.term >= 0 && s.Term != c.term {
		b.fails(cSnapshotTrue, []int32{c.by, s.entry}, "%s has a snapshot at %d of term %d, where the "+
			"committed entry is of term %d", b.name(s.node), s.Index, s.Term, c.term)
	}
	is, ok := b.agreed(s.Index)
	if ok && !is.members.Equal(s.Members) {
		b.fails(cSnapshotTrue, []int32{is.entry, s.entry}, "%s has a snapshot at %d with the "+
			"configuration %q, and that there is %q", b.name(s.node), s.Index,
			s.Members.Text(b.name), is.members.Text(b.name))
	}
}
