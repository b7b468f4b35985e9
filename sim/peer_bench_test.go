package sim_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/downset/downset/sim"
)

// BenchmarkPingPong is G4: a message goes back and forth between two, one at a time, and each takes
// a millisecond of virtual time, or none; ns a message. The peer is testing/synctest, whose virtual
// time runs the same program as goroutines, channels and sleeps.
func BenchmarkPingPong(b *testing.B) {
	for _, c := range []struct {
		name  string
		delay time.Duration
	}{{"1ms", time.Millisecond}, {"none", 0}} {
		b.Run("peer=downset/delay="+c.name, func(b *testing.B) {
			pingPong(b, c.delay, sim.Options{NoTrace: true})
		})
		b.Run("peer=downset-traced/delay="+c.name, func(b *testing.B) {
			pingPong(b, c.delay, sim.Options{})
		})
		b.Run("peer=synctest/delay="+c.name, func(b *testing.B) {
			inBubble(b, func() { goroutines(b, c.delay) })
		})
	}
	b.Run("peer=synctest-timers/delay=1ms", func(b *testing.B) {
		inBubble(b, func() { timers(b, time.Millisecond) })
	})
}

// pingPong is two nodes and one ball. Traced runs are short ones, as checked runs are.
func pingPong(b *testing.B, delay time.Duration, o sim.Options) {
	b.ReportAllocs()
	events := b.N
	if !o.NoTrace {
		events = min(b.N, 20_000)
	}
	p, w := ring(2, 1, events), new(sim.World)
	p.Network.Links[0].Delay, p.Network.Links[0].Loss = sim.Dist{Low: delay}, 0
	execute(b, w, p, o)
	b.ResetTimer()
	for done := 0; done < b.N; done += events {
		execute(b, w, p, o)
	}
}

// inBubble runs f in a bubble, which only a test can have.
func inBubble(b *testing.B, f func()) {
	b.ReportAllocs()
	runs := 0
	bubble := testing.InternalTest{Name: "bubble", F: func(t *testing.T) {
		if runs++; runs == 1 { // whatever -count says
			synctest.Test(t, func(*testing.T) { f() })
		}
	}}
	b.ResetTimer()
	always := func(_, _ string) (bool, error) { return true, nil }
	if !testing.RunTests(always, []testing.InternalTest{bubble}) || runs == 0 {
		b.Fatal("the bubble failed")
	}
}

// goroutines is two goroutines that hand a ball to each other, each after a sleep.
func goroutines(b *testing.B, delay time.Duration) {
	there, back, start := make(chan sim.Message), make(chan sim.Message), time.Now()
	go func() {
		for m := range there {
			arrive(delay)
			back <- m
		}
		close(back)
	}()
	m := theBall
	for range b.N / 2 {
		there <- m
		m = <-back
		arrive(delay)
	}
	close(there)
	<-back
	passed(b, start, delay)
}

func arrive(delay time.Duration) {
	if delay > 0 {
		time.Sleep(delay)
	}
}

// timers is the same without goroutines of one's own: each message is a timer whose function sets
// the next.
func timers(b *testing.B, delay time.Duration) {
	done, left, start := make(chan bool), b.N, time.Now()
	var deliver func()
	deliver = func() {
		if left--; left > 0 {
			time.AfterFunc(delay, deliver)
			return
		}
		close(done)
	}
	time.AfterFunc(delay, deliver)
	<-done
	passed(b, start, delay)
}

// passed tests that so much virtual time passed, so that no message was forgotten.
func passed(b *testing.B, start time.Time, delay time.Duration) {
	want := time.Duration(b.N) * delay
	if got := time.Since(start); got != want && got != want-delay*time.Duration(b.N%2) {
		b.Errorf("%d messages took %v of virtual time, want %v", b.N, got, want)
	}
}

// BenchmarkCrowd is G5: whole events at the queue length, and as many of them, as ns-3's
// bench-scheduler has unless told otherwise; ns an event.
func BenchmarkCrowd(b *testing.B) {
	const flight, events = 100_000, 1_000_000
	b.Run(fmt.Sprintf("nodes=10/queued=%d/trace=off", flight), func(b *testing.B) {
		w, p := new(sim.World), ring(10, flight, events)
		execute(b, w, p, sim.Options{NoTrace: true})
		for b.Loop() {
			execute(b, w, p, sim.Options{NoTrace: true})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/op")
	})
}
