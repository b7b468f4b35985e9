package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// variant is a row of the table: a mode, or one that is wrong on purpose.
type variant struct {
	name, doc string
	rules     rules
	of        string // of a wrong one: the mode that it is made from
	breaks    string // what must catch it; of a mode what it is known to break
	story     string // that shows it, if random runs hardly ever do
	wrap      func(*node) sim.Machine
}

// modes are the three forms of the protocol.
func modes() []variant {
	return []variant{
		{name: "draft", rules: draft(), breaks: "trusted",
			doc: "as IEP-89 has it: counter versions, every message signed, START at entry; server " +
				"joins and leaves abort the cut"},
		{name: "merged", rules: merged(), breaks: "key-prefix",
			doc: "as Ignite 2.15 shipped it (D1 to D18): ids, signing while a cut runs, START in a " +
				"thread of its own, drain"},
		{name: "fixed", rules: fixed(),
			doc: "merged with every cure that was found necessary"},
	}
}

// draft is the design page.
func draft() rules {
	return rules{
		Counter:    true,
		Always:     true,
		Tracks:     trackedByMerged &^ setOf(suspended),
		ZeroSigner: signPrimary,
		Recovered:  byTag,
		Unknown:    byTag,
		process:    processRules{OneStage: true, Awaits: listedOnly, StopsOnChange: true},
		replay:     replayRules{Increments: true, Undrained: true, VersionBack: true},
	}
}

// merged is the code that shipped.
func merged() rules {
	return rules{
		Split:    true,
		SplitEnd: true,
		Tracks:   trackedByMerged,
	}
}

// fixed is merged with cures.
func fixed() rules {
	r := merged()
	r.Tracks &^= setOf(suspended)
	r.ZeroSigner = signPrimary
	r.SignRescue, r.TellsRescue = true, true
	r.RemembersFailed, r.replay.Completes, r.replay.CountsOn = true, true, true
	r.commits.EvenBackups, r.commits.ReadsFirst = true, true
	r.process.Guards, r.process.Introduces, r.process.TellsBase = true, true, true
	r.process.Overtakes, r.process.Doubts = true, true
	r.rescue = rescueRules{Vanished: asksAnew, LostUnknown: true, RememberNo: true, TellsGone: true,
		ReadsVote: true, AsksBackups: true}
	return r
}

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, v := range slices.Concat(modes(), sabotaged()) {
		list = append(list, v.with(func(*rules) {}))
	}
	return list
}

// named is the row of the table with a name.
func named(name string) (v variant, ok bool) {
	for _, v := range modes() {
		if v.name == name {
			return v, true
		}
	}
	for _, s := range spoils {
		if s.name == name {
			return s.variant(), true
		}
	}
	return variant{}, false
}

// with is a variant with rules of a scenario on top.
func (v variant) with(set func(*rules)) sim.Variant {
	r, wrap := v.rules, v.wrap
	set(&r)
	return sim.Variant{Name: v.name, Doc: v.doc, Of: v.of, Breaks: v.breaks, Story: v.story,
		New: func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			n := &node{rules: r, id: id, founders: founders}
			if wrap == nil {
				return n
			}
			return wrap(n)
		}}
}
