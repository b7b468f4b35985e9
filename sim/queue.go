package sim

// queue is the event heap: a four-ary heap of small keys, ordered by (time, sequence); what the
// events hold stays in the slab that item.slot points into.
type queue struct{ items []item }

type item struct {
	at   Time
	seq  uint64
	slot int32
}

func (a *item) before(b *item) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func (q *queue) len() int { return len(q.items) }

func (q *queue) push(it item) {
	q.items = append(q.items, it)
	h := q.items
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) >> 2
		if !it.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = it
}

// pop takes the first item; the queue must not be empty.
func (q *queue) pop() item {
	h := q.items
	first := h[0]
	end := len(h) - 1
	it := h[end]
	h = h[:end]
	q.items = h
	if end == 0 {
		return first
	}
	i := 0
	for {
		kid := i<<2 + 1
		if kid >= end {
			break
		}
		least := kid
		for k, last := kid+1, min(kid+4, end); k < last; k++ {
			if h[k].before(&h[least]) {
				least = k
			}
		}
		if !h[least].before(&it) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = it
	return first
}
