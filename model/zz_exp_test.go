package model_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

func TestExp(t *testing.T) {
	for _, p := range []*sim.Protocol{cut.Protocol, register.Protocol} {
		for _, v := range p.Variants {
			if !v.Mutant() {
				continue
			}
			c, _ := scenarios.NewCampaign(p, v.Name, nil)
			s := c.Sweep()
			s.To, s.Jobs, s.Distinct = 20000, 2, 1
			b := time.Now()
			sum := search.Sweep(s)
			d1 := time.Since(b)
			if len(sum.Groups) == 0 {
				fmt.Println(p.Name, v.Name, "not found", d1, sum.Seeds, sum.Errors)
				continue
			}
			b = time.Now()
			g := sum.Groups[0]
			f, err := c.Finding(g.Seed, g.Broken)
			if err != nil {
				fmt.Println(p.Name, v.Name, err)
				continue
			}
			fmt.Println(p.Name, v.Name, v.Breaks, g, d1, time.Since(b), f.Shrunk.Runs, f.Shrunk.Actions, f.Shrunk.Exceptions, f.Verdict.Broken())
		}
	}
}
