package clocks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestRequestsAreParsed(t *testing.T) {
	scenarios.Requests(t, clocks.Protocol, [][3]string{
		{"a put", "put x 1", "put x 1"},
		{"a put at another replica", "put x 1 at B", "put x 1 at B"},
		{"a get", "get x at C", "get x at C"},
		{"a repair", "repair x", "repair x"},
		{"the end of a session", "forget", "forget"},
		{"an event", "emit p e1", "emit p e1"},
		{"a trim", "trim p 50ms", "trim p 50ms"},
		{"a lease", "lease at B", "lease at B"},
		{"a deed", "act at B", "act at B"},
		{"a measurement", "measure B", "measure B"},
		{"a message", "say B hello", "say B hello"},
		{"an event of its own", "tick", "tick"},
		{"an increment", "inc c 2", "inc c 2"},
		{"a value", "value or-set s at B", "value or-set s at B"},
		{"a put without a value", "put x", "want put KEY VALUE [at NODE]"},
		{"a put at no node", "put x 1 at", "want put KEY VALUE [at NODE]"},
		{"a repair elsewhere", "repair x at B", "want repair KEY"},
		{"an age that is none", "trim p old",
			`want a duration above zero such as 50ms, a year at most, got "old"`},
		{"an age below zero", "trim p -1s",
			`want a duration above zero such as 50ms, a year at most, got "-1s"`},
		{"a slip of the pen", "putt x 1", `unknown request "putt"; did you mean "put"?`},
	})
}

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, clocks.Protocol) }

// What a scenario sets up prints as the line that it was, and lines that cannot be are refused.
func TestLinesOfASetUpAreParsed(t *testing.T) {
	nodes := []string{"A", "B"}
	for _, c := range [][2]string{
		{"max-offset 500ms", ""}, {"granularity 1ms", ""}, {"limit 3", ""}, {"term 50ms", ""},
		{"boot B 3h0m0s", ""},
		{"max-offset", "want max-offset DURATION"}, {"limit", "want limit N"},
		{"max-offset fast", `want a duration above zero such as 50ms, a year at most, got "fast"`},
		{"limit 0", `limit wants a number from 1 to 1000, got "0"`},
		{"boot C 3h", `boot wants a node, got "C"`},
		{"boot B", "want boot NODE DURATION"},
	} {
		got, err := clocks.Protocol.ParseSetup(strings.Fields(c[0]), nodes)
		switch {
		case c[1] == "" && err != nil:
			t.Errorf("%s: %v", c[0], err)
		case c[1] == "":
			if text := fmt.Sprint(got); text != c[0] {
				t.Errorf("%s prints as %q", c[0], text)
			}
		case err == nil || !strings.HasPrefix(err.Error(), c[1]):
			t.Errorf("%s: got error %v, want %q", c[0], err, c[1])
		}
	}
}

func TestALineOfASetUpIsSaidOnce(t *testing.T) {
	var values []any
	for _, text := range []string{"limit 3", "boot B 1h", "boot A 1h", "boot B 2h"} {
		v, err := clocks.Protocol.ParseSetup(strings.Fields(text), []string{"A", "B"})
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	at, err := clocks.Protocol.FitSetup(values, []string{"A", "B"})
	if at != 3 || err == nil || err.Error() != "boot B is set twice" {
		t.Errorf("got %v at %d, want boot B is set twice at 3", err, at)
	}
	if _, err := clocks.Protocol.FitSetup(values[:3], nil); err != nil {
		t.Errorf("three lines that differ: %v", err)
	}
}

// Every subject is drawn, and every request that a subject has.
func TestEveryRequestIsDrawn(t *testing.T) {
	drawn := map[string]bool{}
	for seed := uint64(1); seed <= 300; seed++ {
		d := &sim.Draws{Nodes: []string{"A", "B", "C"}, Clients: 3, Ops: 30,
			Span: 50 * time.Millisecond, Seed: seed}
		for _, a := range clocks.Protocol.Draw(d) {
			if a.Verb == sim.Request {
				drawn[a.Words[0]] = true
			}
		}
	}
	for _, word := range clocks.Protocol.OpWords {
		if !drawn[word] {
			t.Errorf("300 seeds ask for no %s", word)
		}
	}
}
