package scenarios_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// blame is a request that says who breaks what: "spoilt:a right:b".
type blame string

func (blame) Kind() string { return "blame" }

// blames is the property that nobody who plays a run is said to break it.
func blames(name string) sim.Property {
	return sim.Property{Name: name, Check: func(run *sim.Run) (int, *sim.Violation) {
		for i, e := range run.Trace {
			b, is := e.Body.(blame)
			if is && strings.Contains(string(b), run.Plan.Variant.Name+":"+name) {
				return 1, &sim.Violation{Reason: "it is said so", Witness: []int{i}}
			}
		}
		return 1, nil
	}}
}

// blaming is a protocol whose one request a run is always the same. Of its variants one is spoilt,
// to break a; the one that it spoils is known to break something, or nothing.
func blaming(request, known string) *sim.Protocol {
	idle := func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }
	return &sim.Protocol{
		Name: "blaming",
		Variants: []sim.Variant{{Name: "right", Breaks: known, New: idle},
			{Name: "spoilt", Of: "right", Breaks: "a", New: idle}},
		OpWords:    []string{"blame"},
		ParseOp:    func(w []string) (sim.Op, error) { return blame(strings.Join(w, " ")), nil },
		Properties: []sim.Property{blames("a"), blames("b"), blames("c")},
		Draw: func(d *sim.Draws) []sim.Action {
			return []sim.Action{{Verb: sim.Request, Node: d.Nodes[0], Place: sim.At,
				Words: append([]string{"blame"}, strings.Fields(request)...)}}
		},
	}
}

func TestAMutantsFailureIsItsOwnIfWhatItSpoilsHolds(t *testing.T) {
	for _, c := range []struct {
		name, request string
		known         string // what the right variant is known to break
		own           bool
	}{
		{"the right variant holds", "spoilt:a", "", true},
		{"it breaks the same", "spoilt:a right:a", "", false},
		{"it breaks another property", "spoilt:a right:b", "", false},
		{"it breaks another, which is known of it", "spoilt:a right:b", "b", true},
		{"it breaks one that is known of it, and one that is not", "spoilt:a right:b right:c", "b", false},
		{"it breaks the same, and is known to break another", "spoilt:a right:a", "b", false},
		{"it is known to break the same, and does", "spoilt:a right:a", "a", false},
		{"it is known to break the same, and holds", "spoilt:a", "a", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			campaign, err := scenarios.NewCampaign(blaming(c.request, c.known), "spoilt", nil)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := campaign.Plan(7)
			if err != nil {
				t.Fatal(err)
			}
			run, err := sim.Execute(plan)
			if err != nil {
				t.Fatal(err)
			}
			f := campaign.Sweep().Judge(run)
			if len(f.Broken) != 1 || f.Broken[0] != "a" || f.Shared == c.own {
				t.Errorf("%q breaks %q, shared %v; want a, shared %v", c.request, f.Broken, f.Shared, !c.own)
			}
			if _, err := campaign.Finding(7, []string{"a"}); (err == nil) != c.own {
				t.Errorf("%q shrinks with error %v, want none: %v", c.request, err, c.own)
			}
		})
	}
}

func TestSweepPassesOverFailuresThatTheRightVariantShares(t *testing.T) {
	if testing.Short() {
		t.Skip("-short sweeps too few seeds to meet what is shared")
	}
	p := blaming("", "")
	p.Draw = func(d *sim.Draws) []sim.Action {
		words := []string{"blame", "spoilt:a"}
		if d.Seed < 4 {
			words = append(words, "right:a")
		}
		return []sim.Action{{Verb: sim.Request, Node: d.Nodes[0], Place: sim.At, Words: words}}
	}
	for _, c := range []struct {
		seeds scenarios.Seeds
		want  string
	}{
		{scenarios.Seeds{From: 1, To: 9}, "spoilt breaks a under seed 4"},
		{scenarios.Seeds{From: 1, To: 3}, "spoilt breaks a under none of 3 seeds"},
	} {
		said := swept(p, scenarios.SweepOptions{Variants: []string{"spoilt"}, Seeds: c.seeds, Dir: t.TempDir()})
		if text := strings.Join(append(said.logs, said.errors...), "\n"); !strings.Contains(text, c.want) {
			t.Errorf("a sweep of seeds %v says\n%s\nwant %q", c.seeds, text, c.want)
		}
	}
}
