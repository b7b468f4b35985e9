package sim

// hold is a standing order to park events.
type hold struct {
	pattern
	step *step // whose it is; nil for the manual network's
}

// stand puts up the hold of a step. What is parked already counts as caught.
func (w *World) stand(st *step) {
	for _, slot := range w.parked {
		if e := &w.slab[slot]; holdable(e.what) && w.matches(&st.pattern, e) {
			st.found++
		}
	}
	w.holds = append(w.holds, hold{st.pattern, st})
}

// holding says that a hold catches an event, and counts it.
func (w *World) holding(e *event) bool {
	caught := false
	for i := range w.holds {
		h := &w.holds[i]
		if !w.matches(&h.pattern, e) {
			continue
		}
		caught = true
		if h.step != nil {
			h.step.found++
		}
	}
	return caught
}

// wouldHold is holding without counting.
func (w *World) wouldHold(e *event) bool {
	for i := range w.holds {
		if w.matches(&w.holds[i].pattern, e) {
			return true
		}
	}
	return false
}

// lift takes off every hold that p covers; it gives how many.
func (w *World) lift(p *pattern) int {
	kept := w.holds[:0]
	for i := range w.holds {
		if h := w.holds[i]; !p.covers(&h.pattern) {
			kept = append(kept, h)
		}
	}
	lifted := len(w.holds) - len(kept)
	w.holds = kept
	w.reflow()
	return lifted
}
