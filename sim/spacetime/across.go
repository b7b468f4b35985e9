package spacetime

import (
	"strings"
	"unicode/utf8"
)

// acrossMost is how many lanes a picture with level lines has at most; with more, one with upright
// lines is not longer, and has words.
const acrossMost = 4

// attempts is how often a picture is drawn anew, each time with more room where there was too
// little.
const attempts = 30

// level draws a picture with one level line a lane and time running to the right.
type level struct {
	*scene
	*grid
	gap  int // rows between lanes
	top  int // rows above the first lane, and below the last
	left int // where the first event may stand
	xs   []int
	ways [][]joint // of the arrows
	more []int     // columns that an event gets beyond its label, and
	far  []int     // that an arrow runs beyond its least, since there was no place before
	ok   bool      // everything has found its place
}

// across is the picture with level lines, if the run is small and plain enough for it.
func (s *scene) across() (string, bool) {
	if !s.plainEnough() {
		return "", false
	}
	l := level{scene: s, gap: 3, top: 1}
	l.more, l.far = make([]int, len(s.events)), make([]int, len(s.arrows))
	if len(s.lanes) > 2 {
		l.gap = 4
	}
	if s.o.Stamp != nil {
		l.top = 2
	}
	for range attempts {
		text := l.picture()
		switch {
		case text == "":
			return "", false
		case l.ok:
			return text, s.o.Height == 0 || strings.Count(text, "\n") <= s.o.Height
		}
	}
	return "", false
}

// plainEnough says that a picture with level lines can show the whole run.
func (s *scene) plainEnough() bool {
	if len(s.lanes) == 0 || len(s.lanes) > acrossMost || len(s.events) > s.o.Width {
		return false
	}
	return !s.any(func(e *event) bool { return e.what == gone && !e.linked })
}

func (l *level) picture() string {
	l.left = l.longestName() + 3
	l.xs = l.spread(measures{gap: 2, reach: l.reach, room: l.room, low: true})
	width := l.left + 3
	for k := range l.events {
		_, right := l.room(k)
		l.xs[k] += l.left
		width = max(width, l.xs[k]+right, l.xs[k]+4)
	}
	if width > l.o.Width {
		return ""
	}
	l.ok, l.ways = true, nil
	l.grid = newGrid(width, len(l.lanes)+(len(l.lanes)-1)*l.gap+2*l.top)
	l.ascii, l.bars = l.o.ASCII, true
	l.lines()
	l.marksOf()
	l.outerLabels()
	l.outerStamps()
	for i := range l.arrows {
		l.arrow(i)
	}
	for i := range l.cuts {
		l.cutLine(i)
	}
	l.innerLabels()
	l.innerStamps()
	l.mailLabels()
	return strings.TrimRight(l.String(l.o.Colour), "\n") + "\n" + l.legend()
}

func (l *level) y(lane int) int { return l.top + lane*(l.gap+1) }

func (l *level) at(k int) spot { return spot{l.xs[k], l.y(l.events[k].lane)} }

// reach is how far an arrow runs at least: down or up at 45 degrees.
func (l *level) reach(i int) int {
	a := &l.arrows[i]
	d := l.y(a.end) - l.y(a.start)
	if a.fate == lost {
		return 2
	}
	return max(d, -d) + l.far[i]
}

// room is what the labels of an event take on its line, the mark of a request included.
func (l *level) room(k int) (left, right int) {
	e := &l.events[k]
	return 0, max(utf8.RuneCountInString(l.tag(e))+1, stampSpan(l.stamp(e)), 2) + l.more[k]
}

// tag is the label of an event, with the mark of a request before it.
func (l *level) tag(e *event) string {
	text := l.label(e)
	if !e.request && e.what != asked {
		return text
	}
	if e.lane == len(l.lanes)-1 && e.lane > 0 {
		return l.theme().below + text
	}
	return l.theme().above + text
}

// lines draws the lanes with their names.
func (l *level) lines() {
	for i, name := range l.lanes {
		l.text(spot{0, l.y(i)}, clean(name), strong)
		now := l.begin[i]
		x := l.left - 2
		for k := range l.events {
			l.stretch(i, &x, l.xs[k], now)
			if after := l.events[k].after; i < len(after) {
				now = after[i]
			}
		}
		l.stretch(i, &x, l.width, now)
	}
}

// stretch draws the line of a lane from x up to a column, half of whose cell it takes.
func (l *level) stretch(lane int, x *int, to int, st status) {
	p := pen{stroke: light, net: -1 - lane}
	switch st {
	case absent, down:
		p.stroke = blank
	case idle:
		p.stroke = dotted
	}
	for ; *x < to; *x++ {
		l.draw(spot{*x, l.y(lane)}, []int{east}, p)
		l.draw(spot{*x + 1, l.y(lane)}, []int{west}, p)
	}
}

// marksOf puts the marks of the events on the lines.
func (l *level) marksOf() {
	for k := range l.events {
		e := &l.events[k]
		if e.what.everywhere() {
			l.everywhere(k)
		}
		if e.lane < 0 {
			continue
		}
		mark := first(l.glyph(e))
		if e.what == point {
			mark = l.pointMark()
		}
		l.put(l.at(k), mark, l.markTint(e))
	}
}

// everywhere draws what concerns all lanes: a dotted line across them, under its name.
func (l *level) everywhere(k int) {
	p := pen{dotted, -1000, dim}
	l.drawPath(path(spot{l.xs[k], l.top - 1}, spot{l.xs[k], l.y(len(l.lanes) - 1)}), p)
	l.put(spot{l.xs[k], l.y(len(l.lanes) - 1)}, l.box(dotted, 1<<north|1<<south), dim)
	l.text(spot{l.xs[k], l.top - 1}, l.tag(&l.events[k]), dim)
}

func (l *level) pointMark() rune {
	if l.o.ASCII {
		return '|'
	}
	return '╫'
}

// outerLabels writes the labels of the first lane above it and those of the last below it.
func (l *level) outerLabels() {
	for k := range l.events {
		e := &l.events[k]
		at := spot{l.xs[k], l.top - 1}
		switch {
		case e.lane == 0:
		case e.lane == len(l.lanes)-1:
			at.y = l.y(e.lane) + 1
		default:
			continue
		}
		l.text(at, l.tag(e), l.markTint(e))
	}
}

// innerLabels writes the labels of the lanes between, wherever there is room.
func (l *level) innerLabels() {
	for k := range l.events {
		e := &l.events[k]
		tag := l.tag(e)
		if e.lane <= 0 || e.lane == len(l.lanes)-1 || tag == "" {
			continue
		}
		if !l.place(tag, l.beside(k, utf8.RuneCountInString(tag)), normal) {
			l.more[k], l.ok = l.more[k]+2, false
		}
	}
}

// beside are the spots at an event for a label of n characters.
func (l *level) beside(k, n int) []spot {
	at := l.at(k)
	return []spot{{at.x, at.y - 1}, {at.x, at.y + 1}, {at.x + 1, at.y - 1}, {at.x + 1, at.y + 1},
		{at.x - n, at.y - 1}, {at.x - n, at.y + 1}, {at.x + 2, at.y - 1}, {at.x + 2, at.y + 1}}
}

// place writes a text at the first spot where it touches nothing. It says whether there was one.
func (l *level) place(text string, spots []spot, t tint) bool {
	for _, at := range spots {
		if l.free(at, utf8.RuneCountInString(text)) {
			l.text(at, text, t)
			return true
		}
	}
	return false
}

// mailLabels writes beside arrows what they carry, unless their ends say it.
func (l *level) mailLabels() {
	for i := range l.arrows {
		a := &l.arrows[i]
		text := l.mailLabel(a)
		if text == "" {
			continue
		}
		n := utf8.RuneCountInString(text)
		var spots []spot
		for _, j := range l.ways[i] {
			spots = append(spots, spot{j.x + 2, j.y}, spot{j.x - 1 - n, j.y})
		}
		if !l.place(text, spots, normal) {
			l.far[i], l.ok = l.far[i]+2, false
		}
	}
}

// legend says what the picture leaves out of its labels, and what there is to say about cuts.
func (l *level) legend() string {
	t := l.theme()
	parts := l.keys(keys{fact: t.fact, mail: string(t.falling), request: t.above,
		point: string(l.pointMark()), crash: t.crash, lost: t.lost})
	parts = append(parts, l.stampKeys(l.unstamped())...)
	lines := append(l.rowsOf(parts), l.wrap(append(l.notes, l.outside()...))...)
	if len(lines) == 0 {
		return ""
	}
	return "\n" + strings.Join(lines, "")
}

// outside says how many entries lie outside of the window.
func (l *level) outside() []string {
	var notes []string
	if l.from > 0 {
		notes = append(notes, "... "+count(l.from, "entry", "entries")+" before")
	}
	if n := len(l.run.Trace) - l.to; n > 0 && l.to == l.run.Epilogue {
		notes = append(notes, "... "+count(n, "entry", "entries")+" of the epilogue")
	} else if n > 0 {
		notes = append(notes, "... "+count(n, "entry", "entries")+" after")
	}
	return notes
}
