package clocks

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/downset/downset/sim"
)

// DrawObjects is a load that asks for replicated objects alone.
func DrawObjects(d *sim.Draws) []sim.Action { return drawCRDTs(d) }

// drawCRDTs asks for edits and values of one or two types of object, of few keys and elements, so
// that they meet. Some edits come at the instant of the one before, elsewhere: neither has seen the
// other, and their stamps may be equal.
func drawCRDTs(d *sim.Draws) []sim.Action {
	all := []objectType{gCounter, pnCounter, orSet, lwwRegister, lwwRegister, mvRegister}
	types := []objectType{all[d.Int(6, "object type")]}
	if d.Int(3, "second object type?") == 0 {
		types = append(types, all[d.Int(6, "second object type")])
	}
	keys, pairs := 1+d.Int(2, "object keys"), d.Int(2, "object requests in pairs?") == 0
	var load []sim.Action
	for k := 1; k <= d.Ops; k++ {
		about := k // of two at one instant what the first is about
		if pairs {
			about = (k + 1) / 2
		}
		t := types[d.Int(int64(len(types)), "type of object request", about)]
		key := "o" + strconv.FormatInt(1+d.Int(keys, "key of object request", about), 10)
		a := ask(d, "object request", k, drawObject(d, t, key, k)...)
		switch elsewhere := d.Int(4, "object elsewhere?", k) == 0; {
		case pairs && k%2 == 0:
			before := load[k-2]
			a.Offset, a.Node = before.Offset, nodeAfter(d.Nodes, before.Node)
			a.Client = 1 + before.Client%max(d.Clients, 1)
		case elsewhere && !pairs:
			a.Words = append(a.Words, "at", d.Node("replica of object request", k))
		}
		load = append(load, a)
	}
	return load
}

// nodeAfter is the node that comes after another.
func nodeAfter(nodes []string, after string) string {
	return nodes[(slices.Index(nodes, after)+1)%len(nodes)]
}

// drawObject draws what is asked of an object.
func drawObject(d *sim.Draws, t objectType, key string, k int) []string {
	looks := int64(1)
	if t == gCounter {
		looks = 2
	}
	if d.Int(5, "look at object?", k) < looks {
		return []string{"value", t.String(), key}
	}
	n := strconv.FormatInt(1+d.Int(9, "amount", k), 10)
	element := name("abc", d.Int(3, "element", k))
	value := fmt.Sprint("v", k)
	switch odd := d.Int(5, "undo?", k) < 2; {
	case t == gCounter:
		return []string{verbGrow, key, n}
	case t == pnCounter && odd:
		return []string{verbDec, key, n}
	case t == pnCounter:
		return []string{verbInc, key, n}
	case t == orSet && odd:
		return []string{verbDel, key, element}
	case t == orSet:
		return []string{verbAdd, key, element}
	case t == lwwRegister:
		return []string{verbSet, key, value}
	}
	return []string{verbKeep, key, value}
}

// finalCRDTs asks for nothing: what replicas have of objects they have said.
func finalCRDTs([]string) []sim.Action { return nil }
