package raft

import (
	"fmt"
	"math"
	"reflect"

	etcd "go.etcd.io/raft/v3"

	"github.com/downset/downset/sim"
)

// The library draws its election timeouts from the system's generator, and lets nobody set another.
// It is the only chance in it. So its field is ours: as long as no timeout is due it holds
// neverDue, in the tick in which one is due it holds dueNow. A library that draws anew writes a
// value that is neither, whatever it draws, and so its own moments of drawing are known; then we
// draw by name.
//
// This file alone reaches into memory. No address decides anything.
const (
	neverDue = math.MaxInt // no tick is that late
	dueNow   = 0           // any tick is
)

// timeout is the election timeout of one node of the library.
type timeout struct {
	field   *int // of the library: after how many ticks it campaigns
	elapsed *int // of the library: how many have passed
	spread  int  // how many ticks of it are drawn
	ticks   int  // the value that stands in the field's place
}

// timeoutOf finds a timeout in a node that was just made. An error says that the library is not as
// it was.
func timeoutOf(node any) (timeout, error) {
	t := timeout{ticks: neverDue, spread: electionTicks}
	var err error
	if t.field, err = fieldOf(node, "raft", "randomizedElectionTimeout"); err != nil {
		return timeout{}, err
	}
	if t.elapsed, err = fieldOf(node, "raft", "electionElapsed"); err != nil {
		return timeout{}, err
	}
	if v := *t.field; v < electionTicks || v >= 2*electionTicks || *t.elapsed != 0 {
		return timeout{}, fmt.Errorf("a new node of go.etcd.io/raft has an election timeout of %d "+
			"ticks, of which %d are over; want %d to %d, and 0", v, *t.elapsed, electionTicks,
			2*electionTicks-1)
	}
	return t, nil
}

// fieldOf is a field of the struct that another field leads to.
func fieldOf(node any, inner, name string) (*int, error) {
	v := reflect.ValueOf(node).Elem().FieldByName(inner)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%T of go.etcd.io/raft has no field %q that leads to a struct, so its "+
			"election timeout cannot be set: want v3.7.0", node, inner)
	}
	f := v.Elem().FieldByName(name)
	if f.Kind() != reflect.Int {
		return nil, fmt.Errorf("%T.%s of go.etcd.io/raft has no field %q of type int, so its election "+
			"timeout cannot be set: want v3.7.0", node, inner, name)
	}
	return (*int)(f.Addr().UnsafePointer()), nil
}

// tick lets one tick pass. Only who does not lead has patience to lose: the part of it beyond
// election is drawn when the first tick comes after the library has drawn. Where nothing is drawn,
// the name decides.
func (t *timeout) tick(env *sim.Env, node *etcd.RawNode, leads bool) {
	if leads {
		node.Tick()
		return
	}
	if *t.field != neverDue {
		part := int(env.Draw("patience", int64(t.spread))) + int(env.ID)
		t.ticks = electionTicks + part%t.spread
		*t.field = neverDue
	}
	if *t.elapsed+1 >= t.ticks {
		*t.field = dueNow
	}
	node.Tick()
	if *t.field == dueNow {
		*t.field = neverDue
	}
}
