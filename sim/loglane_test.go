package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

func TestTheLogLaneInStillTime(t *testing.T) {
	for _, c := range []story{
		{"what is published comes back to all, the publisher included", []string{"A x: publish e 1"}, "A: logged 1 e 1", ""},
		{"in one order", []string{"A x: publish e 1", "C x: publish e 2", "A y: publish e 3"}, "logged 1 e 1, logged 2 e 2, logged 3 e 3", ""},
		{"a crash is told through it", []string{"crash A"}, "left 1 A", ""},
		{"at once", []string{"crash A", "B x: now"}, "left 1 A, now 0s", ""},
		{"a restart too", []string{"crash A", "restart A"}, "left 1 A, joined 2 A", ""},
		{"a leave is told once", []string{"crash A", "leave A"}, "left 1 A", ""},
		{"a leave of a node that is up", []string{"leave A", "C x: publish e"}, "left 1 A, logged 2 e", ""},
		{"a joiner starts at its own join", []string{"A x: publish e 1", "join D", "A x: publish e 2"}, "D: joined 2 D, logged 3 e 2", ""},
		{"the others hear of it in its place", []string{"A x: publish e 1", "join D", "A x: publish e 2"}, "logged 1 e 1, joined 2 D, logged 3 e 2", ""},
		{"a restarted node starts at its own join", []string{"A x: publish e 1", "crash B", "A x: publish e 2", "restart B", "A x: publish e 3"},
			"logged 1 e 1, joined 4 B, logged 5 e 3", ""},
		{"what a node published before its crash is not lost", []string{"hold A->log e", "A x: publish e", "crash A", "release A->log e"},
			"left 1 A, logged 2 e", ""},
		{"what is parked for a crashed node is lost", []string{"hold log->B e", "A x: publish e", "crash B", "restart B", "release log->B e"}, "joined 3 B", ""},
		{"members are those it has heard of", []string{"hold log->B joined", "join D", "B x: peers", "release log->B joined", "B y: peers"},
			"peers A B C, joined 1 D, peers A B C D", ""},
		{"members change with a leave, too", []string{"leave A", "B x: peers", "join D", "B x: peers"}, "left 1 A, peers B C, joined 2 D, peers B C D", ""},
		{"a joiner knows the members", []string{"leave A", "join D", "D x: peers"}, "D: joined 2 D, peers B C D", ""},
		{"a partition does not stop it", []string{"partition A | B C", "A x: publish e"}, "logged 1 e", ""},
		{"a node that left does not come back", []string{"leave A", "restart A", "join A"}, "left 1 A",
			"restart A: A is down, paused or no member; join A: A is a member already, or has left for good"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withLog(world("A B C"))
			p.Later = []string{"D"}
			p.Network.Detect = 500 * ms // still time does not wait for it
			c.play(t, p)
		})
	}
}

func TestWithoutALogMembersAreTold(t *testing.T) {
	for _, c := range []story{
		{"of who joins", []string{"join D", "B x: peers"}, "joined 0 D, peers A B C D", ""},
		{"of who leaves", []string{"leave A", "B x: peers"}, "left 0 A, peers B C", ""},
		{"but not of a crash", []string{"crash A", "restart A"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("A B C")
			p.Later = []string{"D"}
			c.play(t, p)
		})
	}
}

func TestAnAbsenceIsNoticedAfterItsTime(t *testing.T) {
	for _, c := range []struct {
		name   string
		script []string
		want   string
	}{
		{"a crash", []string{"at 1ms crash A"}, "left 1 A at 501ms"},
		{"a leave", []string{"at 1ms leave A"}, "left 1 A at 501ms"},
		{"a restart before that says both", []string{"at 1ms crash A", "at 9ms restart A"}, "left 1 A at 9ms, joined 2 A at 9ms"},
		{"a second crash counts anew", []string{"at 1ms crash A", "at 9ms restart A", "at 100ms crash A"}, "left 1 A at 9ms, joined 2 A at 9ms, left 3 A at 600ms"},
		{"a leave after a crash is told once", []string{"at 1ms crash A", "at 9ms leave A"}, "left 1 A at 509ms"},
		{"a leave after the crash was noticed is not told again", []string{"at 1ms crash A", "at 600ms leave A"}, "left 1 A at 501ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withLog(timed("A B", c.script...))
			p.Network.Detect = 500 * ms
			run := play(t, p)
			var got []string
			for _, e := range run.Trace[:run.Epilogue] {
				if e.Kind == sim.EntryNoted && e.Node == 1 {
					got = append(got, fmt.Sprint(sim.Text(e.Body), " at ", e.At))
				}
			}
			compare(t, run, "", strings.Join(got, ", "), c.want)
			if strings.Contains(facts(run, "A"), "left") {
				t.Errorf("A was told of its own leaving\n%s", whole(run))
			}
		})
	}
}

func TestANewIncarnationDoesNotWaitForWhatTheDeadOneMissed(t *testing.T) {
	p := withLog(timed("A B", "A x: publish e", "at 5ms crash B", "at 6ms restart B"))
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.Delay, At: "log", To: "B", Of: "e"}, Value: int64(100 * ms)}}
	run := play(t, p)
	compare(t, run, "", facts(run, "B"), "joined 3 B")
	for _, e := range run.Trace {
		if e.Kind == sim.EntryLogged && e.Node == 1 && e.At != sim.Time(6*ms) {
			t.Errorf("%s at %v, want 6ms\n%s", sentence(run, e), e.At, whole(run))
		}
	}
}

// TestTheLogLaneIsOneSequence plays random publications, joins, crashes and paces.
func TestTheLogLaneIsOneSequence(t *testing.T) {
	paces, reordered := 0, 0
	for seed := range uint64(200) {
		p := withLog(timed("A B C", "at 20ms join D", "at 30ms crash B", "at 50ms restart B", "at 60ms leave C"))
		p.Later = []string{"D"}
		for i := range 40 {
			p.Load = append(p.Load, line(fmt.Sprintf("at %dms %c x: publish e %d", 2*i, "AB"[i%2], i)))
		}
		d := sim.Dist{Shape: sim.Heavy, High: 40 * ms}
		p.Network.Links = []sim.Link{{From: "*", To: "log", Delay: d}, {From: "log", To: "*", Delay: d}}
		p.Seed = seed + 1
		run := play(t, p)
		var log []sim.Entry
		at := map[string]int64{} // node to its last position
		for i, e := range run.Trace {
			switch e.Kind {
			case sim.EntrySequenced:
				log = append(log, e)
				if int(e.N) != len(log) {
					t.Fatalf("seed %d entry %d: position %d, want %d\n%s", seed+1, i, e.N, len(log), whole(run))
				}
			case sim.EntryCrashed, sim.EntryLeft:
				delete(at, run.Name(e.Node))
			case sim.EntryLogged:
				name := run.Name(e.Node)
				last, follows := at[name]
				m, member := e.Body.(sim.Member)
				switch {
				case e.Body != log[e.N-1].Body:
					t.Fatalf("seed %d entry %d: %v at %d, want %v\n%s", seed+1, i, e.Body, e.N, log[e.N-1].Body, whole(run))
				case follows && e.N != last+1:
					t.Fatalf("seed %d entry %d: %s goes from %d to %d\n%s", seed+1, i, name, last, e.N, whole(run))
				case !follows && e.N != 1 && !(member && m.Joined && m.Name == name):
					t.Fatalf("seed %d entry %d: %s begins with %s at %d\n%s", seed+1, i, name, sim.Text(e.Body), e.N, whole(run))
				}
				at[name] = e.N
				if e.At != log[e.N-1].At {
					paces++
				}
			}
		}
		for _, name := range []string{"A", "B", "D"} {
			if at[name] != int64(len(log)) {
				t.Fatalf("seed %d: %s stands at %d of %d\n%s", seed+1, name, at[name], len(log), whole(run))
			}
		}
		if !slices.IsSortedFunc(log, func(a, b sim.Entry) int { return int(a.Cause - b.Cause) }) {
			reordered++
		}
	}
	if paces < 10_000 || reordered < 150 {
		t.Errorf("%d events came later than their place was given, in %d runs places were not in order of publication", paces, reordered)
	}
}
