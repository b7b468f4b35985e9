package metastore

// Query is a read of a range: of a revision that is past, or of what there is. All but the range
// and the revision is done with what the read has found.
type Query struct {
	Range Range
	At    int64 // the revision; 0 is what there is
	Limit int   // of the items in the answer; 0 is all
	Keys  bool  // without values
	Count bool  // only how many there are
	Min   int64 // of the revisions of the items
	Max   int64 // and the greatest, 0: any
}

// Read answers a query.
func (s *State) Read(q Query) Answer {
	a := s.read(q)
	a.Rev, a.Index = s.Rev, s.Applied
	if a.Why == Compacted {
		a.At = s.Compacted
	}
	return a
}

func (s *State) read(q Query) Answer {
	switch {
	case q.At == 0:
		return s.answer(q, s.Rev)
	case q.At > s.Rev && !s.rules.Dialect.ReadsAhead:
		return Answer{Why: Future}
	case q.At < s.floor() && !s.answersLast(q):
		return Answer{Why: Compacted}
	}
	return s.answer(q, min(q.At, s.Rev))
}

// floor is the least revision that can be read.
func (s *State) floor() int64 {
	return s.rules.bound(s.rules.Dialect.floor(s.Compacted), s.Swept)
}

// answersLast says that a get of a forgotten revision is answered all the same: what it finds is
// the last version of the key, and alive. Then nothing of the key can have been forgotten since.
func (s *State) answersLast(q Query) bool {
	if !s.rules.Dialect.LastAnswers || !q.Range.One {
		return false
	}
	h := s.history(q.Range.From)
	return h != nil && !h.last().Dead && h.last().Mod <= q.At
}

// answer is what a range has at a revision that can be read.
func (s *State) answer(q Query, rev int64) Answer {
	a := Answer{OK: true}
	low, high := s.inside(q.Range)
	for _, h := range s.Keys[low:high] {
		v, known := h.at(rev)
		if !known || v.Dead || v.Mod < q.Min || q.Max > 0 && v.Mod > q.Max {
			continue
		}
		a.Count++
		if q.Count || q.Limit > 0 && len(a.Items) == q.Limit {
			continue
		}
		if q.Keys {
			v.Value = ""
		}
		a.Items = append(a.Items, Item{h.Key, v})
	}
	return a
}
