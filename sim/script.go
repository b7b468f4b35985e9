package sim

import (
	"errors"
	"fmt"
	"strings"
)

// script is where a run stands in its plan's script.
type script struct {
	steps    []step
	armed    []trigger
	triggers bool
	looks    bool // it tests claims, which need a trace
	load     []step
	deferred []deferredAct
	checks   []Check
	steady   []Stale // what steps said of themselves
	drifts   []int   // entries at which a drift was set
	spoils   int     // how many faults of disks have been told
}

// step is a prepared action.
type step struct {
	act     *Action
	node    NodeID
	op      Op
	pattern pattern
	groups  [][]NodeID
	skip    bool // does not act under this variant
	reached bool // the script came to it
	acted   bool
	found   int // of a hold: events caught
	trigger int // index of armed; -1
}

type deferredAct struct {
	step  *step
	cause int32
}

// resetScript prepares the plan's actions.
func (w *World) resetScript() error {
	s := &w.script
	s.triggers, s.looks, s.checks, s.steady, s.spoils = false, false, nil, nil, 0
	s.drifts = nil
	s.deferred, s.armed = s.deferred[:0], s.armed[:0]
	var err error
	if s.steps, err = w.prepareAll(s.steps[:0], w.plan.Script); err != nil {
		return err
	}
	if s.load, err = w.prepareAll(s.load[:0], w.plan.Load); err != nil {
		return err
	}
	w.answersTravel = w.clientsNamed()
	for i := range w.plan.Load {
		a := &w.plan.Load[i]
		if a.When != nil || a.Verb.waits() {
			return lineError(a.Line,
				errors.New("a line of the load goes by the clock and cannot wait"))
		}
		w.lastLoad = max(w.lastLoad, Time(a.Offset))
		w.schedule(Time(a.Offset), &event{what: evLoad, node: Nobody, n: int64(i),
			cause: -1, fifo: -1, stream: -1})
	}
	return nil
}

func (w *World) prepareAll(steps []step, actions []Action) ([]step, error) {
	for i := range actions {
		st, err := w.prepare(&actions[i], len(steps))
		if err != nil {
			return steps, lineError(actions[i].Line, err)
		}
		steps = append(steps, st)
	}
	return steps, nil
}

// waits says that the verb takes its time: until it is done, nothing else acts.
func (v Verb) waits() bool {
	switch v {
	case Settle, Wake, Until, Wait:
		return true
	}
	return false
}

// onNode says that the verb is about one node.
func (v Verb) onNode() bool {
	switch v {
	case Request, Crash, Restart, Pause, Resume, Join, Leave, Jump, Drift, SpoilDisk, Wake:
		return true
	}
	return false
}

// mostClients is far more than anyone simulates.
const mostClients = 1_000_000

// check refuses what no world can do, whatever happens in it.
func (a *Action) check() error {
	switch {
	case a.Verb < Request || a.Verb > Wait:
		return fmt.Errorf("no verb has the number %d", a.Verb)
	case a.Node == "" && a.Verb.onNode():
		return errors.New("it names no node")
	case a.Client < 0 || a.Client > mostClients:
		return fmt.Errorf("clients are numbered from 1 to %d, got %d", mostClients, a.Client)
	case a.Offset < 0:
		return fmt.Errorf("%v is before the start", a.Offset)
	case a.When != nil && a.Verb.waits():
		return errors.New("a trigger cannot wait")
	case a.Verb == Partition && len(a.Groups) < 2:
		return errors.New("a partition wants two groups of nodes")
	case a.Verb == SpoilDisk && (a.Fault < DiskTorn || a.Fault > DiskLost):
		return fmt.Errorf("no fault of a disk has the number %d", a.Fault)
	}
	return nil
}

func (w *World) prepare(a *Action, at int) (step, error) {
	st := step{act: a, node: Nobody, trigger: -1}
	st.skip = len(a.For) > 0 && !w.meant(a.For)
	err := a.check()
	if err != nil {
		return st, err
	}
	if a.Node != "" {
		if st.node, err = w.nodeID(a.Node); err != nil {
			return st, err
		}
	}
	switch a.Verb {
	case Request:
		if w.plan.Protocol.ParseOp == nil {
			return st, fmt.Errorf("%s takes no requests", w.plan.Protocol.Name)
		}
		st.op, err = w.plan.Protocol.ParseOp(a.Words)
	case Hold, Release, Deliver, DeliverAll, DeliverUpto, Drop, Duplicate:
		if st.pattern, err = w.compile(a.Pattern); err == nil && a.Verb == Duplicate {
			err = betweenNodes(a.Pattern.From, a.Pattern.To)
		}
	case Partition:
		st.groups, err = w.compileGroups(a.Groups)
	case Wake, CheckClaim:
		w.script.looks = true
	case Until:
		err = w.arm(trigger{event: a.Event, step: at, until: true}, &st)
	}
	if err == nil && a.When != nil && !st.skip {
		w.script.triggers = true
		err = w.arm(trigger{event: a.When.Event, step: at, before: a.When.Before,
			every: a.When.Every}, &st)
	}
	return st, err
}

// arm registers a trigger, so that it counts from the start of the run.
func (w *World) arm(t trigger, st *step) error {
	t.node = Nobody
	if t.event.Node != "*" {
		var err error
		if t.node, err = w.nodeID(t.event.Node); err != nil {
			return err
		}
	}
	w.script.triggers = true
	st.trigger = len(w.script.armed)
	w.script.armed = append(w.script.armed, t)
	return nil
}

// meant says that the plan's variant is among names, with or without its rules.
func (w *World) meant(names []string) bool {
	base, _, _ := strings.Cut(w.plan.Variant.Name, "/")
	return contains(names, w.plan.Variant.Name) || contains(names, base)
}

func (w *World) compileGroups(names [][]string) ([][]NodeID, error) {
	var groups [][]NodeID
	for _, g := range names {
		var ids []NodeID
		for _, name := range g {
			id, err := w.nodeID(name)
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
		groups = append(groups, ids)
	}
	return groups, nil
}

// clientsNamed says that answers are events of their own, since the plan speaks of their links.
func (w *World) clientsNamed() bool {
	for _, l := range w.plan.Network.Links {
		if l.To == "client" {
			return true
		}
	}
	for _, actions := range [][]Action{w.plan.Script, w.plan.Load} {
		for i := range actions {
			if contains(actions[i].Pattern.To, "client") {
				return true
			}
		}
	}
	for i := range w.plan.Chance {
		if w.plan.Chance[i].Name.To == "client" {
			return true
		}
	}
	return false
}

// runScript plays the script, then a timed run's rest.
func (w *World) runScript() error {
	w.limit = w.plan.budget()
	w.deadline = Time(w.limit.Time)
	if err := w.quiet(); err != nil {
		return err
	}
	for i := range w.script.steps {
		if w.script.steps[i].skip {
			continue
		}
		if err := w.runStep(i); err != nil {
			return err
		}
	}
	if !w.plan.Timed {
		return nil
	}
	return w.settle(max(w.now, w.lastLoad).Add(w.limit.Linger))
}

// runStep plays one line of the script.
func (w *World) runStep(i int) error {
	st := &w.script.steps[i]
	st.reached = true
	a := st.act
	if err := w.between(i); err != nil {
		return err
	}
	if a.Place != InTurn {
		at := Time(a.Offset)
		if a.Place == After {
			at = w.later(a.Offset)
		}
		if err := w.advance(at); err != nil {
			return err
		}
	}
	if w.halts() {
		return errHalt
	}
	if st.skip {
		return nil // since the run has forked
	}
	if a.When != nil {
		w.script.armed[st.trigger].armed = true
		return nil
	}
	if err := w.act(st, -1); err != nil {
		return err
	}
	return w.quiet()
}

// halts says that Options.Until has been reached.
func (w *World) halts() bool { return w.opt.Until > 0 && w.entries >= w.opt.Until }

// quiet runs a still world until only parked events are left, a timed one to the end of the
// instant: what a line leads to at once comes before the next line.
func (w *World) quiet() error {
	for {
		limit := never
		if w.plan.Timed {
			limit = w.now
		}
		if more, err := w.step(limit); !more || err != nil {
			return err
		}
	}
}

// advance runs everything that comes before a time, and moves the clock there.
func (w *World) advance(at Time) error {
	for {
		more, err := w.step(at - 1)
		if err != nil {
			return err
		}
		if !more {
			w.now = max(w.now, at)
			return nil
		}
	}
}

// settle runs until nothing more would happen, or to a time.
func (w *World) settle(limit Time) error {
	for !w.settled() {
		more, err := w.step(limit)
		if err != nil {
			return err
		}
		if !more {
			return nil
		}
	}
	return nil
}

// settled says that nothing is pending but periodic timers and what descends from them, and that
// for three of the longest periods no fact, answer or record came of it.
func (w *World) settled() bool {
	if w.busy > 0 {
		return false
	}
	if w.head == len(w.urgent) && w.queue.len() == 0 {
		return true
	}
	return w.now.Sub(w.active) >= 3*w.longest()
}

// wake fires a node's timers until a claim holds.
func (w *World) wake(st *step) (string, error) {
	n := &w.nodes[st.node]
	for range 20 {
		if st.act.Claim.Test(w.view().Observe()) == "" {
			return "", nil
		}
		t := n.earliest()
		switch {
		case w.flow:
			return "its timers run with the clock", nil
		case t == nil:
			return w.names[st.node] + " has no timer set", nil
		case n.stopped():
			return w.names[st.node] + " is paused or waits for its disk", nil
		}
		w.fireNow(n, t)
		if err := w.quiet(); err != nil {
			return "", err
		}
	}
	fails := st.act.Claim.Test(w.view().Observe())
	if fails == "" {
		return "", nil
	}
	return fmt.Sprintf("20 timers later the claim was still false: %s", fails), nil
}

// until plays until an event has happened, for a timed run.
func (w *World) until(st *step) (string, error) {
	for t := st.trigger; !w.script.armed[t].matched; {
		if w.busy == 0 && w.queue.len() == 0 {
			return "it has not happened, and nothing more will", nil
		}
		more, err := w.step(w.deadline)
		if err != nil {
			return "", err
		}
		if !more {
			return "it has not happened", nil
		}
	}
	return "", nil
}
