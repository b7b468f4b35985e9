package scenarios

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// TraceText is a run as lines, one an entry, in fixed columns: position, time, node, what happened,
// to what, and the position of its cause.
//
//	6  0s  P  sends     notify tx5 to Q    < 4
//	7  0s  Q  receives  notify tx5 from P  < 6
func TraceText(run *sim.Run) []string {
	rows := make([][]string, len(run.Trace))
	width := make([]int, 5)
	for i, e := range run.Trace {
		rows[i] = []string{
			fmt.Sprint(i), e.At.String(), run.Name(e.Node), e.Kind.String(), EntryText(run, e),
		}
		for k, cell := range rows[i] {
			width[k] = max(width[k], len(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		line := fmt.Sprintf("%*s  %*s  %-*s  %-*s  %-*s", width[0], row[0], width[1], row[1],
			width[2], row[2], width[3], row[3], width[4], row[4])
		if cause := run.Trace[i].Cause; cause >= 0 {
			line += fmt.Sprintf("  < %*d", width[0], cause)
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// EntryText is what an entry is about, in a few words: "notify tx5 to Q".
func EntryText(run *sim.Run, e sim.Entry) string {
	var words []string
	if text := sim.Text(e.Body); text != "" {
		words = append(words, text)
	}
	peer := run.Name(e.Peer)
	switch e.Kind {
	case sim.EntrySent, sim.EntryCopied, sim.EntryParted, sim.EntryOpened, sim.EntryBroken:
		words = append(words, "to "+peer)
	case sim.EntryDelivered, sim.EntrySequenced, sim.EntryLogged:
		if peer != "" {
			words = append(words, "from "+peer)
		}
	case sim.EntryHeard:
		words = append(words, "of "+peer)
	case sim.EntryLost:
		words = append(words, "from "+peer+": "+sim.Loss(e.N).String())
	}
	if n := numberText(run, e); n != "" {
		words = append(words, n)
	}
	return strings.Join(words, " ")
}

// numberText is what the entry's number says, where people want to know.
func numberText(run *sim.Run, e sim.Entry) string {
	switch e.Kind {
	case sim.EntryStarted:
		if e.N > 1 {
			return fmt.Sprintf("(%d)", e.N)
		}
	case sim.EntryAppended, sim.EntryReplaced, sim.EntrySequenced, sim.EntryLogged:
		return fmt.Sprintf("@%d", e.N)
	case sim.EntrySynced, sim.EntryFlushed, sim.EntryTold, sim.EntrySyncFailed:
		return fmt.Sprintf("up to %d", e.N)
	case sim.EntryCrashed:
		return fmt.Sprintf("losing %d", e.N)
	case sim.EntryInvoked, sim.EntryArrived, sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown,
		sim.EntryLate:
		return fmt.Sprintf("(call %d)", e.N)
	case sim.EntryClock:
		return run.ClockChange(e)
	case sim.EntryDisk:
		if e.N > 0 && e.N < int64(len(spoils)) {
			return spoils[e.N]
		}
		return fmt.Sprint(e.N)
	}
	return ""
}

// trace compares a run with the stored trace of its variant, if there is one. Only the first seed
// has one.
func (pl *player) trace(run *sim.Run) []Problem {
	stored := pl.story.golden(pl.variant)
	if stored == nil || run.Plan.Seed != pl.seeds().From {
		return nil
	}
	lines := TraceText(run)
	for i := range max(len(lines), len(stored.Lines)) {
		got, want := lineAt(lines, i), lineAt(stored.Lines, i)
		if got != want {
			return []Problem{problem(WrongTrace, stored.Line,
				"trace, line %d: want %q, got %q", i+1, want, got)}
		}
	}
	return nil
}

// lineAt is a line with its blanks made single, "" past the end.
func lineAt(lines []string, i int) string {
	if i >= len(lines) {
		return ""
	}
	return strings.Join(strings.Fields(lines[i]), " ")
}

// golden is the stored trace of a variant, nil if it has none.
func (s *Scenario) golden(variant string) *Golden {
	for i := range s.Traces {
		if s.Traces[i].Variant == variant {
			return &s.Traces[i]
		}
	}
	return nil
}
