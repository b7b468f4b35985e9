package ignite

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/downset/downset/sim"
)

// Encode gives the bytes of a log. A record is its letter (see glyph), the length of its fields as
// a varint, the fields, and the checksum of all of these: CRC-32 as IEEE 802.3 has it, four bytes,
// the lowest first. Numbers are varints of the least length, signed ones in zigzag; texts and lists
// have their length before them; truth is a byte, 0 or 1.
func (l Log) Encode() []byte {
	var b []byte
	for _, r := range l {
		b = appendRecord(b, r)
	}
	return b
}

func appendRecord(b []byte, r sim.Record) []byte {
	from := len(b)
	fields := fieldsOf(r)
	b = append(b, byte(letterOf(r)))
	b = binary.AppendUvarint(b, uint64(len(fields)))
	b = append(b, fields...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}

func fieldsOf(r sim.Record) []byte {
	var w writer
	switch r := r.(type) {
	case txRecord:
		w.txRecord(r)
	case dataRecord:
		w.tx(r.txID)
		w.update(r.Update)
	case startRecord:
		w.cut(r.Cut)
	case finishRecord:
		w.cut(r.Cut)
		list(&w, r.Included, (*writer).tx)
		list(&w, r.Excluded, (*writer).tx)
	case baseRecord:
		w.text(r.Name)
		list(&w, r.Data, (*writer).partition)
	case incrementRecord:
		w.cut(r.Cut)
		w.text(r.Base)
		w.number(int64(r.Index))
	case gapRecord:
		w.text(r.Part)
		w.number(r.From)
		w.number(r.To)
	case metaRecord:
		w.number(r.Version)
		w.text(r.Forbidden)
	case rebalanceRecord:
		w.partition(r.Part)
		w.node(r.From)
		w.truth(r.Full)
	case groupBaseRecord:
		list(&w, r.Groups, (*writer).text)
		list(&w, r.Data, (*writer).partition)
	case pagesRecord:
		w.partition(r.Part)
	case restoredRecord:
		w.cut(r.Cut)
		list(&w, r.Data, (*writer).partition)
	}
	return w.b
}

// writer writes the fields of a record.
type writer struct{ b []byte }

func (w *writer) length(n int)      { w.b = binary.AppendUvarint(w.b, uint64(n)) }
func (w *writer) number(n int64)    { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) node(n sim.NodeID) { w.length(int(n)) }

func (w *writer) text(s string) {
	w.length(len(s))
	w.b = append(w.b, s...)
}

func (w *writer) truth(t bool) {
	if t {
		w.b = append(w.b, 1)
		return
	}
	w.b = append(w.b, 0)
}

func list[T any](w *writer, all []T, one func(*writer, T)) {
	w.length(len(all))
	for _, x := range all {
		one(w, x)
	}
}

func (w *writer) txRecord(r txRecord) {
	w.tx(r.txID)
	if letterOfState(r.State) == 'T' {
		w.b = append(w.b, byte(r.State))
	}
	list(w, r.Shares, (*writer).share)
}

// tx has the node's number, and where the node is in a later life, that number beyond those of all
// nodes and the life.
func (w *writer) tx(t txID) {
	w.text(t.Name)
	if t.Life == 0 {
		w.node(t.Near)
		return
	}
	w.length(int(uint64(t.Near) + laterLife))
	w.number(t.Life)
}

// laterLife is what is added to the number of a node that is not a founder in its first life.
const laterLife = uint64(sim.Nobody) + 1

func (w *writer) cut(c cutID) {
	w.text(c.Name)
	w.number(c.Version)
}

func (w *writer) update(u update) {
	w.text(u.Key)
	w.text(u.Part)
	w.text(u.Value)
	w.number(u.Counter)
}

func (w *writer) share(s share) {
	w.node(s.Primary)
	list(w, s.Backups, (*writer).node)
	list(w, s.Writes, (*writer).write)
	list(w, s.Reads, (*writer).sight)
}

func (w *writer) write(x write) {
	w.text(x.Key)
	w.text(x.Value)
	w.number(x.Add)
	w.truth(x.Adds)
}

func (w *writer) sight(r sight) {
	w.text(r.Key)
	w.number(r.Counter)
}

func (w *writer) partition(p partition) {
	w.text(p.Name)
	w.text(p.Group)
	w.number(p.Counter)
	w.number(p.Reserved)
	list(w, p.Entries, (*writer).entry)
}

func (w *writer) entry(e entry) {
	w.text(e.Key)
	w.text(e.Value)
	w.number(e.Counter)
	w.tx(e.Tx)
}
