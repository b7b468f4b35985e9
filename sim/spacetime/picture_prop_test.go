package spacetime_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
)

// draw is a run of two to seven nodes and up to 150 events.
func draw(t *rapid.T) *sim.Run {
	size, steps := rapid.IntRange(2, 7).Draw(t, "nodes"), rapid.IntRange(0, 150).Draw(t, "events")
	return random(mix(rapid.Uint64().Draw(t, "seed")), size, steps)
}

// drawMarks are some entries of a run.
func drawMarks(t *rapid.T, run *sim.Run) []int {
	return rapid.SliceOfN(rapid.IntRange(0, len(run.Trace)-1), 0, 3).Draw(t, "marks")
}

func TestTextKeepsItsMeasures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		o := spacetime.Options{Point: point, Mark: drawMarks(t, run), ASCII: rapid.Bool().Draw(t, "ascii"),
			Width: rapid.IntRange(20, 130).Draw(t, "width"), Height: rapid.SampledFrom([]int{0, 16, 30, 80}).Draw(t, "height")}
		text := spacetime.Text(run, o)
		if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
			t.Fatalf("want lines of UTF-8, got %q", text)
		}
		if got := strings.Count(text, "\n"); o.Height > 0 && got > o.Height {
			t.Fatalf("got %d lines, want at most %d:\n%s", got, o.Height, text)
		}
		for line := range strings.Lines(text) {
			if got := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); got > o.Width {
				t.Fatalf("a line has %d columns, want at most %d: %q", got, o.Width, line)
			}
			if i := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); o.ASCII && i >= 0 {
				t.Fatalf("%q is not ASCII: %q", line[i:], line)
			}
		}
	})
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColourChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		o := spacetime.Options{Point: point, Mark: drawMarks(t, run)}
		plain := spacetime.Text(run, o)
		if strings.Contains(plain, "\x1b") {
			t.Fatalf("want no colours, got %q", plain)
		}
		o.Colour = true
		if got := escapes.ReplaceAllString(spacetime.Text(run, o), ""); got != plain {
			t.Fatalf("without its colours got\n%s\nwant\n%s", got, plain)
		}
	})
}

func TestEqualRunsHaveEqualPictures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, size, steps := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(2, 7).Draw(t, "nodes"), rapid.IntRange(0, 150).Draw(t, "events")
		o := spacetime.Options{Point: point}
		one, two := random(mix(seed), size, steps), random(mix(seed), size, steps)
		if a, b := spacetime.Text(one, o), spacetime.Text(two, o); a != b {
			t.Fatalf("two texts of one run:\n%s\n%s", a, b)
		}
		if a, b := spacetime.SVG(one, o), spacetime.SVG(two, o); !bytes.Equal(a, b) {
			t.Fatalf("two SVGs of one run:\n%s\n%s", a, b)
		}
	})
}

// goesWithoutSaying are the entries that a picture leaves out by itself: first starts that did
// nothing, and an epilogue in which nothing happens.
func goesWithoutSaying(run *sim.Run, i int) bool {
	e := run.Trace[i]
	last := i+1 == len(run.Trace)
	return e.Kind == sim.EntryEpilogue && last ||
		e.Kind == sim.EntryStarted && e.N == 1 && (last || int(run.Trace[i+1].Cause) != i)
}

// missing are the entries of a window whose numbers are not among ranges of numbers.
func missing(run *sim.Run, from, to int, ranges []string, hidden func(int) bool) []string {
	seen := make([]bool, len(run.Trace))
	for _, r := range ranges {
		low, high, _ := strings.Cut(r, "-")
		first, _ := strconv.Atoi(low)
		last := first
		if high != "" {
			last, _ = strconv.Atoi(high)
		}
		for i := first; i <= last && i < len(seen); i++ {
			seen[i] = true
		}
	}
	var missed []string
	for i := from; i < to; i++ {
		if !seen[i] && !goesWithoutSaying(run, i) && !hidden(i) {
			missed = append(missed, fmt.Sprint(i, " ", run.Trace[i].Kind))
		}
	}
	return missed
}

// level says that a picture has level lines: they begin with the nodes' names.
func level(text string) bool { return regexp.MustCompile(`(?m)^[P-Z] `).MatchString(text) }

// numbers are the ranges of entries in front of the lines of an upright picture.
func numbers(text string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^ *\*?(\d[\d,-]*) `).FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Split(m[1], ",")...)
	}
	return all
}

func TestEveryEntryIsInTheUprightPicture(t *testing.T) {
	upright := 0
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		from := rapid.IntRange(0, len(run.Trace)).Draw(t, "from")
		to := rapid.IntRange(from, len(run.Trace)).Draw(t, "to")
		hide := rapid.SampledFrom([]func(int) bool{
			func(int) bool { return false },
			func(i int) bool { return run.Trace[i].Kind == sim.EntryFired || run.Trace[i].Kind == sim.EntryAppended },
			func(i int) bool { return run.Trace[i].Node == 1 },
		}).Draw(t, "hide")
		o := spacetime.Options{Point: point, From: from, To: to, Hide: hide, Width: 70}
		text := spacetime.Text(run, o)
		if to == 0 || level(text) {
			return
		}
		upright++
		if got := missing(run, from, to, numbers(text), hide); len(got) > 0 {
			t.Fatalf("%v of %d to %d are not in\n%s", got, from, to, text)
		}
	})
	if upright == 0 {
		t.Error("no picture was upright")
	}
}

// element is an element of an SVG with its text.
type element struct {
	name, class, text string
	x, y              int
}

// elements are the elements of an SVG, an error if it is no XML.
func elements(svg []byte) ([]element, error) {
	var all []element
	d := xml.NewDecoder(bytes.NewReader(svg))
	var open []int
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local}
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "class":
					e.class = a.Value
				case "x":
					e.x, _ = strconv.Atoi(a.Value)
				case "y":
					e.y, _ = strconv.Atoi(a.Value)
				}
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(token)
			}
		}
	}
}

func TestEveryEntryIsInTheSVG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		all, err := elements(spacetime.SVG(run, spacetime.Options{Point: point, Width: rapid.IntRange(60, 300).Draw(t, "width")}))
		if err != nil {
			t.Fatal(err)
		}
		var ranges []string
		for _, e := range all {
			if m := regexp.MustCompile(`^(\d[\d, -]*?)( |:)`).FindStringSubmatch(e.text); e.name == "title" && m != nil {
				head, _, _ := strings.Cut(e.text, ":")
				ranges = append(ranges, regexp.MustCompile(`\d+(-\d+)?`).FindAllString(head, -1)...)
			}
		}
		if got := missing(run, 0, len(run.Trace), ranges, func(int) bool { return false }); len(got) > 0 {
			t.Fatalf("no title tells of %v", got)
		}
	})
}

func TestLabelsOfArrowsKeepApart(t *testing.T) {
	labelled := 0
	rapid.Check(t, func(t *rapid.T) {
		all, err := elements(spacetime.SVG(draw(t), spacetime.Options{Point: point, Width: 2000}))
		if err != nil {
			t.Fatal(err)
		}
		mails := slices.DeleteFunc(all, func(e element) bool { return e.class != "mail halo" })
		labelled += len(mails)
		for i, a := range mails {
			for _, b := range mails[:i] {
				apart := a.x+6*utf8.RuneCountInString(a.text) <= b.x || b.x+6*utf8.RuneCountInString(b.text) <= a.x
				if !apart && a.y-b.y < 11 && b.y-a.y < 11 {
					t.Fatalf("%q at %d,%d and %q at %d,%d overlap", a.text, a.x, a.y, b.text, b.x, b.y)
				}
			}
		}
	})
	if labelled == 0 {
		t.Error("no arrow had a label")
	}
}

func TestEveryFactHasItsLabelInTheLevelPicture(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		size, steps := rapid.IntRange(2, 4).Draw(t, "nodes"), rapid.IntRange(1, 12).Draw(t, "events")
		run := random(mix(rapid.Uint64().Draw(t, "seed")), size, steps)
		text := spacetime.Text(run, spacetime.Options{Point: point})
		if !level(text) {
			return
		}
		seen++
		picture := text[:max(strings.LastIndex(text, "\n\n"), 0)]
		for i, e := range run.Trace {
			if e.Kind != sim.EntryNoted || e.Body.Kind() != "committed" {
				continue
			}
			word := regexp.MustCompile(`\b` + sim.KeysOf(e.Body)[0] + `\b`)
			want := 0
			for _, f := range run.Trace {
				if f.Kind == sim.EntryNoted && f.Body == e.Body {
					want++
				}
			}
			if got := len(word.FindAllString(picture, -1)); got < want {
				t.Fatalf("fact %d, %s: got %d labels, want %d or more, in\n%s", i, sim.Text(e.Body), got, want, text)
			}
		}
	})
	if seen == 0 {
		t.Error("no picture was level")
	}
}

// backwardsIn counts the messages of a run that cross a cut backwards, by facts and causes alone.
func backwardsIn(run *sim.Run) int {
	points := map[string]int{} // node and cut to the entry of the point
	for i, e := range run.Trace {
		if e.Kind == sim.EntryNoted && e.Body.Kind() == "point" {
			name := fmt.Sprint(e.Node, " ", sim.KeysOf(e.Body)[0])
			if _, taken := points[name]; !taken {
				points[name] = i
			}
		}
	}
	n := 0
	for i, e := range run.Trace {
		if e.Kind == sim.EntryDelivered && crosses(run, i, points) {
			n++
		}
	}
	return n
}

// crosses says that the message delivered at entry i was sent after a point and took effect before
// the receiver's.
func crosses(run *sim.Run, i int, points map[string]int) bool {
	e := run.Trace[i]
	sent := int(e.Cause)
	if run.Trace[sent].Kind == sim.EntryCopied {
		sent = int(run.Trace[sent].Cause)
	}
	taken := i
	for taken+1 < len(run.Trace) && run.Trace[taken+1].Kind == sim.EntryNoted &&
		int(run.Trace[taken+1].Cause) == i && run.Trace[taken+1].Body.Kind() == "point" {
		taken++
	}
	for cut := 1; cut < 100; cut++ {
		after, known := points[fmt.Sprint(e.Peer, " ", cut)]
		before, also := points[fmt.Sprint(e.Node, " ", cut)]
		if known && also && sent > after && taken < before {
			return true
		}
	}
	return false
}

func TestArrowsThatRunBackwardsAreRed(t *testing.T) {
	total := 0
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		all, err := elements(spacetime.SVG(run, spacetime.Options{Point: point}))
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, e := range all {
			if e.name == "path" && strings.HasPrefix(e.class, "arrow") && strings.Contains(e.class, "back") {
				got++
			}
		}
		want := backwardsIn(run)
		total += want
		if got != want {
			t.Fatalf("got %d arrows that run backwards, want %d, in\n%s", got, want, spacetime.Text(run, spacetime.Options{Point: point}))
		}
	})
	if total == 0 {
		t.Error("no arrow ran backwards")
	}
}

// junk is a trace that no engine would make.
func junk(t *rapid.T) *sim.Run {
	entry := rapid.Custom(func(t *rapid.T) sim.Entry {
		id := rapid.SampledFrom([]sim.NodeID{0, 1, 2, 3, 9, sim.ClientEnd, sim.LogEnd, sim.Nobody})
		return sim.Entry{
			At: sim.Time(rapid.IntRange(0, 5).Draw(t, "at")), N: rapid.Int64Range(-2, 12).Draw(t, "n"),
			Kind: sim.EntryKind(rapid.IntRange(1, int(sim.EntryEpilogue)).Draw(t, "kind")),
			Node: id.Draw(t, "node"), Peer: id.Draw(t, "peer"), Cause: rapid.Int32Range(-2, 40).Draw(t, "cause"),
			Body: rapid.SampledFrom([]sim.Body{nil, body{"point", "1"}, body{"point", "2"}, body{"a", ""},
				body{"<&\x00\"", "\x1b[31m \xff ]]>"}, body{"", "x"}}).Draw(t, "body"),
		}
	})
	return &sim.Run{Nodes: []string{"P", "Q", "R", "S"}[:rapid.IntRange(0, 4).Draw(t, "nodes")],
		Trace: rapid.SliceOfN(entry, 0, 40).Draw(t, "trace"), Epilogue: rapid.IntRange(-1, 50).Draw(t, "epilogue")}
}

func TestNoTraceMakesItPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := junk(t)
		o := spacetime.Options{Point: point, Width: rapid.IntRange(-1, 90).Draw(t, "width"),
			Height: rapid.IntRange(-1, 40).Draw(t, "height"), From: rapid.IntRange(-3, 50).Draw(t, "from"),
			To: rapid.IntRange(-3, 50).Draw(t, "to"), Mark: rapid.SliceOf(rapid.IntRange(-2, 50)).Draw(t, "mark"),
			ASCII: rapid.Bool().Draw(t, "ascii"), Colour: rapid.Bool().Draw(t, "colour")}
		if hide := rapid.IntRange(0, 4).Draw(t, "hide"); hide > 0 {
			o.Hide = func(i int) bool { return i%hide == 0 }
		}
		spacetime.Text(run, o)
		if _, err := elements(spacetime.SVG(run, o)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestALongRunMakesASmallPicture(t *testing.T) {
	run := random(mix(5), 5, 100)
	for len(run.Trace) < 100_000 {
		run.Trace = append(run.Trace, run.Trace[len(run.Trace)-100:]...)
	}
	o := spacetime.Options{Point: point}
	if got := len(spacetime.SVG(run, o)); got > 400_000 {
		t.Errorf("the SVG has %d bytes, want at most 400,000", got)
	}
	text := spacetime.Text(run, o)
	if got := strings.Count(text, "\n"); got > 410 {
		t.Errorf("the text has %d lines, want at most 410", got)
	}
	if !strings.Contains(text, "... 9") {
		t.Error("the text does not say how many entries it leaves out")
	}
}
