package synchro

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// For tests of the elections: the rules of a variant, and a machine of which only they are looked at.
type (
	Rules     = rules
	Raft      = raft
	Announced = announced
	Clock     = clock
	Mode      = electionMode
)

const (
	AllComponents   = allComponents
	LeaderComponent = leaderComponent
	SumOfComponents = sumOfComponents

	Follower  = follower
	Candidate = candidate
	Leader    = leader

	ModeOff   = modeOff
	ModeVoter = modeVoter

	Nobody          = nobody
	ElectionTimeout = electionTimeout
)

// Elections are the rules of elections.
func (r *rules) Elections() *raftRules { return &r.raft }

// Claims are the rules of PROMOTE and DEMOTE.
func (r *rules) Claims() *promoteRules { return &r.promote }

// Ruled is the protocol without its final requests, and with one more variant, "changed": a profile
// with rules changed.
func Ruled(base string, change func(*Rules)) *sim.Protocol {
	p := *Protocol
	p.Final = nil
	for _, f := range profiles() {
		if f.name == base {
			f.name = "changed"
			change(&f.rules)
			p.Variants = append(slices.Clone(p.Variants), f.variant())
		}
	}
	return &p
}

// Profiles are the names of the profiles.
func Profiles() []string {
	var names []string
	for _, p := range profiles() {
		names = append(names, p.name)
	}
	return names
}

// Why is what a promotion was answered.
func Why(b sim.Body) string {
	switch b := b.(type) {
	case notPromoted:
		return "not promoted: " + b.Why
	case refusal:
		return "refused: " + b.Why
	}
	return b.Kind()
}

// Elector is C of the three members A, B and C, a voter in term 3, with two rows of each other.
type Elector struct{ n *node }

// NewElector makes one.
func NewElector() Elector {
	n := &node{id: 2, peers: []peer{{Member: true}, {Member: true}, {Member: true}}}
	n.wal.Clock = clock{2, 2}
	n.raft = raft{Mode: modeVoter, Term: 3, DurableTerm: 3, Vote: nobody, DurableVote: nobody,
		Leader: nobody}
	return Elector{n}
}

// Raft is its state.
func (e Elector) Raft() *Raft { return &e.n.raft }

// Rules are its rules.
func (e Elector) Rules() *Rules { return &e.n.rules }

// Leave takes a member off, expelled or not.
func (e Elector) Leave(id sim.NodeID, expelled bool) {
	e.n.peers[id].Member, e.n.peers[id].Expelled = expelled, expelled
}

// Connect connects it with a member, both ways, which has sent so many raft messages.
func (e Elector) Connect(id sim.NodeID, messages int64) {
	e.n.peers[id].relay.Conn = 1
	e.n.peers[id].applier = applier{Conn: 1, Live: true, Raft: messages}
}

// Quorums are set as an operator and as the set-up say; it gives Q and that of elections.
func (e Elector) Quorums(operator, setup int) (synchro, votes int) {
	e.n.quorum, e.n.layout.Quorum = operator, setup
	return e.n.synchroQuorum(), e.n.electionQuorum()
}

// Grants says whether it would vote for the sender.
func (e Elector) Grants(m Announced) bool { return e.n.grants(&m) }

// Hears has it take a vote and a role in.
func (e Elector) Hears(from sim.NodeID, m Announced) {
	e.n.hearVote(new(sim.Env), from, &m)
	e.n.hearRole(new(sim.Env), from, m.Role)
}

// Votes are how many have voted for a node.
func (e Elector) Votes(id sim.NodeID) int { return e.n.votesOf(id) }

// Says is what it announces.
func (e Elector) Says() Announced { return e.n.announcement() }

// Looks has it look at its connections.
func (e Elector) Looks() { e.n.lookAtHealth(new(sim.Env)) }

// Valid says that a message of A makes sense.
func Valid(m Announced) bool { return m.valid(0) }

// IsDeath and IsElection tell the timers of elections.
func IsDeath(b sim.Body) bool    { return b == (deathTimer{}) }
func IsElection(b sim.Body) bool { return b == (electionTimer{}) }

// Sound is the profile that the wrong variants are copies of.
const Sound = sound

// Mutant is a wrong variant: what it is a copy of, its rules, and whether they are those of that.
type Mutant struct {
	Name, Of, Rules string
	Same            bool
}

// Mutants are all of them.
func Mutants() []Mutant {
	var list []Mutant
	for _, p := range sabotaged() {
		list = append(list, Mutant{p.name, p.of, fmt.Sprintf("%+v", p.rules), p.rules == soundRules()})
	}
	return list
}

// For tests of the filter and of the tables: what the filter decides by and about, and the rules.
type (
	View        = view
	Verdict     = verdict
	Outcome     = outcome
	FilterRules = filterRules
	Txn         = txn
	Row         = row
	RowType     = rowType
	LSN         = lsn
	Recovered   = recovered
	Value       = value
	SnapshotOp  = snapshotOp
	RolledBack  = rolledBack
)

const (
	Pass       = pass
	BecomesNop = becomesNop
	Ignored    = ignored
	Fatal      = fatal
	Dropped    = dropped

	ConfirmRow  = confirmRow
	RollbackRow = rollbackRow
	PromoteRow  = promoteRow
	DemoteRow   = demoteRow
)

// Decide is the filter.
func (v *view) Decide(t *txn) Verdict { return v.decide(t) }

// Nopified is a transaction that NOPs have replaced.
func (t txn) Nopified() Txn { return t.nopified() }

// Filter, Queue, Log and Draft are the rules of appliers, of the queue, of logs and of the draft's
// solutions.
func (r *rules) Filter() *filterRules  { return &r.filter }
func (r *rules) Queue() *limboRules    { return &r.limbo }
func (r *rules) Log() *logRules        { return &r.log }
func (r *rules) Draft() *solutionRules { return &r.solution }

// Cures are what mends what searches have found.
func (r *rules) Cures() *cureRules { return &r.cure }

// RulesOf are the rules of a variant.
func RulesOf(variant string) (Rules, bool) {
	for _, p := range rows() {
		if p.name == variant {
			return p.rules, true
		}
	}
	return Rules{}, false
}

// With is some rules with a value of one set.
func With(r Rules, given sim.RuleValue) Rules {
	ruleTable().Set(&r, []sim.RuleValue{given})
	return r
}

// Both is the protocol with two more variants: a profile with rules changed, "kept", and the same
// with more of them changed, "changed". Neither change has to be there.
func Both(base string, also, change func(*Rules)) *sim.Protocol {
	p := *Protocol
	p.Variants = slices.Clone(p.Variants)
	for _, f := range profiles() {
		if f.name != base {
			continue
		}
		if also != nil {
			also(&f.rules)
		}
		f.name = "kept"
		p.Variants = append(p.Variants, f.variant())
		if change != nil {
			change(&f.rules)
			f.name = "changed"
			p.Variants = append(p.Variants, f.variant())
		}
	}
	return &p
}
