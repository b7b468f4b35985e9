package pages

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// playedAgain are the schedules that a check plays again, under all variants: one without elections
// and one with, in which each solution and each profile breaks or holds as it does.
var playedAgain = []string{"s02-without-elections", "s12-acks-of-nops"}

// checkSynchro plays some schedules again and looks whether the page has their rows, whether it has
// one of each other schedule, and whether what needs no playing is as it would be.
func checkSynchro(of *sim.Protocol, text string) (string, error) {
	told, err := synchroStories()
	if err != nil {
		return "", err
	}
	parts := []string{synchroHead, differenceHead, priceHead, othersHead,
		otherStories(told) + synchroFindings(told)}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			first, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
			return fmt.Sprintf("results/synchro.md would have another part %q", first), nil
		}
	}
	if line := lacksProse(text); line != "" {
		return fmt.Sprintf("results/synchro.md would say %q", line), nil
	}
	if strings.Contains(text, ": "+unexplained+"\n") {
		return "results/synchro.md has a difference that is not explained", nil
	}
	return rowsAgain(of, text)
}

// rowsAgain compares the rows of schedules.
func rowsAgain(of *sim.Protocol, text string) (string, error) {
	rows := schedules()
	for i := range rows {
		s := &rows[i]
		link := fmt.Sprintf("[%s](../%s/%s.txt) |", s.name, synchroFolder, s.name)
		if n := strings.Count(text, link); n != len(synchroTables()) {
			return fmt.Sprintf("results/synchro.md has %d rows of %s, want one a table", n, s.name), nil
		}
	}
	for _, name := range playedAgain {
		s := scheduleOf(rows, name)
		if err := s.play(of); err != nil {
			return "", err
		}
		for _, t := range synchroTables() {
			if row := t.row(s); !strings.Contains(text, row) {
				return fmt.Sprintf("results/synchro.md would have another row:\n%s", row), nil
			}
		}
	}
	return "", nil
}

func scheduleOf(rows []schedule, name string) *schedule {
	for i := range rows {
		if rows[i].name == name {
			return &rows[i]
		}
	}
	panic("pages: no schedule " + name)
}
