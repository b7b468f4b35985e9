package checker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// find is the n-th entry, from 1, that reads like this.
func find(run *sim.Run, entry string, n int) int {
	for i := range run.Trace {
		if text(run, []int{i}) != entry {
			continue
		}
		if n--; n == 0 {
			return i
		}
	}
	panic("no entry " + entry)
}

// remove takes an entry out of a run; what it caused is caused by what caused it.
func remove(run *sim.Run, at int) {
	move(run, at, len(run.Trace)-1)
	last := run.Trace[len(run.Trace)-1]
	run.Trace = run.Trace[:len(run.Trace)-1]
	for i := range run.Trace {
		if int(run.Trace[i].Cause) == len(run.Trace) {
			run.Trace[i].Cause = last.Cause
		}
	}
}

// move puts an entry to another place; causes follow.
func move(run *sim.Run, from, to int) {
	e := run.Trace[from]
	run.Trace = slices.Insert(slices.Delete(run.Trace, from, from+1), to, e)
	for i := range run.Trace {
		c := int(run.Trace[i].Cause)
		switch {
		case c == from:
			c = to
		case from < c && c <= to:
			c--
		case to <= c && c < from:
			c++
		}
		run.Trace[i].Cause = int32(c)
	}
}

func TestOneEditOfAFineRunBreaksTheRuleThatSeesIt(t *testing.T) {
	body := func(entry string, n int, b sim.Body) func(*sim.Run) {
		return func(run *sim.Run) { run.Trace[find(run, entry, n)].Body = b }
	}
	without := func(entry string, n int) func(*sim.Run) {
		return func(run *sim.Run) { remove(run, find(run, entry, n)) }
	}
	before := func(entry, other string) func(*sim.Run) {
		return func(run *sim.Run) { move(run, find(run, entry, 1), find(run, other, 1)) }
	}
	for _, c := range []struct {
		name string
		edit func(*sim.Run)
		want string
	}{
		{"no edit", func(*sim.Run) {}, ""},
		{"a commit of before the cut is lost", without("Q notes commit tx1", 1), "completeness"},
		{"a record of the channel is lost", without("Q notes channel tx2", 1),
			"agreement channel-state"},
		{"a record is made for the cut before", body("Q notes channel tx3", 1, inside{"tx3", 1}),
			"agreement channel-state nesting"},
		{"a record is of another transaction", body("Q notes channel tx2", 1, inside{"tx1", 1}),
			"agreement channel-state"},
		{"a record is made twice", body("Q notes complete 1", 1, inside{"tx2", 1}), "channel-state"},
		{"receiving and drawing are swapped", before("Q notes commit tx4", "Q notes point 2"),
			"consistent-cut"},
		{"a message is sent ahead of its commit and point", before("P sends notify tx4",
			"P notes point 2"), "versions"},
		{"a commit after the cut comes before it", before("P notes commit tx3", "P notes point 1"),
			"agreement channel-state completeness"},
		{"a part is complete before its point", before("Q notes complete 1", "Q notes point 1"),
			"one-point"},
		{"a part is complete before its last message", before("Q notes complete 1",
			"Q notes channel tx2"), "completeness"},
		{"a point is drawn twice", body("Q notes complete 1", 1, point{1, 1}), "one-point"},
		{"a message carries too high a version", body("P sends notify tx1", 1, notify{"tx1", 1}),
			"versions"},
		{"a version is used again", body("Q notes point 2", 1, point{2, 1}), "versions"},
		{"a side is claimed that is wrong", body("P notes complete 2", 1,
			side{Cut: "2", Tx: "tx1", Before: false}), "agreement"},
		{"a side is claimed that is right", body("P notes complete 2", 1,
			side{Cut: "1", Tx: "tx1", Before: true}), ""},
		{"a message carries too low a version, and takes effect where it did",
			body("P sends notify tx3", 1, notify{"tx3", 0}), ""},
		{"nobody says that its part is complete", func(run *sim.Run) {
			for i := range run.Trace {
				if _, ok := run.Trace[i].Body.(whole); ok {
					run.Trace[i].Body = gossip{}
				}
			}
		}, ""},
		{"times are other times", func(run *sim.Run) {
			for i := range run.Trace {
				run.Trace[i].At = 7
			}
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := fine().run
			c.edit(run)
			v := checker.Judge(run, onTape.Properties())
			if got := strings.Join(v.Broken(), " "); got != c.want {
				t.Errorf("got %q, want %q\n%s", got, c.want, reasons(v))
			}
		})
	}
}

// reasons are the violations of a verdict.
func reasons(v checker.Verdict) string {
	var b strings.Builder
	for _, f := range v.Findings {
		if f.Violation != nil {
			fmt.Fprintf(&b, "%s: %s\n", f.Property.Name, f.Violation.Reason)
		}
	}
	return b.String()
}
