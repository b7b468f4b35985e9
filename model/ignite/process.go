package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// processRules are those of the coordinator's process (1.12).
type processRules struct {
	// OneStage is the draft: one stage, over the baseline. Nothing is drained and nothing
	// forgotten, since versions are never used again (D1, D2).
	OneStage bool
	// Awaits are those whose replies the reducer waits for: merged everyone, clients included
	// (IGNITE-18573, D18), the draft the baseline nodes of the cut. Without the clients a server
	// forgets the id while a client still signs with it (M-23).
	Awaits awaited
	// StopsOnChange is the draft's D9 and D10: a server that joins or leaves makes the local cuts
	// that are running inconsistent.
	StopsOnChange bool
	// Guards remembers the ids of cuts that have ended: a message signed with one brings it back
	// no more. The drain waits for the transactions that a node knows, not for a late answer to
	// one that it has given up (D1 [hist]; M-23).
	Guards bool
	// Introduces lets a node take part in cuts only once it has been told which cut is running.
	// Who joins between the STARTs of two cuts takes the second for the only one, and enters it
	// while the first is running (I-10).
	Introduces bool
	// TellsBase has it told as well which full snapshot is being made, so that it refuses a cut, as
	// all others do. Who does not is alone in a cut that has failed, and signs with it.
	TellsBase bool
	// Overtakes lets a node enter the next cut while it is still in the one before, whose end it
	// has not consumed: only after that can anyone be in another. Merged code stays in the old one
	// and lets the id of the message pass (IGNITE-18599), so it applies what was sent after the
	// new cut before it is in it.
	Overtakes bool
	// Doubts lets a node count only the increments whose success it has seen. Merged code counts
	// what is on the disk: a node that falls before a cut has failed, and is the oldest when it is
	// back, numbers the next increment as if that one were there, and it can be restored nowhere.
	Doubts bool

	AnyReply     bool      // M-22, R20: replies are matched by sender and stage, not by the cut
	NoDrain      bool      // M-24: END is answered at once
	EarlyUnsign  bool      // M-24: a node stops signing with its own FINISH
	ClientsTied  bool      // D9: a client that leaves fails the cut
	MissingOK    bool      // M-32, R10: who left without a reply counts as successful
	LeavesOK     bool      // I-29: a listed node that leaves after its reply does no harm
	InitiatorOK  bool      // I-29: nor does the initiator that leaves
	Publishes    publishes // I-31: when the reducer publishes a result
	BusyOK       bool      // I-10: START is accepted while another cut is running
	JoinersEnter bool      // I-30: who joined after START heeds signed messages like others
	LateLeft     bool      // I-28: that a node left is taken up in a later step
	Mute         bool      // R11, IGNITE-18783: a refusal is not told to the reducer
	TellsEarly   bool      // the client is told of success by the result of START
}

// awaited is whose replies the reducer waits for.
type awaited uint8

const (
	allNodes awaited = iota
	serversOnly
	listedOnly
)

// publishes is when the reducer publishes the result of a stage.
type publishes uint8

const (
	onceAllAreIn publishes = iota
	oneShort               // one reply is missing
	twice
)

// process is where this node is in it.
type process struct {
	Runs    []run       // cuts whose START it has consumed and whose end it has not
	Replies []arrived   // for the reducer, whoever that will be
	Asked   []asked     // requests that wait for an end
	Ended   []endResult // cuts whose end it has consumed

	// Of Introduces: whether this node does not know yet which cut is running, the cuts that it was
	// told of, and the nodes that may have to be told.
	Stranger bool
	Told     []foreign
	Untold   []sim.NodeID
}

// run is one cut's process on one node. Two can overlap: the second is refused where the first is
// running, and ends on its own.
type run struct {
	Start   startCut
	Pos     int64        // of START on the discovery log
	Members []sim.NodeID // who takes part: those who consume START
	Gone    []sim.NodeID // those of them who left since
	Reducer sim.NodeID   // the oldest server that takes part and has not left
	Mine    bool         // this node does not refuse it as busy
	Theirs  bool         // it does, for it has just joined; others may not
	Orphan  bool         // the initiator had left before START, or come back since
	Checked bool         // START has been dealt with
	Local   cutID        // the cut that this node was in then: merged code takes it for this one
	Kept    bool         // the increment's metadata is stored

	Stage     stage
	Replied   bool   // in this stage
	Why       string // what the reply says: "" is success
	Published bool   // as the reducer, what ends this stage
	Err       string // why the cut has failed, as far as published
	Drain     []key  // objects that END has to wait for
}

// stage is how far a process has come.
type stage uint8

const (
	starting stage = iota // START is consumed
	between               // the result of START is, END is not
	ending                // END is
)

var stageWords = [...]string{"start", "between", "end"}

func (s stage) String() string { return stageWords[s] }

// arrived is a single reply and its sender.
type arrived struct {
	From  sim.NodeID
	Reply single
}

// asked is a request for a cut: of a client of this node, which waits for Call, or one that the
// client node Client has passed on. Server is the initiator.
type asked struct {
	Cut    string
	Call   sim.CallID
	Client sim.NodeID
	Server sim.NodeID
}

// What travels on the discovery log.
type (
	// startCut is START: the cut that is proposed, the baseline nodes that are alive now, who wants
	// it, when that node joined, and which increment of which full snapshot it is to be.
	startCut struct {
		Cut       cutID
		Baseline  []sim.NodeID
		Initiator sim.NodeID
		Since     int64
		Base      string
		Index     int
	}
	// startResult is the result of the first stage, "" is success. The increment is START's.
	startResult struct {
		Cut   cutID
		Err   string
		Base  string
		Index int
	}
	// endCut is END, with the error that the cut has come to.
	endCut struct {
		Cut cutID
		Err string
	}
	// endResult is the result of the second stage.
	endResult struct {
		Cut   cutID
		Err   string
		Base  string
		Index int
	}
)

// What travels between two nodes.
type (
	// single is a node's reply to the reducer in one stage.
	single struct {
		Cut   cutID
		Stage stage
		Err   string
	}
	// askCut is a request that a client node passes on to the oldest server; toldCut answers it.
	askCut  struct{ Cut string }
	toldCut struct{ Cut, Err string }
)

func (startCut) Kind() string    { return "start" }
func (startResult) Kind() string { return "start-result" }
func (endCut) Kind() string      { return "end" }
func (endResult) Kind() string   { return "end-result" }
func (m single) Kind() string    { return "single-" + m.Stage.String() }
func (askCut) Kind() string      { return "ask-cut" }
func (toldCut) Kind() string     { return "told-cut" }

func (m startCut) Keys() []string    { return []string{m.Cut.Name} }
func (m startResult) Keys() []string { return []string{m.Cut.Name} }
func (m endCut) Keys() []string      { return []string{m.Cut.Name} }
func (m endResult) Keys() []string   { return []string{m.Cut.Name} }
func (m single) Keys() []string      { return []string{m.Cut.Name} }
func (m askCut) Keys() []string      { return []string{m.Cut} }
func (m toldCut) Keys() []string     { return []string{m.Cut} }

// All of them are named by their cut.

func (m startCut) AppendKeys(list []string) []string    { return append(list, m.Cut.Name) }
func (m startResult) AppendKeys(list []string) []string { return append(list, m.Cut.Name) }
func (m endCut) AppendKeys(list []string) []string      { return append(list, m.Cut.Name) }
func (m endResult) AppendKeys(list []string) []string   { return append(list, m.Cut.Name) }
func (m single) AppendKeys(list []string) []string      { return append(list, m.Cut.Name) }

func (m startResult) String() string { return verdictText("start-result", m.Cut, m.Err) }
func (m endCut) String() string      { return verdictText("end", m.Cut, m.Err) }
func (m endResult) String() string   { return verdictText("end-result", m.Cut, m.Err) }
func (m single) String() string      { return verdictText(m.Kind(), m.Cut, m.Err) }

func verdictText(kind string, c cutID, err string) string {
	if err == "" {
		return kind + " " + c.Name
	}
	return kind + " " + c.Name + ", failed: " + err
}

// onProcess takes a message of the process: own work, or a single reply to the reducer.
func (n *node) onProcess(env *sim.Env, from sim.NodeID, m sim.Message) bool {
	switch m := m.(type) {
	case single:
		n.onSingle(env, from, m)
	case askCut:
		n.initiate(env, asked{Cut: m.Cut, Client: from, Server: n.id})
	case toldCut:
		n.onTold(env, m)
	case absence:
		n.onAbsence(env, m)
	default:
		return false
	}
	return true
}

// onProcessLog takes a custom message of discovery, if it is one of the process.
func (n *node) onProcessLog(env *sim.Env, what sim.Notice) bool {
	switch m := what.Body.(type) {
	case startCut:
		n.onStart(env, what.Pos, m)
	case startResult:
		n.onStartResult(env, m)
	case endCut:
		n.onEnd(env, m)
	case endResult:
		n.onEndResult(env, m)
	case version:
		n.onVersion(env, m)
	case greeting:
		n.onGreeting(env, m)
	default:
		return false
	}
	return true
}

// run is the process of a cut on this node, nil if there is none.
func (n *node) run(c cutID) *run {
	for i := range n.process.Runs {
		if r := &n.process.Runs[i]; r.Start.Cut == c {
			return r
		}
	}
	return nil
}

// over says that this node has consumed the end of a cut.
func (n *node) over(c cutID) bool {
	return slices.ContainsFunc(n.process.Ended, func(m endResult) bool { return m.Cut == c })
}

// stale says that an id belongs to a cut that has ended.
func (n *node) stale(c cutID) bool { return n.rules.process.Guards && n.over(c) }

// overtake ends the cut that this node is in, if a message is signed with a later one.
func (n *node) overtake(env *sim.Env, c cutID) {
	if !n.rules.process.Overtakes || n.cut.ID == (cutID{}) || c == n.cut.ID || n.stale(c) {
		return
	}
	n.unsign(env)
	n.forgetCut(env)
}

// joinedAfter says that this node joined after a cut began, whose topology is given: then what is
// signed with it brings nothing (1.9).
func (n *node) joinedAfter(topVer int64) bool {
	return n.order.of(n.id) > topVer && !n.rules.process.JoinersEnter
}

// has says that a node takes part in a process and has not left since.
func (r *run) has(id sim.NodeID) bool {
	return slices.Contains(r.Members, id) && !slices.Contains(r.Gone, id)
}

// holds says that the cut which the node is in is this process's.
func (r *run) holds(c cutID) bool {
	return c != (cutID{}) && (c == r.Start.Cut || r.Mine && c == r.Local)
}
