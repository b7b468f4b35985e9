package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// told shrinks and prints what came of one variant. Alone, a failure is shown in full; among
// other variants only one that is not as expected.
func (a *app) told(r *swept, k *keeper, alone bool) error {
	a.code = worse(a.code, r.code())
	for _, g := range r.telling() {
		if len(r.Apart) > 0 {
			break // no run can be trusted to fail again
		}
		x, err := k.keep(r, g)
		if err != nil {
			a.complain(err) // the others may be worth as much
			continue
		}
		r.found = append(r.found, x)
	}
	if a.json {
		return a.sweptObjects(r)
	}
	a.summary(r, alone)
	a.reports(r.foremost(), alone)
	return nil
}

// foremost is the sweep with as many stories as failures were asked for: those shown in full.
func (r *swept) foremost() *swept {
	some := *r
	if r.stopAfter > 0 {
		some.found = r.found[:min(len(r.found), r.stopAfter)]
	}
	return &some
}

// telling are the failures that are worth a story: those that must be caught first, and all that
// were found on the way to them, but for those that are not the variant's own.
func (r *swept) telling() []search.Group {
	var first, others []search.Group
	for _, g := range r.Groups {
		switch {
		case r.shows(g):
			first = append(first, g)
		case !g.Shared:
			others = append(others, g)
		}
	}
	return append(first, others...)
}

// keptOf is what was kept of some alike failures, nil if nothing.
func (r *swept) keptOf(g search.Group) *kept {
	for _, x := range r.found {
		if x.group.Like(g) {
			return x
		}
	}
	return nil
}

// summary prints a variant's sweep in some lines. Of a sweep that a failure ended early the
// counts say little; they are left out where there is more than one variant.
func (a *app) summary(r *swept, alone bool) {
	fmt.Fprintf(a.out, "%s: %s%s\n", r.name(), r.headline(), a.speed(r))
	a.groups(r)
	a.failed(r)
	if r.early() && !alone {
		return
	}
	for _, row := range r.rows() {
		a.row(row[0], row[1:])
	}
}

// headline is the first line: how many seeds, how many fail, and what that means.
func (r *swept) headline() string {
	text := several(r.Seeds, "seed") + ", " + r.outcome()
	if r.interrupted {
		return text + fmt.Sprintf("; INTERRUPTED, of %d", r.asked())
	}
	switch {
	case r.right() && r.Failing > 0:
		return text + "; NOT AS EXPECTED, nothing may"
	case len(r.must) > 0 && r.caught(r.Groups):
		return text + "; caught, as expected"
	case len(r.must) > 0:
		return text + "; NOT CAUGHT, want " + strings.Join(r.must, " or ") + " broken"
	}
	return text
}

// outcome is how many of the seeds fail, and of how many there is no verdict.
func (r *swept) outcome() string {
	undecided := r.Seeds - r.decided()
	text := "none fails"
	switch {
	case r.Failing > 0:
		text = fmt.Sprintf("%d %s", r.Failing, verb(r.Failing, "fails", "fail"))
	case r.Seeds > 0 && undecided == r.Seeds:
		return "none decided: all UNDECIDED"
	case undecided > 0:
		text = fmt.Sprintf("none of the %d decided fails", r.decided())
	}
	if undecided > 0 {
		text += fmt.Sprintf(", %d UNDECIDED", undecided)
	}
	return text
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// speed is how long it took, for whoever sits before it: what is piped is the same each time.
func (a *app) speed(r *swept) string {
	if !terminal(a.out) {
		return ""
	}
	rate := int64(r.Seeds) * int64(time.Second) / max(1, int64(r.took))
	return fmt.Sprintf(" (%s, %d a second)", r.took.Round(10*time.Millisecond), rate)
}

// groups prints the distinct failures.
func (a *app) groups(r *swept) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, g := range r.Groups {
		file := r.notKept(g)
		if x := r.keptOf(g); x != nil {
			file = x.where()
		}
		fmt.Fprintf(w, "  breaks %s\t%d from seed %d on\t%s\n", strings.Join(g.Broken, " "), g.Count,
			g.Seed, file)
	}
	w.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(a.out, strings.TrimRight(line, " \n"))
	}
}

// notKept is why there is no story of a failure.
func (r *swept) notKept(g search.Group) string {
	switch {
	case len(r.Apart) > 0:
		return "not kept: no run can be trusted to fail again"
	case g.Shared:
		return "not kept: " + r.Variant.Of + " breaks there too"
	}
	return "not kept"
}

// failed prints what kept runs from being judged, or from being trusted.
func (a *app) failed(r *swept) {
	for _, d := range r.Apart {
		fmt.Fprintf(a.out, "  NOT THE SAME TWICE: two runs of seed %d first differ at %s\n", d.Seed,
			d.Parting)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(a.out, "  cannot be played: %s\n", e)
	}
	if len(r.Hung) > 0 {
		fmt.Fprintf(a.out, "  hung: %s took more than %s, the first is %d%s\n",
			several(len(r.Hung), "seed"), a.patience, r.Hung[0], a.where(r))
	}
}

// where is in which handler the first hung seed is.
func (a *app) where(r *swept) string {
	err := search.Guard(min(a.patience, time.Second), func(func()) {
		if plan, err := r.Plan(r.Hung[0]); err == nil {
			_, _ = sim.Execute(plan)
		}
	})
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// rows are the counts, each with its name first.
func (r *swept) rows() [][]string {
	rows := [][]string{}
	if r.Failing == 0 && r.decided() > 0 {
		rows = append(rows, []string{"bound", "failure rate below " + bound(r.decided()) +
			" with 95 % confidence, for runs drawn as these"})
	}
	rows = append(rows,
		append([]string{"drawn"}, r.draws()...),
		[]string{"undecided", r.undecided()})
	if unjudged := r.unjudged(); unjudged != "" {
		rows = append(rows, []string{"claims", unjudged})
	}
	rows = append(rows,
		[]string{"twice", r.doubled()},
		append([]string{"goals"}, counted(goalNames(r.Protocol), r.Goals, r.unseen())...),
		append([]string{"premises"}, counted(r.properties(), r.Premises, r.never("MET"))...))
	return rows
}

// draws is what is drawn for each seed.
func (r *swept) draws() []string {
	if r.Scenario != nil && !r.Scenario.Timed {
		return []string{"the order of what is under way at the same time"}
	}
	what := []string{"delays (" + r.Temperament.String() + ")"}
	if r.Scenario == nil {
		what = append([]string{"nodes", "workload"}, what...)
	}
	faults := r.Protocol.Stands.String()
	if r.Temperament == search.Calm {
		return what
	}
	if faults == "" {
		return append(what, "no faults: the protocol stands none")
	}
	return append(what, strings.Split(faults, ", ")...)
}

func (r *swept) undecided() string {
	n := r.Seeds - r.decided()
	if n == 0 {
		return "none"
	}
	text := fmt.Sprintf("%d, %s", n, percent(share(n, r.Seeds)))
	if r.Why != "" {
		text += ": first " + r.Why
	}
	return text
}

func (r *swept) doubled() string {
	if len(r.Apart) > 0 {
		return fmt.Sprintf("%s played twice, %d NOT THE SAME", several(r.Twice, "run"), len(r.Apart))
	}
	return several(r.Twice, "run") + " played twice, all the same"
}

// never begins the list of what did not happen, which says little if failures ended the sweep.
func (r *swept) never(what string) string {
	if r.early() {
		return "not yet " + strings.ToLower(what)
	}
	return "NEVER " + what
}

// unseen begins the list of goals that were not reached. A story need not reach them; and among
// several variants another one may, which is said when all are swept.
func (r *swept) unseen() string {
	if r.Scenario != nil && !r.early() || r.among && r.whole() {
		return "not reached"
	}
	return r.never("REACHED")
}

// properties are the names of what the premises count.
func (r *swept) properties() []string {
	var names []string
	for _, p := range r.Protocol.Properties {
		names = append(names, p.Name)
	}
	return names
}

func goalNames(p *sim.Protocol) []string {
	var names []string
	for _, g := range p.Goals {
		names = append(names, g.Name)
	}
	return names
}

// counted is names with their counts, those without any in the end.
func counted(names []string, counts []int, never string) []string {
	var some, none []string
	for i, name := range names {
		if i < len(counts) && counts[i] > 0 {
			some = append(some, fmt.Sprintf("%s %d", name, counts[i]))
		} else {
			none = append(none, name)
		}
	}
	if len(names) == 0 {
		return []string{"none declared"}
	}
	if len(none) > 0 {
		none[0] = never + ": " + none[0]
	}
	return append(some, none...)
}

// rowWidth is how wide a row of counts may be.
const rowWidth = 100

// row prints a name and a list, over as many lines as it takes.
func (a *app) row(name string, list []string) {
	line := fmt.Sprintf("  %-10s ", name)
	indent := strings.Repeat(" ", len(line))
	for i, item := range list {
		if i < len(list)-1 {
			item += ","
		}
		if i > 0 && (len(line)+len(item) > rowWidth || strings.Contains(item, ": ")) {
			fmt.Fprintln(a.out, strings.TrimRight(line, " "))
			line = indent
		}
		line += item + " "
	}
	fmt.Fprintln(a.out, strings.TrimRight(line, " "))
}

// closing prints what only all variants together show, and says what the worst of them was.
func (a *app) closing(done []*swept, wanted int) error {
	missed := unreached(done)
	if len(missed) > 0 {
		a.code = worse(a.code, exitGoals)
	}
	if a.json {
		return nil
	}
	for _, line := range slices.Concat(rare(done), goalLines(done)) {
		fmt.Fprintln(a.out, line)
	}
	if wanted > 1 {
		a.tally(done)
	}
	if len(done) < wanted {
		a.code = worse(a.code, exitUndecided)
		fmt.Fprintf(a.out, "interrupted: %d of %d variants swept\n", len(done), wanted)
	}
	return nil
}

// tally prints how many variants were as they should be.
func (a *app) tally(done []*swept) {
	clean, caught, bad, part, open := 0, 0, 0, 0, 0
	for _, r := range done {
		switch {
		case r.interrupted && r.code() == exitUndecided:
			part++
		case r.code() == exitUndecided, r.code() == exitOK && r.Failing == 0 && r.decided() < r.Seeds:
			open++
		case r.code() != exitOK:
			bad++
		case r.Failing > 0:
			caught++
		default:
			clean++
		}
	}
	text := fmt.Sprintf("%s: %d clean, %d caught", several(len(done), "variant"), clean, caught)
	if part > 0 {
		text += fmt.Sprintf(", %d interrupted", part)
	}
	if open > 0 {
		text += fmt.Sprintf(", %d undecided", open)
	}
	if bad > 0 {
		text += fmt.Sprintf(", %d NOT AS EXPECTED", bad)
	}
	fmt.Fprintln(a.out, text)
	if x := untold(done); x != nil {
		fmt.Fprintf(a.out, "a failure in full: %s\n", command("run", x.file))
	}
}
