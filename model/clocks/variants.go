package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// row is a variant: the rules that differ from what is right, and if it is wrong what must catch
// it, and what it is made from if it is wrong on purpose.
type row struct {
	name, doc  string
	rules      rules
	of, breaks string
	story      string
}

// rows is the table: what is right, what is used and loses something, what is wrong on purpose.
func rows() []row {
	return slices.Concat(rightRows(), storeRows(), stampRows(), crdtRows(), streamRows(),
		leaseRows(), latencyRows(), sabotaged())
}

// rightRows are the forms that keep every promise.
func rightRows() []row {
	return []row{
		{name: "dotted", doc: "dotted version vectors, hybrid stamps with a limit, sequence " +
			"numbers, durations counted from the question: the right form of everything"},
	}
}

// sabotaged are the rows that are wrong on purpose, to measure the checkers.
func sabotaged() []row {
	return slices.Concat(stampMutants(), storeMutants(), crdtMutants(), streamMutants(),
		leaseMutants())
}

// wrong is a row that is wrong on purpose in what r says, and else is as the right form of
// everything.
func wrong(name, breaks, doc string, r rules) row {
	return row{name: name, doc: doc, of: "dotted", breaks: breaks, rules: r}
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
		New: func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			return &node{rules: r.rules, id: id, founders: founders}
		}}
}
