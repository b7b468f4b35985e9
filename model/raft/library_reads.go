package raft

import (
	"slices"
	"strconv"

	etcd "go.etcd.io/raft/v3"

	"github.com/downset/downset/sim"
)

// awaited is a read that waits: for an index, then for its entry to be applied.
type awaited struct {
	ID      ReadID
	Context string
	Index   int64 // -1: not known
}

// Read asks the leader for an index.
func (l *library) Read(env *sim.Env, id ReadID) error {
	if l.failed || l.outside() {
		return ErrNoLeader
	}
	r := awaited{id, l.context(id), -1}
	l.reads = append(l.reads, r)
	env.Note(Asked{ID: id})
	l.node.ReadIndex([]byte(r.Context))
	l.work(env)
	return nil
}

// LeaseRead reads at this leader's commit index.
func (l *library) LeaseRead(env *sim.Env, id ReadID) error {
	switch {
	case l.failed || !l.said.leads:
		return ErrNotLeader
	case !l.leased(env) || l.store.term(l.said.commit) != l.said.led:
		return ErrNotAble
	}
	env.Note(Asked{ID: id, Lease: true})
	env.Note(Served{id, l.said.commit, true})
	l.reads = append(l.reads, awaited{ID: id, Index: l.said.commit})
	l.serve()
	return nil
}

// answer takes the indexes that the library has got.
func (l *library) answer(env *sim.Env, states []etcd.ReadState) {
	for _, s := range states {
		context := string(s.RequestCtx)
		i := slices.IndexFunc(l.reads, func(r awaited) bool {
			return r.Index < 0 && r.Context == context
		})
		if i >= 0 {
			l.reads[i].Index = int64(s.Index)
			env.Note(Served{l.reads[i].ID, int64(s.Index), false})
		}
	}
	l.serve()
}

// serve lets reads be served whose index is applied.
func (l *library) serve() {
	waits := l.reads[:0]
	for _, r := range l.reads {
		if r.Index >= 0 && r.Index <= l.applied {
			l.events = append(l.events, Readable{r.ID, r.Index})
		} else {
			waits = append(waits, r)
		}
	}
	l.reads = waits
}

// context is what the library calls a read: no two of one node have the same, in all its lives.
func (l *library) context(id ReadID) string {
	return strconv.FormatInt(int64(l.life), 36) + " " + strconv.FormatInt(int64(id), 36)
}
