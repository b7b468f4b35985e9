package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
)

const exploreFile = "explore.md"

const exploreHead = `# Every order of small stories

Written by ` + "`downset results explore`" + `, which explores each story under all variants of
its model with ` + "`--all`" + `: every order of requests, messages and timers, with faults at every
moment, within the bounds that are named. Time is left out. States, transitions and ends depend on
nothing but the story. Moves are those of a shortest way to the failure, from the start to where
the epilogue begins; a crash inside a handler is one with its event. Lines are those of its story,
script and chance together, once it is cut down. What is equivalent here breaks nothing in any
order, though the variant is wrong; what is not reached breaks nothing in those that were tried. The
reasons follow each table.
`

// exploredStory is a story of which results tell, with the reasons why some of its model's wrong
// variants break nothing there.
type exploredStory struct {
	file    string
	most    int      // states of a variant
	without []string // variants that are not explored
	why     string   // they are not
	reasons [][2]string
}

// exploredStories are the stories of which results tell.
func exploredStories() []exploredStory {
	return []exploredStory{
		{"scenarios/cut/explored.txt", 300_000,
			[]string{"markers", "marker-late", "marker-aside", "mute"},
			"They send on streams, and this story is of messages that overtake each other.",
			cutReasons},
		{"scenarios/cut/explored-pair.txt", 300_000, nil, "", pairReasons},
		{"scenarios/commit/small.txt", 300_000, nil, "", commitReasons},
	}
}

// exploreSampled says what the sample is.
const exploreSampled = "of the rows with fewer than 10,000 states those that hold and every third"

// exploreSample is how few states a row has that a test may explore again.
const exploreSample = 10_000

// The verdicts that want a reason.
const (
	equivalent = "equivalent here"
	notReached = "not reached"
)

// row is a variant's row of a table.
func (x *explored) row() string {
	verdict, moves, lines := "holds", "-", "-"
	switch {
	case len(x.Broken) > 0:
		verdict = x.broken()
	case !x.Complete:
		verdict = notReached
	case x.wrong():
		verdict = equivalent
	}
	if len(x.ways) > 0 {
		w := x.ways[0]
		verdict = "breaks " + w.Property
		moves, lines = fmt.Sprint(w.way.Moves), fmt.Sprint(w.Shrunk.Actions+w.Shrunk.Exceptions)
		if !w.way.Shortest {
			moves += " (not known to be least)"
		}
	}
	if !x.Complete { // then the other numbers depend on who was first
		return fmt.Sprintf("| %s | %s | more than %s | - | - | - | no | %s | %s |\n", x.Variant.Name,
			verdict, thousands(x.flags.maxStates), moves, lines)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %d | yes | %s | %s |\n", x.Variant.Name, verdict,
		thousands(int(x.States)), thousands(int(x.Transitions)), thousands(int(x.Ends)), x.Depth,
		moves, lines)
}

// variants are those of its model that are explored.
func (s exploredStory) variants(a *app) ([]string, error) {
	o, err := a.open(s.file)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(o.protocol.VariantNames(), func(name string) bool {
		return slices.Contains(s.without, name)
	}), nil
}

// exploredFor explores some variants of a story.
func (a *app) exploredFor(s exploredStory, f resultFlags, names []string) ([]*explored, error) {
	flags := &exploreFlags{variants: names, maxStates: s.most, jobs: 1,
		all: true, stories: 1, quiet: true}
	if f.seeds > 0 {
		flags.maxStates = f.seeds
	}
	all, err := a.exploring(s.file, flags, nil)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if err := a.exploreOne(x, newKeeper(a, "")); err != nil {
			return nil, err
		}
		if x.interrupted {
			return nil, &failure{exitUndecided, errInterrupted}
		}
	}
	return all, nil
}

// writeExplore explores each story under all variants.
func (a *app) writeExplore(f resultFlags) error {
	text := exploreHead
	for _, s := range exploredStories() {
		names, err := s.variants(a)
		if err != nil {
			return err
		}
		all, err := a.exploredFor(s, f, names)
		if err != nil {
			return err
		}
		text += s.heading(all[0].how)
		for _, x := range all {
			text += x.row()
		}
		text += s.because()
		if wrong := s.unreasoned(text); wrong != "" {
			fmt.Fprintln(a.out, wrong)
			a.code = worse(a.code, exitViolated)
		}
	}
	text += fmt.Sprintf("\nSample: %s. A test explores them again.\n", exploreSampled)
	return a.writeResult(path.Join(f.dir, exploreFile), text)
}

// heading begins a story's part.
func (s exploredStory) heading(x *scenarios.Exploring) string {
	apart := "States are kept apart by what the nodes are and have said."
	if len(x.Past) > 0 {
		apart = "States are kept apart by their causal past, which " + strings.Join(x.Past, ", ") +
			" read."
	}
	if len(s.without) > 0 {
		apart += fmt.Sprintf(" Left out: %s. %s", strings.Join(s.without, ", "), s.why)
	}
	return fmt.Sprintf(`
## %s

Bounds: %s. %s

| variant | verdict | states | transitions | ends | depth | complete | moves | lines |
|---|---|---:|---:|---:|---:|---|---:|---:|
`, s.file, x.Bounds, apart)
}

// because are the reasons, a line each.
func (s exploredStory) because() string {
	text := "\n"
	for _, r := range s.reasons {
		text += fmt.Sprintf("- `%s`: %s\n", r[0], r[1])
	}
	return text
}

// part is what the file says of a story.
func (s exploredStory) part(text string) string {
	_, text, _ = strings.Cut(text, "\n## "+s.file+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// cells are the cells of the rows of a part.
func cells(part string) [][]string {
	var rows [][]string
	for line := range strings.Lines(part) {
		columns := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		if len(columns) == 9 && columns[0] != "variant" && !strings.HasPrefix(columns[0], "---") {
			rows = append(rows, columns)
		}
	}
	return rows
}

// unreasoned says which variant of the file breaks nothing without a reason, or has one and breaks
// something.
func (s exploredStory) unreasoned(text string) string {
	var same []string
	for _, row := range cells(s.part(text)) {
		if row[1] == equivalent || row[1] == notReached {
			same = append(same, row[0])
		}
	}
	var reasoned []string
	for _, r := range s.reasons {
		reasoned = append(reasoned, r[0])
		if !slices.Contains(same, r[0]) {
			return fmt.Sprintf("%s: %s has a reason why it breaks nothing, and breaks something",
				s.file, r[0])
		}
	}
	for _, name := range same {
		if !slices.Contains(reasoned, name) {
			return fmt.Sprintf("%s: %s breaks nothing, and there is no reason why", s.file, name)
		}
	}
	return ""
}

// checkExplore explores some of the smaller rows again. Every variant has a row, and each wrong one
// that breaks nothing a reason.
func (a *app) checkExplore(f resultFlags) (string, error) {
	text, err := f.old(exploreFile)
	if err != nil {
		return "", err
	}
	for _, s := range exploredStories() {
		wrong, err := a.checkExplored(s, f, s.part(text), text)
		if wrong != "" || err != nil {
			return wrong, err
		}
	}
	return "", nil
}

func (a *app) checkExplored(s exploredStory, f resultFlags, part, text string) (string, error) {
	if wrong := s.unreasoned(text); wrong != "" {
		return wrong, nil
	}
	if !strings.Contains(part, s.because()) {
		return s.file + ": other reasons", nil
	}
	want, err := s.variants(a)
	if err != nil {
		return "", err
	}
	var listed, sample []string
	small := 0
	for _, row := range cells(part) {
		listed = append(listed, row[0])
		if len(row[2]) >= len(thousands(exploreSample)) {
			continue
		}
		if row[1] == "holds" || small%3 == 0 {
			sample = append(sample, row[0])
		}
		small++
	}
	if !slices.Equal(listed, want) {
		return fmt.Sprintf("%s has rows of %q, want %q", s.file, listed, want), nil
	}
	if len(sample) == 0 {
		return s.file + ": no row is small enough to be explored again", nil
	}
	all, err := a.exploredFor(s, f, sample)
	if err != nil {
		return "", err
	}
	for _, x := range all {
		if !strings.Contains(part, x.row()) {
			return fmt.Sprintf("%s comes to something else; want the row\n%s", s.file, x.row()), nil
		}
	}
	return "", nil
}
