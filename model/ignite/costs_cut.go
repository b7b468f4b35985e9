package ignite

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// cutCost is what a run spent.
type cutCost struct {
	messages, signed, records, tracked, named, bytes int
	took                                             time.Duration // from START to the answer
}

// cutCosts is a table of what a cut costs.
func cutCosts(of *sim.Protocol) (string, error) {
	var page strings.Builder
	page.WriteString("| mode | in flight | messages | signed | records | tracked | named | bytes | " +
		"takes |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, mode := range []string{"draft", "merged", "fixed"} {
		for _, flying := range []int{0, 1, 2, 4, 8, 16, 32} {
			with, err := cutRun(cutCase{of, mode, flying, true})
			if err != nil {
				return "", err
			}
			without, err := cutRun(cutCase{of, mode, flying, false})
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&page, "| %s | %d | %d | %d | %d | %d | %d | %d | %s |\n", mode, flying,
				with.messages-without.messages, with.signed, with.records-without.records, with.tracked,
				with.named, with.bytes, with.took)
		}
	}
	return page.String(), nil
}

// cutCase is so many transactions at once in a mode, and perhaps a cut.
type cutCase struct {
	of     *sim.Protocol
	mode   string
	flying int
	cuts   bool
}

// cutRun plays it.
func cutRun(c cutCase) (cutCost, error) {
	places := []string{"key z on P Q"}
	for i := range c.flying {
		places = append(places, fmt.Sprintf("key a%d on P Q", i), fmt.Sprintf("key b%d on Q R", i))
	}
	p, err := costPlan(c.of, c.mode, places)
	if err != nil {
		return cutCost{}, err
	}
	for i := range c.flying {
		ask(p, 0, fmt.Sprintf("C commit t%d a%d=1 b%d=1", i, i, i))
	}
	if c.cuts {
		ask(p, 4500*time.Microsecond, "R cut c1")
	}
	run, err := sim.Execute(p)
	if err != nil {
		return cutCost{}, err
	}
	return spent(run), nil
}

func spent(run *sim.Run) cutCost {
	var c cutCost
	var asked sim.Time
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntrySent, sim.EntryPublished:
			c.messages++
			if s, ok := e.Body.(signed); ok && s.Cut.Name != "" {
				c.signed++
			}
		case sim.EntryAppended:
			c.records++
			c.mark(e.Body)
		case sim.EntryNoted:
			if f, ok := e.Body.(tracking); ok {
				c.tracked += len(f.Objects)
			}
		case sim.EntryInvoked:
			asked = e.At
		case sim.EntryReturned:
			if _, ok := e.Body.(cutEnded); ok {
				c.took = time.Duration(e.At - asked)
			}
		}
	}
	return c
}

// mark takes a mark of the cut into account.
func (c *cutCost) mark(r sim.Record) {
	switch r := r.(type) {
	case startRecord:
		c.bytes += len(Log{r}.Encode())
	case finishRecord:
		c.bytes += len(Log{r}.Encode())
		c.named += len(r.Included) + len(r.Excluded)
	}
}
