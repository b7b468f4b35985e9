package sim

import (
	"fmt"
	"slices"
)

// Tell makes a story of a path of moves: the plan in still time, with a manual network and a line
// for each move, that plays the same.
func (w *World) Tell(p *Plan, opt WalkOptions, path []Move) (*Plan, error) {
	root, err := w.Walk(p, opt)
	if err != nil {
		return nil, err
	}
	k := w.walk
	k.count, k.nth = map[uint64]int{}, map[int32]int{}
	for _, slot := range w.parked {
		k.countPlaced(w, slot)
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		n.own()
		for j := range n.timers {
			n.timers[j].nth = k.number(w, n.timers[j].event(n))
		}
	}
	w.named, w.opt.Record, w.chosen = true, true, nil
	told := *p
	told.Network.Manual, told.Script = true, nil
	held := map[NodeID]bool{}
	k.loaded = root
	var lines []Action
	for _, m := range path {
		lines = append(lines, w.line(m)...)
		w.Move(m)
		w.noteHeld(held)
	}
	told.Script = append(w.heldLines(held), lines...)
	told.Chance = slices.Clone(w.chosen)
	w.nodes, w.walk, w.log, w.opt.Record = nil, nil, nil, false
	return &told, nil
}

// noteHeld notes at which nodes something is parked that a manual network does not hold.
func (w *World) noteHeld(held map[NodeID]bool) {
	for _, slot := range w.parked {
		e := &w.slab[slot]
		if e.from == e.to || e.from >= ClientEnd || e.to >= ClientEnd {
			held[e.from], held[e.to] = true, true
		}
	}
}

// heldLines are the holds of what a manual network does not hold.
func (w *World) heldLines(held map[NodeID]bool) []Action {
	var lines []Action
	hold := func(from, to NodeID) {
		lines = append(lines, Action{Verb: Hold,
			Pattern: Pattern{From: []string{w.end(from)}, To: []string{w.end(to)}}})
	}
	for i := range w.nodes {
		id := NodeID(i)
		if !held[id] {
			continue
		}
		if held[LogEnd] {
			hold(LogEnd, id)
			hold(id, LogEnd)
		}
		if held[DiskEnd] {
			hold(id, DiskEnd)
			hold(DiskEnd, id)
		}
		hold(id, id)
	}
	for i := range lines {
		lines[i].Maybe = true
	}
	return lines
}

// line is what a story says of a move.
func (w *World) line(m Move) []Action {
	name := w.end(m.Node)
	var lines []Action
	if m.Keep > 0 {
		lines = append(lines, Action{Verb: SpoilDisk, Node: w.end(m.struck()), Fault: DiskKeep,
			Amount: int64(m.Keep)})
	}
	a := Action{Node: name}
	switch m.Kind {
	case MoveDeliver, MoveLose, MoveCopy:
		a = w.eventLine(m)
	case MoveFire:
		n := &w.nodes[m.Node]
		t := n.timers[m.At]
		a = Action{Verb: Deliver, Pattern: w.named1(t.event(n))}
		if p, err := w.compile(a.Pattern); err == nil && len(w.timersLike(&p)) > 1 {
			a.Pattern.Nth = t.nth
		}
	case MoveLine:
		a = *w.script.steps[m.At].act
	case MoveRestart:
		a.Verb = Restart
	case MoveHeal:
		a = Action{Verb: Heal}
	case MoveCrash:
		a.Verb = Crash
	case MoveIsolate:
		a = Action{Verb: Partition}
		for _, g := range w.alone(m.Node) {
			var names []string
			for _, id := range g {
				names = append(names, w.end(id))
			}
			a.Groups = append(a.Groups, names)
		}
	case MoveBreak:
		s := &w.streams[m.At]
		a = Action{Verb: Drop, Pattern: Pattern{From: []string{w.end(s.from)},
			To: []string{w.end(s.to)}}}
	default:
		panic(fmt.Sprintf("sim: move %d", m.Kind))
	}
	return append(lines, a)
}

// eventLine delivers, drops or copies one pending event, by name; by its number among those alike
// where that is not enough.
func (w *World) eventLine(m Move) Action {
	e := &w.slab[m.At]
	a := Action{Verb: Deliver, Pattern: w.named1(e)}
	switch m.Kind {
	case MoveLose:
		a.Verb = Drop
	case MoveCopy:
		a.Verb = Duplicate
	}
	p, err := w.compile(a.Pattern)
	if err != nil {
		panic("sim: name of an event: " + err.Error())
	}
	like := w.parkedLike(&p)
	if len(like) < 2 {
		return a
	}
	if e.fifo >= 0 && w.slab[like[0]].fifo == e.fifo {
		a.Verb = DeliverUpto
		return a
	}
	a.Pattern.Nth = w.walk.nth[m.At]
	return a
}

// named1 names an event by link, kind and keys.
func (w *World) named1(e *event) Pattern {
	p := Pattern{From: []string{w.end(e.from)}, To: []string{w.end(e.to)}}
	if e.body != nil {
		p.Kind, p.Keys = e.body.Kind(), slices.Clone(KeysOf(e.body))
	}
	return p
}

// countPlaced numbers an event among those alike, as patterns that count do.
func (k *walk) countPlaced(w *World, slot int32) {
	if e := &w.slab[slot]; e.body != nil {
		k.nth[slot] = k.number(w, e)
	}
}

// number is how many alike there have been, this one included.
func (k *walk) number(w *World, e *event) int {
	h := hashKeys(hashString(w.link(e.from, e.to), e.body.Kind()), KeysOf(e.body))
	k.count[h]++
	return k.count[h]
}
