package spacetime

import "github.com/downset/downset/sim"

// Crossings are all sentences of a picture about messages that cross a cut.
func Crossings(run *sim.Run, o Options) []string {
	o.Width = 100
	return newScene(run, o).crossings
}

// Rows are the events of each lane in the order in which a picture has them, each by its entries.
func Rows(run *sim.Run, o Options) [][][]int {
	o.Width = 100
	s := newScene(run, o)
	rows := make([][][]int, len(s.lanes))
	for k := range s.events {
		if e := &s.events[k]; e.lane >= 0 {
			rows[e.lane] = append(rows[e.lane], e.entries)
		}
	}
	return rows
}
