package synchro_test

import (
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// settling are set-ups in which a leader must be found once the world has healed, in any profile.
var settling = []string{
	"nodes A B C\nmode candidate A B C\n",
	"nodes A B C\nmode candidate A\nmode voter B C\nfencing strict\n",
	"nodes A B C D E\nmode candidate A B C\nmode voter D E\n",
}

// faulty is a load with crashes, partitions and changes of mode, at times that the seed draws.
const faulty = `at 10ms A put x=1
at 300ms A put x=2
at 320ms B put y=1
at 350ms partition A | B C
at 360ms A put x=3
at 500ms B promote
at 700ms B put y=2
at 800ms heal
at 820ms crash B
at 830ms A promote
at 840ms C promote
at 1000ms A put x=4
at 1100ms restart B
at 1200ms A mode manual
at 1300ms A promote
at 1350ms C demote
at 1400ms crash A
at 1500ms A mode candidate
`

func TestEveryProfileComesToRestWithOneLeader(t *testing.T) {
	for _, v := range synchro.Profiles() {
		for _, set := range settling {
			for seed := range uint64(3) {
				settles(t, v, set, seed+1)
			}
		}
	}
}

func settles(t *testing.T, variant, set string, seed uint64) {
	t.Helper()
	text := "-- scenario --\nmodel synchro\n" + set + "time runs\ndelay 0ms..8ms\n-- script --\n" +
		faulty + "-- expect --\n" + variant + " holds\n"
	story, err := scenarios.Parse("settle.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p := *synchro.Protocol
	p.Final = nil
	plan, err := story.Plan(&p, variant, seed)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	if !run.Settled() {
		t.Errorf("%s, seed %d does not settle: %s\n%s", variant, seed, run.Why, set)
	}
	leaders := 0
	terms := map[string]bool{}
	for _, o := range p.Observe(run) {
		if o.Name == "role" && o.Value == "leader" {
			leaders++
		}
		if o.Name == "raft" {
			terms[o.Value] = true
		}
	}
	if leaders != 1 || len(terms) != 1 {
		t.Errorf("%s, seed %d: %d leaders, terms %v, want one of each\n%s", variant, seed, leaders,
			terms, set)
	}
}
