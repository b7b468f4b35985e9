package spacetime

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// looks is the style of an SVG, by day and by night.
const looks = `
.spacetime{font:12px ui-sans-serif,system-ui,"Segoe UI","DejaVu Sans",sans-serif}
.spacetime text{fill:#1f2328}
.spacetime .ground{fill:#fff}
.spacetime .name{font-weight:600;font-size:14px}
.spacetime .label,.spacetime .mail,.spacetime .caption,.spacetime .time{stroke:#fff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.spacetime .label{text-anchor:middle}
.spacetime .mail{font-size:11px;fill:#57606a}
.spacetime .note,.spacetime .caption{fill:#57606a}
.spacetime .time{fill:#8c959f;font-size:10px;text-anchor:middle}
.spacetime .line{stroke:#6e7781;stroke-width:1.5;fill:none}
.spacetime .idle{stroke-dasharray:2 4}
.spacetime .arrow{stroke:#57606a;stroke-width:1.25;fill:none}
.spacetime .log{stroke-dasharray:7 3}
.spacetime .cut-short{stroke-dasharray:3 3}
.spacetime .back{stroke:#cf222e;stroke-width:2.25}
.spacetime .tip path{fill:#57606a;stroke:none}
.spacetime .tip.back path{fill:#cf222e}
.spacetime .dot{fill:#1f2328;stroke:none}
.spacetime .ring{fill:#fff;stroke:#1f2328;stroke-width:1.5}
.spacetime .minor{fill:#6e7781;stroke:none}
.spacetime .request{fill:#8c959f;stroke:none}
.spacetime .bad{stroke:#cf222e;stroke-width:2.5;fill:none}
.spacetime .bar{stroke:#1f2328;stroke-width:2;fill:none}
.spacetime .witness{fill:none;stroke:#e36209;stroke-width:2}
.spacetime .apart{fill:#8c959f;fill-opacity:.13;stroke:none}
.spacetime .rule{stroke:#8c959f;stroke-dasharray:2 3;fill:none}
.spacetime .c0{stroke:#0969da}.spacetime .c1{stroke:#8250df}.spacetime .c2{stroke:#9a6700}.spacetime .c3{stroke:#1a7f37}
.spacetime .cut{stroke-width:2.5;fill:none;stroke-linejoin:round;stroke-linecap:round}
.spacetime .side{stroke:none;fill-opacity:.06}
.spacetime .f0{fill:#0969da}.spacetime .f1{fill:#8250df}.spacetime .f2{fill:#9a6700}.spacetime .f3{fill:#1a7f37}
.spacetime text.cutname{font-weight:600;text-anchor:middle}
.spacetime text.f0{fill:#0969da}.spacetime text.f1{fill:#8250df}.spacetime text.f2{fill:#9a6700}.spacetime text.f3{fill:#1a7f37}
@media (prefers-color-scheme:dark){
.spacetime text{fill:#e6edf3}
.spacetime .ground{fill:#0d1117}
.spacetime .label,.spacetime .mail,.spacetime .caption,.spacetime .time{stroke:#0d1117}
.spacetime .mail,.spacetime .note,.spacetime .caption{fill:#9198a1}
.spacetime .line,.spacetime .arrow{stroke:#9198a1}
.spacetime .back,.spacetime .bad{stroke:#ff7b72}
.spacetime .tip path{fill:#9198a1}
.spacetime .tip.back path{fill:#ff7b72}
.spacetime .dot{fill:#e6edf3}
.spacetime .ring{fill:#0d1117;stroke:#e6edf3}
.spacetime .bar{stroke:#e6edf3}
.spacetime .c0{stroke:#58a6ff}.spacetime .c1{stroke:#bc8cff}.spacetime .c2{stroke:#d29922}.spacetime .c3{stroke:#3fb950}
.spacetime .f0,.spacetime text.f0{fill:#58a6ff}.spacetime .f1,.spacetime text.f1{fill:#bc8cff}
.spacetime .f2,.spacetime text.f2{fill:#d29922}.spacetime .f3,.spacetime text.f3{fill:#3fb950}
.spacetime .side{fill-opacity:.1}
}
`

// mark draws an event, and tells its entries to who points at it.
func (d *drawing) mark(k int) {
	e := &d.events[k]
	if e.what == fold {
		return
	}
	d.print("<g><title>%s</title>", quote(d.tells(e)))
	switch {
	case e.what.everywhere():
		d.print("<path class=\"rule\" d=\"M%d 22V%d\"/>", d.xs[k], d.height()-18)
		d.print("<text class=\"caption\" x=\"%d\" y=\"18\">%s</text>", d.xs[k]+4, quote(d.tag(e)))
	case e.lane >= 0:
		d.glyphAt(k, d.at(k))
	case !e.linked && e.what == gone:
		d.print("<path class=\"bad\" d=\"M%d %dl8 8m0 -8l-8 8\"/>", d.xs[k]-4, d.height()-30)
	}
	d.print("</g>\n")
}

// tells is an event in words, with its entries, its node and its time.
func (d *drawing) tells(e *event) string {
	who, when := "", ""
	if e.lane >= 0 {
		who = " " + d.lanes[e.lane]
	}
	if d.timed {
		when = " at " + d.run.Trace[e.entries[0]].At.String()
	}
	return ranges(e.entries, ", ") + who + when + ": " + d.phrase(e)
}

// glyphAt draws the mark of an event on its lane.
func (d *drawing) glyphAt(k int, at spot) {
	e := &d.events[k]
	switch {
	case e.what == point:
		d.print("<rect class=\"f%d\" x=\"%d\" y=\"%d\" width=\"8\" height=\"8\" rx=\"2\"/>", e.cut%4, at.x-4, at.y-4)
	case e.what == crash:
		d.print("<path class=\"bad\" d=\"M%d %dl12 12m0 -12l-12 12\"/>", at.x-6, at.y-6)
	case e.what == leave || e.what == pause:
		d.print("<path class=\"bar\" d=\"M%d %dv14\"/>", at.x, at.y-7)
	case e.what == fault:
		d.print("<path class=\"bad\" d=\"M%d %dv6m0 4v2\"/>", at.x, at.y-6)
	case d.minor(e):
		d.print("<circle class=\"minor\" cx=\"%d\" cy=\"%d\" r=\"3\"/>", at.x, at.y)
	case e.what == asked:
	case d.states(e) || e.what == join || e.what == resume || e.what == sequenced:
		d.print("<circle class=\"dot\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", at.x, at.y, radius)
	default:
		d.print("<circle class=\"ring\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", at.x, at.y, radius-1)
	}
	if e.request && e.what != point || e.what == asked {
		if d.under(k) {
			d.print("<path class=\"request\" d=\"M%d %dh8l-4 -6z\"/>", at.x-4, at.y+14)
		} else {
			d.print("<path class=\"request\" d=\"M%d %dh8l-4 6z\"/>", at.x-4, at.y-14)
		}
	}
	if e.marked {
		d.print("<circle class=\"witness\" cx=\"%d\" cy=\"%d\" r=\"10\"/>", at.x, at.y)
	}
}

// under says that the label of an event stands under its lane: of the last lane, and where arrows
// come and go above only.
func (d *drawing) under(k int) bool {
	lane := d.events[k].lane
	if lane == 0 || lane == len(d.lanes)-1 {
		return lane > 0
	}
	over, below := false, false
	for i := range d.arrows {
		a := &d.arrows[i]
		if a.from != k && a.to != k {
			continue
		}
		over = over || min(a.start, a.end) < lane
		below = below || max(a.start, a.end) > lane
	}
	return over && !below
}

// writeTag writes the label of an event beside it.
func (d *drawing) writeTag(k int) {
	e := &d.events[k]
	if e.what == fold {
		d.print("<text class=\"label\" x=\"%d\" y=\"18\">%s</text>\n", d.xs[k], d.tag(e))
		return
	}
	text := d.tag(e)
	if text == "" || e.lane < 0 {
		return
	}
	at := d.at(k)
	lift := 11
	switch {
	case e.marked:
		lift = 15
	case e.request || e.what == asked:
		lift = 18
	}
	at.y -= lift
	if d.under(k) {
		at.y += 2*lift + 9
	}
	half := perRune * utf8.RuneCountInString(text) / 2
	d.taken = append(d.taken, box{at.x - half, at.y - 10, at.x + half, at.y + 3})
	d.print("<text class=\"label\" x=\"%d\" y=\"%d\">%s</text>\n", at.x, at.y, quote(text))
}

// times writes when things happened, under the last lane of a band, where there is room.
func (d *drawing) times(from, to int) {
	end, now := from, ""
	for k := range d.events {
		e := &d.events[k]
		if e.what == fold {
			continue
		}
		text := d.run.Trace[e.entries[0]].At.String()
		half := perRune * len(text) / 2
		if text == now || d.xs[k]-half < end || d.xs[k]+half > to {
			continue
		}
		end, now = d.xs[k]+half+10, text
		d.print("<text class=\"time\" x=\"%d\" y=\"%d\">%s</text>\n", d.xs[k], d.height()-4, quote(text))
	}
}

// partitions shades the time during which links are cut.
func (d *drawing) partitions() {
	start := none
	for k := range d.events {
		switch {
		case d.events[k].what == parted && start == none:
			start = d.xs[k]
		case d.events[k].what == healed && start != none:
			d.shade(start, d.xs[k])
			start = none
		}
	}
	if start != none {
		d.shade(start, d.width)
	}
}

func (d *drawing) shade(from, to int) {
	d.print("<rect class=\"apart\" x=\"%d\" y=\"22\" width=\"%d\" height=\"%d\"/>\n", from, to-from, d.height()-40)
}

// before shades what lies before a cut that has a point on every node's lane.
func (d *drawing) before() {
	for i, c := range d.cuts {
		var edge strings.Builder
		complete := len(c.points) > 0
		for lane, k := range c.points {
			if lane == d.log {
				continue
			}
			if k == none {
				complete = false
				break
			}
			at := d.at(k)
			if lane == 0 {
				fmt.Fprintf(&edge, "M0 14H%dV%d", at.x, at.y)
			}
			fmt.Fprintf(&edge, "L%d %d", at.x, at.y)
		}
		if complete {
			d.print("<path class=\"side f%d\" d=\"%sV%dH0z\"/>\n", i%4, edge.String(), d.height()-18)
		}
	}
}
