package search_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// phrase is every body of the probes: a kind and a key, as "row 2" says them.
type phrase struct{ kind, key string }

func (w phrase) Kind() string   { return w.kind }
func (w phrase) Keys() []string { return strings.Fields(w.key) }
func (w phrase) String() string { return strings.TrimSpace(w.kind + " " + w.key) }

func say(text string) phrase {
	kind, key, _ := strings.Cut(strings.TrimSpace(text), " ")
	return phrase{kind, key}
}

// deed is a request that says what is to be done.
type deed struct{ do string }

func (deed) Kind() string     { return "do" }
func (d deed) String() string { return "do " + d.do }

// reaction is what a node does on something: "Q got x" or "* synced".
type reaction struct{ on, do string }

// probe is a machine that does what requests and reactions tell it. What it has been through is kept
// in everything that memory is made of, and shown at the end.
type probe struct {
	seen  map[string]int
	list  *link
	rows  [][]string
	held  any
	calls []sim.CallID
}

type link struct {
	text string
	next *link
}

func (p *probe) Start(env *sim.Env) {
	p.seen = map[string]int{}
	p.heard(env, "start "+strconv.FormatInt(int64(env.Disk.Last()), 10))
}

func (p *probe) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if from == env.ID {
		p.heard(env, "worked "+sim.Text(m))
		return
	}
	p.heard(env, "got "+sim.Text(m))
}

func (p *probe) Timeout(env *sim.Env, t sim.Timer) { p.heard(env, "fired "+sim.Text(t)) }

func (p *probe) Invoke(env *sim.Env, c sim.Call) {
	p.calls = append(p.calls, c.ID)
	p.run(env, c.Op.(deed).do)
}

func (p *probe) Notice(env *sim.Env, n sim.Notice) {
	switch n.What {
	case sim.Synced:
		p.heard(env, "synced")
	case sim.Durable:
		p.heard(env, "durable")
	case sim.Opened:
		p.heard(env, "opened")
	case sim.Broken:
		p.heard(env, "broken")
	case sim.Joined, sim.Left:
		p.heard(env, "members "+strconv.Itoa(len(env.Nodes)))
	case sim.Logged:
		p.heard(env, "logged "+sim.Text(n.Body))
	}
}

// heard keeps an event in mind, and does what the reactions say.
func (p *probe) heard(env *sim.Env, text string) {
	p.seen[text]++
	p.list = &link{text, p.list}
	if len(p.rows) == 0 || len(p.rows[len(p.rows)-1]) > 1 {
		p.rows = append(p.rows, nil)
	}
	last := len(p.rows) - 1
	p.rows[last] = append(p.rows[last], text)
	p.held = p.list // and whoever asks for it changes it
	for _, s := range env.Setup {
		r := s.(reaction)
		who, on, _ := strings.Cut(r.on, " ")
		if (who == "*" || who == env.Name(env.ID)) && on == text {
			p.run(env, r.do)
		}
	}
}

// run does one command after the other. "if TEXT" ends it unless the event came before.
func (p *probe) run(env *sim.Env, program string) {
	for line := range strings.SplitSeq(program, ";") {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if verb == "if" {
			if p.seen[rest] == 0 {
				return
			}
			continue
		}
		p.command(env, verb, rest)
	}
}

func (p *probe) command(env *sim.Env, verb, rest string) {
	first, more, _ := strings.Cut(rest, " ")
	switch verb {
	case "send":
		env.Send(node(env, first), say(more))
	case "flow":
		env.Stream(node(env, first), 0).Send(say(more))
	case "mail":
		env.Stream(node(env, first), 1).Send(say(more))
	case "close":
		env.Stream(node(env, first), 0).Close()
	case "later":
		env.Later(say(rest))
	case "publish":
		env.Publish(say(rest))
	case "after":
		d, _ := time.ParseDuration(first)
		env.After(d, say(more))
	case "cancel":
		env.Cancel(say(rest))
	case "append":
		env.Disk.Append(say(rest))
	case "sync":
		env.Disk.Sync()
	case "flush":
		env.Disk.Flush()
	case "replace":
		env.Disk.Replace(say(rest), env.Disk.Last())
	case "note":
		env.Note(say(rest))
	case "all":
		env.Note(say("all " + p.text()))
	case "forget":
		p.seen, p.held.(*link).text = map[string]int{}, "forgotten"
	case "fail":
		env.Fail("sorted", rest)
	case "panic":
		panic(rest)
	case "return":
		if len(p.calls) > 0 {
			env.Return(p.calls[0], say(rest))
			p.calls = p.calls[1:]
		}
	default:
		panic("no command " + verb)
	}
}

func node(env *sim.Env, name string) sim.NodeID {
	for id := sim.NodeID(0); ; id++ {
		if env.Name(id) == name {
			return id
		}
	}
}

// text is all that the machine keeps in mind.
func (p *probe) text() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(p.seen)) {
		parts = append(parts, fmt.Sprint(k, "*", p.seen[k]))
	}
	for l := p.list; l != nil; l = l.next {
		parts = append(parts, l.text)
	}
	return fmt.Sprint(parts, p.rows, len(p.calls))
}

// probes is their protocol. Of its properties one reads facts of single nodes, one the end, one the
// causes of facts of different nodes, one the order of answers.
func probes(log bool) *sim.Protocol {
	return &sim.Protocol{Name: "probes", Log: log, Joins: true, Claims: []string{"sorted"},
		Lanes:    []sim.LaneSpec{{Name: "rows"}, {Name: "mail", Mailbox: true}},
		Variants: []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &probe{} }}},
		ParseOp:  func(words []string) (sim.Op, error) { return deed{strings.Join(words, " ")}, nil },
		Final: func(nodes []string) (asked []sim.Action) {
			for _, n := range nodes {
				asked = append(asked, sim.Action{Verb: sim.Request, Node: n, Words: []string{"all"}})
			}
			return asked
		},
		Properties: []sim.Property{
			{Name: "first", Scope: sim.ScopeState, Check: firstFact},
			{Name: "equal", Scope: sim.ScopeEnd, Check: equalDisks},
			{Name: "caused", Check: caused},
			{Name: "answered", Check: answeredInOrder},
		}}
}

// firstFact: no node notes b before a.
func firstFact(run *sim.Run) (n int, v *sim.Violation) {
	a := map[sim.NodeID]bool{}
	for i, e := range run.Trace {
		if e.Kind != sim.EntryNoted {
			continue
		}
		switch e.Body.Kind() {
		case "a":
			a[e.Node] = true
		case "b":
			if n++; !a[e.Node] {
				v = &sim.Violation{Reason: "b before a", Witness: []int{i}}
			}
		}
	}
	return n, v
}

// equalDisks: in the end all disks hold equally many records.
func equalDisks(run *sim.Run) (int, *sim.Violation) {
	for _, d := range run.Disks {
		if d.Last() != run.Disks[0].Last() {
			return 1, &sim.Violation{Reason: "disks differ"}
		}
	}
	return 1, nil
}

// caused: every c has an a that happened before it.
func caused(run *sim.Run) (n int, v *sim.Violation) {
	knows := make([]bool, len(run.Trace)) // an a happened before the entry, or is it
	last := map[sim.NodeID]bool{}
	for i, e := range run.Trace {
		is := e.Kind == sim.EntryNoted && e.Body.Kind() == "a"
		knows[i] = is || e.Kind.Carries() && e.Cause >= 0 && knows[e.Cause] || e.Kind.Local() && last[e.Node]
		if e.Kind.Local() {
			last[e.Node] = knows[i]
		}
		if e.Kind == sim.EntryNoted && e.Body.Kind() == "c" {
			if n++; !knows[i] {
				v = &sim.Violation{Reason: "c without a", Witness: []int{i}}
			}
		}
	}
	return n, v
}

// answeredInOrder: who was answered before another asked has a smaller number as answer.
func answeredInOrder(run *sim.Run) (n int, v *sim.Violation) {
	highest, floor := "", map[int64]string{}
	for i, e := range run.Trace {
		switch e.Kind {
		case sim.EntryInvoked:
			floor[e.N] = highest
		case sim.EntryReturned:
			got := sim.Text(e.Body)
			if n++; got < floor[e.N] {
				v = &sim.Violation{Reason: "answers out of order", Witness: []int{i}}
			}
			highest = max(highest, got)
		}
	}
	return n, v
}
