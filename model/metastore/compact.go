package metastore

import "slices"

// do lets what is up to the revision be forgotten. What is removed for that, and when, is each
// replica's own matter (Sweep): nobody can tell.
func (c Compact) do(s *State, _ *Command) Answer {
	switch {
	case c.Rev <= s.Compacted:
		return Answer{Why: Compacted, At: s.Compacted}
	case c.Rev > s.Rev || s.rules.Dialect.KeepsCurrent && c.Rev == s.Rev:
		return Answer{Why: Future}
	}
	s.Compacted = c.Rev
	return Answer{OK: true}
}

// Sweep removes what nobody can read any more, of as many keys as it may look at. It says whether
// there is more to do.
func (s *State) Sweep(keys int) bool {
	if s.Aim == s.Swept {
		s.Aim, s.Cursor = s.Compacted, ""
	}
	if s.Aim == s.Swept {
		return false
	}
	at, _ := s.find(s.Cursor)
	for ; keys > 0 && at < len(s.Keys); keys-- {
		if s.thin(&s.Keys[at]); len(s.Keys[at].Versions) == 0 {
			s.Keys = slices.Delete(s.Keys, at, at+1)
			continue
		}
		at++
	}
	if at < len(s.Keys) {
		s.Cursor = s.Keys[at].Key
		return true
	}
	s.Swept = s.Aim
	floor := s.rules.Dialect.floor(s.Swept)
	n := 0
	for n < len(s.Revs) && s.Revs[n].Rev < floor {
		n++
	}
	s.Revs = s.Revs[n:]
	return s.Swept < s.Compacted
}

// thin removes the versions of a key that cannot be read at Aim or later. Of those up to Aim the
// newest stays, unless it is a tombstone that no watch can ask for any more either.
func (s *State) thin(h *history) {
	n := 0
	for n < len(h.Versions) && h.Versions[n].Mod <= s.Aim {
		n++
	}
	if n > 0 && s.rules.stays(h, n-1, s.Aim) {
		n--
	}
	h.Versions = h.Versions[n:]
}
