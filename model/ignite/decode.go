package ignite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/downset/downset/sim"
)

// Decode reads the bytes of a log. It gives the records up to the first one that is not whole, and
// why that one is not: a crash tore it off, or its bytes are not those that were written.
func Decode(b []byte) (Log, error) {
	var l Log
	for at := 0; at < len(b); {
		r, size, err := decodeRecord(b[at:])
		if err != nil {
			return l, fmt.Errorf("record %d at byte %d: %w", len(l)+1, at, err)
		}
		l = append(l, r)
		at += size
	}
	return l, nil
}

const sumSize = 4

func decodeRecord(b []byte) (r sim.Record, size int, err error) {
	length, n := binary.Uvarint(b[1:])
	switch {
	case n == 0:
		return nil, 0, errors.New("torn within its length")
	case n < 0 || length > 1<<40 || n > 1 && b[n] == 0:
		return nil, 0, errors.New("corrupt: its length is no number of the least length")
	}
	size = 1 + n + int(length) + sumSize
	if len(b) < size {
		return nil, 0, fmt.Errorf("torn: %d of its %d bytes", len(b), size)
	}
	body := b[:size-sumSize]
	sum := binary.LittleEndian.Uint32(b[size-sumSize:])
	if got := crc32.ChecksumIEEE(body); got != sum {
		return nil, 0, fmt.Errorf("corrupt: checksum %08x, want %08x", got, sum)
	}
	f := reader{b: body[1+n:]}
	r = f.record(glyph(b[0]))
	if f.err == nil && len(f.b) > 0 {
		f.fail("%d bytes more than fields", len(f.b))
	}
	return r, size, f.err
}

// reader reads the fields of a record. After an error all are zero.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("corrupt: "+format, args...)
	}
	r.b = nil
}

func (r *reader) record(l glyph) sim.Record {
	switch l {
	case 'P':
		return r.txRecord(prepared)
	case 'C':
		return r.txRecord(committed)
	case 'R':
		return r.txRecord(rolledBack)
	case 'T':
		return r.otherTxRecord()
	case 'D':
		return dataRecord{r.tx(), r.update()}
	case 'S':
		return startRecord{r.cut()}
	case 'F':
		return finishRecord{r.cut(), all(r, (*reader).tx), all(r, (*reader).tx)}
	case 'B':
		return baseRecord{r.text(), all(r, (*reader).partition)}
	case 'I', 'J':
		return incrementRecord{r.cut(), r.text(), int(r.number()), l == 'J'}
	case 'G':
		return gapRecord{r.text(), r.number(), r.number()}
	case 'M':
		return metaRecord{r.number(), r.text()}
	case 'W':
		return rebalanceRecord{r.partition(), r.node(), r.truth()}
	case 'H':
		return groupBaseRecord{all(r, (*reader).text), all(r, (*reader).partition)}
	case 'K':
		return pagesRecord{r.partition()}
	case 'Z':
		return restoredRecord{r.cut(), all(r, (*reader).partition)}
	case '?':
		return sim.Torn{}
	}
	r.fail("no record has the letter %q", rune(l))
	return nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("a field is cut short")
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

func (r *reader) truth() bool {
	b := r.byte()
	if b > 1 {
		r.fail("truth is 0 or 1, not %d", b)
	}
	return b == 1
}

// varint takes the bytes of a number, which must be as few as possible.
func (r *reader) varint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || size > 1 && r.b[size-1] == 0 {
		r.fail("a number is cut short, or not of the least length")
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) number() int64 {
	n := r.varint()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *reader) node() sim.NodeID { return r.nodeOf(r.varint()) }

func (r *reader) nodeOf(n uint64) sim.NodeID {
	if n > uint64(sim.Nobody) {
		r.fail("no node has the number %d", n)
	}
	return sim.NodeID(n)
}

// length is that of a text or a list: no more than there are bytes.
func (r *reader) length() int {
	n := r.varint()
	if n > uint64(len(r.b)) {
		r.fail("a length of %d, with %d bytes left", n, len(r.b))
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.length()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func all[T any](r *reader, one func(*reader) T) []T {
	var list []T
	for n := r.length(); n > 0 && r.err == nil; n-- {
		list = append(list, one(r))
	}
	return list
}

func (r *reader) txRecord(s state) sim.Record {
	return txRecord{r.tx(), s, all(r, (*reader).share)}
}

func (r *reader) otherTxRecord() sim.Record {
	t, s := r.tx(), state(r.byte())
	if s > unknown || letterOfState(s) != 'T' {
		r.fail("no state of a T has the number %d", uint8(s))
		s = active
	}
	return txRecord{t, s, all(r, (*reader).share)}
}

func (r *reader) tx() txID {
	t := txID{Name: r.text()}
	n := r.varint()
	later := n >= laterLife
	if later {
		n -= laterLife
	}
	t.Near = r.nodeOf(n)
	if later {
		if t.Life = r.number(); t.Life == 0 {
			r.fail("a later life has the number 0")
		}
	}
	return t
}

func (r *reader) cut() cutID { return cutID{r.text(), r.number()} }

func (r *reader) update() update { return update{r.text(), r.text(), r.text(), r.number()} }

func (r *reader) share() share {
	return share{r.node(), all(r, (*reader).node), all(r, (*reader).write), all(r, (*reader).sight)}
}

func (r *reader) write() write { return write{r.text(), r.text(), r.number(), r.truth()} }
func (r *reader) sight() sight { return sight{r.text(), r.number()} }

func (r *reader) partition() partition {
	return partition{r.text(), r.text(), r.number(), r.number(), all(r, (*reader).entry)}
}

func (r *reader) entry() entry { return entry{r.text(), r.text(), r.number(), r.tx()} }
