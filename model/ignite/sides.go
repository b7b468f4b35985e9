package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Log is what is on one node's disk, the oldest record first. Whoever reads one treats it as a
// value.
type Log []sim.Record

// ReadLog is the log of a disk: of a node while it runs, or of a run at its end.
func ReadLog(d sim.Disk) Log {
	l := make(Log, 0, d.Last()-d.First()+1)
	for at := d.First(); at <= d.Last(); at++ {
		l = append(l, d.At(at))
	}
	return l
}

// side is where a node's records put a transaction relative to a cut (1.10).
type side uint8

const (
	before side = iota
	after
	split // one of its data records is before, another after: no right log has that
)

var sideNames = [...]string{"BEFORE", "AFTER", "SPLIT"}

func (s side) String() string { return sideNames[s] }

// sided is a transaction with data on a node, and its side.
type sided struct {
	Tx   txID
	Side side
}

// marks are where the marks of a cut are in a log: -1 if it has none.
type marks struct{ Start, Finish int }

// complete says that both are there.
func (m marks) complete() bool { return m.Start >= 0 && m.Finish >= 0 }

// marksOf finds the marks of a cut, the first START and the last FINISH after it: in a right log
// there is one of each. A FINISH without an id is that of the nearest START before it (D7).
func (l Log) marksOf(c cutID) marks {
	m, nearest := marks{-1, -1}, cutID{}
	for at, r := range l {
		switch r := r.(type) {
		case startRecord:
			nearest = r.Cut
			if r.Cut == c && m.Start < 0 {
				m.Start = at
			}
		case finishRecord:
			if m.Start >= 0 && r.of(nearest) == c {
				m.Finish = at
			}
		}
	}
	return m
}

// of is the cut that a FINISH is of, if that of the nearest START before it is known.
func (r finishRecord) of(nearest cutID) cutID {
	if r.Cut == (cutID{}) {
		return nearest
	}
	return r.Cut
}

// cutsOf are the cuts that a log has a START of, in that order, each once.
func (l Log) cutsOf() []cutID {
	var list []cutID
	for _, r := range l {
		if s, ok := r.(startRecord); ok && !slices.Contains(list, s.Cut) {
			list = append(list, s.Cut)
		}
	}
	return list
}

// Sides gives for each transaction with data in the log its side of a cut, in the order of first
// data records: by the position of the data relative to the marks, and the sets of FINISH (1.10).
// It does so for any log; without both marks there is no answer. What a restore has undone is not
// data any more.
func (l Log) Sides(c cutID) (list []sided, ok bool) {
	m := l.marksOf(c)
	if !m.complete() {
		return nil, false
	}
	f := l[m.Finish].(finishRecord)
	included, excluded := among(f.Included), among(f.Excluded)
	at := map[txID]int{} // place in list
	for i := l.anew(m.Start); i < len(l); i++ {
		if _, ok := l[i].(restoredRecord); ok {
			break // what follows was done in another past
		}
		d, ok := l[i].(dataRecord)
		if !ok {
			continue
		}
		s := before
		if i < m.Start && excluded[d.txID] || i > m.Finish || i > m.Start && !included[d.txID] {
			s = after
		}
		j, known := at[d.txID]
		if !known {
			at[d.txID] = len(list)
			list = append(list, sided{d.txID, s})
		} else if list[j].Side != s {
			list[j].Side = split
		}
	}
	return list, true
}

// anew is where the log begins that counts at a position: after the last restore before it.
func (l Log) anew(at int) int {
	for i := at - 1; i >= 0; i-- {
		if _, ok := l[i].(restoredRecord); ok {
			return i + 1
		}
	}
	return 0
}

// among is a list as a set.
func among(list []txID) map[txID]bool {
	set := make(map[txID]bool, len(list))
	for _, t := range list {
		set[t] = true
	}
	return set
}

// parted is a transaction and the increments that its data is in, counted from 0; in a right log
// they are one.
type parted struct {
	Tx         txID
	Increments []int
}

// Increments splits the transactions of a log among the increments that cuts end, as Ignite's own
// tests read raw logs (4): at first by START, and then FINISH moves what is in its sets. The last
// increment has no end. Cuts that are not in the list are ignored; ok says that the log has both
// marks of each, in the order of the list.
func (l Log) Increments(cuts []cutID) (list []parted, ok bool) {
	p := parting{cuts: cuts, at: map[txID]int{}}
	for _, r := range l {
		switch r := r.(type) {
		case startRecord:
			p.start(r.Cut)
		case finishRecord:
			p.finish(r)
		case dataRecord:
			p.put(r.txID)
		}
	}
	return p.list, p.started == len(cuts) && p.ended == len(cuts)
}

// parting is Increments under way.
type parting struct {
	cuts           []cutID
	started, ended int // cuts whose marks were met
	open           cutID
	at             map[txID]int // place in list
	list           []parted
}

func (p *parting) start(c cutID) {
	p.open = c
	if p.started < len(p.cuts) && c == p.cuts[p.started] {
		p.started++
	}
}

func (p *parting) put(t txID) {
	j, known := p.at[t]
	if !known {
		j = len(p.list)
		p.at[t] = j
		p.list = append(p.list, parted{Tx: t})
	}
	if have := p.list[j].Increments; !slices.Contains(have, p.started) {
		p.list[j].Increments = append(have, p.started)
	}
}

// finish moves the included ones from the increment that began with START to the one that ended
// with it, the excluded ones the other way.
func (p *parting) finish(r finishRecord) {
	if p.ended >= p.started || r.of(p.open) != p.cuts[p.ended] {
		return
	}
	p.ended++
	p.move(r.Included, p.ended, p.ended-1)
	p.move(r.Excluded, p.ended-1, p.ended)
}

func (p *parting) move(txs []txID, from, to int) {
	for _, t := range txs {
		j, known := p.at[t]
		if !known {
			continue // it has no data here
		}
		have := p.list[j].Increments
		k := slices.Index(have, from)
		if k < 0 {
			continue
		}
		have = slices.Delete(have, k, k+1)
		if !slices.Contains(have, to) {
			have = append(have, to)
		}
		p.list[j].Increments = have
	}
}
