package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim/search"
)

// print says all that was found.
func (q *inquiry) print(a *app, file string) {
	gap := []string{""}
	for _, line := range slices.Concat(q.title(file), gap, q.guilty(), gap, q.curveLines(), gap,
		q.sliceLines(), gap, []string{q.passes()}, q.needLines(),
		[]string{fmt.Sprintf("runs    %d", q.Runs)}) {
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
}

// title is what broke.
func (q *inquiry) title(file string) []string {
	what := fmt.Sprintf("%s: %s breaks %s", file, q.Run.Plan.Variant.Name, q.property)
	if q.violation == nil {
		return []string{what}
	}
	return append([]string{what}, wrap(q.violation.Reason, maxWidth)...)
}

const (
	maxCurve   = 16 // rows of a curve
	leastStep  = 20 // a row tells of a jump by at least this part of the futures
	curveWidth = 20
)

// curveLines are the share of failing futures along the run, a row a moment: the first, the last,
// and those with the greatest jumps. The guilty event happens between two rows: its line is there.
func (q *inquiry) curveLines() []string {
	lines := []string{"curve   futures that fail, by the event before which they begin"}
	for _, i := range q.tellingMoments() {
		lines = append(lines, q.curveRow(q.Curve.Moments[i]))
		if q.Curve.Moments[i].At == q.Guilty && q.Clear() {
			lines = append(lines, fmt.Sprintf("  > [%d] happens: from %d to %d of %d",
				q.Steps[q.Guilty].From, q.Before, q.After, q.Curve.Futures))
		}
	}
	return lines
}

func (q *inquiry) curveRow(m search.Moment) string {
	what := "the end"
	if m.At < len(q.Steps) {
		what = q.event(m.At)
	}
	full := m.Failing * curveWidth / q.Curve.Futures
	return cut(fmt.Sprintf("    %s%s %3d %%  %s", strings.Repeat("#", full),
		strings.Repeat(".", curveWidth-full), m.Failing*100/q.Curve.Futures, what), maxWidth)
}

// mark points at a row.
func mark(it bool) string {
	if it {
		return ">"
	}
	return " "
}

// tellingMoments are the moments of the curve to show, in order.
func (q *inquiry) tellingMoments() []int {
	m := q.Curve.Moments
	jumps := q.greatest()
	show := []int{0, len(m) - 1}
	for _, i := range jumps {
		for _, k := range []int{i, i + 1} {
			if len(show) < maxCurve && !slices.Contains(show, k) {
				show = append(show, k)
			}
		}
	}
	slices.Sort(show)
	return slices.Compact(show)
}

// greatest are the moments before the jumps that tell something, up or down, the greatest first.
func (q *inquiry) greatest() []int {
	m := q.Curve.Moments
	size := func(i int) int { return max(m[i+1].Failing-m[i].Failing, m[i].Failing-m[i+1].Failing) }
	var jumps []int
	for i := range len(m) - 1 {
		if size(i)*leastStep >= q.Curve.Futures {
			jumps = append(jumps, i)
		}
	}
	slices.SortStableFunc(jumps, func(i, j int) int { return size(j) - size(i) })
	return jumps
}

// sliceLines are the causal slice.
func (q *inquiry) sliceLines() []string {
	title := "slice   what led to it, and is not so in the run that passes"
	if q.Near == nil {
		title = "slice   what led to it"
	}
	lines := []string{title}
	for _, i := range q.Slice {
		shows := q.violation != nil && slices.Contains(q.violation.Witness, i)
		lines = append(lines, cut(fmt.Sprintf("  %s [%d] %s", mark(shows), i,
			said(q.Run, q.Run.Trace[i])), maxWidth))
	}
	return lines
}

// maxWhyNeeds is how many of what is left to go wrong are named, a line each.
const maxWhyNeeds = 12

// needLines are the faults and choices without which the property holds, a line each, and how many
// others there are.
func (q *inquiry) needLines() []string {
	if len(q.Needs) == 0 {
		return []string{"needs   nothing but the requests: no fault and no choice is left"}
	}
	var lines []string
	for i := range q.Needs {
		if c := &q.Needs[i]; q.needed(c) {
			lines = append(lines, cut(fmt.Sprintf("%s (%s)", changeText(c), without(c)), maxWidth-8))
		}
	}
	idle := len(q.Needs) - len(lines)
	if more := len(lines) - maxWhyNeeds; more > 0 {
		lines = append(lines[:maxWhyNeeds], fmt.Sprintf("and %d more", more))
	}
	switch {
	case len(lines) == 0:
		lines = []string{fmt.Sprintf("none of its %s alone", plural(idle, "fault or choice",
			"faults and choices"))}
	case idle > 0:
		lines = append(lines, plural(idle, "other does not matter", "others do not matter"))
	}
	for i := range lines {
		lines[i] = "        " + lines[i]
	}
	lines[0] = "needs   " + lines[0][8:]
	return lines
}

// needed says that the property does not break without it.
func (q *inquiry) needed(c *search.Change) bool {
	return !slices.Contains(strings.Fields(c.Says), q.property)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func without(c *search.Change) string {
	if c.Says == "" {
		return "passes without it"
	}
	return "without it breaks only " + c.Says
}

// whyObject is what why finds, for programs.
type whyObject struct {
	header
	File     string         `json:"file"`
	Model    string         `json:"model"`
	Variant  string         `json:"variant"`
	Property string         `json:"property"`
	Guilty   int            `json:"guilty"` // the entry that begins the event
	Event    string         `json:"event"`
	Fresh    string         `json:"fresh"`
	Futures  int            `json:"futures"`
	Before   int            `json:"before"`
	After    int            `json:"after"`
	Clear    bool           `json:"clear"`            // the jump is more than noise
	Doomed   *int           `json:"doomed,omitempty"` // begins the event after which all fail
	Curve    []momentObject `json:"curve"`
	Slice    []int          `json:"slice"`
	Passes   string         `json:"passes,omitempty"`
	Added    bool           `json:"added,omitempty"`
	Parts    int            `json:"parts,omitempty"`
	Needs    []needObject   `json:"needs"`
	Runs     int            `json:"runs"`
	Hash     string         `json:"hash"`
}

type momentObject struct {
	Entry   int `json:"entry"`
	Failing int `json:"failing"`
}

type needObject struct {
	Text    string `json:"text"`
	Without string `json:"without"`
}

func (q *inquiry) object(file string) whyObject {
	p := q.Run.Plan
	o := whyObject{header: header{format, "why"}, File: file, Model: p.Protocol.Name,
		Variant: p.Variant.Name, Property: q.property, Guilty: q.Steps[q.Guilty].From,
		Event: q.event(q.Guilty), Fresh: drawnAnew(q.Curve.Fresh), Futures: q.Curve.Futures,
		Before: q.Before, After: q.After, Clear: q.Clear(), Slice: append([]int{}, q.Slice...),
		Needs: []needObject{}, Runs: q.Runs, Hash: fmt.Sprintf("%016x", q.Run.Hash)}
	for _, m := range q.Curve.Moments {
		at := len(q.Run.Trace)
		if m.At < len(q.Steps) {
			at = q.Steps[m.At].From
		}
		o.Curve = append(o.Curve, momentObject{at, m.Failing})
	}
	if q.Doomed >= 0 {
		o.Doomed = &q.Steps[q.Doomed].From
	}
	if q.Near != nil {
		o.Passes, o.Added, o.Parts = changeText(q.Near), q.Near.Added, q.Near.Parts
	}
	for i := range q.Needs {
		says := q.Needs[i].Says
		if says == "" {
			says = "holds"
		}
		o.Needs = append(o.Needs, needObject{changeText(&q.Needs[i]), says})
	}
	return o
}
