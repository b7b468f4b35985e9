package pages

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// plot is a picture of a table of a page: the first column runs along, each other is a curve. All
// arithmetic is in thousandths and whole pixels, so that equal tables make equal pictures.
type plot struct {
	file, heading string // the table is the first one after the line that begins so
	title         string
	along, up     string // what the axes count
	log           bool   // along, equal ratios are equally far apart, not equal differences
}

// curves are the numbers of a table, in thousandths.
type curves struct {
	names []string
	x     []int64
	y     [][]int64 // by curve; none where the cell is empty
	empty [][]bool
	log   bool
}

const (
	plotWide, plotHigh          = 720, 400
	plotLeft, plotTop           = 64, 44
	plotRight, plotBottom       = 190, 52
	plotAcross                  = plotWide - plotLeft - plotRight
	plotDown                    = plotHigh - plotTop - plotBottom
	plotTicks             int64 = 5
)

// colours of curves in a light and a dark setting: told apart by people who see red and green
// alike.
var plotColours = [...][2]string{{"#0072b2", "#56b4e9"}, {"#d55e00", "#f0894a"},
	{"#007a5a", "#2bc09a"}, {"#a3508a", "#d68fc2"}, {"#7a6a00", "#e0cf4a"}, {"#555555", "#aaaaaa"}}

// draw makes the picture of the table in the text of a page.
func (p plot) draw(text string) (sim.Figure, error) {
	c, err := readCurves(text, p.heading)
	if err != nil {
		return sim.Figure{}, fmt.Errorf("%s: %w", p.file, err)
	}
	c.log = p.log
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">`, plotWide,
		plotHigh)
	say("<title>%s</title>", escape(p.title))
	say("%s", plotStyle(len(c.names)))
	say(`<text class="title" x="%d" y="24">%s</text>`, plotLeft, escape(p.title))
	p.axes(say, &c)
	for k, name := range c.names {
		p.curve(say, &c, k)
		y := plotTop + 8 + 22*k
		say(`<path class="c%d" d="M%d %dh18"/><text x="%d" y="%d">%s</text>`, k,
			plotWide-plotRight+14, y, plotWide-plotRight+38, y+4, escape(name))
	}
	say("</svg>")
	return sim.Figure{File: p.file, Text: b.String()}, nil
}

// plotStyle is the style of so many curves.
func plotStyle(n int) string {
	var light, dark strings.Builder
	for k := range n {
		c := plotColours[k%len(plotColours)]
		fmt.Fprintf(&light, ".c%d{stroke:%s}.d%d{fill:%s}", k, c[0], k, c[0])
		fmt.Fprintf(&dark, ".c%d{stroke:%s}.d%d{fill:%s}", k, c[1], k, c[1])
	}
	return "<style>text{font:13px " +
		"sans-serif;fill:#222}.title{font-weight:bold}.end{text-anchor:end}" +
		".mid{text-anchor:middle}path{fill:none;stroke-width:2;stroke-linecap:round}" +
		".axis{stroke:#222;stroke-width:1}.grid{stroke:#ccc;stroke-width:1}" + light.String() +
		"@media(prefers-color-scheme:dark){text{fill:#ddd}.axis{stroke:#ddd}.grid{stroke:#444}" +
		dark.String() + "}</style>"
}

// axes draws both axes with their ticks. Rows have their numbers under them, where there is room.
func (p plot) axes(say func(string, ...any), c *curves) {
	top := c.top()
	for k := range plotTicks + 1 {
		value := top * k / plotTicks
		y := c.down(value)
		say(`<path class="grid" d="M%d %dh%d"/>`, plotLeft, y, plotAcross)
		say(`<text class="end" x="%d" y="%d">%s</text>`, plotLeft-8, y+4, thousandths(value))
	}
	for _, i := range c.labels() {
		say(`<text class="mid" x="%d" y="%d">%s</text>`, c.across(i), plotTop+plotDown+20,
			thousandths(c.x[i]))
	}
	say(`<path class="axis" d="M%d %dv%dh%d"/>`, plotLeft, plotTop, plotDown, plotAcross)
	say(`<text class="mid" x="%d" y="%d">%s</text>`, plotLeft+plotAcross/2, plotHigh-12,
		escape(p.along))
	say(`<text class="mid" transform="translate(16 %d) rotate(-90)">%s</text>`, plotTop+plotDown/2,
		escape(p.up))
}

// labels are the rows that have their numbers under them: the last, and from the first on what
// leaves room for the next and for it.
func (c *curves) labels() []int {
	const room = 24
	last := len(c.x) - 1
	var list []int
	end := c.across(0)
	for i := range last {
		if at := c.across(i); at >= end && at+room <= c.across(last) {
			list, end = append(list, i), at+room
		}
	}
	return append(list, last)
}

// under is how many of the curves that are drawn after a curve pass through its point of a row: it
// is drawn so much larger, so that its rim is still seen.
func (c *curves) under(k, i int) (n int) {
	for over := k + 1; over < len(c.y); over++ {
		if c.same(k, over, i) {
			n++
		}
	}
	return n
}

// runsUnder is how many of them go the same way from the row before.
func (c *curves) runsUnder(k, i int) (n int) {
	for over := k + 1; over < len(c.y); over++ {
		if c.same(k, over, i-1) && c.same(k, over, i) {
			n++
		}
	}
	return n
}

func (c *curves) same(k, over, i int) bool {
	return !c.empty[k][i] && !c.empty[over][i] && c.down(c.y[k][i]) == c.down(c.y[over][i])
}

// curve draws one curve with its points.
func (p plot) curve(say func(string, ...any), c *curves, k int) {
	for i := 1; i < len(c.y[k]); i++ {
		if !c.empty[k][i-1] && !c.empty[k][i] {
			say(`<path class="c%d" style="stroke-width:%d" d="M%d %dL%d %d"/>`, k, 2+2*c.runsUnder(k, i),
				c.across(i-1), c.down(c.y[k][i-1]), c.across(i), c.down(c.y[k][i]))
		}
	}
	for i, y := range c.y[k] {
		if !c.empty[k][i] {
			say(`<circle class="d%d" cx="%d" cy="%d" r="%d"/>`, k, c.across(i), c.down(y),
				3+c.under(k, i))
		}
	}
}

func (c *curves) across(i int) int {
	first, at, last := c.x[0], c.x[i], c.x[len(c.x)-1]
	if c.log {
		first, at, last = log2(first), log2(at), log2(last)
	}
	return plotLeft + int(plotAcross*(at-first)/max(1, last-first))
}

// log2 is 65,536 times the logarithm of a number, 0 of what is below 1.
func log2(n int64) (log int64) {
	const one = 1 << 30
	m := max(n, 1) * one
	for ; m >= 2*one; m /= 2 {
		log += 1 << 16
	}
	for bit := int64(1 << 15); bit > 0; bit /= 2 { // m is from one to two: its square has one bit more
		if m = m * m / one; m >= 2*one {
			log, m = log+bit, m/2
		}
	}
	return log
}

func (c *curves) down(y int64) int {
	return plotTop + plotDown - int(int64(plotDown)*y/c.top())
}

// top is the end of the upward axis: a round number above all.
func (c *curves) top() int64 {
	most := int64(1)
	for _, list := range c.y {
		for _, y := range list {
			most = max(most, y)
		}
	}
	for step := int64(1); ; step *= 10 {
		for _, round := range []int64{10, 15, 20, 25, 30, 40, 50, 75} {
			if top := round * step; top >= most {
				return top
			}
		}
	}
}

// readCurves reads the first table after a heading.
func readCurves(text, heading string) (c curves, err error) {
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		return c, fmt.Errorf("no heading %q", heading)
	}
	rows := 0
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if rows > 0 {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		switch rows++; rows {
		case 1:
			for _, name := range cells[1:] {
				c.names = append(c.names, strings.TrimSpace(name))
			}
			c.y, c.empty = make([][]int64, len(c.names)), make([][]bool, len(c.names))
		case 2:
		default:
			if err := c.row(cells); err != nil {
				return c, err
			}
		}
	}
	if len(c.x) < 2 {
		return c, fmt.Errorf("the table after %q has %d rows, want two", heading, len(c.x))
	}
	return c, nil
}

// row reads a row of a table.
func (c *curves) row(cells []string) error {
	if len(cells) != len(c.names)+1 {
		return fmt.Errorf("a row has %d cells, want %d", len(cells), len(c.names)+1)
	}
	x, err := number(cells[0])
	if err != nil {
		return err
	}
	c.x = append(c.x, x)
	for k, cell := range cells[1:] {
		cell = strings.TrimSpace(cell)
		y := int64(0)
		if cell != "" {
			if y, err = number(cell); err != nil {
				return err
			}
		}
		c.y[k], c.empty[k] = append(c.y[k], y), append(c.empty[k], cell == "")
	}
	return nil
}

// number reads a decimal such as 12, 0.25 or 3.5 % in thousandths.
func number(cell string) (int64, error) {
	word, _, _ := strings.Cut(strings.TrimSpace(cell), " ")
	whole, part, _ := strings.Cut(word, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || len(part) > 3 {
		return 0, fmt.Errorf("%q is no number with at most three decimals", cell)
	}
	if part == "" {
		return 1000 * n, nil
	}
	f, err := strconv.ParseUint(part+strings.Repeat("0", 3-len(part)), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no number with at most three decimals", cell)
	}
	return 1000*n + int64(f), nil
}

// thousandths is a number for people.
func thousandths(n int64) string {
	if n%1000 == 0 {
		return strconv.FormatInt(n/1000, 10)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", n/1000, n%1000), "0")
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}
