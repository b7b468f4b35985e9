package synchro

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestScratchSweep(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("SEEDS"))
	if n == 0 {
		t.Skip()
	}
	later := os.Getenv("LATER")
	for _, v := range []string{"P0", "P1", "P2", "P3", "P3a", "P3b", "P4"} {
		if w := os.Getenv("VARIANT"); w != "" && w != v {
			continue
		}
		count := map[string]int{}
		first := map[string]uint64{}
		for seed := uint64(1); seed <= uint64(n); seed++ {
			text := "-- scenario --\nmodel synchro\nnodes A B C\n" + later + os.Getenv("SETUP") + "time runs\nclients 3\nops 25\nspan 150ms\ndelay 100us..2ms heavy\n" + os.Getenv("FAULTS") + "seeds 1..10\n-- expect --\n" + v + " holds\n"
			story, err := scenarios.Parse("sweep.txt", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := story.Plan(Protocol, v, seed)
			if err != nil {
				t.Fatal(err)
			}
			run, err := sim.Execute(plan)
			if err != nil {
				t.Fatal(err)
			}
			note := func(s string) {
				count[s]++
				if first[s] == 0 {
					first[s] = seed
				}
			}
			if run.Panic != nil {
				note("panic " + fmt.Sprint(run.Panic.Value))
				continue
			}
			if !run.Settled() {
				note("unsettled " + run.Why)
				continue
			}
			verdict := checker.Judge(run, Protocol.Properties)
			for _, b := range verdict.Broken() {
				note(b)
			}
			if os.Getenv("SHOW") == strconv.FormatUint(seed, 10) {
				for _, f := range verdict.Findings {
					if f.Violation != nil {
						fmt.Printf("%s: %s %v\n", f.Property.Name, f.Violation.Reason, f.Violation.Witness)
					}
				}
				fmt.Println(text2(run))
				for _, n := range run.Nodes {
					fmt.Println(n, sees(run, n, "data"), "|", sees(run, n, "wal"))
				}
			}
			note("runs")
		}
		var keys []string
		for k := range count {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			fmt.Printf("%s: %s %d first %d\n", v, k, count[k], first[k])
		}
	}
}

func text2(run *sim.Run) string {
	out := ""
	for i := range run.Trace {
		e := &run.Trace[i]
		switch k := e.Kind.String(); k {
		case "notes", "invokes", "returns", "refuses", "crashes", "starts", "breaks", "broken", "opened", "writes", "epilogue":
			out += fmt.Sprintln(i, e.At, k, run.Name(e.Node), sim.Text(e.Body), fmt.Sprintf("%+v", e.Body))
		}
	}
	return out
}
