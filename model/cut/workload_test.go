package cut_test

import (
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
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

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, cut.Protocol) }

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
