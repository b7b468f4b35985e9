package cut_test

import (
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
)

func TestRequestsAreParsed(t *testing.T) {
	scenarios.Requests(t, cut.Protocol, [][3]string{
		{"a transaction for everybody", "commit tx1", "commit tx1"},
		{"a transaction for some", "commit tx1 Q R", "commit tx1"},
		{"a cut by its number", "cut 12", "cut 12"},
		{"a transaction without a name", "commit", "want commit TX [NODE...]"},
		{"a transaction for one, twice", "commit tx1 Q R Q", "want each receiver once, got Q twice"},
		{"a cut of one node", "cut 1 Q", "want cut NUMBER"},
		{"a cut without a number", "cut", "want cut NUMBER"},
		{"a cut that is no number", "cut one", `want a cut from 1 to 1000, got "one"`},
		{"cut 0, in which everybody begins", "cut 0", `want a cut from 1 to 1000, got "0"`},
		{"a number written otherwise", "cut +1", `want a cut from 1 to 1000, got "+1"`},
		{"a cut too many", "cut 1001", `want a cut from 1 to 1000, got "1001"`},
		{"a slip of the pen", "comit tx1",
			`unknown request "comit"; did you mean "commit"?`},
		{"no word", "", "want commit TX [NODE...] or cut NUMBER"},
	})
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
