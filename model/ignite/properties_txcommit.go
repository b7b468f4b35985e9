package ignite

import "github.com/downset/downset/sim"

// unanimity looks at the first commit of every transaction in two phases.
func unanimity(t *tales, p *tally) { each((*tales).unanimous)(t, p) }

func (t *tales) unanimous(x *tale, p *tally) {
	l := x.earliest(committing)
	if l == nil || x.onePhase() {
		return
	}
	p.premises++
	when := l.at[committing]
	missing := func(node sim.NodeID, o *stint) bool {
		if o != nil && o.at[prepared] >= 0 && o.at[prepared] < when {
			return false
		}
		return !t.gone(x, node, when)
	}
	if near := x.newest(x.id.Near, nearKey(x.id)); missing(x.id.Near, near) {
		t.notPrepared(x, l, x.id.Near, p)
	}
	for i := range x.mapping.Shares {
		s := &x.mapping.Shares[i]
		reads := len(s.Writes) == 0 && t.by(l, committing) == byRecovery
		if !reads && missing(s.Primary, x.duty(s.Primary)) {
			t.notPrepared(x, l, s.Primary, p)
		}
		for _, b := range s.Backups {
			if missing(b, x.newest(b, key{x.id, backup, s.Primary})) {
				t.notPrepared(x, l, b, p)
			}
		}
	}
}

func (t *tales) notPrepared(x *tale, l *stint, node sim.NodeID, p *tally) {
	p.wrong(order(x.mapped, l.at[committing]), "%s is COMMITTING, but %s has not prepared %s",
		t.text(l), t.run.Name(node), x.id.Name)
}

// earliest is the object that came to a state first, nil if none did.
func (c *course) earliest(s state) *stint {
	var best *stint
	for k := range c.stints {
		if l := &c.stints[k]; l.at[s] >= 0 && (best == nil || l.at[s] < best.at[s]) {
			best = l
		}
	}
	return best
}

// by is in whose name an object came to a state.
func (t *tales) by(l *stint, s state) finalization {
	for _, i := range l.moves {
		if f := t.trace[i].Body.(moved); f.To == s {
			return f.By
		}
	}
	return nobody
}

// commitOrder looks at every commit by the user that another must come before.
func commitOrder(t *tales, p *tally) { each((*tales).ordered)(t, p) }

func (t *tales) ordered(x *tale, p *tally) {
	for k := range x.stints {
		l := &x.stints[k]
		if l.at[committing] < 0 || t.by(l, committing) != byUser {
			continue
		}
		if x.onePhase() {
			t.orderedBackwards(x, l, p)
			continue
		}
		switch l.key.Role {
		case primary:
			t.after(x.newest(x.id.Near, nearKey(x.id)), l, p)
		case backup:
			t.after(x.duty(l.key.Primary), l, p)
		}
	}
}

// orderedBackwards is the order of one phase: the backup, the primary, near. Who has gone is not
// waited for.
func (t *tales) orderedBackwards(x *tale, l *stint, p *tally) {
	if len(x.mapping.Shares) != 1 || l.key.Role == backup {
		return
	}
	s, when := &x.mapping.Shares[0], l.at[committing]
	if l.node != s.Primary {
		if !t.gone(x, s.Primary, when) {
			t.after(x.duty(s.Primary), l, p)
		}
		return
	}
	for _, b := range s.Backups {
		if len(s.Writes) > 0 && !t.gone(x, b, when) {
			t.after(x.newest(b, key{x.id, backup, s.Primary}), l, p)
		}
	}
}

// after wants an object to be COMMITTED before another begins to commit.
func (t *tales) after(early, late *stint, p *tally) {
	p.premises++
	when := late.at[committing]
	if early != nil && early.at[committed] >= 0 && early.at[committed] < when ||
		early != nil && early.at[unknown] >= 0 {
		return
	}
	if early == nil {
		p.wrong(order(when), "%s is COMMITTING, but who has to commit first has no object", t.text(late))
		return
	}
	p.wrong(order(when, early.at[committed]), "%s is COMMITTING before %s is COMMITTED", t.text(late),
		t.text(early))
}

// noWayBack looks at every primary that let its backup commit at once.
func noWayBack(t *tales, p *tally) { each((*tales).goesOn)(t, p) }

func (t *tales) goesOn(x *tale, p *tally) {
	if x.asked < 0 {
		return
	}
	p.premises++
	l := x.duty(t.trace[x.asked].Node)
	if l == nil {
		return
	}
	for _, s := range []state{markedRollback, rollingBack} {
		back := l.at[s]
		if back > x.asked && (x.refused < 0 || x.refused > back) {
			p.wrong(order(x.asked, back), "%s became %v after its backup was let commit", t.text(l), s)
			return
		}
	}
}

// synchrony looks at what near tells its client first. A rollback is waited for by all, whatever
// the sync mode is.
func synchrony(t *tales, p *tally) {
	for i := range t.list {
		x := &t.list[i]
		if len(x.outcomes) == 0 || x.failed {
			continue
		}
		switch t.trace[x.outcomes[0]].Body.(outcome).State {
		case committed:
			t.safe(x, x.outcomes[0], p)
		case rolledBack:
			t.undone(x, x.outcomes[0], p)
		}
	}
}

// undone wants no object under way of what is called rolled back. A backup whose primary is gone is
// not waited for: it asks near what it has to do (3.2).
func (t *tales) undone(x *tale, when int32, p *tally) {
	for k := range x.stints {
		l := &x.stints[k]
		orphan := l.key.Role == backup && t.gone(x, l.key.Primary, when)
		if l.made > when || l.fell >= 0 && l.fell < when || orphan || t.gone(x, l.node, when) {
			continue
		}
		p.premises++
		if end := max(l.at[committed], l.at[rolledBack], l.at[unknown]); end < 0 || end > when {
			p.wrong(order(l.made, when, end), "near of %s says ROLLED_BACK, but %s is under way",
				x.id.Name, t.text(l))
		}
	}
}

func (t *tales) safe(x *tale, when int32, p *tally) {
	if x.mapped < 0 || x.mapping.Sync == fullAsync {
		return
	}
	for _, o := range x.owners {
		if x.mapping.Sync == primarySync && !o.primary || t.gone(x, o.node, when) {
			continue
		}
		p.premises++
		if w := x.wrote(o); w < 0 || w > when {
			p.wrong(order(when, w), "near of %s says COMMITTED with %v, but %s has not written %s",
				x.id.Name, x.mapping.Sync, t.run.Name(o.node), o.key)
		}
	}
}
