package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"pgregory.net/rapid"
)

// linksOf is what a plan does on a link: what the last entry that matches says.
func linksOf(links []sim.Link, from, to string) sim.Link {
	matches := func(end, name string) bool {
		return end == name || end == "*" && name[0] >= 'A' && name[0] <= 'Z'
	}
	for _, l := range slices.Backward(links) {
		own := from == to && (l.From == "*" || l.To == "*")
		if !own && matches(l.From, from) && matches(l.To, to) {
			return sim.Link{Delay: l.Delay, Loss: l.Loss, Duplicate: l.Duplicate}
		}
	}
	return sim.Link{}
}

func TestEachTraitOfALinkIsWhatTheLastLineSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t, nodes: []string{"P", "Q", "R"}}
		var lines []string
		said := map[string]bool{}
		single := [3][]sim.Link{} // of each trait, as if it were the only one
		for range 1 + d.upTo(8) {
			trait := d.upTo(2)
			end := func() string { return d.one("P", "Q", "R", "*") }
			l := sim.Link{From: end(), To: end()}
			if trait == 0 && d.rarely() {
				l.To = d.one("log", "client")
			}
			own := l.From == l.To && l.From != "*"
			word := []string{"delay", "loss", "duplicate"}[trait] + " " + l.From + "->" + l.To
			if own && trait != 0 || said[word] {
				continue
			}
			said[word] = true
			n := d.upTo(9)
			switch trait {
			case 0:
				l.Delay.Low = time.Duration(n) * time.Millisecond
				lines = append(lines, fmt.Sprintf("%s %dms", word, n))
			case 1:
				l.Loss = sim.PPM(n) * 10_000
				lines = append(lines, fmt.Sprintf("%s %d%%", word, n))
			case 2:
				l.Duplicate = sim.PPM(n) * 10_000
				lines = append(lines, fmt.Sprintf("%s %d%%", word, n))
			}
			single[trait] = append(single[trait], l)
		}
		text := "-- scenario --\nmodel m\nnodes P Q R\ntime runs\n" + strings.Join(lines, "\n") + "\n-- script --\n-- expect --\n* holds\n"
		s, err := scenarios.Parse("x.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		made := *s
		made.Header = nil // so that Format makes the lines of the links anew
		back, err := scenarios.Parse("x.txt", scenarios.Format(&made))
		if err != nil {
			t.Fatalf("%v in\n%s", err, scenarios.Format(&made))
		}
		for _, from := range []string{"P", "Q", "R", "log", "client"} {
			for _, to := range []string{"P", "Q", "R", "log", "client"} {
				want := sim.Link{
					Delay: linksOf(single[0], from, to).Delay, Loss: linksOf(single[1], from, to).Loss,
					Duplicate: linksOf(single[2], from, to).Duplicate,
				}
				if got := linksOf(s.Network.Links, from, to); got != want {
					t.Fatalf("%s\n%s->%s: got %+v, want %+v of %+v", text, from, to, got, want, s.Network.Links)
				}
				if got := linksOf(back.Network.Links, from, to); got != want {
					t.Fatalf("%s\nprinted as\n%s\n%s->%s: got %+v, want %+v", text, scenarios.Format(&made), from, to, got, want)
				}
			}
		}
	})
}
