package pages

import (
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"strings"

	"github.com/downset/downset/sim"
)

// playedAgain are the schedules that a check plays again, under all variants: some with elections
// and some without, in which each solution and each profile comes to something bad once at least.
var playedAgain = []string{"s00-base-bug", "s02-without-elections", "s05-two-writers",
	"s06-confirmed-on-the-owner-alone", "s07-two-at-once-off", "s12-acks-of-nops"}

// scheduleDigest is a short name for the stories of the schedules, as far as they play.
func scheduleDigest() (string, error) {
	h := fnv.New64a()
	for _, s := range schedules() {
		text, err := os.ReadFile(path.Join(synchroFolder, s.name+".txt"))
		if err != nil {
			return "", err
		}
		_, played, _ := strings.Cut(string(text), "-- scenario --")
		fmt.Fprintf(h, "%s %s", s.name, played)
	}
	return fmt.Sprintf("\nOf the schedules `%016x`.\n", h.Sum64()), nil
}

// checkSynchro plays some schedules again and looks whether the page has their rows, whether it has
// one of each other schedule, and whether what needs no playing is as it would be.
func checkSynchro(of *sim.Protocol, text string) (string, error) {
	told, err := synchroStories()
	if err != nil {
		return "", err
	}
	digest, err := scheduleDigest()
	if err != nil {
		return "", err
	}
	parts := []string{digest, synchroHead, differenceHead, priceHead, othersHead,
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
	if strings.Contains(text, "%!") {
		return "results/synchro.md has figures that its prose has no place for, or the reverse", nil
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
