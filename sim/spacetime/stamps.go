package spacetime

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// stampEvents gives each event its stamps: those of its first step. An arrow then leads from a
// smaller stamp to a greater one, since what an event sent came after its first step, and what it
// received was its first step. A step that is drawn behind its point has its first step behind it.
func (s *scene) stampEvents() {
	next := make([]int, len(s.lanes)+1) // by lane: the entry behind that whose stamps were used
	for k := range s.events {
		e := &s.events[k]
		lane := len(s.lanes)
		if e.lane >= 0 {
			lane = e.lane
		}
		if i := s.stampedEntry(e, next[lane]); i >= 0 {
			e.stamps, next[lane] = s.wordsOf(i), i+1
		}
	}
}

// stampedEntry is an event's first entry from one on that has stamps, else its last one before that
// has some, else none.
func (s *scene) stampedEntry(e *event, from int) int {
	last := none
	for _, i := range e.entries {
		if s.wordsOf(i) == nil {
			continue
		}
		if last = i; i >= from {
			break
		}
	}
	return last
}

// wordsOf are the stamps of an entry.
func (s *scene) wordsOf(entry int) []string {
	if s.o.Stamp == nil {
		return nil
	}
	var words []string
	for _, word := range s.o.Stamp(entry) {
		words = append(words, clean(word))
	}
	return words
}

// stamp is the label of an event's stamps, "" if there are none or they are too long for a picture:
// a stamp that is cut is another one.
func (s *scene) stamp(e *event) string {
	text := strings.Join(e.stamps, " ")
	if utf8.RuneCountInString(text) > s.o.Width/3 {
		return ""
	}
	return text
}

// stampSpan is what a stamp takes on a level line: one of several kinds has blanks within, and two
// after.
func stampSpan(stamp string) int {
	span := utf8.RuneCountInString(stamp) + 1
	if strings.Contains(stamp, " ") {
		span++
	}
	return span
}

// stampKeys are what a legend says of stamps, with how many of them the picture lacks.
func (s *scene) stampKeys(missing int) []string {
	if s.o.Stamp == nil {
		return nil
	}
	var keys []string
	for _, key := range s.o.StampKeys {
		keys = append(keys, clean(key))
	}
	if missing > 0 {
		keys = append(keys, "no room for stamps of "+count(missing, "event", "events"))
	}
	return keys
}

// stamped says that an event has stamps.
func stamped(e *event) bool { return e.stamps != nil }

// unstamped is how many events have stamps that are too long.
func (s *scene) unstamped() int {
	return s.howMany(func(e *event) bool { return stamped(e) && s.stamp(e) == "" })
}

// howMany events are so.
func (s *scene) howMany(is func(e *event) bool) int {
	n := 0
	for k := range s.events {
		if is(&s.events[k]) {
			n++
		}
	}
	return n
}

// outerStamps writes the stamps of the first lane above its labels and those of the last below.
func (l *level) outerStamps() {
	for k := range l.events {
		e := &l.events[k]
		switch {
		case e.lane == 0:
			l.text(spot{l.xs[k], 0}, l.stamp(e), dim)
		case e.lane == len(l.lanes)-1:
			l.text(spot{l.xs[k], l.y(e.lane) + 2}, l.stamp(e), dim)
		}
	}
}

// innerStamps writes the stamps of the lanes between, wherever there is room.
func (l *level) innerStamps() {
	for k := range l.events {
		e := &l.events[k]
		text := l.stamp(e)
		if e.lane <= 0 || e.lane == len(l.lanes)-1 || text == "" {
			continue
		}
		at, n := l.at(k), utf8.RuneCountInString(text)
		spots := l.beside(k, n)
		spots = append(spots, spot{at.x, at.y + 2}, spot{at.x, at.y - 2})
		if !l.place(text, spots, dim) {
			l.more[k], l.ok = l.more[k]+2, false
		}
	}
}

// stampWidths are how many columns each kind of stamp takes at most.
func (s *scene) stampWidths() []int {
	var widths []int
	for k := range s.events {
		if s.stamp(&s.events[k]) == "" {
			continue
		}
		for i, word := range s.events[k].stamps {
			widths = append(widths, make([]int, max(i+1-len(widths), 0))...)
			widths[i] = max(widths[i], utf8.RuneCountInString(word))
		}
	}
	return widths
}

// stampRoom is how many columns stamps take between the times and the lanes, a blank after each and
// one more at the end: none if there would be too few left for lanes and words.
func (c *column) stampRoom() int {
	c.kinds = c.stampWidths()
	room := 1 + len(c.kinds)
	for _, width := range c.kinds {
		room += width
	}
	if room == 1 || c.left+room+4*len(c.lanes) > c.o.Width*2/3 {
		c.kinds, room = nil, 0
	}
	return room
}

// stamps writes the stamps of an event in columns, the first of which begins at a place. Numbers
// stand at the right of theirs.
func (c *column) stamps(k, x int) {
	e := &c.events[k]
	if c.stamp(e) == "" {
		return
	}
	for i, width := range c.kinds {
		if i < len(e.stamps) {
			word := e.stamps[i]
			if _, err := strconv.Atoi(word); err == nil {
				word = strings.Repeat(" ", width-len(word)) + word
			}
			c.text(spot{x, c.head + k}, word, dim)
		}
		x += width + 1
	}
}

// stampLegend are the lines about stamps below an upright picture.
func (c *column) stampLegend() []string {
	missing := c.unstamped()
	if c.kinds == nil {
		missing = c.howMany(stamped)
	}
	return c.rowsOf(c.stampKeys(missing))
}

// writeStamp writes the stamps of an event, if there is room. If there is none, only who points at
// the event is told.
func (d *drawing) writeStamp(k int) {
	e := &d.events[k]
	text := d.stamp(e)
	if text == "" || e.lane < 0 {
		return
	}
	for _, y := range d.stampPlaces(k) {
		if d.takeStamp(text, spot{d.xs[k], y}) {
			return
		}
	}
	d.untold++
}

// takeStamp writes a stamp at a spot, if that is free.
func (d *drawing) takeStamp(text string, at spot) bool {
	half := perRune * utf8.RuneCountInString(text) / 2
	b := box{at.x - half, at.y - 9, at.x + half, at.y + 3}
	if d.blocked(b) {
		return false
	}
	d.taken = append(d.taken, b)
	d.write("time stamp halo", at, text)
	return true
}

// stampPlaces are the heights at which the stamps of an event may stand: where its label would, or
// beyond that, else on the other side of the lane.
func (d *drawing) stampPlaces(k int) []int {
	lane, tag := d.at(k).y, d.tagAt(k).y
	beyond := 0
	if d.tag(&d.events[k]) != "" {
		beyond = perStamp - 1
	}
	if d.under(k) {
		return []int{tag + beyond, lane - 11}
	}
	return []int{tag - beyond, lane + 20}
}
