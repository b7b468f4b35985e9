package spacetime

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// The measures of an SVG, in pixels.
const (
	perColumn = 8  // of Options.Width
	perRune   = 7  // what a character of a label takes
	perNote   = 6  // and of a note, where there is room to spare
	above     = 68 // over the first lane
	below     = 46 // under the last lane
	border    = 16
	perStamp  = 14 // a line of stamps
	radius    = 5
)

// box is a place that is taken.
type box struct{ left, top, right, bottom int }

func (b box) meets(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// drawing is an SVG in the making. Its content is drawn once, on one endless axis of time, and
// shown through one band or several.
type drawing struct {
	*scene
	bytes.Buffer
	xs     []int
	width  int   // of the content
	bands  []int // the places at which the content is divided, its ends included
	names  int   // the width of the names of the lanes
	taken  []box
	extra  int // above and below the lanes, for stamps
	untold int // stamps that have found no place
}

func (s *scene) svg() []byte {
	s.learnWords(partInDrawing)
	s.trim(most)
	d := &drawing{scene: s}
	if s.o.Stamp != nil {
		d.extra = perStamp
	}
	for _, name := range d.lanes {
		d.names = max(d.names, perRune*utf8.RuneCountInString(name)+10)
	}
	room := max(d.o.Width*perColumn-d.names-2*border, 200)
	for _, gap := range []int{44, 36, 28} {
		d.place(gap)
		if d.width <= room {
			break
		}
	}
	d.divide(room)
	d.content()
	return d.page()
}

// place lays the events out with a gap between columns.
func (d *drawing) place(gap int) {
	d.width = 460
	d.xs = d.spread(measures{gap: gap, reach: d.reach, room: d.room})
	for k := range d.xs {
		_, right := d.room(k)
		d.xs[k] += 28
		d.width = max(d.width, d.xs[k]+right, d.xs[k]+34)
	}
}

// reach is how far an arrow runs at least.
func (d *drawing) reach(i int) int {
	apart := d.arrows[i].end - d.arrows[i].start
	return 20 + 12*max(apart, -apart)
}

// room is what the labels of an event take.
func (d *drawing) room(k int) (left, right int) {
	e := &d.events[k]
	label := max(utf8.RuneCountInString(d.tag(e)), utf8.RuneCountInString(d.stamp(e)))
	w := perRune * label
	if e.what == point && d.topmost(e) {
		w = max(w, perRune*utf8.RuneCountInString(d.cutName(e.cut)))
	}
	switch {
	case e.what == fold:
		return w/2 + 14, w/2 + 14
	case e.what.everywhere():
		return 6, w + 10
	}
	return max(w/2+4, 12), max(w/2+4, 12)
}

// tag is the label of an event in a drawing. Points have the name of their cut at its line's end.
func (d *drawing) tag(e *event) string {
	text := d.label(e)
	if e.what == point && !e.marked && e.first {
		return ""
	}
	return text
}

// topmost says that the line of a cut begins at a point.
func (d *drawing) topmost(e *event) bool {
	return e.first && (e.lane == 0 || d.cuts[e.cut].points[e.lane-1] == none)
}

func (d *drawing) cutName(i int) string { return "cut " + d.cuts[i].name }

func (d *drawing) y(lane int) int { return above + d.extra + lane*d.gap() }

// gap is the distance from lane to lane.
func (d *drawing) gap() int {
	if len(d.lanes) > 4 {
		return 68
	}
	return 84
}

func (d *drawing) at(k int) spot { return spot{d.xs[k], d.y(d.events[k].lane)} }

func (d *drawing) height() int { return d.y(max(len(d.lanes), 1)-1) + below + d.extra }

func (d *drawing) print(format string, args ...any) { fmt.Fprintf(&d.Buffer, format, args...) }

// write writes a text.
func (d *drawing) write(class string, at spot, text string) {
	d.print("<text class='%s' x='%d' y='%d'>%s</text>\n", class, at.x, at.y, quote(text))
}

// quote makes a text fit for XML.
func quote(text string) string {
	valid := strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff || r < ' ' {
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return html.EscapeString(valid)
}

// content draws everything on the endless axis, from back to front.
func (d *drawing) content() {
	d.before()
	d.partitions()
	d.lines()
	for i := range d.cuts {
		d.cutLine(i)
	}
	for i := range d.arrows {
		d.arrow(&d.arrows[i])
	}
	for k := range d.events {
		d.mark(k)
	}
	for k := range d.events {
		d.writeTag(k)
	}
	for k := range d.events {
		d.writeStamp(k)
	}
	for i := range d.arrows {
		d.writeMail(&d.arrows[i])
	}
}

// page puts the content into bands between a head and the notes.
func (d *drawing) page() []byte {
	left, bands := border+d.names, d.bands
	widest := 0
	for i := 1; i < len(bands); i++ {
		widest = max(widest, bands[i]-bands[i-1])
	}
	content := d.String()
	d.Reset()
	width := left + widest + border
	notes := d.footer(width)
	height := (len(bands)-1)*(d.height()+8) + 18*len(notes) + border
	d.head(width, height)
	id := fmt.Sprintf("spacetime-%016x", d.run.Hash)
	if len(bands) > 2 {
		d.print("<defs><g class='spacetime' id='%s'>\n%s</g></defs>\n", id, content)
		content = fmt.Sprintf("<use href='#%s'/>\n", id)
	}
	for i := 1; i < len(bands); i++ {
		d.band(spot{left, (i - 1) * (d.height() + 8)}, bands[i-1:i+1], content)
	}
	for i, note := range notes {
		d.print("<text class='note' x='%d' y='%d'>%s</text>\n", border,
			height-border-18*(len(notes)-1-i), quote(note))
	}
	d.print("</svg>\n")
	return d.Bytes()
}

// head opens the file: who is there, for those who cannot see it, and how it looks.
func (d *drawing) head(width, height int) {
	what := "space-time diagram"
	if p := d.run.Plan; p != nil && p.Protocol != nil {
		what = strings.TrimSpace("space-time diagram of " + p.Protocol.Name + " " + p.Variant.Name)
	}
	d.print("<svg xmlns='http://www.w3.org/2000/svg' class='spacetime' role='img' "+
		"width='%d' height='%d' viewBox='0 0 %d %d'>\n", width, height, width, height)
	d.print("<title>%s</title>\n", quote(what))
	d.print("<desc>%s</desc>\n", quote(fmt.Sprintf("Lanes %s; %s. %s", strings.Join(d.lanes, " "),
		count(len(d.run.Trace), "entry", "entries"), strings.Join(d.notes, ". "))))
	d.print("<style>%s</style>\n", looks)
	d.print("<defs>\n")
	for _, kind := range []string{"", " back"} {
		d.print("<marker id='tip%s' class='tip%s' markerWidth='9' markerHeight='8' refX='13' "+
			"refY='4' orient='auto' markerUnits='userSpaceOnUse'>"+
			"<path d='M0 0L9 4L0 8L2 4z'/></marker>\n",
			strings.TrimSpace(kind), kind)
	}
	d.print("</defs>\n<rect class='ground' width='%d' height='%d'/>\n", width, height)
}

// band shows a stretch of the content, with the names of the lanes before it.
func (d *drawing) band(at spot, stretch []int, content string) {
	for i, name := range d.lanes {
		d.write("name", spot{border, at.y + d.y(i) + 5}, name)
	}
	d.print("<svg x='%d' y='%d' width='%d' height='%d' viewBox='%d 0 %d %d'>\n", at.x, at.y,
		stretch[1]-stretch[0], d.height(), stretch[0], stretch[1]-stretch[0], d.height())
	d.WriteString(content)
	if d.timed {
		d.times(stretch[0], stretch[1])
	}
	d.print("</svg>\n")
}

// footer are the legend and the notes, in lines that fit.
func (d *drawing) footer(width int) []string {
	missing := d.untold + d.unstamped()
	o := d.o
	d.o.Width = max((width-2*border)/perNote, 20)
	parts := d.keys(keys{fact: "●", mail: "↘", request: "▾", point: "■", crash: "✕", lost: "×"})
	parts = append(parts, d.stampKeys(missing)...)
	lines := append(d.rowsOf(parts), d.wrap(d.notes)...)
	d.o = o
	for i := range lines {
		lines[i] = strings.ReplaceAll(strings.TrimSuffix(lines[i], "\n"), "   ", "\u2003")
	}
	return lines
}
