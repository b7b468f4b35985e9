package ignite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, ignite.Protocol) }

// cluster is a drawn set-up as lines, and the draws that it was drawn from.
func cluster(nodes, later int, seed uint64) ([]string, *sim.Draws) {
	d := &sim.Draws{Clients: 2, Ops: 20, Span: 40 * time.Millisecond, Seed: seed}
	for i := range nodes {
		d.Nodes = append(d.Nodes, string(rune('P'+i)))
	}
	for i := range later {
		d.Later = append(d.Later, string(rune('P'+nodes+i)))
	}
	d.Setup = ignite.Protocol.Cluster(d)
	var lines []string
	for _, value := range d.Setup {
		lines = append(lines, fmt.Sprint(value))
	}
	return lines, d
}

// named are the nodes that a line speaks of.
func named(line string, d *sim.Draws) []string {
	return slices.DeleteFunc(strings.Fields(line), func(w string) bool {
		return !slices.Contains(slices.Concat(d.Nodes, d.Later), w)
	})
}

func TestADrawnClusterHasDataOnServersOfTheBaseline(t *testing.T) {
	met := map[string]bool{}
	for seed := uint64(1); seed <= 300; seed++ {
		nodes, later := 2+int(seed%4), int(seed%3/2)
		lines, d := cluster(nodes, later, seed)
		var keys int
		others := map[string]bool{}
		for _, line := range lines {
			word, _, _ := strings.Cut(line, " ")
			met[word] = true
			for _, w := range []string{"in", "holds", "cached"} {
				met[w] = met[w] || slices.Contains(strings.Fields(line), w)
			}
			for _, n := range named(line, d) {
				if word != "key" {
					others[n] = true
				} else if others[n] || slices.Contains(d.Later, n) {
					t.Errorf("seed %d: %q: %s is no baseline server from the start; all: %q", seed, line, n,
						lines)
				}
			}
			if word == "key" {
				keys++
				met[fmt.Sprint(len(named(line, d)), " owners")] = true
			}
		}
		if keys < 2 || keys > 4 {
			t.Errorf("seed %d: %d partitions, want 2 to 4: %q", seed, keys, lines)
		}
		again, _ := cluster(nodes, later, seed)
		if !slices.Equal(lines, again) {
			t.Errorf("seed %d: set-ups %q and %q, want the same", seed, lines, again)
		}
	}
	for _, w := range []string{"client", "outsider", "key", "in", "holds", "cached", "1 owners",
		"2 owners", "3 owners"} {
		if !met[w] {
			t.Errorf("no %q was drawn in 300 clusters", w)
		}
	}
}

func TestASetupPrintsAsTheLineItWasReadFrom(t *testing.T) {
	for seed := uint64(1); seed <= 50; seed++ {
		lines, d := cluster(4, 1, seed)
		for i, line := range lines {
			got, err := ignite.Protocol.ParseSetup(strings.Fields(line), slices.Concat(d.Nodes, d.Later))
			if err != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", d.Setup[i]) {
				t.Errorf("seed %d: %q reads as %#v, %v, want %#v", seed, line, got, err, d.Setup[i])
			}
		}
	}
}

func TestTransfersLeaveTheSumOfAccountsAsItIs(t *testing.T) {
	transfers := 0
	for seed := uint64(1); seed <= 100; seed++ {
		lines, d := cluster(3, 0, seed)
		held := map[string]bool{}
		for _, line := range lines {
			words := strings.Fields(line)
			if on := slices.Index(words, "on"); slices.Contains(words, "holds") {
				for _, k := range words[1:on] {
					held[k] = true
				}
			}
		}
		for _, a := range ignite.Protocol.Draw(d) {
			sum, all := int64(0), strings.Join(a.Words, " ")
			reading := false
			for _, w := range a.Words {
				var n int64
				reading = reading || w == "reads" || w == "read"
				switch at := strings.IndexAny(w, "+-"); {
				case at == 1:
					if _, err := fmt.Sscan(w[at:], &n); err != nil || !held[w[:1]] {
						t.Errorf("seed %d: %q adds to what is no account (%v)", seed, all, err)
					}
					sum += n
					transfers++
				case len(w) == 1 && held[w] && !reading, strings.Contains(w, "=") && held[w[:1]]:
					t.Errorf("seed %d: %q sets an account", seed, all)
				}
			}
			if sum != 0 {
				t.Errorf("seed %d: %q changes the sum by %d", seed, all, sum)
			}
		}
	}
	if transfers < 100 {
		t.Errorf("%d transfers were drawn under 100 seeds, want at least 100", transfers)
	}
}

func TestNodesJoinAndAreAskedAfterwards(t *testing.T) {
	asked := 0
	for seed := uint64(1); seed <= 100; seed++ {
		_, d := cluster(3, 1, seed)
		joined := time.Duration(-1)
		for _, a := range ignite.Protocol.Draw(d) {
			switch {
			case a.Verb == sim.Join:
				joined = a.Offset
			case a.Node == d.Later[0]:
				asked++
				if joined < 0 || a.Offset < joined {
					t.Errorf("seed %d: %q is asked of %s at %v, which joins at %v", seed, a.Words, a.Node,
						a.Offset, joined)
				}
			}
		}
		if joined < 0 {
			t.Errorf("seed %d: %s does not join", seed, d.Later[0])
		}
	}
	if asked < 100 {
		t.Errorf("%d requests to nodes that have joined under 100 seeds, want at least 100", asked)
	}
}

func TestUnknownRulesAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"merged/entri=split", `ignite has no rule "entri"; did you mean "entry"?`},
		{"merged/entry=splat", `rule entry has no value "splat"; did you mean "split"?`},
		{"murged", `ignite has no variant "murged"; did you mean "merged"?`},
	} {
		_, err := ignite.Protocol.Variant(c.name)
		if err == nil || err.Error() != c.want {
			t.Errorf("variant %q: got error %v, want %s", c.name, err, c.want)
		}
	}
}
