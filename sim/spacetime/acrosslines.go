package spacetime

// end is where an arrow ends: at its event, in the middle of the way if it is lost, at the edge of
// the picture if it flies.
func (l *level) end(a *arrow) spot {
	half := l.y(a.end) - sign(l.y(a.end)-l.y(a.start))*((l.gap+1)/2)
	switch {
	case a.to == none:
		return spot{l.width - 1, half}
	case a.fate != lost:
		return l.at(a.to)
	case a.to == a.from:
		d := half - l.y(a.start)
		return spot{l.xs[a.to] + max(d, -d), half}
	}
	return spot{l.xs[a.to], half}
}

// arrow draws a message: slanted, with one level stretch if it takes longer.
func (l *level) arrow(i int) {
	a := &l.arrows[i]
	if a.from == none {
		l.ok = false // cannot be shown here
		l.ways = append(l.ways, nil)
		return
	}
	p := pen{light, a.sent, normal}
	if a.backwards {
		p.tint = alarm
	}
	way, cost := l.way(a)
	if cost >= costBad {
		l.far[i], l.ok = l.far[i]+2, false
	}
	l.ways = append(l.ways, way)
	l.slant(way, a.end < a.start, p)
	end := l.end(a)
	switch {
	case a.fate == lost:
		l.put(end, first(l.theme().lost), alarm)
	case a.to == none:
		p.stroke = dotted
		l.draw(end, []int{east, west}, p)
	}
}

// way is the cheapest way of an arrow over what is drawn already: each joint has the sides it
// joins, and a slanted cell both north and south.
func (l *level) way(a *arrow) (way []joint, cost int) {
	from, to := l.at(a.from), l.end(a)
	p := pen{light, a.sent, normal}
	rows := to.y - from.y
	rows = max(rows, -rows)
	var ways [][]joint
	for _, r := range outwards(1, max(rows-1, 1), (rows+1)/2) {
		y := from.y + r*sign(to.y-from.y)
		if (y-l.top)%(l.gap+1) != 0 {
			ways = append(ways, slanted(from, to, r))
		}
	}
	return l.cheapest(ways, p)
}

// slanted is a way that runs at 45 degrees, but for a level stretch in its r-th row.
func slanted(from, to spot, r int) []joint {
	down := sign(to.y - from.y)
	rows := (to.y - from.y) * down
	slack := to.x - from.x - rows
	var way []joint
	x := from.x
	for i := 1; i < rows || i == r; i++ {
		x++
		y := from.y + i*down
		if i != r || slack <= 0 {
			way = append(way, joint{spot{x, y}, [2]int{north, south}})
			continue
		}
		in, out := north, south
		if down < 0 {
			in, out = south, north
		}
		way = append(way, joint{spot{x, y}, [2]int{in, east}})
		for range slack - 1 {
			x++
			way = append(way, joint{spot{x, y}, [2]int{east, west}})
		}
		x++
		way = append(way, joint{spot{x, y}, [2]int{west, out}})
	}
	return way
}

// slant draws a way: slanted cells as characters, the others as lines.
func (l *level) slant(way []joint, rising bool, p pen) {
	stroke := l.theme().falling
	if rising {
		stroke = l.theme().rising
	}
	for _, j := range way {
		if j.sides != [2]int{north, south} {
			l.draw(j.spot, j.sides[:], p)
			continue
		}
		l.put(j.spot, stroke, p.tint)
	}
}

// cutLine joins the points of a cut on neighbouring lanes.
func (l *level) cutLine(i int) {
	p := pen{double, 1000 + i, cutTint + tint(i%4)}
	points := l.cuts[i].points
	for lane := 1; lane < len(points); lane++ {
		if points[lane-1] == none || points[lane] == none {
			continue
		}
		from, to := l.at(points[lane-1]), l.at(points[lane])
		var ways [][]joint
		for _, y := range outwards(from.y+1, to.y-1, from.y+(l.gap+1)/2) {
			ways = append(ways, path(from, spot{from.x, y}, spot{to.x, y}, to))
		}
		best, cost := l.cheapest(ways, p)
		if k := points[lane]; cost >= costBad {
			l.more[k], l.ok = l.more[k]+2, false
		}
		l.drawPath(best, p)
	}
}
