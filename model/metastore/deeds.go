package metastore

import "slices"

// do writes the key if its condition holds.
func (p Put) do(s *State, _ *Command) Answer {
	now, live := s.seen(p.Key)
	s.pending.Counts = p.If != Unless && s.rules.Dialect.EmptyTxn
	switch {
	case p.If != Unless && now.Mod != p.If:
		a := Answer{}
		if live {
			a.Items = []Item{{p.Key, now}}
		}
		return a
	case !s.has(p.Lease):
		return Answer{Why: NoLease}
	}
	p.write(s)
	return Answer{OK: true}
}

// write makes the version. A life that goes on keeps its beginning.
func (p Put) write(s *State) {
	v := Version{Value: p.Value, Create: s.pending.Rev, Count: 1, Lease: p.Lease}
	if old, live := s.live(p.Key, s.Rev); live {
		v.Create, v.Count = old.Create, old.Count+1
	}
	s.attach(p.Key, p.Lease)
	s.append(p.Key, v)
}

func (d Delete) do(s *State, _ *Command) Answer {
	s.pending.Counts = s.rules.Dialect.EmptyDelete
	return Answer{OK: true, Count: s.kill(d.Range)}
}

// kill puts tombstones on the keys of a range that lived before the command and do yet, in their
// order. It says on how many.
func (s *State) kill(r Range) int64 {
	low, high := s.inside(r)
	var keys []string
	for _, h := range s.Keys[low:high] {
		_, lived := s.live(h.Key, s.Rev)
		if _, lives := s.live(h.Key, s.pending.Rev); lived && lives {
			keys = append(keys, h.Key)
		}
	}
	for _, key := range s.rules.order(keys) {
		s.attach(key, 0)
		s.append(key, Version{Dead: true})
	}
	return int64(len(keys))
}

// do reads what there is, with what the transaction has written so far.
func (g Get) do(s *State, _ *Command) Answer {
	return s.answer(Query{Range: g.Range}, s.pending.Rev)
}

// do does one branch. All conditions are about the state before the command, and nothing is written
// if anything of the branch cannot be.
func (t Txn) do(s *State, c *Command) Answer {
	s.pending.Counts = s.rules.Dialect.EmptyTxn
	p := t.path(s)
	if p.lacks(s) {
		s.pending.Counts = false
		return Answer{Why: NoLease}
	}
	a := p.do(s, c)
	if s.rules.Dialect.Yields {
		return Answer{OK: a.OK, Yield: p.yields()}
	}
	return a
}

// path is the way through a transaction that its conditions lead.
type path struct {
	ok    bool
	yield string
	steps []Deed // but for transactions
	inner []path // in the place of a transaction: by step; else the zero value
}

// path finds the way before anything is written.
func (t Txn) path(s *State) path {
	p := path{ok: t.If.holds(s)}
	b := &t.Else
	if p.ok {
		b = &t.Then
	}
	p.yield, p.steps, p.inner = b.Yield, b.Deeds, make([]path, len(b.Deeds))
	for i, d := range b.Deeds {
		if inner, nested := d.(Txn); nested {
			p.inner[i] = inner.path(s)
		}
	}
	return p
}

// lacks says that a put on the way names a lease that is not.
func (p path) lacks(s *State) bool {
	for i, d := range p.steps {
		if put, is := d.(Put); is && !s.has(put.Lease) || p.inner[i].lacks(s) {
			return true
		}
	}
	return false
}

func (p path) do(s *State, c *Command) Answer {
	a := Answer{OK: p.ok, Yield: p.yield}
	for i, d := range p.steps {
		switch d := d.(type) {
		case Txn:
			a.Steps = append(a.Steps, p.inner[i].do(s, c))
		case Put:
			d.write(s)
			a.Steps = append(a.Steps, Answer{OK: true})
		default:
			a.Steps = append(a.Steps, d.do(s, c))
		}
	}
	return a
}

// yields is what the last leaf on the way that yields anything yields.
func (p path) yields() string {
	for _, in := range slices.Backward(p.inner) {
		if y := in.yields(); y != "" {
			return y
		}
	}
	return p.yield
}

func (Tick) do(*State, *Command) Answer { return Answer{OK: true} }

// do forgets answers. All replicas do it at the same place of the log.
func (e Evict) do(s *State, _ *Command) Answer {
	var keep []Done
	for _, d := range s.Answers {
		if d.Time >= e.Before {
			keep = append(keep, d)
		}
	}
	dropped := int64(len(s.Answers) - len(keep))
	s.Answers = keep
	s.pending.Counts = dropped > 0 && s.rules.Dialect.EvictCounts
	return Answer{OK: true, Count: dropped}
}
