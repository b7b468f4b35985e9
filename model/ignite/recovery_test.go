package ignite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// clusters are set-ups for transactions whose nodes die: who is asked, and what it is asked for.
var clusters = []struct {
	name  string
	setup []string
	keys  []string
}{
	{"three primaries", []string{"client N", "key x on P", "key y on Q", "key z on R"}, []string{"x", "y", "z"}},
	{"two primaries with a backup each", []string{"client N", "key x on P B", "key y on Q C"}, []string{"x", "y"}},
	{"each the other's backup", []string{"client N", "key x on P Q", "key y on Q P"}, []string{"x", "y"}},
	{"one primary with two backups", []string{"client N", "key x on P B C"}, []string{"x"}},
	{"two primaries with one backup", []string{"client N", "key x on P B", "key y on Q B"}, []string{"x", "y"}},
	{"one phase", []string{"client N", "key x on P B"}, []string{"x"}},
	{"one phase without a backup", []string{"client N", "key x on P"}, []string{"x"}},
	{"four backups", []string{"client N", "key x on P B C", "key y on Q C B"}, []string{"x", "y"}},
	{"near is a backup", []string{"key x on P N", "key y on Q N"}, []string{"x", "y"}},
	{"near is a primary", []string{"key x on N B", "key y on Q N"}, []string{"x", "y"}},
	{"near is the only primary", []string{"key x on N B C"}, []string{"x"}},
	{"near is the backup of one phase", []string{"key x on P N"}, []string{"x"}},
}

var nodes = []string{"N", "P", "Q", "R", "B", "C"}

// dying is a plan in which a few transactions run and some of their nodes die for good, while what
// discovery tells is slow. All of it is a function of the seed.
func dying(t testing.TB, variant string, seed uint64) *sim.Plan {
	t.Helper()
	v, err := ignite.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	d := &sim.Draws{Nodes: nodes, Seed: seed, Span: 60 * time.Millisecond}
	c := clusters[d.Int(int64(len(clusters)), "cluster")]
	p := &sim.Plan{Protocol: ignite.Protocol, Variant: v, Nodes: nodes, Timed: true, Seed: seed}
	for _, line := range c.setup {
		s, err := ignite.Protocol.ParseSetup(strings.Fields(line), nodes)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		p.Setup = append(p.Setup, s)
	}
	delay := func(from, to string, most int64) {
		p.Network.Links = append(p.Network.Links, sim.Link{From: from, To: to,
			Delay: sim.Dist{Shape: sim.Uniform, High: time.Duration(most) * time.Millisecond}})
	}
	delay("*", "*", 1+d.Int(20, "net"))
	delay("log", "*", 1+d.Int(40, "log"))
	for _, n := range nodes {
		delay(n, n, 1)
	}
	for i := range 1 + d.Int(2, "transactions") {
		words := []string{"commit", fmt.Sprintf("T%d", i)}
		for k, key := range c.keys {
			if k == 0 && d.Int(4, "reads", i) == 0 && len(c.keys) > 1 {
				continue
			}
			words = append(words, key)
		}
		if len(words) == len(c.keys)+1 {
			words = append(words, "reads", c.keys[0])
		}
		words = append(words, []string{"pessimistic", "optimistic", "serializable"}[d.Int(3, "mode", i)],
			[]string{"full-sync", "full-sync", "primary-sync", "full-async"}[d.Int(4, "sync", i)])
		p.Load = append(p.Load, sim.Action{Verb: sim.Request, Node: "N", Words: words, Place: sim.At})
	}
	for i := range 1 + d.Int(3, "crashes") {
		who := nodes[d.Int(int64(len(nodes)), "who", i)]
		if d.Int(3, "near", i) == 0 {
			who = "N"
		}
		p.Script = append(p.Script, sim.Action{Verb: sim.Crash, Node: who, Forever: true, Maybe: true,
			Place: sim.After, Offset: d.At("crash", i) / 2})
	}
	return p
}

// broken are the properties that a run breaks, of those in which recovery has a part.
func broken(t testing.TB, w *sim.World, p *sim.Plan) []string {
	t.Helper()
	run, err := w.Execute(p, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range checker.Judge(run, p.Protocol.Properties).Findings {
		if f.Violation != nil && slices.Contains(promised, f.Property.Name) {
			list = append(list, f.Property.Name)
		}
	}
	return list
}

// promised is what recovery has a part in.
var promised = []string{"transitions", "finalization", "one-phase", "yes-vote", "unanimity",
	"commit-order", "atomicity", "outcome", "synchrony", "replicas", "completion", "no-vote", "panic"}

func TestInAStormOfCrashesFixedKeepsItsPromises(t *testing.T) {
	w := new(sim.World)
	for seed := uint64(1); seed <= 2000; seed++ {
		if list := broken(t, w, dying(t, "fixed", seed)); len(list) > 0 {
			t.Errorf("seed %d: fixed breaks %v, want nothing", seed, list)
		}
	}
}

func TestInAStormOfCrashesWrongRecoveriesAreCaught(t *testing.T) {
	for _, c := range []struct{ variant, breaks string }{
		{"merged", "no-vote"},
		{"merged", "atomicity"},
		{"forgets-no", "no-vote"},
		{"falls-through", "atomicity"},
		{"vanished-yes", "atomicity"},
		{"vanished-no", "atomicity"},
		{"assumes-rollback", "outcome"},
		{"assumes-commit", "outcome"},
		{"deaf-to-left", "completion"},
		{"answer-says-no", "atomicity"},
		{"pins-once", "completion"},
		{"yes-loose", "yes-vote"},
	} {
		t.Run(c.variant+" "+c.breaks, func(t *testing.T) {
			w := new(sim.World)
			for seed := uint64(1); seed <= 6000; seed++ {
				if slices.Contains(broken(t, w, dying(t, c.variant, seed)), c.breaks) {
					return
				}
			}
			t.Errorf("%s keeps %s for 6000 seeds, want it broken", c.variant, c.breaks)
		})
	}
}
