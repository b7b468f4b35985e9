package spacetime_test

import (
	"fmt"
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

// numbered stamps each step of a run with its entry in braces, so that one finds it in a picture and
// sees if something else is written over it.
func numbered(run *sim.Run) func(entry int) []string {
	return func(entry int) []string {
		e := run.Trace[entry]
		if !e.Kind.Local() || int(e.Node) >= len(run.Nodes) {
			return nil
		}
		return []string{fmt.Sprintf("{%d}", entry)}
	}
}

var stampIn = regexp.MustCompile(`\{(\d+)\}`)

// stampsIn are the entries whose stamps are in a text, an error if something else is left of them.
func stampsIn(text string) ([]int, error) {
	var all []int
	for _, m := range stampIn.FindAllStringSubmatch(text, -1) {
		entry, _ := strconv.Atoi(m[1])
		all = append(all, entry)
	}
	if rest := stampIn.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
		return nil, fmt.Errorf("something is written over a stamp")
	}
	if touched := regexp.MustCompile(`[^ \n]\{\d+\}|\{\d+\}[^ \n]`).FindString(text); touched != "" {
		return nil, fmt.Errorf("a stamp touches what is beside it: %s", touched)
	}
	return all, nil
}

// lacking is how many stamps a legend says that a picture lacks.
func lacking(text string) int {
	m := regexp.MustCompile(`no room for stamps of (\d+) event`).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func TestTextWithStampsKeepsItsMeasures(t *testing.T) {
	levels, uprights := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		size, steps := rapid.IntRange(2, 5).Draw(t, "nodes"), rapid.IntRange(0, 40).Draw(t, "events")
		run := random(mix(rapid.Uint64().Draw(t, "seed")), size, steps)
		o := spacetime.Options{Point: point, Mark: drawMarks(t, run), ASCII: rapid.Bool().Draw(t, "ascii"),
			Width: rapid.IntRange(20, 130).Draw(t, "width"), Height: rapid.SampledFrom([]int{0, 16, 30, 80}).Draw(t, "height"),
			Stamp: numbered(run), StampKeys: []string{"n entry"}}
		text := spacetime.Text(run, o)
		if got := strings.Count(text, "\n"); o.Height > 0 && got > o.Height {
			t.Fatalf("got %d lines, want at most %d:\n%s", got, o.Height, text)
		}
		for line := range strings.Lines(text) {
			if got := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); got > o.Width {
				t.Fatalf("a line has %d columns, want at most %d: %q", got, o.Width, line)
			}
		}
		all, err := stampsIn(text)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) < len(all) {
			t.Fatalf("a stamp is there twice:\n%s", text)
		}
		if len(all) > 0 && level(text) {
			levels++
		} else if len(all) > 0 {
			uprights++
		}
	})
	if levels == 0 || uprights == 0 {
		t.Errorf("%d level and %d upright pictures with stamps: want some of each", levels, uprights)
	}
}

// stampedRow is a row of an upright picture: its entries, its time, and its stamp if it has one.
var stampedRow = regexp.MustCompile(`^ *\*?(\d[\d,-]*) +(?:[\d.]+[mµ]?s +)?(?:\{(\d+)\})?`)

// firstStep is the first entry in a row's ranges that is a step, -1 if there is none.
func firstStep(run *sim.Run, row string) int {
	for _, r := range strings.Split(row, ",") {
		low, high, _ := strings.Cut(r, "-")
		first, _ := strconv.Atoi(low)
		last := first
		if high != "" {
			last, _ = strconv.Atoi(high)
		}
		for i := first; i <= last; i++ {
			if numbered(run)(i) != nil {
				return i
			}
		}
	}
	return -1
}

// TestRowsHaveTheStampOfTheirFirstStep looks at pictures without cuts, in which no step is drawn
// behind its point.
func TestRowsHaveTheStampOfTheirFirstStep(t *testing.T) {
	stamped, bare := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := random(mix(rapid.Uint64().Draw(t, "seed")), rapid.IntRange(5, 7).Draw(t, "nodes"), rapid.IntRange(1, 60).Draw(t, "events"))
		text := spacetime.Text(run, spacetime.Options{Width: 120, Stamp: numbered(run)})
		for line := range strings.Lines(text) {
			m := stampedRow.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			want := ""
			if i := firstStep(run, m[1]); i >= 0 {
				want = fmt.Sprint(i)
				stamped++
			} else {
				bare++
			}
			if m[2] != want {
				t.Fatalf("the row of %s has the stamp %q, want %q:\n%s", m[1], m[2], want, text)
			}
		}
	})
	if stamped == 0 || bare == 0 {
		t.Errorf("%d rows with stamps, %d without: want some of each", stamped, bare)
	}
}

// without is an upright picture without its column of stamps and its legend of one line.
func without(text string) string {
	left, width := -1, 0
	for line := range strings.Lines(text) {
		if at := stampIn.FindStringIndex(line); at != nil {
			left, width = utf8.RuneCountInString(line[:at[0]]), max(width, at[1]-at[0]+2)
		}
	}
	var lines []string
	for line := range strings.Lines(text) {
		row := []rune(strings.TrimRight(line, "\n"))
		if strings.HasPrefix(line, "n entry") {
			continue
		}
		if left >= 0 && len(row) > left {
			row = slices.Delete(row, left, min(left+width, len(row)))
		}
		lines = append(lines, strings.TrimRight(string(row), " ")+"\n")
	}
	return strings.Join(lines, "")
}

// TestStampsChangeNothingElse compares upright pictures with those that have no stamps: wide ones, so
// that stamps take room from nothing, and those that have none to spare.
func TestStampsChangeNothingElse(t *testing.T) {
	wide, narrow := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := random(mix(rapid.Uint64().Draw(t, "seed")), rapid.IntRange(5, 7).Draw(t, "nodes"), rapid.IntRange(5, 60).Draw(t, "events"))
		o := spacetime.Options{Width: rapid.SampledFrom([]int{36, 400}).Draw(t, "width")}
		want := spacetime.Text(run, o)
		o.Stamp, o.StampKeys = numbered(run), []string{"n entry"}
		text := spacetime.Text(run, o)
		if strings.Contains(text, "{") {
			wide++
		} else {
			narrow++
		}
		if o.Width == 36 { // the legend takes two lines
			if lacking(text) == 0 {
				t.Fatalf("it does not say that stamps have no room:\n%s", text)
			}
			text = strings.Replace(text, regexp.MustCompile(`(?m)^no room.*\n`).FindString(text), "", 1)
		}
		if got := without(text); got != want {
			t.Fatalf("without its stamps got\n%s\nwant\n%s", got, want)
		}
	})
	if wide == 0 || narrow == 0 {
		t.Errorf("%d pictures with stamps, %d without: want some of each", wide, narrow)
	}
}

// place is what a text takes in an SVG.
type place struct{ left, top, right, bottom int }

// placeOf is the place of a text by its class; ok is false for other elements.
func placeOf(e element) (p place, ok bool) {
	n := utf8.RuneCountInString(e.text)
	switch {
	case strings.Contains(e.class, "mail"):
		return place{e.x, e.y - 8, e.x + 6*n, e.y + 2}, true
	case strings.Contains(e.class, "stamp"):
		return place{e.x - 3*n, e.y - 8, e.x + 3*n, e.y + 2}, true
	case strings.Contains(e.class, "label"), strings.Contains(e.class, "cutname"):
		return place{e.x - 3*n, e.y - 9, e.x + 3*n, e.y + 2}, true
	case strings.Contains(e.class, "time"):
		return place{e.x - 3*n, e.y - 8, e.x + 3*n, e.y + 2}, true
	}
	return place{}, false
}

// TestStampsOfAnSVGKeepApart wants each stamp somewhere where no other word is, or counted as one
// that has no room.
func TestStampsOfAnSVGKeepApart(t *testing.T) {
	written, lacked, endless := 0, 0, 0 // those without room, and those of them that are endless
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		pad := strings.Repeat("i", rapid.SampledFrom([]int{0, 0, 0, 30, 700}).Draw(t, "longer"))
		o := spacetime.Options{Point: point, Width: 2000, Stamp: func(i int) []string {
			words := numbered(run)(i)
			if words != nil && i%3 == 0 {
				words = append(words, pad)
			}
			return words
		}, StampKeys: []string{"n entry"}}
		svg := spacetime.SVG(run, o)
		all, err := elements(svg)
		if err != nil {
			t.Fatal(err)
		}
		titles, stamps := 0, 0
		var places []place
		var texts []element
		for _, e := range all {
			if e.name == "title" && strings.Contains(e.text, "({") {
				titles++
			}
			if p, ok := placeOf(e); ok && e.name == "text" {
				places, texts = append(places, p), append(texts, e)
			}
		}
		for i, e := range texts {
			if !strings.Contains(e.class, "stamp") {
				continue
			}
			stamps++
			for j, p := range places {
				q := places[i]
				if i != j && p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom {
					t.Fatalf("the stamp %q at %d,%d meets %q at %d,%d", e.text, e.x, e.y, texts[j].text, texts[j].x, texts[j].y)
				}
			}
		}
		lack := lacking(string(svg))
		if titles != stamps+lack {
			t.Fatalf("%d events tell of their stamps, %d stamps are written and %d have no room", titles, stamps, lack)
		}
		written, lacked = written+stamps, lacked+lack
		if len(pad) == 700 {
			endless += lack
		}
	})
	if others := lacked - endless; written < 10*others || lacked == 0 {
		t.Errorf("%d stamps written, %d without room, and %d endless ones: want some without, but few"+
			" that are not endless", written, others, endless)
	}
}

// told are the events of an SVG by their titles: entries, node, stamp.
var told = regexp.MustCompile(`^([\d, -]+?) ([A-Z]) at .*\(\{(\d+)\}\)$`)

// TestStampsGrowAlongLanesAndArrows reads the order of the picture from the titles of an SVG.
func TestStampsGrowAlongLanesAndArrows(t *testing.T) {
	arrows, behind := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		all, err := elements(spacetime.SVG(run, spacetime.Options{Point: point, Stamp: numbered(run)}))
		if err != nil {
			t.Fatal(err)
		}
		stampOf, last := map[int]int{}, map[string]int{}
		for _, e := range all {
			m := told.FindStringSubmatch(e.text)
			if e.name != "title" || m == nil {
				continue
			}
			stamp, _ := strconv.Atoi(m[3])
			ranges := strings.ReplaceAll(m[1], " ", "")
			if was, ok := last[m[2]]; ok && was >= stamp && strings.ContainsAny(ranges, ",-") {
				t.Fatalf("on the lane of %s comes {%d}, of %s, after {%d}", m[2], stamp, ranges, was)
			}
			if first := firstStep(run, ranges); first != stamp {
				behind++
			}
			last[m[2]] = stamp
			for i := range run.Trace {
				if slices.Contains(strings.Split(ranges, ","), fmt.Sprint(i)) || within(ranges, i) {
					stampOf[i] = stamp
				}
			}
		}
		for i, e := range run.Trace {
			if e.Kind != sim.EntryDelivered {
				continue
			}
			from, known := stampOf[int(e.Cause)]
			to, also := stampOf[i]
			if known && also {
				arrows++
				if from >= to {
					t.Fatalf("the arrow from %d to %d leads from {%d} to {%d}", e.Cause, i, from, to)
				}
			}
		}
	})
	if arrows == 0 || behind == 0 {
		t.Errorf("%d arrows, %d steps drawn behind their points: want some of each", arrows, behind)
	}
}

// within says that an entry lies in one of some ranges.
func within(ranges string, entry int) bool {
	for _, r := range strings.Split(ranges, ",") {
		low, high, _ := strings.Cut(r, "-")
		first, _ := strconv.Atoi(low)
		last, err := strconv.Atoi(high)
		if entry == first || err == nil && first <= entry && entry <= last {
			return true
		}
	}
	return false
}

func TestStampsOfAnyTraceDoNotPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := junk(t)
		words := rapid.SliceOfN(rapid.SliceOfN(rapid.StringN(0, 30, -1), 0, 4), 41, 41).Draw(t, "stamps")
		o := spacetime.Options{Point: point, Width: rapid.IntRange(-1, 90).Draw(t, "width"),
			Height: rapid.IntRange(-1, 40).Draw(t, "height"), ASCII: rapid.Bool().Draw(t, "ascii"),
			Stamp:     func(i int) []string { return words[i] },
			StampKeys: rapid.SliceOfN(rapid.StringN(0, 120, -1), 0, 3).Draw(t, "keys")}
		text := spacetime.Text(run, o)
		if i := strings.IndexFunc(text, func(r rune) bool { return r > '~' }); o.ASCII && i >= 0 {
			t.Fatalf("%q is not ASCII", text[i:])
		}
		if _, err := elements(spacetime.SVG(run, o)); err != nil {
			t.Fatal(err)
		}
	})
}
