package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

var endings = []sim.EntryKind{sim.EntryInvoked, sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate, sim.EntryLost}

// load puts requests beside the script.
func load(p *sim.Plan, lines ...string) *sim.Plan {
	for _, l := range lines {
		p.Load = append(p.Load, line(l))
	}
	return p
}

func TestHowCallsEnd(t *testing.T) {
	for _, c := range []struct {
		name   string
		script []string
		want   string
	}{
		{"returned", []string{"B x: return ok"}, "B invokes client x, B returns client ok"},
		{"refused by the machine", []string{"B x: refuse no"}, "B invokes client x, B refuses client no"},
		{"refused when the node is down", []string{"crash B", "B x: return ok"}, "B invokes client x, B refuses client down"},
		{"unknown when the node crashes", []string{"B x: note on", "crash B"}, "B invokes client x, B unknown client"},
		{"not unknown once it has returned", []string{"B x: return ok", "crash B"}, "B invokes client x, B returns client ok"},
		{"unknown while it waits for a sync", []string{"hold B->disk", "B x: append r; sync; return ok", "crash B"}, "B invokes client x, B unknown client"},
		{"unknown when the node leaves", []string{"B x: note on", "leave B"}, "B invokes client x, B unknown client"},
		{"unknown when it has not arrived", []string{"hold client->B", "B x: return ok", "crash B"}, "B invokes client x, B unknown client"},
		{"open for ever", []string{"B x: note on"}, "B invokes client x"},
		{"late after a second answer", []string{"B x: return ok 1; return ok 2"}, "B invokes client x, B returns client ok 1, B late client ok 2"},
		{"a dropped request is lost, and its client waits", []string{"hold client->B", "B x: return ok", "drop client->B x"}, "B invokes client x, B lost client x (dropped)"},
		{"a dropped answer too, until the node crashes", []string{"hold B->client", "B x: return ok", "drop B->client ok", "crash B"},
			"B invokes client x, client lost B ok (dropped), B unknown client"},
		{"an answer under way survives the crash", []string{"hold B->client", "B x: return ok", "crash B", "release B->client"}, "B invokes client x, B returns client ok"},
		{"an answer of another node", []string{"B x: send A ask", "A y: return ok"}, "B invokes client x, A invokes client y, A returns client ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("A B", c.script...)
			p.Network.DiskSlow = true
			run := play(t, p)
			compare(t, run, strings.Join(c.script, "\n"), tale(run, endings...), c.want)
			compare(t, run, "stale", staleText(run), "")
		})
	}
}

func TestAClientGivesUp(t *testing.T) {
	p := timed("B", "B x: after 30ms t", "B y: return ok")
	p.Network.Timeout = 20 * ms
	run := play(t, withRules(p, rule{"B fired t", "return ok 2"}))
	compare(t, run, "", tale(run, endings...), "B invokes client x, B invokes client y, B returns client ok, B unknown client, B late client ok 2")
	for _, e := range run.Trace {
		if e.Kind == sim.EntryUnknown && e.At != sim.Time(20*ms) {
			t.Errorf("gave up at %v, want 20ms", e.At)
		}
	}
	p = timed("B", "B y: return ok")
	p.Network.Timeout = 20 * ms
	if last := lastOf(play(t, p)); last != 0 {
		t.Errorf("a run whose calls are answered lasted until %v, want 0: a time-out is not waited for", last)
	}
	p = world("B", "B x: note on", "B y: now")
	p.Network.Timeout = 20 * ms
	run = play(t, p)
	compare(t, run, "in still time clients are patient", facts(run, "B"), "on, now 0s")
}

func lastOf(run *sim.Run) sim.Time { return run.Trace[len(run.Trace)-1].At }

func TestAClientOfTheLoadHasOneOperationAtATime(t *testing.T) {
	p := timed("A B")
	load(p, "at 0ms by 1 B x 1: after 10ms t 1", "at 1ms by 1 B x 2: after 10ms t 2", "at 2ms by 2 A x 3: return ok", "at 3ms by 1 A x 4: return ok", "at 20ms by 1 A x 5: return ok")
	run := play(t, withRules(p, rule{"B fired t", "return ok"}))
	var got []string
	for _, e := range run.Trace {
		if has(endings, e.Kind) {
			got = append(got, fmt.Sprint(sentence(run, e), " ", e.At))
		}
	}
	compare(t, run, "", strings.Join(got, ", "), "B invokes client x 1 0s, A invokes client x 3 2ms, A returns client ok 2ms, B returns client ok 10ms, "+
		"B invokes client x 2 10ms, B returns client ok 20ms, A invokes client x 4 20ms, A returns client ok 20ms, A invokes client x 5 20ms, A returns client ok 20ms")
	if want := []sim.ClientID{1, 2, 1, 1, 1}; !slices.Equal(run.Clients, want) {
		t.Errorf("clients %v, want %v", run.Clients, want)
	}
}

func TestAClientOfTheScriptWaitsForItsTurnToo(t *testing.T) {
	p := world("A B", "hold client->B x 1", "by 1 B x 1: return ok", "by 1 A x 2: return ok", "B x 3: return ok", "release client->B x 1")
	run := play(t, p)
	compare(t, run, "", tale(run, sim.EntryInvoked, sim.EntryReturned),
		"B invokes client x 1, B invokes client x 3, B returns client ok, B returns client ok, A invokes client x 2, A returns client ok")
}

func TestNobodyJumpsTheQueueOfAClient(t *testing.T) {
	p := world("B", "when B returns x 1, by 1 B x 3: note third; return ok", "hold client->B x 1",
		"by 1 B x 1: note first; return ok", "by 1 B x 2: note second; return ok", "release client->B x 1")
	run := play(t, p)
	compare(t, run, "", facts(run, "B"), "first, second, third")
}

func TestAnUnknownOutcomeRetiresItsClient(t *testing.T) {
	p := timed("A B", "at 5ms crash B", "at 6ms restart B")
	load(p, "at 0ms by 1 B x 1: note on", "at 1ms by 2 A x 2: return ok", "at 2ms by 1 A x 3: return ok", "at 9ms by 1 A x 4: return ok", "at 9ms by 2 A x 5: return ok")
	run := play(t, p)
	if want := []sim.ClientID{1, 2, 3, 3, 2}; !slices.Equal(run.Clients, want) {
		t.Errorf("clients %v, want %v: client 1 goes on as 3\n%s", run.Clients, want, whole(run))
	}
}

func TestEachRequestOfNoClientHasItsOwn(t *testing.T) {
	run := play(t, world("A", "A x: return ok", "by 1 A y: return ok", "A z: return ok"))
	if want := []sim.ClientID{2, 1, 3}; !slices.Equal(run.Clients, want) {
		t.Errorf("clients %v, want %v", run.Clients, want)
	}
}

func TestALinkToOrFromTheClientHasItsOwnDelayAndLoss(t *testing.T) {
	p := timed("A B", "B x: return ok")
	load(p, "at 1ms A y: return ok")
	p.Network.Links = []sim.Link{{From: "client", To: "*", Delay: sim.Dist{Low: 2 * ms, High: 2 * ms}}, {From: "A", To: "client", Delay: sim.Dist{Low: 3 * ms, High: 3 * ms}}}
	run := play(t, p)
	var got []string
	for _, e := range run.Trace {
		if has(endings, e.Kind) || e.Kind == sim.EntryArrived {
			got = append(got, fmt.Sprint(sentence(run, e), " ", e.At))
		}
	}
	compare(t, run, "", strings.Join(got, ", "), "B invokes client x 0s, A invokes client y 1ms, B arrives client x 2ms, B returns client ok 2ms, A arrives client y 3ms, A returns client ok 6ms")
	for _, l := range []sim.Link{{From: "client", To: "B", Loss: 1_000_000}, {From: "B", To: "client", Loss: 1_000_000}} {
		p := timed("A B", "B x: return ok; note on")
		p.Seed, p.Network.Links, p.Network.Timeout = 1, []sim.Link{l}, 5*ms
		run := play(t, p)
		want := "B invokes client x, B lost client x (lost), B unknown client"
		if l.To == "client" {
			want = "B invokes client x, client lost B ok (lost), B unknown client"
		}
		compare(t, run, l.From+"->"+l.To, tale(run, endings...), want)
	}
}

func TestLoadIsBesideTheScriptAndWaitedFor(t *testing.T) {
	p := timed("B", "at 5ms B s: note script")
	p.Budget.Linger = 10 * ms
	load(p, "at 3ms B l: note early", "at 60ms B l: note late")
	run := play(t, p)
	compare(t, run, "", facts(run, "B"), "early, script, late")
}
