package spacetime

// cutLine joins the points of a cut on neighbouring lanes.
func (c *column) cutLine(i int) {
	points := c.cuts[i].points
	p := pen{double, len(c.events) + i, cutTint + tint(i%4)}
	for lane, k := range points {
		if k == none {
			continue
		}
		at := c.at(k)
		if lane == 0 || points[lane-1] == none {
			c.draw(spot{at.x - 1, at.y}, []int{east, west}, p)
		}
		if lane == len(points)-1 || points[lane+1] == none {
			c.draw(spot{at.x + 1, at.y}, []int{east, west}, p)
			continue
		}
		way, _ := c.bend(at, c.at(points[lane+1]), p)
		c.drawPath(way, p)
	}
}

// bend is the way from one spot to another that turns in the column where it costs least, near the
// lane that it leads to, and what it costs.
func (c *column) bend(from, to spot, p pen) (best []joint, cost int) {
	way := sign(to.x - from.x)
	if from.y == to.y {
		best = path(from, to)
		return best, c.cost(best, p)
	}
	low, high := from.x+way, to.x-2*way
	low, high = min(low, high), max(low, high)
	var ways [][]joint
	for _, x := range outwards(low, high, to.x-way*c.pitch/2) {
		if (x-c.left)%c.pitch != 0 {
			ways = append(ways, path(from, spot{x, from.y}, spot{x, to.y}, to))
		}
	}
	if len(ways) == 0 {
		ways = append(ways, path(from, spot{from.x + way, from.y}, spot{from.x + way, to.y}, to))
	}
	return c.cheapest(ways, p)
}

// longest is how many rows an arrow takes at most. A longer one is drawn at its ends only, and
// words say what belongs together.
const longest = 24

// arrow draws a message.
func (c *column) arrow(a *arrow) {
	// What one event sends may share a line.
	p := pen{light, a.from, normal}
	if a.backwards {
		p.stroke, p.tint = heavy, alarm
	}
	way := sign(a.end - a.start)
	if a.from == none || a.to == none {
		c.stubs(a, way, p)
		return
	}
	end := spot{c.x(a.end), c.head + a.to}
	if a.fate == lost {
		end.x -= 2 * way
	}
	line, cost := c.bend(c.at(a.from), end, p)
	if cost >= costBad || a.to-a.from > longest && !a.backwards {
		c.stubs(a, way, p)
		return
	}
	c.drawPath(line, p)
	if a.fate == lost {
		c.put(end, first(c.theme().lost), alarm)
		return
	}
	c.tip(end, way, p)
}

// stubs draws those ends of an arrow that are in the picture.
func (c *column) stubs(a *arrow, way int, p pen) {
	if a.from >= 0 {
		c.stubOut(a, way, p)
	}
	if a.to >= 0 {
		c.events[a.to].apart = true
		c.stubIn(a, way, p)
	}
}

// tip puts the head of an arrow before the event it leads to.
func (c *column) tip(at spot, way int, p pen) {
	head := c.theme().right
	if way < 0 {
		head = c.theme().left
	}
	c.put(spot{at.x - way, at.y}, first(head), p.tint)
}

// stubIn is the end of an arrow whose beginning is not in the picture.
func (c *column) stubIn(a *arrow, way int, p pen) {
	if a.fate == lost {
		c.put(spot{c.x(a.end) - 2*way, c.head + a.to}, first(c.theme().lost), alarm)
		return
	}
	at := c.at(a.to)
	p.stroke = dotted
	c.draw(spot{at.x - 2*way, at.y}, []int{east, west}, p)
	c.tip(at, way, p)
}

// stubOut is the beginning of an arrow whose end is not in the picture.
func (c *column) stubOut(a *arrow, way int, p pen) {
	at := c.at(a.from)
	c.draw(spot{at.x + way, at.y}, []int{east, west}, p)
	p.stroke = dotted
	c.draw(spot{at.x + 2*way, at.y}, []int{east, west}, p)
}
