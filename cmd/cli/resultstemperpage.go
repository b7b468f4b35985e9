package cli

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim/search"
)

const temperHead = `# Temperaments: seeds to the first failure

Written by ` + "`downset results temperaments`" + `: every variant that is known to be wrong,
of models with at most twenty-eight of them, under every temperament of the network, in clusters and
workloads as a sweep draws them. A temperament is
what ` + "`downset sweep --temper`" + ` takes. Some fix the delays, and leave the faults as the mix
draws them: constant, uniform, heavy (tail) and ranked (priorities with change points: each link has
a speed of its own, which changes at a few moments). Some fix the faults, and leave the delays as
the mix draws them: calm (none), swarm (each seed leaves most kinds of fault out) and storm (all
kinds at once that the protocol stands). The mix, which a sweep plays unless told otherwise, draws
both for each seed.

A figure is the mean number of seeds until the property breaks that must catch the variant. Seeds
are played one after another, from %d on (those before it are of smaller clusters), until %d have
failed or %d are played: as many searches, each from where the one before it ended. In brackets is
the 95 %% interval by Clopper and Pearson, exact if seeds fail independently; a series that ends
with its last failure has the bound for such series. "> %d" is blind: no seed failed. The best part
of the mix is bold. Mix/best is how many times as long the mix takes, with the interval of the ratio
of two Poisson rates; the best being chosen from these very figures, it errs upwards.

There is no wall time in this: the same seeds come to the same figures on every machine.

## Summary

| temperament | best for | within 3 times the best | worst, in times of the best | blind to |
|---|---:|---:|---|---|
`

// temperPage is the whole file but for its sample.
func temperPage(all []*climate, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, temperHead, temperFrom, temperEnough, most, most)
	for i, t := range temperaments() {
		b.WriteString(temperSummary(all, i, t))
	}
	b.WriteString("\n" + temperVerdict(all) + "\n")
	last := ""
	for _, c := range all {
		if c.Protocol.Name != last {
			last = c.Protocol.Name
			fmt.Fprintf(&b, "\n## %s\n\n| variant | breaks |", last)
			for _, t := range temperaments() {
				fmt.Fprintf(&b, " %s |", t)
			}
			fmt.Fprintf(&b, " mix/best |\n|---|---|%s---:|\n",
				strings.Repeat("---:|", len(temperaments())))
		}
		b.WriteString(c.row())
	}
	return b.String()
}

// row is a variant's row of the table.
func (c *climate) row() string {
	best := c.best()
	text := fmt.Sprintf("| %s | %s |", c.Variant.Name, c.Variant.Breaks)
	for i, w := range c.under {
		text += " " + w.cell(i == best) + " |"
	}
	return text + " " + c.ratio() + " |\n"
}

// mix is what came of the variant under the mix.
func (c *climate) mix() weathered { return c.under[len(c.under)-1] }

// best is the part of the mix under which the variant fails soonest, -1 if it never does.
func (c *climate) best() int {
	best := -1
	for i, w := range c.under[:len(c.under)-1] {
		// a/b < c/d without a division
		if !w.blind() && (best < 0 || w.seeds*c.under[best].failing < c.under[best].seeds*w.failing) {
			best = i
		}
	}
	return best
}

// cell is "2.9 (2.4..3.6)".
func (w weathered) cell(bold bool) string {
	if w.blind() {
		return fmt.Sprintf("> %d", w.seeds)
	}
	mean, least, most := w.wait()
	text := seedCount(mean)
	if bold {
		text = "**" + text + "**"
	}
	return fmt.Sprintf("%s (%s..%s)", text, seedCount(least), seedCount(most))
}

// seedCount has a decimal where it says something.
func seedCount(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// ratio is "1.8 (1.4..2.4)", how much longer the mix takes than the best of its parts.
func (c *climate) ratio() string {
	best := c.best()
	if best < 0 || c.mix().blind() {
		return "BLIND"
	}
	times, least, most := timesLonger(c.mix(), c.under[best])
	return fmt.Sprintf("%.1f (%.1f..%.1f)", times, least, most)
}

// temperSummary is a temperament's row of the summary.
func temperSummary(all []*climate, i int, t search.Temperament) string {
	best, near, worst, name := 0, 0, 0.0, "-"
	var blind []string
	for _, c := range all {
		k := c.best()
		switch {
		case k < 0:
			continue
		case c.under[i].blind():
			blind = append(blind, c.name())
			continue
		case k == i:
			best++
		}
		times, _, _ := timesLonger(c.under[i], c.under[k])
		if times <= 3 {
			near++
		}
		if times > worst {
			worst, name = times, c.name()
		}
	}
	wins := fmt.Sprint(best)
	if t == search.Mix {
		wins = "-"
	}
	return fmt.Sprintf("| %s | %s | %d of %d | %.1f: %s | %s |\n", t, wins, near, len(all), worst,
		name, blindTo(blind))
}

// blindTo names a few, and counts many.
func blindTo(names []string) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > 3:
		return fmt.Sprint(len(names))
	}
	return fmt.Sprintf("%d: %s", len(names), strings.Join(names, ", "))
}

// temperVerdict says what the mix is worth.
func temperVerdict(all []*climate) string {
	var far, blind []string
	for _, c := range all {
		best := c.best()
		if best < 0 || c.mix().blind() {
			blind = append(blind, c.name())
			continue
		}
		if times, _, _ := timesLonger(c.mix(), c.under[best]); times > 3 {
			far = append(far, c.name())
		}
	}
	if len(far)+len(blind) == 0 {
		return "The mix is blind to none, and never worse than 3 times the best of its parts."
	}
	return fmt.Sprintf("The mix is WORSE than 3 times the best of its parts for: %s; BLIND to: %s.",
		allOf(far), allOf(blind))
}

func allOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
