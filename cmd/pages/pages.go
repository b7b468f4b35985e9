package pages

import (
	"slices"

	"github.com/downset/downset/sim"
)

// With is a list of protocols with their pages of this package added. What it is given stays as it
// is.
func With(protocols []*sim.Protocol) []*sim.Protocol {
	all := slices.Clone(protocols)
	for i, p := range all {
		switch p.Name {
		case "ignite":
			all[i] = withPage(p, ignitePage())
		case "synchro":
			all[i] = withPage(p, synchroPage())
		case "clocks":
			all[i] = withPage(p, clocksPage())
		}
	}
	return all
}

func withPage(p *sim.Protocol, page sim.Page) *sim.Protocol {
	more := *p
	more.Pages = append(slices.Clone(p.Pages), page)
	return &more
}

func ignitePage() sim.Page {
	return sim.Page{Name: "ignite", Doc: "what breaks where in ignite, and what was found",
		Write: writeIgnite, Check: checkIgnite}
}

func synchroPage() sim.Page {
	return sim.Page{Name: "synchro", Doc: "which of synchro's solutions holds where, and its price",
		Write: writeSynchro, Check: checkSynchro}
}
