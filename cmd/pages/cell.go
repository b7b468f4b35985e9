package pages

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// folder is where the stories lie, seen from the top.
const folder = "scenarios/ignite"

// mostStates is where an exploration gives up.
const mostStates = 700_000

// cell is a variant on one base: what is to be explored, and what came of it.
type cell struct {
	base, variant, by string

	killed, complete bool
	states           int64
	err              error
}

// explore tries all orders of the base, without timers and faults, with one worker, so that the
// numbers are the same each time.
func (c *cell) explore(of *sim.Protocol) {
	x, err := c.exploring(of)
	if err != nil {
		c.err = err
		return
	}
	r, err := x.Run()
	if err != nil {
		c.err = err
		return
	}
	c.killed, c.complete, c.states = len(r.Broken) > 0, r.Complete, r.States
}

func (c *cell) exploring(of *sim.Protocol) (*scenarios.Exploring, error) {
	s, err := story(c.base)
	if err != nil {
		return nil, err
	}
	if c.by != agreement && c.by != oracle {
		s.Script = slices.DeleteFunc(s.Script, func(a scenarios.Step) bool {
			return slices.Contains(a.Words, "cut")
		})
	}
	campaign, err := scenarios.NewCampaign(of, c.variant, s)
	if err != nil {
		return nil, err
	}
	x, err := campaign.Exploring(scenarios.ExploreOptions{Bounds: &scenarios.Bounds{},
		Only: []string{c.by}})
	if err != nil {
		return nil, err
	}
	x.Wanted, x.Search.MaxStates = nil, mostStates
	return x, nil
}

// The properties that are about cuts. For another the base is explored without its cut.
const agreement, oracle = "agreement", "oracle"

// exploreAll explores some cells, a few at once.
func exploreAll(of *sim.Protocol, cells []*cell, jobs int) error {
	queue := make(chan *cell)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for c := range queue {
				c.explore(of)
			}
		})
	}
	for _, c := range cells {
		queue <- c
	}
	close(queue)
	workers.Wait()
	for _, c := range cells {
		if c.err != nil {
			return fmt.Errorf("%s %s: %w", c.base, c.variant, c.err)
		}
	}
	return nil
}

// verdict is the cell as the table says it.
func (c *cell) verdict() string {
	switch {
	case c.killed:
		return killed
	case c.complete:
		return eq + ", " + thousands(c.states)
	}
	return "not complete"
}

// differs says that the cell is something else than what section 6 says.
func (c *cell) differs(says string) bool {
	want := strings.HasPrefix(says, killed) || strings.HasPrefix(says, "I-")
	return says != unsaid && (want != c.killed || !c.killed && !c.complete)
}

// thousands is a number with commas.
func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// story is a story by its name.
func story(name string) (*scenarios.Scenario, error) {
	file := path.Join(folder, name)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return scenarios.Parse(file, text)
}

// stories are all of ignite's, in the order of their names.
func stories() ([]*scenarios.Scenario, error) {
	files, err := filepath.Glob(path.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: want stories, *.txt, below the current folder", folder)
	}
	slices.Sort(files)
	var all []*scenarios.Scenario
	for _, file := range files {
		s, err := story(filepath.Base(file))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// title is a story's name without what all have.
func title(s *scenarios.Scenario) string { return strings.TrimSuffix(path.Base(s.File), ".txt") }
