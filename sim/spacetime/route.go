package spacetime

// What it costs a line to pass a cell that is not empty. Crossing another line costs more than a
// longer way; from costBad on, the picture would say what is not so.
const (
	costCross  = 4     // another line at a right angle
	costSlant  = 30    // a slanted line, along which a slanted one might run
	costBad    = 1000  // along another line, or turning where one is
	costHidden = 10000 // behind a character
)

// joint is a cell of a path and the sides it joins there.
type joint struct {
	spot
	sides [2]int
}

// path is the way along straight lines through some spots, without the first and the last cell,
// where the marks of events are.
func path(through ...spot) []joint {
	var cells []spot
	at := through[0]
	cells = append(cells, at)
	for _, next := range through[1:] {
		for at != next {
			at.x += sign(next.x - at.x)
			at.y += sign(next.y - at.y)
			cells = append(cells, at)
		}
	}
	var joints []joint
	for i := 1; i+1 < len(cells); i++ {
		joints = append(joints, joint{cells[i],
			[2]int{towards(cells[i], cells[i-1]), towards(cells[i], cells[i+1])}})
	}
	return joints
}

// towards is the side of a on which its neighbour b lies.
func towards(a, b spot) int {
	switch {
	case b.y < a.y:
		return north
	case b.x > a.x:
		return east
	case b.y > a.y:
		return south
	}
	return west
}

func sign(n int) int {
	return min(max(n, -1), 1)
}

// cost is what a path costs on what is drawn already.
func (g *grid) cost(way []joint, p pen) int {
	total := 0
	for i, j := range way {
		if i == 0 || i == len(way)-1 {
			total += g.costAtEnd(j, p)
			continue
		}
		total += g.costAt(j, p)
	}
	return total
}

// costAtEnd is what it costs beside a mark, where lines that meet at it may be close.
func (g *grid) costAtEnd(j joint, p pen) int {
	c := g.cell(j.x, j.y)
	turns := j.sides[0]%2 != j.sides[1]%2
	switch {
	case c == nil:
		return costHidden
	case !g.other(c, north, p):
		return 0
	case turns:
		return costBad
	}
	return costSlant // a head that hides a line
}

func (g *grid) costAt(j joint, p pen) int {
	c := g.cell(j.x, j.y)
	switch {
	case c == nil:
		return costHidden
	case c.rune != 0 && c.rune != '╲' && c.rune != '╱' && c.rune != '\\' && c.rune != '/':
		return costHidden
	case c.rune != 0:
		return costOver(j)
	}
	along, across := j.sides[0]%2, 1-j.sides[0]%2
	if j.sides[0]%2 != j.sides[1]%2 {
		if g.other(c, 0, p) || g.other(c, 1, p) {
			return costBad
		}
		return 0
	}
	switch {
	case g.other(c, along, p):
		return costBad
	case g.other(c, across, p):
		return costCross
	}
	return 0
}

// costOver is what it costs to pass a slanted line.
func costOver(j joint) int {
	switch {
	case j.sides[0]%2 != j.sides[1]%2:
		return costBad
	case j.sides[0]%2 == east:
		return costCross
	}
	return costSlant
}

// other says that a line of another net runs through a cell in a direction.
func (g *grid) other(c *cell, direction int, p pen) bool {
	return max(c.sides[direction], c.sides[direction+2]) != blank && c.nets[direction] != p.net
}

func (g *grid) drawPath(way []joint, p pen) {
	for _, j := range way {
		g.draw(j.spot, j.sides[:], p)
	}
}

// cheapest is the candidate that costs least, with the first of equals, and its cost.
func (g *grid) cheapest(ways [][]joint, p pen) (best []joint, least int) {
	for i, way := range ways {
		if c := g.cost(way, p); i == 0 || c < least {
			best, least = way, c
		}
	}
	return best, least
}

// outwards are the numbers from low to high, those nearest to the middle first.
func outwards(low, high, middle int) []int {
	var all []int
	for d := 0; d <= max(high-middle, middle-low); d++ {
		if middle-d >= low && middle-d <= high {
			all = append(all, middle-d)
		}
		if d > 0 && middle+d <= high && middle+d >= low {
			all = append(all, middle+d)
		}
	}
	return all
}
