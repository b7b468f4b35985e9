package search

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// What must stay is pulled towards the plainest value that still fails.

// weight orders plans: by their levels, then by how plain their values are.
func weight(p *sim.Plan) int64 {
	w := levelOf(p).size() << 24
	for i := range p.Chance {
		w += cost(p.Chance[i].Value)
	}
	for i := range p.Load {
		w += cost(int64(p.Load[i].Offset))
	}
	return w
}

// cost of a value: how many digits it takes to say, roughly.
func cost(v int64) int64 {
	c := int64(0)
	for unit := int64(1); v != 0 && c < 40; c++ {
		if v%(unit*10) != 0 {
			v -= v % (unit * 10)
			c++
		}
		unit *= 10
		if unit > 1e17 {
			break
		}
	}
	return c
}

// plainNetwork tries a network in which everything not told takes one millisecond, or no time.
func (s *Shrinking) plainNetwork(p *sim.Plan) *sim.Plan {
	even := *p
	even.Network.Links = nil // of a still plan: no delay but what is written
	if p.Timed {
		ms := sim.Dist{Low: time.Millisecond}
		even.Network.Links = []sim.Link{{From: "*", To: "*", Delay: ms}}
	}
	if !slices.Equal(even.Network.Links, p.Network.Links) && s.fails(&even) {
		p = &even
	}
	q := *p
	q.Network.SyncTime, q.Network.Told, q.Network.DiskSlow = sim.Dist{}, sim.Dist{}, false
	if q.Network.DiskSlow != p.Network.DiskSlow && s.fails(&q) {
		p = &q
	}
	return p
}

// plainValues pulls times of the load to the plainest, and values of exceptions likewise.
func (s *Shrinking) plainValues(p *sim.Plan) *sim.Plan {
	for i := range actions(p) {
		if actionAt(p, i).Place == sim.At {
			p = s.plainOffset(p, i)
		}
	}
	for i := range p.Chance {
		if !timed(p.Chance[i].Name.What) {
			continue
		}
		base := baseOf(p.Chance[i].Name.What)
		for _, v := range plainer(p.Chance[i].Value - base) {
			q := editable(p)
			q.Chance[i].Value = v + base
			if s.fails(q) {
				p = q
				break
			}
		}
	}
	return p
}

// baseOf is what an exception's value has on top of its duration.
func baseOf(c sim.Choice) int64 {
	if c == sim.Copy || c == sim.RestartIn {
		return 1
	}
	return 0
}

func timed(c sim.Choice) bool {
	switch c {
	case sim.Delay, sim.Copy, sim.Tardy, sim.RestartIn:
		return true
	}
	return false
}

// plainer are plainer values than v, the plainest first.
func plainer(v int64) []int64 {
	var list []int64
	for _, c := range []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond,
		10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
		100 * time.Millisecond} {
		if cost(int64(c)) < cost(v) || int64(c) < v && cost(int64(c)) <= cost(v) {
			list = append(list, int64(c))
		}
	}
	for unit := int64(time.Second); unit >= int64(time.Microsecond); unit /= 10 {
		if r := v / unit * unit; r > 0 && r != v {
			list = append(list, r, r+unit)
		}
	}
	return list
}

// plainOffset moves an action to a plainer time, without passing its neighbours.
func (s *Shrinking) plainOffset(p *sim.Plan, i int) *sim.Plan {
	low := time.Duration(0)
	if k := i - len(p.Script); k >= 0 {
		low = timeBefore(p.Load, k)
	} else {
		low = timeBefore(p.Script, i)
	}
	was := actionAt(p, i).Offset
	const ms = time.Millisecond
	try := []time.Duration{low, low + ms, low + 5*ms, low + 10*ms}
	for _, v := range plainer(int64(was)) {
		try = append(try, time.Duration(v))
	}
	for _, at := range try {
		if at < low || at >= was {
			continue
		}
		q := editable(p)
		actionAt(q, i).Offset = at
		if s.fails(q) {
			return q
		}
	}
	return p
}
