package scenarios_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
)

// grid is a story that varies who puts what; where Q puts, the hold catches nothing.
const grid = `-- scenario --
model  relay
nodes  P Q

-- vary --
WHO  P Q
WHAT a x
skip WHO=Q WHAT=x
cases 3 void 1

-- script --
hold P->Q item $WHAT
$WHO put $WHAT
release P->Q item $WHAT

-- expect --
P items a if WHAT=a
plain holds
`

func names(cases []scenarios.Case) string {
	var all []string
	for _, c := range cases {
		all = append(all, c.Name)
	}
	return strings.Join(all, ", ")
}

func TestAGridIsTheCrossProductWithoutWhatIsSkipped(t *testing.T) {
	s := parse(t, grid)
	if got, want := names(s.Grid()), "WHO=P WHAT=a, WHO=P WHAT=x, WHO=Q WHAT=a"; got != want {
		t.Errorf("got cases %s, want %s", got, want)
	}
	if err := s.Check(relaying); err != nil {
		t.Error(err)
	}
}

func TestTheCasesOfAGridMustBeExact(t *testing.T) {
	for _, c := range []struct{ name, cases, want string }{
		{"exact", "cases 3 void 1", ""},
		{"too few are void", "cases 3 void 0", "relay.txt:9: want cases 3 void 0, got cases 3 void 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, strings.Replace(grid, "cases 3 void 1", c.cases, 1), scenarios.PlayOptions{})
			got := strings.Join(r.Failures(), "\n")
			first, _, _ := strings.Cut(got, "\n")
			if first != c.want || r.Cases != 3 || r.Void != 1 {
				t.Errorf("got %d cases, %d void and %q, want 3, 1 and %q", r.Cases, r.Void, first, c.want)
			}
		})
	}
}

func TestOneCaseOfAGridIsAStoryOfItsOwn(t *testing.T) {
	r := play(t, grid, scenarios.PlayOptions{Case: "WHO=P WHAT=x"})
	if len(r.Played) != 1 || r.Exit() != 0 {
		t.Fatalf("got %d played and %v, want one and no failures", len(r.Played), r.Failures())
	}
	text := string(scenarios.Format(r.Played[0].Scenario))
	if strings.Contains(text, "$") || strings.Contains(text, "vary") || !strings.Contains(text, "P put x") {
		t.Errorf("got\n%s\nwant a story without names", text)
	}
	if again := play(t, text, scenarios.PlayOptions{}); again.Played[0].Run.Hash != r.Played[0].Run.Hash {
		t.Errorf("the printed case gives another run: %x, want %x", again.Played[0].Run.Hash, r.Played[0].Run.Hash)
	}
}

func TestAProblemInACaseNamesTheLineOfTheGrid(t *testing.T) {
	text := strings.Replace(grid, "P items a if WHAT=a", "P items b if WHAT=x", 1)
	r := play(t, text, scenarios.PlayOptions{})
	want := "relay.txt:17: plain, WHO=P WHAT=x: want \"P items b\", saw \"P items x\"\n" +
		"\tdownset run --variant plain --case \"WHO=P WHAT=x\" relay.txt"
	if got := strings.Join(r.Failures(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnUnknownCaseIsAnError(t *testing.T) {
	_, err := scenarios.Play(parse(t, grid), relaying, scenarios.PlayOptions{Case: "WHO=P WHAT=b"})
	want := `relay.txt: no case "WHO=P WHAT=b"; did you mean "WHO=P WHAT=a"?`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
