package synchro_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// playedStory is a story without expectations, as a variant of a protocol plays it.
func playedStory(t *testing.T, p *sim.Protocol, variant, set, script string) *sim.Run {
	t.Helper()
	text := "-- scenario --\nmodel synchro\n" + set + "-- script --\n" + script +
		"-- expect --\n" + variant + " holds\n"
	story, err := scenarios.Parse("queue.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := story.Plan(p, variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Stale {
		t.Errorf("%s found nothing to do: %s", s.Text, s.Why)
	}
	return run
}

// sees is what can be seen of a node at the end.
func sees(run *sim.Run, node, name string) string {
	for _, o := range synchro.Protocol.Observe(run) {
		if o.Node == node && o.Name == name {
			return o.Value
		}
	}
	return "unknown"
}

// oneLeads is a cluster of which A may lead.
const oneLeads = "nodes A B C\nmode candidate A\nmode voter B C\n"

// untilLed makes A the leader.
const untilLed = "wake A until A limbo leader\n"

func TestAPromotedNodeCommitsAPutOnAll(t *testing.T) {
	for _, v := range []string{"P0", "P1", "P2", "P3", "P3a", "P3b", "P4"} {
		until := untilLed
		if v == "P0" || v == "P1" {
			until = "wake A until A role leader\n"
		}
		run := playedStory(t, synchro.Protocol, v, oneLeads, until+"A put x=1\n")
		for _, n := range []string{"A", "B", "C"} {
			if got := sees(run, n, "data"); got != "x=1" {
				t.Errorf("%s: data of %s is %q, want x=1", v, n, got)
				t.Log(text(run))
			}
		}
	}
}

// text is a run for people.
func text(run *sim.Run) string {
	var b strings.Builder
	for i := range run.Trace {
		e := &run.Trace[i]
		b.WriteString(e.Kind.String() + " " + run.Name(e.Node) + " " + run.Name(e.Peer) + " " + sim.Text(e.Body) + "\n")
	}
	return b.String()
}
