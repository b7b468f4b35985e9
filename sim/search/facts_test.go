package search_test

import (
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// blank is a probe that keeps nothing in mind.
type blank struct{}

func (*blank) probe() *probe  { return &probe{seen: map[string]int{}} }
func (*blank) Start(*sim.Env) {}
func (b *blank) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	b.probe().Receive(env, from, m)
}
func (*blank) Timeout(*sim.Env, sim.Timer) {}
func (*blank) Notice(*sim.Env, sim.Notice) {}
func (b *blank) Invoke(env *sim.Env, c sim.Call) {
	if c.Op.(deed).do != "all" {
		b.probe().Invoke(env, c)
	}
	env.Return(c.ID, say("done"))
}

// blanks is a protocol of them, of which only the property first is judged.
func blanks(x tiny) *sim.Protocol {
	p := x.protocol()
	p.Properties = p.Properties[:1]
	p.Variants[0].New = func(sim.NodeID, []sim.NodeID) sim.Machine { return &blank{} }
	return p
}

// TestFactsThatNoPropertyReadsTellNoStatesApart has three messages cross, each of which makes P note
// a fact. The property first reads whether b comes before a, and c nowhere.
func TestFactsThatNoPropertyReadsTellNoStatesApart(t *testing.T) {
	x := tiny{model: "probes", nodes: "P Q",
		rules:  []reaction{{"P got x", "note a"}, {"P got y", "note b"}, {"P got z", "note c"}},
		script: []string{"Q send P x; send P y; send P z"}}
	p := blanks(x)
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
		rules:  []reaction{{"P got x", "note a"}, {"P got y", "append r"}},
		script: []string{"Q send P x; send P y"}}
	p := blanks(x)
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
