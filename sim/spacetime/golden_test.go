package spacetime_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
)

var update = flag.Bool("update", false, "rewrite the pictures in testdata")

// golden compares a picture with the one in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed (-update accepts it)\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

// three is a cut among three nodes that crosses one transaction on its way to two of them.
func three() *sim.Run {
	return nodes("P", "Q", "R").
		begin("P", "Q", "tx1").send("P", "R", "notify tx1").hear("P", "Q", "tx1").hear("P", "R", "tx1").
		cut("P", "1").send("P", "Q", "start 1").send("P", "R", "start 1").
		begin("Q", "P", "tx2").send("Q", "R", "notify tx2").
		get("P", "R", "start 1").note("R", "point 1").
		hear("Q", "P", "tx2").hear("Q", "R", "tx2").
		get("P", "Q", "start 1").note("Q", "point 1").run
}

// overlap are two cuts that cross each other.
func overlap() *sim.Run {
	return nodes("P", "Q").cut("P", "1").cut("Q", "2").commit("P", "Q", "tx1").cut("P", "2").
		commit("Q", "P", "tx2").cut("Q", "1").begin("P", "Q", "tx3").run
}

// taught is a cut that Q learns of from the message itself: it draws its point before it takes up
// the message, so the arrow does not cross the cut.
func taught() *sim.Run {
	return nodes("P", "Q").cut("P", "1").begin("P", "Q", "tx1").get("P", "Q", "notify tx1").
		do(sim.EntryAppended, "Q", "point 1").note("Q", "point 1").note("Q", "committed tx1").run
}

// fallible loses a message on its way, one to a crash, and one whose receiver is down.
func fallible() *sim.Run {
	return nodes("P", "Q").begin("P", "Q", "tx1").befall(sim.EntryCrashed, "Q", 1).
		lose("P", "Q", "notify tx1", sim.LostDown).
		begin("P", "Q", "tx2").lose("P", "Q", "notify tx2", sim.LostDown).
		befall(sim.EntryStarted, "Q", 2).begin("P", "Q", "tx3").begin("Q", "P", "tx4").
		lose("P", "Q", "notify tx3", sim.LostDropped).befall(sim.EntryPaused, "P", 0).
		befall(sim.EntryResumed, "P", 0).hear("Q", "P", "tx4").run
}

// stirred has all that can befall nodes, and five of them.
func stirred() *sim.Run {
	b := nodes("P", "Q", "R", "S").later("T")
	b.part("P", "R").part("P", "S").part("Q", "R").part("Q", "S")
	b.part("R", "P").part("S", "P").part("R", "Q").part("S", "Q")
	b.now += 2_000_000
	b.begin("P", "Q", "tx1").send("P", "R", "notify tx1").lose("P", "R", "notify tx1", sim.LostParted).
		hear("P", "Q", "tx1")
	b.add(sim.EntryHealed, sim.Nobody, sim.Nobody, -1, 0, nil)
	b.now += 500_000
	b.befall(sim.EntryJoined, "T", 0).befall(sim.EntryStarted, "T", 1)
	b.cut("Q", "1").send("Q", "R", "start 1").send("Q", "S", "start 1").send("Q", "T", "start 1")
	b.befall(sim.EntryClock, "S", 50).get("Q", "R", "start 1").note("R", "point 1").note("R", "saved 1")
	b.now += 500_000
	b.befall(sim.EntryPaused, "S", 0).befall(sim.EntryCrashed, "R", 2).befall(sim.EntryLeft, "P", 0)
	b.get("Q", "T", "start 1").note("T", "point 1").befall(sim.EntryResumed, "S", 0)
	return b.get("Q", "S", "start 1").note("S", "point 1").befall(sim.EntryStarted, "R", 2).run
}

// logged publishes on the log lane.
func logged() *sim.Run {
	b := nodes("P", "Q")
	b.ask("P", "cut 1")
	at := b.add(sim.EntryPublished, 0, sim.Nobody, b.head[0], 0, say("begin 1"))
	at = b.add(sim.EntrySequenced, sim.Nobody, 0, at, 1, say("begin 1"))
	for _, id := range []sim.NodeID{0, 1} {
		b.head[id] = b.add(sim.EntryLogged, id, 0, at, 1, say("begin 1"))
		b.note(b.run.Nodes[id], "point 1")
	}
	return b.run
}

func TestPicturesAreAsTheyWere(t *testing.T) {
	plain := spacetime.Options{Point: point, Width: 80}
	with := func(change func(*spacetime.Options)) spacetime.Options {
		o := plain
		change(&o)
		return o
	}
	for _, c := range []struct {
		name string
		run  *sim.Run
		o    spacetime.Options
	}{
		{"backwards", backwards(), plain},
		{"backwards-ascii", backwards(), with(func(o *spacetime.Options) { o.ASCII = true })},
		{"backwards-marked", backwards(), with(func(o *spacetime.Options) { o.Mark = []int{31, 34} })},
		{"backwards-narrow", backwards(), with(func(o *spacetime.Options) { o.Width = 44 })},
		{"backwards-colour", backwards(), with(func(o *spacetime.Options) { o.Colour = true })},
		{"backwards-end", backwards(), with(func(o *spacetime.Options) { o.From = 22 })},
		{"forwards", forwards(), plain},
		{"forwards-narrow", forwards(), with(func(o *spacetime.Options) { o.Width, o.ASCII = 44, true })},
		{"taught", taught(), plain},
		{"three", three(), plain},
		{"overlap", overlap(), plain},
		{"fallible", fallible(), plain},
		{"logged", logged(), plain},
		{"stirred", stirred(), plain},
		{"stirred-ascii", stirred(), with(func(o *spacetime.Options) { o.ASCII = true })},
		{"random", random(mix(3), 5, 80), with(func(o *spacetime.Options) { o.Mark, o.Height = []int{90, 130}, 40 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name+".txt", spacetime.Text(c.run, c.o))
			if c.o.ASCII || c.o.Colour {
				return
			}
			golden(t, c.name+".svg", string(spacetime.SVG(c.run, c.o)))
		})
	}
}
