package ignite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What can be seen of a node:
//
//	side T         before, after or split: where its data of transaction T is, as seen from the
//	               newest cut that it has finished
//	side c1 T      the same for cut c1
//	wal            the log's records of transactions and marks, in letters (5.6): P S D C F-T
//	wal T          of them those of transaction T, and all marks
//	wal c1 T       of them those of transaction T, and the marks of cut c1
//	log            all its records, in letters: see letterOf
//	data x         what key x holds: the log replayed, of owners only; nothing if it holds nothing
//	entered c1     the kind of message that brought cut c1, or start
//	included c1    the transactions that it has put before cut c1, sorted, or empty
//	excluded c1    and after it
//	cut c1         of the node that was asked for it: open, done, failed: WHY, refused: WHY
//	restored c1    of the node that was asked for it: open, done, refused: WHY
//	local c1       of a node that has entered c1: open, finished, failed: WHY, refused: WHY
//	state T ROLE   the state of its object of T as near, primary or backup: PREPARED
//	state T        the same, if all its objects of T are in one state
//	finish T       user or recovery: who took the end of its objects of T; both if they differ
//	tag T          of the node that fixed it: the cut that T is after, or none
//	outcome T      of the near node: COMMITTED, ROLLED_BACK or UNKNOWN

// shows are the first words of these names.
var shows = []string{"side", "wal", "log", "data", "entered", "included", "excluded", "cut",
	"restored", "local", "state", "finish", "tag", "outcome"}

// glimpse is what a run says of one node.
type glimpse struct {
	run     *sim.Run
	node    sim.NodeID
	started bool
	objects []seenObject // in the order in which they were made
	cuts    []cutID      // that it has entered
	names   []string     // of what can be seen beside its log, in order of first mention
	values  map[string]string
}

// seenObject is an object of a transaction, as the facts have it.
type seenObject struct {
	key   key
	state state
	by    finalization
}

func observe(run *sim.Run) []sim.Observation {
	glimpses := make([]*glimpse, len(run.Nodes))
	for i := range glimpses {
		glimpses[i] = &glimpse{run: run, node: sim.NodeID(i), values: map[string]string{}}
	}
	calls := map[int64]string{} // by call of a cut or a restore, what it is called
	for i := range run.Trace {
		e := &run.Trace[i]
		if int(e.Node) < len(glimpses) {
			glimpses[e.Node].see(e, calls)
		}
	}
	var seen []sim.Observation
	for _, v := range glimpses {
		if v.started {
			seen = append(seen, v.show()...)
		}
	}
	return seen
}

// set gives something that can be seen a value.
func (v *glimpse) set(value, format string, args ...any) {
	name := fmt.Sprintf(format, args...)
	if _, known := v.values[name]; !known {
		v.names = append(v.names, name)
	}
	v.values[name] = value
}

func (v *glimpse) see(e *sim.Entry, calls map[int64]string) {
	switch e.Kind {
	case sim.EntryStarted:
		v.started = true
	case sim.EntryCrashed, sim.EntryLeft:
		v.objects = slices.DeleteFunc(v.objects, func(o seenObject) bool { return !o.state.done() })
	case sim.EntryNoted:
		v.noted(e.Body)
	case sim.EntryInvoked:
		v.invoked(e, calls)
	case sim.EntryReturned, sim.EntryRefused:
		v.answered(e, calls)
	}
}

// invoked begins what is asked for.
func (v *glimpse) invoked(e *sim.Entry, calls map[int64]string) {
	switch op := e.Body.(type) {
	case cutOp:
		calls[e.N] = "cut " + op.Cut
	case restoreOp:
		calls[e.N] = "restored " + op.Cut
	default:
		return
	}
	v.set("open", "%s", calls[e.N])
}

// answered ends it.
func (v *glimpse) answered(e *sim.Entry, calls map[int64]string) {
	name, ok := calls[e.N]
	if !ok {
		return
	}
	value := "done"
	if e.Kind == sim.EntryRefused {
		value = "refused: " + sim.Text(e.Body)
	} else if c, ok := e.Body.(cutEnded); ok && c.Err != "" {
		value = "failed: " + c.Err
	}
	v.set(value, "%s", name)
}

func (v *glimpse) noted(b sim.Body) {
	switch f := b.(type) {
	case made:
		v.objects = slices.DeleteFunc(v.objects, func(o seenObject) bool { return o.key == f.Object })
		v.objects = append(v.objects, seenObject{key: f.Object})
	case moved:
		o := v.object(f.Object)
		o.state, o.by = f.To, f.By
	case pinned:
		v.object(f.Object).by = f.By
	case tagged:
		v.set(orWord(f.Tag.Name, "none"), "tag %s", f.Object.Name)
	case outcome:
		v.set(f.State.String(), "outcome %s", f.Name)
	case entered:
		if !slices.Contains(v.cuts, f.Cut) {
			v.cuts = append(v.cuts, f.Cut)
			v.set(f.By, "entered %s", f.Cut)
			v.set("open", "local %s", f.Cut)
		}
	case failedCut:
		v.set("failed: "+f.Why, "local %s", f.Cut)
	case refusedCut:
		v.set("refused: "+f.Why, "local %s", f.Cut)
	}
}

// object is the object with a local id. Of one that was made in a handler that a crash cut off only
// later facts may speak.
func (v *glimpse) object(k key) *seenObject {
	for i := range v.objects {
		if v.objects[i].key == k {
			return &v.objects[i]
		}
	}
	v.objects = append(v.objects, seenObject{key: k})
	return &v.objects[len(v.objects)-1]
}

// show lists what can be seen.
func (v *glimpse) show() []sim.Observation {
	log := ReadLog(v.run.Disks[v.node])
	v.showLog(log)
	v.showObjects()
	v.showData(log)
	list := make([]sim.Observation, 0, len(v.names))
	for _, name := range v.names {
		list = append(list, sim.Observation{Node: v.run.Nodes[v.node], Name: name,
			Value: v.values[name]})
	}
	return list
}

// showLog shows sides, the sets of FINISH, and the log in letters.
func (v *glimpse) showLog(log Log) {
	for _, c := range log.cutsOf() {
		m := log.marksOf(c)
		if !m.complete() {
			continue
		}
		f := log[m.Finish].(finishRecord)
		if v.values["local "+c.Name] == "open" {
			v.set("finished", "local %s", c)
		}
		v.set(sortedNames(f.Included), "included %s", c)
		v.set(sortedNames(f.Excluded), "excluded %s", c)
		sides, _ := log.Sides(c)
		for _, s := range sides {
			v.set(strings.ToLower(s.Side.String()), "side %s %s", c, s.Tx.Name)
			v.set(strings.ToLower(s.Side.String()), "side %s", s.Tx.Name)
		}
	}
	if len(log) == 0 {
		return
	}
	v.set(log.of("PDCRTSF").Letters(""), "wal")
	v.set(log.Letters(""), "log")
	for _, t := range log.txs() {
		v.set(log.Letters(t.Name), "wal %s", t.Name)
		for _, c := range log.cutsOf() {
			v.set(log.Letters(t.Name, c.Name), "wal %s %s", c, t.Name)
		}
	}
}

// of are the records of a log that some letters stand for.
func (l Log) of(letters string) Log {
	return slices.DeleteFunc(slices.Clone(l), func(r sim.Record) bool {
		return !strings.ContainsRune(letters, rune(letterOf(r)))
	})
}

// txs are the transactions that a log has records of, in that order.
func (l Log) txs() []txID {
	var list []txID
	for _, r := range l {
		if t, ok := txOf(r); ok && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// showObjects shows states and who ended them.
func (v *glimpse) showObjects() {
	for i := range v.objects {
		o := &v.objects[i]
		t := o.key.txID
		v.set(o.state.String(), "state %s %s", t.Name, o.key.Role)
		same := !slices.ContainsFunc(v.objects, func(x seenObject) bool {
			return x.key.txID == t && x.state != o.state
		})
		if same {
			v.set(o.state.String(), "state %s", t.Name)
		}
		if who := v.finishers(t); who != "" {
			v.set(who, "finish %s", t.Name)
		}
	}
}

// finishers are those who took the end of a transaction's objects here.
func (v *glimpse) finishers(t txID) string {
	var words []string
	for _, by := range []finalization{byUser, byRecovery} {
		is := func(o seenObject) bool { return o.key.txID == t && o.by == by }
		if slices.ContainsFunc(v.objects, is) {
			words = append(words, [...]string{byUser: "user", byRecovery: "recovery"}[by])
		}
	}
	return strings.Join(words, " ")
}

// showData shows what the disk says that the keys hold.
func (v *glimpse) showData(log Log) {
	layout := layoutOf(v.run.Plan.Setup, len(v.run.Plan.Nodes))
	if !layout.baseline(v.node) {
		return
	}
	r := &replay{}
	r.begin(layout.owned(v.node))
	for _, rec := range log {
		switch rec := rec.(type) {
		case dataRecord:
			r.apply(rec)
		case pagesRecord: // which a restore does not see, and the node does
			r.replace(rec.Part)
		default:
			r.other(rec)
		}
	}
	for i := range r.parts {
		for _, e := range r.parts[i].Entries {
			v.set(e.Value, "data %s", e.Key)
		}
	}
}

func sortedNames(list []txID) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.Name
	}
	slices.Sort(words)
	return orWord(strings.Join(words, " "), "empty")
}

func orWord(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
