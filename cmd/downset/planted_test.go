package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/downset/downset/sim"
)

// planted are protocols that put the tool itself to the test. Each script gets its own.
func planted(t *testing.T) []*sim.Protocol {
	t.Helper()
	release := &atomic.Bool{}
	t.Cleanup(func() { release.Store(true) })
	runs := 0
	return []*sim.Protocol{
		tells("drifts", func(env *sim.Env) {
			if env.ID == 0 {
				runs++ // the next run sees it
			}
			env.Send(1, word(fmt.Sprintf("run-%d", runs)))
		}),
		tells("grows", func(env *sim.Env) {
			runs++
			for range runs {
				env.Send(1, word("more"))
			}
		}),
		tells("spins", func(*sim.Env) { spin(release) }),
		tells("interrupts", interrupt()),
		tells("panics", func(*sim.Env) { panic("no leader to ask") }),
		broken(),
	}
}

// word is whatever a planted protocol says.
type word string

func (word) Kind() string     { return "word" }
func (w word) String() string { return "word " + string(w) }

// machine is a planted machine, which does one thing when asked.
type machine struct {
	sim.Idle
	does *does
}

// does is behind a pointer to a plain value, so that a machine with it can still be hashed.
type does struct{ name string }

func (m machine) Invoke(env *sim.Env, c sim.Call) {
	deed, _ := deeds.Load(m.does.name)
	deed.(func(*sim.Env))(env)
	env.Return(c.ID, word("done"))
}

// deeds are what the planted machines do, by name of the protocol. A machine that loops may still be
// at it when the next script begins.
var deeds sync.Map

// tells is a protocol that does something with a request, and whose one property never holds, so
// that every run of it is worth a second one.
func tells(name string, deed func(*sim.Env)) *sim.Protocol {
	deeds.Store(name, deed)
	return &sim.Protocol{
		Name: name,
		Doc:  "planted",
		Variants: []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine {
			return machine{does: &does{name}}
		}}},
		OpWords: []string{"go"},
		ParseOp: func(words []string) (sim.Op, error) {
			if len(words) != 1 {
				return nil, errors.New("want go")
			}
			return word(words[0]), nil
		},
		Properties: []sim.Property{{Name: "silence", Doc: "nobody says a word",
			Check: func(run *sim.Run) (int, *sim.Violation) {
				for i, e := range run.Trace {
					if e.Kind == sim.EntrySent {
						return 1, &sim.Violation{Reason: run.Name(e.Node) + " says something", Witness: []int{i}}
					}
				}
				return 1, nil
			}}},
	}
}

// broken is a protocol that the tool cannot work with.
func broken() *sim.Protocol {
	p := tells("fails", func(*sim.Env) {})
	p.ParseOp = func(words []string) (sim.Op, error) {
		panic("not written yet: " + strings.Join(words, " "))
	}
	return p
}

// interrupt is a Ctrl-C while a story is played for the first time.
func interrupt() func(*sim.Env) {
	press := ctrlC()
	return func(env *sim.Env) {
		press()
		env.Send(1, word("on"))
	}
}

// ctrlC interrupts this process at its first call, and waits until the tool knows of it.
func ctrlC() func() {
	return sync.OnceFunc(func() {
		self, err := os.FindProcess(os.Getpid())
		if err == nil && !awaited() {
			err = errors.New("the tool waits for no signal")
		}
		if err == nil {
			err = self.Signal(os.Interrupt)
		}
		if err != nil {
			panic(err)
		}
		for awaited() {
			runtime.Gosched()
		}
	})
}

// awaited says that the goroutine is there in which the tool's signal.NotifyContext waits: it ends
// when it has cancelled the context. A channel of one's own would tell less, that the signal is in
// this process, but not that the tool's goroutine has had its turn since.
func awaited() bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return bytes.Contains(stacks, []byte("created by os/signal.NotifyContext "))
}

// spin loops until the test is over.
func spin(release *atomic.Bool) {
	for !release.Load() {
		runtime.Gosched()
	}
}
