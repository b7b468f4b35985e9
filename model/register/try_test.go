package register_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

func tplan(variant string) func(seed uint64) (*sim.Plan, error) {
	v, err := register.Protocol.Variant(variant)
	if err != nil {
		panic(err)
	}
	return func(seed uint64) (*sim.Plan, error) {
		d := &sim.Draws{Nodes: []string{"A", "B", "C", "D", "E"}, Seed: seed}
		d.Nodes = d.Nodes[:2+d.Int(4, "nodes")]
		d.Clients, d.Ops = 2+int(d.Int(4, "clients")), 4+int(d.Int(20, "ops"))
		d.Span = 10*time.Millisecond + time.Duration(d.Int(60, "span"))*time.Millisecond
		p := &sim.Plan{Protocol: register.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed}
		p.Load = register.Protocol.Draw(d)
		search.Temper(p, search.Mix)
		return p, nil
	}
}

func tjudge(only string) func(run *sim.Run) search.Finding {
	props := register.Protocol.Properties
	if only != "" {
		var some []sim.Property
		for _, p := range props {
			if p.Name == only {
				some = append(some, p)
			}
		}
		props = some
	}
	return func(run *sim.Run) search.Finding {
		v := checker.Judge(run, props)
		f := search.Finding{Broken: v.Broken()}
		for _, x := range v.Findings {
			f.Premises = append(f.Premises, x.Premises)
			if x.Undecided != "" && f.Undecided == "" {
				f.Undecided = x.Property.Name + ": " + x.Undecided
			}
		}
		for _, g := range register.Protocol.Goals {
			f.Goals = append(f.Goals, g.Count(run))
		}
		return f
	}
}

func TestTry(t *testing.T) {
	n, _ := strconv.ParseUint(os.Getenv("N"), 10, 64)
	if n == 0 {
		return
	}
	for _, v := range register.Protocol.Variants {
		if name := os.Getenv("V"); name != "" && name != v.Name {
			continue
		}
		begin := time.Now()
		s := search.Sweep(search.Campaign{Plan: tplan(v.Name), Judge: tjudge(os.Getenv("ONLY")), From: 1, To: n, Jobs: 2})
		fmt.Println(v.Name, "breaks", v.Breaks, ":", s.Seeds, "seeds", s.Failing, "failing", s.Undecided, "undecided", s.Why, len(s.Apart), s.Hung, s.Errors, time.Since(begin))
		for _, g := range s.Groups {
			fmt.Println("    ", g.Broken, g.Seed, g.Count)
		}
		if !v.Mutant() {
			fmt.Println(s.Premises, s.Goals, s.Kinds, s.Events)
		}
	}
}

func TestDump(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if seed == 0 {
		return
	}
	p, _ := tplan(os.Getenv("V"))(seed)
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range run.Trace {
		fmt.Println(i, e.At, run.Name(e.Node), e.Kind, run.Name(e.Peer), sim.Text(e.Body), "<-", e.Cause, "N", e.N)
	}
	for _, f := range checker.Judge(run, register.Protocol.Properties).Findings {
		fmt.Println(f.Property.Name, f.Premises, f.Undecided)
		if f.Violation != nil {
			fmt.Println("   ", f.Violation.Reason, f.Violation.Witness)
		}
	}
}
