package metastore

import (
	"cmp"
	"slices"
)

// lease is the place of a lease, and whether it is there.
func (s *State) lease(id int64) (at int, found bool) {
	return slices.BinarySearchFunc(s.Leases, id, func(l Lease, id int64) int {
		return cmp.Compare(l.ID, id)
	})
}

// has says that a lease is there. There is always the lease 0, which is none.
func (s *State) has(id int64) bool {
	_, found := s.lease(id)
	return found || id == 0
}

// attach hangs a key on a lease, 0 is none, and takes it off the one it hangs on.
func (s *State) attach(key string, id int64) {
	for i := range s.Leases {
		l := &s.Leases[i]
		at, hangs := slices.BinarySearch(l.Keys, key)
		switch {
		case hangs && l.ID != id:
			l.Keys = slices.Concat(l.Keys[:at], l.Keys[at+1:])
		case !hangs && l.ID == id:
			l.Keys = slices.Concat(l.Keys[:at], []string{key}, l.Keys[at:])
		}
	}
}

func (g Grant) do(s *State, _ *Command) Answer {
	at, found := s.lease(g.ID)
	if found {
		return Answer{Why: Exists}
	}
	s.Leases = slices.Insert(s.Leases, at, Lease{ID: g.ID, TTL: int64(g.TTL)})
	return Answer{OK: true}
}

// do ends the lease, and its keys with it, as one revision. What a leader saw expire counts in its
// own term alone: another may have renewed it since.
func (r Revoke) do(s *State, _ *Command) Answer {
	at, found := s.lease(r.ID)
	switch {
	case !found:
		return Answer{Why: NoLease}
	case r.By != 0 && r.By != s.pending.Term && !s.rules.AnyTerm:
		return Answer{Why: Moved}
	}
	keys := s.Leases[at].Keys
	for _, key := range keys {
		s.kill(Key(key))
	}
	s.Leases = slices.Concat(s.Leases[:at], s.Leases[at+1:])
	return Answer{OK: true, Count: int64(len(keys))}
}

func (c Checkpoint) do(s *State, _ *Command) Answer {
	at, found := s.lease(c.ID)
	if !found {
		return Answer{Why: NoLease}
	}
	s.Leases[at].Left = int64(c.Left)
	return Answer{OK: true}
}
