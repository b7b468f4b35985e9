package sim_test

import (
	"fmt"
	"testing"

	"github.com/downset/downset/sim"
)

// auditor reads a trace and refuses what no faithful engine would have written.
type auditor struct {
	t     *testing.T
	run   *sim.Run
	i     int
	down  []int // by node: entry of its last crash or leaving, -1
	inc   []int64
	up    []bool
	cut   map[[2]sim.NodeID]bool
	fates map[int32]int // of what was sent
	calls map[int64]sim.EntryKind
	came  map[int64]bool
	disks []shelf
	ends  map[[2]sim.NodeID]*reader
	log   int64
	stats map[string]int
}

// shelf is a disk as the trace tells of it.
type shelf struct{ last, durable int64 }

// reader is what the receiving end of a stream knows.
type reader struct {
	epoch int64
	open  bool
	known bool // something came, or was told
	last  int32
}

func (a *auditor) refuse(format string, args ...any) {
	a.t.Helper()
	lo, hi := max(0, a.i-40), min(len(a.run.Trace), a.i+5)
	text := ""
	for j := lo; j < hi; j++ {
		e := a.run.Trace[j]
		text += fmt.Sprintf("%d %v %s cause %d n %d\n", j, e.At, sentence(a.run, e), e.Cause, e.N)
	}
	a.t.Fatalf("seed %d entry %d: %s\n%s", a.run.Plan.Seed, a.i, fmt.Sprintf(format, args...), text)
}

func audit(t *testing.T, run *sim.Run, stats map[string]int) {
	t.Helper()
	n := len(run.Nodes)
	a := &auditor{t: t, run: run, down: make([]int, n), inc: make([]int64, n), up: make([]bool, n), cut: map[[2]sim.NodeID]bool{},
		fates: map[int32]int{}, calls: map[int64]sim.EntryKind{}, came: map[int64]bool{}, disks: make([]shelf, n),
		ends: map[[2]sim.NodeID]*reader{}, stats: stats}
	for i := range a.down {
		a.down[i] = -1
	}
	for i := range run.Trace {
		a.i = i
		e := &run.Trace[i]
		if e.At < run.Trace[max(0, i-1)].At || int(e.Cause) >= i {
			a.refuse("it comes before its time or its cause")
		}
		if int(e.Node) < n && e.Kind.Local() && !a.up[e.Node] && e.Kind != sim.EntryStarted {
			a.refuse("%s is down", run.Name(e.Node))
		}
		a.entry(e)
	}
	a.end()
}

func (a *auditor) entry(e *sim.Entry) {
	switch e.Kind {
	case sim.EntryStarted:
		if e.N <= a.inc[e.Node] || a.up[e.Node] {
			a.refuse("incarnation %d after %d", e.N, a.inc[e.Node])
		}
		a.inc[e.Node], a.up[e.Node] = e.N, true
	case sim.EntryCrashed, sim.EntryLeft:
		if e.Kind == sim.EntryCrashed && !a.up[e.Node] {
			a.refuse("it is down already")
		}
		a.up[e.Node], a.down[e.Node] = false, a.i
		a.stats["down"]++
		for from := range a.run.Nodes { // its streams broke, and it is told nothing
			r := a.reader(sim.NodeID(from), e.Node)
			r.open = r.open && !r.known
		}
	case sim.EntryParted:
		a.cut[[2]sim.NodeID{e.Node, e.Peer}] = true
	case sim.EntryHealed:
		clear(a.cut)
	case sim.EntryDelivered, sim.EntryLost, sim.EntryCopied, sim.EntryWorked, sim.EntryFired, sim.EntryTold, sim.EntrySent, sim.EntryQueued:
		a.travel(e)
	case sim.EntryInvoked, sim.EntryArrived, sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate:
		a.call(e)
	case sim.EntryNoted:
		if e.Body.Kind() == "stream" {
			a.stream(e)
		}
	case sim.EntrySequenced:
		if a.log++; e.N != a.log {
			a.refuse("position %d, want %d", e.N, a.log)
		}
	}
	a.disk(e)
}

// travel is about what goes from one entry to another.
func (a *auditor) travel(e *sim.Entry) {
	if e.Kind == sim.EntrySent || e.Kind == sim.EntryQueued {
		a.fates[int32(a.i)] = 0
		return
	}
	c := &a.run.Trace[e.Cause]
	if e.Kind != sim.EntryLost && e.Kind != sim.EntryCopied && a.down[e.Node] > int(e.Cause) {
		a.refuse("it is meant for an incarnation that is gone: caused before entry %d", a.down[e.Node])
	}
	switch e.Kind {
	case sim.EntryCopied:
		a.fates[int32(a.i)] = 0
		a.stats["copied"]++
		return
	case sim.EntryFired, sim.EntryTold:
		return
	case sim.EntryWorked:
		if c.Kind != sim.EntryQueued || c.Body != e.Body {
			a.refuse("own work that was not queued")
		}
	case sim.EntryDelivered:
		if c.Kind != sim.EntrySent && c.Kind != sim.EntryCopied || c.Body != e.Body || c.Node != e.Peer || c.Peer != e.Node || c.N != e.N {
			a.refuse("it was not sent: %s", sentence(a.run, *c))
		}
		a.delivered(e, c)
	case sim.EntryLost:
		if c.Kind == sim.EntryInvoked || c.Kind == sim.EntrySent && e.Node == sim.ClientEnd {
			return
		}
		a.stats[sim.Loss(e.N).String()]++
		if a.i > a.run.Epilogue && (sim.Loss(e.N) == sim.LostByChance || sim.Loss(e.N) == sim.LostParted) {
			a.refuse("lost in the epilogue")
		}
	}
	a.fates[e.Cause]++
	if a.fates[e.Cause] != 1 {
		a.refuse("the second fate of entry %d", e.Cause)
	}
}

func (a *auditor) delivered(e, c *sim.Entry) {
	if e.N == 0 {
		a.stats["datagrams"]++
		for c.Kind == sim.EntryCopied {
			c = &a.run.Trace[c.Cause]
		}
		return
	}
	a.stats["on streams"]++
	r := a.reader(e.Peer, e.Node)
	switch {
	case !r.open || r.epoch != e.N:
		a.refuse("of epoch %d, but the receiver knows epoch %d, open %v", e.N, r.epoch, r.open)
	case e.Cause < r.last:
		a.refuse("it overtook entry %d on its stream", r.last)
	}
	r.last, r.known = e.Cause, true
}

// reader is the receiving end of a stream. In the beginning it is open, but as long as nothing came
// and nothing was told, it may also be that it does not exist yet, or was made while an end was down.
func (a *auditor) reader(from, to sim.NodeID) *reader {
	pair := [2]sim.NodeID{from, to}
	if a.ends[pair] == nil {
		a.ends[pair] = &reader{epoch: 1, open: true, last: -1}
	}
	return a.ends[pair]
}

// stream is a machine's fact about a stream: from, to, whether it opened, its epoch.
func (a *auditor) stream(e *sim.Entry) {
	var from, to sim.NodeID
	var opened bool
	var epoch int64
	if n, err := fmt.Sscan(e.Body.(thing).keys, &from, &to, &opened, &epoch); n != 4 {
		a.t.Fatal(err)
	}
	if to != e.Node {
		return // the sender's end
	}
	r := a.reader(from, to)
	if !r.known && opened {
		r.open, r.epoch = false, 0
	}
	switch {
	case opened && (r.open || epoch <= r.epoch):
		a.refuse("epoch %d opened when epoch %d was known, open %v", epoch, r.epoch, r.open)
	case !opened && (!r.open || epoch != r.epoch):
		a.refuse("epoch %d broke when epoch %d was known, open %v", epoch, r.epoch, r.open)
	}
	r.open, r.epoch, r.known = opened, epoch, true
	if opened {
		a.stats["opened"]++
	} else {
		a.stats["broken"]++
	}
}

// call is about a client's operation.
func (a *auditor) call(e *sim.Entry) {
	was := a.calls[e.N]
	switch e.Kind {
	case sim.EntryInvoked:
		a.calls[e.N] = e.Kind
	case sim.EntryArrived:
		if a.came[e.N] || a.run.Trace[e.Cause].Kind != sim.EntryInvoked || a.down[e.Node] > int(e.Cause) {
			a.refuse("it had arrived before, or was for another incarnation")
		}
		a.came[e.N] = true
	case sim.EntryLate:
		if was == sim.EntryInvoked || was == 0 {
			a.refuse("call %d is open", e.N)
		}
	default:
		if was != sim.EntryInvoked {
			a.refuse("call %d had ended by %v", e.N, was)
		}
		a.calls[e.N] = e.Kind
		a.stats[e.Kind.String()]++
	}
}

// disk keeps the books of a disk.
func (a *auditor) disk(e *sim.Entry) {
	if int(e.Node) >= len(a.disks) {
		return
	}
	d := &a.disks[e.Node]
	switch e.Kind {
	case sim.EntryAppended:
		if d.last++; e.N != d.last {
			a.refuse("LSN %d, want %d", e.N, d.last)
		}
	case sim.EntrySynced:
		if e.N > d.last {
			a.refuse("synced %d of %d", e.N, d.last)
		}
		d.durable = max(d.durable, e.N)
	case sim.EntryDisk:
		if sim.DiskFault(e.N) == sim.DiskLost {
			*d = shelf{}
		}
	case sim.EntryCrashed:
		left := d.last - e.N
		if left < d.durable {
			a.refuse("%d records lost of %d, of which %d were durable", e.N, d.last, d.durable)
		}
		if kept := left - d.durable; kept > 0 {
			a.stats["kept"]++
		}
		d.last, d.durable = left, left
	}
}

// end is about what must have happened by the end of a settled run.
func (a *auditor) end() {
	if !a.run.Settled() {
		a.t.Fatalf("seed %d: %s", a.run.Plan.Seed, a.run.Why)
	}
	for at, n := range a.fates {
		e := a.run.Trace[at]
		if last := lastOf(a.run); n == 0 && last.Sub(e.At) > 20*ms && e.Peer != sim.ClientEnd { // idle talk may be under way
			a.i = int(at)
			a.refuse("%d fates, want 1", n)
		}
	}
	for id, d := range a.disks {
		if got := a.run.Disks[id]; int64(got.Last()) != d.last || int64(got.Durable()) < min(d.durable, int64(got.First())-1) {
			a.refuse("%s holds records to %d, durable to %d; by the trace %d and %d", a.run.Nodes[id], got.Last(), got.Durable(), d.last, d.durable)
		}
	}
}

func TestNoTraceTellsOfTheImpossible(t *testing.T) {
	stats := map[string]int{}
	runs := 0
	for seed := uint64(1); seed <= uint64(runsOf(1000)); seed++ {
		audit(t, executed(t, rich(5000+seed), sim.Options{}), stats)
		runs++
	}
	t.Log(runs, "runs:", stats)
	for _, what := range []string{"datagrams", "on streams", "lost", "copied", "partitioned", "receiver down", "stream broken", "replaced", "receiver not a member",
		"crashed", "kept", "down", "broken", "opened", "returns", "refuses", "unknown"} {
		if stats[what] < runs/50 {
			t.Errorf("%q happened %d times in %d runs, want at least %d", what, stats[what], runs, runs/50)
		}
	}
}

func TestNoTraceOfAStoryTellsOfTheImpossible(t *testing.T) {
	stats := map[string]int{}
	runs, notes := 0, 0
	w := new(sim.World)
	for seed := uint64(1); seed <= uint64(runsOf(1000)); seed++ {
		p := richStill(seed)
		run := executed(t, p, sim.Options{Digest: true})
		audit(t, run, stats)
		runs++
		notes += len(run.Stale)
		if again, err := w.Execute(p, sim.Options{Digest: true}); err != nil || again.Hash != run.Hash || again.Digest != run.Digest {
			t.Fatalf("seed %d: twice the same, but %x and %x: %v", seed, run.Hash, again.Hash, err)
		}
	}
	t.Log(runs, "runs,", notes, "lines came to nothing:", stats)
	for _, what := range []string{"datagrams", "on streams", "partitioned", "receiver down", "dropped", "replaced", "down", "broken", "opened", "returns", "refuses", "unknown"} {
		if stats[what] < runs/50 {
			t.Errorf("%q happened %d times in %d runs, want at least %d", what, stats[what], runs, runs/50)
		}
	}
}
