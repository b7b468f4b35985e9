package cut_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/sim"
)

func TestRequestsAreParsed(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []string
		want  string // kind and keys of the request, or the error
	}{
		{"a transaction for everybody", []string{"commit", "tx1"}, "commit tx1"},
		{"a transaction for some", []string{"commit", "tx1", "Q", "R"}, "commit tx1"},
		{"a cut by its number", []string{"cut", "12"}, "cut 12"},
		{"a transaction without a name", []string{"commit"}, "want commit TX [NODE...]"},
		{"a cut without a number", []string{"cut"}, "want cut NUMBER"},
		{"a cut that is no number", []string{"cut", "one"}, `want a cut from 1 to 1000, got "one"`},
		{"cut 0, in which everybody begins", []string{"cut", "0"}, `want a cut from 1 to 1000, got "0"`},
		{"a number written otherwise", []string{"cut", "+1"}, `want a cut from 1 to 1000, got "+1"`},
		{"a cut too many", []string{"cut", "1001"}, `want a cut from 1 to 1000, got "1001"`},
		{"a slip of the pen", []string{"comit", "tx1"},
			`unknown request "comit"; did you mean "commit"?`},
		{"no word", nil, "want commit TX [NODE...] or cut NUMBER"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, err := cut.Protocol.ParseOp(c.words)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = sim.Text(op)
			}
			if got != c.want {
				t.Errorf("ParseOp(%q) = %q, want %q", c.words, got, c.want)
			}
		})
	}
}

func TestADrawnLoadIsInOrderAndWithinItsSpan(t *testing.T) {
	for seed := uint64(1); seed <= 200; seed++ {
		d := draws(seed)
		load := cut.Protocol.Draw(d)
		if len(load) != d.Ops {
			t.Fatalf("seed %d: %d requests, want %d", seed, len(load), d.Ops)
		}
		kinds := map[string]int{}
		for i, a := range load {
			kinds[a.Words[0]]++
			switch {
			case i > 0 && a.Offset < load[i-1].Offset:
				t.Fatalf("seed %d: request %d is at %v, before request %d at %v", seed, i, a.Offset,
					i-1, load[i-1].Offset)
			case a.Offset < 0 || a.Offset > d.Span:
				t.Fatalf("seed %d: request %d is at %v, want it within %v", seed, i, a.Offset, d.Span)
			case a.Client < 1 || a.Client > d.Clients:
				t.Fatalf("seed %d: request %d is of client %d of %d", seed, i, a.Client, d.Clients)
			case !slices.Contains(d.Nodes, a.Node):
				t.Fatalf("seed %d: request %d is for %q, not one of %v", seed, i, a.Node, d.Nodes)
			}
		}
		if kinds["commit"] == 0 || kinds["cut"] == 0 {
			t.Fatalf("seed %d: got %v, want transactions and cuts", seed, kinds)
		}
	}
}

func TestADrawnLoadIsAFunctionOfTheSeed(t *testing.T) {
	if a, b := cut.Protocol.Draw(draws(7)), cut.Protocol.Draw(draws(7)); !reflect.DeepEqual(a, b) {
		t.Errorf("two loads of seed 7 differ:\n%v\n%v", a, b)
	}
	if a, b := cut.Protocol.Draw(draws(7)), cut.Protocol.Draw(draws(8)); reflect.DeepEqual(a, b) {
		t.Errorf("the loads of seeds 7 and 8 are the same: %v", a)
	}
}

func draws(seed uint64) *sim.Draws {
	return &sim.Draws{Nodes: []string{"P", "Q", "R"}, Clients: 3, Ops: 30, Span: 50 * time.Millisecond,
		Seed: seed}
}

func TestUnknownRulesAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"signed/chanel=stream", `cut has no rule "chanel"; did you mean "channel"?`},
		{"signed/channel=steam", `rule channel has no value "steam"; did you mean "stream"?`},
		{"singed", `cut has no variant "singed"; did you mean "signed"?`},
	} {
		_, err := cut.Protocol.Variant(c.name)
		if err == nil || err.Error() != c.want {
			t.Errorf("variant %q: got error %v, want %s", c.name, err, c.want)
		}
	}
}
