package ignite

import "slices"

// follows is where an object may go from each state (1.3), which is written here once more, from
// the specification and the other way round than the objects have it.
var follows = [...]states{
	active:         setOf(suspended, preparing, markedRollback, rollingBack),
	suspended:      setOf(active, markedRollback, rollingBack),
	preparing:      setOf(prepared, markedRollback, rollingBack),
	prepared:       setOf(committing, markedRollback, rollingBack),
	committing:     setOf(committed, unknown),
	committed:      0,
	markedRollback: setOf(rollingBack),
	rollingBack:    setOf(rolledBack, unknown),
	rolledBack:     0,
	unknown:        0,
}

// transitions follows every object through its states.
func transitions(t *tales, p *tally) {
	for i := range t.list {
		x := &t.list[i]
		for k := range x.stints {
			t.course(x, &x.stints[k], p)
			t.remade(x, k, p)
		}
	}
}

// course follows one object.
func (t *tales) course(x *tale, l *stint, p *tally) {
	begun := setOf(active, preparing) // an object is made in one of them
	is := active
	for k, i := range l.moves {
		f := t.trace[i].Body.(moved)
		p.premises++
		switch {
		case k == 0 && !begun.has(f.From), k > 0 && f.From != is:
			p.wrong(order(l.made, i), "%s was %v, not %v, as it became %v", t.text(l), is, f.From, f.To)
		case f.From == committing && f.To == rollingBack && x.local(l):
		case !follows[f.From].has(f.To):
			p.wrong(order(l.made, i), "%s went from %v to %v", t.text(l), f.From, f.To)
		}
		is = f.To
	}
}

// local says that an object is a near object without any other participant.
func (x *tale) local(l *stint) bool {
	return l.key.Role == near && !slices.ContainsFunc(x.mapping.Shares, func(s share) bool {
		return s.Primary != l.node || len(s.Backups) > 0
	})
}

// remade wants no object made again whose local id has ended on its node.
func (t *tales) remade(x *tale, k int, p *tally) {
	l := &x.stints[k]
	for j := range k {
		o := &x.stints[j]
		end := max(o.at[committed], o.at[rolledBack], o.at[unknown])
		if o.node != l.node || o.key != l.key || t.fell(l.node, o.made, l.made) {
			continue
		}
		p.premises++
		if end >= 0 {
			p.wrong(order(end, l.made), "%s had ended, and is made again", t.text(l))
			return
		}
	}
}

// finalizations looks at who takes the finish of every object, and in whose name it moves.
func finalizations(t *tales, p *tally) {
	for i := range t.list {
		for k := range t.list[i].stints {
			t.finishers(&t.list[i].stints[k], p)
		}
	}
}

func (t *tales) finishers(l *stint, p *tally) {
	by, from := nobody, nowhere
	for _, i := range l.pins {
		f := t.trace[i].Body.(pinned)
		p.premises++
		if by != nobody && (f.By == byUser || by == byUser) {
			p.wrong(order(from, i), "%v of %s is taken, which is in %v", f.By, t.text(l), by)
		}
		by, from = f.By, i
	}
	for _, i := range l.moves {
		f := t.trace[i].Body.(moved)
		if f.To != committing && f.To != rollingBack {
			continue
		}
		p.premises++
		if f.By == nobody || !t.pinnedBefore(l, f.By, i) {
			p.wrong(order(from, i), "%s became %v by %v, which had not been taken", t.text(l), f.To, f.By)
		}
	}
}

// pinnedBefore says that an object's finish was taken before an entry.
func (t *tales) pinnedBefore(l *stint, by finalization, i int32) bool {
	return slices.ContainsFunc(l.pins, func(k int32) bool {
		return k < i && t.trace[k].Body.(pinned).By == by
	})
}

// writeAhead looks at the data records of every transaction.
func writeAhead(t *tales, p *tally) {
	for i := range t.list {
		x := &t.list[i]
		for k := range x.data {
			w := &x.data[k]
			p.premises++
			switch {
			case w.stray:
				p.wrong(order(w.entry), "%s wrote %s of %s, but has no object that is COMMITTING it",
					t.run.Name(w.node), w.update.Key, x.id.Name)
			case w.bare:
				p.wrong(order(w.entry), "%s wrote %s of %s without a TxRecord(PREPARED) before it",
					t.run.Name(w.node), w.update.Key, x.id.Name)
			}
		}
		t.complete(x, p)
	}
}

// complete wants every object that is COMMITTED to have written each of its writes once.
func (t *tales) complete(x *tale, p *tally) {
	for k := range x.stints {
		l := &x.stints[k]
		if l.at[committed] < 0 {
			continue
		}
		for _, o := range x.owners {
			if o.node != l.node || !x.may(l, o.key) {
				continue
			}
			p.premises++
			if n, want := x.records(l, o.key), x.wanted(l, o.key); n != want {
				p.wrong(order(l.at[committing], l.at[committed]),
					"%s is COMMITTED with %d data records of %s, want %d", t.text(l), n, o.key, want)
			}
		}
	}
}

// records counts the data records of a key that an object wrote.
func (x *tale) records(l *stint, k string) int {
	n := 0
	for i := range x.data {
		w := &x.data[i]
		if w.node == l.node && w.update.Key == k && w.entry > l.at[committing] &&
			w.entry < l.at[committed] {
			n++
		}
	}
	return n
}

// wanted counts the writes of a key that an object has to do.
func (x *tale) wanted(l *stint, k string) int {
	n := 0
	for i := range x.mapping.Shares {
		s := &x.mapping.Shares[i]
		for _, w := range s.Writes {
			if s.Primary == l.key.Primary && w.Key == k {
				n++
			}
		}
	}
	return n
}
