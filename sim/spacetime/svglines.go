package spacetime

import (
	"fmt"
	"unicode/utf8"

	"github.com/downset/downset/sim"
)

// lines draws the lanes: nothing while a node is down, dots while it is paused or entries are left
// out.
func (d *drawing) lines() {
	for i := range d.lanes {
		now, x := d.begin[i], 0
		for k := range d.events {
			next := now
			if after := d.events[k].after; i < len(after) {
				next = after[i]
			}
			switch {
			case d.events[k].what == fold:
				left, right := d.room(k)
				from, to := d.xs[k]-left+12, d.xs[k]+right-12
				d.line(i, spot{x, from}, now)
				d.line(i, spot{from, to}, min(next, idle))
				x = to
			case next != now:
				d.line(i, spot{x, d.xs[k]}, now)
				x = d.xs[k]
			}
			now = next
		}
		d.line(i, spot{x, d.width}, now)
	}
}

// line draws a lane from span.x to span.y.
func (d *drawing) line(lane int, span spot, st status) {
	class := "line"
	switch st {
	case absent, down:
		return
	case idle:
		class = "line idle"
	}
	d.print("<path class='%s' d='M%d %dH%d'/>\n", class, span.x, d.y(lane), span.y)
}

// cutLine joins the points of a cut on neighbouring lanes, and names it at either end.
func (d *drawing) cutLine(i int) {
	c := &d.cuts[i]
	for lane, k := range c.points {
		if k == none {
			continue
		}
		at := d.at(k)
		if d.topmost(&d.events[k]) {
			d.print("<path class='cut c%d' d='M%d %dv-32'/>\n", i%4, at.x, at.y)
			d.nameCut(i, spot{at.x, at.y - 37})
		}
		if lane == len(c.points)-1 || c.points[lane+1] == none {
			d.print("<path class='cut c%d' d='M%d %dv26'/>\n", i%4, at.x, at.y)
			continue
		}
		next := d.at(c.points[lane+1])
		d.print("<path class='cut c%d' d='M%d %dL%d %d'/>\n", i%4, at.x, at.y, next.x, next.y)
	}
}

func (d *drawing) nameCut(i int, at spot) {
	name := d.cutName(i)
	half := perRune * utf8.RuneCountInString(name) / 2
	at.x = max(at.x, half)
	d.taken = append(d.taken, box{at.x - half, at.y - 10, at.x + half, at.y + 3})
	d.write(fmt.Sprintf("cutname halo f%d", i%4), at, name)
}

// ends are where an arrow begins and ends. What is lost ends on its way, what flies soon after its
// beginning.
func (d *drawing) ends(a *arrow) (from, to spot) {
	way := d.y(a.end) - d.y(a.start)
	if a.from >= 0 {
		from = d.at(a.from)
	}
	if a.to >= 0 {
		to = spot{d.xs[a.to], d.y(a.end)}
	}
	switch {
	case a.fate == lost && a.to >= 0 && a.to != a.from:
		to.y -= sign(way) * 24
	case a.to == none || a.fate == lost:
		to = spot{from.x + 22, from.y + sign(way)*d.gap()*3/8}
	}
	if a.from == none {
		from = spot{to.x - 26, to.y - sign(way)*d.gap()/2}
	}
	return from, to
}

// arrow draws a message.
func (d *drawing) arrow(a *arrow) {
	from, to := d.ends(a)
	class, tip := "arrow", "tip"
	if a.lane {
		class += " log"
	}
	if a.backwards {
		class, tip = class+" back", "tipback"
	}
	if a.from == none || a.to == none {
		class += " stub"
	}
	if a.fate == arrives && a.to >= 0 {
		tip = " marker-end='url(#" + tip + ")'"
	} else {
		tip = ""
	}
	d.print("<path class='%s' d='M%d %dL%d %d'%s><title>%s</title></path>\n", class,
		from.x, from.y, to.x, to.y, tip, quote(d.tellsArrow(a)))
	if a.fate == lost && a.to >= 0 {
		d.print("<path class='bad' d='M%d %dl8 8m0 -8l-8 8'/>\n", to.x-4, to.y-4)
		d.taken = append(d.taken, box{to.x - 6, to.y - 6, to.x + 6, to.y + 6})
	}
}

// tellsArrow is an arrow in words.
func (d *drawing) tellsArrow(a *arrow) string {
	text := fmt.Sprintf("%s from %s to %s: ", sim.Text(d.run.Trace[a.sent].Body), d.lanes[a.start],
		d.lanes[a.end])
	switch {
	case a.fate == flying || a.got < 0:
		return text + ranges([]int{a.sent}, "") + " on its way"
	case a.fate == lost:
		return text + ranges([]int{a.sent}, "") + ", " + reason(d.run.Trace[a.got].N) + " at " +
			ranges([]int{a.got}, "")
	}
	return text + ranges([]int{a.sent}, "") + " to " + ranges([]int{a.got}, "")
}

// writeMail writes beside an arrow what it carries, at the first place along it that is free. If
// there is none, only who points at the arrow is told.
func (d *drawing) writeMail(a *arrow) {
	text := d.mailLabel(a)
	if text == "" {
		return
	}
	from, to := d.ends(a)
	w := 6*utf8.RuneCountInString(text) + 2
	for _, eighth := range []int{4, 3, 5, 2, 6, 7, 1} {
		x, y := from.x+(to.x-from.x)*eighth/8, from.y+(to.y-from.y)*eighth/8
		for _, left := range []int{x + 5, x - 5 - w} {
			b := box{left, y - 8, left + w, y + 4}
			if d.blocked(box{b.left - 4, b.top, b.right + 4, b.bottom}) {
				continue
			}
			d.taken = append(d.taken, b)
			d.write("mail halo", spot{left, y + 2}, text)
			return
		}
	}
}

// blocked says that something is drawn in a box: a label, or a lane.
func (d *drawing) blocked(b box) bool {
	for i := range d.lanes {
		if b.meets(box{0, d.y(i) - 7, d.width, d.y(i) + 7}) {
			return true
		}
	}
	for _, t := range d.taken {
		if b.meets(t) {
			return true
		}
	}
	for _, end := range d.bands {
		if b.left < end && end < b.right {
			return true
		}
	}
	return b.left < 0 || b.right > d.width
}
