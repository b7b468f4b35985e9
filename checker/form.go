package checker

import "github.com/downset/downset/sim"

// onePoint is the form of a cut on one node: one point, and at most one completion, after it. The
// premises are both.
func (r *reading) onePoint() (premises int, v *sim.Violation) {
	premises = len(r.extra)
	for c := range r.cuts {
		for _, drew := range r.cuts[c].member {
			if drew {
				premises++
			}
		}
	}
	for _, x := range r.extra {
		line, node := &r.cuts[x.cut], r.trace[x.entry].Node
		v = count(v, r.violation(int(line.at[node]), x.entry, "%s draws its point of cut %s twice",
			r.run.Name(node), line.name))
	}
	for _, c := range r.completions() {
		premises++
		v = count(v, r.misplaced(c))
	}
	return premises, v
}

// completion is a node calling its part of a cut complete.
type completion struct {
	cut   string
	entry int
	first int // its first completion of this cut
}

// completions are all of them but those that a restart only repeats.
func (r *reading) completions() []completion {
	if r.known.completions == nil {
		r.known.completions = r.readCompletions()
	}
	return r.known.completions
}

func (r *reading) readCompletions() []completion {
	list := make([]completion, 0, len(r.cuts)*r.width)
	firsts := newOnNodes(r.width, len(r.cuts)*r.width)
	for i := range r.trace {
		name, ok := noted(r, i, r.model.Complete)
		if !ok {
			continue
		}
		key := onNode{name, r.trace[i].Node}
		if again := firsts.put(key, i); again && r.repeats(i) {
			continue
		}
		first, _ := firsts.find(key)
		list = append(list, completion{name, i, first})
	}
	return list
}

// misplaced says what is wrong with the place of a completion.
func (r *reading) misplaced(c completion) *sim.Violation {
	node := r.trace[c.entry].Node
	if c.first != c.entry {
		return r.violation(c.first, c.entry, "%s completes its part of cut %s twice",
			r.run.Name(node), c.cut)
	}
	at, known := r.index[c.cut]
	if !known || !r.cuts[at].member[node] {
		return r.violation(c.entry, c.entry,
			"%s completes its part of cut %s and draws no point of it", r.run.Name(node), c.cut)
	}
	if point := int(r.cuts[at].at[node]); point > c.entry {
		return r.violation(c.entry, point,
			"%s completes its part of cut %s before it draws its point", r.run.Name(node), c.cut)
	}
	return nil
}

// versions are the rules of versions: a node's version never decreases, no message carries more
// than its sender has, and a version belongs to one cut and a cut to one version. The premises are
// the versions told and the messages that carry one.
func (r *reading) versions() (premises int, v *sim.Violation) {
	if r.model.Version == nil {
		return 0, nil
	}
	w := versioning{reading: r, ofCut: map[string]number{}, byVersion: map[int64]string{}}
	for range r.run.Nodes {
		w.now = append(w.now, number{entry: -1})
	}
	for i := range r.trace {
		if !isStep(r.run, i) {
			continue
		}
		switch r.trace[i].Kind {
		case sim.EntryNoted:
			v = count(v, w.fact(i))
		case sim.EntrySent:
			v = count(v, w.message(i))
		}
	}
	return w.premises, v
}

// versioning is what is known of versions at one place of the trace.
type versioning struct {
	*reading
	premises  int
	now       []number          // by node: its version, and who said so
	ofCut     map[string]number // the version of a cut
	byVersion map[int64]string  // the cut of a version
}

func (w *versioning) fact(entry int) *sim.Violation {
	e := &w.trace[entry]
	version, ok := read(w.model.Version, e.Body)
	if !ok {
		version, ok = read(w.model.Adopt, e.Body)
	}
	if !ok {
		return nil
	}
	w.premises++
	was := w.now[e.Node]
	_, point := w.model.Point(e.Body)
	if version < was.value && !(point && w.repeats(entry)) {
		return w.violation(was.entry, entry, "%s goes back from version %d to %d", w.nameAt(entry),
			was.value, version)
	}
	w.now[e.Node] = number{max(version, was.value), entry}
	if point {
		return w.point(number{version, entry})
	}
	return nil
}

func (w *versioning) point(f number) *sim.Violation {
	cut, _ := w.model.Point(w.trace[f.entry].Body)
	first, known := w.ofCut[cut]
	if known && first.value != f.value {
		return w.violation(first.entry, f.entry, "cut %s has version %d on %s, but %d on %s", cut,
			first.value, w.nameAt(first.entry), f.value, w.nameAt(f.entry))
	}
	if known {
		return nil
	}
	w.ofCut[cut] = f
	if other, taken := w.byVersion[f.value]; taken {
		return w.violation(w.ofCut[other].entry, f.entry, "cuts %s and %s both have version %d",
			other, cut, f.value)
	}
	w.byVersion[f.value] = cut
	return nil
}

func (w *versioning) message(entry int) *sim.Violation {
	e := &w.trace[entry]
	stamp, ok := read(w.model.Stamp, e.Body)
	if !ok {
		return nil
	}
	w.premises++
	has := w.now[e.Node]
	if stamp <= has.value {
		return nil
	}
	from := entry
	if has.entry >= 0 {
		from = has.entry
	}
	return w.violation(from, entry, "%s sends %s with version %d, but has version %d",
		w.nameAt(entry), sim.Text(e.Body), stamp, has.value)
}
