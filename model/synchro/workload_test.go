package synchro_test

import (
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
)

func TestRequestsAreParsed(t *testing.T) {
	scenarios.Requests(t, synchro.Protocol, [][3]string{
		{"a write", "put k", "put k"},
		{"two rows", "put k=1 x=2", "put k x"},
		{"a write past the queue", "put k async", "put k"},
		{"a read", "get k linearizable", "get k"},
		{"a promotion by its old name", "clear_synchro_queue", "promote"},
		{"no key", "put", "want put KEY[=VALUE]... [sync | async | local]: want a key"},
		{"a key twice", "put k k", "want put KEY[=VALUE]... [sync | async | local]: want each key " +
			"once, got k twice"},
		{"no value", "put k=", `want put KEY[=VALUE]... [sync | async | local]: want a value after "k="`},
		{"no way to read", "get k linearisable", "want get KEY [confirmed | dirty | linearizable]: " +
			`no way to read "linearisable"; did you mean "linearizable"?`},
		{"a quorum of none", "quorum 0", `want quorum N: want a number from 1 to 31, got "0"`},
		{"no mode", "mode cadidate", "want mode off|voter|manual|candidate: no election mode " +
			`"cadidate"; did you mean "candidate"?`},
		{"words after a promotion", "promote B", `want promote: want nothing more, got "B"`},
		{"a slip of the pen", "pormote", `unknown request "pormote"; did you mean "promote"?`},
	})
}

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, synchro.Protocol) }
