package register_test

import (
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// plans gives random plans of a variant, each a function of its seed: a load on two to five nodes,
// and a network of any temperament with faults of the kinds that the protocol stands.
func plans(t testing.TB, variant string) func(seed uint64) (*sim.Plan, error) {
	t.Helper()
	v, err := register.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	return func(seed uint64) (*sim.Plan, error) {
		d := &sim.Draws{Nodes: []string{"A", "B", "C", "D", "E"}, Seed: seed}
		d.Nodes = d.Nodes[:2+d.Int(4, "nodes")]
		d.Clients, d.Ops = 2+int(d.Int(4, "clients")), 4+int(d.Int(20, "operations"))
		d.Span = 10*time.Millisecond + time.Duration(d.Int(60, "span"))*time.Millisecond
		p := &sim.Plan{Protocol: register.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed}
		p.Load = register.Protocol.Draw(d)
		if d.Int(3, "clients give up") == 0 {
			p.Network.Timeout = d.Span / 2
		}
		search.Temper(p, search.Mix)
		return p, nil
	}
}

// judged is what some properties say of a run, and which goals it reached.
func judged(properties []sim.Property) func(*sim.Run) search.Finding {
	return func(run *sim.Run) search.Finding {
		v := checker.Judge(run, properties)
		f := search.Finding{Broken: v.Broken()}
		for _, p := range v.Findings {
			f.Premises = append(f.Premises, p.Premises)
			if p.Undecided != "" {
				f.Undecided = p.Property.Name + ": " + p.Undecided
			}
		}
		for _, g := range register.Protocol.Goals {
			f.Goals = append(f.Goals, g.Count(run))
		}
		return f
	}
}

// named is the property called name.
func named(t testing.TB, name string) []sim.Property {
	t.Helper()
	for _, p := range register.Protocol.Properties {
		if p.Name == name {
			return []sim.Property{p}
		}
	}
	t.Fatalf("no property is called %s", name)
	return nil
}

// sweep plays seeds from 1 on of a variant.
func sweep(t testing.TB, variant string, seeds uint64, properties []sim.Property) search.Summary {
	t.Helper()
	s := search.Sweep(search.Campaign{Plan: plans(t, variant), Judge: judged(properties),
		From: 1, To: seeds, Jobs: 2})
	if len(s.Errors) > 0 || len(s.Hung) > 0 || len(s.Apart) > 0 {
		t.Fatalf("%s: plans that cannot be played %v, runs that hang %v, runs that differ %v",
			variant, s.Errors, s.Hung, s.Apart)
	}
	return s
}

// first is the first seed of a variant under which a property is among the broken ones of the
// lowest layer; 0 if there is none up to a seed. It looks a few hundred seeds at a time.
func first(t testing.TB, variant, property string, most uint64, properties []sim.Property) uint64 {
	t.Helper()
	const step = 256
	for from := uint64(1); from <= most; from += step {
		s := search.Sweep(search.Campaign{Plan: plans(t, variant), Judge: judged(properties),
			From: from, To: from + step - 1, Jobs: 2})
		for _, g := range s.Groups {
			for _, name := range g.Broken {
				if name == property {
					return g.Seed
				}
			}
		}
	}
	return 0
}
