package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// oneResult is I-31. A reducer that takes over may publish again what the one before had published.
// What has to be true at the result of START is what makes it safe to stop signing (1.12): all are
// in the cut, and the marks are there.
func (r *reading) oneResult(t *tally) {
	for k := range r.cuts {
		l := &r.cuts[k]
		t.premises += len(l.results)
		for at := 1; at < len(l.results); at++ {
			j, i := l.results[at-1], l.results[at]
			if r.again(j, i) {
				t.wrong([]int32{j, i}, "the %s of cut %s has two results, of %s and of %s",
					r.trace[i].Body.(result).Stage, l.id, r.name(j), r.name(i))
			}
		}
		if l.good && len(l.results) > 0 {
			r.allIn(l, l.results[0], t)
		}
	}
}

// again says that two results are of the same stage, and the first reducer was still there. Those
// of one stage follow each other.
func (r *reading) again(j, i int32) bool {
	same := r.trace[j].Body.(result).Stage == r.trace[i].Body.(result).Stage
	return same && !r.members[r.trace[j].Node].fallen(j, i)
}

// allIn looks whether all are in the cut, and all listed have FINISH, at an entry. Where cuts are
// versions, whoever is late learns that a version is old.
func (r *reading) allIn(l *line, i int32, t *tally) {
	for n := range l.at {
		s, m := &l.at[n], &r.members[n]
		listed := l.lists(sim.NodeID(n))
		if len(m.rises) == 0 || m.rises[0] > l.listed || m.order > l.topVer || m.fallen(0, i) {
			continue
		}
		t.premises++
		switch late := s.entered < 0 || s.entered > i; {
		case late && (listed || l.id.Version == 0):
			t.wrong(order(i, s.entered), "%s says that cut %s is in force, before %s is in it", r.name(i),
				l.id, r.run.Nodes[n])
		case listed && len(s.finishes) > 0 && r.logs[n].rows[s.finishes[0]].entry > i:
			t.wrong([]int32{i, r.logs[n].rows[s.finishes[0]].entry},
				"%s says that cut %s is in force, before %s has FINISH", r.name(i), l.id, r.run.Nodes[n])
		}
	}
}

// alive is I-29, as far as the reducer can know.
func alive(r *reading, l *line, t *tally) {
	for _, n := range append(slices.Clip(l.baseline), l.initiator) {
		t.premises++
		name := r.run.Name(n)
		for _, i := range r.lefts {
			knows := r.trace[i].Node == l.reducer && i > l.listed && i < l.published
			if knows && r.trace[i].Body.(sim.Member).Name == name {
				t.wrong([]int32{l.listed, i, l.published},
					"%s calls cut %s a success, though it knows that %s has left", r.run.Name(l.reducer),
					l.id, name)
			}
		}
	}
}

// reported is U1. A request may also be refused before it makes a cut, and who was asked may have
// left before it could answer.
func (r *reading) reported(t *tally) {
	for _, i := range r.told {
		b := r.trace[i].Body.(cutEnded)
		at := r.askedFor(i)
		if b.Err != "" && (at < 0 || r.cuts[at].call == 0) {
			continue
		}
		t.premises++
		switch {
		case b.Err == "" && (at < 0 || !r.cuts[at].good || r.cuts[at].ended > i):
			t.wrong([]int32{i}, "the client is told that cut %s is a success, and it is not", b.Cut)
		case b.Err == "" || !r.cuts[at].good || r.cuts[at].ended > i:
		case !r.members[r.cuts[at].initiator].fallen(r.cuts[at].begun, i):
			t.wrong([]int32{r.cuts[at].ended, i},
				"the client is told that cut %s failed, and it is a success", b.Cut)
		}
	}
}

// askedFor is the index of the cut that the call was for which got an answer at an entry, -1 if
// there is none. Where the request had to wait on its way, only the name says so.
func (r *reading) askedFor(i int32) int {
	named := -1
	for k := range r.cuts {
		switch l := &r.cuts[k]; {
		case l.call == r.trace[i].N:
			return k
		case l.call == 0 && l.id.Name == r.trace[i].Body.(cutEnded).Cut:
			named = k
		}
	}
	return named
}

// finishes is I-11.
func (r *reading) finishes(t *tally) {
	rest := r.rest()
	for k := range r.cuts {
		l := &r.cuts[k]
		if l.listed < 0 || rest.stuck || rest.suspended || r.struck(l) {
			continue
		}
		t.premises++
		if n := r.without(l); n >= 0 {
			t.wrong([]int32{l.listed}, "%s never writes FINISH of cut %s", r.run.Nodes[n], l.id)
		}
		if !rest.active {
			r.ends(l, t)
		}
	}
}

// ends: all transactions have ended, so the cut has to, and well if nothing failed.
func (r *reading) ends(l *line, t *tally) {
	if l.ended < 0 {
		t.wrong([]int32{l.listed}, "cut %s never ends", l.id)
		return
	}
	for n := range l.at {
		s := &l.at[n]
		keeps := l.id.Version == 0 && s.entered >= 0 && s.forgot < 0
		if keeps && !r.members[n].fallen(s.entered, int32(len(r.trace))) {
			t.wrong([]int32{s.entered, l.ended}, "%s never forgets cut %s", r.run.Nodes[n], l.id)
		}
	}
	if !l.good && !r.moved(l) {
		r.reasons(l, t)
	}
}

// suspended is the rule of the draft (D5).
func (r *reading) suspended(t *tally) {
	rest := r.rest()
	for k := range r.cuts {
		l := &r.cuts[k]
		if l.listed < 0 || rest.stuck || !rest.suspended || r.struck(l) {
			continue
		}
		t.premises++
		if n := r.without(l); n >= 0 {
			t.wrong([]int32{l.listed}, "%s never writes FINISH of cut %s", r.run.Nodes[n], l.id)
		}
	}
}

// why says why a cut failed.
func (l *line) why(r *reading) string {
	switch b := r.trace[l.ended].Body.(type) {
	case startResult:
		return b.Err
	case endResult:
		return b.Err
	}
	return ""
}

// rest is how transactions stand in the end.
type rest struct{ active, suspended, stuck bool }

func (r *reading) rest() (end rest) {
	for k := range r.txs {
		c := &r.txs[k]
		for at := range c.stints {
			switch s := &c.stints[at]; {
			case s.state.done() || s.fell >= 0:
			case s.state == suspended:
				end.suspended = true
			case s.state == active:
				end.active = true
			default:
				end.stuck = true
			}
		}
	}
	return end
}

// struck says that a listed node or the initiator was not there at START, or left before the end.
func (r *reading) struck(l *line) bool {
	for _, n := range append(slices.Clip(l.baseline), l.initiator) {
		if int(n) < len(r.members) && r.members[n].missed(l) {
			return true
		}
	}
	return false
}

// missed says that a node was not there at START of a cut, or came or went before its end.
func (m *member) missed(l *line) bool {
	gone, running := false, func(i int32) bool {
		return i > l.begun && (l.ended < 0 || i < l.ended)
	}
	for _, i := range m.left {
		back := func(j int32) bool { return j > i && j < l.begun }
		gone = gone || running(i) || i < l.begun && !slices.ContainsFunc(m.came, back)
	}
	return gone || slices.ContainsFunc(m.came, running)
}

// without is a listed node that has not written FINISH, and has no reason; -1 if there is none.
func (r *reading) without(l *line) int {
	if l.ended >= 0 && !l.good || l.objected() {
		return -1
	}
	for _, n := range l.baseline {
		if len(l.at[n].finishes) == 0 && r.members[n].wiped < l.begun {
			return int(n)
		}
	}
	return -1
}
