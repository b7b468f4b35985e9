package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim/search"
)

// exploredText prints what came of one variant. Alone, a failure is shown in full; among other
// variants only one that is not as expected.
func (a *app) exploredText(x *explored, alone bool) error {
	if a.json {
		return a.exploredObject(x)
	}
	fmt.Fprintf(a.out, "%s: %s\n", x.name(), x.headline())
	for _, line := range x.failures() {
		fmt.Fprintln(a.out, line)
	}
	for _, row := range x.rows(alone) {
		a.row(row[0], row[1:])
	}
	for _, w := range x.ways {
		if w.known || !alone && !x.right() {
			continue
		}
		if err := a.wayReport(x, w); err != nil {
			a.complain(err)
		}
	}
	return nil
}

// headline is what came of it in a line.
func (x *explored) headline() string {
	all := slices.Concat(x.Broken, x.Early)
	switch {
	case x.right() && len(all) > 0:
		return x.broken() + "; NOT AS EXPECTED, nothing may"
	case x.found():
		return x.broken() + "; caught, as expected"
	case len(all) > 0 && len(x.must) > 0:
		return x.broken() + x.missed()
	case len(all) > 0 && x.how.Finds(all):
		return x.broken() + "; caught, as it is wrong"
	case len(all) > 0:
		return x.broken() + ", not " + x.Variant.Breaks
	case len(x.must) > 0:
		return "breaks nothing" + x.missed()
	case x.interrupted:
		return "nothing broke so far; INTERRUPTED"
	case !x.Complete:
		return "nothing broke so far; INCOMPLETE"
	case x.Undecided > 0:
		return fmt.Sprintf("nothing broke; UNDECIDED at %s", several64(x.Undecided, "end"))
	case x.wrong():
		return "breaks nothing: equivalent here within these bounds"
	}
	return "holds in every order within these bounds"
}

// wrong says that the variant is known to be wrong.
func (x *explored) wrong() bool { return x.Variant.Breaks != "" }

// missed says that what must break did not.
func (x *explored) missed() string {
	want := strings.Join(x.must, " or ")
	if x.Complete {
		return "; NOT CAUGHT within these bounds, want " + want + " broken"
	}
	return "; NOT REACHED here, want " + want + " broken; INCOMPLETE"
}

// broken is "breaks A B, C", what is wanted first.
func (x *explored) broken() string {
	var kinds []string
	for _, b := range x.sorted() {
		if text := strings.Join(b.Broken, " "); !slices.Contains(kinds, text) {
			kinds = append(kinds, text)
		}
	}
	return "breaks " + strings.Join(kinds, ", ")
}

func several64(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(int(n)) + " " + what + "s"
}

// failures are lines about what broke: in how many ends, how to get there, and the story of it.
func (x *explored) failures() []string {
	var lines []string
	for _, w := range x.ways {
		lines = append(lines, fmt.Sprintf("  breaks %s, by %s  %s", w.Property, w.length(), w.where()))
	}
	for _, b := range x.untold {
		lines = append(lines, fmt.Sprintf("  breaks %s after %s, which no story repeats",
			strings.Join(b.Broken, " "), several(len(b.Path), "move")))
	}
	return lines
}

// rows are the counts, each with its name first.
func (x *explored) rows(alone bool) [][]string {
	rows := [][]string{{"bounds", x.how.Bounds.String() + " (" + x.whose + ")"}}
	if out := x.leftOut(); len(out) > 0 {
		rows = append(rows, append([]string{"left out"}, out...))
	}
	rows = append(rows, []string{"space", x.space()}, []string{"speed", x.speed()})
	if x.flags.several || !x.Complete && (!alone || !x.Steady) {
		return rows
	}
	if len(x.how.Past) > 0 {
		rows = append(rows, append([]string{"kept apart", "states by their causal past, for " +
			x.how.Past[0]}, x.how.Past[1:]...))
	}
	if labels := x.labels(); len(labels) > 0 {
		rows = append(rows, append([]string{"but"}, labels...))
	}
	if x.Undecided > 0 {
		rows = append(rows, []string{"undecided", x.unclear()})
	}
	return append(rows, x.reached()...)
}

// unclear is how many ends are undecided, and why the first is.
func (x *explored) unclear() string {
	text := several64(x.Undecided, "end")
	if x.Steady {
		text += ", first " + x.Unclear
	}
	return text
}

// reached are the counts of goals and premises, if they are the same each time.
func (x *explored) reached() [][]string {
	if !x.counts() {
		return [][]string{{"goals", "and premises are not counted: several workers shared the space," +
			" --jobs 1 counts them"}}
	}
	return [][]string{
		append([]string{"goals"}, counted(goalNames(x.Protocol), x.Goals, x.never("REACHED"))...),
		append([]string{"premises"}, counted(x.judged(), x.Premises, x.never("MET"))...),
	}
}

// counts says that goals and premises are counted the same each time: by one worker, or where ends
// are kept apart by their past.
func (x *explored) counts() bool {
	return x.Steady || x.Complete && len(x.how.Past) > 0
}

// leftOut are the lines of the story that have no meaning here, with the reason.
func (x *explored) leftOut() []string {
	var out []string
	for _, l := range x.how.LeftOut {
		out = append(out, fmt.Sprintf("line %d %q (%s)", l.Line, strings.Join(l.Words, " "), l.After))
	}
	if x.how.Claims > 0 {
		out = append(out, several(x.how.Claims, "claim")+" of -- expect -- (of the story's own order)")
	}
	return out
}

// space is how large it is. Of what several workers shared only that is said which is the same
// each time.
func (x *explored) space() string {
	end := "complete"
	switch {
	case x.interrupted:
		end = "INTERRUPTED"
	case !x.Complete && len(x.Broken) > 0 && !x.flags.all:
		end = x.Why + ", --all goes on"
	case !x.Complete:
		end = x.Why
	}
	switch {
	case x.Steady:
		return fmt.Sprintf("%s, %s, %s judged, depth %d; %s", several64(x.States, "state"),
			several64(x.Transitions, "transition"), several64(x.Ends, "end"), x.Depth, end)
	case x.Complete:
		return fmt.Sprintf("more than %s states, %s judged; %s", thousands(x.beyond()),
			several64(x.Ends, "end"), end)
	case len(x.Broken) > 0:
		end += "; with --jobs 1 the first is the same each time"
	}
	return fmt.Sprintf("more than %s states; %s", thousands(x.beyond()), end)
}

// beyond is a number of states that a space which several workers shared surely exceeds: what was
// allowed, if that ended the search, else what one worker had visited before.
func (x *explored) beyond() int {
	failed := len(x.Broken) > 0 && !x.flags.all
	if x.Complete || failed || x.States < int64(x.flags.maxStates) {
		return aloneStates
	}
	return x.flags.maxStates
}

// speed is how fast, and what the set of states took. Of what several workers shared, it says how
// large it was this time.
func (x *explored) speed() string {
	rate := x.States * int64(time.Second) / max(1, int64(x.took))
	text := fmt.Sprintf("%s states a second, %s, %d bytes a state", thousands(int(rate)),
		x.took.Round(time.Millisecond), x.Bytes/max(1, x.States))
	if !x.Steady {
		text += fmt.Sprintf("; this time %s, depth %d", several64(x.States, "state"), x.Depth)
	}
	return text
}

// labels are what of time and chance was left out that the machines asked for.
func (x *explored) labels() []string {
	var labels []string
	if x.Untimed {
		labels = append(labels, "untimed: a machine read its clock which stands still here")
	}
	if x.Draws {
		labels = append(labels, "draws: a machine drew and always got 0")
	}
	return labels
}

// never begins the list of what did not happen. Where states are not kept apart by their past, or
// not all are visited, it may have happened on another way.
func (x *explored) never(what string) string {
	if !x.Complete || what == "REACHED" && len(x.how.Past) == 0 {
		return "not seen"
	}
	return "NEVER " + what
}

// judged are the names of what the premises count.
func (x *explored) judged() []string {
	var names []string
	for _, p := range x.how.Judged {
		names = append(names, p.Name)
	}
	return names
}

// exploredAll prints what only all variants together show.
func (a *app) exploredAll(done []*explored, wanted int) {
	if len(done) < wanted {
		a.code = worse(a.code, exitUndecided)
	}
	if a.json {
		return
	}
	if wanted > 1 {
		fmt.Fprintln(a.out, exploredTally(done))
	}
	if f := flagsOf(done); f != nil && f.several && !f.said.Changed("max-states") {
		fmt.Fprintf(a.out, "of several stories at most %s states each are visited:"+
			" --max-states visits more\n", thousands(f.maxStates))
	}
	if len(done) < wanted {
		fmt.Fprintf(a.out, "interrupted: %d of %d variants explored\n", len(done), wanted)
	}
}

// flagsOf are the flags of what was explored and not to its end, nil if there is none.
func flagsOf(done []*explored) *exploreFlags {
	for _, x := range done {
		if x.sort() == 3 {
			return x.flags
		}
	}
	return nil
}

// exploredTally counts how many variants were as they should be.
func exploredTally(done []*explored) string {
	names := []string{"clean", "caught", "equivalent here", "incomplete", "NOT AS EXPECTED"}
	counts := make([]int, len(names))
	for _, x := range done {
		counts[x.sort()]++
	}
	text := several(len(done), "variant") + ":"
	for i, n := range counts {
		if n > 0 {
			text += fmt.Sprintf(" %d %s,", n, names[i])
		}
	}
	return strings.TrimSuffix(text, ",")
}

// sort is how a variant counts.
func (x *explored) sort() int {
	switch {
	case x.code() == exitUndecided:
		return 3
	case x.code() != exitOK:
		return 4
	case len(x.Broken)+len(x.Early) > 0:
		return 1
	case x.wrong():
		return 2
	}
	return 0
}

// explores draws the line of progress anew.
func (b *bar) explores(x search.Explored) {
	if b == nil {
		return
	}
	rate, passed := "", time.Since(b.start)
	if passed > time.Second {
		rate = fmt.Sprintf(", %s a second",
			thousands(int(x.States*int64(time.Second)/int64(passed))))
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s %s, %s, depth %d%s", b.label, several64(x.States, "state"),
		several64(x.Ends, "end"), x.Depth, rate)
}
