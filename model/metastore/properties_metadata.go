package metastore

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// metadataProperties are about what the draft wants of the store: that all nodes act on the same
// updates, in the same order.
func metadataProperties() []sim.Property {
	return []sim.Property{
		{Name: "same-order", Layer: wholeLayer, Class: sim.Silent, Check: sameOrder,
			Doc: "nodes that attend act on the updates of the cluster's metadata in the order of the " +
				"log, and alike"},
		{Name: "assigned", Layer: progressLayer, Class: sim.Stopped, Scope: sim.ScopeEnd,
			Check: assigned, Doc: "in the end the affinity is that of the last baseline, if any node " +
				"attends"},
	}
}

func sameOrder(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	last := map[sim.CallID]deed{}
	for _, d := range l.acts {
		if was, again := last[d.ID]; again && d.Rev < was.Rev {
			v = witnessed(v, fmt.Sprintf("%s acts on %s of %d after %s of %d", run.Name(d.Node), d.Key,
				d.Rev, was.Key, was.Rev), was.At, d.At)
		}
		last[d.ID] = d
		for _, is := range l.due(Key(d.Key), d.Rev, d.Rev) {
			premises++
			if acts(is.Item) != d.Does {
				v = witnessed(v, fmt.Sprintf("%s does %q for %s of %d, and others %q", run.Name(d.Node),
					d.Does, d.Key, d.Rev, acts(is.Item)), d.At)
			}
		}
	}
	return premises, v
}

func assigned(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	base, known := l.state.live(baselineKey, l.state.Rev)
	if !known || l.helpless() || !l.attended() {
		return 0, nil
	}
	is, _ := l.state.live(affinityKey, l.state.Rev)
	if !strings.HasPrefix(is.Value, affinityOf(base.Mod)) {
		v = &sim.Violation{Count: 1, Reason: fmt.Sprintf("in the end the baseline is of revision %d, "+
			"and the affinity is %q", base.Mod, is.Value),
			Witness: []int{l.entries[l.made(base.Mod)].At}}
	}
	return 1, v
}

// attended says that in the end some node attends.
func (l *ledger) attended() bool {
	attends := map[sim.CallID]bool{}
	for i := range l.run.Trace {
		e := &l.run.Trace[i]
		if f, is := e.Body.(follow); is && e.Kind == sim.EntryInvoked {
			attends[sim.CallID(e.N)] = f.Attends
		}
	}
	for _, s := range l.streams {
		if !s.Over && attends[s.ID] {
			return true
		}
	}
	return false
}
