package clocks_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// answersOnly is the property alone.
func answersOnly() []sim.Property {
	return slices.DeleteFunc(slices.Clone(clocks.Protocol.Properties), func(p sim.Property) bool {
		return p.Name != "answers"
	})
}

func TestAnAnswerThatIsNotSoIsSeen(t *testing.T) {
	run := played(t, "dotted", "", "A put x 1\nB put x 2\nB get x at A\nA grow n 3\n"+
		"B value g-counter n at A\nB emit p a\nA tick\nB say A w")
	if got := checker.Judge(run, answersOnly()); len(got.Broken()) > 0 {
		t.Fatalf("the run as it is: got %v broken, want nothing", got.Broken())
	}
	lies := clocks.Lies()
	if len(lies) == 0 {
		t.Fatal("no lies")
	}
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			told := clocks.Retold(run, lie)
			if told == nil {
				t.Fatal("the run has no answer to change")
			}
			if got := checker.Judge(told, answersOnly()).Broken(); !slices.Equal(got,
				[]string{"answers"}) {
				t.Errorf("got %v broken, want answers", got)
			}
		})
	}
}
