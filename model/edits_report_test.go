package model_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// tally counts fates.
type tally struct{ found, seeded, seed, pinned, shrunk int }

func (n *tally) add(f fate) {
	one := func(v *int, is bool) {
		if f.found && is {
			*v++
		}
	}
	one(&n.found, true)
	one(&n.seeded, f.seeded)
	one(&n.seed, f.seeded && f.seed)
	one(&n.pinned, f.pinned)
	one(&n.shrunk, f.shrunk)
}

// report is the figures as they are kept.
func report(all []*stored) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Stored failures after edits of their model

A failure of each wrong variant is kept in three forms: by its seed alone; pinned, with what chance
chose as exceptions; and shrunk to a story. Each is played again after ten edits of the model, one
at a time, and survives if the same property is broken. It counts if a fresh sweep of %d seeds still
finds the fault after the edit. Written by %s.

| edit | what it adds | found afresh | by seed | pinned | shrunk |
|---|---|---|---|---|---|
`, afresh, "`go test -run Edits -update ./model`")
	var sum tally
	for k, e := range edits {
		var n tally
		for _, s := range all {
			n.add(s.fates[k])
			sum.add(s.fates[k])
		}
		seed := fmt.Sprint(n.seed)
		if n.seeded == 0 {
			seed = "not asked"
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s | %d | %d |\n", e.name, e.doc, n.found, len(all),
			seed, n.pinned, n.shrunk)
	}
	fmt.Fprintf(&b, "| all | | %d | %s | %s | %s |\n\n## Stories that do not fail any more\n\n", sum.found,
		share(sum.seed, sum.seeded), share(sum.pinned, sum.found), share(sum.shrunk, sum.found))
	for _, s := range all {
		for k, f := range s.fates {
			if f.String() == "lost" {
				fmt.Fprintf(&b, "- %s after %s; stale: %s\n", s.name(), edits[k].name, orNone(f.stale))
			}
		}
	}
	b.WriteString("\n## Each\n\nThe seed under which the fault is found, first in the model as it is; " +
		"0 where it is not.\n\n| failure | breaks | unedited |")
	for _, e := range edits {
		fmt.Fprintf(&b, " %s |", e.name)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(edits)) + "\n")
	for _, s := range all {
		b.WriteString(s.row())
	}
	return b.String()
}

// row is the failure in the table of each.
func (s *stored) row() string {
	cells := []string{s.name(), s.variant.Breaks, fmt.Sprint(s.seeds[0])}
	for k, f := range s.fates {
		cells = append(cells, fmt.Sprintf("%v %d", f, s.seeds[k+1]))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// rows are the seeds that are kept, by failure: those of rows that fit the edits.
func rows(t *testing.T) map[string][]uint64 {
	t.Helper()
	text, err := os.ReadFile(survival)
	if err != nil {
		return nil
	}
	_, table, _ := strings.Cut(string(text), "\n## Each\n")
	all := map[string][]uint64{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		var seeds []uint64
		for _, cell := range cells[min(2, len(cells)):] {
			words := strings.Fields(cell)
			if n, err := strconv.ParseUint(words[len(words)-1], 10, 64); err == nil {
				seeds = append(seeds, n)
			}
		}
		if len(seeds) == 1+len(edits) {
			all[cells[0]] = seeds
		}
	}
	return all
}

// share is a part of a whole in percent, to one decimal.
func share(part, whole int) string {
	tenths := 1000 * part / max(whole, 1)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, "; ")
}

// compare compares the figures with those that are kept, of which a short test makes a few rows.
func compare(t *testing.T, all []*stored) {
	t.Helper()
	now := report(all)
	if *update && !testing.Short() {
		if err := os.WriteFile(survival, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(survival)
	if err != nil {
		t.Fatalf("%v; go test -run Edits -update ./model writes it", err)
	}
	if !testing.Short() && now != string(kept) {
		t.Errorf("%s is not what comes of it; go test -run Edits -update ./model; now it is\n%s", survival,
			now)
	}
	for _, s := range all {
		if !strings.Contains(string(kept), "\n"+s.row()) {
			t.Errorf("%s has no row %s", survival, s.row())
		}
	}
}
