package metastore

// What a dialect refuses is refused before it is proposed: it is a matter of the command alone.

func (p Put) fits(d *Dialect) Why { return d.leases(p.Lease != 0) }

func (Delete) fits(*Dialect) Why { return "" }

func (Get) fits(*Dialect) Why { return "" }

func (t Txn) fits(d *Dialect) Why {
	switch {
	case t.depth() > deepest || t.If.depth() > deepest:
		return Invalid
	case !d.Trees && !t.If.flat():
		return Unsupported
	}
	for _, b := range [...]Branch{t.Then, t.Else} {
		for _, part := range b.Deeds {
			if why := part.fits(d); why != "" {
				return why
			}
		}
	}
	if _, twice := t.writes(); twice && !d.Repeats {
		return Duplicate
	}
	return ""
}

// depth is how far the transaction nests.
func (t Txn) depth() int {
	most := 0
	for _, b := range [...]Branch{t.Then, t.Else} {
		for _, d := range b.Deeds {
			if inner, nested := d.(Txn); nested {
				most = max(most, inner.depth())
			}
		}
	}
	return most + 1
}

// change is what a deed may write: a key, or what it deletes.
type change struct {
	Range Range
	Put   bool
}

// clash says that two changes of one revision may write a key twice. To delete it twice is nothing.
func (c change) clash(o change) bool { return (c.Put || o.Put) && c.Range.Meets(o.Range) }

// writes are what a transaction may write, and whether it may write a key twice. Of its two
// branches only one is done.
func (t Txn) writes() (all []change, twice bool) {
	yes, one := t.Then.writes()
	no, other := t.Else.writes()
	return append(yes, no...), one || other
}

func (b Branch) writes() (all []change, twice bool) {
	for _, d := range b.Deeds {
		mine, inner := changes(d)
		twice = twice || inner
		for _, m := range mine {
			for _, a := range all {
				twice = twice || m.clash(a)
			}
		}
		all = append(all, mine...)
	}
	return all, twice
}

func changes(d Deed) (all []change, twice bool) {
	switch d := d.(type) {
	case Put:
		return []change{{Key(d.Key), true}}, false
	case Delete:
		return []change{{d.Range, false}}, false
	case Txn:
		return d.writes()
	}
	return nil, false
}

func (Compact) fits(*Dialect) Why { return "" }

func (g Grant) fits(d *Dialect) Why {
	if g.ID <= 0 {
		return Invalid
	}
	return d.leases(true)
}

func (Revoke) fits(d *Dialect) Why { return d.leases(true) }

func (Checkpoint) fits(d *Dialect) Why { return d.leases(true) }

func (Tick) fits(*Dialect) Why { return "" }

func (Evict) fits(*Dialect) Why { return "" }

// leases says why there is no such thing as a lease, if one is wanted.
func (d *Dialect) leases(wanted bool) Why {
	if wanted && d.Leaseless {
		return Unsupported
	}
	return ""
}
