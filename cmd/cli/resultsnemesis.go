package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

const (
	nemesisFile = "nemesis.md"
	// nemesisMost is how many seeds each wrong variant is played under each nemesis, from temperFrom
	// on.
	nemesisMost = 200
)

const nemesisHead = `# Nemeses: how many seeds find a wrong variant

Written by ` + "`downset results nemesis`" + `: every variant that is known to be wrong, of models
with nemeses of their own, under every nemesis, in clusters and workloads as a sweep draws them,
%d seeds each, from %d on. A nemesis is what ` + "`downset sweep --nemesis`" + ` takes:
random has faults by chance and by the clock; facts has faults that facts set off (when P notes
elected, crash P), and no others; the model's own are described below. The mix, which a sweep plays
unless told otherwise, has both, and one of the model's own in some seeds.

A figure is a share of seeds in percent, with the 95 %% interval by Clopper and Pearson; the best
nemesis is bold; "-" is blind, no seed of them. Of each model the first table has the seeds that
break the property that must catch the variant. Many of these look at the disks and rules of single
nodes, and see at once what is wrong. The second table has the seeds in which it has come to
something: they break a property of layer 1 and above, which needs no look at a node's own rules
(two leaders of a term, two states of one index, a read that is too old, a history that fits no
order, a group that does not go on). It is here that random faults alone are not enough.
`

// besieged is what came of a wrong variant, by nemesis; the mix is the last.
type besieged struct {
	*sweeping
	named, seen []weathered // by the property that must catch it; by any that shows
}

// nemesesOf are the nemeses of a campaign's protocol, and the mix as the last.
func nemesesOf(s *sweeping) []string { return append(search.Nemeses(s.Protocol), "") }

// besiege plays a wrong variant under each nemesis.
func besiege(s *sweeping, most int) (*besieged, error) {
	b := &besieged{sweeping: s}
	for _, name := range nemesesOf(s) {
		var seen int
		w, err := weather(s, search.Adversity{Nemesis: name}, trial{most: most, each: func(run *sim.Run) {
			if shows(s.Protocol, run) {
				seen++
			}
		}})
		if err != nil {
			return nil, err
		}
		b.named = append(b.named, w)
		b.seen = append(b.seen, weathered{failing: seen, seeds: w.seeds})
	}
	return b, nil
}

// shows says that a run breaks a property of layer 1 or above.
func shows(p *sim.Protocol, run *sim.Run) bool {
	outside := slices.DeleteFunc(slices.Clone(p.Properties), func(q sim.Property) bool {
		return q.Layer == 0
	})
	return len(checker.Judge(run, outside).Broken()) > 0
}

// haunted are the wrong variants of models with nemeses of their own.
func (a *app) haunted(f *sweepFlags) ([]*sweeping, error) {
	all, err := a.allCampaigns(f, isWrong)
	return slices.DeleteFunc(all, func(s *sweeping) bool { return len(s.Protocol.Nemeses) == 0 }), err
}

// writeNemesis measures every wrong variant under every nemesis.
func (a *app) writeNemesis(f resultFlags) error {
	flags := f.sweepFlags()
	all, err := a.haunted(flags)
	if err != nil {
		return err
	}
	rows, err := shared(a, all, flags.jobs, func(s *sweeping) (*besieged, error) {
		return besiege(s, f.nemesisMost())
	})
	if err != nil {
		return err
	}
	lines, err := nemesisSample(all, f.nemesisMost())
	if err != nil {
		return err
	}
	return a.writeResult(path.Join(f.dir, nemesisFile),
		nemesisPage(rows, f.nemesisMost())+sampled(temperSampled, lines))
}

func (f resultFlags) nemesisMost() int {
	if f.seeds > 0 {
		return f.seeds
	}
	return nemesisMost
}

// checkNemesis measures the first mutant again.
func (a *app) checkNemesis(f resultFlags) (string, error) {
	all, err := a.haunted(f.sweepFlags())
	if err != nil {
		return "", err
	}
	lines, err := nemesisSample(all, f.nemesisMost())
	if err != nil {
		return "", err
	}
	return f.sampleOrRowDiffers(nemesisFile, lines)
}

// nemesisSample ends with the row of the first mutant.
func nemesisSample(all []*sweeping, most int) ([]string, error) {
	return rowSample(all, func(s *sweeping) (string, error) {
		b, err := besiege(s, most)
		if err != nil {
			return "", err
		}
		return b.row(b.named) + b.row(b.seen), nil
	})
}

// nemesisPage is the whole file but for its sample.
func nemesisPage(rows []*besieged, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, nemesisHead, most, temperFrom)
	for len(rows) > 0 {
		p := rows[0].Protocol
		end := slices.IndexFunc(rows, func(r *besieged) bool { return r.Protocol != p })
		if end < 0 {
			end = len(rows)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", p.Name)
		for _, n := range p.Nemeses {
			fmt.Fprintf(&b, "- %s: %s\n", n.Name, n.Doc)
		}
		b.WriteString("\n### The property that must catch it\n")
		besiegedTable(&b, rows[:end], func(r *besieged) []weathered { return r.named })
		b.WriteString("\n### It has come to something\n")
		besiegedTable(&b, rows[:end], func(r *besieged) []weathered { return r.seen })
		rows = rows[end:]
	}
	return b.String()
}

func besiegedTable(b *strings.Builder, rows []*besieged, of func(*besieged) []weathered) {
	b.WriteString("\n| variant | breaks |")
	for _, name := range nemesesOf(rows[0].sweeping) {
		b.WriteString(" " + orMix(name) + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(nemesesOf(rows[0].sweeping))) + "\n")
	for _, r := range rows {
		b.WriteString(r.row(of(r)))
	}
}

// orMix is the name of a nemesis for people.
func orMix(name string) string {
	if name == "" {
		return search.Mix.String()
	}
	return name
}

// row is a variant's row of a table.
func (b *besieged) row(under []weathered) string {
	best := 0
	for i, w := range under[:len(under)-1] {
		if w.failing > under[best].failing {
			best = i
		}
	}
	text := fmt.Sprintf("| %s | %s |", b.Variant.Name, b.Variant.Breaks)
	for i, w := range under {
		text += " " + w.share(i == best) + " |"
	}
	return text + "\n"
}

// share is "25.3 (21.0..30.0)", of the seeds those that fail, in percent.
func (w weathered) share(bold bool) string {
	if w.blind() {
		return "-"
	}
	low, high := rates(w)
	text := fmt.Sprintf("%.1f", 100*float64(w.failing)/float64(w.seeds))
	if bold {
		text = "**" + text + "**"
	}
	return fmt.Sprintf("%s (%.1f..%.1f)", text, 100*low, 100*high)
}
