package ignite

import "github.com/downset/downset/sim"

// laidOpen is a message without address and cut, and what it was signed with.
func laidOpen(m sim.Message) (sim.Message, signed) {
	switch x := m.(type) {
	case signed:
		return x.Message, x
	case addressed:
		if s, ok := x.Message.(signed); ok {
			return s.Message, s
		}
		return x.Message, signed{}
	}
	return m, signed{}
}

// subject is the transaction that something is about that comes of a message. Which side a
// transaction is on comes of a cut.
func subject(b sim.Body) (txID, bool) {
	switch b := b.(type) {
	case moved:
		return b.Object.txID, true
	case made:
		return b.Object.txID, true
	case pinned:
		return b.Object.txID, true
	case tagged:
		return b.Object.txID, true
	case recovering:
		return b.Object.txID, true
	case step:
		return b.Object.txID, true
	case logPrepared:
		return b.Object.txID, true
	case txRecord:
		return b.txID, true
	case dataRecord:
		return b.txID, true
	case dpq:
		return b.txID, true
	case dpr:
		return b.txID, true
	case npq:
		return b.txID, true
	case npr:
		return b.txID, true
	case dfq:
		return b.txID, true
	case dfr:
		return b.txID, true
	case lq:
		return b.txID, true
	case lr:
		return b.txID, true
	case locked:
		return b.txID, true
	}
	return txOf(b)
}
