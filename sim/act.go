package sim

import (
	"fmt"
	"time"
)

// act does what a step of the script says.
func (w *World) act(st *step, cause int32) error {
	why, err := w.perform(st, cause, false)
	if why != "" {
		w.note(st.act, why)
	}
	return err
}

// note says that nothing came of an action.
func (w *World) note(a *Action, why string) {
	if !a.Maybe {
		w.script.steady = append(w.script.steady, Stale{a.Line, a.Text, why})
	}
}

// perform does it, and says why nothing came of it. At once is before everything else that is due.
func (w *World) perform(st *step, cause int32, atOnce bool) (string, error) {
	a := st.act
	st.acted = true
	switch a.Verb {
	case Request:
		w.ask(st, cause, atOnce)
	case Hold:
		w.stand(st)
	case Release:
		if w.lift(&st.pattern) == 0 {
			return "no hold that it covers stands", nil
		}
	case Deliver, DeliverAll, DeliverUpto:
		return w.deliver(a.Verb, &st.pattern), nil
	case Drop:
		return w.drop(&st.pattern), nil
	case Duplicate:
		return w.copyOne(&st.pattern), nil
	case SpoilDisk:
		w.spoil(&w.nodes[st.node], st, cause)
	case Crash, Restart, Pause, Resume, Join, Leave, Jump, Drift:
		return w.actOnNode(a, &w.nodes[st.node], cause), nil
	case Partition:
		w.partition(st.groups, a.OneWay, cause)
	case Heal:
		if !w.heal(cause) {
			return "no link is cut", nil
		}
	case Settle:
		return "", w.settleStep()
	case Wake:
		return w.wake(st)
	case CheckClaim:
		w.script.checks = append(w.script.checks, Check{a.Line, a.Claim, w.entries,
			a.Claim.Test(w.view().Observe())})
	case Until:
		return w.until(st)
	case Wait:
	default:
		panic(fmt.Sprintf("sim: verb %d", a.Verb))
	}
	return "", nil
}

// actOnNode is perform for what befalls one node.
func (w *World) actOnNode(a *Action, n *node, cause int32) string {
	name := w.names[n.id]
	done := true
	n.own()
	switch a.Verb {
	case Crash:
		done = n.up || n.member && a.Forever && !n.forever
		n.forever = n.forever || n.member && a.Forever
		w.crashNow(n, cause)
	case Restart:
		if done = w.restart(n); !done && n.up {
			return name + " is up"
		}
	case Pause:
		done = w.pause(n, cause)
	case Resume:
		if !w.resume(n, cause) {
			return name + " is not paused"
		}
	case Join:
		if !w.join(n, cause) {
			return name + " is a member already, or has left for good"
		}
	case Leave:
		done = w.leave(n, cause)
	case Jump:
		n.clock.jump(w.now, time.Duration(a.Amount))
		w.add(Entry{Kind: EntryClock, Node: n.id, Peer: Nobody, Cause: cause, N: a.Amount})
	case Drift:
		if err := w.skew(n, a.Amount); err != nil {
			return err.Error()
		}
		w.script.drifts = append(w.script.drifts, w.entries)
		w.add(Entry{Kind: EntryClock, Node: n.id, Peer: Nobody, Cause: cause, N: a.Amount})
	}
	if !done {
		return name + " is down, paused or no member"
	}
	return ""
}

// crashNow crashes a node; inside its own handler, at this boundary.
func (w *World) crashNow(n *node, cause int32) {
	if n == w.cur {
		n.cut = true
		return
	}
	w.crash(n, cause)
}

// spoil makes a disk faulty. All but its loss waits for an occasion: its line is numbered, to say
// if there was none.
func (w *World) spoil(n *node, st *step, cause int32) {
	a := st.act
	n.own()
	w.script.spoils++
	st.found = w.script.spoils
	switch a.Fault {
	case DiskTorn:
		n.disk.torn = true
	case DiskFailing:
		n.disk.failing = true
	case DiskKeep:
		n.disk.keep = a.Amount
	case DiskLost:
		w.loseDisk(n)
	}
	if a.Fault != DiskLost {
		n.disk.by[a.Fault] = st.found
	}
	w.add(Entry{Kind: EntryDisk, Node: n.id, Peer: Nobody, Cause: cause, N: int64(a.Fault)})
}

// actTriggered is an action that an event set off. Inside a handler only crash, drop, hold,
// partition and pause act at once; the others wait for its end.
func (w *World) actTriggered(st *step, before bool, cause int32) {
	st.acted = true
	if w.cur == nil {
		w.actNow(st, cause)
		return
	}
	switch st.act.Verb {
	case Crash:
		n := &w.nodes[st.node]
		if n != w.cur || before {
			w.actNow(st, cause)
			return
		}
		n.forever = n.forever || st.act.Forever
		n.cutNext = true // notes and timers ride on the effect before them
	case Drop, Hold, Partition, Pause:
		w.actNow(st, cause)
	default:
		w.script.deferred = append(w.script.deferred, deferredAct{st, cause})
	}
}

// actNow does an action from within an event; requests become the next event of the instant.
func (w *World) actNow(st *step, cause int32) {
	if why, _ := w.perform(st, cause, true); why != "" {
		w.note(st.act, why)
	}
}

// runDeferred does what triggers put off to the end of the handler. Each counts as an event, so
// that triggers that set each other off come to an end.
func (w *World) runDeferred() {
	if w.deferring {
		return // whoever runs it already will come to these
	}
	w.deferring = true
	for len(w.script.deferred) > 0 && w.cur == nil && w.events <= w.limit.Events {
		d := w.script.deferred[0]
		w.script.deferred = append(w.script.deferred[:0], w.script.deferred[1:]...)
		w.events++
		w.actNow(d.step, d.cause)
	}
	w.deferring = false
}

// settleStep lets timers run in still time until nothing more would happen.
func (w *World) settleStep() error {
	still := !w.flow
	if still {
		w.startTimers()
	}
	err := w.settle(never)
	if still && !w.plan.Timed { // it may have forked
		w.stopTimers()
	}
	return err
}

// unspent notes the faults of disks that have had no occasion to strike.
func (w *World) unspent() {
	for _, steps := range [][]step{w.script.steps, w.script.load} {
		for i := range steps {
			st := &steps[i]
			if st.act.Verb != SpoilDisk || !st.acted {
				continue
			}
			if w.nodes[st.node].disk.by[st.act.Fault%DiskLost] == st.found {
				w.note(st.act, unstruck[st.act.Fault])
			}
		}
	}
}

// unstruck is why a fault of a disk has not struck.
var unstruck = [...]string{DiskTorn: "no crash came for it", DiskFailing: "no sync came for it",
	DiskKeep: "no crash came for it"}

// stale lists what the plan said and nothing came of.
func (w *World) stale() []Stale {
	out := w.script.steady
	for _, steps := range [][]step{w.script.steps, w.script.load} {
		for i := range steps {
			st := &steps[i]
			switch {
			case st.skip || st.act.Maybe:
			case st.act.When != nil && st.reached && !st.acted:
				out = append(out, Stale{st.act.Line, st.act.Text, "its event never happened"})
			case st.act.Verb == Hold && st.acted && st.found == 0:
				out = append(out, Stale{st.act.Line, st.act.Text, "it caught nothing"})
			}
		}
	}
	for i, used := range w.used {
		if !used {
			out = append(out, Stale{w.plan.Chance[i].Line, "", "no decision has this name"})
		}
	}
	return out
}
