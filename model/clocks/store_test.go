package clocks_test

import (
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// played is the run of a story of three nodes, given by header lines and by its script.
func played(t *testing.T, variant, header, script string) *sim.Run {
	t.Helper()
	text := "-- scenario --\nmodel clocks\nnodes A B C\n" + header + "\n\n-- script --\n" + script +
		"\n\n-- expect --\n" + variant + " holds\n"
	story, err := scenarios.Parse("story.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := story.Check(clocks.Protocol); err != nil {
		t.Fatal(err)
	}
	plan, err := story.Plan(clocks.Protocol, variant, 1)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	if run.End != sim.Settled || len(run.Stale) > 0 {
		t.Fatalf("%s\nended %v, stale %v, want it settled and nothing stale", script, run.End,
			run.Stale)
	}
	return run
}

// seenAt is what can be seen of a node in the end, "" if nothing by that name.
func seenAt(run *sim.Run, node, name string) string {
	all := clocks.Protocol.Observe(run)
	at := slices.IndexFunc(all, func(o sim.Observation) bool {
		return o.Node == node && o.Name == name
	})
	if at < 0 {
		return ""
	}
	return all[at].Value
}

// recordsOf counts the records of a kind and key that a node has written and not lost.
func recordsOf(run *sim.Run, node sim.NodeID, kind, key string) int {
	n, d := 0, run.Disks[node]
	for lsn := d.First(); lsn <= d.Last(); lsn++ {
		if r := d.At(lsn); r.Kind() == kind && slices.Contains(sim.KeysOf(r), key) {
			n++
		}
	}
	return n
}

// askedOf counts the messages of a kind that a node has received.
func askedOf(run *sim.Run, node sim.NodeID, kind string) int {
	n := 0
	for _, e := range run.Trace {
		if e.Kind == sim.EntryDelivered && e.Node == node && e.Body.Kind() == kind {
			n++
		}
	}
	return n
}

// A put is asked for twice, and its replica crashes somewhere between. Whatever it had done by then
// is durable or gone, so the put is on its disk once, and the client is told once.
func TestAPutThatIsAskedForTwiceIsDoneOnceWhereverItsReplicaCrashes(t *testing.T) {
	for _, crash := range []string{
		"when B receives update x crash B",
		"when B writes shelved x crash B",
		"when B syncs shelved x crash B",
		"when B notes accepted x crash B",
		"when B notes holds x crash B",
		"when B sends offer x crash B",
		"when B sends done x crash B",
	} {
		run := played(t, "dotted", "", "maybe hold B->A done x\n"+crash+"\nA put x 1 at B\n"+
			"maybe drop B->A done x\nrestart B\nmaybe release B->A done x\n"+
			"deliver clock->A again")
		if got := askedOf(run, 1, "update"); got != 2 {
			t.Errorf("%s: B was asked %d times, want 2", crash, got)
		}
		if got := recordsOf(run, 1, "shelved", "x"); got != 1 {
			t.Errorf("%s: got %d records of x on B's disk, want 1", crash, got)
		}
		if puts, value := seenAt(run, "A", "puts x"), seenAt(run, "B", "value x"); puts != "ok" ||
			value != "1" {
			t.Errorf("%s: A was told %q and B has %q, want ok and 1", crash, puts, value)
		}
		if broken := checker.Judge(run, clocks.Protocol.Properties).Broken(); len(broken) > 0 {
			t.Errorf("%s: it breaks %v, want nothing broken", crash, broken)
		}
	}
}

// offersOf counts the offers from one node to another, and says when the last one was.
func offersOf(run *sim.Run, from, to sim.NodeID) (n int, last time.Duration) {
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Kind == sim.EntrySent && e.Body.Kind() == "offer" && e.Node == from && e.Peer == to {
			n, last = n+1, time.Duration(e.At)
		}
	}
	return n, last
}

// A message takes 1 ms, a replica offers again after 20 ms, and 20 times in vain.
func TestAntiEntropyStops(t *testing.T) {
	const put = "at 10ms A put x 1\n"
	for _, c := range []struct {
		name, script string
		offers       int           // from A to B
		last         time.Duration // when the last one was
	}{
		{"a reply ends it", put + "at 2s A tick", 1, 10 * time.Millisecond},
		{"so does patience", "at 1ms crash B for good\n" + put + "at 2s A tick", 21,
			410 * time.Millisecond},
		{"a request begins it again", "at 1ms crash B for good\n" + put + "at 1s A get x\n" +
			"at 2s A tick", 42, 1400 * time.Millisecond},
		{"a reply ends it then", "at 1ms crash B\n" + put + "at 490ms restart B\n" +
			"at 1s A get x\nat 2s A tick", 22, time.Second},
	} {
		run := played(t, "dotted", "time runs\ndelay 1ms", c.script)
		if n, last := offersOf(run, 0, 1); n != c.offers || last != c.last {
			t.Errorf("%s: got %d offers from A to B, the last at %v, want %d and %v", c.name, n,
				last, c.offers, c.last)
		}
		if n, last := offersOf(run, 0, 2); n != 1 {
			t.Errorf("%s: got %d offers from A to C, which replies, the last at %v, want 1",
				c.name, n, last)
		}
	}
}

// A's session has put 1 at B. No answer that lacks it is the client's.
func TestASessionIsNeverAnsweredWithLessThanItHasSeen(t *testing.T) {
	const put = "hold B->A offer x\nhold B->C offer x\nat 10ms A put x 1 at B\n"
	for _, c := range []struct{ name, script, dotted, bare string }{
		{"its own replica has heard of nothing", put + "at 20ms A get x", "1", "empty"},
		{"the replica that it asks has heard of nothing", put + "at 20ms A get x at C", "1",
			"empty"},
		{"nobody who is up has it", put + "at 15ms crash B for good\nat 20ms A get x at C", "",
			"empty"},
		{"the first get waits in vain and the next does not", put +
			"at 15ms crash B for good\nat 20ms A get x at C\nat 400ms release B->C offer x\n" +
			"at 500ms A get x at C", "1", "empty, 1"},
		{"the session sees more while it waits", "hold A->C offer x\n" +
			"at 10ms hold C->A found x\nat 11ms A get x at C\nat 20ms A put x 1\n" +
			"at 25ms release C->A found x", "1", "empty"},
		{"the session ends while it waits", put + "at 15ms hold C->A found x\n" +
			"at 16ms A get x at C\nat 20ms A forget\nat 25ms release C->A found x", "1", "empty"},
		{"its session has ended", put + "at 15ms A forget\nat 20ms A get x at C", "empty",
			"empty"},
	} {
		for _, v := range []struct{ name, want string }{{"dotted", c.dotted}, {"bare", c.bare}} {
			run := played(t, v.name, "time runs\ndelay 1ms", c.script)
			if got := seenAt(run, "A", "reads x"); got != v.want {
				t.Errorf("%s, %s: reads %q, want %q", c.name, v.name, got, v.want)
			}
		}
	}
}

// A write that is dropped for one that it descends from is lost; not if both have one value, for
// nobody could tell.
func TestOfTwoPutsOfOneValueNoneIsLost(t *testing.T) {
	for _, c := range []struct {
		second string
		broken []string
		lost   string
	}{
		{"2", []string{"descendants-win", "no-lost-update", "read-your-writes"}, "2"},
		{"1", nil, "nothing"},
	} {
		script := "A put x 1\nclock A -5s\nA put x " + c.second
		run := played(t, "wall", "", script)
		var broken []string
		for _, p := range clocks.Protocol.Properties {
			if _, v := p.Check(run); v != nil {
				broken = append(broken, p.Name)
			}
		}
		slices.Sort(broken)
		if lost := seenAt(run, "A", "lost x"); !slices.Equal(broken, c.broken) || lost != c.lost {
			t.Errorf("%s\nbreaks %v, lost %s, want %v and %s", script, broken, lost, c.broken, c.lost)
		}
	}
}

// A node does not lose to itself: of its puts with one stamp the later stands, whatever the values.
func TestOfTwoPutsOfANodeAtOneInstantTheLaterStands(t *testing.T) {
	for _, values := range [][]string{{"1", "2"}, {"2", "1"}} {
		run := played(t, "wall", "", "A put x "+values[0]+"\nA put x "+values[1])
		if got := seenAt(run, "C", "value x"); got != values[1] {
			t.Errorf("A puts %v at one instant, C has %s in the end", values, got)
		}
	}
}

// Without a hybrid clock nothing is refused, however far ahead its sender's clock is, and nothing
// of such a clock is claimed or shown.
func TestWithoutAHybridClockNothingIsRefused(t *testing.T) {
	for variant, refuses := range map[string]bool{"wall": false, "dotted": true,
		"conditional": false, "stamped-stream": false, "hybrid": true} {
		run := played(t, variant, "", "clock A +1h\nA put x 1\nB get x")
		refused := 0
		for _, e := range run.Trace {
			if e.Kind == sim.EntryNoted && e.Body.Kind() == "refused-stamp" {
				refused++
			}
		}
		if shown := seenAt(run, "A", "hybrid"); refused > 0 != refuses || shown != "" != refuses {
			t.Errorf("%s: %d stamps are refused, hybrid clock %q; want them: %v", variant, refused, shown,
				refuses)
		}
	}
}

// Each put of a session more is an entry more, if vectors are by writer and not pruned.
func TestVectorsByWriterGrowUnlessTheyArePruned(t *testing.T) {
	script := "A put x 1\nA forget\nA get x\nA put x 2\nA forget\nA get x\nA put x 3\nA forget\n" +
		"A get x\nA put x 4"
	for variant, grows := range map[string]bool{"unpruned": true, "pruned": false, "dotted": false,
		"vectors": false} {
		run := played(t, variant, "", script)
		for _, p := range clocks.Protocol.Properties {
			n, v := p.Check(run)
			if p.Name == "vector-size" && (n == 0 || v != nil != grows) {
				t.Errorf("%s: vector-size has %d premises and %v, want it broken: %v", variant, n, v, grows)
			}
		}
	}
}
