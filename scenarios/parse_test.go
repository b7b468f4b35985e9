package scenarios_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// limbo is a story with something of everything that most stories need, 30 lines long.
const limbo = `# A's pending k dies with A; B resolves without k.
-- scenario --
model     synchro
nodes     A B C
quorum    2
mode      candidate A B
variants  P0/resolve-empty=write P1

-- script --
wake A until A role leader
A put x
check * data x
hold A->* row k
A put k                 # durable on A only, outcome unknown
# The parked rows are lost; the hold stands.
crash A
wake B until B role leader
restart A
check A data x
B resign
wake A until A role leader
for P1: maybe drop A->B row k 2nd
release A->* row k
A put z

-- expect --
P0/resolve-empty=write  breaks C1 R1 ...
A   data x z
B C data x k z
*                       holds
`

func TestParseReadsAStory(t *testing.T) {
	s, err := scenarios.Parse("limbo.txt", []byte(limbo))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"the opening comment", s.Doc, []string{"A's pending k dies with A; B resolves without k."}},
		{"the model", s.Model, "synchro"},
		{"the nodes", s.Nodes, []string{"A", "B", "C"}},
		{"the set-up, with lines", s.Setup, []scenarios.Setup{
			{Words: []string{"quorum", "2"}, Line: 5}, {Words: []string{"mode", "candidate", "A", "B"}, Line: 6}}},
		{"the variants", s.Played, []string{"P0/resolve-empty=write", "P1"}},
		{"the number of steps", len(s.Script), 14},
		{"a hold", s.Script[3].Action, sim.Action{Verb: sim.Hold, Line: 13, Text: "hold A->* row k",
			Pattern: sim.Pattern{From: []string{"A"}, To: []string{"*"}, Kind: "row", Keys: []string{"k"}}}},
		{"a trailing comment", s.Script[4].After, "durable on A only, outcome unknown"},
		{"a comment above", s.Script[5].Above, []string{"The parked rows are lost; the hold stands."}},
		{"a wake", s.Script[6].Action, sim.Action{Verb: sim.Wake, Node: "B", Line: 17, Text: "wake B until B role leader",
			Claim: sim.Claim{Who: []string{"B"}, Words: []string{"role", "leader"}, Line: 17}}},
		{"a line with prefixes", s.Script[11].Action, sim.Action{Verb: sim.Drop, For: []string{"P1"}, Maybe: true, Line: 22,
			Pattern: sim.Pattern{From: []string{"A"}, To: []string{"B"}, Kind: "row", Keys: []string{"k"}, Nth: 2},
			Text:    "for P1: maybe drop A->B row k 2nd"}},
		{"a verdict with claims", s.Expect.Verdicts[0], scenarios.Verdict{
			Variant: "P0/resolve-empty=write", Outcome: scenarios.Breaks, Breaks: []string{"C1", "R1"}, More: true, Line: 27,
			Claims: []scenarios.Claim{
				{Claim: sim.Claim{Who: []string{"A"}, Words: []string{"data", "x", "z"}, Line: 28}},
				{Claim: sim.Claim{Who: []string{"B", "C"}, Words: []string{"data", "x", "k", "z"}, Line: 29}}}}},
		{"the last verdict", s.Expect.Verdicts[1], scenarios.Verdict{Variant: "*", Outcome: scenarios.Holds, Line: 30}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %#v, want %#v", c.what, c.got, c.want)
		}
	}
}

// early is a story in which keys and kinds begin with capitals, as nodes do.
const early = `# Ignite, S-06. N is in the cut when it decides; Q learns of the cut from the finish request itself.
-- scenario --
model     ignite
nodes     N P Q
client    N
key       x on P
key       y on Q        # two primaries, else this is one-phase
variants  draft merged
-- script --
hold Q->N NPR T
hold log->Q start c1
N commit T x y
P cut c1
release Q->N NPR T      # N tags T, its NFQ is signed
check Q entered c1 NFQ
release log->Q start c1 # late and without effect
-- expect --
* side T after
Q wal P S D C F-T
* holds
`

func TestKindsAndKeysMayBeginWithCapitals(t *testing.T) {
	s, err := scenarios.Parse("early.txt", []byte(early))
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Pattern{From: []string{"Q"}, To: []string{"N"}, Kind: "NPR", Keys: []string{"T"}}
	if got := s.Script[0].Pattern; !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", s.Script[0].Text, got, want)
	}
	claims := [][]string{{"side", "T", "after"}, {"wal", "P", "S", "D", "C", "F-T"}}
	for i, c := range s.Expect.Claims {
		if !slices.Equal(c.Words, claims[i]) {
			t.Errorf("line %d: got %q, want %q", c.Line, c.Words, claims[i])
		}
	}
	again(t, s)
}

func TestLineEndsTabsAndTrailingBlanksDoNotMatter(t *testing.T) {
	want, err := scenarios.Parse("limbo.txt", []byte(limbo))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"line ends of Windows":   strings.ReplaceAll(limbo, "\n", "\r\n"),
		"tabs":                   strings.ReplaceAll(limbo, "  ", "\t"),
		"trailing blanks":        strings.ReplaceAll(limbo, "\n", " \t \n"),
		"a byte order mark":      "\uFEFF" + limbo,
		"no newline at the end":  strings.TrimSuffix(limbo, "\n"),
		"blank lines at the end": limbo + "\n\n",
	} {
		got, err := scenarios.Parse("limbo.txt", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s", name, difference2(reflect.ValueOf(*got), reflect.ValueOf(*want), "s"))
		}
	}
}
