package search_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

func TestGuardLetsAFunctionEnd(t *testing.T) {
	ended := false
	if err := search.Guard(time.Minute, func(func()) { ended = true }); err != nil || !ended {
		t.Errorf("Guard = %v, ended %v, want nil and true", err, ended)
	}
}

func TestGuardIsPatientWithSignsOfLife(t *testing.T) {
	const limit = 2 * time.Second
	err := search.Guard(limit, func(alive func()) {
		for start := time.Now(); time.Since(start) < limit+limit/4; time.Sleep(limit / 200) {
			alive()
		}
	})
	if err != nil {
		t.Errorf("Guard = %v, want nil: the function took longer than the limit, but was alive", err)
	}
}

// spin is a machine whose handler loops until it is released.
type spin struct {
	sim.Idle
	release *atomic.Bool
}

func (s *spin) Start(*sim.Env) { s.loop() }

func (s *spin) loop() {
	for !s.release.Load() {
		runtime.Gosched()
	}
}

func TestGuardNamesTheHandlerThatLoops(t *testing.T) {
	release := &atomic.Bool{}
	defer release.Store(true)
	p := &sim.Protocol{Name: "spin"}
	v := sim.Variant{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &spin{release: release} }}
	err := search.Guard(100*time.Millisecond, func(alive func()) {
		alive()
		_, _ = sim.Execute(&sim.Plan{Protocol: p, Variant: v, Nodes: []string{"A"}})
	})
	var stuck *search.Stuck
	if !errors.As(err, &stuck) {
		t.Fatalf("Guard = %v, want a *Stuck", err)
	}
	want := []string{"search_test.(*spin).loop", "search_test.(*spin).Start"}
	// It may be caught inside what the loop calls of the library.
	where := stuck.Where[max(0, len(stuck.Where)-len(want)):]
	if !slices.Equal(where, want) {
		t.Errorf("it loops in %q, want %q at the end", stuck.Where, want)
	}
	text := err.Error()
	if !strings.Contains(text, stuck.Where[0]) || !strings.Contains(text, "100ms") {
		t.Errorf("the error is %q, want handler and limit", text)
	}
}

func TestAPanicUnderGuardKeepsItsStack(t *testing.T) {
	defer func() {
		crash, ok := recover().(*search.Crash)
		if !ok || crash.Value != "gone" || !strings.Contains(string(crash.Stack), "fallOver") {
			t.Errorf("Guard panicked with %v, want the value and the stack of the panic", crash)
		}
	}()
	_ = search.Guard(time.Minute, func(func()) { fallOver() })
	t.Error("Guard did not panic")
}

func fallOver() { panic("gone") }
