package raft

import (
	"errors"
	"slices"

	etcd "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"github.com/downset/downset/sim"
)

// storage is the library's etcd.Storage. It is what the node reads; what would be left of it after
// a crash is what the disk says, where all of it is written as records.
type storage struct {
	hard   HardState
	snap   Snapshot        // Index 0: none, and Members are the founders
	log    []*raftpb.Entry // what follows it, as the library has it
	logged []Entry         // the same, as we have it
	at     []sim.LSN       // the same: where on the disk
	commit int64           // what is known to be committed when a life begins
}

// load reads the disk. A torn record is none. Entries that do not follow what is there were written
// beyond one that is torn.
func (s *storage) load(d sim.Disk) {
	if snap, ok := d.Snapshot().(Snapshot); ok {
		s.snap, s.hard = snap, snap.Hard
	}
	for n := d.First(); n <= d.Last(); n++ {
		switch r := d.At(n).(type) {
		case HardState:
			if r.Term >= s.hard.Term {
				s.hard = r
			}
		case Logged:
			if r.Index > s.snap.Index && r.Index <= s.last()+1 {
				s.put(r.Entry, nil, n)
			}
		}
	}
}

// encode gives the entries that were read the bytes that the library has.
func (s *storage) encode(c Codec) {
	m := s.snap.Members
	for i, e := range s.logged {
		w := wireEntry{Entry: e}
		switch command := e.Command.(type) {
		case Noop:
		case Members:
			w.Data = changeBytes(m.change(command))
			m = command
		default:
			w.Data = c.Encode(command)
		}
		s.log[i] = w.proto()
	}
}

// put writes an entry. All behind it go. Who holds a part of the log keeps what it was.
func (s *storage) put(e Entry, p *raftpb.Entry, at sim.LSN) {
	i := int(e.Index - s.snap.Index - 1)
	if i < len(s.log) {
		s.log = s.log[:i:i]
	}
	s.log = append(s.log, p)
	s.logged = append(s.logged[:i], e)
	s.at = append(s.at[:i], at)
}

// compact puts a snapshot of the log in the place of what it has.
func (s *storage) compact(snap Snapshot) {
	gone := snap.Index - s.snap.Index
	s.log, s.logged = slices.Clone(s.log[gone:]), slices.Clone(s.logged[gone:])
	s.at, s.snap = slices.Clone(s.at[gone:]), snap
}

// install puts a snapshot that came in the place of all.
func (s *storage) install(snap Snapshot) {
	s.snap, s.log, s.logged, s.at = snap, nil, nil, nil
}

func (s *storage) last() int64 { return s.snap.Index + int64(len(s.logged)) }

// term is the term of an entry, 0 if it is not there.
func (s *storage) term(index int64) int64 {
	switch {
	case index == s.snap.Index:
		return s.snap.Term
	case index < s.snap.Index || index > s.last():
		return 0
	}
	return s.logged[index-s.snap.Index-1].Term
}

// members is the configuration that governs where all up to index is applied.
func (s *storage) members(index int64) Members {
	for i := index - s.snap.Index - 1; i >= 0; i-- {
		if m, ok := s.logged[i].Command.(Members); ok {
			return m
		}
	}
	return s.snap.Members
}

// changing says that the log has a configuration behind index.
func (s *storage) changing(index int64) bool {
	return slices.ContainsFunc(s.logged[index-s.snap.Index:], func(e Entry) bool {
		_, ok := e.Command.(Members)
		return ok
	})
}

// committed is the index up to which the disk shows that entries are committed. The commit index is
// not on it, and need not be; but a configuration counts for the library when it is applied, and
// nobody may campaign by one that is two steps behind, since majorities of the two need not meet. A
// leader appends a configuration when the one before is applied. So a log with two of them knows
// that the first is committed, as its node did when it wrote the second.
func (s *storage) committed() int64 {
	last, before := s.snap.Index, s.snap.Index
	for _, e := range s.logged {
		if _, ok := e.Command.(Members); ok {
			last, before = e.Index, last
		}
	}
	return before
}

// InitialState is what the library begins with.
func (s *storage) InitialState() (*raftpb.HardState, *raftpb.ConfState, error) {
	h := &raftpb.HardState{Term: new(uint64(s.hard.Term)), Commit: new(uint64(s.commit))}
	if s.hard.Term > 0 && s.hard.To != sim.Nobody {
		h.Vote = new(raftID(s.hard.To))
	}
	return h, s.snap.Members.confState(), nil
}

// Entries are some of the log, at least one.
func (s *storage) Entries(from, to, size uint64) ([]*raftpb.Entry, error) {
	first := uint64(s.snap.Index) + 1
	if from < first {
		return nil, etcd.ErrCompacted
	}
	if to > uint64(s.last())+1 {
		return nil, etcd.ErrUnavailable
	}
	list := s.log[from-first : to-first : to-first]
	for i, e := range list {
		n := uint64(len(e.GetData())) + entrySize
		if n > size && i > 0 {
			return list[:i:i], nil
		}
		size -= min(n, size)
	}
	return list, nil
}

// entrySize is an upper bound of what an entry takes besides its data.
const entrySize = 32

// Term is the term of an entry, or of the snapshot.
func (s *storage) Term(index uint64) (uint64, error) {
	switch {
	case index < uint64(s.snap.Index):
		return 0, etcd.ErrCompacted
	case index > uint64(s.last()):
		return 0, etcd.ErrUnavailable
	}
	return uint64(s.term(int64(index))), nil
}

// LastIndex is the index of the last entry.
func (s *storage) LastIndex() (uint64, error) { return uint64(s.last()), nil }

// FirstIndex is the index of the first one that is not in the snapshot.
func (s *storage) FirstIndex() (uint64, error) { return uint64(s.snap.Index) + 1, nil }

// Snapshot is the snapshot.
func (s *storage) Snapshot() (*raftpb.Snapshot, error) {
	if s.snap.Index == 0 {
		return nil, errors.New("there is no snapshot")
	}
	return s.snap.proto(), nil
}
