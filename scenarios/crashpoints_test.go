package scenarios_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// twoWrites is a story of register that no variant but those that want no crash breaks. A's second
// write hears of its first one from C, which has not heard of it, and from its own disk.
const twoWrites = `-- scenario --
model  register
nodes  A B C

-- script --
hold A->C store x 1
A write x 1
hold B->A answer x
A write x 2

-- expect --
abd  holds
`

// twoCommits is a story of cut: two transactions, and no cut that they could cross.
const twoCommits = `-- scenario --
model  cut
nodes  P Q

-- script --
P commit tx1
check Q data tx1
Q commit tx2

-- expect --
signed  holds
`

// oneCut is a story of cut that forgets nothing but in a crash.
const oneCut = `-- scenario --
model  cut
nodes  P Q

-- script --
P cut 1
hold P->Q notify tx1
P commit tx1
check P side tx1 after
Q cut 1
release P->Q notify tx1

-- expect --
signed  holds
`

// tornTwice is the story of register in which B writes twice.
const tornTwice = `-- scenario --
model  register
nodes  A B

-- script --
A write x 1
A write x 2

-- expect --
abd  holds
`

// crashing is the search for crash points of a story in text.
func crashing(t *testing.T, p *sim.Protocol, text, variant string) (*scenarios.Campaign,
	*search.Crashing) {
	t.Helper()
	s, err := scenarios.Parse("crash.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return campaign(t, p, s, variant, s.Seeds.From)
}

func campaign(t *testing.T, p *sim.Protocol, s *scenarios.Scenario, variant string, seed uint64) (
	*scenarios.Campaign, *search.Crashing) {
	t.Helper()
	c, err := scenarios.NewCampaign(p, variant, s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Crashing(seed)
	if err != nil {
		t.Fatal(err)
	}
	return c, x
}

func crashPoints(t *testing.T, x *search.Crashing) *search.CrashPoints {
	t.Helper()
	r, err := x.CrashPoints()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// breaking is the cells of a table that say that something breaks: "A after append stored x 1,
// before sync stored x 1: now lost one-tag".
func breaking(r *search.CrashPoints) []string {
	var all []string
	tails := []string{"lost", "kept", "torn"}
	for _, row := range r.Rows() {
		for back, cells := range map[string][3]search.Cell{"end": row.End, "now": row.Now} {
			for tail, c := range cells {
				if len(c.New) > 0 {
					all = append(all, fmt.Sprintf("%s %s: %s %s %s", row.Node, row.Phase, back, tails[tail],
						strings.Join(c.New, " ")))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

func TestCrashPointsNameExactlyThePhasesThatBreak(t *testing.T) {
	for _, c := range []struct {
		name    string
		model   *sim.Protocol
		story   string
		variant string
		want    []string
	}{
		{"a register that syncs before it speaks breaks nowhere", register.Protocol, twoWrites, "abd", nil},
		{
			// The tag 1.A lives on B and nowhere on A from the first message on until it is on A's disk. If A
			// forgets it there and lives to write 2, it chooses 1.A again. At any later place A's own disk has
			// it; if A is back only at the end, it writes nothing more.
			"a write that is told of before it is stored breaks from the telling to the sync",
			register.Protocol, twoWrites, "told-first", []string{
				"A after append stored x 1, before sync stored x 1: now lost one-tag",
				"A after append stored x 1, before sync stored x 1: now torn one-tag",
				"A after send store x 1 2nd to C, before append stored x 1: now lost one-tag",
				"A after send store x 1 to B, before send store x 1 2nd to C: now lost one-tag",
			},
		},
		{"a cut that syncs before it tells breaks nowhere", cut.Protocol, twoCommits, "signed", nil},
		{
			// Whoever is told of a transaction commits it. It is on no disk of its origin from the first
			// message on until the sync, however soon the origin is back.
			"a commit that is told of before it is stored breaks from the telling to the sync",
			cut.Protocol, twoCommits, "told-first", []string{
				"P after append committed tx1, before sync committed tx1: end lost durable",
				"P after append committed tx1, before sync committed tx1: end torn durable",
				"P after append committed tx1, before sync committed tx1: now lost durable",
				"P after append committed tx1, before sync committed tx1: now torn durable",
				"P after send notify tx1 to Q, before append committed tx1: end lost durable",
				"P after send notify tx1 to Q, before append committed tx1: now lost durable",
				"Q after append committed tx2, before sync committed tx2: end lost durable",
				"Q after append committed tx2, before sync committed tx2: end torn durable",
				"Q after append committed tx2, before sync committed tx2: now lost durable",
				"Q after append committed tx2, before sync committed tx2: now torn durable",
				"Q after send notify tx2 to P, before append committed tx2: end lost durable",
				"Q after send notify tx2 to P, before append committed tx2: now lost durable",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, x := crashing(t, c.model, c.story, c.variant)
			r := crashPoints(t, x)
			if len(r.Base.Broken) > 0 {
				t.Fatalf("%s breaks %q without a crash", c.variant, r.Base.Broken)
			}
			if got := breaking(r); !slices.Equal(got, c.want) {
				t.Errorf("%s breaks at\n\t%s\nwant\n\t%s", c.variant, strings.Join(got, "\n\t"),
					strings.Join(c.want, "\n\t"))
			}
			if !r.Complete() {
				t.Errorf("%d of %d single crashes were played", len(r.Singles), r.OfSingles)
			}
		})
	}
}

// TestASecondCrashBreaksWhatOneDoesNot needs both: one that tears the record of 1, of which nobody
// was told yet, and one after 2, which is written behind the torn record and acknowledged.
func TestASecondCrashBreaksWhatOneDoesNot(t *testing.T) {
	_, x := crashing(t, register.Protocol, tornTwice, "stops-at-torn")
	x.Crashes = 2
	r := crashPoints(t, x)
	if got := breaking(r); len(got) > 0 {
		t.Errorf("one crash breaks %q", got)
	}
	found := false
	for _, s := range r.Pairs {
		if len(s.New) == 0 {
			continue
		}
		first, second := s.Hits[0], s.Hits[1]
		if !first.Torn || !first.Now || first.Node != second.Node {
			t.Errorf("%v breaks %q: want the first torn and back at once, and both of one node",
				scenarios.CrashLines(s.Hits), s.New)
		}
		found = found || first.Node == "B" && second.Phase == "after send ack x 2.A to A"
	}
	if !found {
		t.Errorf("no pair of crashes breaks stops-at-torn after B's ack of 2.A: %d of %d pairs were played",
			len(r.Pairs), r.OfPairs)
	}
	_, x = crashing(t, register.Protocol, tornTwice, "abd")
	x.Crashes = 2
	if r := crashPoints(t, x); len(r.Pairs) == 0 || !r.Complete() || len(broken(r)) > 0 {
		t.Errorf("abd under %d of %d pairs breaks %q", len(r.Pairs), r.OfPairs, broken(r))
	}
}

func broken(r *search.CrashPoints) []string {
	var all []string
	for _, s := range slices.Concat(r.Singles, r.Pairs) {
		all = append(all, s.Broken...)
	}
	return all
}

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
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenarios.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
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

func TestCrashPointsDoNotDependOnJobs(t *testing.T) {
	for _, most := range []int{10_000, 300, 20} {
		var all []*search.CrashPoints
		for _, jobs := range []int{1, 3} {
			_, x := crashing(t, cut.Protocol, oneCut, "forgetful")
			x.Crashes, x.Most, x.Jobs = 2, most, jobs
			r := crashPoints(t, x)
			if r.Runs() > most || !r.Complete() && r.Runs() < most {
				t.Errorf("%d runs of at most %d, complete: %v", r.Runs(), most, r.Complete())
			}
			all = append(all, r)
		}
		if !reflect.DeepEqual(all[0], all[1]) {
			t.Errorf("with at most %d runs, 1 job and 3 come to different crash points", most)
		}
	}
}

func TestASampleOfCrashesIsThatOfItsSeed(t *testing.T) {
	sample := func(seed uint64) []string {
		_, x := crashing(t, register.Protocol, twoWrites, "abd")
		x.Crashes, x.Most, x.Seed = 2, 400, seed
		var lines []string
		for _, s := range crashPoints(t, x).Pairs {
			lines = append(lines, strings.Join(scenarios.CrashLines(s.Hits), "; "))
		}
		return lines
	}
	first := sample(1)
	if again := sample(1); !slices.Equal(first, again) {
		t.Error("two samples of one seed differ")
	}
	if other := sample(2); slices.Equal(first, other) {
		t.Error("seeds 1 and 2 choose the same pairs")
	}
	slices.Sort(first)
	if n := len(slices.Compact(slices.Clone(first))); n != len(first) {
		t.Errorf("a sample of %d has %d different pairs", len(first), n)
	}
}

func TestStoriesOfCrashesReplayToTheirVerdict(t *testing.T) {
	for _, c := range []struct {
		model          *sim.Protocol
		story, variant string
		crashes, least int
	}{
		{register.Protocol, twoWrites, "told-first", 1, 4}, {cut.Protocol, twoCommits, "told-first", 1, 12},
		{register.Protocol, tornTwice, "stops-at-torn", 2, 10}, {cut.Protocol, oneCut, "forgetful", 1, 10},
	} {
		campaign, x := crashing(t, c.model, c.story, c.variant)
		x.Crashes = c.crashes
		r := crashPoints(t, x)
		written := 0
		for _, s := range slices.Concat(r.Singles, r.Pairs) {
			if len(s.New) == 0 || s.Same || written >= c.least && (s.Hash[0]+s.Hash[1])%7 > 0 {
				continue // a part of them is enough
			}
			f, err := campaign.Struck(x, &s)
			if err != nil {
				t.Fatal(err)
			}
			text, err := f.Text("found.txt")
			if err != nil {
				t.Fatalf("%q: %v", scenarios.CrashLines(s.Hits), err)
			}
			replayed(t, c.model, c.variant, text)
			written++
		}
		if written < c.least {
			t.Errorf("%s: %d stories, want at least %d", c.variant, written, c.least)
		}
	}
}

// replayed plays a story and wants everything in it to be as it says, stale lines included.
func replayed(t *testing.T, p *sim.Protocol, variant string, text []byte) {
	t.Helper()
	s, err := scenarios.Parse("found.txt", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := scenarios.Format(s); !bytes.Equal(again, text) {
		t.Errorf("not canonical:\n%s\nwant\n%s", text, again)
	}
	report, err := scenarios.Play(s, p, scenarios.PlayOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !report.Met() {
		t.Errorf("%s: %s\n%s", variant, strings.Join(report.Failures(), "\n"), text)
	}
}

// TestCrashPointsOfATimedStoryAreThoseOfItsPinnedRun uses a story with delays, losses and crashes
// by chance.
func TestCrashPointsOfATimedStoryAreThoseOfItsPinnedRun(t *testing.T) {
	const story = `-- scenario --
model    register
nodes    A B C
time     runs
seeds    1..9
delay    1ms..20ms
loss     5%
crash    4%
restart  5ms..30ms
disk     torn 20%

-- script --
A write x 1
at 30ms B write x 2
at 60ms C read x
at 90ms A read x

-- expect --
abd  holds
`
	crashed := false
	for seed := uint64(1); seed <= 9; seed++ {
		s, err := scenarios.Parse("timed.txt", []byte(story))
		if err != nil {
			t.Fatal(err)
		}
		_, x := campaign(t, register.Protocol, s, "abd", seed)
		if x.Plan.Seed != 0 {
			t.Fatalf("seed %d is not pinned", seed)
		}
		run, err := sim.Execute(x.Plan)
		if err != nil {
			t.Fatal(err)
		}
		crashes := slices.ContainsFunc(run.Trace, func(e sim.Entry) bool { return e.Kind == sim.EntryCrashed })
		crashed = crashed || crashes
		r := crashPoints(t, x)
		if got := broken(r); len(got) > 0 || !r.Complete() {
			t.Errorf("seed %d: abd breaks %q, complete: %v", seed, got, r.Complete())
		}
		if got := lacking(count(run), r.Points); len(got) > 0 {
			t.Errorf("seed %d: %s", seed, strings.Join(got, "\n\t"))
		}
		for _, s := range r.Singles {
			if s.Missed {
				t.Errorf("seed %d: the crash did not fall: %s", seed, scenarios.CrashLines(s.Hits))
			}
		}
	}
	if !crashed {
		t.Error("no seed has a crash by chance")
	}
}

// TestLaterCrashesKeepWhatIsSaidOfThem puts a crash before one that the plan has already.
func TestLaterCrashesKeepWhatIsSaidOfThem(t *testing.T) {
	plan := &sim.Plan{Chance: []sim.Exception{
		{Name: sim.Name{What: sim.RestartIn, At: "P", N: 1}, Value: 7},
		{Name: sim.Name{What: sim.KeepRows, At: "P", N: 2}, Value: 3},
		{Name: sim.Name{What: sim.Tear, At: "Q", N: 2}, Value: 1},
	}}
	p := &search.Point{Node: "P", Crash: 2, Name: sim.Name{What: sim.CrashAt, At: "P", To: "before sync"}}
	got := search.WithCrashes(plan, []search.Hit{{Point: p, Keeps: 1, Torn: true, Now: true}})
	var lines []string
	for _, e := range got.Chance {
		lines = append(lines, scenarios.ExceptionText(e))
	}
	want := []string{"restart P after 6ns", "keep P 3 3rd", "torn Q 2nd", "crash P before sync", "keep P 1 2nd",
		"torn P 2nd", "restart P 2nd after 0s"}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q\nwant %q", lines, want)
	}
	if plan.Chance[1].Name.N != 2 {
		t.Error("the plan itself was changed")
	}
}
