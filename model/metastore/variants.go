package metastore

import (
	"slices"

	"github.com/downset/downset/sim"
)

// row is a variant: its rules, and of a wrong one what it spoils, the property that must catch it,
// and the story that does if drawn loads hardly ever do.
type row struct {
	name, doc         string
	of, breaks, story string
	rules             rules
}

// rows is the table: what is right, and what is wrong on purpose.
func rows() []row {
	return slices.Concat(rightRows(), storeMutants(), serverMutants(), clientMutants())
}

// rightRows are the forms that keep every promise.
func rightRows() []row {
	return []row{
		{name: "etcd", rules: etcdRules(), doc: "the store as etcd, version 3, shows it: " +
			"conjunctions, leases, reads of what is compacted from its revision on; a client asks " +
			"once for what changes anything"},
		{name: "ignite", rules: igniteRules(), doc: "the store as Ignite 3's MetaStorageManager " +
			"shows it: trees of conditions, a revision for every command, times, answers that are " +
			"kept for who asks again, watches of a node in step"},
	}
}

func etcdRules() rules { return rules{store: storeRules{Dialect: etcd3()}} }

func igniteRules() rules { return rules{store: storeRules{Dialect: ignite3()}} }

// wrong is a row that is wrong on purpose: as the right one, but for what spoil does.
func wrong(of, name, breaks string, spoil func(*rules)) row {
	r := row{name: name, of: of, breaks: breaks, rules: etcdRules()}
	if of == "ignite" {
		r.rules = igniteRules()
	}
	spoil(&r.rules)
	return r
}

// says gives a row its doc.
func (r row) says(doc string) row {
	r.doc = doc
	return r
}

// told gives a row the story that breaks it.
func (r row) told(story string) row {
	r.story = story
	return r
}

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, r := range rows() {
		list = append(list, r.variant())
	}
	return list
}

func (r row) variant() sim.Variant {
	return sim.Variant{Name: r.name, Doc: r.doc, Of: r.of, Breaks: r.breaks, Story: r.story,
		New: func(id sim.NodeID, _ []sim.NodeID) sim.Machine {
			return &node{rules: r.rules, id: id}
		}}
}
