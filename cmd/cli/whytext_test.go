package cli_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// TestWhySaysHowSureItIs has the same run of four steps with other shares of failing futures.
func TestWhySaysHowSureItIs(t *testing.T) {
	run := &sim.Run{Nodes: []string{"P", "Q"}, Trace: []sim.Entry{{Kind: sim.EntryStarted, Node: 0},
		{Kind: sim.EntryStarted, Node: 1}, {Kind: sim.EntryPaused, Node: 0}, {Kind: sim.EntryPaused, Node: 1}}}
	steps := []search.Step{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 4}}
	for _, c := range []struct {
		name                           string
		before, after, doomed, futures int
		want                           string
	}{
		{"all fail after it", 31, 64, 1, 64, "guilty  [1] Q starts; of 64 futures 31 fail that begin before it, and 64 after it"},
		{"most do, and none is left after another", 14, 42, 3, 64, "guilty  [1] Q starts; failing futures jump most here, from 14 to 42 of 64: " +
			"the order drawn anew, faults as they were; all fail after [3] Q pauses"},
		{"most do, and some are left to the end", 14, 42, -1, 64, "guilty  [1] Q starts; failing futures jump most here, from 14 to 42 of 64: " +
			"the order drawn anew, faults as they were"},
		{"the jump is noise", 13, 15, 3, 16, "guilty  no single event: no jump of the share of failing futures is more than noise,; " +
			"the greatest is from 13 to 15 of 16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, line := range cli.Guilty(&search.Answer{Run: run, Steps: steps, Guilty: 1, Before: c.before,
				After: c.after, Doomed: c.doomed, Curve: search.Curve{Futures: c.futures}}) {
				if len(line) > 110 {
					t.Errorf("a line has %d columns, want at most 110: %s", len(line), line)
				}
				got = append(got, strings.TrimSpace(line))
			}
			text := strings.Join(got, "; ")
			if !strings.HasPrefix(text, c.want) || strings.Contains(text, "all fail after") != strings.Contains(c.want, "all fail after") {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

func TestADiffThatATestShowsIsCapped(t *testing.T) {
	wide := strings.Repeat("| a cell ", 100) + "\n"
	got := cli.Brief(strings.Repeat("old "+wide, 300), strings.Repeat("new "+wide, 300))
	if lines := strings.Count(got, "\n"); lines != 41 || len(got) > 10_000 {
		t.Errorf("it has %d lines and %d bytes, want 40 lines and a count in at most 10,000:\n%s", lines, len(got), got)
	}
	if !strings.HasSuffix(got, "... 563 lines more of the diff ...\n") {
		t.Errorf("it ends with %q, want the number of lines that are left out, 563", got[max(0, len(got)-50):])
	}
	if short := cli.Brief("a\nb\n", "a\nc\n"); short != "--- was\n+++ now\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n" {
		t.Errorf("a short one is %q, want it as it is", short)
	}
}
