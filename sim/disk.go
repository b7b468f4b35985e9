package sim

import (
	"fmt"
	"slices"
)

// Disk is a node's durable memory: an append-only log of records and one snapshot that is replaced
// as a whole. The node reads at once what it wrote; a crash loses what is not durable.
type Disk struct{ node *node }

// Torn is what is read in place of a record that a crash tore.
type Torn struct{}

// Kind is "torn".
func (Torn) Kind() string { return "torn" }

// disk is the state of a Disk. Invariant: durable <= issued, durable <= first-1+len(records).
type disk struct {
	records   []Record
	first     LSN // of records[0]
	durable   LSN // records up to here survive a crash
	issued    LSN // records up to here have been written as far as the world knows
	asked     LSN // a sync has been submitted up to here
	snapshot  Record
	swaps     int64         // snapshots that the world knows of
	solid     int64         // how many of them are durable
	shadows   []shadow      // what each snapshot since replaced; a crash falls back to the first
	trimmed   []Record      // the records from the first shadow's to first
	submitted []int64       // swaps that the syncs under way cover
	spoiled   []span        // records that a failed sync dropped: a crash shows it
	torn      bool          // the next crash tears
	failing   bool          // the next sync fails
	keep      int64         // the next crash keeps so many unsynced records; -1 is not set
	by        [DiskLost]int // the lines, numbered as they acted, whose faults wait for their occasion
}

// shadow is a snapshot that was replaced, with the LSN at which its log began.
type shadow struct {
	snapshot Record
	first    LSN
}

// span is the records after low up to high.
type span struct{ low, high LSN }

// Append writes r and gives its LSN. It is durable after the next Sync or Flush.
func (d Disk) Append(r Record) LSN {
	n := d.node
	n.disk.records = append(n.disk.records, r)
	lsn := n.disk.last()
	n.do(effect{what: effAppend, body: r, n: int64(lsn)})
	return lsn
}

// Sync makes everything written so far durable before any later effect of this handler. With a slow
// disk the node is busy meanwhile. If it fails, the node crashes.
func (d Disk) Sync() { d.node.do(effect{what: effSync, n: int64(d.node.disk.last())}) }

// Flush asks for the same without waiting, and gives the LSN it asks for. The notice Durable
// follows when the disk has it, then Synced; or SyncFailed.
func (d Disk) Flush() LSN {
	last := d.node.disk.last()
	d.node.do(effect{what: effFlush, n: int64(last)})
	return last
}

// Replace puts snapshot in the place of all records up to upTo. It is durable with the next Sync or
// Flush; a crash before leaves the old snapshot and its records.
func (d Disk) Replace(snapshot Record, upTo LSN) {
	k := &d.node.disk
	if upTo < k.first-1 || upTo > k.last() {
		panic(fmt.Sprintf("Replace up to %d, but the disk holds %d to %d", upTo, k.first, k.last()))
	}
	k.replace(snapshot, upTo)
	d.node.do(effect{what: effReplace, body: snapshot, n: int64(upTo)})
}

// Snapshot is the snapshot, nil if there is none.
func (d Disk) Snapshot() Record { return d.node.disk.snapshot }

// First is the LSN of the oldest record, Last()+1 if there is none.
func (d Disk) First() LSN { return d.node.disk.first }

// Last is the LSN of the newest record, First()-1 if there is none.
func (d Disk) Last() LSN { return d.node.disk.last() }

// Durable is the LSN up to which records survive a crash. While a Replace is not durable yet, it
// may lie before First()-1.
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
	clear(k.shadows)
	clear(k.trimmed)
	*k = disk{records: k.records[:0], shadows: k.shadows[:0], trimmed: k.trimmed[:0],
		submitted: k.submitted[:0], spoiled: k.spoiled[:0], first: 1, keep: -1}
}

func (k *disk) last() LSN { return k.first - 1 + LSN(len(k.records)) }

// unsynced is how many records have been written, as far as the world knows, and are not durable.
func (k *disk) unsynced() int64 { return max(0, int64(min(k.issued, k.last())-k.durable)) }

func (k *disk) replace(snapshot Record, upTo LSN) {
	gone := int(upTo - k.first + 1)
	k.shadows = append(k.shadows, shadow{k.snapshot, k.first})
	k.trimmed = append(k.trimmed, k.records[:gone]...)
	k.records = slices.Delete(k.records, 0, gone)
	k.snapshot, k.first = snapshot, upTo+1
}

// sync makes records up to lsn durable, and the first so many snapshots.
func (k *disk) sync(lsn LSN, swaps int64) {
	swaps = max(swaps, k.solid) // a later sync may have been faster
	k.shadows = slices.Delete(k.shadows, 0, int(swaps-k.solid))
	k.solid = swaps
	base := k.first // of the log that a crash falls back to
	if len(k.shadows) > 0 {
		base = k.shadows[0].first
	}
	k.trimmed = slices.Delete(k.trimmed, 0, len(k.trimmed)-int(k.first-base))
	k.durable = max(k.durable, min(lsn, k.last()))
}

// lose is a sync that failed: what it covered is still read, until a crash.
func (k *disk) lose(low, high LSN) {
	if low < high {
		k.spoiled = append(k.spoiled, span{low, high})
	}
}

// crash loses what is not durable but for keep records, the last of them torn if tear. It gives the
// number of records lost.
func (k *disk) crash(keep int64, tear bool) int64 {
	written := min(k.issued, k.last())
	if len(k.shadows) > 0 {
		k.records = append(slices.Clone(k.trimmed), k.records...)
		k.first, k.snapshot = k.shadows[0].first, k.shadows[0].snapshot
	}
	keep = max(0, min(keep, k.unsynced()))
	if tear && keep == 0 {
		keep = min(1, k.unsynced())
	}
	end := k.durable + LSN(keep)
	k.records = slices.Delete(k.records, int(end-k.first+1), len(k.records))
	if tear && keep > 0 {
		k.records[end-k.first] = Torn{}
	}
	for _, s := range k.spoiled {
		for n := max(s.low+1, k.first); n <= min(s.high, end); n++ {
			k.records[n-k.first] = Torn{}
		}
	}
	clear(k.shadows)
	clear(k.trimmed)
	// What a crash left is on the platter.
	*k = disk{records: k.records, first: k.first, durable: end, issued: end, asked: end,
		snapshot: k.snapshot, shadows: k.shadows[:0], trimmed: k.trimmed[:0],
		submitted: k.submitted[:0], spoiled: k.spoiled[:0], keep: -1,
		by: [DiskLost]int{DiskFailing: k.by[DiskFailing]}} // it was to fail a sync, and has not
	return int64(max(0, written-end))
}
