package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim/search"
)

// wayKept is a way to a failure, as its story was kept.
type wayKept struct {
	*kept
	way *scenarios.Way
}

// keepWays writes the stories of what exploring a variant found.
func (k *keeper) keepWays(x *explored, ways []*scenarios.Way) error {
	for _, w := range ways {
		f := *w.Finding
		f.Run.Plan.Protocol = x.Protocol // not the one that says it is alive
		r := &swept{sweeping: x.sweeping, seeds: scenarios.Seeds{From: 1, To: 1}}
		one := &kept{Finding: &f, sweep: r, group: search.Group{Broken: f.Verdict.Broken(), Count: 1}}
		x.ways = append(x.ways, &wayKept{one, w})
		if x.flags.quiet {
			continue
		}
		plain := withoutComments(f.Story)
		if one.file, one.known = k.told[plain]; one.known {
			continue
		}
		one.file = k.name(one, "explored") // which is no name of a sweep's finding
		k.told[plain] = one.file
		if err := k.app.write(one); err != nil {
			return err
		}
		if err := k.app.plays(one.file); err != nil {
			return err
		}
	}
	return nil
}

// plays says that a story which was written comes out as it says.
func (a *app) plays(file string) error {
	s, err := a.open(file)
	if err != nil {
		return tool(err)
	}
	r, err := scenarios.Play(s.Scenario, s.protocol, scenarios.PlayOptions{})
	if err != nil {
		return tool(err)
	}
	if !r.Met() {
		return tool(fmt.Errorf("%s was written and does not play as it says:\n%s", file,
			strings.Join(r.Failures(), "\n")))
	}
	return nil
}

// wayReport prints the picture of a way and, beneath it, all that is known about it, the most
// telling first. The last line replays it.
func (a *app) wayReport(x *explored, w *wayKept) error {
	f, err := a.keptFailure(w.file, x.Variant.Name, w.Property)
	if err != nil {
		return err
	}
	r := &findingReport{f, w.kept}
	head := slices.Concat(r.opening(), []string{""}, x.origin(r, w), []string{""})
	state := r.state()
	if len(state) > 0 {
		state = append(state, "")
	}
	tail := slices.Concat(r.contradiction(), r.chain(), state, r.needs(),
		[]string{"replay  " + command("replay", w.file)})
	events := r.events(maxReport - len(head) - len(tail) - 1)
	fmt.Fprintln(a.out)
	for _, line := range slices.Concat(head, events, tail) {
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
	return nil
}

// origin is how to find the way again, whether it is the same each time, and how long it is.
func (x *explored) origin(r *findingReport, w *wayKept) []string {
	return []string{
		"repro   " + x.again(),
		fmt.Sprintf("        model %s, nodes %s, %s", x.Protocol.Name,
			strings.Join(r.failureReport.run.Nodes, " "), version()),
		"rerun   " + r.determinism(),
		"way     " + w.length(),
	}
}

// length is how long the way is, and what is left of it.
func (w *wayKept) length() string {
	what := "the first way found"
	if w.way.Shortest {
		what = "a shortest way"
	}
	return fmt.Sprintf("%s, of %s; %s cut down to %s", what, several(w.way.Moves, "move"),
		several(w.Shrunk.ActionsWas, "line"), several(w.Shrunk.Actions, "line"))
}

// again is the command that explores the variant again.
func (x *explored) again() string {
	words := []string{"explore", "--variant", x.Variant.Name}
	own, _ := x.story.Bounds(x.Protocol)
	mine, theirs := &exploreFlags{bounds: x.how.Bounds}, &exploreFlags{bounds: own}
	others := theirs.numbers()
	for i, n := range mine.numbers() {
		if *n.n != *others[i].n {
			words = append(words, "--"+n.name, fmt.Sprint(*n.n))
		}
	}
	if x.how.Bounds.Keep != own.Keep {
		words = append(words, fmt.Sprintf("--keep=%v", x.how.Bounds.Keep))
	}
	if len(x.flags.only) > 0 {
		words = append(words, "--only", strings.Join(x.flags.only, ","))
	}
	if x.grid != "" {
		words = append(words, "--case", x.grid)
	}
	return command(append(words, x.source)...)
}
