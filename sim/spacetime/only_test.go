package spacetime_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
)

// only hides all entries of a run but those of one kind of body, and points of cuts.
func only(kind string, run *sim.Run) func(int) bool {
	return func(i int) bool {
		e := run.Trace[i]
		if e.Body == nil {
			return false
		}
		if _, is := run.Plan.Protocol.Point(e.Body); is && e.Kind == sim.EntryNoted {
			return false
		}
		return e.Body.Kind() != kind
	}
}

// played are the runs of all variants of a story, each of its first case.
func played(t *testing.T, p *sim.Protocol, file string) []*sim.Run {
	t.Helper()
	s := read(t, file)
	variants, err := s.Variants(p)
	if err != nil {
		t.Fatal(err)
	}
	var runs []*sim.Run
	for _, v := range variants {
		plan, err := s.Grid()[0].Scenario.Plan(p, v, s.Seeds.From)
		if err != nil {
			t.Fatal(err)
		}
		run, err := sim.Execute(plan)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	return runs
}

// sentKinds are the kinds of the messages of a run, sorted.
func sentKinds(run *sim.Run) []string {
	var kinds []string
	for _, e := range run.Trace {
		if e.Kind == sim.EntrySent || e.Kind == sim.EntryPublished {
			kinds = append(kinds, e.Body.Kind())
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// about are those of some sentences that begin with a message of a kind.
func about(sentences []string, kind string) []string {
	return slices.DeleteFunc(slices.Clone(sentences), func(s string) bool {
		return s != kind && !strings.HasPrefix(s, kind+" ")
	})
}

// those are the events of each lane without the entries that are hidden.
func those(rows [][][]int, hide func(int) bool) [][][]int {
	left := make([][][]int, len(rows))
	for lane := range rows {
		for _, event := range rows[lane] {
			if event = slices.DeleteFunc(slices.Clone(event), hide); len(event) > 0 {
				left[lane] = append(left[lane], event)
			}
		}
	}
	return left
}

// TestHidingOtherEntriesMovesNothing compares pictures of single kinds of messages with the whole ones,
// in all stories of cuts: the same messages cross the cuts, and the rows are those of the whole
// picture without what is hidden.
func TestHidingOtherEntriesMovesNothing(t *testing.T) {
	crossings := 0
	for _, p := range []*sim.Protocol{cut.Protocol, ignite.Protocol} {
		files, err := filepath.Glob("../../scenarios/" + p.Name + "/*.txt")
		if err != nil || len(files) == 0 {
			t.Fatalf("no stories of %s: %v", p.Name, err)
		}
		for _, file := range files {
			for _, run := range played(t, p, file) {
				crossings += compareOnly(t, file, run)
			}
		}
	}
	if crossings == 0 {
		t.Error("no message of any story crosses a cut")
	}
}

// compareOnly compares the pictures of the single kinds of messages of a run with the whole one.
func compareOnly(t *testing.T, file string, run *sim.Run) (crossings int) {
	t.Helper()
	o := spacetime.Options{Point: run.Plan.Protocol.Point}
	whole, rows := spacetime.Crossings(run, o), spacetime.Rows(run, o)
	for _, kind := range sentKinds(run) {
		o.Hide = only(kind, run)
		got, want := spacetime.Crossings(run, o), about(whole, kind)
		crossings += len(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s %s, only %s:\ngot  %q\nwant %q", file, run.Plan.Variant.Name, kind, got, want)
		}
		left := those(rows, o.Hide)
		for lane, got := range spacetime.Rows(run, o)[:len(run.Nodes)] {
			if want := left[lane]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s %s, only %s: rows of lane %d are\ngot  %v\nwant %v", file,
					run.Plan.Variant.Name, kind, lane, got, want)
			}
		}
	}
	return crossings
}
