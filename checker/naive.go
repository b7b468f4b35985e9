package checker

// permutable says that the uses of one part have a legal order, by trying all of them: the twin of
// the search and of zones, for histories of up to seven operations or so. It knows no moments at
// infinity: an open operation happens, or it does not.
func (s *Spec) permutable(uses []use) bool {
	return s.extends(s.Init(), uses, make([]bool, len(uses)))
}

// extends says that an order that ends in a state can be extended by what is not yet in it.
func (s *Spec) extends(state any, uses []use, in []bool) bool {
	whole := true
	for i := range uses {
		if in[i] {
			continue
		}
		whole = whole && uses[i].open
		if !mayBeNext(uses, in, i) {
			continue
		}
		u := &uses[i]
		ok, next := s.Step(state, u.Op, u.result(), u.open)
		if !ok {
			continue
		}
		in[i] = true
		if s.extends(next, uses, in) {
			return true
		}
		in[i] = false
	}
	return whole
}

// mayBeNext says that nothing which is not yet in the order returned before use i was called.
func mayBeNext(uses []use, in []bool, i int) bool {
	for k := range uses {
		if !in[k] && !uses[k].open && uses[k].Return < uses[i].Call {
			return false
		}
	}
	return true
}
