package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

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
with nemeses of their own, under every nemesis, in clusters and workloads as a sweep draws them, %d
seeds each, from %d on. A nemesis is what ` + "`downset sweep --nemesis`" + ` takes: random has faults
by chance and by the clock; facts has faults that facts set off (when P notes elected, crash P), and
no others; the model's own are described below. The mix, which a sweep plays unless told otherwise,
has both, and one of the model's own in some seeds.

A figure is the share of seeds that break the property that must catch the variant, in percent, with
the 95 %% interval by Clopper and Pearson. The best nemesis is bold; "-" is blind, no seed of them.
`

// besieged is what came of a wrong variant, by nemesis; the mix is the last.
type besieged struct {
	*sweeping
	under []weathered
}

// nemesesOf are the nemeses of a campaign's protocol, and the mix as the last.
func nemesesOf(s *sweeping) []string { return append(search.Nemeses(s.Protocol), "") }

// besiege plays a wrong variant under each nemesis.
func besiege(s *sweeping, most int) (*besieged, error) {
	b := &besieged{sweeping: s}
	for _, name := range nemesesOf(s) {
		w, err := weather(s, search.Adversity{Nemesis: name}, trial{most: most})
		if err != nil {
			return nil, err
		}
		b.under = append(b.under, w)
	}
	return b, nil
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
		return b.row(), nil
	})
}

// nemesisPage is the whole file but for its sample.
func nemesisPage(rows []*besieged, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, nemesisHead, most, temperFrom)
	last := ""
	for _, r := range rows {
		if r.Protocol.Name != last {
			last = r.Protocol.Name
			fmt.Fprintf(&b, "\n## %s\n\n", last)
			for _, n := range r.Protocol.Nemeses {
				fmt.Fprintf(&b, "- %s: %s\n", n.Name, n.Doc)
			}
			b.WriteString("\n| variant | breaks |")
			for _, name := range nemesesOf(r.sweeping) {
				b.WriteString(" " + orMix(name) + " |")
			}
			b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(nemesesOf(r.sweeping))) + "\n")
		}
		b.WriteString(r.row())
	}
	return b.String()
}

// orMix is the name of a nemesis for people.
func orMix(name string) string {
	if name == "" {
		return search.Mix.String()
	}
	return name
}

// row is a variant's row of the table.
func (b *besieged) row() string {
	best := 0
	for i, w := range b.under[:len(b.under)-1] {
		if w.failing > b.under[best].failing {
			best = i
		}
	}
	text := fmt.Sprintf("| %s | %s |", b.Variant.Name, b.Variant.Breaks)
	for i, w := range b.under {
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
