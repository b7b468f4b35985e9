package checker

import "github.com/downset/downset/sim"

// onNode is a transaction, or a cut, on a node.
type onNode struct {
	name string
	node sim.NodeID
}

// onNodes says where each of some things first was on each node: a row of places a name, since
// most names come up on most nodes.
type onNodes struct {
	width int
	rows  map[string]int32
	at    []int32 // flat, by row and node; never yet is unseen
}

// unseen is no place.
const unseen int32 = -1

// put notes a place, unless there is one, and says so.
func (o *onNodes) put(what onNode, place int) (again bool) {
	row, known := o.rows[what.name]
	if !known {
		row = o.add(what.name)
	}
	at := &o.at[int(row)*o.width+int(what.node)]
	if *at != unseen {
		return true
	}
	*at = int32(place)
	return false
}

// newOnNodes has room for so many places.
func newOnNodes(width, room int) onNodes {
	return onNodes{width, make(map[string]int32, room/max(1, width)), make([]int32, 0, room)}
}

func (o *onNodes) add(name string) (row int32) {
	row = int32(len(o.rows))
	o.rows[name] = row
	for range o.width {
		o.at = append(o.at, unseen)
	}
	return row
}

// find is a place that was noted.
func (o *onNodes) find(what onNode) (place int, ok bool) {
	row, known := o.rows[what.name]
	if !known || int(what.node) >= o.width {
		return 0, false
	}
	at := o.at[int(row)*o.width+int(what.node)]
	return max(0, int(at)), at != unseen
}
