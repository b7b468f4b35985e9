package ignite

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// costPage is the page recovery.md: what a restore costs, by the length of the log and the way it
// is done, and what a cut costs, by the transactions in flight.
func costPage(of *sim.Protocol) (string, error) {
	restores, err := restoreCosts(of)
	if err != nil {
		return "", err
	}
	cuts, err := cutCosts(of)
	if err != nil {
		return "", err
	}
	return costIntro + restores + cutIntro + cuts, nil
}

const costIntro = `# What a restore costs, and what a cut costs

Written by ` + "`downset results recovery`" + `.

## Restore

Logs are those of one of three servers after a run with a client: 6 partitions in 2 groups, each
on two servers, 8 keys in each; transactions write two keys, one every 2 ms, with 1 ms on every
link; a full snapshot after a fifth of them, and then 8 cuts with traffic across them. The last cut
is restored, and the first one. Virtual time is by the model in replay.go: 1 us to read a record,
5 us to apply an update, 100 us for a look-up in the index. *Plain* is what section 4 says: the log
is read to find the cut and its full snapshot, then the last segment for FINISH, then all from the
full snapshot on. *Compacted* is that on the compacted log. *Striped* applies by (group, partition)
with 4 workers beside the reader, among whom the 4 partitions of the server fall unevenly.
*Indexed* finds marks by the index. Whichever way, the data is the same: that is compared as this
page is written, and a property of the tests.

`

const cutIntro = `
## Cut

One cut while so many transactions are in flight: they begin at once, each on two keys of its own
on two primaries with a backup each, and START is published 4.5 ms later, when they prepare.
*Messages* and *records* are what the run has more of than one without the cut; *signed* are
messages that carry the cut, *tracked* the objects that nodes wait for, *named* the transactions in
the sets of FINISH, *bytes* those of START and FINISH on all nodes. Nodes: a client, 3 servers.

`

// waysToRestore are the forms that the page compares.
var waysToRestore = []string{"plain", "compacted", "striped", "indexed", "all three"}

func restoreCosts(of *sim.Protocol) (string, error) {
	var page strings.Builder
	page.WriteString("| transactions | records | compacted | cut | way | searched | looked up | " +
		"read | applied | time | of plain |\n" +
		"|---:|---:|---:|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, txs := range []int{250, 1000, 4000} {
		run, err := longRun(of, txs)
		if err != nil {
			return "", err
		}
		l := ReadLog(run.Disks[1])
		c := comparison{l, l.Compact(), layoutOf(run.Plan.Setup, len(run.Nodes)).owned(1)}
		for _, cut := range []string{"c8", "c1"} {
			rows, err := c.rows(cut)
			if err != nil {
				return "", err
			}
			for _, row := range rows {
				fmt.Fprintf(&page, "| %d | %d | %d | %s | %s |\n", txs, len(l), len(c.short), cut, row)
			}
		}
	}
	return page.String(), nil
}

// comparison is of the ways to restore from one log.
type comparison struct {
	log, short Log // as it is, and compacted
	first      []partition
}

// rows restores a cut in each way, and fails if two do not come to the same.
func (c comparison) rows(cut string) ([]string, error) {
	plain, err := c.restore("plain", cut)
	if err != nil {
		return nil, err
	}
	var rows []string
	for _, way := range waysToRestore {
		got, err := c.restore(way, cut)
		if err != nil {
			return nil, err
		}
		if !same(got.Parts, plain.Parts) {
			return nil, fmt.Errorf("restore of %s, %s: not what plain replay restores", cut, way)
		}
		k := got.Cost
		rows = append(rows, fmt.Sprintf("%s | %d | %d | %d | %d | %s | %d %%", way, k.Searched, k.Looked,
			k.Read, k.Applied, k.Time.Round(10*time.Microsecond), 100*k.Time/plain.Cost.Time))
	}
	return rows, nil
}

func (c comparison) restore(way, cut string) (restored, error) {
	switch way {
	case "compacted":
		return c.short.restoreOn(c.first, cut, replayRules{})
	case "striped":
		return c.log.RestoreFast(cut, Fast{Workers: 4, First: c.first})
	case "indexed":
		return c.log.RestoreFast(cut, Fast{Index: c.log.Index(), First: c.first})
	case "all three":
		return c.short.RestoreFast(cut, Fast{Index: c.short.Index(), Workers: 4, First: c.first})
	}
	return c.log.restoreOn(c.first, cut, replayRules{})
}

// costPlan is a cluster of client C and servers P, Q and R, with constant delays.
func costPlan(of *sim.Protocol, variant string, places []string) (*sim.Plan, error) {
	v, err := of.Variant(variant)
	if err != nil {
		return nil, err
	}
	p := &sim.Plan{Protocol: of, Variant: v, Nodes: []string{"C", "P", "Q", "R"}, Timed: true,
		Network: sim.Network{Links: []sim.Link{
			{From: "*", To: "*", Delay: sim.Dist{Low: time.Millisecond, High: time.Millisecond}},
			{From: "log", To: "*", Delay: sim.Dist{Low: time.Millisecond, High: time.Millisecond}},
		}},
		Budget: sim.Budget{Events: 1 << 23, Bytes: 1 << 33},
	}
	for _, line := range append([]string{"client C"}, places...) {
		s, err := parseSetup(strings.Fields(line), p.Nodes)
		if err != nil {
			return nil, err
		}
		p.Setup = append(p.Setup, s)
	}
	return p, nil
}

// ask adds a request at a time.
func ask(p *sim.Plan, at time.Duration, text string) {
	words := strings.Fields(text)
	p.Load = append(p.Load, sim.Action{Verb: sim.Request, Node: words[0], Words: words[1:],
		Place: sim.At, Offset: at})
}

// longRun is many transactions, a full snapshot and 8 cuts.
func longRun(of *sim.Protocol, txs int) (*sim.Run, error) {
	var places, keys []string
	for i := range 6 {
		line := "key"
		for k := range 8 {
			name := fmt.Sprintf("%c%d", 'a'+i, k)
			line, keys = line+" "+name, append(keys, name)
		}
		owners := []string{"P Q", "Q R", "R P"}[i%3]
		places = append(places, line+" on "+owners+" in "+[]string{"g", "h"}[i%2])
	}
	p, err := costPlan(of, "fixed", places)
	if err != nil {
		return nil, err
	}
	cuts := 0
	for i := range txs {
		at := time.Duration(i) * 2 * time.Millisecond
		one, two := i*7%len(keys), (i*13+i/9+5)%len(keys)
		if one == two {
			two = (two + 1) % len(keys)
		}
		one, two = min(one, two), max(one, two) // no deadlocks
		ask(p, at, fmt.Sprintf("C commit t%d %s=%d %s=%d", i, keys[one], i, keys[two], i))
		switch {
		case i == txs/5:
			ask(p, at, "P snapshot F")
		case i > txs/5 && i%(txs/10) == txs/20:
			cuts++
			ask(p, at, "P cut c"+strconv.Itoa(cuts))
		}
	}
	return new(sim.World).Execute(p, sim.Options{NoTrace: true})
}
