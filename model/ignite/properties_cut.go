package ignite

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// cutProperties are those of the consistent cut. Only cuts that ended in success are claimed about,
// unless the sentence says otherwise. Layer 0 is about form, which localises; layer 2 about the
// sides of transactions; layer 3 about the outcome and what it restores; the rest about progress.
func cutProperties() []sim.Property {
	form := []sim.Property{
		{Name: "discovery", Check: discovery,
			Doc: "every node consumes discovery in order, without gaps"},
		{Name: "marks", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofLogs(),
			Check: ofCuts(marksOnce),
			Doc:   "every listed node has START of the cut and then FINISH, each once, nobody else has any"},
		{Name: "colour", Class: sim.Silent, Check: onRun((*reading).colour),
			Doc: "no message that carries a cut is applied by a node that is not in the cut"},
		{Name: "one-cut", Class: sim.Silent, Scope: sim.ScopeOrder, Check: ofCuts(oneCut),
			Doc: "a node is in one cut at a time, never in one that it has left, and versions grow"},
		{Name: "stamps", Class: sim.Silent, Check: onRun((*reading).stamped),
			Doc: "a message carries a cut only if its sender is in it"},
		{Name: "joiner", Class: sim.Silent, Scope: sim.ScopeOrder, Check: ofCuts(joiner),
			Doc: "a node that joined after START is not in the cut, and does not mark it"},
		{Name: "signer", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofTags(),
			Check: ofTxs(signedRight),
			Doc:   "the tag of a transaction is fixed by who decides it, and is the cut that it is in then"},
		{Name: "same-tag", Class: sim.Silent, Scope: sim.ScopeOrder, Check: onRun((*reading).sameTag),
			Doc: "all messages of a transaction carry the tag that was fixed"},
		{Name: "sets", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofEnds(),
			Check: ofSets(setsClean),
			Doc:   "FINISH names a transaction in one set, and only if it committed here since step A"},
		{Name: "trusted", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofEnds(),
			Check: ofSets(setsTrusted),
			Doc:   "FINISH names no transaction that recovery committed here, or that is UNKNOWN"},
	}
	return append(append(form, sideProperties()...), processProperties()...)
}

func sideProperties() []sim.Property {
	return []sim.Property{
		{Name: "agreement", Layer: 2, Class: sim.Silent, Scope: sim.ScopeState, Reads: ofLogs(),
			Check: ofCuts(agreement),
			Doc:   "all data records of a transaction are on the same side, on all nodes"},
		{Name: "oracle", Layer: 2, Class: sim.Silent, Scope: sim.ScopeState, Reads: ofSides(),
			Check: ofCuts(oracle),
			Doc:   "a transaction is after the cut if and only if its decision was made in it"},
		{Name: "complete", Layer: 2, Class: sim.Silent, Scope: sim.ScopeOrder, Check: ofCuts(completely),
			Doc: "what is before the cut is so on every node that has to store it"},
		{Name: "nesting", Layer: 2, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: onRun((*reading).nested),
			Doc:   "what is before a cut is before all later ones"},
		{Name: "restored", Layer: 3, Class: sim.Silent, Check: ofCuts(restoredRight),
			Doc: "every owner restores what the transactions before the cut have written"},
		{Name: "failed-marks", Layer: 3, Class: sim.Silent, Check: ofCuts(marksIgnored),
			Doc: "marks of failed cuts change nothing of what is restored"},
		{Name: "truncated", Layer: 3, Class: sim.Silent, Check: ofCuts(truncated),
			Doc: "a log that ends early restores all of the cut or nothing"},
		{Name: "sum", Layer: 3, Class: sim.Silent, Check: ofCuts(sums),
			Doc: "where transactions only move amounts, the restored total is the initial one"},
	}
}

func processProperties() []sim.Property {
	return []sim.Property{
		{Name: "one-result", Layer: 3, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: onRun((*reading).oneResult),
			Doc:   "a stage has one result, and success when all are in the cut and have their marks"},
		{Name: "alive", Layer: 3, Class: sim.Silent, Scope: sim.ScopeOrder, Check: ofCuts(alive),
			Doc: "a cut succeeds only while all listed nodes and the initiator are there"},
		{Name: "report", Layer: 3, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: onRun((*reading).reported),
			Doc:   "the client is told of success if and only if the cut is one"},
		{Name: "finishes", Layer: 4, Class: sim.Stopped, Scope: sim.ScopeEnd, Reads: ofEnds(),
			Check: onRun((*reading).finishes),
			Doc: "a cut ends, well if nothing fails, once all transactions have; ACTIVE ones do not " +
				"delay FINISH"},
		{Name: "suspended", Layer: 4, Class: sim.Stopped, Scope: sim.ScopeEnd, Reads: ofEnds(),
			Check: onRun((*reading).suspended),
			Doc:   "SUSPENDED transactions do not delay FINISH"},
	}
}

// check is what a sim.Property has for its Check.
type check = func(*sim.Run) (premises int, v *sim.Violation)

// tally counts premises, and keeps the first violation.
type tally struct {
	premises int
	v        *sim.Violation
}

// wrong notes a violation, shown by some entries.
func (t *tally) wrong(at []int32, reason string, args ...any) {
	if t.v != nil {
		t.v.Count++
		return
	}
	t.v = &sim.Violation{Reason: fmt.Sprintf(reason, args...), Count: 1}
	for _, i := range at {
		if i >= 0 {
			t.v.Witness = append(t.v.Witness, int(i))
		}
	}
}

func onRun(look func(*reading, *tally)) check {
	return func(run *sim.Run) (int, *sim.Violation) {
		t := &tally{}
		look(readRun(run), t)
		return t.premises, t.v
	}
}

// ofCuts looks at each cut that ended in success.
func ofCuts(look func(*reading, *line, *tally)) check {
	return onRun(func(r *reading, t *tally) {
		for _, l := range r.good() {
			look(r, l, t)
		}
	})
}

// ofTxs looks at each transaction.
func ofTxs(look func(*reading, *course, *tally)) check {
	return onRun(func(r *reading, t *tally) {
		for k := range r.txs {
			look(r, &r.txs[k], t)
		}
	})
}

// ofSets looks at each transaction that FINISH of a cut names on a node.
func ofSets(look func(*reading, listing, *tally)) check {
	return ofCuts(func(r *reading, l *line, t *tally) {
		for _, n := range l.baseline {
			s := &l.at[n]
			if !s.whole() {
				continue
			}
			at := r.logs[n].rows[s.finishes[0]].entry
			for _, x := range s.sets.Included {
				look(r, listing{l, s, n, x, at, r.find(x)}, t)
			}
			for _, x := range s.sets.Excluded {
				look(r, listing{l, s, n, x, at, r.find(x)}, t)
			}
		}
	})
}

// listing is a transaction in a set of FINISH.
type listing struct {
	cut     *line
	station *station
	node    sim.NodeID
	tx      txID
	finish  int32   // where FINISH was appended
	course  *course // nil if the run knows of none
}

// good are the cuts that ended in success, by when they did.
func (r *reading) good() []*line { return r.successes }

// find is the course of a transaction, nil if there is none.
func (r *reading) find(t txID) *course {
	at, ok := r.tx.find(&t)
	if !ok {
		return nil
	}
	return &r.txs[at]
}

// sideOf is the side of a transaction; it is known if there are data records of it on listed nodes,
// and all on one side.
func (r *reading) sideOf(l *line, t txID) (before, known bool) {
	c := r.find(t)
	if c == nil {
		return false, false
	}
	for _, d := range c.data {
		if !r.counts(l, d) {
			continue
		}
		side := r.before(l, d, t)
		if known && side != before {
			return false, false
		}
		before, known = side, true
	}
	return before, known
}

// counts says that a data record has a side: its node has the marks of the cut, and no restore came
// between, of which a crash may have lost the record here.
func (r *reading) counts(l *line, d datum) bool {
	s := &l.at[d.node]
	return s.whole() && d.row > s.fresh && (s.undone < 0 || d.row < s.undone) &&
		(!l.anew || !r.replaced(l, d))
}

// replaced says that an owner has restored, before the cut, what the transaction of a data record
// had written.
func (r *reading) replaced(l *line, d datum) bool {
	rec := r.logs[d.node].rows[d.row].record.(dataRecord)
	c, p := r.find(rec.txID), r.layout.of(rec.Update.Key)
	return p != nil && slices.ContainsFunc(p.Owners, func(n sim.NodeID) bool {
		s := &l.at[n]
		return s.fresh >= 0 && s.whole() && r.logs[n].rows[s.fresh].entry > c.mapped
	})
}

// entryOf is where a data record was appended.
func (r *reading) entryOf(d datum) int32 { return r.logs[d.node].rows[d.row].entry }
