package metastore

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// State is the store: what the log up to Applied makes of an empty one, and of nothing else. It is
// plain data; Copy gives one that stays as it is.
type State struct {
	Rev       int64      // the current revision
	Compacted int64      // what is up to here may be forgotten, -1: nothing may
	Applied   int64      // the index of the log up to which this is
	Time      sim.Time   // the time of the last command that had one: all before is past
	Chain     uint64     // over all commands and answers
	Keys      []history  // ascending
	Revs      []Revision // those that are not forgotten, ascending, without gaps
	Leases    []Lease    // ascending
	Answers   []Done     // in the order of their commands

	// Swept is how far this replica has removed what is compacted, Aim how far it is about to, and
	// Cursor the key with which it goes on. No answer depends on them.
	Swept, Aim int64
	Cursor     string

	rules   storeRules
	pending pending
}

// pending is the revision that a command is about to make.
type pending struct {
	Revision
	Counts bool // it is one even if it changes nothing
}

// newState is the empty store of a dialect.
func newState(r storeRules) State {
	return State{Rev: r.Dialect.First, Compacted: -1, Swept: -1, Aim: -1, rules: r}
}

// Copy is the state as it is now. Slices of what is inside are shared, and never changed in place.
func (s *State) Copy() State {
	c := *s
	c.Keys = slices.Clone(s.Keys)
	for i := range c.Keys {
		c.Keys[i].Versions = slices.Clip(c.Keys[i].Versions)
	}
	c.Revs = slices.Clip(s.Revs)
	c.Leases = slices.Clone(s.Leases)
	c.Answers = slices.Clip(s.Answers)
	return c
}

// find is the place of a key, and whether there is anything of it.
func (s *State) find(key string) (at int, found bool) {
	return slices.BinarySearchFunc(s.Keys, key, func(h history, key string) int {
		return cmp.Compare(h.Key, key)
	})
}

// history is what there is of a key, nil if there is nothing.
func (s *State) history(key string) *history {
	if at, found := s.find(key); found {
		return &s.Keys[at]
	}
	return nil
}

// live is the living version of a key at a revision, false if there is none.
func (s *State) live(key string, rev int64) (Version, bool) {
	h := s.history(key)
	if h == nil {
		return Version{}, false
	}
	v, known := h.at(rev)
	if !known || v.Dead {
		return Version{}, false
	}
	return v, true
}

// seen is what conditions see of a key: its living version, of a key without one nothing. A
// tombstone is nothing, whether it has been removed or not.
func (s *State) seen(key string) (v Version, live bool) {
	if v, live = s.live(key, s.Rev); live {
		return v, true
	}
	return s.rules.unseen(s.history(key)), false
}

// inside are the places of the keys of a range.
func (s *State) inside(r Range) (low, high int) {
	low, _ = s.find(r.From)
	for high = low; high < len(s.Keys) && r.Has(s.Keys[high].Key); high++ {
	}
	return low, high
}

// Apply does a command of the log. What comes of it depends on the state and the command alone.
func (s *State) Apply(index, term int64, c Command) Answer {
	s.Applied = index
	a, known := s.recall(c)
	if s.rules.passes(c, term, known) {
		s.Time = max(s.Time, c.Time)
	}
	if !known {
		a = s.execute(index, term, c)
		s.remember(c, a)
	}
	s.Chain = chained(s.Chain, index, c, a)
	return a
}

// Skip is an entry of the log that is no command: only its index counts.
func (s *State) Skip(index int64) { s.Applied = index }

// execute does a command that has not been done. One that comes under another term than the one in
// which its leader stamped it has no effect: what it was stamped with may be wrong by now.
func (s *State) execute(index, term int64, c Command) Answer {
	if c.Term != 0 && c.Term != term && !s.rules.AnyTerm {
		return Answer{Rev: s.Rev, Index: index, Why: Moved}
	}
	if why := c.Deed.fits(&s.rules.Dialect); why != "" {
		return Answer{Rev: s.Rev, Index: index, Why: why}
	}
	s.pending = pending{Revision: Revision{Rev: s.Rev + 1, Index: index, Term: term, Time: c.Time,
		Chain: s.Chain}}
	a := c.Deed.do(s, &c)
	if len(s.pending.Keys) > 0 || s.pending.Counts {
		s.Rev++
		s.Revs = append(s.Revs, s.pending.Revision)
	}
	s.pending = pending{}
	a.Rev, a.Index = s.Rev, index
	return a
}

// recall is the answer that a command got when it came first.
func (s *State) recall(c Command) (Answer, bool) {
	if !s.rules.remembers() || c.Session == 0 {
		return Answer{}, false
	}
	for i := len(s.Answers) - 1; i >= 0; i-- {
		if d := &s.Answers[i]; d.Session == c.Session && d.Seq == c.Seq {
			return d.Answer, true
		}
	}
	return Answer{}, false
}

// remember keeps an answer for who asks again. Nobody is told for good that a term has ended.
func (s *State) remember(c Command, a Answer) {
	if s.rules.remembers() && c.Session != 0 && a.Why != Moved {
		s.Answers = append(s.Answers, Done{c.Session, c.Seq, c.Time, a})
	}
}

// append writes a version of a key for the pending revision, in the place of the one that this
// revision has written already, if there is one.
func (s *State) append(key string, v Version) {
	v.Mod, v.Sub = s.pending.Rev, int64(len(s.pending.Keys))
	at, found := s.find(key)
	if !found {
		s.Keys = slices.Insert(s.Keys, at, history{Key: key})
	}
	h := &s.Keys[at]
	if n := len(h.Versions); n > 0 && h.last().Mod == v.Mod {
		v.Sub = h.last().Sub
		h.Versions = append(slices.Clone(h.Versions[:n-1]), v)
		return
	}
	h.Versions = append(h.Versions, v)
	s.pending.Keys = append(s.pending.Keys, key)
}

// chained is the checksum after a command, whose checksum before it is given.
func chained(chain uint64, index int64, c Command, a Answer) uint64 {
	const prime = 1099511628211
	chain = (chain ^ uint64(index) ^ 14695981039346656037) * prime
	for _, text := range [...]string{encode(c), a.String()} {
		for i := range len(text) {
			chain = (chain ^ uint64(text[i])) * prime
		}
	}
	return chain
}

// digest is over what can be read now, whatever has been removed.
func (s *State) digest() uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) ^ uint64(s.Rev)
	if n := len(s.Revs); n > 0 {
		for _, key := range s.Revs[n-1].Keys { // in the order in which the last one changed them
			h = (h ^ uint64(len(key))) * prime
			for i := range len(key) {
				h = (h ^ uint64(key[i])) * prime
			}
		}
	}
	for i := range s.Keys {
		v, live := s.live(s.Keys[i].Key, s.Rev)
		if !live {
			continue
		}
		for _, n := range [...]int64{v.Mod, v.Sub, v.Create, v.Count, v.Lease} {
			h = (h ^ uint64(n)) * prime
		}
		for _, text := range [...]string{s.Keys[i].Key, v.Value} {
			h = (h ^ uint64(len(text))) * prime
			for k := range len(text) {
				h = (h ^ uint64(text[k])) * prime
			}
		}
	}
	return h
}
