package sim

import (
	"fmt"
	"strings"
	"time"
)

// NodeID is a node's place in the plan: the nodes of Plan.Nodes first, those of Plan.Later after
// them. The values from ClientEnd upwards name the ends of links that are not nodes.
type NodeID uint16

// The ends of links that are not nodes, and Nobody, which is no end at all.
const (
	ClientEnd NodeID = 0xFFFB + iota // "client": requests and answers
	ClockEnd                         // "clock": timers
	DiskEnd                          // "disk": syncs
	LogEnd                           // "log": the log lane
	Nobody
)

// Lane numbers the streams of one ordered pair of nodes; Protocol.Lanes names them, from 0.
type Lane uint8

// LSN numbers the records of one disk, from 1. Zero is "before the first".
type LSN int64

// PPM is a probability in parts per million, 0 to 1,000,000.
type PPM uint32

// ClientID numbers clients from 1. A client whose operation ended unknown is retired; the client
// that carries on for it has a new number.
type ClientID uint32

// CallID numbers the invocations of one run, from 1, in order of invocation.
type CallID uint32

// Body is anything that travels or is remembered: a value, never changed once handed over. Kind is
// one word without blanks that names its sort. A body may also have a method Keys() []string, which
// names what it is about ("tx5"), and a method String() string for people. Kinds and keys name
// decisions and are matched by patterns, so they must not depend on anything but the value.
type Body interface{ Kind() string }

// The roles a Body can play. A Timer must also be comparable, since it is set, replaced and
// cancelled by value.
type (
	Message = Body
	Record  = Body
	Fact    = Body
	Op      = Body
	Timer   = Body
)

// Keyed is a Body that says what it is about.
type Keyed interface {
	Body
	Keys() []string
}

// KeysOf is the keys of b, nil if it has none.
func KeysOf(b Body) []string {
	if k, ok := b.(Keyed); ok {
		return k.Keys()
	}
	return nil
}

// Text is b for people: its String method if it has one, else its kind and keys.
func Text(b Body) string {
	if b == nil {
		return ""
	}
	if s, ok := b.(fmt.Stringer); ok {
		return s.String()
	}
	if keys := KeysOf(b); len(keys) > 0 {
		return b.Kind() + " " + strings.Join(keys, " ")
	}
	return b.Kind()
}

// Call is a client's invocation as the node that serves it sees it. ID is what Return and Refuse
// answer to.
type Call struct {
	ID     CallID
	Client ClientID
	Op     Op
}

// Machine is the protocol code of one node. Each method call is one event. Its state is plain data:
// no functions, channels or pointers shared with anyone, so that a world can be copied and hashed.
// A crash discards the machine; a restart makes a new one, which Start rebuilds from env.Disk.
type Machine interface {
	Start(*Env) // first start and every restart
	// a datagram, a stream's message, or own work (from == env.ID)
	Receive(env *Env, from NodeID, m Message)
	Timeout(*Env, Timer) // a timer set by After or Every is due
	Invoke(*Env, Call)   // a client's request
	Notice(*Env, Notice) // what the engine tells: see NoticeKind
}

// Idle is a machine that does nothing, to embed.
type Idle struct{}

// Start does nothing.
func (Idle) Start(*Env) {}

// Receive does nothing.
func (Idle) Receive(*Env, NodeID, Message) {}

// Timeout does nothing.
func (Idle) Timeout(*Env, Timer) {}

// Invoke does nothing.
func (Idle) Invoke(*Env, Call) {}

// Notice does nothing.
func (Idle) Notice(*Env, Notice) {}

// NoticeKind is what the engine tells a machine.
type NoticeKind uint8

// The notices. Durable and Synced carry the LSN up to which the disk is durable; SyncFailed the LSN
// it had been asked for. Opened and Broken carry the peer and lane of a stream, seen from either
// end, and From says which end sends. Logged carries a body and its position on the log lane.
// Joined and Left carry the peer; with a log lane they arrive through it, with a position.
const (
	Durable    NoticeKind = iota + 1 // a flush has become durable; others may read it now
	Synced                           // the writer is told so
	SyncFailed                       // a flush failed: what it covered may be lost
	Opened                           // a stream is up again, in a new epoch
	Broken                           // a stream broke; nothing of its epoch arrives any more
	Logged                           // the next event of the log lane
	Joined                           // Peer is a member from now on
	Left                             // Peer is no member any more
)

// Notice is what the engine tells a machine.
type Notice struct {
	What NoticeKind
	Peer NodeID
	From NodeID // of Opened and Broken: the sending end of the stream
	Lane Lane
	LSN  LSN
	Pos  int64 // on the log lane, from 1
	Body Body
}

// LaneSpec names one lane of streams. On a mailbox lane at most one message is in flight: a newer
// one takes the place of one not yet delivered.
type LaneSpec struct {
	Name    string
	Mailbox bool
}

// Variant is one selectable form of a protocol. A mutant is a variant that is wrong on purpose:
// Of names the variant it is made from. Breaks is the property that must catch a variant: a mutant,
// or a published form that is known to be wrong.
type Variant struct {
	Name   string
	Doc    string
	Of     string // of a mutant: the right variant it spoils
	Breaks string // the property that catches it, "" if it is right
	// Story names the story that breaks a wrong variant which drawn workloads hardly ever do, so that
	// a sweep with default settings does not look for it; "" of all others.
	Story string
	// New makes the machine of one node, at every start and restart. founders are the nodes of
	// Plan.Nodes; who is a member now stands in Env.Nodes.
	New func(id NodeID, founders []NodeID) Machine
}

// Mutant says that v is wrong on purpose.
func (v Variant) Mutant() bool { return v.Of != "" }

// Rule is one decision that a scenario may set on top of a variant, written NAME/rule=value.
type Rule struct {
	Name   string
	Doc    string
	Values []string
}

// RuleValue is one such setting.
type RuleValue struct{ Rule, Value string }

// Protocol is a protocol as downset handles it: a value, made by a struct literal.
type Protocol struct {
	Name       string
	Doc        string
	Lanes      []LaneSpec
	Log        bool // has a log lane; joining and leaving are told only through it
	Variants   []Variant
	Rules      []Rule
	Properties []Property
	// Claims are the names of the protocol's own assertions, those that machines give Env.Fail
	// beside the names of Properties. A story says of them what it says of properties: "breaks NAME".
	Claims  []string
	Goals   []Goal
	Joins   bool     // nodes may join a running cluster
	Stands  Faults   // what a search may do to it without breaking its promises
	Moments []Moment // at which a search strikes
	// Nemeses are those that the protocol has of its own, beside what chance does: see Nemesis.
	Nemeses []Nemesis

	// Apply sets rules on a variant; nil if the protocol has no rules.
	Apply func(v Variant, rules []RuleValue) (Variant, error)
	// ParseSetup reads a scenario line that is no engine word ("key x on P B") into a value that
	// machines find in Env.Setup; nil if there are none. nodes are the names of all nodes.
	ParseSetup func(words, nodes []string) (any, error)
	// FitSetup says which of a story's values of ParseSetup does not fit with the others, and why; nil
	// if any go together. names are those of all nodes.
	FitSetup   func(values []any, names []string) (at int, err error)
	SetupWords []string // the first words that ParseSetup takes, for error messages
	// ParseOp reads a request ("commit tx1") into what Machine.Invoke is given.
	ParseOp func(words []string) (Op, error)
	// FitOp says why a request of a story cannot be of any use, given what it sets up: a key that it
	// has not placed. nil if any request may be.
	FitOp func(op Op, setup []any) error
	// OpNodes are the nodes that a request names, which a story must have; nil: none names any.
	OpNodes func(op Op) []string
	OpWords []string // the first words that ParseOp takes, for error messages
	// Observe says what can be seen of a run, or of any prefix of one, for claims to speak of.
	Observe func(*Run) []Observation
	// Shows are the first words of the names that Observe gives, for error messages.
	Shows []string
	// Point says that a fact is a node's point of a cut, for pictures; nil if there are none.
	Point func(Body) (cut string, ok bool)
	// Aside says that a message is outside the order that cuts keep, by a rule of the protocol, so
	// that a picture does not speak of its crossing one; nil if none is.
	Aside func(Message) bool
	// Cluster draws a set-up for a cluster that is drawn whole, as ParseSetup might have made it, for
	// Draws.Nodes and Draws.Later. The values print as its lines (String). nil: nothing to set up.
	Cluster func(*Draws) []any
	// Draw makes a random workload: requests, and whatever else belongs to it.
	Draw func(*Draws) []Action
	Pace time.Duration // of a drawn workload, a request, if no span is said; 0 is a millisecond
	// Final is what clients ask once the world has healed, for claims about the end.
	Final func(nodes []string) []Action
	// Pages are those of the folder results that only the protocol can write: what it measures of
	// plans of its own. Equal code writes equal pages.
	Pages []Page
}

// Faults is a set of kinds of fault.
type Faults uint16

// The kinds of fault. Delays are none: every protocol stands them.
const (
	Losses Faults = 1 << iota
	Duplicates
	Partitions
	Breaks
	Crashes
	TornRecords
	SlowDisks
	Pauses
	Clocks
	LateTimers
)

var faultNames = []string{"loss", "duplicates", "partitions", "breaks", "crashes", "torn records",
	"slow disks", "pauses", "clocks", "late timers"}

// Has says that f is in the set.
func (s Faults) Has(f Faults) bool { return s&f != 0 }

// String lists the set.
func (s Faults) String() string {
	var names []string
	for i, n := range faultNames {
		if s&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// Variant is the variant called name, with rules applied: NAME[/rule=value]...
func (p *Protocol) Variant(name string) (Variant, error) {
	base, rest, _ := strings.Cut(name, "/")
	for _, v := range p.Variants {
		if v.Name == base {
			return p.applyRules(v, name, rest)
		}
	}
	return Variant{}, fmt.Errorf("%s has no variant %q%s", p.Name, base, DidYouMean(base,
		p.VariantNames()))
}

// Breakable are the names of all that a run can break: the properties in their order, the claims,
// and "panic", which no machine may do.
func (p *Protocol) Breakable() []string {
	names := make([]string, 0, len(p.Properties)+len(p.Claims)+1)
	for _, q := range p.Properties {
		names = append(names, q.Name)
	}
	return append(append(names, p.Claims...), "panic")
}

// VariantNames are the names of the variants, in the table's order.
func (p *Protocol) VariantNames() []string {
	names := make([]string, len(p.Variants))
	for i, v := range p.Variants {
		names[i] = v.Name
	}
	return names
}

func (p *Protocol) applyRules(v Variant, name, rest string) (Variant, error) {
	if rest == "" {
		return v, nil
	}
	var rules []RuleValue
	for _, part := range strings.Split(rest, "/") {
		rv, err := p.rule(part)
		if err != nil {
			return Variant{}, err
		}
		for _, r := range rules {
			if r.Rule == rv.Rule {
				return Variant{}, fmt.Errorf("rule %s stands twice in %q", r.Rule, name)
			}
		}
		rules = append(rules, rv)
	}
	v, err := p.Apply(v, rules)
	v.Name = name
	return v, err
}

func (p *Protocol) rule(part string) (RuleValue, error) {
	name, value, _ := strings.Cut(part, "=")
	known := make([]string, len(p.Rules))
	for i, r := range p.Rules {
		known[i] = r.Name
		if r.Name != name {
			continue
		}
		for _, v := range r.Values {
			if v == value {
				return RuleValue{name, value}, nil
			}
		}
		return RuleValue{}, fmt.Errorf("rule %s has no value %q%s", name, value, DidYouMean(value,
			r.Values))
	}
	return RuleValue{}, fmt.Errorf("%s has no rule %q%s", p.Name, name, DidYouMean(name, known))
}

// Observation is something that can be seen of a run: node B's "data x" is "k z". Name may be
// several words. Node is "" for what belongs to no node.
type Observation struct{ Node, Name, Value string }

// Claim is a statement about observations: everyone in Who ("*" is every node that has it, at least
// one) shows a Name with a Value. Words holds both, since only the observations know where the name
// ends.
type Claim struct {
	Who   []string
	Words []string
	Line  int
}

// Goal is a situation that a campaign must reach, so that a clean result means something.
type Goal struct {
	Name, Doc string
	Count     func(*Run) int // how often the run reached it
}

// Draws is what a protocol's Draw draws from: named decisions of one seed.
type Draws struct {
	Nodes   []string      // members from the start
	Later   []string      // nodes that may join
	Setup   []any         // what the story set up, or Protocol.Cluster drew
	Clients int           // at least 1
	Ops     int           // how many requests are wanted
	Span    time.Duration // over which time
	Seed    uint64
}

// Int is in [0, n), fixed by the seed and the label alone.
func (d *Draws) Int(n int64, label ...any) int64 {
	h := hashString(scatter(d.Seed), fmt.Sprint(label...))
	return int64(below(h, uint64(n)))
}

// Node is one of the nodes.
func (d *Draws) Node(label ...any) string {
	return d.Nodes[d.Int(int64(len(d.Nodes)), label...)]
}

// At is a time within the span.
func (d *Draws) At(label ...any) time.Duration {
	if d.Span <= 0 {
		return 0
	}
	return time.Duration(d.Int(int64(d.Span), label...)).Truncate(time.Microsecond)
}
