package sim_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/sim"
)

func TestWhatAMachineMayNotDoIsAPanicThatSaysWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name, does, want string // want: the panic, "" for none
	}{
		{"a claim of the protocol", "fail sorted 3 before 2", ""},
		{"a claim of nobody", "fail sortd 3 before 2",
			`add "sortd" to Protocol.Claims of puppets: Fail names it (3 before 2)`},
		{"the name of what a panic breaks", "fail panic it is bad",
			`add "panic" to Protocol.Claims of puppets: Fail names it (it is bad)`},
		{"publishing without a log lane", "publish news x",
			"Publish(news x): puppets has no log lane; set Protocol.Log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := play(t, world("A B", "A put x : "+c.does+" ; note done"))
			got := ""
			if run.Panic != nil {
				got = run.Panic.Value
			}
			if got != c.want {
				t.Errorf("%q: got the panic %q, want %q", c.does, got, c.want)
			}
			failed := slices.ContainsFunc(run.Trace, func(e sim.Entry) bool {
				return e.Kind == sim.EntryFailed && e.Body == sim.Failure{Claim: "sorted", Why: "3 before 2"}
			})
			if failed != (c.want == "") {
				t.Errorf("%q: an entry of the claim is there: %v, want %v", c.does, failed, c.want == "")
			}
		})
	}
}
