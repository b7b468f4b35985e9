package ignite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Trials are restores of the cuts of many runs, counted, and each compared with what it should come
// to:
//   - a cut that succeeded, restored on each baseline node from its whole log, is what a model has
//     that knows neither marks nor sets: the transactions before the cut by 1.13, applied in the
//     order of the counters (I-24);
//   - it is the same whether the log is compacted or not, striped or not, indexed or not;
//   - it is what the cut before it restores, and its own increment on top (I-25);
//   - if crashes have cut the logs off, each node's at any record, a node restores the same or
//     refuses to (I-27);
//   - a cut that failed is not restored by all nodes, whatever is left of their logs (I-26).
type Trials struct {
	Runs, With    int // runs, and those of them with a cut that succeeded
	Cuts, Failed  int // cuts that succeeded, and that did not
	Restores      int // of cuts that succeeded, by one node from its whole log
	Certain       int // transactions of which 1.13 says the side, by cut
	Marked        int // transactions of which it does not: the marks do
	Ways          int // restores in other ways
	Increments    int // put on top of the cut before
	Walls         int // not so, since data came past the log, or a restore
	Clusters      int // cuts that were tried with all logs cut off
	Back          int // of those restored by all nodes
	Short         int // refused by a node whose log is too short
	Doubtful      int // refused since no log that is left says that the cut succeeded
	Logs, Refused int // logs cut off, and those of them that do not restore the cut
	Withheld      int // attempts to restore cuts that failed, refused
	Disagreements int
	First         []string // the first few
}

// mostShown is how many disagreements are kept.
const mostShown = 5

// Add tries the restores of a run, which has to have its trace.
func (t *Trials) Add(run *sim.Run) {
	x := trial{Trials: t, reading: readRun(run), draws: sim.Draws{Seed: run.Plan.Seed}}
	for n := range run.Nodes {
		x.disks = append(x.disks, ReadLog(run.Disks[n]))
	}
	t.Runs++
	t.With += min(1, len(x.successes))
	for k, l := range x.successes {
		t.Cuts++
		got := x.whole(l)
		if k > 0 {
			x.compose(x.successes[k-1], l, got)
		}
		for how := range cutOffs {
			x.cutOff(l, got, how)
		}
	}
	for k := range x.cuts {
		if l := &x.cuts[k]; !l.good && len(l.baseline) > 0 {
			t.Failed++
			x.withhold(l)
		}
	}
}

// trial is that of one run.
type trial struct {
	*Trials
	*reading
	draws sim.Draws
	disks []Log // by node
	mark  int   // of what is drawn
}

func (x *trial) wrong(format string, args ...any) {
	x.Disagreements++
	if len(x.First) < mostShown {
		x.First = append(x.First, fmt.Sprintf("seed %d: ", x.run.Plan.Seed)+fmt.Sprintf(format, args...))
	}
}

// restores restores a cut from some log of a node, by the rules of the variant.
func (x *trial) restores(l *line, n sim.NodeID, log Log) (restored, error) {
	return log.restoreOn(x.layout.owned(n), l.id.Name, x.replayRules())
}

// whole restores a cut from all logs as they are, and gives what each node has then.
func (x *trial) whole(l *line) map[sim.NodeID]restored {
	want, all := x.model(l), map[sim.NodeID]restored{}
	for _, n := range l.baseline {
		got, err := x.restores(l, n, x.disks[n])
		if err != nil {
			x.wrong("cut %s has succeeded, but %s cannot restore it: %s", l.id, x.run.Name(n), err)
			continue
		}
		x.Restores++
		all[n] = got
		back := recovered{node: n, log: x.disks[n], got: got}
		for p := range x.layout.Places {
			if why := x.misses(l, want, &back, &x.layout.Places[p]); why != "" {
				x.wrong("restoring cut %s, %s has %s", l.id, x.run.Name(n), why)
			}
		}
		x.otherwise(l, n, x.disks[n])
	}
	return all
}

// model is what a cut holds, by transactions.
func (x *trial) model(l *line) *contents {
	w := &contents{}
	for p := range x.layout.Places {
		place := &x.layout.Places[p]
		old, ok := x.atRestore(l, place)
		for _, e := range old.Entries {
			w.put(e)
		}
		for _, k := range place.Keys {
			if !ok {
				w.put(entry{Key: k, Value: place.Holds})
			}
		}
	}
	for k := range x.txs {
		x.applied(l, &x.txs[k], w)
	}
	return w
}

// applied applies a transaction, if it is before a cut. Of those that recovery has committed 1.13
// says nothing.
func (x *trial) applied(l *line, c *course, w *contents) {
	after, certain := x.truth(l, c)
	here := false
	for _, d := range c.data {
		if !x.counts(l, d) {
			continue
		}
		here = true
		if certain && !after || !certain && x.before(l, d, c.id) {
			u := x.logs[d.node].rows[d.row].record.(dataRecord).Update
			w.put(entry{u.Key, u.Value, u.Counter, c.id})
		}
	}
	switch {
	case here && certain:
		x.Certain++
	case here:
		x.Marked++
	}
}

// otherwise restores a cut from a log in the other ways.
func (x *trial) otherwise(l *line, n sim.NodeID, log Log) {
	first, name := x.layout.owned(n), l.id.Name
	want, refusal := log.restoreOn(first, name, replayRules{})
	short := log.Compact()
	for way, restore := range []func() (restored, error){
		func() (restored, error) { return short.restoreOn(first, name, replayRules{}) },
		func() (restored, error) { return log.RestoreFast(name, Fast{Workers: 4, First: first}) },
		func() (restored, error) {
			return log.RestoreFast(name, Fast{Index: log.Index(), First: first})
		},
		func() (restored, error) {
			return short.RestoreFast(name, Fast{Index: short.Index(), Workers: 2, First: first})
		},
	} {
		x.Ways++
		got, err := restore()
		if (err == nil) != (refusal == nil) || !same(got.Parts, want.Parts) ||
			!slices.Equal(got.Lost, want.Lost) {
			x.wrong("restoring cut %s on %s, %s does other than plain", l.id, x.run.Name(n),
				waysToRestore[way+1])
		}
	}
}

// compose puts the increment of a cut on top of what the cut before it restores.
func (x *trial) compose(l, w *line, got map[sim.NodeID]restored) {
	for _, n := range w.baseline {
		have, ok := got[n]
		log := x.disks[n]
		if !ok || !log.follows(l.id, w.id) {
			continue
		}
		if log.walled(log.marksOf(l.id).Finish, log.marksOf(w.id).Finish) {
			x.Walls++
			continue
		}
		state, err := x.restores(l, n, log)
		if err != nil {
			continue // whole has said so
		}
		x.Increments++
		log.add(&state, l.id, w.id)
		if !same(state.Parts, have.Parts) {
			x.wrong("on %s cut %s is not cut %s and the increment between them", x.run.Name(n), w.id, l.id)
		}
	}
}

// follows says that the increment of a cut is the next one after that of another.
func (l Log) follows(c, next cutID) bool {
	a, at := l.increment(c.Name)
	b, last := l.increment(next.Name)
	return at >= 0 && last >= 0 && a.Base == b.Base && a.Index+1 == b.Index
}

// walled says that data came between two places that no transaction of the log has written.
func (l Log) walled(from, to int) bool {
	return slices.ContainsFunc(l[from:to], func(r sim.Record) bool {
		switch r.(type) {
		case baseRecord, restoredRecord, rebalanceRecord, groupBaseRecord, pagesRecord:
			return true
		}
		return false
	})
}

// add applies what is before a cut and was not before the one before it, by the sides of 1.10.
func (l Log) add(to *restored, c, next cutID) {
	old, _ := l.Sides(c)
	now, _ := l.Sides(next)
	for _, r := range l {
		d, ok := r.(dataRecord)
		if !ok {
			continue
		}
		is := sided{d.txID, before}
		at := slices.IndexFunc(to.Parts, func(p partition) bool { return p.Name == d.Update.Part })
		if at >= 0 && slices.Contains(now, is) && !slices.Contains(old, is) {
			to.Parts[at].put(d.txID, d.Update)
		}
	}
}

// The places at which logs are cut off: anywhere, about the marks of the cut, after FINISH.
const cutOffs = 3

// rest is what a crash leaves of a log, now and then with a torn record at its end.
func (x *trial) rest(l *line, n sim.NodeID, how int) Log {
	log, m := x.disks[n], x.disks[n].marksOf(l.id)
	from, to := 0, len(log)
	switch {
	case how == 1 && m.complete():
		from, to = m.Start, min(m.Finish+3, len(log))
	case how == 2 && m.complete():
		from = m.Finish + 1
	}
	x.mark++
	end := from + int(x.draws.Int(int64(to-from)+1, "cut off ", x.mark))
	rest := slices.Clone(log[:end])
	if end < len(log) && x.draws.Int(2, "torn ", x.mark) == 0 {
		rest = append(rest, sim.Torn{})
	}
	return rest
}

// cutOff tries a cut with the log of each node cut off.
func (x *trial) cutOff(l *line, whole map[sim.NodeID]restored, how int) {
	x.Clusters++
	all, sure := true, false
	for _, n := range l.baseline {
		log := x.rest(l, n, how)
		got, err := x.restores(l, n, log)
		x.Logs++
		switch want, known := whole[n]; {
		case err != nil:
			x.Refused++
			all = false
		case known && !same(got.Parts, want.Parts):
			x.wrong("%s restores another cut %s from a log that ends at record %d", x.run.Name(n), l.id,
				len(log))
		}
		sure = sure || log.confirms(l.id)
		x.otherwise(l, n, log)
	}
	switch {
	case !all:
		x.Short++
	case !sure:
		x.Doubtful++
	default:
		x.Back++
	}
}

// confirms says that the increment of a cut is written twice: its node has seen the cut succeed.
func (l Log) confirms(c cutID) bool {
	newest, at := l.increment(c.Name)
	return at >= 0 && !newest.Removed && slices.Contains(l[:at], sim.Record(newest))
}

// withhold tries a cut that failed, with the logs whole and cut off.
func (x *trial) withhold(l *line) {
	for how := range cutOffs + 1 {
		all, sure := true, false
		for _, n := range l.baseline {
			log := x.disks[n]
			if how < cutOffs {
				log = x.rest(l, n, how)
			}
			_, err := x.restores(l, n, log)
			all, sure = all && err == nil, sure || log.confirms(l.id)
		}
		if all && sure {
			x.wrong("cut %s has failed, and all nodes restore it", l.id)
			continue
		}
		x.Withheld++
	}
}

// Table is what the trials came to.
func (t *Trials) Table() string {
	var page strings.Builder
	page.WriteString("| | |\n|---|---:|\n")
	for _, row := range []struct {
		what string
		n    int
	}{
		{"runs", t.Runs},
		{"runs with a cut that succeeded", t.With},
		{"cuts that succeeded", t.Cuts},
		{"restores of one by a node, from its whole log", t.Restores},
		{"transactions that the model placed by 1.13, cut by cut", t.Certain},
		{"transactions of recovery, placed by the marks", t.Marked},
		{"restores compacted, striped, indexed, and all three", t.Ways},
		{"increments put on top of the cut before", t.Increments},
		{"increments that data came into past the log", t.Walls},
		{"cuts tried with the logs of all nodes cut off", t.Clusters},
		{"restored by all nodes", t.Back},
		{"refused, for a log is too short", t.Short},
		{"refused, for no log says that the cut succeeded", t.Doubtful},
		{"logs cut off", t.Logs},
		{"refusals of a single log", t.Refused},
		{"cuts that failed", t.Failed},
		{"attempts to restore one of them, refused", t.Withheld},
		{"disagreements", t.Disagreements},
	} {
		fmt.Fprintf(&page, "| %s | %d |\n", row.what, row.n)
	}
	for _, first := range t.First {
		page.WriteString("\n- " + first + "\n")
	}
	return page.String()
}
