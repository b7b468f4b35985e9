package sim_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/sim"
)

func TestABoardShowsTheLastValueOrAllInTheOrderOfTheirNames(t *testing.T) {
	b := sim.Board{Run: &sim.Run{Nodes: []string{"A", "B"}}}
	b.Set(0, "value", "1")
	b.Add(1, "reads", ", ", "x")
	b.Set(0, "value", "2")
	b.Add(1, "reads", ", ", "y")
	b.Set(1, "value", "3")
	want := []sim.Observation{{"A", "value", "2"}, {"B", "reads", "x, y"}, {"B", "value", "3"}}
	if !slices.Equal(b.Seen, want) {
		t.Errorf("got %v, want %v", b.Seen, want)
	}
}
