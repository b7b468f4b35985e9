package spacetime_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
)

// band is a stretch of the axis that an SVG shows.
type band struct{ from, to int }

// bands are the bands of an SVG.
func bands(svg []byte) []band {
	var all []band
	for _, m := range regexp.MustCompile(`<svg x=.* viewBox='(\d+) 0 (\d+) `).FindAllStringSubmatch(string(svg), -1) {
		var from, width int
		fmt.Sscan(m[1], &from)
		fmt.Sscan(m[2], &width)
		all = append(all, band{from, from + width})
	}
	return all
}

// divided are the labels of events that no band shows whole, though one is wide enough.
func divided(t interface{ Fatal(...any) }, svg []byte) (labels int, cut []string) {
	all, err := elements(svg)
	if err != nil {
		t.Fatal(err)
	}
	stretches := bands(svg)
	for _, e := range all {
		half := 7 * utf8.RuneCountInString(e.text) / 2
		if e.class != "label halo" {
			continue
		}
		labels++
		shows := func(b band) bool { return b.from <= e.x-half && e.x+half <= b.to }
		if !slices.ContainsFunc(stretches, shows) {
			cut = append(cut, fmt.Sprintf("%q at %d", e.text, e.x))
		}
	}
	return labels, cut
}

func TestNoBandDividesALabel(t *testing.T) {
	labels := 0
	for _, run := range played(t, ignite.Protocol, "../../scenarios/ignite/s05-vote-crosses.txt") {
		n, cut := divided(t, spacetime.SVG(run, spacetime.Options{Point: ignite.Protocol.Point}))
		if labels += n; len(cut) > 0 {
			t.Fatalf("%s: bands divide %q", run.Plan.Variant.Name, cut)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		o := spacetime.Options{Point: point, Width: rapid.IntRange(70, 130).Draw(t, "width")}
		n, cut := divided(t, spacetime.SVG(run, o))
		if labels += n; len(cut) > 0 {
			t.Fatalf("bands divide %q", cut)
		}
	})
	if labels == 0 {
		t.Error("no event had a label")
	}
}

// factsOf counts the facts of a kind.
func factsOf(run *sim.Run, kind string) int {
	n := 0
	for _, e := range run.Trace {
		if e.Kind == sim.EntryNoted && e.Body.Kind() == kind {
			n++
		}
	}
	return n
}

func TestWhereKindsAreManyNoneGoesWithoutSaying(t *testing.T) {
	run := played(t, ignite.Protocol, "../../scenarios/ignite/s05-vote-crosses.txt")[0]
	all, err := elements(spacetime.SVG(run, spacetime.Options{Point: ignite.Protocol.Point}))
	if err != nil {
		t.Fatal(err)
	}
	var labels, notes []string
	for _, e := range all {
		switch e.class {
		case "label halo":
			labels = append(labels, e.text)
		case "note":
			notes = append(notes, e.text)
		}
	}
	if got, want := strings.Count(strings.Join(labels, " "), "made "), factsOf(run, "made"); got != want {
		t.Errorf("%d labels say made, want %d: %q", got, want, labels)
	}
	if want := "▾ request\u2003■ point of a cut"; notes[0] != want {
		t.Errorf("the legend is %q, want %q", notes[0], want)
	}
}
