package scenarios_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// tally is what a trace says of where its nodes may crash, counted without what the search shares.
type tally struct {
	effects map[string]int // by node, effect, and of what is sent, written or published its kind and keys
	places  int            // one before each effect, one after the last of each handler, one for a silent one
	runs    int            // with everything that may stay of the unsynced records, and both restarts
}

// count counts the effects of a trace up to its epilogue. The disk must be fast.
func count(run *sim.Run) tally {
	c := tally{effects: map[string]int{}}
	unsynced, at := make([]int, len(run.Nodes)), make([]int, run.Epilogue)
	last := map[int32]int{} // effect of a handler
	begins := func(i int32) bool {
		return i >= 0 && (search.TakesUp(run.Trace[i].Kind) || run.Trace[i].Kind == sim.EntrySynced)
	}
	place := func(n int) { c.places, c.runs = c.places+1, c.runs+2*(1+2*n) }
	for i := range run.Trace[:run.Epilogue] {
		e := &run.Trace[i]
		was := 0
		if int(e.Node) < len(unsynced) {
			was = unsynced[e.Node]
		}
		effect, of := "", e.Body
		switch e.Kind {
		case sim.EntrySent, sim.EntryQueued:
			effect = "send"
			if e.Peer == sim.ClientEnd {
				effect, of = "return", nil
			}
		case sim.EntryAppended:
			effect = "append"
			unsynced[e.Node]++
		case sim.EntryReplaced:
			effect = "append"
		case sim.EntryPublished:
			effect = "publish"
		case sim.EntryFlushed:
			effect, of = "sync", nil
		case sim.EntrySynced:
			unsynced[e.Node] = 0
			if begins(e.Cause) {
				effect, of = "sync", nil
			}
		case sim.EntryCrashed:
			unsynced[e.Node] = 0
		case sim.EntryReturned, sim.EntryRefused, sim.EntryLate:
			if of = nil; begins(e.Cause) {
				effect = "return"
			}
		}
		if int(e.Node) < len(unsynced) {
			at[i] = unsynced[e.Node]
		}
		if effect == "" {
			continue
		}
		name := run.Name(e.Node) + " " + effect
		if of != nil {
			name += " " + of.Kind() + " " + strings.Join(sim.KeysOf(of), " ")
		}
		c.effects[strings.TrimSpace(name)]++
		place(was)
		last[e.Cause] = i
	}
	for i := range run.Trace[:run.Epilogue] {
		if crashes(run, i) {
			continue // where it falls it falls already
		}
		if k, has := last[int32(i)]; has {
			place(at[k])
		} else if search.TakesUp(run.Trace[i].Kind) && named(run, i) {
			place(at[i])
		}
	}
	return c
}

// crashes says that a node crashes in a handler.
func crashes(run *sim.Run, handler int) bool {
	return slices.ContainsFunc(run.Trace, func(e sim.Entry) bool {
		return e.Kind == sim.EntryCrashed && e.Node == run.Trace[handler].Node && int(e.Cause) == handler
	})
}

// named says that there is something for a trigger to wait for in a handler.
func named(run *sim.Run, handler int) bool {
	switch run.Trace[handler].Kind {
	case sim.EntryDelivered, sim.EntryWorked, sim.EntryLogged, sim.EntryFired:
		return true
	}
	return slices.ContainsFunc(run.Trace[:run.Epilogue], func(e sim.Entry) bool {
		return e.Kind == sim.EntryNoted && int(e.Cause) == handler
	})
}

// lacking is what a search has not crashed of what a trace says it could have, and the other way
// round.
func lacking(c tally, points []search.Point) []string {
	got := map[string]int{}
	for _, p := range points {
		side, effect, _ := strings.Cut(p.Name.To, " ")
		if side != "before" {
			continue
		}
		name := p.Node + " " + effect
		if effect != "sync" && effect != "return" {
			name += " " + p.Name.Of + " " + p.Name.Keys
		}
		got[strings.TrimSpace(name)]++
	}
	var all []string
	for name, n := range c.effects {
		if got[name] != n {
			all = append(all, fmt.Sprintf("%s happens %d times, and %d crashes come before it", name, n, got[name]))
		}
		delete(got, name)
	}
	for name := range got {
		all = append(all, "a crash comes before "+name+", which never happens")
	}
	if len(points) != c.places {
		all = append(all, fmt.Sprintf("%d places, want %d", len(points), c.places))
	}
	slices.Sort(all)
	return all
}

// stories are all stories of a folder that are no grids, with the variants that they play.
func stories(t *testing.T, p *sim.Protocol, f func(s *scenarios.Scenario, variant string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.Name, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories of %s: %v", p.Name, err)
	}
	for _, file := range files {
		s := read(t, file)
		variants, err := s.Variants(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variants {
			if len(s.Vary) == 0 {
				f(s, v)
			}
		}
	}
}

// TestEveryEffectOfEveryStoryIsABoundary compares what the engine keeps with the trace, for all
// stories, and that to keep it changes nothing.
func TestEveryEffectOfEveryStoryIsABoundary(t *testing.T) {
	played := 0
	for _, p := range []*sim.Protocol{cut.Protocol, register.Protocol} {
		stories(t, p, func(s *scenarios.Scenario, variant string) {
			_, x := campaign(t, p, s, variant, s.Seeds.From)
			plain, err := sim.Execute(x.Plan)
			if err != nil {
				t.Fatal(err)
			}
			run, err := new(sim.World).Execute(x.Plan, sim.Options{Boundaries: true})
			if err != nil {
				t.Fatal(err)
			}
			if run.Hash != plain.Hash {
				t.Errorf("%s, %s: hash %016x, with boundaries kept %016x", s.File, variant, plain.Hash, run.Hash)
			}
			if x.Plan.Network.DiskSlow {
				return // a sync that a crash cut off leaves no trace
			}
			came := 0
			for _, b := range run.Boundaries {
				if b.Left >= 0 {
					came++
				}
			}
			want := 0
			for _, n := range count(run).effects {
				want += n
			}
			if came != want {
				t.Errorf("%s, %s: %d effects in the trace, %d boundaries", s.File, variant, want, came)
			}
			played++
		})
	}
	if played < 100 {
		t.Errorf("only %d runs were compared", played)
	}
}

func TestCrashPointsAreComplete(t *testing.T) {
	for _, c := range []struct {
		model          *sim.Protocol
		story, variant string
	}{
		{register.Protocol, twoWrites, "abd"}, {register.Protocol, twoWrites, "told-first"},
		{register.Protocol, twoWrites, "unsynced"}, {cut.Protocol, twoCommits, "signed"},
		{cut.Protocol, twoCommits, "markers"}, {cut.Protocol, oneCut, "forgetful"},
	} {
		_, x := crashing(t, c.model, c.story, c.variant)
		if c.model == cut.Protocol {
			x.Crashes = 2
		}
		r := crashPoints(t, x)
		run, err := sim.Execute(x.Plan)
		if err != nil {
			t.Fatal(err)
		}
		want := count(run)
		if got := lacking(want, r.Points); len(got) > 0 {
			t.Errorf("%s: %s", c.variant, strings.Join(got, "\n\t"))
		}
		if r.OfSingles != want.runs || len(r.Singles) != want.runs {
			t.Errorf("%s: %d single crashes of %d were played, want %d", c.variant, len(r.Singles),
				r.OfSingles, want.runs)
		}
		plant(t, c.variant, want, r.Points)
		if x.Crashes == 2 {
			pairs(t, c.variant, x, r)
		}
		prefixes(t, c.variant, run, r)
	}
}

// plant leaves out the places of one effect after the other: that must not pass.
func plant(t *testing.T, variant string, want tally, points []search.Point) {
	t.Helper()
	for _, effect := range []string{"append", "sync", "send", "return"} {
		fewer := slices.DeleteFunc(slices.Clone(points), func(p search.Point) bool { return p.Effect == effect })
		if len(fewer) < len(points) && len(lacking(want, fewer)) == 0 {
			t.Errorf("%s: nobody misses the crashes at each %s", variant, effect)
		}
	}
	silent := slices.DeleteFunc(slices.Clone(points), func(p search.Point) bool { return p.When != nil })
	if len(silent) < len(points) && len(lacking(want, silent)) == 0 {
		t.Errorf("%s: nobody misses the crashes after handlers without effects", variant)
	}
}

// pairs counts anew what comes after each first crash: everything in the trace of that run behind
// the crash, for runs that are not the same.
func pairs(t *testing.T, variant string, x *search.Crashing, r *search.CrashPoints) {
	t.Helper()
	want := 0
	type same struct {
		hash [2]uint64
		torn bool
	}
	seen := map[same]bool{}
	for _, s := range r.Singles {
		k := same{s.Hash, s.Hits[0].Torn}
		if seen[k] {
			continue
		}
		seen[k] = true
		run, err := sim.Execute(search.WithCrashes(x.Plan, s.Hits))
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(run.Trace, func(e sim.Entry) bool { return e.Kind == sim.EntryCrashed })
		whole := count(run)
		run.Epilogue = at + 1
		want += whole.runs - count(run).runs
	}
	if r.OfPairs != want || len(r.Pairs) != want {
		t.Errorf("%s: %d pairs of %d were played, want %d", variant, len(r.Pairs), r.OfPairs, want)
	}
}

// prefixes wants each prefix of each log of the run to be recovered from, whole and torn.
func prefixes(t *testing.T, variant string, run *sim.Run, r *search.CrashPoints) {
	t.Helper()
	length := make([]int64, len(run.Nodes))
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Kind == sim.EntryAppended {
			length[e.Node] = max(length[e.Node], e.N)
		}
	}
	for id, n := range length {
		for rows := range n + 1 {
			whole, torn := 0, 0
			for _, l := range r.Logs() {
				if l.Node == run.Name(sim.NodeID(id)) && l.Rows == rows {
					whole, torn = whole+l.Whole.Runs, torn+l.Torn.Runs
				}
			}
			if whole == 0 || rows > 0 && torn == 0 {
				t.Errorf("%s: %s recovers from %d of its %d records in %d runs, with the last torn in %d",
					variant, run.Name(sim.NodeID(id)), rows, n, whole, torn)
			}
		}
	}
}
