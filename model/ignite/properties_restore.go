package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// restoreProperties are those of restores that were done, on the data of the nodes: the property
// restored speaks of what could be.
func restoreProperties() []sim.Property {
	return []sim.Property{
		{Name: "restores", Layer: 3, Class: sim.Silent, Check: onRun(restoresCut),
			Doc: "after a restore a node has what a cut holds that was a success"},
		{Name: "restores-all", Layer: 3, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: onRun(restoresAll),
			Doc:   "a restore puts data in place on all baseline nodes or on none"},
	}
}

// restoresCut is I-24 and P4 for the data of nodes.
func restoresCut(r *reading, t *tally) {
	for _, i := range r.restores {
		f := r.trace[i].Body.(restoredCut)
		at := slices.IndexFunc(r.cuts, func(l line) bool { return l.id.Name == f.Cut })
		if at < 0 {
			continue // a full snapshot
		}
		l := &r.cuts[at]
		t.premises++
		if l.ended < 0 || !l.good {
			t.wrong([]int32{i}, "%s restores cut %s, which was no success", r.name(i), l.id)
			continue
		}
		r.holds(i, l, f.Parts, t)
	}
}

// holds compares the data of a node with what a cut holds.
func (r *reading) holds(i int32, l *line, parts []partition, t *tally) {
	x := &recovered{node: r.trace[i].Node, got: restored{Parts: parts}, done: true}
	want := r.expected(l)
	for p := range r.layout.Places {
		if why := r.misses(l, want, x, &r.layout.Places[p]); why != "" {
			t.wrong([]int32{i, l.ended}, "%s has restored cut %s, and has %s", r.name(i), l.id, why)
		}
	}
}

// restoresAll looks for baseline nodes that stay behind, though they do not fall.
func restoresAll(r *reading, t *tally) {
	done := map[sim.CallID]bool{}
	for _, i := range r.restores {
		f := r.trace[i].Body.(restoredCut)
		if done[f.Call] || !r.run.Settled() {
			continue
		}
		done[f.Call] = true
		t.premises++
		for _, n := range f.Baseline {
			stays := len(r.members[n].rises) > 0 && !r.members[n].fallen(0, int32(len(r.trace)))
			if stays && !r.hasRestored(n, f.Call) {
				t.wrong([]int32{i}, "%s restores %s, and %s does not", r.name(i), f.Cut,
					r.run.Name(n))
			}
		}
	}
}

func (r *reading) hasRestored(n sim.NodeID, call sim.CallID) bool {
	return slices.ContainsFunc(r.restores, func(i int32) bool {
		e := &r.trace[i]
		return e.Node == n && e.Body.(restoredCut).Call == call
	})
}

// damaged says that a node had failed to commit a write of a key before a cut, or may have taken
// the partition over from one that had: it was not there all the time. If one that had is the
// primary later, it gives the counter of that write once more.
func (r *reading) damaged(l *line, n sim.NodeID, key string) bool {
	took := len(r.members[n].falls) > 0 || r.members[n].order > 0
	for k := range r.txs {
		c := &r.txs[k]
		if !c.failed || !c.writes(key) {
			continue
		}
		for m := range r.members {
			from := sim.NodeID(m)
			if c.unknownOn(from, l.at[n].entered) && (from == n || took || r.led(from, key)) {
				return true
			}
		}
	}
	return false
}

// led says that a node was the primary of a key.
func (r *reading) led(n sim.NodeID, key string) bool {
	return slices.ContainsFunc(r.txs, func(c course) bool {
		return slices.ContainsFunc(c.mapping.Shares, func(s share) bool {
			return s.Primary == n && slices.ContainsFunc(s.Writes, writes(key))
		})
	})
}

// unknownOn says that an object on a node became UNKNOWN before an entry.
func (c *course) unknownOn(n sim.NodeID, before int32) bool {
	for k := range c.stints {
		if s := &c.stints[k]; s.node == n && s.at[unknown] >= 0 && s.at[unknown] < before {
			return true
		}
	}
	return false
}

func (c *course) writes(key string) bool {
	for k := range c.mapping.Shares {
		for _, w := range c.mapping.Shares[k].Writes {
			if w.Key == key {
				return true
			}
		}
	}
	return false
}
