package plants

import (
	"sync/atomic"

	"github.com/downset/downset/sim"
)

// Shows is what it takes for two runs of a plant to differ.
type Shows uint8

// What it takes.
const (
	Twice     Shows = iota // playing it twice, each time
	Luck                   // playing it twice, as the scheduler and the collector like
	Elsewhere              // playing it in another process
	Rebuilt                // playing it in a program made by another compiler, or for another machine
)

// Plant is one way to be not the same twice.
type Plant struct {
	Name  string
	Rule  string // of tidy_test.go that refuses it; "" is what no static rule can see
	Shows Shows
	Also  string // what else finds it
	// Made gives the function that makes the machines of one plan.
	Made func() func() sim.Machine
}

// All are all plants.
func All() []Plant {
	return []Plant{
		{"map range", "map range", Twice, "", fresh(mapRange{})},
		{"select", "select", Twice, "", fresh(selects{})},
		{"goroutine", "goroutine", Luck, "the race detector, if memory is shared", fresh(goroutines{})},
		{"wall clock", "wall clock", Twice, "", fresh(wallClock{})},
		{"global random", "global random", Twice, "", fresh(globalRandom{})},
		{"environment", "environment", Elsewhere, "golden hashes, in another process",
			fresh(environment{})},
		{"pointer order", "pointer order", Twice, "",
			func() func() sim.Machine { return func() sim.Machine { return &pointerOrder{} } }},
		{"unstable sort", "unstable sort", Rebuilt, "golden hashes, with a Go that sorts otherwise",
			fresh(unstableSort{})},
		{"package state", "package state", Twice, "golden hashes, in another order",
			fresh(packageState{})},
		{"hash seed", "hash seed", Twice, "", fresh(hashSeed{})},
		{"finalizer", "finalizer", Luck, "", finalizers},
		{"pool", "shared memory", Luck, "", fresh(pool{})},
		{"floats", "floats", Rebuilt, "golden hashes, under GOAMD64=v3", fresh(floats{})},
		{"buffer reuse", "", Twice, "", buffers},
		{"mutated message", "", Twice, "", mutations},
		{"cache in order of use", "", Twice, "", caches},
	}
}

// Steady is what all of them should have been: two runs of it are the same.
func Steady() Plant { return Plant{Name: "steady", Made: fresh(steady{})} }

// Plan plays a plant on two nodes.
func (p Plant) Plan() *sim.Plan {
	machine := p.Made()
	return &sim.Plan{
		Protocol: &sim.Protocol{Name: "planted"},
		Variant: sim.Variant{Name: "plain",
			New: func(sim.NodeID, []sim.NodeID) sim.Machine { return machine() }},
		Nodes: []string{"A", "B"},
	}
}

// fresh makes machines that share nothing.
func fresh(m sim.Machine) func() func() sim.Machine {
	return func() func() sim.Machine { return func() sim.Machine { return m } }
}

func finalizers() func() sim.Machine {
	freed := &atomic.Int64{}
	return func() sim.Machine { return finalizer{freed: freed} }
}

func buffers() func() sim.Machine {
	scratch := make([]string, 3)
	return func() sim.Machine { return &bufferReuse{scratch: scratch} }
}

func mutations() func() sim.Machine {
	hello := &hops{}
	return func() sim.Machine { return mutatedMessage{hello: hello} }
}

func caches() func() sim.Machine {
	known := map[string]int{}
	return func() sim.Machine { return cache{known: known} }
}
