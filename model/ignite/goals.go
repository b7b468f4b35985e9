package ignite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// goalNames are the situations that a campaign must reach, so that a clean result means something;
// the six kinds of message that carry the cut have two each beside these.
var goalNames = []struct{ name, doc string }{
	{"brought-start", "discovery brought a node into a cut"},
	{"start-late", "a node consumed the start of a cut that a message had brought it into"},
	{"collected-near", "a cut collected a near object"},
	{"collected-primary", "a cut collected a primary object"},
	{"collected-backup", "a cut collected a backup object"},
	{"collected-preparing", "a cut collected an object that was PREPARING, so it waited for a lock"},
	{"collected-prepared", "a cut collected an object that was PREPARED"},
	{"collected-committing", "a cut collected an object whose data records were written"},
	{"collected-marked", "a cut collected an object that was marked for rollback"},
	{"collected-rolled-back", "a transaction that a cut had collected rolled back"},
	{"remembered", "a cut collected an object that had committed since the node entered the cut"},
	{"skipped-suspended", "a node entered a cut and had a SUSPENDED transaction"},
	{"skipped-active", "a node entered a cut and had an ACTIVE transaction"},
	{"included", "FINISH included a transaction"},
	{"excluded", "FINISH excluded a transaction"},
	{"both-sets", "FINISH included a transaction and excluded another"},
	{"both-sides", "the logs of a cut that succeeded had a transaction before and another after"},
	{"excluded-before-start", "FINISH excluded a transaction whose data records are before START"},
	{"one-phase-included", "FINISH included a transaction of one phase"},
	{"one-phase-excluded", "FINISH excluded a transaction of one phase"},
	{"two-roles", "a cut collected two objects of one transaction on one node"},
	{"late-topology", "a transaction was excluded because it was mapped on a newer topology"},
	{"cut-succeeded", "a cut succeeded"},
	{"two-cuts-succeeded", "two cuts of a run succeeded"},
	{"back-to-back", "a cut was entered while a transaction was open that had seen another cut end"},
	{"asked-while-running", "a cut was asked for while another ran, and refused"},
	{"failed-inconsistent", "the local part of a cut was inconsistent"},
	{"failed-by-leave", "a cut failed, and a baseline node had left"},
	{"failed-by-initiator", "a cut failed, and its initiator had left"},
	{"failed-by-refusal", "a cut failed, and a node had refused it"},
	{"drained", "signing ended on a node with unfinished transactions, which the end waited for"},
	{"ended-by-another", "the end of a cut was published by another node than its first stage"},
	{"joined-in-cut", "a node joined while a cut ran"},
	{"client-left-in-cut", "a client with an open transaction left while a cut ran"},
	{"recovered-commit-in-cut", "recovery committed a transaction on a node in a cut"},
	{"recovered-rollback-in-cut", "recovery rolled a transaction back on a node in a cut"},
	{"asked-near", "recovery asked the near node"},
	{"asked-all", "recovery asked whether all is prepared"},
	{"voted-yes", "a node promised that all is prepared on it"},
	{"voted-no", "a node promised that not all is"},
	{"checked-backup", "near asked a backup for the outcome, after the loss of a primary"},
	{"one-phase-alone", "a transaction of one phase without backups committed"},
	{"one-phase-backed", "a transaction of one phase with a backup committed"},
	{"demoted", "a primary made two phases of one"},
	{"colocated", "a near node was a primary of its transaction, of two phases"},
	{"refused-to-prepare", "a participant answered that it cannot prepare"},
	{"unknown-in-cut", "a transaction ended UNKNOWN on a node in a cut"},
	{"answered-early", "a client heard of a commit before all had committed"},
	{"increments-forbidden", "a cut was refused because data and log differ on a node"},
	{"rebalanced", "a node that had been away took a partition over from another"},
	{"based", "a full snapshot was made, from which increments count anew"},
	{"restored", "a node restored a cut"},
}

// signedKinds are the kinds of message that carry the cut.
var signedKinds = []string{"NPQ", "NPR", "NFQ", "DPQ", "DPR", "DFQ"}

// goalList are all goals.
func goalList() []sim.Goal {
	var list []sim.Goal
	add := func(name, doc string) {
		list = append(list, sim.Goal{Name: name, Doc: doc,
			Count: func(run *sim.Run) int { return scoresOf(run).hits[name] }})
	}
	for _, k := range signedKinds {
		add("brought-"+k, fmt.Sprintf("%s brought its receiver into a cut, which it would have crossed "+
			"backwards", k))
		add("crossed-"+k, fmt.Sprintf("%s was sent before a cut and taken up after it", k))
	}
	for _, g := range goalNames {
		add(g.name, g.doc)
	}
	return list
}

// scores counts the situations of a run in one pass over its trace.
type scores struct {
	run    *sim.Run
	layout *layout
	hits   map[string]int
	nodes  []stance
	cuts   map[cutID]*ran
	order  []*ran // the same, in the order of first mention
	txs    map[txID]*met
	sentIn map[int32]cutID // by sending: the cut that the sender was in
	open   int             // nodes in a cut
	good   int             // cuts that succeeded
}

// stance is how things stand on a node.
type stance struct {
	cut     cutID
	tracked []key
	started bool // START of the cut is written
	objects []seenObject
	early   []txID // with data records since it entered the cut and before START
}

// ran is a cut under way.
type ran struct {
	topVer    int64
	baseline  []sim.NodeID
	initiator sim.NodeID
	started   sim.NodeID // that published the first stage
	refused   bool
	left      []sim.NodeID // since it was listed
	sides     [2]bool      // whether FINISH or data was before, after
	ended     bool
}

// met is what is known of a transaction.
type met struct {
	mapping mapping
	demoted bool
	sawEnd  bool // it was open as a cut ended
}

// scoresKey is under what the goals share the scores.
type scoresKey struct{}

func scoresOf(run *sim.Run) *scores {
	if t, ok := run.Memo[scoresKey{}].(*scores); ok && t.run == run {
		return t
	}
	t := &scores{run: run, layout: layoutOf(run.Plan.Setup, len(run.Plan.Nodes)),
		hits: map[string]int{}, nodes: make([]stance, len(run.Nodes)), cuts: map[cutID]*ran{},
		txs: map[txID]*met{}, sentIn: map[int32]cutID{}}
	for i := range run.Trace {
		if e := &run.Trace[i]; int(e.Node) < len(t.nodes) {
			t.see(int32(i), e)
		}
	}
	if run.Memo != nil {
		run.Memo[scoresKey{}] = t
	}
	return t
}

// hit counts a situation, if it is there.
func (t *scores) hit(name string, there bool) {
	if there {
		t.hits[name]++
	}
}

func (t *scores) see(i int32, e *sim.Entry) {
	s := &t.nodes[e.Node]
	switch e.Kind {
	case sim.EntrySent:
		t.sent(i, e, s)
	case sim.EntryDelivered:
		t.delivered(e, s)
	case sim.EntryLogged:
		t.hit("start-late", e.Body.Kind() == "start" && s.cut != cutID{})
	case sim.EntryCrashed, sim.EntryLeft:
		t.fell(e.Node, s)
	case sim.EntryJoined:
		t.hit("joined-in-cut", t.open > 0)
	case sim.EntryAppended:
		t.appended(e, s)
	case sim.EntryNoted:
		t.noted(e, s)
	case sim.EntryReturned:
		t.returned(e)
	}
}

func (t *scores) sent(i int32, e *sim.Entry, s *stance) {
	t.sentIn[i] = s.cut
	switch m := unwrap(e.Body).(type) {
	case rq:
		t.hit("asked-near", m.Near)
		t.hit("asked-all", !m.Near)
	case ccq:
		t.hit("checked-backup", true)
	case npr:
		t.hit("refused-to-prepare", m.Err != "")
		if m.Demoted {
			t.tx(m.txID).demoted = true
			t.hit("demoted", true)
		}
	}
}

func (t *scores) delivered(e *sim.Entry, s *stance) {
	kind := e.Body.Kind()
	if s.cut != (cutID{}) && t.sentIn[e.Cause] != s.cut && slices.Contains(signedKinds, kind) {
		t.hit("crossed-"+kind, true)
	}
}

// fell is a node that is gone, with what was in its memory.
func (t *scores) fell(id sim.NodeID, s *stance) {
	open := slices.ContainsFunc(s.objects, func(o seenObject) bool { return !o.state.done() })
	t.hit("client-left-in-cut", open && t.layout.client(id) && t.open > 0)
	t.leaveCut(s)
	*s = stance{}
	for _, c := range t.order {
		c.left = append(c.left, id)
	}
}

func (t *scores) leaveCut(s *stance) {
	if s.cut != (cutID{}) {
		t.open--
	}
	s.cut = cutID{}
}

// cut is a cut by its id, tx a transaction by its own.
func (t *scores) cut(id cutID) *ran {
	if t.cuts[id] == nil {
		t.cuts[id] = &ran{initiator: sim.Nobody, started: sim.Nobody}
		t.order = append(t.order, t.cuts[id])
	}
	return t.cuts[id]
}

func (t *scores) tx(id txID) *met {
	if t.txs[id] == nil {
		t.txs[id] = &met{}
	}
	return t.txs[id]
}

func (m *met) onePhase() bool { return m.mapping.OnePhase && !m.demoted }

func (t *scores) returned(e *sim.Entry) {
	if r, ok := e.Body.(cutEnded); ok {
		t.hit("asked-while-running", r.Err == whyBusy)
		t.hit("increments-forbidden", strings.HasPrefix(r.Err, whyForbidden))
	}
	if r, ok := e.Body.(ended); ok && r.State == committed {
		t.hit("answered-early", slices.ContainsFunc(t.nodes, func(s stance) bool {
			return slices.ContainsFunc(s.objects, func(o seenObject) bool {
				return o.key.Name == r.Tx && !o.state.done()
			})
		}))
	}
}
