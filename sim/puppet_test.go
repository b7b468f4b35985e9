package sim_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// thing is every body of the tests: a kind and keys, as "row k 2" says them.
type thing struct{ kind, keys string }

func (t thing) Kind() string   { return t.kind }
func (t thing) Keys() []string { return strings.Fields(t.keys) }
func (t thing) String() string { return strings.TrimSpace(t.kind + " " + t.keys) }

func body(text string) thing {
	kind, keys, _ := strings.Cut(strings.TrimSpace(text), " ")
	return thing{kind, keys}
}

// order is a request that brings along what is to be done.
type order struct {
	thing
	do string
}

// rule tells every puppet, or one, what to do on an event: "B got ping" or "* start".
type rule struct{ on, do string }

// puppet is a machine that does what requests and rules tell it, and notes what happens to it.
type puppet struct {
	rules []rule
	open  []sim.CallID
	last  sim.CallID
	ball  []sim.NodeID
}

func newPuppet(sim.NodeID, []sim.NodeID) sim.Machine { return &puppet{} }

func (p *puppet) Start(env *sim.Env) {
	p.rules = nil
	for _, s := range env.Setup {
		p.rules = append(p.rules, s.(rule))
	}
	p.tell(env, "start")
}

func (p *puppet) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if from == env.ID {
		p.heard(env, "did "+sim.Text(m))
		return
	}
	p.ball = append(p.ball, from)
	env.Note(body("got " + env.Name(from) + " " + sim.Text(m)))
	p.tell(env, "got "+sim.Text(m))
}

// Timeout notes a timer, but for a tick: facts keep a world from settling.
func (p *puppet) Timeout(env *sim.Env, t sim.Timer) {
	if t.Kind() == "tick" {
		p.tell(env, "fired "+sim.Text(t))
		return
	}
	p.heard(env, "fired "+sim.Text(t))
}

func (p *puppet) Invoke(env *sim.Env, c sim.Call) {
	p.open = append(p.open, c.ID)
	p.run(env, c.Op.(order).do)
}

func (p *puppet) Notice(env *sim.Env, n sim.Notice) {
	switch n.What {
	case sim.Durable:
		p.heard(env, fmt.Sprintf("durable %d", n.LSN))
	case sim.Synced:
		p.heard(env, fmt.Sprintf("synced %d", n.LSN))
	case sim.SyncFailed:
		p.heard(env, fmt.Sprintf("sync-failed %d", n.LSN))
	case sim.Opened:
		p.heard(env, fmt.Sprintf("opened %s %s %d", env.Name(n.From), env.Name(n.Peer), n.Pos))
	case sim.Broken:
		p.heard(env, fmt.Sprintf("broken %s %s %d", env.Name(n.From), env.Name(n.Peer), n.Pos))
	case sim.Logged:
		env.Note(body(fmt.Sprintf("logged %d %s", n.Pos, sim.Text(n.Body))))
		p.tell(env, "logged "+sim.Text(n.Body))
	case sim.Joined:
		p.heard(env, fmt.Sprintf("joined %d %s", n.Pos, env.Name(n.Peer)))
	case sim.Left:
		p.heard(env, fmt.Sprintf("left %d %s", n.Pos, env.Name(n.Peer)))
	}
}

// heard notes an event and does what the rules say about it.
func (p *puppet) heard(env *sim.Env, text string) {
	env.Note(body(text))
	p.tell(env, text)
}

func (p *puppet) tell(env *sim.Env, text string) {
	for _, r := range p.rules {
		who, on, _ := strings.Cut(r.on, " ")
		if (who == "*" || who == env.Name(env.ID)) && (on == text || strings.HasPrefix(text, on+" ")) {
			p.run(env, r.do)
		}
	}
}

// run does one command after the other.
func (p *puppet) run(env *sim.Env, program string) {
	for _, line := range strings.Split(program, ";") {
		if words := strings.Fields(line); len(words) > 0 {
			p.command(env, words)
		}
	}
}

func (p *puppet) command(env *sim.Env, w []string) {
	rest := func(from int) thing { return body(strings.Join(w[min(from, len(w)):], " ")) }
	switch w[0] {
	case "send":
		env.Send(peer(env, p, w[1]), rest(2))
	case "flow", "mail":
		env.Stream(peer(env, p, w[1]), laneOf(w[0])).Send(rest(2))
	case "close":
		env.Stream(peer(env, p, w[1]), 0).Close()
	case "later":
		env.Later(rest(1))
	case "publish":
		env.Publish(rest(1))
	case "after":
		env.After(length(w[1]), rest(2))
	case "every":
		env.Every(length(w[1]), rest(2))
	case "cancel":
		env.Cancel(rest(1))
	case "note":
		env.Note(rest(1))
	case "fail":
		env.Fail(w[1], strings.Join(w[2:], " "))
	case "return", "refuse":
		p.answer(env, w[0], rest(1))
	case "panic":
		panic(strings.Join(w[1:], " "))
	default:
		p.diskCommand(env, w, rest(1))
	}
}

func (p *puppet) diskCommand(env *sim.Env, w []string, what thing) {
	switch w[0] {
	case "append":
		env.Disk.Append(what)
	case "sync":
		env.Disk.Sync()
	case "flush":
		env.Disk.Flush()
	case "replace": // replace UPTO SNAPSHOT
		n, _ := strconv.Atoi(w[1])
		env.Disk.Replace(body(strings.Join(w[2:], " ")), sim.LSN(n))
	case "draw":
		n, _ := strconv.Atoi(w[2])
		env.Note(body(fmt.Sprintf("drew %s %d", w[1], env.Draw(w[1], int64(n)))))
	case "now":
		env.Note(body(fmt.Sprintf("now %v", env.Now())))
	case "steady":
		env.Note(body(fmt.Sprintf("steady %v", env.Monotonic())))
	case "stream":
		s := env.Stream(peer(env, p, w[1]), 0)
		env.Note(body(fmt.Sprintf("stream %s %v %d", w[1], s.Up(), s.Epoch())))
	case "peers":
		var names []string
		for _, id := range env.Nodes {
			names = append(names, env.Name(id))
		}
		env.Note(body("peers " + strings.Join(names, " ")))
	case "read":
		env.Note(body("disk " + diskText(env.Disk)))
	default:
		panic("no command " + w[0])
	}
}

// answer answers the oldest open call, or again the last one.
func (p *puppet) answer(env *sim.Env, how string, with thing) {
	if len(p.open) > 0 {
		p.last, p.open = p.open[0], p.open[1:]
	}
	if how == "refuse" {
		env.Refuse(p.last, with)
		return
	}
	env.Return(p.last, with)
}

// peer is a node by name; "back" is the one the last message came from.
func peer(env *sim.Env, p *puppet, name string) sim.NodeID {
	if name == "back" {
		return p.ball[len(p.ball)-1]
	}
	for id := sim.NodeID(0); ; id++ {
		if env.Name(id) == name {
			return id
		}
	}
}

func laneOf(word string) sim.Lane {
	if word == "mail" {
		return 1
	}
	return 0
}

func length(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

// diskText is a disk in words: snapshot, first LSN, records, and how far they are durable.
func diskText(d sim.Disk) string {
	var parts []string
	if s := d.Snapshot(); s != nil {
		parts = append(parts, "["+sim.Text(s)+"]")
	}
	for n := d.First(); n <= d.Last(); n++ {
		if n == d.Durable()+1 {
			parts = append(parts, "|")
		}
		parts = append(parts, sim.Text(d.At(n)))
	}
	return strings.Join(parts, " ")
}

// puppets is the protocol of puppets; with a log lane if log.
func puppets(log bool) *sim.Protocol {
	return &sim.Protocol{
		Name:     "puppets",
		Log:      log,
		Lanes:    []sim.LaneSpec{{Name: "rows"}, {Name: "mail", Mailbox: true}},
		Variants: []sim.Variant{{Name: "plain", New: newPuppet}, {Name: "other", New: newPuppet}},
		ParseOp:  parseOrder,
		Observe:  observe,
		Claims:   []string{"sorted"},
	}
}

// parseOrder reads "put x : send B row x".
func parseOrder(words []string) (sim.Op, error) {
	head, do, _ := strings.Cut(strings.Join(words, " "), ":")
	return order{body(head), do}, nil
}

// observe shows of each node how many facts of each kind it noted, and its last one.
func observe(run *sim.Run) []sim.Observation {
	var out []sim.Observation
	for id := range run.Nodes {
		last := "nothing"
		for _, f := range factsOf(run, sim.NodeID(id)) {
			last = f
		}
		out = append(out, sim.Observation{Node: run.Nodes[id], Name: "last", Value: last})
	}
	return out
}

func factsOf(run *sim.Run, id sim.NodeID) []string {
	var out []string
	for _, e := range run.Trace {
		if e.Kind == sim.EntryNoted && e.Node == id {
			out = append(out, sim.Text(e.Body))
		}
	}
	return out
}

// world makes a still plan of puppets with a script.
func world(nodes string, script ...string) *sim.Plan {
	p := &sim.Plan{Protocol: puppets(false), Nodes: strings.Fields(nodes), Script: lines(script)}
	p.Variant = p.Protocol.Variants[0]
	return p
}

// timed makes a timed one.
func timed(nodes string, script ...string) *sim.Plan {
	p := world(nodes, script...)
	p.Timed = true
	return p
}

// withRules sets what puppets do on events.
func withRules(p *sim.Plan, rules ...rule) *sim.Plan {
	for _, r := range rules {
		p.Setup = append(p.Setup, r)
	}
	return p
}

func withLog(p *sim.Plan) *sim.Plan {
	p.Protocol = puppets(true)
	return p
}

func play(t testing.TB, p *sim.Plan) *sim.Run {
	t.Helper()
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// facts are the facts that a node noted before the epilogue.
func facts(run *sim.Run, node string) string {
	var out []string
	for _, e := range run.Trace[:min(run.Epilogue, len(run.Trace))] {
		if e.Kind == sim.EntryNoted && run.Name(e.Node) == node {
			out = append(out, sim.Text(e.Body))
		}
	}
	return strings.Join(out, ", ")
}

// tale is the trace up to the epilogue in words, of the entries of the given kinds.
func tale(run *sim.Run, kinds ...sim.EntryKind) string {
	var out []string
	for _, e := range run.Trace[:min(run.Epilogue, len(run.Trace))] {
		if len(kinds) == 0 || has(kinds, e.Kind) {
			out = append(out, sentence(run, e))
		}
	}
	return strings.Join(out, ", ")
}

func has(kinds []sim.EntryKind, k sim.EntryKind) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

// sentence is one entry in words.
func sentence(run *sim.Run, e sim.Entry) string {
	parts := []string{run.Name(e.Node), e.Kind.String(), run.Name(e.Peer), sim.Text(e.Body)}
	switch e.Kind {
	case sim.EntryLost:
		parts = append(parts, "("+sim.Loss(e.N).String()+")")
	case sim.EntrySynced, sim.EntryTold, sim.EntryFlushed, sim.EntrySyncFailed, sim.EntryCrashed,
		sim.EntryOpened, sim.EntryBroken, sim.EntryReplaced:
		parts = append(parts, strconv.FormatInt(e.N, 10))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// whole is every entry with its time, for failures and comparisons.
func whole(run *sim.Run) string {
	var b strings.Builder
	for i, e := range run.Trace {
		fmt.Fprintf(&b, "%4d %8v %s  cause %d n %d\n", i, e.At, sentence(run, e), e.Cause, e.N)
	}
	fmt.Fprintf(&b, "end %d %s stale %v\n", run.End, run.Why, run.Stale)
	return b.String()
}

// staleText is why lines were stale.
func staleText(run *sim.Run) string {
	var out []string
	for _, s := range run.Stale {
		out = append(out, strings.TrimPrefix(s.Text+": ", ": ")+s.Why)
	}
	return strings.Join(out, "; ")
}

// clip keeps a message readable.
func clip(text string) string { return text[:min(len(text), 1500)] }

// compare reports a difference between two texts.
func compare(t testing.TB, run *sim.Run, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %q\nwant %q\n%.9000s", what, clip(got), clip(want), whole(run))
	}
}
