package search

import (
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/downset/downset/sim"
)

// Double is what came of playing one plan twice.
type Double struct {
	Run, Again *sim.Run // each from a world of its own
	Part       *Parting // where they part, nil if they are alike
}

// Parting is the first entry at which two runs of one plan differ. The entries are nil where one run
// has ended already.
type Parting struct {
	At          int
	First, Then *sim.Entry
	texts       [2]string
}

// Twice plays a plan twice, keeping and hashing all there is to keep, the second time with a garbage
// collector that never rests, since that must not matter.
func Twice(p *sim.Plan) (*Double, error) {
	options := sim.Options{Record: true, Digest: true}
	first, err := new(sim.World).Execute(p, options)
	if err != nil {
		return nil, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	again, err := new(sim.World).Execute(p, options)
	if err != nil {
		return nil, err
	}
	return &Double{first, again, First(first, again)}, nil
}

// First is the first entry at which two runs part, nil if they are the same run.
func First(a, b *sim.Run) *Parting {
	if a.Hash == b.Hash && a.Digest == b.Digest {
		return nil
	}
	for i := range max(len(a.Trace), len(b.Trace)) {
		x, y := entry(a, i), entry(b, i)
		if x == nil || y == nil || !same(x, y) {
			return &Parting{i, x, y, [2]string{text(a, x), text(b, y)}}
		}
	}
	// What differs is no entry: the disks at the end.
	return &Parting{At: len(a.Trace), texts: [2]string{"the end", "the end, with other disks"}}
}

func entry(run *sim.Run, i int) *sim.Entry {
	if i >= len(run.Trace) {
		return nil
	}
	return &run.Trace[i]
}

// same compares entries by what they say, not by where it lies.
func same(x, y *sim.Entry) bool {
	a, b := *x, *y
	a.Body, b.Body = nil, nil
	return a == b && reflect.DeepEqual(x.Body, y.Body) && sim.Text(x.Body) == sim.Text(y.Body)
}

func text(run *sim.Run, e *sim.Entry) string {
	if e == nil {
		return "nothing more"
	}
	line := fmt.Sprintf("%s %s %s %s", e.At, run.Name(e.Node), e.Kind, sim.Text(e.Body))
	if e.Peer != sim.Nobody {
		line += fmt.Sprintf(" (%s)", run.Name(e.Peer))
	}
	return line
}

// String is "entry 12: 5ms P sends vote (Q), then 5ms P sends vote (R)".
func (p *Parting) String() string {
	return fmt.Sprintf("entry %d: %s, then %s", p.At, p.texts[0], p.texts[1])
}
