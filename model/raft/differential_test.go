package raft_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// Both engines, the library in both ways, play the same plans: one client, who waits for each answer, and faults that leave a
// majority, in between. What can be seen must be the same, whoever leads in which term: the answers
// in their order, and in the end what every node has and goes by.
func TestEnginesGiveTheSameAnswers(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		d := drawTale(seed)
		want := d.model
		for _, variant := range []string{"raft", "etcd", "etcd-async"} {
			run := d.play(t, variant)
			if got := answersOf(run); !slices.Equal(got, want) {
				t.Errorf("seed %d: of %q %s answers %q, want %q", seed, d.text, variant, got, want)
			}
			if got := endOf(run); got != d.end {
				t.Errorf("seed %d: after %q %s ends with %q, want %q", seed, d.text, variant, got,
					d.end)
			}
			v := checker.Judge(run, raft.Protocol.Properties)
			if v.Outcome != checker.Holds {
				t.Errorf("seed %d: %s: the run of %q %v %v, want it to hold", seed, variant, d.text,
					v.Outcome, v.Broken())
			}
		}
	}
}

// tale is a drawn plan, with what a single machine would answer.
type tale struct {
	nodes  []string
	down   string   // a node that is crashed or cut off, "" if none is
	voters []string // as wanted last
	script []sim.Action
	text   []string
	model  []string // the answers
	end    string   // what all voters have then
	x      string
	seed   uint64
}

func drawTale(seed uint64) *tale {
	rng := rand.New(rand.NewPCG(seed, 7))
	d := &tale{nodes: []string{"A", "B", "C", "D", "E"}[:3+2*rng.IntN(2)], seed: seed}
	d.voters = slices.Clone(d.nodes)
	for k := range 12 {
		switch kind := rng.IntN(10); {
		case kind < 3:
			d.fault(rng)
		case kind < 7:
			d.put(rng, strconv.Itoa(k+1))
		case kind < 9:
			d.ask(d.up(rng), "get", "x")
			d.model = append(d.model, d.shown())
		default:
			d.ask(d.up(rng), "compact")
		}
	}
	d.heal()
	d.ask(d.up(rng), "get", "x", "through", "log")
	d.model = append(d.model, d.shown())
	d.end = fmt.Sprint([]string{d.shown()})
	return d
}

func (d *tale) shown() string {
	if d.x == "" {
		return "empty"
	}
	return d.x
}

// put writes, or swaps for the right value or a wrong one.
func (d *tale) put(rng *rand.Rand, value string) {
	old := d.shown()
	switch rng.IntN(3) {
	case 0:
		d.ask(d.up(rng), "put", "x", value)
		d.model, d.x = append(d.model, "wrote"), value
	case 1:
		d.ask(d.up(rng), "cas", "x", old, value)
		d.model, d.x = append(d.model, "swapped"), value
	default:
		d.ask(d.up(rng), "cas", "x", "0", value)
		d.model = append(d.model, "not swapped")
	}
}

// fault takes one node away, or brings it back.
func (d *tale) fault(rng *rand.Rand) {
	if d.down != "" {
		d.heal()
		return
	}
	d.down = d.nodes[rng.IntN(len(d.nodes))]
	if rng.IntN(2) == 0 {
		d.act(sim.Action{Verb: sim.Crash, Node: d.down})
		return
	}
	rest := slices.DeleteFunc(slices.Clone(d.nodes), func(n string) bool { return n == d.down })
	d.act(sim.Action{Verb: sim.Partition, Groups: [][]string{{d.down}, rest}})
}

func (d *tale) heal() {
	if d.down == "" {
		return
	}
	d.act(sim.Action{Verb: sim.Restart, Node: d.down, Maybe: true})
	d.act(sim.Action{Verb: sim.Heal, Maybe: true})
	d.down = ""
}

// up is a node that is neither crashed nor cut off.
func (d *tale) up(rng *rand.Rand) string {
	for {
		if n := d.nodes[rng.IntN(len(d.nodes))]; n != d.down {
			return n
		}
	}
}

func (d *tale) ask(node string, words ...string) {
	d.act(sim.Action{Verb: sim.Request, Node: node, Words: words})
}

// act takes place after a time that is enough for an election.
func (d *tale) act(a sim.Action) {
	a.Place, a.Offset = sim.After, time.Second
	d.script = append(d.script, a)
	d.text = append(d.text, fmt.Sprint(a.Verb, a.Node, a.Groups, a.Words))
}

func (d *tale) play(t *testing.T, variant string) *sim.Run {
	t.Helper()
	v, err := raft.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(&sim.Plan{Protocol: raft.Protocol, Variant: v, Nodes: d.nodes,
		Timed: true, Script: d.script, Seed: d.seed, Network: sim.Network{Links: []sim.Link{
			{From: "*", To: "*", Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond,
				High: 5 * time.Millisecond}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// answersOf are what clients were told, without the places in the log, and without what was said
// about compactions and in the end.
func answersOf(run *sim.Run) []string {
	var all []string
	asked := map[int64]sim.Op{}
	for i, e := range run.Trace[:run.Epilogue] {
		switch e.Kind {
		case sim.EntryInvoked:
			asked[e.N] = run.Trace[i].Body
		case sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown:
			if asked[e.N].Kind() != "compact" {
				text, _, _ := strings.Cut(sim.Text(e.Body), " at ")
				all = append(all, text)
			}
		}
	}
	return all
}

// endOf is the value of x that all nodes have, or what they differ in.
func endOf(run *sim.Run) string {
	var values []string
	for _, o := range raft.Protocol.Observe(run) {
		if o.Name == "value x" {
			values = append(values, o.Value)
		}
	}
	slices.Sort(values)
	return fmt.Sprint(slices.Compact(values))
}
