package scenarios

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// stales are the lines that came to nothing. Of one that names a kind which does not occur in the
// run at all, the kinds that do are told: only a run shows what a protocol sends.
func (s *Scenario) stales(run *sim.Run) []Problem {
	var wrong []Problem
	for _, l := range run.Stale {
		text := l.Text
		for _, c := range s.Chance {
			if text == "" && c.Line == l.Line {
				text = ExceptionText(c.Exception)
			}
		}
		wrong = append(wrong, problem(StaleLine, l.Line, "stale: %q: %s%s", text, l.Why,
			s.strange(l.Line, run)))
	}
	return wrong
}

// strange says that the kind which a line of the script names does not occur, "" if it does.
func (s *Scenario) strange(line int, run *sim.Run) string {
	at := slices.IndexFunc(s.Script, func(step Step) bool { return step.Line == line })
	if at < 0 {
		return ""
	}
	a := s.Script[at].Action
	if kind := a.Pattern.Kind; kind != "" {
		if known := kindsIn(run, onLinks); !slices.Contains(known, kind) {
			return fmt.Sprintf("; no %q is sent in this run%s", kind, didYouMean(kind, known))
		}
	}
	if a.When != nil && a.When.Event.Kind != "" {
		kind, known := a.When.Event.Kind, kindsIn(run, anywhere)
		if !slices.Contains(known, kind) {
			return fmt.Sprintf("; nothing in this run is called %q%s", kind, near(kind, known))
		}
	}
	return ""
}

// onLinks says that an entry puts something on a link.
func onLinks(k sim.EntryKind) bool {
	switch k {
	case sim.EntrySent, sim.EntryQueued, sim.EntryPublished, sim.EntryInvoked, sim.EntryReturned:
		return true
	}
	return false
}

func anywhere(sim.EntryKind) bool { return true }

// kindsIn are the kinds of the bodies of some entries of a run, sorted.
func kindsIn(run *sim.Run, of func(sim.EntryKind) bool) []string {
	var kinds []string
	for _, e := range run.Trace {
		if e.Body == nil || !of(e.Kind) {
			continue
		}
		if at, known := slices.BinarySearch(kinds, e.Body.Kind()); !known {
			kinds = slices.Insert(kinds, at, e.Body.Kind())
		}
	}
	return kinds
}
