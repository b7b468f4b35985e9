package synchro_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
)

// readings are what the reads of a script were answered, up to its end, in order.
func readings(run *sim.Run) string {
	var all []string
	for _, e := range run.Trace[:run.Epilogue] {
		if v, ok := e.Body.(synchro.Value); ok && e.Kind == sim.EntryReturned {
			if !v.There {
				v.Value = "nothing"
			}
			all = append(all, v.Value)
		}
	}
	return strings.Join(all, " ")
}

func TestReadsSeeWhatTheyAreToSee(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"a confirmed read sees what is confirmed here, which may be old",
			"A put t=1\nhold *->B row t\nA put t=2\nB get t confirmed\nA get t confirmed\n", "1 2"},
		{"a dirty read sees what is pending",
			"A put t=1\nhold A->* row t\nA put t=2\nA get t dirty\nA get t confirmed\n", "2 1"},
		{"a linearizable read waits for the rows that others have",
			"A put t=1\nhold *->B row t\nA put t=2\nB get t linearizable\nA get t confirmed\n" +
				"release *->B row t\n", "2 2"},
		{"a linearizable read waits for what is pending",
			"A put t=1\nhold *->A ack\nA put t=2\nC get t linearizable\nC get t confirmed\n" +
				"release *->A ack\n", "1 2"},
		{"a linearizable read without answers gives up",
			"A put t=1\npartition A B | C\nC get t linearizable\ndeliver clock->C timeout\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := playedStory(t, synchro.Protocol, "P4", oneLeads, untilLed+c.script)
			if got := readings(run); got != c.want {
				t.Errorf("reads see %q, want %q", got, c.want)
			}
		})
	}
}
