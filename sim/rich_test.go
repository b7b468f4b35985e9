package sim_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// busybody is a machine that uses everything there is: datagrams, streams of both sorts, the log,
// own work, the disk in all its ways, timers, draws, members. What it does means nothing.
type busybody struct {
	rows    int64
	waiting []sim.CallID // for the disk
	peers   []sim.NodeID
}

func newBusybody(id sim.NodeID, _ []sim.NodeID) sim.Machine { return &busybody{} }

func (b *busybody) Start(env *sim.Env) {
	env.Note(body(fmt.Sprintf("up %d", env.Disk.Last())))
	env.Every(20*ms, body("beat"))
	env.After(time.Duration(env.Draw("start", int64(9*ms))), body("hello"))
}

func (b *busybody) Invoke(env *sim.Env, c sim.Call) {
	row := thing{"row", c.Op.(order).keys}
	env.Disk.Append(row)
	env.Send(b.other(env, 1), row)
	switch env.Draw("how", 3) {
	case 0:
		env.Disk.Sync()
		env.Note(thing{"done", row.keys})
		env.Return(c.ID, thing{"ok", row.keys})
	case 1:
		env.Disk.Flush()
		b.waiting = append(b.waiting, c.ID)
	case 2:
		env.Publish(row)
		env.Later(row)
		env.Return(c.ID, thing{"maybe", row.keys})
	}
	for _, to := range env.Nodes {
		if to != env.ID {
			env.Stream(to, sim.Lane(to%2)).Send(row)
		}
	}
}

func (b *busybody) other(env *sim.Env, step int) sim.NodeID {
	return env.Nodes[(int(env.ID)+step)%len(env.Nodes)]
}

func (b *busybody) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	b.rows++
	switch {
	case from == env.ID && m.Kind() != "row": // a beat to itself: no fact, or nothing ever settles
	case from == env.ID:
		env.Disk.Append(m)
		env.Note(thing{"worked", m.(thing).keys})
	case m.Kind() == "row":
		env.Disk.Append(thing{"copy", m.(thing).keys})
		env.Send(from, thing{"ack", m.(thing).keys})
		if b.rows%4 == 0 {
			env.Disk.Sync()
		}
		env.After(3*ms, thing{"retry", m.(thing).keys})
	case m.Kind() == "ack":
		env.Note(thing{"acked", m.(thing).keys})
		env.Cancel(thing{"retry", m.(thing).keys})
	}
}

func (b *busybody) Timeout(env *sim.Env, t sim.Timer) {
	switch t.Kind() {
	case "beat":
		env.Send(b.other(env, 1+int(env.Draw("whom", 12))), thing{"beat", ""})
		if last := env.Disk.Last(); last > env.Disk.First()+8 {
			env.Disk.Replace(thing{"snap", fmt.Sprint(last)}, last-3)
			env.Disk.Flush()
		}
	case "retry":
		env.Send(b.other(env, 2), thing{"again", t.(thing).keys})
		env.Disk.Flush()
	case "hello":
		env.Publish(thing{"hello", env.Name(env.ID)})
	}
}

func (b *busybody) Notice(env *sim.Env, n sim.Notice) {
	switch n.What {
	case sim.Durable:
		env.Send(b.other(env, 1), thing{"durable", ""})
	case sim.Synced:
		for _, c := range b.waiting {
			env.Return(c, thing{"ok", "late"})
		}
		b.waiting = nil
	case sim.SyncFailed:
		env.Note(body("failed"))
	case sim.Logged:
		env.Disk.Append(thing{"logged", fmt.Sprint(n.Pos)})
		if n.Pos%3 == 0 {
			env.Disk.Sync()
		}
	case sim.Broken, sim.Opened:
		to := n.Peer
		if n.From != env.ID {
			to = env.ID
		}
		env.Note(thing{"stream", fmt.Sprint(n.From, to, n.What == sim.Opened, n.Pos)})
	case sim.Joined, sim.Left:
		b.peers = append(b.peers, n.Peer)
		env.Note(thing{"members", fmt.Sprint(len(env.Nodes))})
	}
}

// richWorld is the protocol of busybodies.
var richWorld = &sim.Protocol{
	Name:     "busybodies",
	Log:      true,
	Lanes:    []sim.LaneSpec{{Name: "rows"}, {Name: "mail", Mailbox: true}},
	Variants: []sim.Variant{{Name: "plain", New: newBusybody}},
	ParseOp:  parseOrder,
}

// rich is a random timed plan in which everything may happen; some kinds of fault are left out.
func rich(seed uint64) *sim.Plan {
	d := &sim.Draws{Seed: seed, Span: 120 * ms, Nodes: []string{"A", "B", "C"}}
	p := &sim.Plan{Protocol: richWorld, Variant: richWorld.Variants[0], Nodes: d.Nodes, Later: []string{"D"}, Timed: true, Seed: seed,
		Budget: sim.Budget{Events: 20_000, Time: 20 * time.Second, Linger: 200 * ms}}
	n := &p.Network
	slow := sim.Dist{Shape: sim.Shape(d.Int(4, "shape")), Low: ms, High: 15 * ms}
	link := sim.Link{From: "*", To: "*", Delay: slow}
	own := sim.Dist{Shape: sim.Uniform, High: 4 * ms}
	faults := func(name string, set func()) {
		if d.Int(2, "fault", name) == 0 {
			set()
		}
	}
	faults("loss", func() { link.Loss = 50_000 })
	faults("copies", func() { link.Duplicate = 50_000 })
	n.Links = []sim.Link{link, {From: "log", To: "*", Delay: slow}, {From: "*", To: "log", Delay: own}, {From: "B", To: "B", Delay: own}, {From: "client", To: "*", Delay: own}}
	faults("answers", func() { n.Links = append(n.Links, sim.Link{From: "*", To: "client", Delay: own, Loss: 20_000}) })
	faults("breaks", func() { n.Break = 20_000 })
	faults("crashes", func() { n.Crash, n.Crashes = 10_000, int(d.Int(3, "cap")) })
	faults("restarts", func() { n.Restart = sim.Dist{Shape: sim.Uniform, Low: ms, High: 30 * ms} })
	faults("slow disks", func() { n.DiskSlow, n.SyncTime, n.Told = true, own, own })
	faults("failing syncs", func() { n.SyncFail = 5_000 })
	faults("torn records", func() { n.Torn = 300_000 })
	faults("kept records", func() { n.Keep = true })
	faults("late timers", func() { n.Late = own })
	faults("detection", func() { n.Detect = 30 * ms })
	faults("patience", func() { n.Timeout = 40 * ms })
	n.Reopen = sim.Dist{Shape: sim.Heavy, Low: ms, High: 20 * ms}
	n.InFlight = sim.InFlight(d.Int(3, "in flight"))
	richLoad(p, d)
	return p
}

// richLoad is what clients ask and what befalls the nodes, at random times.
func richLoad(p *sim.Plan, d *sim.Draws) {
	for i := range 16 {
		p.Load = append(p.Load, sim.Action{Verb: sim.Request, Node: d.Node("request", i), Client: int(d.Int(4, "client", i)),
			Words: []string{"put", fmt.Sprint(i)}, Place: sim.At, Offset: d.At("request", i)})
	}
	for i, text := range []string{"partition A | B C", "heal", "partition B -> A C", "heal", "crash A", "restart A", "pause B", "resume B",
		"crash C", "restart C", "join D", "clock A drift 100000", "clock B +30ms", "drop A->B", "disk A keep 1", "disk C torn", "leave C", "disk B lost"} {
		if d.Int(2+2*(int64(i)/16), "event", i) == 0 {
			a := line(text)
			a.Place, a.Offset, a.Text = sim.At, d.At("event", i), text
			p.Load = append(p.Load, a)
		}
	}
	for i, text := range []string{"hold A->B row", "release A->B row", "when B writes row, crash C", "every A sends ack 2nd, drop A->C", "hold disk->A", "release disk->A",
		"when C sends ack, pause C", "when B writes copy, pause B", "resume C", "resume B", "before A sends row 2nd, crash A", "when C syncs logged, crash C"} {
		if d.Int(3, "line", i) == 0 {
			a := line(text)
			a.Place, a.Offset, a.Text, a.Maybe = sim.At, time.Duration(10*(i+1))*ms, text, true
			p.Script = append(p.Script, a)
		}
	}
}

// richStill is a random story in still time: all verbs, in any order, whether they make sense or not.
func richStill(seed uint64) *sim.Plan {
	d := &sim.Draws{Seed: seed, Nodes: []string{"A", "B", "C"}}
	p := &sim.Plan{Protocol: richWorld, Variant: richWorld.Variants[0], Nodes: d.Nodes, Later: []string{"D"},
		Network: sim.Network{DiskSlow: d.Int(2, "slow") == 0, Manual: d.Int(4, "manual") == 0, InFlight: sim.InFlight(d.Int(3, "in flight"))},
		Budget:  sim.Budget{Events: 20_000}}
	links := []string{"A->B", "B->A", "*->C", "C->*", "A->*", "*->*", "log->B", "A->log", "clock->C", "clock->A", "disk->A", "B->disk",
		"A->disk", "A->A", "B->B", "client->B", "C->client", "A+B->C"}
	kinds := []string{"", "", "row", "row 2", "ack", "copy", "beat", "retry", "joined", "logged", "row 2nd", "1st", "hello"}
	nodes := []string{"A", "B", "C", "D"}
	for i := range 25 {
		pick := func(what string, of []string) string { return of[d.Int(int64(len(of)), what, i)] }
		at := pick("link", links) + " " + pick("kind", kinds)
		n := pick("node", nodes)
		text := pick("verb", []string{"hold " + at, "hold " + at, "release " + at, "release *->*", "deliver " + at, "deliver all " + at, "deliver upto " + at,
			"drop " + at, "duplicate " + at, "crash " + n, "restart " + n, "pause " + n, "resume " + n, "join D", "leave " + n,
			"partition A | B C", "partition C -> A B", "heal", "clock " + n + " +5ms", "clock " + n + " drift 5000", "disk " + n + " torn", "disk " + n + " failing",
			"disk " + n + " keep 1", "settle", "when " + n + " writes copy, crash " + n, "every " + n + " sends ack, pause " + n, "before " + n + " receives row, crash " + n,
			"when " + n + " sends row, restart " + pick("other", nodes), "when " + n + " syncs logged, hold disk->B", "when " + n + " fires beat, B put 99",
			"wake " + n + " until A last nothing", "wait"})
		for j := range d.Int(3, "requests", i) {
			p.Script = append(p.Script, line(fmt.Sprint("by ", d.Int(3, "client", i, "-", j), " ", d.Node("request", i, "-", j), " put ", d.Int(4, "key", i, "-", j))))
		}
		a := line(text)
		if a.Verb == sim.Duplicate && strings.ContainsAny(strings.Fields(text)[1], "cdl") {
			a.Verb = sim.Wait // only what goes between nodes is copied
		}
		a.Text = text
		p.Script = append(p.Script, a)
	}
	return p
}
