package sim

import "fmt"

// Disk is a node's durable memory: an append-only log of records and one snapshot that is replaced
// as a whole. The node reads at once what it wrote; a crash loses what is not durable.
type Disk struct{ node *node }

// Torn is what is read in place of a record that a crash tore.
type Torn struct{}

// Kind is "torn".
func (Torn) Kind() string { return "torn" }

// disk is the state of a Disk. Invariant: first-1 <= durable <= issued <= first-1+len(records).
type disk struct {
	records  []Record
	first    LSN // of records[0]
	durable  LSN // records up to here survive a crash
	issued   LSN // records up to here have been written as far as the world knows
	asked    LSN // a sync has been submitted up to here
	snapshot Record
	shadow   Record   // snapshot that a crash falls back to
	replaced bool     // snapshot is not durable yet
	cutAt    LSN      // where the shadow's log began, for the fallback
	durWas   LSN      // what was durable when the first Replace after a sync came
	trimmed  []Record // records dropped by a Replace that is not durable yet
	torn     bool     // the next crash tears
	failing  bool     // the next sync fails
	keep     int64    // the next crash keeps so many unsynced records; -1 is not set
}

// Append writes r and gives its LSN. It is durable after the next Sync or Flush.
func (d Disk) Append(r Record) LSN {
	n := d.node
	if n.cut {
		return n.disk.last() + 1
	}
	n.disk.records = append(n.disk.records, r)
	lsn := n.disk.last()
	n.do(effect{what: effAppend, body: r, n: int64(lsn)})
	return lsn
}

// Sync makes everything written so far durable before any later effect of this handler. With a slow
// disk the node is busy meanwhile. If it fails, the node crashes.
func (d Disk) Sync() { d.node.do(effect{what: effSync, n: int64(d.node.disk.last())}) }

// Flush asks for the same without waiting, and gives the LSN it asks for. The notice Durable follows
// when the disk has it, then Synced; or SyncFailed.
func (d Disk) Flush() LSN {
	last := d.node.disk.last()
	d.node.do(effect{what: effFlush, n: int64(last)})
	return last
}

// Replace puts snapshot in the place of all records up to upTo. It is durable with the next Sync or
// Flush; a crash before leaves the old snapshot and the records.
func (d Disk) Replace(snapshot Record, upTo LSN) {
	n := d.node
	if n.cut {
		return
	}
	if upTo < n.disk.first-1 || upTo > n.disk.last() {
		panic(fmt.Sprintf("Replace up to %d, but the disk holds %d to %d", upTo, n.disk.first, n.disk.last()))
	}
	n.disk.replace(snapshot, upTo)
	n.do(effect{what: effReplace, body: snapshot, n: int64(upTo)})
}

// Snapshot is the snapshot, nil if there is none.
func (d Disk) Snapshot() Record { return d.node.disk.snapshot }

// First is the LSN of the oldest record, Last()+1 if there is none.
func (d Disk) First() LSN { return d.node.disk.first }

// Last is the LSN of the newest record, First()-1 if there is none.
func (d Disk) Last() LSN { return d.node.disk.last() }

// Durable is the LSN up to which records survive a crash.
func (d Disk) Durable() LSN { return d.node.disk.durable }

// At is the record with LSN n, First() <= n <= Last(); Torn{} if a crash tore it.
func (d Disk) At(n LSN) Record {
	k := &d.node.disk
	if n < k.first || n > k.last() {
		panic(fmt.Sprintf("record %d, but the disk holds %d to %d", n, k.first, k.last()))
	}
	return k.records[n-k.first]
}

// Node is the node whose disk it is.
func (d Disk) Node() NodeID { return d.node.id }

func (k *disk) reset() {
	clear(k.records)
	clear(k.trimmed)
	*k = disk{records: k.records[:0], trimmed: k.trimmed[:0], first: 1, cutAt: 1, keep: -1}
}

func (k *disk) last() LSN { return k.first - 1 + LSN(len(k.records)) }

func (k *disk) replace(snapshot Record, upTo LSN) {
	if !k.replaced {
		k.shadow, k.cutAt, k.durWas, k.replaced = k.snapshot, k.first, k.durable, true
		k.trimmed = k.trimmed[:0]
	}
	gone := int(upTo - k.first + 1)
	k.trimmed = append(k.trimmed, k.records[:gone]...)
	k.records = append(k.records[:0], k.records[gone:]...)
	k.snapshot, k.first = snapshot, upTo+1
	k.durable, k.issued, k.asked = max(k.durable, upTo), max(k.issued, upTo), max(k.asked, upTo)
}

// sync makes records up to lsn, and the snapshot, durable.
func (k *disk) sync(lsn LSN) {
	k.durable = max(k.durable, min(lsn, k.last()))
	if k.replaced {
		k.replaced, k.shadow = false, nil
		clear(k.trimmed)
		k.trimmed = k.trimmed[:0]
	}
}

// crash loses what is not durable but for keep records, the last of them torn if tear. It gives the
// number of records lost.
func (k *disk) crash(keep int64, tear bool) int64 {
	was := k.last()
	if k.replaced {
		k.records = append(append([]Record(nil), k.trimmed...), k.records...)
		k.first, k.snapshot, k.shadow, k.replaced = k.cutAt, k.shadow, nil, false
		k.durable, k.trimmed = k.durWas, k.trimmed[:0]
	}
	unsynced := int64(min(k.issued, k.last()) - k.durable)
	keep = max(0, min(keep, unsynced))
	if tear && keep == 0 && unsynced > 0 {
		keep = 1
	}
	left := int(k.durable - k.first + 1 + LSN(keep))
	clear(k.records[left:])
	k.records = k.records[:left]
	if tear && keep > 0 {
		k.records[left-1] = Torn{}
	}
	k.torn, k.keep = false, -1
	k.durable = k.last() // what a crash left is on the platter
	k.issued, k.asked = k.durable, k.durable
	return int64(was - k.last())
}
