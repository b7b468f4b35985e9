package search_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// tick is a message with a number.
type tick int

func (tick) Kind() string { return "tick" }

// teller is a machine that tells others the numbers that next gives.
type teller struct {
	sim.Idle
	next *counter
}

type counter struct{ n int }

func (c *counter) count() int { c.n++; return c.n }

func (m teller) Start(env *sim.Env) {
	for range 3 {
		env.Send(1, tick(m.next.count()))
	}
}

// telling is a plan whose machines tell each other numbers, from counters of their own or from one
// that outlives the run.
func telling(shared bool) *sim.Plan {
	kept := &counter{}
	v := sim.Variant{Name: "plain", New: func(id sim.NodeID, _ []sim.NodeID) sim.Machine {
		switch {
		case id > 0:
			return sim.Idle{}
		case shared:
			return teller{next: kept}
		}
		return teller{next: &counter{}}
	}}
	return &sim.Plan{Protocol: &sim.Protocol{Name: "teller"}, Variant: v, Nodes: []string{"A", "B"}}
}

func TestTwoRunsOfASteadyPlanAreAlike(t *testing.T) {
	d, err := search.Twice(telling(false))
	if err != nil {
		t.Fatal(err)
	}
	if d.Part != nil {
		t.Errorf("they part at %s, want nowhere", d.Part)
	}
	if d.Run.Hash != d.Again.Hash || d.Run.Digest != d.Again.Digest || d.Run.Digest == 0 {
		t.Errorf("hashes %x %x and digests %x %x, want equal pairs",
			d.Run.Hash, d.Again.Hash, d.Run.Digest, d.Again.Digest)
	}
}

func TestTwoRunsThatShareACounterPartAtItsFirstUse(t *testing.T) {
	d, err := search.Twice(telling(true))
	if err != nil {
		t.Fatal(err)
	}
	if d.Part == nil {
		t.Fatal("they do not part, want a parting at the first message")
	}
	first := d.Part.At
	e := d.Run.Trace[first]
	if e.Kind != sim.EntrySent || e.Body != tick(1) || d.Again.Trace[first].Body != tick(4) {
		t.Errorf("they part at %s, want the first message, 1 and then 4", d.Part)
	}
	if d.Run.Hash != d.Again.Hash {
		t.Error("the hashes differ, want the same: only contents do")
	}
	want := "entry 1: 0s A sends tick (B) 1, then 0s A sends tick (B) 4"
	if text := d.Part.String(); text != want {
		t.Errorf("the parting reads %q, want %q", text, want)
	}
}

func TestARunThatEndsEarlierPartsAtItsEnd(t *testing.T) {
	long, err := sim.Execute(telling(false))
	if err != nil {
		t.Fatal(err)
	}
	short := *long
	short.Trace, short.Hash = long.Trace[:4], long.Hash+1
	for _, c := range []struct {
		name string
		a, b *sim.Run
		want string
	}{
		{"the second run ends first", long, &short, "then nothing more"},
		{"the first run ends first", &short, long, "nothing more, then"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := search.First(c.a, c.b)
			if got == nil || got.At != 4 || !strings.Contains(got.String(), c.want) {
				t.Errorf("First = %v, want entry 4 and %q", got, c.want)
			}
		})
	}
}
