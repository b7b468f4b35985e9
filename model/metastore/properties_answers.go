package metastore

import (
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// answerProperties are about what clients are answered.
func answerProperties() []sim.Property {
	return []sim.Property{
		{Name: "answers", Layer: viewLayer, Class: sim.Silent, Check: answers,
			Doc: "what a client is answered is what the log comes to at the index that the answer " +
				"names: reads of what there is and of what is past, conditions, all of a transaction " +
				"or nothing (M3, M4, M5)"},
		{Name: "compaction", Layer: viewLayer, Class: sim.Silent, Check: compaction,
			Doc: "what is forgotten and what is not yet is refused, and nothing else: what a server " +
				"has removed nobody can tell (M6)"},
		{Name: "once", Layer: viewLayer, Class: sim.Silent, Check: once,
			Doc: "what a client asks has effect once at the most (M16)"},
		{Name: "updates", Layer: viewLayer, Class: sim.Silent, Check: updates,
			Doc: "an update puts its value in the place of the one that it has read"},
		{Name: "pages", Layer: viewLayer, Class: sim.Silent, Check: pagesWhole,
			Doc: "the pages of a range are together what it has at one revision"},
		{Name: "leases", Layer: viewLayer, Class: sim.Silent, Check: leases,
			Doc: "a lease that nobody revokes lasts for its length from when it was begun anew, only " +
				"who leads ends it, and of one that is over nobody is told that it lives (M18)"},
	}
}

// judged goes through the answers to those questions that a property is about.
func judged(run *sim.Run, about func(q *question) bool) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	for i := range l.asks {
		q := &l.asks[i]
		if q.At < 0 || !q.Known || !about(q) {
			continue
		}
		premises++
		if !q.Got.Equal(q.Want) {
			v = witnessed(v, fmt.Sprintf("%s asks %s and is answered %v; by the log up to %d it is %v",
				run.Name(q.Node), sim.Text(q.What), q.Got, q.Got.Index, q.Want), q.From, q.At)
		}
	}
	return premises, v
}

// bounds says that a question is about what is forgotten or not yet.
func bounds(q *question) bool {
	if _, is := q.What.(Compact); is {
		return true
	}
	limit := func(w Why) bool { return w == Compacted || w == Future }
	return limit(q.Got.Why) || limit(q.Want.Why)
}

func answers(run *sim.Run) (premises int, v *sim.Violation) {
	return judged(run, func(q *question) bool {
		_, lease := q.What.(keepAlive)
		return !lease && !bounds(q)
	})
}

func compaction(run *sim.Run) (premises int, v *sim.Violation) { return judged(run, bounds) }

// once: of the commands that are one client's one question only the first has effect.
func once(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	first := map[[2]int64]int{}
	for i := range l.entries {
		n := &l.entries[i]
		if !n.Does || n.Command.Session == 0 || n.Command.Term != n.Term {
			continue
		}
		id := [2]int64{n.Command.Session, n.Command.Seq}
		was, again := first[id]
		if !again {
			first[id] = i
			premises++
			continue
		}
		if !n.Again && n.Answer.OK && l.entries[was].Answer.OK || n.Again && l.changed(i) {
			v = witnessed(v, fmt.Sprintf("%v is done twice, as %d and as %d of the log", n.Command,
				was, i), l.entries[was].At, n.At)
		}
	}
	return premises, v
}

// changed says that by what servers say an entry of the log made a revision.
func (l *ledger) changed(index int) bool {
	first := l.firstSaid()
	return index > 0 && index < len(first) && first[index] != nil && first[index-1] != nil &&
		first[index].Rev != first[index-1].Rev
}

func updates(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	read := map[int64]int{} // by call: the question before
	for i := range l.asks {
		q := &l.asks[i]
		was, known := read[q.Seq>>16]
		read[q.Seq>>16] = i
		p, puts := q.What.(Put)
		if q.At < 0 || q.Seq&0xffff == 0 || !puts || !q.Got.OK || !known || l.asks[was].At < 0 ||
			p.Key == affinityKey {
			continue
		}
		premises++
		had := int64(0)
		if items := l.asks[was].Got.Items; len(items) > 0 {
			had = items[0].Mod
		}
		if is, _ := l.state.live(p.Key, q.Got.Rev-1); is.Mod != had {
			v = witnessed(v, fmt.Sprintf("%s has read %s of revision %d, and its %v takes the place "+
				"of that of %d", run.Name(q.Node), word(p.Key), had, p, is.Mod), l.asks[was].At, q.At)
		}
	}
	return premises, v
}

func pagesWhole(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	ops := map[int64]pages{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if p, is := e.Body.(pages); is && e.Kind == sim.EntryInvoked {
			ops[e.N] = p
		}
	}
	for _, i := range l.pages {
		e := &run.Trace[i]
		p, is := ops[e.N]
		got := e.Body.(Answer)
		if !is || got.Rev > l.state.Rev {
			continue
		}
		premises++
		if want := l.state.answer(Query{Range: p.Range}, got.Rev); !slices.Equal(got.Items, want.Items) {
			v = witnessed(v, fmt.Sprintf("%s reads %v in pages and gets %v of revision %d, which has %v",
				run.Name(e.Node), p.Range, got.Items, got.Rev, want.Items), i)
		}
	}
	return premises, v
}

// leases: see its doc. Clocks run at rates that are not quite the world's.
func leases(run *sim.Run) (premises int, v *sim.Violation) {
	premises, v = judged(run, func(q *question) bool {
		_, is := q.What.(keepAlive)
		return is
	})
	l := ledgerOf(run)
	for i := range l.entries {
		n := &l.entries[i]
		r, is := n.Command.Deed.(Revoke)
		if !is || r.By == 0 {
			continue
		}
		premises++
		if n.Answer.Why == Moved && l.changed(i) {
			v = witnessed(v, fmt.Sprintf("%v has effect in term %d", n.Command, n.Term), n.At)
		}
		if q := l.early(n, r.ID); n.Answer.OK && q != nil {
			v = witnessed(v, fmt.Sprintf("%s is told that lease %d lives, as of %v, and at %v it is "+
				"over", run.Name(q.Node), r.ID, run.Trace[q.From].At, run.Trace[n.At].At), q.From, q.At,
				n.At)
		}
	}
	return premises, v
}

// early is an answer that promised a lease for longer than up to where it ends, nil if there is
// none.
func (l *ledger) early(n *line, id int64) *question {
	ttl := time.Duration(0)
	for i := range l.entries[:n.Index] {
		if g, is := l.entries[i].Command.Deed.(Grant); is && g.ID == id && l.entries[i].Answer.OK {
			ttl = g.TTL
		}
	}
	for i := range l.asks {
		q := &l.asks[i]
		if q.At < 0 || !q.Got.OK || q.Got.Index >= n.Index || !renews(q.What, id) {
			continue
		}
		if end := l.run.Trace[q.From].At.Add(ttl * 99 / 100); end > l.run.Trace[n.At].At &&
			!l.granted(id, q.Got.Index, n.Index) {
			return q
		}
	}
	return nil
}

// granted says that a lease of this name was granted between two places of the log.
func (l *ledger) granted(id, after, before int64) bool {
	for i := after + 1; i < before; i++ {
		n := &l.entries[i]
		if g, is := n.Command.Deed.(Grant); is && g.ID == id && n.Answer.OK {
			return true
		}
	}
	return false
}

func renews(what sim.Body, id int64) bool {
	switch w := what.(type) {
	case keepAlive:
		return w.ID == id
	case Grant:
		return w.ID == id
	}
	return false
}
