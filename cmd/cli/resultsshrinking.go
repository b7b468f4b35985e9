package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

const (
	shrinkingFile = "shrinking.md"
	// seedsShrunk are how many failing seeds of each mutant are shrunk.
	seedsShrunk = 10
	// seedsSearched bound the search for them.
	seedsSearched = 1_000_000
)

const shrinkingHead = `# Ten failing seeds of each mutant, shrunk

Written by ` + "`downset results shrinking`" + `: the first ten seeds under which the property
breaks that must catch the mutant, each shrunk by itself. A model with more than fifty wrong
variants is left out. Two stories are the same if they play the same; names of nodes,
transactions and the like are made canonical by the shrinker. Times are of
%s, a single core each; the longest of all is %s.

| model | mutant | keeps broken | seeds | distinct | share of the most frequent | it has | longest |
|---|---|---|---:|---:|---:|---|---:|
`

// minima is what shrinking some failing seeds of one mutant came to.
type minima struct {
	*sweeping
	seeds   []uint64
	stories []string // by seed
	sizes   []string
	longest time.Duration
}

// writeShrinking shrinks ten failing seeds of every mutant.
func (a *app) writeShrinking(f resultFlags) error {
	flags := f.sweepFlags()
	all, err := a.fewWrong(flags)
	if err != nil {
		return err
	}
	rows, longest := "", time.Duration(0)
	for _, s := range all {
		if a.interrupted() {
			return &failure{exitUndecided, errInterrupted}
		}
		m, err := a.minima(s, f.count(), flags.jobs)
		if err != nil {
			return err
		}
		fmt.Fprint(a.out, m.row())
		rows += m.row()
		longest = max(longest, m.longest)
	}
	lines, err := shrinkingSample(all)
	if err != nil {
		return err
	}
	text := fmt.Sprintf(shrinkingHead, machine(flags.jobs), short(longest)) + rows
	return a.writeResult(path.Join(f.dir, shrinkingFile), text+sampled(shrinkingSampled, lines))
}

// count is how many seeds of a mutant are shrunk.
func (f resultFlags) count() int {
	if f.seeds > 0 {
		return f.seeds
	}
	return seedsShrunk
}

// failing are the first seeds under which what must break does.
func (s *sweeping) failing(count, jobs int) []uint64 {
	c := s.Sweep()
	c.To, c.Jobs, c.Distinct = seedsSearched, jobs, 1
	judge := c.Judge
	c.Judge = func(run *sim.Run) search.Finding {
		f := judge(run)
		if f.Shared || !s.catches(f.Broken) {
			f.Broken = nil
		}
		return f
	}
	var seeds []uint64
	for len(seeds) < count && c.From <= c.To {
		sum := search.Sweep(c)
		if len(sum.Groups) == 0 {
			break
		}
		seeds = append(seeds, sum.Groups[0].Seed)
		c.From = sum.Groups[0].Seed + 1
	}
	return seeds
}

func (a *app) minima(s *sweeping, count, jobs int) (*minima, error) {
	m := &minima{sweeping: s, seeds: s.failing(count, jobs)}
	for _, seed := range m.seeds {
		start := time.Now()
		f, err := s.Finding(seed, s.must)
		if err != nil {
			return nil, tool(fmt.Errorf("%s: %w", s.name(), err))
		}
		m.longest = max(m.longest, time.Since(start))
		m.stories = append(m.stories, withoutComments(f.Story))
		m.sizes = append(m.sizes, fmt.Sprintf("%s, %s", several(f.Shrunk.Actions, "action"),
			several(f.Shrunk.Exceptions, "choice")))
	}
	return m, nil
}

// row is a mutant's row of the table.
func (m *minima) row() string {
	distinct, most, size := 0, 0, "-"
	for i, story := range m.stories {
		if slices.Index(m.stories, story) < i {
			continue
		}
		distinct++
		n := 0
		for _, other := range m.stories {
			if other == story {
				n++
			}
		}
		if n > most {
			most, size = n, m.sizes[i]
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d of %d | %s | %s |\n", m.Protocol.Name,
		m.Variant.Name, strings.Join(m.must, " "), len(m.seeds), distinct, most, len(m.seeds), size,
		short(m.longest))
}

const shrinkingSampled = "the first seed of the first mutant of each model, shrunk"

func (a *app) checkShrinking(f resultFlags) (string, error) {
	all, err := a.fewWrong(f.sweepFlags())
	if err != nil {
		return "", err
	}
	lines, err := shrinkingSample(all)
	if err != nil {
		return "", err
	}
	return f.sampleDiffers(shrinkingFile, shrinkingSampled, lines)
}

// shrinkingSample is the story of the first mutant of each model, and the names of all.
func shrinkingSample(all []*sweeping) ([]string, error) {
	var lines []string
	last := ""
	for _, s := range all {
		lines = append(lines, s.name()+" "+strings.Join(s.must, " "))
		if s.Protocol.Name == last || !s.Variant.Mutant() {
			continue
		}
		last = s.Protocol.Name
		seeds := s.failing(1, 1)
		if len(seeds) == 0 {
			continue
		}
		f, err := s.Finding(seeds[0], s.must)
		if err != nil {
			return nil, tool(fmt.Errorf("%s: %w", s.name(), err))
		}
		text, err := f.Text("sample.txt")
		if err != nil {
			return nil, tool(err)
		}
		lines = append(lines, string(text))
	}
	return lines, nil
}
