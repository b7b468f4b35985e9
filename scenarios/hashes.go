package scenarios

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// HashOptions say which runs Hashes compares. The zero value is 50 rough runs of each right
// variant.
type HashOptions struct {
	Variants []string // names, with rules; default: all that name nothing they break
	Seeds    uint64   // how many a variant, from 1; default: 50
	// Plan is the plan of a seed; default: Rough. Plans of a search would change with the search.
	Plan func(p *sim.Protocol, v sim.Variant, seed uint64) *sim.Plan
	Dir  string // where golden.txt lies; default: testdata
}

// Hashes compares runs of a protocol with those of an earlier day, in a test of its own module:
//
//	func TestHashes(t *testing.T) { scenarios.Hashes(t, echo.Protocol, scenarios.HashOptions{}) }
//
// A line of golden.txt is "VARIANT SEED HASH DIGEST": what happened in a run, and with which
// contents. What can be seen of the runs must be in Protocol.Shows, if that is given. If the test
// binary has a boolean flag "update" and it is set, the file is written anew.
func Hashes(t testing.TB, p *sim.Protocol, o HashOptions) {
	t.Helper()
	o.fill(p)
	now := o.lines(t, p)
	f := file{folder(o.Dir), "golden.txt"}
	if updating() {
		f.rewrite(t, now)
		return
	}
	stored, err := fs.ReadFile(f.fsys, f.name)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	got, want := strings.Split(string(now), "\n"), strings.Split(string(stored), "\n")
	if len(got) != len(want) {
		t.Fatalf("%s has %d lines, want %d; go test -update rewrites it", f.shown(), len(want)-1,
			len(got)-1)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s:%d: got %q, want %q; go test -update rewrites it", f.shown(), i+1, got[i],
				want[i])
		}
	}
}

// fill sets what the options leave open.
func (o *HashOptions) fill(p *sim.Protocol) {
	if len(o.Variants) == 0 {
		o.Variants = rightVariants(p)
	}
	if o.Seeds == 0 {
		o.Seeds = 50
	}
	if o.Plan == nil {
		o.Plan = Rough
	}
	if o.Dir == "" {
		o.Dir = "testdata"
	}
}

// lines play the runs.
func (o *HashOptions) lines(t testing.TB, p *sim.Protocol) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, name := range o.Variants {
		v, err := p.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		w := new(sim.World)
		for seed := uint64(1); seed <= o.Seeds; seed++ {
			run, err := w.Execute(o.Plan(p, v, seed), sim.Options{Digest: true})
			if err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			}
			if word := unlisted(run); word != "" {
				t.Fatalf("%s, seed %d: it shows %q, which Protocol.Shows does not list", name, seed, word)
			}
			fmt.Fprintf(&b, "%s %d %016x %016x\n", name, seed, run.Hash, run.Digest)
		}
	}
	return b.Bytes()
}

// unlisted is the first word of something that can be seen of a run, and that the protocol does not
// say it shows, though it says what it shows.
func unlisted(run *sim.Run) string {
	shows := run.Plan.Protocol.Shows
	if len(shows) == 0 {
		return ""
	}
	for _, o := range run.Observe() {
		if word, _, _ := strings.Cut(o.Name, " "); !slices.Contains(shows, word) {
			return word
		}
	}
	return ""
}

// Rough is a plan with everything that chance can do to a protocol, of what it stands: its drawn
// load on three or four nodes, in a network that delays. It changes with nothing but the protocol
// and the engine.
func Rough(p *sim.Protocol, v sim.Variant, seed uint64) *sim.Plan {
	d := &sim.Draws{Nodes: []string{"A", "B", "C", "D"}[:3+seed%2], Clients: 3, Ops: 20,
		Span: 40 * time.Millisecond, Seed: seed}
	if p.Joins {
		d.Later = []string{"E"}
	}
	if p.Cluster != nil {
		d.Setup = p.Cluster(d)
	}
	plan := &sim.Plan{Protocol: p, Variant: v, Nodes: d.Nodes, Later: d.Later, Setup: d.Setup,
		Timed: true, Seed: seed}
	if p.Draw != nil {
		plan.Load = p.Draw(d)
	}
	plan.Network = roughNetwork(p.Stands)
	if p.Joins {
		plan.Script = append(plan.Script, sim.Action{Verb: sim.Join, Node: "E", Place: sim.After,
			Offset: d.At("join") / 2})
	}
	if p.Stands.Has(sim.Partitions) && seed%3 == 0 {
		plan.Script = append(plan.Script,
			sim.Action{Verb: sim.Partition, Groups: [][]string{d.Nodes[:1], d.Nodes[1:]},
				Place: sim.After, Offset: d.At("part") / 2},
			sim.Action{Verb: sim.Heal, Place: sim.After, Offset: d.At("heal") / 2})
	}
	return plan
}

// roughNetwork is a network with all faults of a set that chance strikes with.
func roughNetwork(stands sim.Faults) sim.Network {
	link := sim.Link{From: "*", To: "*",
		Delay: sim.Dist{Shape: sim.Heavy, Low: time.Millisecond, High: 20 * time.Millisecond}}
	var n sim.Network
	if stands.Has(sim.Losses) {
		link.Loss = 30_000
	}
	if stands.Has(sim.Duplicates) {
		link.Duplicate = 30_000
	}
	if stands.Has(sim.Breaks) {
		n.Break = 20_000
		n.Reopen = sim.Dist{Shape: sim.Uniform, High: 10 * time.Millisecond}
	}
	if stands.Has(sim.Crashes) {
		n.Crash, n.Keep = 5000, true
		n.Restart = sim.Dist{Shape: sim.Uniform, High: 20 * time.Millisecond}
	}
	if stands.Has(sim.TornRecords) {
		n.Torn = 200_000
	}
	if stands.Has(sim.SlowDisks) {
		n.DiskSlow, n.SyncTime = true, sim.Dist{Shape: sim.Uniform, High: 2 * time.Millisecond}
	}
	if stands.Has(sim.LateTimers) {
		n.Late = sim.Dist{Shape: sim.Uniform, High: 10 * time.Millisecond}
	}
	n.Links, n.Timeout = []sim.Link{link}, 30*time.Millisecond
	return n
}
