package cut_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func dump(run *sim.Run) string {
	var b strings.Builder
	for i, e := range run.Trace {
		fmt.Fprintln(&b, i, e.At, run.Name(e.Node), e.Kind, run.Name(e.Peer), sim.Text(e.Body), "<-", e.Cause, "N", e.N)
	}
	return b.String()
}

func TestOne(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if seed == 0 { return }
	run, v := played(t, new(sim.World), randomPlan(t, os.Getenv("VARIANT"), seed))
	fmt.Println(complaint(run, v))
	fmt.Println(dump(run))
}
func TestStories(t *testing.T) { scenarios.Test(t, cut.Protocol, os.DirFS("../../scenarios/cut")) }
func TestTmp(t *testing.T) {
	if os.Getenv("DIR") == "" { return }
	scenarios.Test(t, cut.Protocol, os.DirFS(os.Getenv("DIR")))
}
func TestMany(t *testing.T) {
	many, _ := strconv.ParseUint(os.Getenv("MANY"), 10, 64)
	for _, name := range right {
		w, bad := new(sim.World), 0
		for seed := uint64(1); seed <= many && bad < 4; seed++ {
			run, v := played(t, w, randomPlan(t, name, seed+100000))
			if v.Outcome != 0 {
				bad++
				t.Log(name, seed+100000, v.Outcome, complaint(run, v))
			}
		}
	}
}
