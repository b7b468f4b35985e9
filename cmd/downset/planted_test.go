package main_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// ctrlC interrupts this process at its first call, and waits for the signal to come: it is handed
// over by the system, which says nothing when it has done so.
func ctrlC() func() {
	return sync.OnceFunc(func() {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Signal(os.Interrupt)
		}
		time.Sleep(200 * time.Millisecond)
	})
}

// spin loops until the test is over.
func spin(release *atomic.Bool) {
	for !release.Load() {
		runtime.Gosched()
	}
}
