package cut_test

import (
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/sim"
)

// randomPlan is a timed plan in any weather: every part of it is a function of the seed.
func randomPlan(t testing.TB, variant string, seed uint64) *sim.Plan {
	t.Helper()
	v, err := cut.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	d := &sim.Draws{Nodes: []string{"P", "Q", "R", "S", "T"}, Seed: seed}
	d.Nodes = d.Nodes[:2+d.Int(4, "nodes")]
	d.Clients, d.Ops = 1+int(d.Int(3, "clients")), 10+int(d.Int(40, "ops"))
	d.Span = 20*time.Millisecond + time.Duration(d.Int(100, "span"))*time.Millisecond
	p := &sim.Plan{Protocol: cut.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed}
	p.Load = cut.Protocol.Draw(d)
	links(p, d)
	crashes(p, d)
	parts(p, d)
	clocks(p, d)
	members(p, d)
	return p
}

// links draws delays, losses, copies and breaks.
func links(p *sim.Plan, d *sim.Draws) {
	most := time.Millisecond << d.Int(6, "delay")
	shape := sim.Uniform + sim.Shape(d.Int(2, "shape"))
	p.Network.Links = append(p.Network.Links, sim.Link{From: "*", To: "*",
		Delay:     sim.Dist{Shape: shape, High: most},
		Loss:      sim.PPM(d.Int(3, "loss") * 50_000),
		Duplicate: sim.PPM(d.Int(3, "duplicate") * 50_000)})
	for _, n := range p.Nodes {
		p.Network.Links = append(p.Network.Links, sim.Link{From: n, To: n,
			Delay: sim.Dist{Shape: sim.Uniform, High: 3 * time.Millisecond}})
	}
	p.Network.Break = sim.PPM(d.Int(2, "break") * 20_000)
	p.Network.Reopen = sim.Dist{Shape: sim.Uniform, High: 10 * time.Millisecond}
}

// crashes draws crashes and what disks make of them, for every other plan.
func crashes(p *sim.Plan, d *sim.Draws) {
	if d.Int(2, "crashes") == 0 {
		return
	}
	p.Network.Crash = sim.PPM((1 + d.Int(2, "crash")) * 10_000)
	p.Network.Restart = sim.Dist{Shape: sim.Uniform, High: 50 * time.Millisecond}
	p.Network.Keep = d.Int(2, "keep") == 0
	p.Network.Torn = sim.PPM(d.Int(2, "torn") * 500_000)
	p.Network.DiskSlow = d.Int(2, "slow") == 0
	p.Network.SyncTime = sim.Dist{Shape: sim.Uniform, High: time.Millisecond}
}

// parts draws a partition and its end, for every third plan.
func parts(p *sim.Plan, d *sim.Draws) {
	if d.Int(3, "parted") > 0 {
		return
	}
	p.Script = append(p.Script,
		sim.Action{Verb: sim.Partition, Groups: [][]string{p.Nodes[:1], p.Nodes[1:]},
			OneWay: d.Int(2, "one way") == 0, Place: sim.After, Offset: d.At("part") / 2},
		sim.Action{Verb: sim.Heal, Place: sim.After, Offset: d.At("heal") / 2})
}

// clocks draws late timers, and for every third plan a node whose clock is wrong and that is paused
// for a while.
func clocks(p *sim.Plan, d *sim.Draws) {
	late := time.Duration(d.Int(30, "late")) * time.Millisecond
	p.Network.Late = sim.Dist{Shape: sim.Uniform, High: late}
	if d.Int(3, "pause") > 0 {
		return
	}
	who := d.Node("paused")
	pause := sim.Action{Verb: sim.Pause, Node: who, Place: sim.After, Offset: d.At("pause") / 3}
	resume := sim.Action{Verb: sim.Resume, Node: who, Place: sim.After, Offset: d.At("resume") / 3}
	pause.Maybe, resume.Maybe = true, true // a node that is down is not paused
	p.Script = append(p.Script,
		sim.Action{Verb: sim.Drift, Node: who, Amount: d.Int(200_000, "drift") - 100_000}, pause,
		sim.Action{Verb: sim.Jump, Node: who, Amount: d.Int(int64(time.Second), "jump")}, resume)
}

// members draws a node that joins, for every other plan, and one that leaves.
func members(p *sim.Plan, d *sim.Draws) {
	if d.Int(2, "joined") > 0 {
		return
	}
	p.Later = []string{"X"}
	p.Script = append(p.Script,
		sim.Action{Verb: sim.Join, Node: "X", Place: sim.After, Offset: d.At("join") / 2},
		sim.Action{Verb: sim.Request, Node: "X", Words: []string{"commit", "txX"}},
		sim.Action{Verb: sim.Request, Node: d.Node("tells X"), Words: []string{"commit", "txY"},
			Place: sim.After, Offset: d.At("tell X") / 2})
	if d.Int(3, "left") == 0 {
		p.Script = append(p.Script, sim.Action{Verb: sim.Leave, Node: p.Nodes[len(p.Nodes)-1],
			Place: sim.After, Offset: d.At("leave") / 2})
	}
}

// played is a run and what it was judged.
func played(t testing.TB, w *sim.World, p *sim.Plan) (*sim.Run, checker.Verdict) {
	t.Helper()
	run, err := w.Execute(p, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run, checker.Judge(run, p.Protocol.Properties)
}
