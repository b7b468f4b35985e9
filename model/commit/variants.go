package commit

import (
	"slices"

	"github.com/downset/downset/sim"
)

// variant is a row of the table.
type variant struct {
	name, doc string
	policy    policy
	// Of a variant that is wrong on purpose: what must catch it, and how a node is tampered with at
	// its door; nil if it is the policy that is spoiled.
	breaks string
	wrap   func(*node) sim.Machine
}

var published = []variant{
	{name: "logged", policy: logged{},
		doc: "presumed abort: votes and commits are forced to the disk, aborts are not (Mohan, " +
			"Lindsay, Obermarck 1986, section 3)"},
}

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, v := range slices.Concat(published, sabotaged) {
		list = append(list, v.made())
	}
	return list
}

func (v variant) made() sim.Variant {
	of := ""
	if v.breaks != "" {
		of = published[0].name
	}
	return sim.Variant{Name: v.name, Doc: v.doc, Of: of, Breaks: v.breaks,
		New: func(sim.NodeID, []sim.NodeID) sim.Machine {
			n := &node{policy: v.policy}
			if v.wrap == nil {
				return n
			}
			return v.wrap(n)
		}}
}

// logged forces all that binds: both votes (rules 2 and 3) and both commit records (4 and 6). That
// a transaction was aborted (5 and 7) or has ended (8) is written and not forced: without the
// record the node asks or tells once more.
type logged struct{}

func (logged) keep(env *sim.Env, r record) {
	if r.Is == voting {
		return // it is open, and unknown after a crash
	}
	env.Disk.Append(r)
	if r.Is != aborted && r.Is != ended {
		env.Disk.Sync()
	}
}
