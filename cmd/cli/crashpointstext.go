package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim/search"
)

// crashWriter prints what crashes came to, a variant after the other, and keeps stories.
type crashWriter struct {
	app    *app
	dir    string // of stories; "" keeps none
	tables bool
	used   map[string]bool
	runs   int
	broken int      // runs
	phases int      // that break
	blames []string // what made the exit code another one than 0
}

// mostShown is how many breaking crashes of a variant are shown; all of them are written.
const mostShown = 10

func (w *crashWriter) write(c *crashed) error {
	if err := w.keep(c); err != nil {
		return err
	}
	out := w.app.out
	fmt.Fprintf(out, "%s: %s\n", c.name(), c.headline())
	if w.tables {
		w.table(c)
		w.logs(c)
		w.notReached(c)
	}
	w.breaking(c)
	w.failures(c)
	fmt.Fprintf(out, "  %s\n", c.summary())
	w.runs += c.Runs()
	w.broken += c.broken()
	w.phases += len(c.groups)
	if code := c.code(); code != exitOK {
		w.blames = append(w.blames, fmt.Sprintf("exit %d: %s: %s", code, c.name(), c.blame(code)))
	}
	return nil
}

// blame is what made the exit code of a variant.
func (c *crashed) blame(code int) string {
	switch {
	case code == exitViolated && c.right():
		return "NOT AS EXPECTED, nothing may break"
	case code == exitViolated:
		return "NOT CAUGHT, want " + strings.Join(c.must, " or ") + " broken"
	case code == exitUndecided && c.Cut:
		return "INTERRUPTED"
	case code == exitUndecided:
		return "undecided"
	case code == exitUnsteady:
		return "two runs of one plan differ"
	}
	return "a run is not played"
}

// close prints a line about all variants, if there are several, and which were not as expected.
func (w *crashWriter) close(variants int) {
	if variants <= 1 {
		return
	}
	fmt.Fprintf(w.app.out, "%s together: %s, %d broken, %s breaking", several(variants, "variant"),
		several(w.runs, "run"), w.broken, several(w.phases, "phase"))
	if len(w.blames) == 0 {
		fmt.Fprintln(w.app.out, "; all as expected")
		return
	}
	fmt.Fprintf(w.app.out, "; %d not as expected:\n", len(w.blames))
	for _, line := range w.blames[:min(len(w.blames), mostShown)] {
		fmt.Fprintln(w.app.out, " ", line)
	}
	if n := len(w.blames) - mostShown; n > 0 {
		fmt.Fprintf(w.app.out, "  and %d more\n", n)
	}
}

// headline is what the crashes came to in one line.
func (c *crashed) headline() string {
	text := "no crash breaks it"
	switch {
	case len(c.groups) > 0:
		text = c.phases()
	case len(c.Base.Broken) > 0:
		text = "crashes break nothing else"
	}
	if len(c.Base.Broken) > 0 {
		text += "; without a crash it breaks " + strings.Join(c.Base.Broken, " ")
	}
	switch {
	case c.right() && c.broken() > 0:
		text += "; NOT AS EXPECTED, nothing may"
	case len(c.must) > 0 && !c.caught():
		text += "; NOT CAUGHT, want " + strings.Join(c.must, " or ") + " broken"
	}
	return text
}

// phases is how many phases break, and how many pairs of them.
func (c *crashed) phases() string {
	pairs := 0
	for _, g := range c.groups {
		pairs += len(g.Hits) - 1
	}
	var parts []string
	if n := len(c.groups) - pairs; n > 0 {
		parts = append(parts, several(n, "phase")+" "+verb(n, "breaks", "break"))
	}
	if pairs > 0 {
		parts = append(parts, several(pairs, "pair")+" of phases "+verb(pairs, "breaks", "break")+
			" what neither does alone")
	}
	return strings.Join(parts, ", ")
}

// summary is the numbers.
func (c *crashed) summary() string {
	parts := []string{several(len(c.Points), "crash point"), several(c.Runs(), "run"),
		fmt.Sprintf("%d distinct", c.Distinct), fmt.Sprintf("%d broken", c.broken())}
	switch {
	case c.Cut:
		parts = append(parts, "INTERRUPTED")
	case c.Complete():
		parts = append(parts, "complete")
	}
	if n := len(c.Singles); n < c.OfSingles {
		parts = append(parts, c.sampled(n, c.OfSingles, "single crashes"))
	}
	if n := len(c.Pairs); n < c.OfPairs {
		parts = append(parts, c.sampled(n, c.OfPairs, "pairs"))
	}
	return strings.Join(parts, ", ")
}

func (c *crashed) sampled(n, of int, what string) string {
	text := fmt.Sprintf("%s of %s %s played, chosen by seed %d", thousands(n), thousands(of), what,
		c.search.Seed)
	if what == "pairs" && len(c.Singles) < c.OfSingles {
		text = "at least " + text
	}
	return text
}

// thousands is a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// table prints node by phase.
func (w *crashWriter) table(c *crashed) {
	t := tabwriter.NewWriter(w.app.out, 0, 0, 2, ' ', 0)
	head := "\n  node\tphase\tnow, lost\tkept\ttorn\tend, lost\tkept\ttorn"
	if c.search.Crashes > 1 {
		head += "\tand a second crash"
	}
	head += "\n"
	rows, dull := c.Rows(), 0
	for _, r := range rows {
		cells := append(cellTexts(r, r.Now), cellTexts(r, r.End)...)
		if c.search.Crashes > 1 {
			cells = append(cells, cellText(r.Pairs, false))
		}
		if len(rows) > mostRows && !slices.ContainsFunc(cells, telling) {
			dull++
			continue
		}
		fmt.Fprint(t, head)
		head = ""
		fmt.Fprintln(t, strings.Join(append([]string{"  " + r.Node, r.Phase}, cells...), "\t"))
	}
	t.Flush()
	if dull > 0 {
		fmt.Fprintf(w.app.out, "  and %s in which all holds\n", several(dull, "phase"))
	}
}

// mostRows is how many rows a table has that shows those too in which all holds.
const mostRows = 40

// telling says that a cell is worth its row in a long table.
func telling(cell string) bool { return cell != "holds" && cell != "vacuous" && cell != "-" }

// cellTexts are the cells of a row for one time of the restart, by tail.
func cellTexts(r search.Row, cells [3]search.Cell) []string {
	texts := make([]string, len(cells))
	for tail, c := range cells {
		texts[tail] = cellText(c, r.Unsynced == 0 && search.Tail(tail) != search.LostTail)
	}
	return texts
}

// cellText is what some runs came to; none says that there are none of the sort.
func cellText(c search.Cell, none bool) string {
	switch {
	case none:
		return "-"
	case c.Runs == 0:
		return "not played"
	case len(c.New) > 0:
		return strings.Join(c.New, "+")
	case c.Missed > 0:
		return "not reached"
	case c.Undecided > 0:
		return "undecided"
	case c.Broken > 0:
		return "as without"
	case c.Vacuous == c.Runs:
		return "vacuous"
	}
	return "holds"
}

// logs prints what recovery from each log comes to.
func (w *crashWriter) logs(c *crashed) {
	t := tabwriter.NewWriter(w.app.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\n  node\tlog that a crash left\truns\trecovered\tlast one torn")
	rows, dull := c.Logs(), 0
	for _, r := range rows {
		whole, torn := cellText(r.Whole, r.Whole.Runs == 0), cellText(r.Torn, r.Torn.Runs == 0)
		if len(rows) > mostRows && !telling(whole) && !telling(torn) {
			dull++
			continue
		}
		what := "nothing"
		if r.Rows > 0 {
			what = several(int(r.Rows), "record") + ", to " + r.Last
		}
		fmt.Fprintf(t, "  %s\t%s\t%d\t%s\t%s\n", r.Node, what, r.Whole.Runs+r.Torn.Runs,
			whole, torn)
	}
	t.Flush()
	if dull > 0 {
		fmt.Fprintf(w.app.out, "  and %s from which recovery holds\n", several(dull, "log"))
	}
	fmt.Fprintln(w.app.out)
}

// notReached says which phases no crash can reach.
func (w *crashWriter) notReached(c *crashed) {
	lines := slices.Concat(c.missed(), c.Unreached)
	for _, text := range lines[:min(len(lines), mostShown)] {
		fmt.Fprintf(w.app.out, "  no crash reaches: %s\n", text)
	}
	if n := len(lines) - mostShown; n > 0 {
		fmt.Fprintf(w.app.out, "  nor %s more\n", several(n, "phase"))
	}
	if c.Epilogue > 0 {
		fmt.Fprintf(w.app.out, "  no crash reaches the epilogue, where %s\n",
			several(c.Epilogue, "effect")+" "+verb(c.Epilogue, "comes", "come"))
	}
}

// missed are phases at which a crash was meant to fall and did not.
func (c *crashed) missed() []string {
	var all []string
	for _, s := range c.Singles {
		if text := s.Hits[0].Node + " " + s.Hits[0].Phase; s.Missed && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// breaking prints the crashes that break something.
func (w *crashWriter) breaking(c *crashed) {
	out := w.app.out
	for _, g := range c.groups[:min(len(c.groups), mostShown)] {
		fmt.Fprint(out, g)
	}
	if n := len(c.groups) - mostShown; n > 0 {
		fmt.Fprintf(out, "  and %d more\n", n)
	}
	switch {
	case len(c.groups) > 0 && w.dir == "":
		fmt.Fprintf(out, "  as stories: %s\n", c.again("--out", "found"))
	case c.code() == exitViolated && len(c.groups) == 0:
		fmt.Fprintf(out, "  again: %s\n", c.again())
	}
}

// String is the crashes as lines of a story, and what breaks.
func (g *crashGroup) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  breaks %s%s\n", strings.Join(g.New, " "), alike(g.alike))
	for _, h := range g.Hits {
		fmt.Fprintf(&b, "    %s %s\n", h.Node, h.Phase)
	}
	for _, line := range scenarios.CrashLines(g.Hits) {
		fmt.Fprintf(&b, "      %s\n", line)
	}
	for _, x := range g.Verdict.Lowest() {
		fmt.Fprintf(&b, "    %s: %s\n", x.Property.Name, x.Violation.Reason)
	}
	if g.file != "" {
		fmt.Fprintf(&b, "    %s\n", command("replay", g.file))
	}
	return b.String()
}

func alike(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(", and so %s", several(n-1, "more run"))
}

// again is the command that plays this variant again.
func (c *crashed) again(more ...string) string {
	words := append([]string{"crashpoints", "--variant", c.Variant.Name}, more...)
	if c.grid != "" {
		words = append(words, "--case", c.grid)
	}
	if c.flags.seed != 0 {
		words = append(words, "--seed", fmt.Sprint(c.flags.seed))
	}
	if c.flags.crashes > 1 {
		words = append(words, "--crashes", fmt.Sprint(c.flags.crashes))
	}
	if c.flags.maxRuns != mostRuns {
		words = append(words, "--max-runs", fmt.Sprint(c.flags.maxRuns))
	}
	return command(append(words, c.File)...)
}

// failures says what went wrong beside the protocol.
func (w *crashWriter) failures(c *crashed) {
	for _, s := range c.runs() {
		switch {
		case s.Apart != nil:
			fmt.Fprintf(w.app.out, "  two runs of one plan differ: %v\n    %s\n", s.Apart, c.again())
		case s.Error != "":
			fmt.Fprintf(w.app.out, "  not played: %s\n    %s\n", s.Error, c.again())
		case s.Undecided != "" && len(s.Broken) == 0:
			fmt.Fprintf(w.app.out, "  undecided: %s\n    %s\n", s.Undecided, c.again())
			return
		}
	}
}

// keep writes the stories of what breaks.
func (w *crashWriter) keep(c *crashed) error {
	if w.dir == "" {
		return nil
	}
	for _, g := range c.groups {
		words := []string{strings.TrimSuffix(path.Base(c.File), ".txt")}
		if c.grid != "" {
			words = append(words, c.grid)
		}
		words = append(words, c.Variant.Name, g.Property)
		taken := func(file string) bool { return tellsAnother(file, g.Story) }
		g.file = freeName(w.dir, w.used, taken, words)
		if err := w.app.write(&kept{Finding: g.Finding, file: g.file}); err != nil {
			return err
		}
	}
	return nil
}
