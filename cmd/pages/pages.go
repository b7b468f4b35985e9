// Package pages writes the pages of the folder results that take a model and its stories together:
// a model may not know of stories, and the command line knows no model by its name.
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
		if p.Name != "ignite" {
			continue
		}
		more := *p
		more.Pages = append(slices.Clone(p.Pages), sim.Page{Name: "ignite",
			Doc:   "which variants of ignite break where, and what was found in draft and merged",
			Write: writeIgnite, Check: checkIgnite})
		all[i] = &more
	}
	return all
}
