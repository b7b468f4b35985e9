package search_test

import (
	"testing"

	"github.com/downset/downset/sim/search"
)

// TestFactsThatNoPropertyReadsTellNoStatesApart has three messages cross, each of which makes P note
// a fact. The property first reads whether b comes before a, and c nowhere.
func TestFactsThatNoPropertyReadsTellNoStatesApart(t *testing.T) {
	x := tiny{model: "probes", nodes: "P Q",
		rules:  []reaction{{"P got x", "note a; forget"}, {"P got y", "note b; forget"}, {"P got z", "note c; forget"}},
		script: []string{"Q send P x; send P y; send P z"}}
	p := x.protocol()
	p.Properties = p.Properties[:1]
	find := func(facts []string) (*ends, search.Explored) {
		opt := x.opt
		opt.Facts = facts
		return explored(t, x.plan(p, p.Variants[0]), opt, true, 1)
	}
	all, every := find(nil)
	some, few := find([]string{"a", "b"})
	none, _ := find([]string{})
	if d := differ(some.verdicts, all.verdicts); d != "" || len(all.verdicts) != 2 {
		t.Errorf("with the facts that are read %d verdicts, want the 2 of all:%s", len(some.verdicts), d)
	}
	if few.States >= every.States {
		t.Errorf("%d states with two kinds of facts, %d with all, want fewer", few.States, every.States)
	}
	if len(none.verdicts) != 1 {
		t.Errorf("%d verdicts without the facts that are read, want 1: their order must matter", len(none.verdicts))
	}
}

// TestRecordsThatPropertiesReadAreInTheOrderOfFacts has a record and a fact cross at a node, which no
// disk and no fact alone tells.
func TestRecordsThatPropertiesReadAreInTheOrderOfFacts(t *testing.T) {
	x := tiny{model: "probes", nodes: "P Q",
		rules:  []reaction{{"P got x", "note a; forget"}, {"P got y", "append r; forget"}},
		script: []string{"Q send P x; send P y"}}
	p := x.protocol()
	p.Properties = p.Properties[:1]
	count := func(facts []string) int64 {
		opt := x.opt
		opt.Facts = facts
		_, e := explored(t, x.plan(p, p.Variants[0]), opt, true, 1)
		return e.States
	}
	if facts, both := count([]string{"a"}), count([]string{"a", "r"}); both <= facts {
		t.Errorf("%d states with the order of facts and records, %d with that of facts, want more", both, facts)
	}
}
