package synchro_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/checker"
)

func TestScratchB(t *testing.T) {
	f := os.Getenv("STORY")
	b, err := os.ReadFile(f)
	if err != nil { t.Skip() }
	s, err := scenarios.Parse(f, b)
	if err != nil { t.Fatal(err) }
	for _, v := range strings.Fields(os.Getenv("VARIANTS")) {
		p, err := s.Plan(synchro.Protocol, v, 0)
		if err != nil { t.Fatal(err) }
		run, err := sim.Execute(p)
		fmt.Println("=====", v, err)
		if os.Getenv("TRACE") != "" {
			for _, l := range scenarios.TraceText(run) { fmt.Println(l) }
		}
		for _, o := range synchro.Protocol.Observe(run) { fmt.Println("  ", o.Node, o.Name, "=", o.Value) }
		vd := checker.Judge(run, synchro.Protocol.Properties)
		for _, f := range vd.Findings { if f.Violation != nil { fmt.Println("  BROKEN", f.Property.Name, f.Violation.Reason) } }
		fmt.Println("  outcome", vd.Outcome)
	}
}
