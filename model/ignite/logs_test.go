package ignite_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// drawnLog is the log of one node of a right protocol, with the truth about it: what is restored by
// each cut that stands, and the side of each transaction.
type drawnLog struct {
	*rapid.T
	log      ignite.Log
	parts    []ignite.Partition // as they are now
	reserved map[string]int64   // by partition: the last counter that a primary gave
	origin   []ignite.Partition // as they were at the last full snapshot or restore
	txs      []*drawnTx         // since the origin
	all      []*drawnTx         // with data
	active   []*drawnTx
	base     string
	index    int
	made     int // names given
	cuts     []ignite.CutID
	want     map[string][]ignite.Partition
	failed   []string
}

type drawnTx struct {
	id      ignite.TxID
	updates []ignite.Update
	after   map[string]bool // cuts that it is after
	done    bool
}

var drawnParts = []struct{ group, part, keys string }{
	{"", "a", "a b c"}, {"", "d", "d"}, {"g", "e", "e f"},
}

// drawLog draws a log with up to some cuts, of which some fail.
func drawLog(t *rapid.T, cuts int) *drawnLog {
	d := &drawnLog{T: t, reserved: map[string]int64{}, want: map[string][]ignite.Partition{}}
	d.parts = emptyParts()
	d.work("prehistory", "")
	d.drain("")
	d.snapshot("F1")
	for range d.upTo(cuts, "cuts") {
		d.work("between", "")
		switch {
		case d.upTo(4, "fails?") == 4:
			d.cutFails()
		default:
			d.cutStands()
		}
		d.drain("")
		d.aftermath()
	}
	d.work("afterwards", "")
	return d
}

func emptyParts() []ignite.Partition {
	var parts []ignite.Partition
	for _, p := range drawnParts {
		parts = append(parts, ignite.Partition{Name: p.part, Group: p.group})
	}
	return parts
}

func (d *drawnLog) upTo(n int, label string) int { return rapid.IntRange(0, n).Draw(d.T, label) }

func (d *drawnLog) name(what string) string {
	d.made++
	return fmt.Sprintf("%s%d", what, d.made)
}

// aftermath is what may happen when nothing runs: a new full snapshot, a restore, a rebalance.
func (d *drawnLog) aftermath() {
	switch d.upTo(9, "aftermath") {
	case 7:
		d.snapshot(d.name("F"))
	case 8:
		if stand := d.standing(); len(stand) > 0 {
			d.restore(rapid.SampledFrom(stand).Draw(d.T, "restored"))
		}
	case 9:
		d.log = append(d.log, ignite.MetaRecord{Version: int64(d.made), Forbidden: "why"})
	}
}

// standing are the cuts of the newest base that stand.
func (d *drawnLog) standing() []string {
	var names []string
	for _, c := range d.cuts {
		names = append(names, c.Name)
	}
	return names
}

func (d *drawnLog) snapshot(name string) {
	d.log = append(d.log, ignite.BaseRecord{Name: name, Data: copied(d.parts)})
	d.base, d.index, d.origin, d.txs = name, 0, copied(d.parts), nil
	d.want[name] = copied(d.parts)
}

func (d *drawnLog) restore(name string) {
	d.parts = copied(d.want[name])
	for _, p := range d.parts {
		d.reserved[p.Name] = p.Counter
	}
	at := slices.IndexFunc(d.cuts, func(c ignite.CutID) bool { return c.Name == name })
	d.log = append(d.log, ignite.RestoredRecord{Cut: d.cuts[at], Data: copied(d.parts)})
	d.origin, d.txs = copied(d.parts), nil
}

// work does some steps of transactions. During a cut those that begin are after it.
func (d *drawnLog) work(label, during string) {
	for range d.upTo(6, label) {
		if len(d.active) > 0 && rapid.Bool().Draw(d.T, "end one") {
			d.end(rapid.IntRange(0, len(d.active)-1).Draw(d.T, "which"))
		} else {
			d.begin(during)
		}
	}
}

// begin prepares a transaction. Several may be under way with one key, as on a backup, where the
// next one is prepared before the one before has committed.
func (d *drawnLog) begin(during string) {
	t := &drawnTx{id: ignite.TxID{Name: d.name("t"), Near: 7}, after: map[string]bool{}}
	for range 1 + d.upTo(2, "writes") {
		p := rapid.SampledFrom(drawnParts).Draw(d.T, "part")
		k := rapid.SampledFrom(strings.Fields(p.keys)).Draw(d.T, "key")
		if slices.ContainsFunc(t.updates, func(u ignite.Update) bool { return u.Key == k }) {
			continue
		}
		d.reserved[p.part]++
		t.updates = append(t.updates, ignite.Update{Key: k, Part: p.part, Value: t.id.Name,
			Counter: d.reserved[p.part]})
	}
	if during != "" {
		t.after[during] = true
	}
	d.active = append(d.active, t)
	d.log = append(d.log, ignite.PreparedRecord(t.id))
}

// end commits one, mostly.
func (d *drawnLog) end(which int) {
	t := d.active[which]
	d.active = slices.Delete(d.active, which, which+1)
	t.done = true
	if d.upTo(5, "rolls back") == 5 {
		for _, u := range t.updates {
			d.log = append(d.log, ignite.GapRecord{Part: u.Part, From: u.Counter, To: u.Counter})
		}
		d.log = append(d.log, ignite.RolledBackRecord(t.id))
		t.updates = nil
		return
	}
	for _, u := range t.updates {
		d.log = append(d.log, ignite.DataRecord(t.id, u))
	}
	applyTo(d.parts, t)
	d.txs, d.all = append(d.txs, t), append(d.all, t)
	if rapid.Bool().Draw(d.T, "TxRecord") {
		d.log = append(d.log, ignite.CommittedRecord(t.id))
	}
}

func (d *drawnLog) drain(during string) {
	for len(d.active) > 0 {
		d.end(0)
	}
}

// enter is step A and step B of a cut. The side of what is under way at A is drawn; of two with one
// key, the later one is not before if the earlier one is after.
func (d *drawnLog) enter(c ignite.CutID) (tracked []*drawnTx) {
	lateKeys := map[string]bool{}
	for _, t := range d.active {
		late := rapid.Bool().Draw(d.T, "after") ||
			slices.ContainsFunc(t.updates, func(u ignite.Update) bool { return lateKeys[u.Key] })
		if !late {
			continue
		}
		t.after[c.Name] = true
		for _, u := range t.updates {
			lateKeys[u.Key] = true
		}
	}
	was := slices.Clone(d.all)
	d.work("between A and B", c.Name)
	tracked = append(tracked, d.all[len(was):]...) // the commit callback saw them
	d.log = append(d.log, ignite.StartRecord{Cut: c})
	return append(tracked, d.active...)
}

// finish waits for what is tracked, and writes FINISH.
func (d *drawnLog) finish(c ignite.CutID, tracked []*drawnTx) {
	d.work("before FINISH", c.Name)
	for _, t := range tracked {
		if at := slices.Index(d.active, t); at >= 0 {
			d.end(at)
		}
	}
	f := ignite.FinishRecord{Cut: c}
	for _, t := range tracked {
		switch {
		case t.updates == nil:
		case t.after[c.Name]:
			f.Excluded = append(f.Excluded, t.id)
		default:
			f.Included = append(f.Included, t.id)
		}
	}
	d.log = append(d.log, f)
}

func (d *drawnLog) cutStands() {
	c := ignite.CutID{Name: d.name("c"), Version: int64(d.made)}
	d.finish(c, d.enter(c))
	d.work("before the increment", c.Name)
	d.index++
	d.log = append(d.log, ignite.IncrementRecord{Cut: c, Base: d.base, Index: d.index})
	d.cuts = append(d.cuts, c)
	want := copied(d.origin)
	for _, t := range d.txs {
		if !t.after[c.Name] {
			applyTo(want, t)
		}
	}
	d.want[c.Name] = want
	d.work("before the end", c.Name)
	if rapid.Bool().Draw(d.T, "written again") {
		d.log = append(d.log, ignite.IncrementRecord{Cut: c, Base: d.base, Index: d.index})
	}
}

// cutFails leaves START, perhaps FINISH, perhaps an increment that is taken back.
func (d *drawnLog) cutFails() {
	c := ignite.CutID{Name: d.name("bad"), Version: int64(d.made)}
	tracked := d.enter(c)
	how := d.upTo(2, "how it fails")
	if how > 0 {
		d.finish(c, tracked)
	}
	if how > 1 {
		inc := ignite.IncrementRecord{Cut: c, Base: d.base, Index: d.index + 1}
		d.log = append(d.log, inc)
		d.work("before it is taken back", c.Name)
		inc.Removed = true
		d.log = append(d.log, inc)
	}
	d.work("after it failed", c.Name)
	d.failed = append(d.failed, c.Name)
}

// applyTo is the plain meaning of a transaction: of two values of a key that with the greater
// counter stays.
func applyTo(parts []ignite.Partition, t *drawnTx) {
	for _, u := range t.updates {
		p := &parts[slices.IndexFunc(parts, func(p ignite.Partition) bool { return p.Name == u.Part })]
		p.Counter = max(p.Counter, u.Counter)
		p.Reserved = p.Counter
		entries := map[string]ignite.Entry{}
		for _, e := range p.Entries {
			entries[e.Key] = e
		}
		if entries[u.Key].Counter < u.Counter {
			entries[u.Key] = ignite.Entry{Key: u.Key, Value: u.Value, Counter: u.Counter, Tx: t.id}
		}
		p.Entries = nil
		for _, k := range slices.Sorted(maps.Keys(entries)) {
			p.Entries = append(p.Entries, entries[k])
		}
	}
}

func copied(parts []ignite.Partition) []ignite.Partition {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Entries = slices.Clone(parts[i].Entries)
	}
	return parts
}

// drawWild draws a log that no protocol would write, of few names, so that they meet.
func drawWild(t *rapid.T) ignite.Log {
	cut := func() ignite.CutID {
		if rapid.IntRange(0, 5).Draw(t, "no id") == 5 {
			return ignite.CutID{}
		}
		return ignite.CutID{Name: rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(t, "cut")}
	}
	tx := func() ignite.TxID {
		return ignite.TxID{Name: rapid.SampledFrom([]string{"t1", "t2", "t3", "t4"}).Draw(t, "tx")}
	}
	txs := func() []ignite.TxID {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ignite.TxID {
			return ignite.TxID{Name: rapid.SampledFrom([]string{"t1", "t2", "t3", "t4"}).Draw(t, "tx")}
		}), 0, 2).Draw(t, "set")
	}
	number := func(most int64) int64 { return rapid.Int64Range(0, most).Draw(t, "number") }
	base := func() string { return rapid.SampledFrom([]string{"F1", "F2"}).Draw(t, "base") }
	part := func() ignite.Partition {
		p := rapid.SampledFrom(drawnParts).Draw(t, "part")
		q := ignite.Partition{Name: p.part, Group: p.group, Counter: number(5)}
		q.Reserved = q.Counter
		for _, k := range strings.Fields(p.keys) {
			if c := number(q.Counter); c > 0 {
				q.Entries = append(q.Entries, ignite.Entry{Key: k, Value: "v", Counter: c, Tx: tx()})
			}
		}
		return q
	}
	l := ignite.Log{ignite.BaseRecord{Name: "F1", Data: []ignite.Partition{part()}}}
	for range rapid.IntRange(0, 25).Draw(t, "records") {
		var r sim.Record
		switch rapid.IntRange(0, 12).Draw(t, "record") {
		case 0, 1, 2, 3:
			p := part()
			r = ignite.DataRecord(tx(), ignite.Update{Key: p.Name, Part: p.Name, Value: "w", Counter: number(9)})
		case 4, 5:
			r = ignite.StartRecord{Cut: cut()}
		case 6, 7:
			r = ignite.FinishRecord{Cut: cut(), Included: txs(), Excluded: txs()}
		case 8, 9:
			i := ignite.IncrementRecord{Cut: cut(), Base: base(), Index: 1 + int(number(2))}
			i.Removed = number(4) == 4
			r = i
		case 10:
			r = ignite.BaseRecord{Name: base(), Data: []ignite.Partition{part()}}
		case 11:
			r = ignite.RebalanceRecord{Part: part(), From: 3, Full: number(1) == 1}
		case 12:
			r = ignite.RestoredRecord{Cut: cut(), Data: []ignite.Partition{part()}}
		}
		l = append(l, r)
	}
	return l
}
