package search_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// asked is a request of a script.
func asked(node, word string) sim.Action {
	return sim.Action{Verb: sim.Request, Node: node, Words: []string{word}}
}

// at is a line at a time, in milliseconds.
func at(ms int, a sim.Action) sim.Action {
	a.Place, a.Offset = sim.At, time.Duration(ms)*time.Millisecond
	return a
}

// timesOf are the lines of a list with their times: "2ms A late; A early".
func timesOf(list []sim.Action) (text string, decrease bool) {
	last := time.Duration(0)
	for i, a := range list {
		if i > 0 {
			text += "; "
		}
		if a.Place == sim.At {
			decrease = decrease || a.Offset < last
			text, last = text+fmt.Sprint(a.Offset, " "), a.Offset
		}
		if a.Verb == sim.Request {
			text += a.Node + " " + a.Words[0]
		}
	}
	return text, decrease
}

// lines says that a plan has so many lines of script, the first of which waits if that is asked.
func lines(n int, waits bool) func(*sim.Plan, *sim.Run) bool {
	return func(p *sim.Plan, _ *sim.Run) bool {
		return len(p.Script) == n && (p.Script[0].Verb == sim.Wait && p.Script[0].Offset > 0) == waits
	}
}

// lateAndEarly says that something is late and something early, 2ms and 5ms from the start.
func lateAndEarly(p *sim.Plan, _ *sim.Run) bool {
	var words []string
	var times []time.Duration
	for _, a := range slices.Concat(p.Script, p.Load) {
		words, times = append(words, a.Words...), append(times, a.Offset)
	}
	slices.Sort(words)
	slices.Sort(times)
	return slices.Equal(words, []string{"early", "late"}) && slices.Equal(times, []time.Duration{2e6, 5e6})
}

func TestTimesOfAShrunkPlanDoNotDecrease(t *testing.T) {
	for _, c := range []struct {
		name         string
		script, load []sim.Action
		same         func(*sim.Plan, *sim.Run) bool
		want         string
	}{
		{"behind a line in turn a time is pulled down to that of the line before it",
			[]sim.Action{at(2, sim.Action{Verb: sim.Wait}), asked("A", "a1"), at(9, asked("A", "a2"))}, nil,
			lines(3, true), "1ms ; P a1; 1ms P a1"},
		{"lines change their places, and times do not",
			[]sim.Action{at(2, asked("A", "late")), at(5, asked("A", "early"))}, nil,
			lateAndEarly, "2ms P early; 5ms P late"},
		{"a script whose times decrease is played as if it said when its lines come about",
			[]sim.Action{at(5, asked("A", "a1")), at(2, asked("B", "a2"))}, nil,
			func(p *sim.Plan, _ *sim.Run) bool {
				return len(p.Script) == 2 && p.Script[0].Offset == 5e6
			}, "5ms P a1; 5ms P a1"},
		{"a load whose times decrease is put in order",
			nil, []sim.Action{at(5, asked("A", "early")), at(2, asked("A", "late"))},
			lateAndEarly, "2ms P early; 5ms P late"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := losing(sim.Losses)
			plan.Script, plan.Load = c.script, c.load
			tried := 0
			s := &search.Shrinking{Same: func(p *sim.Plan, run *sim.Run) bool {
				if tried++; tried == 1 {
					return c.same(p, run) // of the plan as it was given
				}
				for _, list := range [][]sim.Action{p.Script, p.Load} {
					if text, decrease := timesOf(list); decrease {
						t.Errorf("it tries %q, want no times that decrease: no story can say it", text)
					}
				}
				return c.same(p, run)
			}}
			out := s.Shrink(plan)
			if out == nil {
				t.Fatal("the plan does not fail, want that it does")
			}
			if got, _ := timesOf(slices.Concat(out.Plan.Script, out.Plan.Load)); got != c.want {
				t.Errorf("shrunk to %q, want %q", got, c.want)
			}
		})
	}
}
