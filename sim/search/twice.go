package search

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/downset/downset/sim"
)

// Double is what came of playing one plan twice.
type Double struct {
	Run, Again *sim.Run // each from a world of its own
	Part       *Parting // where they part, nil if they are alike
}

// Parting is the first entry at which two runs of one plan differ. An entry is nil where its run
// has ended already.
type Parting struct {
	At          int
	First, Then *sim.Entry
	texts       [2]string
}

// Twice plays a plan twice, keeping and hashing all there is to keep, the second time with a
// garbage collector that never rests, since that must not matter.
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

// First is the first entry at which two runs part, nil if they are the same run. With
// sim.Options.Digest it compares bodies as they were when it happened, else as they are now.
func First(a, b *sim.Run) *Parting {
	if a.Hash == b.Hash && a.Digest == b.Digest {
		return nil
	}
	for i := range max(len(a.Trace), len(b.Trace)) {
		x, y := entry(a, i), entry(b, i)
		if x == nil || y == nil || !same(x, y) || !alike(a, b, i) {
			return &Parting{i, x, y, texts(a, b, i)}
		}
	}
	// What differs is no entry, but the machines or disks that are left.
	return &Parting{At: len(a.Trace), texts: [2]string{"the end", "the end in another state"}}
}

func entry(run *sim.Run, i int) *sim.Entry {
	if i >= len(run.Trace) {
		return nil
	}
	return &run.Trace[i]
}

// same says that two entries are the same event, whatever they carry.
func same(x, y *sim.Entry) bool {
	a, b := *x, *y
	a.Body, b.Body = nil, nil
	return a == b
}

// alike says that two runs carry the same at an entry.
func alike(a, b *sim.Run, i int) bool {
	if len(a.Digests) > i && len(b.Digests) > i {
		return a.Digests[i] == b.Digests[i]
	}
	return reflect.DeepEqual(a.Trace[i].Body, b.Trace[i].Body)
}

// texts are what two runs say at an entry. If it reads the same, the bodies are shown in full.
func texts(a, b *sim.Run, i int) [2]string {
	both := [2]string{text(a, i), text(b, i)}
	if both[0] == both[1] {
		both[0] += fmt.Sprintf(" %+v", a.Trace[i].Body)
		both[1] += fmt.Sprintf(" %+v", b.Trace[i].Body)
	}
	return both
}

func text(run *sim.Run, i int) string {
	e := entry(run, i)
	if e == nil {
		return "nothing more"
	}
	line := fmt.Sprintf("%s %s %s %s", e.At, run.Name(e.Node), e.Kind, sim.Text(e.Body))
	line = strings.TrimRight(line, " ")
	if e.Peer != sim.Nobody {
		line += fmt.Sprintf(" (%s)", run.Name(e.Peer))
	}
	return line
}

// String is "entry 12: 5ms P sends vote (Q), then 5ms P sends vote (R)".
func (p *Parting) String() string {
	return fmt.Sprintf("entry %d: %s, then %s", p.At, p.texts[0], p.texts[1])
}
