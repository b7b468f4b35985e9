package raft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// What can be seen of a node:
//
//	leader       yes or no
//	term         its term
//	commit       up to where it knows the log to be committed
//	members      the configuration that it goes by: "A B C", "A B D, before A B C, learns E"
//	log          what its disk has: "1.- 1.x=1 2.y=2", each the term and what is to be done; where
//	             it is cut, "..4" first, the index up to which the snapshot stands
//	value x      of each key that a client asked for, what it has applied
//	reads x      what reads through this node gave, in order, but for those of the end
//
// A node that is down shows what it had, one that has restarted what it has found.
var shows = []string{"leader", "term", "commit", "members", "log", "value", "reads"}

// view is what a run says of one node.
type view struct {
	run          *sim.Run
	node         sim.NodeID
	lead         bool
	term, commit int64
	members      Members
	state        store
	reads        []shown
}

// shown is what the reads of one key gave.
type shown struct {
	key    string
	values []string
}

func observe(run *sim.Run) []sim.Observation {
	views := make([]view, len(run.Nodes))
	for i := range views {
		views[i] = view{run: run, node: sim.NodeID(i)}
	}
	var keys []string
	asked := map[int64]string{} // which key a read is of
	for i := range run.Trace {
		e := &run.Trace[i]
		switch {
		case int(e.Node) >= len(views):
		case e.Kind == sim.EntryInvoked && i < run.Epilogue:
			if key := keyOf(e.Body); key != "" && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			if op, reads := e.Body.(get); reads {
				asked[e.N] = op.Key
			}
		case e.Kind == sim.EntryReturned && asked[e.N] != "":
			views[e.Node].read(asked[e.N], e.Body)
		default:
			views[e.Node].see(e)
		}
	}
	var seen []sim.Observation
	for i := range views {
		seen = append(seen, views[i].show(keys)...)
	}
	return seen
}

// keyOf is the key that a request is about, "" if it is about none.
func keyOf(op sim.Op) string {
	switch op := op.(type) {
	case put:
		return op.Key
	case get:
		return op.Key
	case cas:
		return op.Key
	}
	return ""
}

func (v *view) read(key string, result sim.Body) {
	r, ok := result.(got)
	if !ok {
		return
	}
	i := slices.IndexFunc(v.reads, func(s shown) bool { return s.key == key })
	if i < 0 {
		i, v.reads = len(v.reads), append(v.reads, shown{key: key})
	}
	v.reads[i].values = append(v.reads[i].values, orEmpty(r.Value))
}

// see takes in what a node says or writes.
func (v *view) see(e *sim.Entry) {
	switch e.Kind {
	case sim.EntryStarted:
		v.lead, v.commit, v.state = false, 0, store{}
	case sim.EntryAppended:
		if h, ok := e.Body.(HardState); ok {
			v.term = max(v.term, h.Term)
		}
	case sim.EntryNoted:
		v.hear(e.Body)
	}
}

func (v *view) hear(f sim.Fact) {
	switch f := f.(type) {
	case Elected:
		v.lead, v.term = true, max(v.term, f.Term)
	case Deposed:
		v.lead, v.term = false, max(v.term, f.Term)
	case Granted:
		v.term = max(v.term, f.Term)
	case Committed:
		v.commit = f.Index
	case Installed:
		v.commit = max(v.commit, f.Index)
	case Governs:
		v.members = f.Members
	case Image:
		v.state = f.State.copied()
	case Done:
		if c, ok := f.Command.(command); ok {
			v.state.apply(f.Index, c, &nodeRules{})
		}
	}
}

func (v *view) show(keys []string) []sim.Observation {
	var seen []sim.Observation
	say := func(name, value string) {
		seen = append(seen, sim.Observation{Node: v.run.Name(v.node), Name: name, Value: value})
	}
	say("leader", map[bool]string{true: "yes", false: "no"}[v.lead])
	say("term", strconv.FormatInt(v.term, 10))
	say("commit", strconv.FormatInt(v.commit, 10))
	say("members", v.members.Text(v.run.Name))
	say("log", v.log())
	for _, key := range keys {
		say("value "+key, orEmpty(v.state.value(key)))
	}
	for _, s := range v.reads {
		say("reads "+s.key, strings.Join(s.values, " "))
	}
	return seen
}

// log is what the disk of a node has.
func (v *view) log() string {
	d := v.run.Disks[v.node]
	var words []string
	cut := int64(0)
	if s, ok := d.Snapshot().(Snapshot); ok {
		cut = s.Index
		words = append(words, fmt.Sprintf("..%d", cut))
	}
	var log []Entry
	for lsn := d.First(); lsn <= d.Last(); lsn++ {
		if l, ok := d.At(lsn).(Logged); ok && l.Index > cut {
			log = append(upTo(log, l.Index), l.Entry)
		}
	}
	for _, e := range log {
		words = append(words, v.word(e))
	}
	return strings.Join(words, " ")
}

// upTo is what of a log stays before an entry with an index.
func upTo(log []Entry, index int64) []Entry {
	return slices.DeleteFunc(log, func(e Entry) bool { return e.Index >= index })
}

// word is an entry in a word.
func (v *view) word(e Entry) string {
	what := "-"
	switch c := e.Command.(type) {
	case Members:
		names := strings.NewReplacer(", ", "/", " ", "+").Replace(c.Text(v.run.Name))
		what = "[" + names + "]"
	case command:
		switch op := c.Op.(type) {
		case put:
			what = op.Key + "=" + op.Value
		case get:
			what = op.Key + "?"
		case cas:
			what = op.Key + ":" + orEmpty(op.Old) + ">" + op.New
		}
	}
	return fmt.Sprintf("%d.%s", e.Term, what)
}
