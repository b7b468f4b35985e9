package spacetime

// cutLine joins the points of a cut on neighbouring lanes.
func (c *column) cutLine(i int) {
	points := c.cuts[i].points
	p := pen{double, 1000 + i, cutTint + tint(i%4)}
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
		c.drawPath(c.bend(at, c.at(points[lane+1]), p), p)
	}
}

// bend is the way from one spot to another that turns in the column where it costs least, near the
// lane that it leads to.
func (c *column) bend(from, to spot, p pen) []joint {
	way := sign(to.x - from.x)
	if from.y == to.y {
		return path(from, to)
	}
	low, high := min(from.x+way, to.x-2*way), max(from.x+way, to.x-2*way)
	var ways [][]joint
	for _, x := range outwards(low, high, to.x-way*c.pitch/2) {
		if (x-c.left)%c.pitch != 0 {
			ways = append(ways, path(from, spot{x, from.y}, spot{x, to.y}, to))
		}
	}
	if len(ways) == 0 {
		return path(from, spot{from.x + way, from.y}, spot{from.x + way, to.y}, to)
	}
	best, _ := c.cheapest(ways, p)
	return best
}

// arrow draws a message.
func (c *column) arrow(a *arrow) {
	p := pen{light, a.sent, normal}
	if a.backwards {
		p.stroke, p.tint = heavy, alarm
	}
	way := sign(a.end - a.start)
	switch {
	case a.from == none:
		c.stubIn(a, way, p)
	case a.to == none:
		c.stubOut(a, way, p)
	case a.fate == lost:
		end := spot{c.x(a.end) - 2*way, c.head + a.to}
		c.drawPath(c.bend(c.at(a.from), end, p), p)
		c.put(end, first(c.theme().lost), alarm)
	default:
		c.drawPath(c.bend(c.at(a.from), c.at(a.to), p), p)
		c.tip(c.at(a.to), way, p)
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
	if c.events[a.to].lane != a.end {
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
