package spacetime

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// mark draws an event, and tells its entries to who points at it.
func (d *drawing) mark(k int) {
	e := &d.events[k]
	if e.what == fold {
		return
	}
	d.print("<g><title>%s</title>", quote(d.tells(e)))
	switch {
	case e.what.everywhere():
		d.print("<path class='rule' d='M%d 22V%d'/>", d.xs[k], d.height()-18)
		d.write("caption halo", spot{d.xs[k] + 4, 18}, d.tag(e))
	case e.lane >= 0:
		d.glyphAt(k, d.at(k))
	case !e.linked && e.what == gone:
		d.print("<path class='bad' d='M%d %dl8 8m0 -8l-8 8'/>", d.xs[k]-4, d.height()-30)
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
	text := ranges(e.entries, ", ") + who + when + ": " + d.phrase(e)
	if e.stamps != nil {
		text += " (" + strings.Join(e.stamps, " ") + ")"
	}
	return text
}

// glyphAt draws the mark of an event on its lane.
func (d *drawing) glyphAt(k int, at spot) {
	e := &d.events[k]
	switch {
	case e.what == point:
		d.print("<rect class='f%d' x='%d' y='%d' width='8' height='8' rx='2'/>", e.cut%4, at.x-4,
			at.y-4)
	case e.what == crash:
		d.print("<path class='bad' d='M%d %dl12 12m0 -12l-12 12'/>", at.x-6, at.y-6)
	case e.what == leave || e.what == pause:
		d.print("<path class='bar' d='M%d %dv14'/>", at.x, at.y-7)
	case e.what == fault:
		d.print("<path class='bad' d='M%d %dv6m0 4v2'/>", at.x, at.y-6)
	case d.minor(e):
		d.print("<circle class='minor' cx='%d' cy='%d' r='3'/>", at.x, at.y)
	case e.what == asked:
	case d.states(e) || e.what == join || e.what == resume || e.what == sequenced:
		d.print("<circle class='dot' cx='%d' cy='%d' r='%d'/>", at.x, at.y, radius)
	default:
		d.print("<circle class='ring' cx='%d' cy='%d' r='%d'/>", at.x, at.y, radius-1)
	}
	if e.request && e.what != point || e.what == asked {
		if d.under(k) {
			d.print("<path class='request' d='M%d %dh8l-4 -6z'/>", at.x-4, at.y+14)
		} else {
			d.print("<path class='request' d='M%d %dh8l-4 6z'/>", at.x-4, at.y-14)
		}
	}
	if e.marked {
		d.print("<circle class='witness' cx='%d' cy='%d' r='10'/>", at.x, at.y)
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
		d.write("label halo", spot{d.xs[k], 18}, d.tag(e))
		return
	}
	text := d.tag(e)
	if text == "" || e.lane < 0 {
		return
	}
	at := d.tagAt(k)
	half := perRune * utf8.RuneCountInString(text) / 2
	d.taken = append(d.taken, box{at.x - half, at.y - 10, at.x + half, at.y + 3})
	d.write("label halo", spot{at.x, at.y}, text)
}

// tagAt is where the label of an event stands.
func (d *drawing) tagAt(k int) spot {
	e, at := &d.events[k], d.at(k)
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
	return at
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
		d.write("time halo", spot{d.xs[k], d.height() - 4}, text)
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
	d.print("<rect class='apart' x='%d' y='22' width='%d' height='%d'/>\n", from, to-from,
		d.height()-40)
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
			d.print("<path class='side f%d' d='%sV%dH0z'/>\n", i%4, edge.String(), d.height()-18)
		}
	}
}
