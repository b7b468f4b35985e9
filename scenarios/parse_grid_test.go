package scenarios_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
)

// varied is a grid in which a verb, a node, a part of a link and durations vary.
const varied = `-- scenario --
model m
nodes P Q
time runs
delay $span

-- vary --
verb drop duplicate
to P Q
span 1ms 5ms
skip to=P span=5ms
cases 6

-- script --
at $span $verb *->$to row 2nd # but $to
-- expect --
* side after if to=Q span=1ms
$to side $verb
* holds
`

func TestACaseOfAGridIsAStoryWithTheLinesOfTheFile(t *testing.T) {
	s, err := scenarios.Parse("grid.txt", []byte(varied))
	if err != nil {
		t.Fatal(err)
	}
	where := []scenarios.Cond{{Name: "verb", Value: "drop"}, {Name: "to", Value: "Q"}, {Name: "span", Value: "5ms"}}
	c, err := s.Expand(where)
	if err != nil {
		t.Fatal(err)
	}
	want := "-- scenario --\nmodel  m\nnodes  P Q\ntime   runs\ndelay  5ms\n\n" +
		"-- script --\nat 5ms drop *->Q row 2nd  # but $to\n\n-- expect --\nQ side drop\n*  holds\n"
	if got := string(scenarios.Format(c)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c.Script[0].Line != 15 || c.Expect.Claims[0].Line != 18 || c.Header[3].Line != 5 {
		t.Errorf("got lines %d, %d and %d, want 15, 18 and 5", c.Script[0].Line, c.Expect.Claims[0].Line, c.Header[3].Line)
	}
	for _, bad := range [][]scenarios.Cond{nil, where[:2], {where[1], where[0], where[2]}} {
		if _, err := s.Expand(bad); err == nil {
			t.Errorf("Expand(%v) = nil, want an error", bad)
		}
	}
}

func TestANameStandsForAVariantAnOutcomeAnEndOrAModelsWord(t *testing.T) {
	text := `-- scenario --
model m
nodes P Q
tag $what

-- vary --
variant a b
outcome holds loose
end log client
what x y
cases 16

-- script --
release $end->P $what
-- expect --
P is $what
$variant $outcome
c $outcome
`
	s, err := scenarios.Parse("grid.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again(t, s)
	cases := s.Grid()
	c := cases[len(cases)-1].Scenario
	want := "-- scenario --\nmodel  m\nnodes  P Q\ntag    y\n\n-- script --\nrelease client->P y\n\n" +
		"-- expect --\nP is y\nb  loose\nc  loose\n"
	if got := string(scenarios.Format(c)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAMistakeInOneCaseNamesTheLineAndTheCase(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"a verb that is none", "verb drop", "verb dorp",
			`grid.txt:15: no verb "dorp"; did you mean "drop"? (in case verb=dorp to=P span=1ms)`},
		{"a duration that is none", "5ms", "5mm",
			`grid.txt:5: want a duration such as 5ms or 1ms..10ms, got "5mm" (in case verb=drop to=Q span=5mm)`},
		{"a node that is none", "to P Q", "to P R",
			`grid.txt:17: to has no value "Q"; have P R`},
		{"a name that does not vary", "at $span", "at $spam",
			`grid.txt:15: -- vary -- has no name "spam"; did you mean "span"?`},
		{"a mistake that is in every case", "$to side $verb\n", "R side x\n",
			`grid.txt:18: no node called "R"; have P Q`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenarios.Parse("grid.txt", []byte(strings.ReplaceAll(varied, c.from, c.to)))
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
