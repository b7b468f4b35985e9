package raft

import (
	"fmt"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/downset/downset/sim"
)

// wireMessage is a message of the library as it travels. The library hands out pointers, shares
// entries between messages and logs, and rewrites some messages in place; so it is copied when it
// leaves, and made anew where it arrives. Data of entries is shared: nobody ever changes it.
type wireMessage struct {
	Type           raftpb.MessageType
	Term           uint64
	LogTerm, Index uint64
	Commit         uint64
	Entries        []wireEntry
	Snapshot       sim.Record // a Snapshot, or nil
	Reject         bool
	Hint           uint64
	Context        string
	Sent           sim.Time // of a heartbeat: the leader's clock; its answer says it again
}

// wireEntry is an entry as it travels: as we have it, and the bytes that the library has.
type wireEntry struct {
	Entry
	Data []byte
}

// wireKinds are the kinds of messages, by the library's type.
var wireKinds = [...]string{
	raftpb.MsgProp:          "propose",
	raftpb.MsgApp:           "append",
	raftpb.MsgAppResp:       "appended",
	raftpb.MsgVote:          "request-vote",
	raftpb.MsgVoteResp:      "voted",
	raftpb.MsgSnap:          "install-snapshot",
	raftpb.MsgHeartbeat:     "heartbeat",
	raftpb.MsgHeartbeatResp: "heard",
	raftpb.MsgTimeoutNow:    "timeout-now",
	raftpb.MsgReadIndex:     "read-index",
	raftpb.MsgReadIndexResp: "read-at",
	raftpb.MsgPreVote:       "pre-vote",
	raftpb.MsgPreVoteResp:   "pre-voted",
}

// Kind is what it is for: "append", "request-vote". An append without entries is a "heartbeat".
func (m wireMessage) Kind() string {
	switch {
	case m.Type == raftpb.MsgApp && len(m.Entries) == 0:
		return "heartbeat"
	case m.Type == raftpb.MsgAppResp && m.Reject:
		return "rejected"
	}
	return wireKinds[m.Type]
}

// Keys are the term, and the place of the first entry or of the snapshot; of what is forwarded to
// the leader, those of the command.
func (m wireMessage) Keys() []string {
	switch {
	case m.Type == raftpb.MsgProp:
		return sim.KeysOf(m.Entries[0].Command)
	case m.Term == 0:
		return nil
	case m.Type == raftpb.MsgApp && len(m.Entries) > 0:
		return placed(m.Entries[0].Index, int64(m.Term))
	case m.Type == raftpb.MsgSnap:
		return placed(m.Snapshot.(Snapshot).Index, int64(m.Term))
	}
	return named(int64(m.Term), "")
}

// refusesPreVote says that it tells a node not to become a candidate.
func (m wireMessage) refusesPreVote() bool { return m.Type == raftpb.MsgPreVoteResp && m.Reject }

// String is "append of term 2 after 5 of term 1: 6 of term 2: put x 1".
func (m wireMessage) String() string {
	text := m.Kind()
	if m.Term > 0 {
		text += fmt.Sprintf(" of term %d", m.Term)
	}
	switch m.Type {
	case raftpb.MsgApp:
		text += fmt.Sprintf(" after %d of term %d", m.Index, m.LogTerm)
		for i := range m.Entries {
			text += fmt.Sprintf(", %v", m.Entries[i].Entry)
		}
		text += fmt.Sprintf("; committed %d", m.Commit)
	case raftpb.MsgAppResp:
		text += fmt.Sprintf(" %d", m.Index)
	case raftpb.MsgVote, raftpb.MsgPreVote:
		text += fmt.Sprintf(", last %d of term %d", m.Index, m.LogTerm)
	case raftpb.MsgSnap:
		text += fmt.Sprintf(" up to %d", m.Snapshot.(Snapshot).Index)
	case raftpb.MsgProp:
		text += " " + sim.Text(m.Entries[0].Command)
	case raftpb.MsgPreVoteResp, raftpb.MsgVoteResp:
		if m.Reject {
			text += ", refused"
		}
	}
	return text
}

// wire is a message of the library, ready to travel; false if what it is about is gone.
func (l *library) wire(m *raftpb.Message) (w wireMessage, ok bool) {
	w = wireMessage{Type: m.GetType(), Term: m.GetTerm(), LogTerm: m.GetLogTerm(),
		Index: m.GetIndex(), Commit: m.GetCommit(), Reject: m.GetReject(), Hint: m.GetRejectHint(),
		Context: string(m.GetContext())}
	list := m.GetEntries()
	switch {
	case w.Type == raftpb.MsgReadIndex || w.Type == raftpb.MsgReadIndexResp:
		w.Context = string(list[0].GetData()) // this entry is none
	case w.Type == raftpb.MsgSnap:
		w.Snapshot = l.store.snap
		return w, l.store.snap.Index == int64(m.GetSnapshot().GetMetadata().GetIndex()) &&
			l.fits(nodeOf(m.GetTo()))
	case len(list) > 0:
		w.Entries = make([]wireEntry, len(list))
		for i, e := range list {
			w.Entries[i] = wireEntry{l.entry(e), e.GetData()}
		}
	}
	return w, true
}

// fits says that a node could begin with the snapshot that there is. The library ignores one whose
// configuration lacks it: so a newer one is wanted.
func (l *library) fits(to sim.NodeID) bool {
	fits := l.store.snap.Members.Has(to) || l.rules.OldSnapshot
	if s := &l.store; !fits && l.said.wanted < s.snap.Index {
		l.said.wanted = s.snap.Index
		l.events = append(l.events, Wanted{})
	}
	return fits
}

// message is what a message that came says to the library.
func (m *wireMessage) message(from, to sim.NodeID) *raftpb.Message {
	p := &raftpb.Message{Type: m.Type.Enum(), From: new(raftID(from)), To: new(raftID(to)),
		Term: some(m.Term), LogTerm: some(m.LogTerm), Index: some(m.Index), Commit: some(m.Commit),
		RejectHint: some(m.Hint)}
	if m.Reject {
		p.Reject = new(true)
	}
	switch {
	case m.Type == raftpb.MsgReadIndex || m.Type == raftpb.MsgReadIndexResp:
		p.Entries = []*raftpb.Entry{{Data: []byte(m.Context)}}
	case m.Context != "":
		p.Context = []byte(m.Context)
	}
	if s, ok := m.Snapshot.(Snapshot); ok {
		p.Snapshot = s.proto()
	}
	if n := len(m.Entries); n > 0 {
		p.Entries = make([]*raftpb.Entry, n)
		for i := range m.Entries {
			p.Entries[i] = m.Entries[i].proto()
		}
	}
	return p
}

// some is a number that may be left out if it is 0.
func some(n uint64) *uint64 {
	if n == 0 {
		return nil
	}
	return &n
}

// proto is the entry as the library has it.
func (e *wireEntry) proto() *raftpb.Entry {
	p := &raftpb.Entry{Index: some(uint64(e.Index)), Term: some(uint64(e.Term)), Data: e.Data}
	if _, ok := e.Command.(Members); ok {
		p.Type = raftpb.EntryConfChangeV2.Enum()
	}
	return p
}

// proto is the snapshot as the library has it. What it is of stays with us.
func (s Snapshot) proto() *raftpb.Snapshot {
	return &raftpb.Snapshot{Metadata: &raftpb.SnapshotMetadata{Index: new(uint64(s.Index)),
		Term: new(uint64(s.Term)), ConfState: s.Members.confState()}}
}
