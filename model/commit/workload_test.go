package commit_test

import (
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestRequestsAreParsed(t *testing.T) {
	scenarios.Requests(t, commit.Protocol, [][3]string{
		{"a transaction of two", "commit tx1 P Q", "commit tx1 P Q"},
		{"a refusal", "refuse tx1", "refuse tx1"},
		{"a transaction of nobody", "commit tx1",
			"want commit TX NODE..., with the participants"},
		{"a transaction without a name", "commit",
			"want commit TX NODE..., with the participants"},
		{"a participant twice", "commit tx1 P Q P",
			"want each participant once, got P twice"},
		{"a refusal of nothing", "refuse", "want refuse TX"},
		{"a refusal of two", "refuse tx1 tx2", "want refuse TX"},
		{"a slip of the pen", "comit tx1 P",
			`unknown request "comit"; did you mean "commit"?`},
		{"no word", "", "want commit TX NODE... or refuse TX"},
	})
}

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, commit.Protocol) }

func TestADrawnTransactionHasANameOfItsOwnAndIsRefusedByAParticipantBeforeIt(t *testing.T) {
	refusals := 0
	for seed := uint64(1); seed <= 200; seed++ {
		d := &sim.Draws{Nodes: []string{"P", "Q", "R"}, Clients: 3, Ops: 30,
			Span: 50 * time.Millisecond, Seed: seed}
		load := commit.Protocol.Draw(d)
		of := map[string]sim.Action{}
		for _, a := range load {
			if a.Words[0] != "commit" {
				continue
			}
			if _, twice := of[a.Words[1]]; twice {
				t.Fatalf("seed %d: %s is drawn twice", seed, a.Words[1])
			}
			if slices.Contains(a.Words[2:], a.Node) {
				t.Fatalf("seed %d: %s is to take part in what it coordinates: %v", seed, a.Node, a.Words)
			}
			of[a.Words[1]] = a
		}
		for _, a := range load {
			if a.Words[0] != "refuse" {
				continue
			}
			refusals++
			if tx := of[a.Words[1]]; !slices.Contains(tx.Words, a.Node) || a.Offset > tx.Offset {
				t.Fatalf("seed %d: %s refuses at %v what is %v at %v", seed, a.Node, a.Offset, tx.Words,
					tx.Offset)
			}
		}
	}
	if refusals < 200 {
		t.Errorf("%d refusals under 200 seeds, want one a seed at least", refusals)
	}
}
