package register_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/sim"
)

func TestRequestsAreParsed(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []string
		want  string // kind and keys of the request, or the error
	}{
		{"a write of a register", []string{"write", "x", "3"}, "write x 3"},
		{"a read of a register", []string{"read", "x"}, "read x"},
		{"a write without a value", []string{"write", "x"}, "want write KEY VALUE"},
		{"a write of two values", []string{"write", "x", "3", "4"}, "want write KEY VALUE"},
		{"a read of nothing", []string{"read"}, "want read KEY"},
		{"a read of two registers", []string{"read", "x", "y"}, "want read KEY"},
		{"a slip of the pen", []string{"wirte", "x", "3"},
			`unknown request "wirte"; did you mean "write"?`},
		{"no word", nil, "want write KEY VALUE or read KEY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, err := register.Protocol.ParseOp(c.words)
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

func TestADrawnLoadIsInOrderAndWritesNoValueTwice(t *testing.T) {
	keys := map[string]bool{}
	for seed := uint64(1); seed <= 200; seed++ {
		d := draws(seed)
		load := register.Protocol.Draw(d)
		if len(load) != d.Ops {
			t.Fatalf("seed %d: %d requests, want %d", seed, len(load), d.Ops)
		}
		written, kinds := map[string]bool{}, map[string]int{}
		for i, a := range load {
			kinds[a.Words[0]]++
			keys[a.Words[1]] = true
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
			case a.Words[0] == "write" && written[a.Words[2]]:
				t.Fatalf("seed %d: %s is written twice", seed, a.Words[2])
			case a.Words[0] == "write":
				written[a.Words[2]] = true
			}
		}
		if kinds["write"] == 0 || kinds["read"] == 0 {
			t.Fatalf("seed %d: got %v, want reads and writes", seed, kinds)
		}
	}
	if len(keys) != 3 {
		t.Errorf("200 loads are about the registers %v, want three", keys)
	}
}

func TestADrawnLoadIsAFunctionOfTheSeed(t *testing.T) {
	draw := register.Protocol.Draw
	if a, b := draw(draws(7)), draw(draws(7)); !reflect.DeepEqual(a, b) {
		t.Errorf("two loads of seed 7 differ:\n%v\n%v", a, b)
	}
	if a, b := draw(draws(7)), draw(draws(8)); reflect.DeepEqual(a, b) {
		t.Errorf("the loads of seeds 7 and 8 are the same: %v", a)
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
