package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// mime is a machine that does what messages say and notes nothing of it, so that what it has been
// told shows only in what a fingerprint has to look at.
type mime struct{ known int }

func (m *mime) Start(env *sim.Env) {
	if n := env.Disk.Last(); n > 0 {
		env.Note(body(fmt.Sprint("disk ", n, sim.Text(env.Disk.At(n)))))
	}
}
func (m *mime) Receive(env *sim.Env, _ sim.NodeID, b sim.Message) {
	switch b.Kind() {
	case "set":
		env.After(5*ms, body("t"))
	case "unset":
		env.Cancel(body("t"))
	case "put":
		env.Disk.Append(b)
	case "sync":
		env.Disk.Sync()
	case "know":
		m.known++
	case "forget":
		m.known = 0
	case "double":
		m.known *= 2
	case "tell":
		env.Note(body(fmt.Sprint("known ", m.known)))
	}
}
func (m *mime) Timeout(env *sim.Env, _ sim.Timer) { env.Note(body("fired")) }
func (m *mime) Notice(*sim.Env, sim.Notice)       {}
func (m *mime) Invoke(env *sim.Env, c sim.Call) {
	for text := range strings.SplitSeq(c.Op.(order).do, ";") {
		env.Send(1, body(text))
	}
	env.Return(c.ID, body("ok"))
}

var mimes = &sim.Protocol{Name: "mimes", ParseOp: parseOrder, Variants: []sim.Variant{{Name: "plain",
	New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &mime{} }}}}

// comeTo is how the runs of all paths end. States that sum takes for one are gone on from once; nil
// takes none for another.
func comeTo(t *testing.T, p *sim.Plan, opt sim.WalkOptions, sum func(*sim.World) uint64) map[string]bool {
	t.Helper()
	w, found, seen := new(sim.World), map[string]bool{}, map[uint64]bool{}
	opt.Trace = true
	root, err := w.Walk(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	var visit func(s *sim.State)
	visit = func(s *sim.State) {
		w.Load(s)
		if sum != nil {
			h := sum(w)
			if seen[h] {
				return
			}
			seen[h] = true
		}
		moves := w.Moves(nil)
		if s.Quiet {
			found[left(w.End(s), opt.Deep)] = true
		}
		for i := len(moves) - 1; i >= 0; i-- { // faults first
			w.Load(s)
			if _, ok := w.Move(moves[i]); ok {
				visit(w.Save(nil))
			}
		}
	}
	visit(root)
	return found
}

// left is what a run left of itself: facts and disks, with deep also the order of deliveries.
func left(run *sim.Run, deep bool) (text string) {
	for id, d := range run.Disks {
		text += run.Nodes[id] + ": " + diskText(d)
		for _, e := range run.Trace {
			if int(e.Node) == id && (e.Kind == sim.EntryNoted || deep && e.Kind == sim.EntryDelivered) {
				text += ", " + sim.Text(e.Body)
			}
		}
		text += "\n"
	}
	return text
}

func TestAFingerprintThatIsBlindToAPartMissesEnds(t *testing.T) {
	for _, c := range []struct {
		part   string
		script []string
		opt    sim.WalkOptions
	}{
		{"what is in flight", []string{"A put : put 1;nothing"}, sim.WalkOptions{}},
		{"timers", []string{"A put : set;unset"}, sim.WalkOptions{}},
		{"what is durable", []string{"A put : put 1;sync"}, sim.WalkOptions{Crashes: 1}},
		{"machines", []string{"A put : know;double;tell"}, sim.WalkOptions{}},
		{"records", []string{"A put : put 1;put 2"}, sim.WalkOptions{}},
		{"the past", []string{"A put : one;two"}, sim.WalkOptions{Deep: true}},
		{"the past", []string{"A put : know;tell;forget"}, sim.WalkOptions{}},
		{"bounds", []string{"A put : put 1;sync"}, sim.WalkOptions{Crashes: 1}},
		{"partitions", []string{"by 1 A put : put 1", "by 1 A put : put 2"}, sim.WalkOptions{Partitions: 1}},
		{"the script", []string{"A put : put 1", "crash B", "restart B"}, sim.WalkOptions{}},
	} {
		t.Run(c.part+" of "+strings.Join(c.script, ", "), func(t *testing.T) {
			p := world("A B C", c.script...)
			p.Protocol, p.Variant = mimes, mimes.Variants[0]
			all := comeTo(t, p, c.opt, nil)
			if got := comeTo(t, p, c.opt, (*sim.World).Sum); len(got) != len(all) {
				t.Errorf("%d ends are found, want %d: %v", len(got), len(all), all)
			}
			whole := func(w *sim.World) uint64 { w.Sum(); return w.Without("nothing") }
			if got := comeTo(t, p, c.opt, whole); len(got) != len(all) {
				t.Errorf("blind to nothing, %d ends are found, want %d", len(got), len(all))
			}
			blind := func(w *sim.World) uint64 { w.Sum(); return w.Without(c.part) }
			if got := comeTo(t, p, c.opt, blind); len(got) >= len(all) {
				t.Errorf("blind to %s all %d ends are found: %v", c.part, len(got), got)
			}
		})
	}
}
