package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

const ms = time.Millisecond

var fates = []sim.EntryKind{sim.EntryDelivered, sim.EntryLost, sim.EntryCopied}

func TestADatagramInStillTime(t *testing.T) {
	for _, c := range []struct {
		name   string
		nodes  string
		later  string
		script []string
		want   string
	}{
		{"arrives at once", "A B", "", []string{"A x: send B m 1; send B m 2"},
			"B receives A m 1, B receives A m 2"},
		{"to a node that has not joined is lost", "A", "B", []string{"A x: send B m"},
			"B lost A m (receiver not a member)"},
		{"to a node that left is lost", "A B", "", []string{"leave B", "A x: send B m"},
			"B lost A m (receiver not a member)"},
		{"to a node that is down is lost", "A B", "", []string{"crash B", "A x: send B m"},
			"B lost A m (receiver down)"},
		{"to oneself is own work", "A B", "", []string{"A x: send A m"}, ""},
		{"across a partition is lost", "A B C", "", []string{"partition A | B C", "A x: send B m; send C m", "B x: send C m"},
			"B lost A m (partitioned), C lost A m (partitioned), C receives B m"},
		{"passes the other way of a one-way partition", "A B", "", []string{"partition A -> B", "A x: send B m", "B x: send A m"},
			"B lost A m (partitioned), A receives B m"},
		{"one way means from the first group only", "A B C", "", []string{"partition A -> B C", "B x: send C m; send A m"},
			"C receives B m, A receives B m"},
		{"a node in no group keeps its links", "A B C", "", []string{"partition A | B", "A x: send C m; send B m"},
			"B lost A m (partitioned), C receives A m"},
		{"two partitions add up", "A B C", "", []string{"partition A | B", "partition B | C", "B x: send A m; send C m", "A x: send C m"},
			"A lost B m (partitioned), C lost B m (partitioned), C receives A m"},
		{"arrives after the heal", "A B", "", []string{"partition A | B", "A x: send B m 1", "heal", "A x: send B m 2"},
			"B lost A m 1 (partitioned), B receives A m 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world(c.nodes, c.script...)
			p.Later = strings.Fields(c.later)
			run := play(t, p)
			compare(t, run, strings.Join(c.script, "\n"), tale(run, fates...), c.want)
		})
	}
}

// spread sends ten datagrams over links with the given settings.
func spread(seed uint64, links ...sim.Link) *sim.Plan {
	var program []string
	for i := range 10 {
		program = append(program, fmt.Sprintf("send B m %d", i))
	}
	p := timed("A B", "A x: "+strings.Join(program, ";"))
	p.Seed, p.Network.Links = seed, links
	return p
}

func TestDelaysReorderDatagramsWithinTheirBounds(t *testing.T) {
	d := sim.Dist{Shape: sim.Uniform, Low: 2 * ms, High: 9 * ms}
	orders := map[string]bool{}
	for seed := range uint64(20) {
		run := play(t, spread(seed+1, sim.Link{From: "A", To: "B", Delay: d}))
		orders[facts(run, "B")] = true
		got := 0
		for _, e := range run.Trace {
			if e.Kind != sim.EntryDelivered {
				continue
			}
			got++
			took := e.At.Sub(run.Trace[e.Cause].At)
			if took < d.Low || took > d.High {
				t.Errorf("seed %d: %s took %v, want %v to %v", seed+1, sentence(run, e), took, d.Low, d.High)
			}
		}
		if got != 10 {
			t.Errorf("seed %d: %d datagrams arrived, want 10", seed+1, got)
		}
	}
	if len(orders) < 20 {
		t.Errorf("20 seeds gave %d orders, want 20", len(orders))
	}
}

func TestLossesAndCopiesAreAsLikelyAsTheLinkSays(t *testing.T) {
	lost, copied, sent := 0, 0, 0
	for seed := range uint64(200) {
		run := play(t, spread(seed+1, sim.Link{From: "*", To: "*", Loss: 300_000, Duplicate: 200_000,
			Delay: sim.Dist{Shape: sim.Heavy, High: 50 * ms}}))
		for _, e := range run.Trace {
			switch {
			case e.Kind == sim.EntrySent:
				sent++
			case e.Kind == sim.EntryLost && sim.Loss(e.N) == sim.LostByChance:
				lost++
			case e.Kind == sim.EntryCopied:
				copied++
			}
		}
		if n := strings.Count(tale(run, sim.EntryDelivered), "receives"); n != 10-count(run, sim.EntryLost)+count(run, sim.EntryCopied) {
			t.Errorf("seed %d: %d delivered of 10, %d lost, %d copied", seed+1, n,
				count(run, sim.EntryLost), count(run, sim.EntryCopied))
		}
	}
	if sent != 2000 || lost < 540 || lost > 660 || copied < 220 || copied > 340 {
		t.Errorf("of %d, %d were lost and %d copied, want about 600 and 280", sent, lost, copied)
	}
}

func count(run *sim.Run, k sim.EntryKind) int {
	n := 0
	for _, e := range run.Trace {
		if e.Kind == k {
			n++
		}
	}
	return n
}

func TestTheLastRuleThatSpeaksOfALinkDecides(t *testing.T) {
	constant := func(d time.Duration) sim.Dist { return sim.Dist{Low: d, High: d} }
	for _, c := range []struct {
		name  string
		links []sim.Link
		want  time.Duration
	}{
		{"none is instant", nil, 0},
		{"a star is any node", []sim.Link{{From: "*", To: "*", Delay: constant(3 * ms)}}, 3 * ms},
		{"a later one wins", []sim.Link{{From: "A", To: "B", Delay: constant(3 * ms)}, {From: "*", To: "B", Delay: constant(5 * ms)}}, 5 * ms},
		{"an earlier one stands where the later is silent", []sim.Link{{From: "*", To: "*", Delay: constant(3 * ms)}, {From: "B", To: "A", Delay: constant(5 * ms)}}, 3 * ms},
		{"a later one wins as a whole", []sim.Link{{From: "*", To: "*", Delay: constant(3 * ms)}, {From: "A", To: "B"}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := timed("A B", "A x: send B m")
			p.Network.Links = c.links
			run := play(t, p)
			i := slices.IndexFunc(run.Trace, func(e sim.Entry) bool { return e.Kind == sim.EntryDelivered })
			if got := run.Trace[i].At; got != sim.Time(c.want) {
				t.Errorf("delivered at %v, want %v", got, c.want)
			}
		})
	}
}

func TestLossAppliesOnlyToItsLink(t *testing.T) {
	p := timed("A B C", "A x: send B m; send C m")
	p.Seed = 1
	p.Network.Links = []sim.Link{{From: "*", To: "*", Loss: 1_000_000}, {From: "A", To: "C"}}
	run := play(t, p)
	compare(t, run, "", tale(run, fates...), "B lost A m (lost), C receives A m")
}

func TestChanceIsBoringWithoutASeed(t *testing.T) {
	run := play(t, spread(0, sim.Link{From: "*", To: "*", Loss: 500_000, Duplicate: 500_000,
		Delay: sim.Dist{Shape: sim.Uniform, Low: ms, High: 90 * ms}}))
	for _, e := range run.Trace {
		if e.Kind == sim.EntryDelivered && e.At != sim.Time(ms) {
			t.Errorf("%s at %v, want %v", sentence(run, e), e.At, ms)
		}
	}
	if n := count(run, sim.EntryDelivered); n != 10 {
		t.Errorf("%d delivered, want 10", n)
	}
}

func TestAPartitionChoosesWhatBecomesOfDatagramsInFlight(t *testing.T) {
	script := []string{"A x: send B m 1", "after 1ms partition A | B", "after 1ms A x: send B m 2", "after 20ms heal"}
	for _, c := range []struct {
		name string
		how  sim.InFlight
		want string
		at   time.Duration
	}{
		{"spare lets them arrive", sim.Spare, "B lost A m 2 (partitioned), B receives A m 1", 10 * ms},
		{"park lets them wait for the heal", sim.Park, "B lost A m 2 (partitioned), B receives A m 1", 22 * ms},
		{"lose loses them", sim.Lose, "B lost A m 1 (partitioned), B lost A m 2 (partitioned)", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := timed("A B", script...)
			p.Network.InFlight = c.how
			p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: 10 * ms, High: 10 * ms}}}
			run := play(t, p)
			compare(t, run, "", tale(run, fates...), c.want)
			for _, e := range run.Trace {
				if e.Kind == sim.EntryDelivered && e.At != sim.Time(c.at) {
					t.Errorf("delivered at %v, want %v", e.At, c.at)
				}
			}
		})
	}
}

func TestWhatAPartitionLosesIsLostInTheOrderOfItsArrival(t *testing.T) {
	for seed := range uint64(50) {
		p := spread(seed+1, sim.Link{From: "*", To: "*", Delay: sim.Dist{Shape: sim.Uniform, Low: ms, High: 90 * ms}})
		free := play(t, p)
		p.Script = append(p.Script, lines([]string{"partition A | B"})...)
		p.Network.InFlight = sim.Lose
		run := play(t, p)
		want := strings.ReplaceAll(tale(free, sim.EntryDelivered), "receives", "lost")
		got := strings.ReplaceAll(tale(run, sim.EntryLost), " (partitioned)", "")
		compare(t, run, fmt.Sprintf("seed %d", seed+1), got, want)
	}
}

func TestAPartitionAlsoMeetsDatagramsThatAHoldParks(t *testing.T) {
	for _, c := range []struct {
		how  sim.InFlight
		want string
	}{
		{sim.Spare, "B receives A m"},
		{sim.Park, ""},
		{sim.Lose, "B lost A m (partitioned)"},
	} {
		p := world("A B", "hold A->B m", "A x: send B m", "partition A | B", "release A->B m")
		p.Network.InFlight = c.how
		run := play(t, p)
		compare(t, run, fmt.Sprintf("in flight %d", c.how), tale(run, fates...), c.want)
		if c.how == sim.Park && count(run, sim.EntryDelivered) != 1 {
			t.Errorf("the epilogue's heal did not let the parked datagram go:\n%s", whole(run))
		}
	}
}

func TestRestartSeparatesIncarnations(t *testing.T) {
	links := []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: 10 * ms, High: 10 * ms}}}
	for _, c := range []struct {
		name   string
		script []string
		want   string
	}{
		{"what is in flight to the dead one is dropped", []string{"A x: send B m", "after 1ms crash B", "after 1ms restart B"},
			"B lost A m (receiver down)"},
		{"what is sent while it is down meets the new one", []string{"after 1ms crash B", "A x: send B m", "after 1ms restart B"},
			"B receives A m"},
		{"what comes from the dead one still arrives", []string{"A x: send B m", "after 1ms crash A", "after 1ms restart A"},
			"B receives A m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := timed("A B", c.script...)
			p.Network.Links = links
			run := play(t, p)
			compare(t, run, "", tale(run, fates...), c.want)
		})
	}
}
