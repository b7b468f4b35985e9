package scenarios_test

import (
	"fmt"
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
