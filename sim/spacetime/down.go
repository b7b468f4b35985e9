package spacetime

import (
	"strings"
	"unicode/utf8"
)

// column draws a picture with one column a lane and one row an event.
type column struct {
	*scene
	*grid
	head  int   // rows above the first event
	left  int   // the first lane's column
	pitch int   // from lane to lane
	words int   // where the words begin
	after int   // where the stamps begin, behind numbers and times
	kinds []int // how many columns each kind of stamp takes
}

func (s *scene) down() string {
	notes, legend := s.wrap(s.notes), s.rowsOf(s.stampKeys(len(s.events)))
	head := s.headRows()
	budget := most
	if s.o.Height > 0 {
		if s.o.Height < head+len(notes)+len(legend)+5 {
			notes, legend = nil, nil
		}
		budget = s.o.Height - head - len(notes) - len(legend)
	}
	s.trim(budget)
	c := column{scene: s, head: head}
	c.measure()
	if legend != nil {
		notes = append(c.stampLegend(), notes...)
	}
	c.grid = newGrid(s.o.Width, c.head+len(s.events))
	c.ascii = s.o.ASCII
	c.names()
	c.lines()
	c.marksOf()
	for i := range s.cuts {
		c.cutLine(i)
	}
	for i := range s.arrows {
		c.arrow(&s.arrows[i])
	}
	c.margin()
	return c.String(s.o.Colour) + strings.Join(notes, "")
}

// headRows is how many rows the names of the lanes take: each one of its own if they are long.
func (s *scene) headRows() int {
	room := (s.o.Width - 40) / max(len(s.lanes), 1)
	if s.longestName() >= max(room, 4) {
		return len(s.lanes)
	}
	return 1
}

func (s *scene) longestName() int {
	longest := 0
	for _, name := range s.lanes {
		longest = max(longest, utf8.RuneCountInString(name))
	}
	return longest
}

// measure divides the width between numbers, times, lanes and words.
func (c *column) measure() {
	numbers := 0
	for k := range c.events {
		numbers = max(numbers, len(c.number(k)))
	}
	c.left = numbers + 2
	if c.timed {
		c.left += c.timeWidth() + 2
	}
	c.after = c.left
	c.left += c.stampRoom()
	lanes := max(len(c.lanes), 1)
	words := 0
	for k := range c.events {
		words = max(words, utf8.RuneCountInString(c.phrase(&c.events[k])))
	}
	least := 4
	if c.head == 1 {
		least = max(least, c.longestName()+1)
	}
	c.pitch = max(min((c.o.Width-c.left-min(words, 44))/lanes, 8), least)
	c.words = c.left + (lanes-1)*c.pitch + 3
}

func (c *column) timeWidth() int {
	width := 0
	for k := range c.events {
		width = max(width, len(c.time(k)))
	}
	return width
}

// time is when an event happened, "" for folds.
func (c *column) time(k int) string {
	if c.events[k].what == fold {
		return ""
	}
	return c.run.Trace[c.events[k].entries[0]].At.String()
}

// number is the entries of an event.
func (c *column) number(k int) string {
	e := &c.events[k]
	if e.what == fold {
		return ""
	}
	if e.marked {
		return "*" + ranges(e.entries, ",")
	}
	return ranges(e.entries, ",")
}

func (c *column) x(lane int) int { return c.left + lane*c.pitch }

func (c *column) at(k int) spot { return spot{c.x(c.events[k].lane), c.head + k} }

// names writes the names of the lanes, each in a row of its own if they are long.
func (c *column) names() {
	for i, name := range c.lanes {
		c.text(spot{c.x(i), i % c.head}, clean(name), strong)
	}
}

// lines draws the lines of the lanes.
func (c *column) lines() {
	for i := range c.lanes {
		now := c.begin[i]
		for y := 1 + i%c.head; y < c.head; y++ {
			c.draw(spot{c.x(i), y}, []int{north, south}, c.nodePen(i, now))
		}
		for k := range c.events {
			at := spot{c.x(i), c.head + k}
			c.draw(at, []int{north}, c.nodePen(i, now))
			if after := c.events[k].after; i < len(after) {
				now = after[i]
			}
			c.draw(at, []int{south}, c.nodePen(i, now))
		}
	}
}

// nodePen draws the line of a lane that is doing something.
func (c *column) nodePen(lane int, st status) pen {
	p := pen{stroke: light, net: -1 - lane}
	switch st {
	case absent, down:
		p.stroke = blank
	case idle:
		p.stroke = dotted
	}
	return p
}

// marksOf puts the marks of the events on the lines.
func (c *column) marksOf() {
	for k := range c.events {
		e := &c.events[k]
		switch {
		case e.what == fold:
			c.leftOut(k)
		case e.what.everywhere() && len(c.lanes) > 0:
			level := pen{dotted, -1000, dim}
			end := spot{c.x(len(c.lanes)-1) + 1, c.head + k}
			c.drawPath(path(spot{c.left - 1, end.y}, end), level)
		case e.lane >= 0:
			c.put(c.at(k), first(c.glyph(e)), c.markTint(e))
		}
	}
}

// leftOut dots the lines that go on through a fold.
func (c *column) leftOut(k int) {
	for i, st := range c.events[k].after {
		if st == up || st == idle {
			c.put(spot{c.x(i), c.head + k}, first(c.theme().dots), dim)
		}
	}
}

// markTint is the colour of an event's mark.
func (s *scene) markTint(e *event) tint {
	switch {
	case e.marked:
		return strong
	case e.what == point:
		return cutTint + tint(e.cut%4)
	case e.what == crash:
		return alarm
	}
	return normal
}

// first is the first character of a text.
func first(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// margin writes numbers, times and words beside the events.
func (c *column) margin() {
	before := ""
	for k := range c.events {
		y := c.head + k
		number := c.number(k)
		paint := dim
		if c.events[k].marked {
			paint = strong
		}
		numbers := c.after - 2
		if c.timed {
			numbers -= c.timeWidth() + 2
			if now := c.time(k); now != before && now != "" {
				c.text(spot{c.after - 2 - len(now), y}, now, dim)
				before = now
			}
		}
		c.text(spot{numbers - len(number), y}, number, paint)
		c.stamps(k, c.after)
		if room := c.o.Width - c.words; room > 0 {
			c.text(spot{c.words, y}, c.shorten(c.phrase(&c.events[k]), room), normal)
		}
	}
}
