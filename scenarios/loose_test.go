package scenarios_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// raceStory is a story in which P's items a and b are under way at once, to Q and to R. As it is
// written a comes first on both. It has words for its header, and verdicts.
func raceStory(header, expect string) string {
	return "-- scenario --\nmodel relay\nnodes P Q R\n" + header +
		"-- script --\nwhen P sends item a: P put b\nP put a\n-- expect --\nR items a b\n" + expect
}

func TestAStoryWhoseOutcomeDependsOnOrderIsLoose(t *testing.T) {
	r := play(t, raceStory("", "plain holds\n"), scenarios.PlayOptions{})
	p := r.Played[0]
	if p.Loose == nil || p.Got != "loose" || r.Exit() != 1 {
		t.Fatalf("got %q, exit %d, problems %v; want loose, exit 1", p.Got, r.Exit(), p.Problems)
	}
	t.Log(p.Loose)
	if len(p.Loose.Delays) != 1 || p.Loose.Delays[0].Value != 1 {
		t.Errorf("got delays %v, want one of a nanosecond", p.Loose.Delays)
	}
	first, then := p.Loose.Pairs[0].First, p.Loose.Pairs[0].Then
	if first[0] != then[0] || !strings.HasSuffix(first, " a") || !strings.HasSuffix(then, " b") {
		t.Errorf("got the pair %q and %q, want a and b on one node", first, then)
	}
	if p.Loose.Run.Hash == p.Run.Hash {
		t.Error("the other order's run is the run as written")
	}
}

func TestTheOtherOrderIsAStoryOfItsOwn(t *testing.T) {
	r := play(t, raceStory("", "plain loose\n"), scenarios.PlayOptions{})
	other := r.Played[0].Loose
	text := scenarios.Format(r.Played[0].Scenario.Pinned(other.Run.Plan))
	if again := replay(t, relaying, text); again.Hash != other.Run.Hash {
		t.Errorf("hash %016x, printed and read again %016x:\n%s", other.Run.Hash, again.Hash, text)
	}
}

func TestLooseIsExpectedOrOrderIsFixedOrNotAsked(t *testing.T) {
	for _, c := range []struct {
		name, header, expect string
		options              scenarios.PlayOptions
		exit                 int
	}{
		{"loose as expected", "", "plain loose\n", scenarios.PlayOptions{}, 0},
		{"order fixed opts out", "order fixed\n", "plain holds\n", scenarios.PlayOptions{}, 0},
		{"not asked", "", "plain holds\n", scenarios.PlayOptions{NoOrders: true}, 0},
		{"loose, but its order is fixed", "order fixed\n", "plain loose\n", scenarios.PlayOptions{}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, raceStory(c.header, c.expect), c.options)
			if r.Exit() != c.exit {
				t.Errorf("got exit %d and %v, want exit %d", r.Exit(), r.Failures(), c.exit)
			}
		})
	}
}

func TestAStoryThatHoldsItsRacesIsNotLoose(t *testing.T) {
	text := strings.Replace(raceStory("", "plain holds\n"), "when P", "hold P->* item b\nwhen P", 1)
	text = strings.Replace(text, "P put a\n", "P put a\nrelease P->* item b\n", 1)
	r := play(t, text, scenarios.PlayOptions{})
	if r.Exit() != 0 || r.Played[0].Loose != nil {
		t.Errorf("got exit %d: %v, want none", r.Exit(), r.Failures())
	}
}

func TestDrawsOfASeedDoNotMakeAStoryLoose(t *testing.T) {
	// jitter is drawn at each tick; an order's seed must shuffle deliveries and nothing else.
	text := "-- scenario --\nmodel drawing\nnodes P Q\n-- script --\nP put a\n-- expect --\n* holds\n"
	s, err := scenarios.Parse("drawing.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p := *relaying
	p.Name = "drawing"
	p.Variants = []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &gambler{} }}}
	p.Properties = []sim.Property{{Name: "zero", Check: func(run *sim.Run) (premises int, v *sim.Violation) {
		for i, e := range run.Trace {
			if h, ok := e.Body.(has); ok && run.Name(e.Node) == "Q" && h.Item != "0" {
				return 1, &sim.Violation{Reason: "drew " + h.Item, Witness: []int{i}}
			}
		}
		return 1, nil
	}}}
	r, err := scenarios.Play(s, &p, scenarios.PlayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit() != 0 {
		t.Errorf("got %v, want nothing", r.Failures())
	}
}

// gambler notes what it draws at each item.
type gambler struct{ relay }

func (g *gambler) Receive(env *sim.Env, _ sim.NodeID, _ sim.Message) {
	env.Note(has{string('0' + rune(env.Draw("coin", 9)))})
}

func TestOrdersShuffleEveryLinkThatIsNotHeld(t *testing.T) {
	for _, c := range []struct{ name, variant, then string }{
		{"datagrams", "plain/way=direct", "row b"},
		{"own work", "plain", "work b"},
		{"the way to the log", "plain/way=log", "news b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(raceStory("", c.variant+" loose\n"), "sends item a", "notes has a", 1)
			r := play(t, text, scenarios.PlayOptions{})
			if r.Exit() != 0 {
				t.Fatalf("got %v, want loose", r.Failures())
			}
			pair := r.Played[0].Loose.Pairs[0]
			// which of the steps that lead from a is turned around depends on the seed
			if !strings.HasSuffix(pair.First, " a") || !strings.HasSuffix(pair.Then, "'s "+c.then) {
				t.Errorf("got %v, want a step from a before or after %s", pair, c.then)
			}
		})
	}
}

func TestWhatIsHeldKeepsItsOrder(t *testing.T) {
	for _, c := range []struct{ name, variant, link string }{
		{"datagrams", "plain/way=direct", "P->*"},
		{"messages of a stream", "rows", "P->*"},
		{"news on the way to the log", "plain/way=log", "P->log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(raceStory("", c.variant+" holds\n"), "sends item a", "notes has a", 1)
			text = strings.Replace(text, "when", "hold "+c.link+"\nwhen", 1)
			text = strings.Replace(text, "P put a\n", "P put a\nrelease "+c.link+"\n", 1)
			if r := play(t, text, scenarios.PlayOptions{}); r.Exit() != 0 {
				t.Errorf("got %v, want none of\n%s", r.Failures(), text)
			}
		})
	}
}

func TestAStreamKeepsItsOrder(t *testing.T) {
	text := strings.Replace(raceStory("", "rows holds\n"), "sends item a", "notes has a", 1)
	if r := play(t, text, scenarios.PlayOptions{}); r.Exit() != 0 {
		t.Errorf("got %v, want none", r.Failures())
	}
}
