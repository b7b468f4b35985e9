package spacetime

// divide finds the bands.
func (d *drawing) divide(room int) {
	d.bands = []int{0}
	start := 0
	for start+room < d.width {
		at, free := d.breakBefore(start+room/2, start+room)
		if !free {
			at = d.breakOpen(start, start+room)
		}
		start = at
		d.bands = append(d.bands, start)
	}
	d.bands = append(d.bands, d.width)
}

// breakBefore is the best place for a division between two places: the last that no label covers,
// if there is one.
func (d *drawing) breakBefore(low, high int) (at int, free bool) {
	for at := high; at > low; at-- {
		free := true
		for k := range d.events {
			left, right := d.room(k)
			free = free && (d.xs[k]+right <= at || d.xs[k]-left >= at)
		}
		if free {
			return at, true
		}
	}
	return high, false
}

// breakOpen makes a place for a division where labels cover all places: behind the last column
// whose labels, and those before it, end in time. What comes later moves to the right.
func (d *drawing) breakOpen(start, high int) int {
	at, next, end := high, len(d.events), start
	for k := range d.events {
		_, right := d.room(k)
		if end = max(end, d.xs[k]+right); end > high {
			break
		}
		if d.xs[k] > start && (k+1 == len(d.events) || d.xs[k+1] > d.xs[k]) {
			at, next = end, k+1
		}
	}
	shift := 0
	for k := next; k < len(d.events); k++ {
		left, _ := d.room(k)
		shift = max(shift, at-(d.xs[k]-left))
	}
	for k := next; k < len(d.events); k++ {
		d.xs[k] += shift
	}
	if next < len(d.events) {
		d.width += shift
	}
	return at
}
