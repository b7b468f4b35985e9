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

// synchroFolder is where synchro's stories lie, seen from the top.
const synchroFolder = "scenarios/synchro"

const synchroHead = `# Synchro: which solution, at what price

Written by ` + "`downset results synchro`" + `. S0 to S12 are the reference schedules of the
specification's section 2, I to V the solutions of the draft, P0 to P4 the rules as they shipped.
P0 is two columns: as it was, a new leader writes nothing about an empty queue; *writes* is the
draft's form of it, /resolve-empty=write, on which I to V stand. *triplet* is P4 with CONFIRM,
ROLLBACK and RAFT_TERM in the place of PROMOTE.

A cell is the worst that comes of the story: *ok*; *stopped*, with the data right (a link that is
stopped for good, rows or votes that never get through, no end of elections); *loss*, of something
committed, with a link stopped, so that somebody can notice; *silent*, data that differ or are lost
with all links up. *ok* with names is that rules are broken, this time without an effect on data.
In brackets what section 2 says: + it is fixed, – it fails; nothing if it does not say.
**Bold** is what differs, and is explained below.
`

// writeSynchro is the page synchro.md.
func writeSynchro(of *sim.Protocol) (string, error) {
	rows, err := playSchedules(of, schedules())
	if err != nil {
		return "", err
	}
	told, err := synchroStories()
	if err != nil {
		return "", err
	}
	digest, err := scheduleDigest()
	if err != nil {
		return "", err
	}
	return synchroText(rows) + otherStories(told) + synchroFindings(told) + digest, nil
}

// synchroText is what is made of the schedules.
func synchroText(rows []schedule) string {
	text := synchroHead
	for _, t := range synchroTables() {
		text += t.text(rows)
	}
	return text + differences(rows) + priceTable(rows) + synchroProse(rows)
}

// schedule is a story of section 2 with what came of it.
type schedule struct {
	number, name string            // S0, and the story's file without .txt
	says         map[string]string // by variant: fixes or fails
	came         []outcome         // by variant, as synchroVariants
	err          error
}

// outcome is what came of a story under a variant, and what it cost up to the epilogue.
type outcome struct {
	class                   sim.Class
	broken                  []string
	rows, control, messages int // stored by all nodes; of these control rows; messages sent
	asked, done             int // writes of the script, and those that were answered well
}

// playSchedules plays all, a few at once.
func playSchedules(of *sim.Protocol, rows []schedule) ([]schedule, error) {
	queue := make(chan *schedule)
	var players sync.WaitGroup
	for range workers {
		players.Go(func() {
			for s := range queue {
				s.err = s.play(of)
			}
		})
	}
	for i := range rows {
		queue <- &rows[i]
	}
	close(queue)
	players.Wait()
	for _, s := range rows {
		if s.err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, s.err)
		}
	}
	return rows, nil
}

func (s *schedule) play(of *sim.Protocol) error {
	told, err := synchroStory(s.name + ".txt")
	if err != nil {
		return err
	}
	o := scenarios.PlayOptions{Variants: synchroVariants(), NoOrders: true}
	r, err := scenarios.Play(told, of, o)
	if err != nil {
		return err
	}
	for i := range r.Played {
		s.came = append(s.came, outcomeOf(of, &r.Played[i]))
	}
	return nil
}

// outcomeOf judges a run by the lattice of 6.4.
func outcomeOf(of *sim.Protocol, p *scenarios.Played) outcome {
	o := outcome{class: sim.Unclassified}
	lost, differs := false, false
	for _, f := range p.Verdict.Findings {
		if f.Violation == nil {
			continue
		}
		name := f.Property.Name
		o.broken = append(o.broken, name)
		differs = differs || name == "C1"
		lost = lost || slices.Contains(losses, name)
		if strings.HasPrefix(name, "L") {
			o.class = sim.Stopped
		}
	}
	stopped := someStopped(of.Observe(p.Run))
	switch {
	case differs || lost && !stopped:
		o.class = sim.Silent
	case lost:
		o.class = sim.DetectedLoss
	case stopped || p.Run.End != sim.Settled:
		o.class = sim.Stopped
	}
	o.cost(p.Run)
	return o
}

// losses are the properties whose violation is that data are lost, undone or not what was told.
// Strict histories are not among them: they tell of answers; nor are restarts (S1), whose harm to
// data shows in the others.
var losses = []string{"S2", "C2", "R1", "R2", "D1", "D2", "D3", "H1", "H2", "H4"}

func someStopped(seen []sim.Observation) bool {
	return slices.ContainsFunc(seen, func(o sim.Observation) bool {
		return strings.HasPrefix(o.Name, "stopped ") && o.Value != "" && o.Value != "no"
	})
}

// controlWords are what the keys of control rows say.
var controlWords = []string{"CONFIRM", "ROLLBACK", "PROMOTE", "DEMOTE", "RAFT_TERM", "CHANGE_OWNER"}

// cost counts what the script took, without the epilogue.
func (o *outcome) cost(run *sim.Run) {
	var writes []int64
	for i := range run.Trace[:min(run.Epilogue, len(run.Trace))] {
		switch e := &run.Trace[i]; {
		case e.Kind == sim.EntrySent:
			o.messages++
		case e.Kind == sim.EntryNoted && e.Body.Kind() == "stored":
			o.store(strings.Fields(sim.Text(e.Body)))
		case e.Kind == sim.EntryInvoked && slices.Contains(writeKinds, e.Body.Kind()):
			writes = append(writes, e.N)
			o.asked++
		case e.Kind == sim.EntryReturned && slices.Contains(writes, e.N) && e.Body.Kind() == "done":
			o.done++
		}
	}
}

// store counts a row by what is said of it. Local rows are not of the log that is replicated.
func (o *outcome) store(words []string) {
	if slices.Contains(words, "RAFT") {
		return
	}
	o.rows++
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(controlWords, w) }) {
		o.control++
	}
}

var writeKinds = []string{"put", "cas"}

// synchroStory is a story of synchro by its name.
func synchroStory(name string) (*scenarios.Scenario, error) {
	file := path.Join(synchroFolder, name)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return scenarios.Parse(file, text)
}

// synchroStories are those that the page names beside the schedules, in the order of their names.
func synchroStories() ([]*scenarios.Scenario, error) {
	files, err := filepath.Glob(path.Join(synchroFolder, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: want stories, *.txt, below the current folder", synchroFolder)
	}
	slices.Sort(files)
	var all []*scenarios.Scenario
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if !isOther(name) && !strings.HasPrefix(name, foundPrefix) {
			continue
		}
		s, err := synchroStory(filepath.Base(file))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
