package register_test

import (
	"testing"
	"time"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestRequestsAreParsed(t *testing.T) {
	scenarios.Requests(t, register.Protocol, [][3]string{
		{"a write of a register", "write x 3", "write x 3"},
		{"a read of a register", "read x", "read x"},
		{"a write without a value", "write x", "want write KEY VALUE"},
		{"a write of two values", "write x 3 4", "want write KEY VALUE"},
		{"a read of nothing", "read", "want read KEY"},
		{"a read of two registers", "read x y", "want read KEY"},
		{"a slip of the pen", "wirte x 3",
			`unknown request "wirte"; did you mean "write"?`},
		{"no word", "", "want write KEY VALUE or read KEY"},
	})
}

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, register.Protocol) }

func TestADrawnLoadWritesNoValueTwice(t *testing.T) {
	keys := map[string]bool{}
	for seed := uint64(1); seed <= 200; seed++ {
		written := map[string]bool{}
		for _, a := range register.Protocol.Draw(draws(seed)) {
			keys[a.Words[1]] = true
			if a.Words[0] != "write" {
				continue
			}
			if written[a.Words[2]] {
				t.Fatalf("seed %d: %s is written twice", seed, a.Words[2])
			}
			written[a.Words[2]] = true
		}
	}
	if len(keys) != 3 {
		t.Errorf("200 loads are about the registers %v, want three", keys)
	}
}

func TestEveryDrawnRegisterIsReadInTheEnd(t *testing.T) {
	read := map[string]bool{}
	for _, a := range register.Protocol.Final([]string{"A", "B"}) {
		if a.Words[0] != "read" || a.Node != "B" {
			t.Fatalf("the end asks %s for %v, want reads at B", a.Node, a.Words)
		}
		read[a.Words[1]] = true
	}
	for seed := uint64(1); seed <= 50; seed++ {
		for _, a := range register.Protocol.Draw(draws(seed)) {
			if !read[a.Words[1]] {
				t.Fatalf("%s is drawn and not read in the end", a.Words[1])
			}
		}
	}
	if all := register.Protocol.Final(nil); len(all) > 0 {
		t.Errorf("with every node down the end asks for %v, want nothing", all)
	}
}

func draws(seed uint64) *sim.Draws {
	return &sim.Draws{Nodes: []string{"A", "B", "C"}, Clients: 3, Ops: 30, Span: 50 * time.Millisecond,
		Seed: seed}
}
