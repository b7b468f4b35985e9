package sim_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

func TestTriggers(t *testing.T) {
	for _, c := range []story{
		{"once", []string{"when A sends m, B y: note heard", "A x: send C m; send C m"}, "heard", ""},
		{"every time", []string{"every A sends m, B y: note heard", "A x: send C m; send C n; send C m"}, "heard, heard", ""},
		{"the second", []string{"when A sends m 2nd, B y: note heard", "A x: send C m 1; send C m 2; send C m 3"}, "heard", ""},
		{"the second counts from the start", []string{"A x: send C m 1", "when A sends m 2nd, B y: note heard", "A x: send C m 2"}, "heard", ""},
		{"armed from its place", []string{"A x: send C m", "when A sends m, B y: note heard"}, "", "when A sends m, B y: note heard: its event never happened"},
		{"by any node", []string{"when * sends m, B y: note heard", "C x: send A m"}, "heard", ""},
		{"by keys in any order", []string{"when A sends m 2 1, B y: note heard", "A x: send C m 1; send C m 1 2 3"}, "heard", ""},
		{"a request is the next event of its instant", []string{"when A receives m 1, B y: note first", "C x: send A m 1; send B m 2"}, "first, got C m 2", ""},
		{"on a stream's message", []string{"when A sends m, B y: note heard", "A x: flow C m"}, "heard", ""},
		{"on a publication", []string{"when A sends e, B y: note heard", "A x: publish e"}, "heard, logged 1 e", ""},
		{"on own work", []string{"when A sends w, B y: note heard", "A x: later w"}, "heard", ""},
		{"on a receipt of the log", []string{"when A receives e, B y: note heard", "hold log->B", "A x: publish e"}, "heard", ""},
		{"on a receipt of a stream", []string{"when A receives m, B y: note heard", "C x: flow A m"}, "heard", ""},
		{"on a receipt of own work", []string{"when A receives w, B y: note heard", "A x: later w"}, "heard", ""},
		{"on a set timer", []string{"when A sets t, B y: note heard", "A x: after 5ms t"}, "heard", ""},
		{"on a fired one", []string{"when A fires t, B y: note heard", "A x: after 5ms t", "deliver clock->A t"}, "heard", ""},
		{"on a record", []string{"when A writes r 1, B y: note heard", "A x: append r 1"}, "heard", ""},
		{"on a sync of any record it covers", []string{"when A syncs r 1, B y: note heard", "A x: append r 1; append r 2; sync"}, "heard", ""},
		{"before a sync of any record it covers", []string{"before A syncs r 1, B y: note heard", "A x: append r 1; append r 2; sync"}, "heard", ""},
		{"on a flush", []string{"when A syncs r 1, B y: note heard", "A x: append r 1; flush"}, "heard", ""},
		{"on a flush when it is durable, not when it is asked for", []string{"when A syncs r, B y: note heard", "hold A->disk",
			"A x: append r; flush", "B z: note before", "release A->disk"}, "before, heard", ""},
		{"once for each sync", []string{"every A syncs r, B y: note heard", "A x: append r; sync; append q; sync; append r; flush"}, "heard, heard", ""},
		{"on a fact", []string{"when A notes f 1, B y: note heard", "A x: note f 2; note f 1"}, "heard", ""},
		{"on an answer, by its request", []string{"when A returns put k, B y: note heard", "A put k: return ok"}, "heard", ""},
		{"for another variant only", []string{"for other: when A sends m, B y: note heard", "A x: send C m"}, "", ""},
		{"maybe", []string{"maybe when A sends z, B y: note heard"}, "", ""},
		{"a hold acts at once", []string{"when A sends m 1, hold A->B m 2", "A x: send B m 1; send B m 2"}, "got A m 1", ""},
		{"a hold just before catches that one", []string{"before A sends m 1, hold A->B m 1", "A x: send B m 1; send B m 2"}, "got A m 2", ""},
		{"a drop acts at once", []string{"when A sends m 2, drop A->B m 1", "A x: send B m 1; send B m 2"}, "got A m 2", ""},
		{"a partition acts at once", []string{"when A sends m 1, partition A | B", "A x: send B m 1; send B m 2"}, "got A m 1", ""},
		{"just before loses that one", []string{"before A sends m 1, partition A | B", "A x: send B m 1; send B m 2", "heal", "A x: send B m 3"}, "got A m 3", ""},
		{"a heal waits for the end of the handler", []string{"partition A | B", "when A sends m 1, heal", "A x: send C m 1; send B m 2", "A x: send B m 3"}, "got A m 3", ""},
		{"a restart waits, too", []string{"crash B", "when A sends m 1, restart B", "A x: send B m 1"}, "got A m 1", ""},
		{"a crash of another acts at once", []string{"when A sends m 1, crash B", "A x: send B m 1; send B m 2", "restart B"}, "", ""},
		{"several triggers in their order", []string{"when A sends m, B y: note 1", "when A sends m, B y: note 2", "A x: send C m"}, "1, 2", ""},
		{"a crash and a restart on one event", []string{"when B receives m, crash B", "when B receives m, restart B", "A x: send B m", "B y: note on"}, "on", ""},
		{"a crash before a receipt loses the message", []string{"before B receives m 1, crash B", "A x: send B m 1", "restart B", "A x: send B m 2"}, "got A m 2", ""},
		{"a crash before a timer", []string{"before B fires t, crash B", "B x: after 5ms t", "deliver clock->B t", "restart B"}, "", ""},
		{"a delivery on an event keeps time going forward", []string{"B x: after 5ms t", "when A sends m, deliver clock->B t", "A x: send B m", "B z: now"}, "fired t, got A m, now 5ms", ""},
		{"a trigger of a trigger", []string{"when A notes 1, B x: note 2", "when B notes 2, B y: note 3", "A x: note 1"}, "2, 3", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("A B C")
			if strings.Contains(strings.Join(c.script, "\n"), "publish") {
				p = withLog(p)
			}
			c.play(t, p)
		})
	}
}

func TestUntilPlaysUntilItHasHappened(t *testing.T) {
	for _, c := range []story{
		{"it", []string{"A x: after 5ms t", "until A fires t", "B y: now"}, "now 5ms", ""},
		{"the third", []string{"A x: every 5ms tick", "until A fires tick 3rd", "B y: now"}, "now 15ms", ""},
		{"not at all, if it has", []string{"A x: after 5ms t", "at 9ms until A fires t", "B y: now"}, "now 9ms", ""},
		{"nothing more will", []string{"A x: after 5ms t", "until A fires u", "B y: now"}, "now 5ms", "until A fires u: it has not happened, and nothing more will"},
	} {
		t.Run(c.name, func(t *testing.T) { c.play(t, timed("A B")) })
	}
	p := timed("A B", "A x: every 5ms tick", "until A fires u", "B y: note on")
	p.Budget.Time = 1000 * ms
	run := play(t, p)
	compare(t, run, "", facts(run, "B"), "on")
	compare(t, run, "stale", staleText(run), "until A fires u: it has not happened")
}

func TestChecksTestTheRunSoFar(t *testing.T) {
	run := play(t, world("A B", "check B last nothing", "B x: note on", "check B last on", "check * last on", "check B first on", "check C last on"))
	var got []string
	for _, c := range run.Checks {
		got = append(got, c.Fails)
	}
	want := []string{"", "", "A last nothing", `nothing is called "first on"; there is last`, "C has no last"}
	if len(got) != len(want) {
		t.Fatalf("%d checks, want %d: %q", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("check %d: %q, want %q", i, got[i], want[i])
		}
	}
}

func TestBadPlansAreErrors(t *testing.T) {
	name := func(c sim.Choice, at, to string) sim.Name { return sim.Name{What: c, At: at, To: to, Of: "m"} }
	for _, c := range []struct {
		name string
		plan func(*sim.Plan)
		want string
	}{
		{"a trigger that waits", func(p *sim.Plan) { p.Script = lines([]string{"when A sends m, settle"}) }, "1: a trigger cannot wait"},
		{"an unknown node", func(p *sim.Plan) { p.Script = lines([]string{"crash C"}) }, `1: no node called "C"; have A B`},
		{"an unknown node of a pattern", func(p *sim.Plan) { p.Script = lines([]string{"hold A->Z"}) }, `1: no node called "Z"; have A B`},
		{"no node", func(p *sim.Plan) { p.Script = []sim.Action{{Verb: sim.Crash}} }, "it names no node"},
		{"no verb", func(p *sim.Plan) { p.Script = []sim.Action{{}} }, "no verb has the number 0"},
		{"a time before the start", func(p *sim.Plan) { p.Script = lines([]string{"at -5ms crash A"}) }, "1: -5ms is before the start"},
		{"a partition of one group", func(p *sim.Plan) { p.Script = lines([]string{"partition A B"}) }, "1: a partition wants two groups of nodes"},
		{"a load that waits", func(p *sim.Plan) { load(p, "at 5ms settle") }, "a line of the load goes by the clock and cannot wait"},
		{"a load that is triggered", func(p *sim.Plan) { load(p, "at 5ms when A sends m, crash A") }, "a line of the load goes by the clock and cannot wait"},
		{"a load before the start", func(p *sim.Plan) { load(p, "at -5ms crash A") }, "-5ms is before the start"},
		{"an exception for an unknown node", func(p *sim.Plan) { p.Chance = []sim.Exception{{Name: name(sim.Delay, "A", "Q"), Line: 7}} }, `7: no node called "Q"; have A B`},
		{"an exception below zero", func(p *sim.Plan) { p.Chance = []sim.Exception{{Name: name(sim.Delay, "A", "B"), Value: -1}} }, "an exception's value is at least 0, got -1"},
		{"a delay below zero", func(p *sim.Plan) { p.Network.Links = []sim.Link{{From: "A", To: "B", Delay: sim.Dist{Low: -1}}} }, "delay of A->B: -1ns is below 0"},
		{"an unknown shape", func(p *sim.Plan) { p.Network.Told.Shape = 99 }, "told: no distribution has the shape 99"},
		{"a link of an unknown node", func(p *sim.Plan) { p.Network.Links = []sim.Link{{From: "A", To: "Z"}} }, `no node called "Z"; have A B`},
		{"copies for a client", func(p *sim.Plan) { p.Network.Links = []sim.Link{{From: "*", To: "client", Duplicate: 5}} },
			"only what goes between nodes is duplicated, not *->client"},
		{"a copy of a request", func(p *sim.Plan) { p.Script = lines([]string{"duplicate client->A x"}) },
			"1: only what goes between nodes is duplicated, not client->A"},
		{"an exception for a copy of a request", func(p *sim.Plan) {
			p.Chance = []sim.Exception{{Name: name(sim.Copy, "client", "A"), Value: 1, Line: 7}}
		}, "7: only what goes between nodes is duplicated, not client->A"},
		{"two nodes of one name", func(p *sim.Plan) { p.Later = []string{"A"} }, `two nodes are called "A"`},
		{"a small node", func(p *sim.Plan) { p.Nodes = []string{"a"} }, `node "a": a node's name is one word and begins with a capital`},
		{"no nodes", func(p *sim.Plan) { p.Nodes = nil }, "no nodes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := timed("A B")
			c.plan(p)
			_, err := sim.Execute(p)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}
