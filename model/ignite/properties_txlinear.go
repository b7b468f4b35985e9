package ignite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// use is what a transaction does to one key, as its client knows it.
type use struct {
	Tx      string
	Key     string
	Saw     []string // what it read there, before it wrote
	Writes  []write
	call    int32 // the entry
	end     int32 // nowhere if its client does not know
	counter int64 // of the version that it wrote, or else read
	epoch   int
}

func (use) Kind() string     { return "use" }
func (u use) Keys() []string { return []string{u.Tx, u.Key} }

func (u use) String() string {
	var words []string
	for _, s := range u.Saw {
		words = append(words, fmt.Sprintf("reads %q", s))
	}
	for _, w := range u.Writes {
		words = append(words, "writes "+w.words())
	}
	return u.Tx + " " + strings.Join(words, ", ") + " at " + u.Key
}

// onto is what a use leaves of what its key holds, and whether it can have read that.
func (u *use) onto(held string) (ok bool, next string) {
	ok = u.end < 0 || !slices.ContainsFunc(u.Saw, func(s string) bool { return s != held })
	for _, w := range u.Writes {
		held = w.onto(held)
	}
	return ok, held
}

// atomicKeys takes from every answer what it says of each key, and has the histories judged as
// those of registers: a key is one up to a restore, and another one from there on, which holds what
// was restored. Reads without a lock promise nothing.
func atomicKeys(t *tales, p *tally) {
	list := t.uses()
	for i := range list {
		if list[i].end >= 0 {
			p.premises++
		}
	}
	if t.obvious(list) {
		return
	}
	_, v, err := t.register().Check(t.operations(list))
	if err != nil {
		panic("ignite: " + err.Error())
	}
	if v == nil {
		return
	}
	var witness []int32
	for _, i := range v.Witness {
		witness = append(witness, int32(i/t.width()))
	}
	p.wrong(order(witness...), "%s", v.Reason)
}

// obvious says that the order of the update counters is one that explains all uses. It nearly
// always is, and then nothing has to be searched for.
func (t *tales) obvious(list []use) bool {
	sorted := t.spare.sorted[:0]
	for i := range list {
		sorted = append(sorted, &list[i])
	}
	t.spare.sorted = sorted
	slices.SortStableFunc(sorted, func(a, b *use) int {
		switch {
		case a.Key != b.Key:
			return cmp.Compare(a.Key, b.Key)
		case a.epoch != b.epoch:
			return cmp.Compare(a.epoch, b.epoch)
		case a.counter != b.counter:
			return cmp.Compare(a.counter, b.counter)
		case len(a.Writes) != len(b.Writes):
			return cmp.Compare(len(b.Writes), len(a.Writes))
		}
		return cmp.Compare(a.call, b.call)
	})
	held, latest := "", nowhere
	for i, u := range sorted {
		if i == 0 || sorted[i-1].Key != u.Key || sorted[i-1].epoch != u.epoch {
			held, latest = t.heldFirst(u), nowhere
		}
		ok, next := u.onto(held)
		if !ok || u.end >= 0 && u.end < latest {
			return false
		}
		held, latest = next, max(latest, u.call)
	}
	return true
}

// operations are uses as a judge wants them.
func (t *tales) operations(list []use) checker.History {
	var h checker.History
	for i := range list {
		u, wide := list[i], t.width()
		o := checker.Operation{Op: u, Call: int(u.call)*wide + t.keyed(u.Key), Return: checker.Never,
			Fate: checker.Unknown}
		if u.end >= 0 {
			o.Result, o.Fate = done{}, checker.Returned
			o.Return = int(u.end)*wide + t.keyed(u.Key)
		}
		h = append(h, o)
	}
	slices.SortStableFunc(h, func(a, b checker.Operation) int { return cmp.Compare(a.Call, b.Call) })
	for i := range h {
		h[i].ID, h[i].Client = sim.CallID(i+1), sim.ClientID(i+1)
	}
	return h
}

// register is the object that a key is.
func (t *tales) register() checker.Spec {
	return checker.Spec{
		Init: func() any { return held{} },
		Step: func(state any, op sim.Op, _ sim.Body, open bool) (bool, any) {
			h, u := state.(held), op.(use)
			if !h.written {
				h.value = t.heldFirst(&u)
			}
			ok, next := u.onto(h.value)
			if len(u.Writes) == 0 {
				return ok || open, state
			}
			return ok || open, held{next, true}
		},
		Key:   func(op sim.Op) string { return op.(use).register() },
		Reads: func(op sim.Op) bool { return len(op.(use).Writes) == 0 },
		Shows: func(state any) string { return state.(held).value },
		Says:  func(op sim.Op, _ sim.Body) string { return op.(use).String() },
	}
}

// heldFirst is what the register of a use holds before all uses.
func (t *tales) heldFirst(u *use) string {
	e, _ := t.basis(t.layout.of(u.Key), u.Key, u.epoch)
	return e.Value
}

// register is what a key is called in an epoch.
func (u use) register() string {
	if u.epoch == 0 {
		return u.Key
	}
	return fmt.Sprintf("%s of restore %d", u.Key, u.epoch)
}

// held is what a key holds, if it was written at all.
type held struct {
	value   string
	written bool
}

// uses are those of all keys by transactions that took effect, or may have.
func (t *tales) uses() []use {
	list := t.spare.uses[:0]
	lost := t.failedKeys()
	for i := range t.list {
		x := &t.list[i]
		if len(x.calls) == 0 || x.mapped < 0 || len(x.answers) == 0 && len(x.data) == 0 {
			continue
		}
		if said := t.answered(x); said < 0 || t.stateSaid(said) == committed {
			list = t.usesOf(list, x, said)
		}
	}
	t.spare.uses = list
	return slices.DeleteFunc(list, func(u use) bool {
		pl := t.layout.of(u.Key)
		if pl == nil || slices.Contains(lost, u.Key) {
			return true
		}
		_, known := t.basis(pl, u.Key, u.epoch)
		return !known
	})
}

// answered is the answer that says how a transaction ended, nowhere if none does: UNKNOWN is none,
// nor is one that did not wait for any owner.
func (t *tales) answered(x *tale) int32 {
	if len(x.answers) == 0 || t.stateSaid(x.answers[0]) == unknown ||
		x.mapping.Sync == fullAsync {
		return nowhere
	}
	return x.answers[0]
}

// failedKeys are the keys that a transaction wrote which ended UNKNOWN somewhere.
func (t *tales) failedKeys() []string {
	var keys []string
	for i := range t.list {
		if x := &t.list[i]; x.failed {
			for _, o := range x.owners {
				keys = append(keys, o.key)
			}
		}
	}
	return keys
}

// width is by how much places in the trace are spread, so that each key of a transaction can have a
// place of its own; it is more than the greatest number of a key.
func (t *tales) width() int {
	n := 1
	for i := range t.layout.Places {
		n += len(t.layout.Places[i].Keys)
	}
	return n
}

// usesOf adds what a transaction does to each of its keys, up to its answer.
func (t *tales) usesOf(list []use, x *tale, end int32) []use {
	mine := len(list)
	add := func(k string) *use {
		for i := mine; i < len(list); i++ {
			if list[i].Key == k {
				return &list[i]
			}
		}
		list = append(list, use{Tx: x.id.Name, Key: k, call: x.calls[0], end: end})
		return &list[len(list)-1]
	}
	for i := range t.calls {
		c := &t.calls[i]
		if c.node != x.id.Near || c.tx != x.id || c.how == sim.EntryRefused {
			continue
		}
		for _, w := range writesOf(c.op) {
			u := add(w.Key)
			if u.Writes == nil {
				u.Writes = t.spare.writes.some(1)
			}
			u.Writes = append(u.Writes, w)
		}
	}
	if end >= 0 && x.mapping.Mode != optimistic {
		for _, e := range t.trace[end].Body.(ended).Reads {
			u := add(e.Key)
			u.Saw = append(u.Saw, e.Value)
		}
	}
	for i := mine; i < len(list); i++ {
		list[i].counter, list[i].epoch = x.counter(list[i].Key), x.epoch
	}
	return list
}

// counter is the last update counter that a transaction gave a key, or else that it read there.
func (x *tale) counter(k string) int64 {
	best := int64(-1)
	for i := range x.data {
		if u := x.data[i].update; u.Key == k {
			best = max(best, u.Counter)
		}
	}
	for _, r := range x.reads {
		if r.Key == k && best < 0 {
			best = r.Counter
		}
	}
	return best
}

// writesOf are the writes that a request asks for.
func writesOf(op sim.Op) []write {
	switch op := op.(type) {
	case commitOp:
		return op.Writes
	case accessOp:
		return op.Writes
	}
	return nil
}
