package checker

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Comparison sums up how the judging of cuts did against the enumeration of all down-sets.
type Comparison struct {
	Name          string
	Runs          int // compared
	Large         int // too large to enumerate, and so not compared
	Unfinished    int // cuts of which nothing is claimed
	Consistent    int // cuts, by both
	Inconsistent  int // cuts, by both
	Events        int // enumerated, of all runs
	DownSets      int
	MostDownSets  int      // of one run
	Disagreements int      // cuts that one calls consistent and the other does not
	First         []string // the first few of them
}

// downSetLimit is how many down-sets of one run are worth enumerating.
const downSetLimit = 20_000

// Compare judges the cuts of n runs both ways. run makes the i-th one, from 0. In place of those
// that are too large to enumerate it takes further ones, up to n.
func (m CutModel) Compare(name string, n int, run func(i int) *sim.Run) Comparison {
	c := Comparison{Name: name}
	for i := 0; c.Runs < n && i < 2*n; i++ {
		c.add(m, i, run(i))
	}
	return c
}

// CompareSketches does so for n sketches.
func CompareSketches(n int, seed uint64) Comparison {
	return sketchCuts.Compare("random computations", n, func(i int) *sim.Run {
		return Sketch(seed + uint64(i))
	})
}

// CompareVariant does so for n small random runs of a variant of a protocol, which must draw loads.
func (m CutModel) CompareVariant(p *sim.Protocol, name string, n int, seed uint64) (
	c Comparison, err error) {
	v, err := p.Variant(name)
	if err != nil {
		return c, err
	}
	c = m.Compare(p.Name+" "+name, n, func(i int) *sim.Run {
		run, failed := sim.Execute(smallPlan(p, v, seed+uint64(i)))
		if failed != nil {
			err = failed
			return &sim.Run{}
		}
		return m.upToLastPoint(run)
	})
	return c, err
}

// CompareAll makes n comparisons: of sketches, and of runs of every variant of a protocol that
// draws cuts.
func (m CutModel) CompareAll(p *sim.Protocol, n int, seed uint64) ([]Comparison, error) {
	each := n / 2 / len(p.Variants)
	all := []Comparison{CompareSketches(n-each*len(p.Variants), seed)}
	for _, v := range p.Variants {
		c, err := m.CompareVariant(p, v.Name, each, seed)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// smallPlan is a plan of a few requests to two or three nodes, in any weather.
func smallPlan(p *sim.Protocol, v sim.Variant, seed uint64) *sim.Plan {
	d := &sim.Draws{Nodes: []string{"P", "Q", "R"}, Clients: 2, Seed: seed}
	d.Span = 20 * time.Millisecond
	d.Nodes = d.Nodes[:2+d.Int(2, "nodes")]
	d.Ops = 4 + int(d.Int(7, "ops"))
	link := sim.Link{From: "*", To: "*", Delay: sim.Dist{Shape: sim.Uniform,
		High: time.Millisecond << d.Int(6, "delay")}}
	link.Loss = sim.PPM(d.Int(2, "loss") * 100_000)
	link.Duplicate = sim.PPM(d.Int(2, "duplicate") * 100_000)
	plan := &sim.Plan{Protocol: p, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed}
	plan.Load = p.Draw(d)
	plan.Network.Links = []sim.Link{link}
	if d.Int(3, "joins") == 0 {
		plan.Later = []string{"X"}
		plan.Script = []sim.Action{{Verb: sim.Join, Node: "X", Place: sim.At, Offset: d.At("join")}}
	}
	if d.Int(3, "crashes") == 0 {
		plan.Network.Crash = 50_000
		plan.Network.Crashes = 2
		plan.Network.Restart = sim.Dist{Shape: sim.Uniform, High: 10 * time.Millisecond}
		plan.Network.Keep = d.Int(2, "keep") == 0
		plan.Network.DiskSlow = d.Int(2, "slow") == 0
	}
	return plan
}

// upToLastPoint is a run without what comes after all points, which decides nothing about them but
// who came back.
func (m CutModel) upToLastPoint(run *sim.Run) *sim.Run {
	short := *run
	for len(short.Trace) > 0 && !m.isPoint(short.Trace[len(short.Trace)-1]) {
		short.Trace = short.Trace[:len(short.Trace)-1]
	}
	return &short
}

func (c *Comparison) add(m CutModel, i int, run *sim.Run) {
	sets, err := m.DownSets(run, downSetLimit)
	if err != nil {
		c.Large++
		return
	}
	c.Runs++
	c.Events += len(sets.Events)
	c.DownSets += len(sets.Sets)
	c.MostDownSets = max(c.MostDownSets, len(sets.Sets))
	scanned, drawn := m.scan(run), m.drawn(run)
	for k, cut := range drawn {
		says := scanned[k]
		if !says.finished || !cut.finished {
			c.Unfinished++
		} else if cut.consistent = sets.Has(cut.points); cut.consistent {
			c.Consistent++
		} else {
			c.Inconsistent++
		}
		if says.finished != cut.finished || says.consistent != cut.consistent {
			c.disagree(fmt.Sprintf("run %d, cut %s: the scan says %v, the enumeration %v", i,
				cut.name, says, cut.opinion))
		}
	}
}

func (c *Comparison) disagree(text string) {
	c.Disagreements++
	if len(c.First) < 5 {
		c.First = append(c.First, text)
	}
}

// opinion is what one way of judging says of a cut. What is not finished is not consistent.
type opinion struct{ finished, consistent bool }

func (o opinion) String() string {
	switch {
	case !o.finished:
		return "unfinished"
	case o.consistent:
		return "consistent"
	}
	return "inconsistent"
}

// scan is what the scan says, by cut in the order of first points.
func (m CutModel) scan(run *sim.Run) []opinion {
	r := m.read(run)
	says := make([]opinion, len(r.cuts))
	for c := range r.cuts {
		says[c] = opinion{r.cuts[c].finished, r.cuts[c].finished}
	}
	for _, x := range r.crossings() {
		for c := range r.cuts {
			if r.crosses(&r.cuts[c], x.sent, x.delivery) {
				says[c].consistent = false
			}
		}
	}
	return says
}

// total adds comparisons up.
func total(comparisons []Comparison) Comparison {
	sum := Comparison{Name: "all"}
	for _, c := range comparisons {
		sum.Runs += c.Runs
		sum.Large += c.Large
		sum.Unfinished += c.Unfinished
		sum.Consistent += c.Consistent
		sum.Inconsistent += c.Inconsistent
		sum.Events += c.Events
		sum.DownSets += c.DownSets
		sum.MostDownSets = max(sum.MostDownSets, c.MostDownSets)
		sum.Disagreements += c.Disagreements
		sum.First = append(sum.First, c.First...)
	}
	return sum
}

// Table is comparisons as a table in Markdown, with their sum.
func Table(comparisons ...Comparison) string {
	var b strings.Builder
	b.WriteString("| runs of | compared | too large | cuts consistent | inconsistent | unfinished |" +
		" events | down-sets | most in one run | disagreements |\n")
	b.WriteString("|---" + strings.Repeat("|---:", 9) + "|\n")
	for _, c := range append(comparisons, total(comparisons)) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", c.Name, c.Runs,
			c.Large, c.Consistent, c.Inconsistent, c.Unfinished, c.Events, c.DownSets,
			c.MostDownSets, c.Disagreements)
	}
	return b.String()
}

// Report is comparisons as a page in Markdown.
func Report(comparisons []Comparison) string {
	sum := total(comparisons)
	var b strings.Builder
	fmt.Fprintf(&b, `# The judge of cuts and its twin

The judge of %cconsistent-cut%c decides every cut of a run by one scan over the messages. Its twin
enumerates all down-sets of happened-before of the run, straight from the definition, and asks
whether the frontier that the points draw is one of them. They share no code. Here they judge %d
random runs, of computations that obey no rule and of every variant of the model; %d more had over
64 events or over %d down-sets. They disagree about %d cuts.

`, '`', '`', sum.Runs, sum.Large, downSetLimit, sum.Disagreements)
	b.WriteString(Table(comparisons...))
	for _, text := range sum.First {
		fmt.Fprintf(&b, "\n- %s", text)
	}
	return b.String()
}
