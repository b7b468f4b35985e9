package pages

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

func clocksPage() sim.Page {
	return sim.Page{Name: "clocks", Doc: "what each clock orders, and what is lost without it",
		Write: writeClocks, Figures: drawClocks, Check: checkClocks}
}

// tables are those of the page that are played, in order, with what they say in words before them.
// Each begins with its heading.
var tables = []struct {
	head string
	play func(*sim.Protocol) (string, error)
	says string
}{
	{"## Lost updates against skew", lostBySkew, skewSays},
	{"## Lost updates of concurrent writers", lostByConcurrency, concurrentSays},
	{"## Size of version vectors against writers", unplayed(sizes), sizesSay},
	{"## False conflicts against the limit", unplayed(falseConflicts), conflictsSay},
	{"## Silent loss: where the count comes from", unplayed(silentLoss), silentSays},
	{"## Hybrid clocks against the error of clocks", hybridDrift, driftSays},
	{"## Close Lamport stamps", closeStamps, closeSays},
	{"## Streams by the producers' clocks", streamOrders, streamSays},
	{"## Leases and latencies by two clocks", twoClocks, twoClocksSay},
}

// unplayed is a table that needs no run.
func unplayed(table func() string) func(*sim.Protocol) (string, error) {
	return func(*sim.Protocol) (string, error) { return table(), nil }
}

// writeClocks is the page clocks.md.
func writeClocks(of *sim.Protocol) (string, error) {
	text := clocksHead
	for _, t := range tables {
		table, err := t.play(of)
		if err != nil {
			return "", err
		}
		text += table + t.says
	}
	return text, nil
}

// checkClocks plays anew what is quick: two tables, and a row of a third.
func checkClocks(of *sim.Protocol, text string) (wrong string, err error) {
	for _, t := range tables {
		if !strings.Contains(text, "\n"+t.head+"\n") || !strings.Contains(text, t.says) {
			return fmt.Sprintf("clocks.md has not what %q says", t.head), nil
		}
	}
	for _, quick := range []struct {
		table int
		play  func(*sim.Protocol) (string, error)
	}{{2, unplayed(sizes)}, {3, unplayed(falseConflicts)}, {6, sampleStamps}} {
		part, err := quick.play(of)
		if err != nil {
			return "", err
		}
		if !strings.Contains(text, part) {
			return fmt.Sprintf("clocks.md: the table under %q would be another",
				tables[quick.table].head), nil
		}
	}
	return "", nil
}

// plots are the pictures of the page's tables.
var plots = []plot{
	{"clocks-lost.svg", "## Lost updates against skew", "Updates lost, by skew between writers",
		"skew between clocks / interval between a read and its write", "lost, per cent", false},
	{"clocks-concurrent.svg", "## Lost updates of concurrent writers",
		"Updates lost or refused among concurrent writers",
		"delay of a message / interval between writes (log scale)",
		"lost or refused, per cent", true},
	{"clocks-size.svg", "## Size of version vectors against writers", "Size of a version vector",
		"writers", "bytes", false},
	{"clocks-conflicts.svg", "## False conflicts against the limit",
		"Writes that look concurrent to what they read", "pairs that are kept", "per cent", false},
	{"clocks-drift.svg", "## Hybrid clocks against the error of clocks",
		"How far hybrid stamps run ahead", "error of clocks, ms", "ms", false},
	{"clocks-close.svg", "## Close Lamport stamps",
		"Concurrent pairs, by difference of Lamport stamps", "difference of the two counts",
		"concurrent, per cent", false},
	{"clocks-streams.svg", "## Streams by the producers' clocks",
		"Events delivered in a wrong order",
		"skew between producers / interval between events", "per cent", false},
}

// drawClocks makes the pictures of the page.
func drawClocks(text string) ([]sim.Figure, error) {
	var all []sim.Figure
	for _, p := range plots {
		f, err := p.draw(text)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}
