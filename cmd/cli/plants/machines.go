package plants

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/downset/downset/sim"
)

// pick is what a planted handler tells.
type pick struct{ What string }

func (pick) Kind() string     { return "pick" }
func (p pick) String() string { return "pick " + p.What }

// tell sends what came of it. Only A tells, so that there is one place where runs part.
func tell(env *sim.Env, what any) {
	if env.ID == 0 {
		env.Send(1, pick{fmt.Sprint(what)})
	}
}

// rounds is how often a handler tries its luck in one run.
const rounds = 32

type mapRange struct{ sim.Idle }

func (mapRange) Start(env *sim.Env) {
	votes := map[int]bool{}
	for i := range rounds {
		votes[i] = true
	}
	for i := range votes {
		tell(env, i)
	}
}

type selects struct{ sim.Idle }

func (selects) Start(env *sim.Env) {
	one, two := make(chan int, rounds), make(chan int, rounds)
	for range rounds {
		one <- 1
		two <- 2
		select {
		case n := <-one:
			tell(env, n)
		case n := <-two:
			tell(env, n)
		}
	}
}

type goroutines struct{ sim.Idle }

func (goroutines) Start(env *sim.Env) {
	first := make(chan int)
	for i := range rounds {
		go func() { first <- i }()
	}
	for range rounds {
		tell(env, <-first)
	}
}

type wallClock struct{ sim.Idle }

func (wallClock) Start(env *sim.Env) { tell(env, time.Now().UnixNano()) }

type globalRandom struct{ sim.Idle }

func (globalRandom) Start(env *sim.Env) { tell(env, rand.Uint64()) }

type environment struct{ sim.Idle }

func (environment) Start(env *sim.Env) { tell(env, os.Getpid()) }

type pointerOrder struct {
	sim.Idle
	kept *pick // lives as long as the run does, so the next one gets another address
}

func (p *pointerOrder) Start(env *sim.Env) {
	p.kept = &pick{"kept"}
	tell(env, fmt.Sprintf("%p", p.kept))
}

type unstableSort struct{ sim.Idle }

func (unstableSort) Start(env *sim.Env) {
	rows := []pick{{"x1"}, {"y1"}, {"x2"}, {"y2"}, {"x3"}}
	sort.Slice(rows, func(i, j int) bool { return rows[i].What[0] < rows[j].What[0] })
	tell(env, rows)
}

type packageState struct{ sim.Idle }

var started int

func (packageState) Start(env *sim.Env) {
	started++
	tell(env, started)
}

type hashSeed struct{ sim.Idle }

func (hashSeed) Start(env *sim.Env) { tell(env, maphash.String(maphash.MakeSeed(), "P")) }

type finalizer struct {
	sim.Idle
	freed *atomic.Int64
}

func (f finalizer) Start(env *sim.Env) {
	for range rounds {
		runtime.SetFinalizer(&pick{"freed"}, func(*pick) { f.freed.Add(1) })
		tell(env, f.freed.Load())
	}
}

type pool struct{ sim.Idle }

var free sync.Pool

func (pool) Start(env *sim.Env) {
	for i := range rounds {
		tell(env, free.Get())
		free.Put(&pick{strconv.Itoa(i)})
	}
}

type floats struct{ sim.Idle }

func (f floats) Start(env *sim.Env) { tell(env, f.orbit()) }

// Orbit is where the plant of floats ends: it depends on the build.
func Orbit() int64 { return floats{}.orbit() }

// orbit is a chaotic sum of products, which magnifies how they are rounded.
func (floats) orbit() int64 {
	x := 0.5
	for i := range 2 * rounds {
		x = 3.9*x*(1-x) + float64(i)*1e-9
	}
	return int64(x * 1e9)
}

// What follows uses nothing that a rule could forbid: values that outlive a run, in the hands of
// the function that makes machines.

type bufferReuse struct {
	sim.Idle
	scratch []string
}

// parts is a body that shares the memory of whoever sent it.
type parts struct{ List []string }

func (parts) Kind() string { return "pick" }

func (b *bufferReuse) Start(env *sim.Env) {
	if env.ID > 0 {
		return
	}
	for i := range rounds {
		b.scratch[i%3] = "row " + strconv.Itoa(i)
		env.Send(1, parts{b.scratch})
	}
}

type mutatedMessage struct {
	sim.Idle
	hello *hops
}

// hops is a message that whoever gets it changes.
type hops struct{ N int }

func (*hops) Kind() string { return "pick" }

func (m mutatedMessage) Start(env *sim.Env) {
	if env.ID == 0 {
		env.Send(1, m.hello)
	}
}

func (mutatedMessage) Receive(_ *sim.Env, _ sim.NodeID, m sim.Message) { m.(*hops).N++ }

type cache struct {
	sim.Idle
	known map[string]int
}

// place numbers names in the order in which they are asked for.
func (c cache) place(name string) int {
	if _, ok := c.known[name]; !ok {
		c.known[name] = len(c.known)
	}
	return c.known[name]
}

func (c cache) Start(env *sim.Env) {
	if env.ID == 0 {
		tell(env, c.place(strconv.Itoa(c.place("A"))+strconv.Itoa(len(c.known))))
	}
}

// steady is what a planted handler should have been: a machine that tells the same each time.
type steady struct{ sim.Idle }

func (steady) Start(env *sim.Env) {
	for i := range rounds {
		tell(env, i)
	}
}
