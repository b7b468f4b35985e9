package spacetime_test

import (
	"fmt"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
	"os"
	"testing"
)

func three() *sim.Run {
	b := nodes("P", "Q", "R")
	b.begin("P", "Q", "tx1").send("P", "R", "notify tx1").hear("P", "Q", "tx1").hear("P", "R", "tx1")
	b.cut("P", "1").send("P", "Q", "start 1").send("P", "R", "start 1")
	b.begin("Q", "P", "tx2").send("Q", "R", "notify tx2")
	b.get("P", "R", "start 1").note("R", "point 1")
	b.hear("Q", "P", "tx2").hear("Q", "R", "tx2")
	b.get("P", "Q", "start 1").note("Q", "point 1")
	return b.run
}
func crashes() *sim.Run {
	b := nodes("P", "Q")
	b.begin("P", "Q", "tx1").befall(sim.EntryCrashed, "Q", 1).lose("P", "Q", "notify tx1", sim.LostDown)
	b.commit("P", "Q", "tx2")
	b.run.Trace = b.run.Trace[:len(b.run.Trace)-2]
	b.lose("P", "Q", "notify tx2", sim.LostDown)
	b.befall(sim.EntryStarted, "Q", 2).befall(sim.EntryPaused, "P", 0).begin("Q", "P", "tx3").befall(sim.EntryResumed, "P", 0).hear("Q", "P", "tx3")
	return b.run
}
func overlap() *sim.Run {
	b := nodes("P", "Q")
	b.cut("P", "1").cut("Q", "2").commit("P", "Q", "tx1").cut("P", "2").commit("Q", "P", "tx2").cut("Q", "1").begin("P", "Q", "tx3")
	return b.run
}

func TestLook(t *testing.T) {
	o := spacetime.Options{Point: point}
	w := func(n string, r *sim.Run, o spacetime.Options) {
		os.WriteFile("/tmp/look/"+n+".svg", spacetime.SVG(r, o), 0o644)
		os.WriteFile("/tmp/look/"+n+".txt", []byte(spacetime.Text(r, o)), 0o644)
	}
	os.MkdirAll("/tmp/look", 0o755)
	w("back", backwards(), o)
	w("forw", forwards(), o)
	w("three", three(), o)
	w("crash", crashes(), o)
	w("over", overlap(), o)
	for i, c := range [][3]int{{3, 3, 12}, {5, 3, 30}, {7, 4, 60}, {9, 5, 100}, {11, 7, 150}, {12, 2, 40}} {
		r := random(mix(uint64(c[0])), c[1], c[2])
		o.Mark = nil
		if i == 1 {
			o.Mark = []int{10, 30}
		}
		w(fmt.Sprintf("r%d", i), r, o)
	}
}

func req(node string, words ...string) sim.Action {
	return sim.Action{Verb: sim.Request, Node: node, Words: words}
}
func TestStory(t *testing.T) {
	pat := sim.Pattern{From: []string{"P"}, To: []string{"Q"}, Kind: "notify", Keys: []string{"tx5"}}
	first := []sim.Action{req("P", "commit", "tx1"), req("P", "commit", "tx2"), req("Q", "commit", "tx3"), req("Q", "commit", "tx4"), req("P", "cut", "1"), req("P", "commit", "tx5"), req("Q", "cut", "1")}
	second := []sim.Action{req("P", "commit", "tx1"), req("P", "commit", "tx2"), req("Q", "commit", "tx3"), req("Q", "commit", "tx4"), {Verb: sim.Hold, Pattern: pat}, req("P", "commit", "tx5"), req("P", "cut", "1"), req("Q", "cut", "1"), {Verb: sim.Release, Pattern: pat}}
	for i, sc := range [][]sim.Action{first, second, second[4:]} {
		for _, v := range []string{"unsigned", "signed", "markers"} {
			va, _ := cut.Protocol.Variant(v)
			r, err := sim.Execute(&sim.Plan{Protocol: cut.Protocol, Variant: va, Nodes: []string{"P", "Q"}, Script: sc})
			if err != nil {
				t.Fatal(err)
			}
			o := spacetime.Options{Point: cut.Protocol.Point, Width: 80}
			fmt.Println(i, v)
			fmt.Println(spacetime.Text(r, o))
			for i, e := range r.Trace[:] {
				if testing.Verbose() && v == "signed" {
					fmt.Println(i, e.Kind, e.Node, e.Peer, e.Cause, e.N, sim.Text(e.Body))
				}
			}
			os.WriteFile(fmt.Sprint("/tmp/look/s", i, v, ".svg"), spacetime.SVG(r, spacetime.Options{Point: cut.Protocol.Point}), 0o644)
		}
	}
}
