package search

import "sync"

// visited is the set of fingerprints that an exploration has seen. It is split into parts, each
// with a lock of its own and open addressing: eight bytes a place, half to three quarters filled.
// Two states with one fingerprint count as one: among n states that happens with a chance of about
// n*n/2^65, one in 3,600 for a hundred million.
type visited struct {
	parts [256]visitedPart
}

type visitedPart struct {
	sync.Mutex
	places []uint64
	size   int
	_      [24]byte // each part in a cache line of its own
}

// add says whether a fingerprint is new, and notes it.
func (v *visited) add(sum uint64) bool {
	if sum == 0 {
		sum = 1 // zero marks a free place
	}
	p := &v.parts[sum>>56]
	p.Lock()
	defer p.Unlock()
	if 4*(p.size+1) > 3*len(p.places) {
		p.grow()
	}
	at := p.place(sum)
	if p.places[at] == sum {
		return false
	}
	p.places[at] = sum
	p.size++
	return true
}

// has says whether a fingerprint has been noted.
func (v *visited) has(sum uint64) bool {
	if sum == 0 {
		sum = 1
	}
	p := &v.parts[sum>>56]
	p.Lock()
	defer p.Unlock()
	return len(p.places) > 0 && p.places[p.place(sum)] == sum
}

// place is where a fingerprint is, or would be.
func (p *visitedPart) place(sum uint64) int {
	at := int(sum) & (len(p.places) - 1)
	for p.places[at] != 0 && p.places[at] != sum {
		at = (at + 1) & (len(p.places) - 1)
	}
	return at
}

func (p *visitedPart) grow() {
	old := p.places
	p.places = make([]uint64, max(8, 2*len(old)))
	for _, sum := range old {
		if sum != 0 {
			p.places[p.place(sum)] = sum
		}
	}
}

// bytes is the memory that the set takes.
func (v *visited) bytes() int64 {
	var places int64
	for i := range v.parts {
		p := &v.parts[i]
		p.Lock()
		places += int64(len(p.places))
		p.Unlock()
	}
	return places * 8
}
