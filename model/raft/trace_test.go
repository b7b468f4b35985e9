package raft_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// tape makes a run of lines like "A granted 1 B": a node, what it does, and with what. Nodes are A to
// E. Records get their LSNs, calls their numbers, from the order of the lines.
type tape struct {
	t     *testing.T
	run   *sim.Run
	now   sim.Time
	lsn   [5]int64
	calls map[string]sim.Op // by number
	sent  map[string]int32  // by label: messages and flushes
}

// taped is the run of lines, one a line or several with semicolons between. "+100ms" lets time pass.
func taped(t *testing.T, lines string) *sim.Run {
	t.Helper()
	names := []string{"A", "B", "C", "D", "E"}
	p := &tape{t: t, calls: map[string]sim.Op{},
		sent: map[string]int32{}, run: &sim.Run{Nodes: names,
			Plan: &sim.Plan{Protocol: raft.Protocol, Nodes: names}}}
	p.add(sim.Entry{Kind: sim.EntryHealed, Node: sim.Nobody, Cause: -1})
	for _, line := range strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' || r == ';' }) {
		if words := strings.Fields(line); len(words) > 0 {
			p.line(words)
		}
	}
	if p.run.Epilogue == 0 {
		p.run.Epilogue = len(p.run.Trace)
	}
	return p.run
}

func (p *tape) add(e sim.Entry) int32 {
	e.At = p.now
	if e.Peer == 0 && e.Kind != sim.EntryDelivered {
		e.Peer = sim.Nobody
	}
	p.run.Trace = append(p.run.Trace, e)
	p.run.Entries++
	return int32(len(p.run.Trace) - 1)
}

func (p *tape) line(words []string) {
	switch {
	case words[0][0] == '+':
		d, err := time.ParseDuration(words[0][1:])
		if err != nil {
			p.t.Fatal(err)
		}
		p.now = p.now.Add(d)
		return
	case words[0] == "epilogue":
		p.run.Epilogue = int(p.add(sim.Entry{Kind: sim.EntryEpilogue, Node: sim.Nobody, Cause: -1}))
		return
	case len(words) < 2:
		p.t.Fatalf("%q: want a node and what it does", words)
	}
	node, args := p.node(words[0]), words[2:]
	if body := p.fact(words[1], args); body != nil {
		p.add(sim.Entry{Kind: sim.EntryNoted, Node: node, Body: body, Cause: -1})
		return
	}
	if body := p.record(words[1], args); body != nil {
		p.lsn[node]++
		p.add(sim.Entry{Kind: sim.EntryAppended, Node: node, Body: body, N: p.lsn[node], Cause: -1})
		return
	}
	p.event(node, words[1], args)
}

func (p *tape) node(name string) sim.NodeID {
	i := slices.Index(p.run.Nodes, name)
	if i < 0 {
		p.t.Fatalf("no node %q", name)
	}
	return sim.NodeID(i)
}

func (p *tape) number(words []string, at int) int64 {
	if at >= len(words) {
		p.t.Fatalf("%q: want more", words)
	}
	n, err := strconv.ParseInt(words[at], 10, 64)
	if err != nil {
		p.t.Fatalf("%q: %v", words, err)
	}
	return n
}

// members are "A B C", "A B C before B C D", "A B learns E".
func (p *tape) members(words []string) raft.Members {
	var m raft.Members
	list := &m.Voters
	for _, w := range words {
		switch w {
		case "before":
			list = &m.Outgoing
		case "learns":
			list = &m.Learners
		default:
			*list = append(*list, p.node(w))
		}
	}
	return m
}

// command is "noop", "members A B", or "3 put x 1", of call 3.
func (p *tape) command(words []string) raft.Command {
	switch words[0] {
	case "noop":
		return raft.Noop{}
	case "members":
		return p.members(words[1:])
	}
	call := p.number(words, 0)
	c, err := raft.CommandOf(sim.CallID(call), sim.ClientID(call), words[1:]...)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

func (p *tape) op(words []string) sim.Op {
	op, err := raft.Protocol.ParseOp(words)
	if err != nil {
		p.t.Fatal(err)
	}
	return op
}

func (p *tape) entry(words []string) raft.Entry {
	return raft.Entry{Index: p.number(words, 0), Term: p.number(words, 1),
		Command: p.command(words[2:])}
}

func (p *tape) fact(what string, w []string) sim.Body {
	flag := slices.Contains(w, "lead") || slices.Contains(w, "lease")
	switch what {
	case "elected":
		return raft.Elected{Term: p.number(w, 0)}
	case "deposed":
		return raft.Deposed{Term: p.number(w, 0)}
	case "granted":
		return raft.Granted{Term: p.number(w, 0), To: p.node(w[1]), Name: w[1]}
	case "pledged":
		return raft.Pledged{Term: p.number(w, 0), Match: p.number(w, 1)}
	case "matched":
		return raft.Matched{Term: p.number(w, 0), Of: p.node(w[1]), Match: p.number(w, 2)}
	case "committed":
		return raft.Committed{Index: p.number(w, 0), Term: p.number(w, 1), Lead: flag}
	case "applied":
		return raft.Done{Entry: p.entry(w)}
	case "installed":
		return raft.Installed{Index: p.number(w, 0), Term: p.number(w, 1), Members: p.members(w[2:])}
	case "governs":
		return raft.Governs{Index: p.number(w, 0), Members: p.members(w[1:])}
	case "asked":
		return raft.Asked{ID: raft.ReadID(p.number(w, 0)), Lease: flag}
	case "served":
		return raft.Served{ID: raft.ReadID(p.number(w, 0)), Index: p.number(w, 1), Lease: flag}
	case "image":
		return raft.Image{Index: p.number(w, 0), Text: strings.Join(w[1:], " ")}
	}
	return nil
}

func (p *tape) record(what string, w []string) sim.Body {
	switch what {
	case "votes", "hard":
		h := raft.HardState{Term: p.number(w, 0), To: sim.Nobody}
		if len(w) > 1 {
			h.To, h.Name = p.node(w[1]), w[1]
		}
		return h
	case "logs":
		return raft.Logged{Entry: p.entry(w)}
	}
	return nil
}

func (p *tape) event(node sim.NodeID, what string, w []string) {
	e := sim.Entry{Node: node, Cause: -1}
	switch what {
	case "starts":
		e.Kind = sim.EntryStarted
	case "crashes": // and loses so many records
		e.Kind = sim.EntryCrashed
		if len(w) > 0 {
			e.N = p.number(w, 0)
			p.lsn[node] -= e.N
		}
	case "syncs":
		e.Kind, e.N = sim.EntrySynced, p.lsn[node]
	case "fires":
		e.Kind = sim.EntryFired
	case "resumes":
		e.Kind = sim.EntryResumed
	case "loses-disk":
		e.Kind, e.N = sim.EntryDisk, int64(sim.DiskLost)
		p.lsn[node] = 0
	case "jumps":
		e.Kind, e.N = sim.EntryClock, 1
	case "flushes": // a label, for "flushed"
		e.Kind, e.N = sim.EntryFlushed, p.lsn[node]
		p.sent[w[0]] = p.add(e)
		return
	case "flushed":
		e.Kind, e.Cause = sim.EntrySynced, p.sent[w[0]]
		e.N = p.run.Trace[e.Cause].N
	case "replaces": // 2 1 hard 1 A has A B C: all its records by a snapshot
		at := slices.Index(w, "has")
		e.Kind, e.N = sim.EntryReplaced, p.lsn[node]
		e.Body = raft.Snapshot{Index: p.number(w, 0), Term: p.number(w, 1), Members: p.members(w[at+1:]),
			Hard: p.record("hard", w[3:at]).(raft.HardState)}
	case "sends", "copies": // a label, for "hears"
		if e.Kind = sim.EntrySent; what == "copies" {
			e.Kind = sim.EntryCopied
		}
		p.sent[w[0]] = p.add(e)
		return
	case "hears": // a node, and the label of what it sent
		e.Kind, e.Peer = sim.EntryDelivered, p.node(w[0])
		e.Cause = p.sent[w[1]]
		if len(w) > 2 {
			e.Body = raft.Refusal()
		}
	case "replaces-member":
		e.Kind, e.Body = sim.EntryNoted, raft.Replaces{}
	default:
		p.call(e, what, w)
		return
	}
	p.add(e)
}

// call is "asks 1 put x 1", "takes 1", "answers 1 wrote 3", "forgets 1".
func (p *tape) call(e sim.Entry, what string, w []string) {
	e.Peer, e.N = sim.ClientEnd, p.number(w, 0)
	switch what {
	case "asks":
		p.run.Clients = append(p.run.Clients, sim.ClientID(e.N))
		p.calls[w[0]] = p.op(w[1:])
		e.Kind, e.Body = sim.EntryInvoked, p.calls[w[0]]
	case "takes":
		e.Kind, e.Body = sim.EntryArrived, p.calls[w[0]]
	case "forgets":
		e.Kind = sim.EntryUnknown
	case "answers":
		e.Kind, e.Body = sim.EntryReturned, p.result(w[1:])
	default:
		p.t.Fatalf("nobody %s", what)
	}
	p.add(e)
}

func (p *tape) result(w []string) sim.Body {
	switch w[0] {
	case "wrote":
		return raft.Wrote(p.number(w, 1))
	case "got":
		value := w[1]
		if value == "empty" {
			value = ""
		}
		return raft.Read(value, p.number(w, 2))
	case "swapped":
		return raft.Swapped(w[1] == "yes", p.number(w, 2))
	case "changed":
		return raft.Changed(p.number(w, 1))
	}
	p.t.Fatalf("no result %q", w)
	return nil
}

// lead are the lines of a group of A, B and C in which one of them is elected in a term by the first
// voter besides, and has the first so many entries from before.
func lead(term int, leader, voter string) string {
	return fmt.Sprintf(`%[2]s hard %[1]d %[2]s; %[2]s syncs; %[2]s granted %[1]d %[2]s
		%[3]s hard %[1]d %[2]s; %[3]s syncs; %[3]s granted %[1]d %[2]s; %[2]s elected %[1]d;`, term,
		leader, voter)
}

// entry are those in which a leader appends, and another has it, so that it is committed.
func entry(index, term int, leader, other, command string) string {
	return fmt.Sprintf(`%[3]s logs %[1]d %[2]d %[5]s; %[3]s syncs; %[3]s pledged %[2]d %[1]d
		%[4]s logs %[1]d %[2]d %[5]s; %[4]s syncs; %[4]s pledged %[2]d %[1]d
		%[3]s matched %[2]d %[4]s %[1]d; %[3]s committed %[1]d %[2]d lead
		%[3]s applied %[1]d %[2]d %[5]s; %[4]s committed %[1]d %[2]d
		%[4]s applied %[1]d %[2]d %[5]s;`, index, term, leader, other, command)
}

// group is how every run here begins.
const group = `A starts; A governs 0 A B C; B starts; B governs 0 A B C; C starts; C governs 0 A B C;`
