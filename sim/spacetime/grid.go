package spacetime

import "strings"

// A grid is a picture in characters. Lines that meet in a cell are joined by the right character;
// runes put into a cell hide the lines beneath.

// stroke is how a line is drawn.
type stroke uint8

const (
	blank stroke = iota
	dotted
	light
	heavy
	double
)

// tint is the colour of a cell, where there are colours.
type tint uint8

const (
	normal tint = iota
	dim
	alarm
	strong
	cutTint // and the following: one for each cut, in turn
)

// pen draws one line; what is drawn with one net belongs together.
type pen struct {
	stroke stroke
	net    int
	tint   tint
}

// The sides of a cell.
const (
	north = iota
	east
	south
	west
)

type cell struct {
	rune  rune // 0: none
	sides [4]stroke
	nets  [2]int // of what runs north and south, and east and west
	tint  tint
}

type spot struct{ x, y int }

type grid struct {
	rows  [][]cell
	width int
	ascii bool
	bars  bool // lanes are level, and cuts upright
}

func newGrid(width, height int) *grid {
	g := &grid{width: width, rows: make([][]cell, height)}
	for y := range g.rows {
		g.rows[y] = make([]cell, width)
	}
	return g
}

// cell is the cell at a spot, nil outside of the grid.
func (g *grid) cell(x, y int) *cell {
	if y < 0 || y >= len(g.rows) || x < 0 || x >= g.width {
		return nil
	}
	return &g.rows[y][x]
}

func (g *grid) put(at spot, r rune, t tint) {
	if c := g.cell(at.x, at.y); c != nil {
		c.rune, c.tint = r, t
	}
}

func (g *grid) text(at spot, text string, t tint) {
	for _, r := range text {
		g.put(at, r, t)
		at.x++
	}
}

// free says that n cells and one on either side have nothing in them.
func (g *grid) free(at spot, n int) bool {
	if at.x < 0 || at.x+n > g.width {
		return false
	}
	for x := at.x - 1; x <= at.x+n; x++ {
		if c := g.cell(x, at.y); c != nil && (c.rune != 0 || c.sides != [4]stroke{}) {
			return false
		}
	}
	return true
}

// draw joins a cell to its neighbours on the given sides.
func (g *grid) draw(at spot, sides []int, p pen) {
	c := g.cell(at.x, at.y)
	if c == nil {
		return
	}
	for _, side := range sides {
		c.sides[side] = max(c.sides[side], p.stroke)
		c.nets[side%2] = p.net
	}
	if c.rune == 0 && (p.tint != normal || c.tint == dim) {
		c.tint = p.tint
	}
}

// String is the picture, without blanks at the ends of its lines.
func (g *grid) String(colour bool) string {
	var b strings.Builder
	for _, row := range g.rows {
		last := len(row)
		for last > 0 && row[last-1].rune == 0 && row[last-1].sides == [4]stroke{} {
			last--
		}
		now := normal
		for i := range row[:last] {
			if colour && row[i].tint != now {
				now = row[i].tint
				b.WriteString(now.escape())
			}
			b.WriteRune(g.show(&row[i]))
		}
		if now != normal {
			b.WriteString(normal.escape())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// escape is what makes a terminal use a colour.
func (t tint) escape() string {
	switch t {
	case normal:
		return "\x1b[0m"
	case dim:
		return "\x1b[0;2m"
	case alarm:
		return "\x1b[0;1;31m"
	case strong:
		return "\x1b[0;1m"
	}
	cuts := [...]string{"36", "35", "33", "34"}
	return "\x1b[0;" + cuts[int(t-cutTint)%len(cuts)] + "m"
}

// show is the character of a cell.
func (g *grid) show(c *cell) rune {
	if c.rune != 0 {
		return c.rune
	}
	mask := 0
	for side, st := range c.sides {
		if st != blank {
			mask |= 1 << side
		}
	}
	if mask == 0 {
		return ' '
	}
	upright := max(c.sides[north], c.sides[south])
	level := max(c.sides[east], c.sides[west])
	if mask == 15 && (c.nets[0] != c.nets[1] || upright != level) {
		return g.crossing(upright, level)
	}
	return g.box(max(upright, level), mask)
}

// crossing is where two lines cross that are not joined: the upright one lies above. Where lanes
// are level there are characters that show both; elsewhere they would look like points of a cut.
func (g *grid) crossing(upright, level stroke) rune {
	switch {
	case !g.bars || g.ascii:
	case level == double && upright <= light:
		return '╪'
	case upright == double && level <= light:
		return '╫'
	}
	return g.box(upright, 1<<north|1<<south)
}

// box is the character that joins the sides of a mask.
func (g *grid) box(st stroke, mask int) rune {
	if !g.ascii {
		return unicodeBoxes[st][mask]
	}
	if st == double && g.bars {
		return barBoxes[mask]
	}
	return asciiBoxes[st][mask]
}

// The characters for each stroke, by the sides they join: north 1, east 2, south 4, west 8.
var (
	unicodeBoxes = [...][16]rune{
		dotted: {' ', '┊', '┄', '╰', '┊', '┊', '╭', '├', '┄', '╯', '┄', '┴', '╮', '┤', '┬', '┼'},
		light:  {' ', '│', '─', '╰', '│', '│', '╭', '├', '─', '╯', '─', '┴', '╮', '┤', '┬', '┼'},
		heavy:  {' ', '┃', '━', '┗', '┃', '┃', '┏', '┣', '━', '┛', '━', '┻', '┓', '┫', '┳', '╋'},
		double: {' ', '║', '═', '╚', '║', '║', '╔', '╠', '═', '╝', '═', '╩', '╗', '╣', '╦', '╬'},
	}
	asciiBoxes = [...][16]rune{
		dotted: {' ', ':', '.', '\'', ':', ':', '.', '+', '.', '\'', '.', '+', '.', '+', '+', '+'},
		light:  {' ', '|', '-', '\'', '|', '|', '.', '+', '-', '\'', '-', '+', '.', '+', '+', '+'},
		heavy:  {' ', '|', '-', '\'', '|', '|', '.', '+', '-', '\'', '-', '+', '.', '+', '+', '+'},
		double: {' ', '#', '=', '#', '#', '#', '#', '#', '=', '#', '=', '#', '#', '#', '#', '#'},
	}
	barBoxes = [16]rune{' ', '|', '=', '+', '|', '|', '+', '+', '=', '+', '=', '+', '+', '+', '+', '+'}
)
