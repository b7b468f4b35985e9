package sim

import (
	"fmt"
	"reflect"
	"slices"
)

// digestOf is a hash of a value and everything in it, continued from h. Maps are taken in the order
// of their keys' hashes; pointers are followed; functions and channels are refused.
func digestOf(h uint64, v any) uint64 { return digestValue(h, reflect.ValueOf(v), 0) }

func digestValue(h uint64, v reflect.Value, depth int) uint64 {
	if depth > 64 {
		panic("sim: state that contains itself cannot be hashed")
	}
	switch v.Kind() {
	case reflect.Invalid:
		return mix(h, k3)
	case reflect.Bool:
		if v.Bool() {
			return mix(h, 1)
		}
		return mix(h, 2)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(h, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(h, v.Uint())
	case reflect.String:
		return hashString(h, v.String())
	case reflect.Interface:
		if v.IsNil() {
			return mix(h, k3)
		}
		return digestValue(hashString(h, v.Elem().Type().String()), v.Elem(), depth+1)
	case reflect.Pointer:
		if v.IsNil() {
			return mix(h, k3)
		}
		return digestValue(mix(h, k2), v.Elem(), depth+1)
	case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
		return digestMany(h, v, depth)
	}
	panic(fmt.Sprintf("sim: state of kind %v cannot be hashed", v.Kind()))
}

func digestMany(h uint64, v reflect.Value, depth int) uint64 {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			h = digestValue(h, v.Field(i), depth+1)
		}
	case reflect.Array, reflect.Slice:
		h = mix(h, uint64(v.Len()))
		for i := range v.Len() {
			h = digestValue(h, v.Index(i), depth+1)
		}
	case reflect.Map:
		h = mix(h, uint64(v.Len()))
		pairs := make([]uint64, 0, v.Len())
		for it := v.MapRange(); it.Next(); {
			k := digestValue(k0, it.Key(), depth+1)
			pairs = append(pairs, digestValue(k, it.Value(), depth+1))
		}
		slices.Sort(pairs)
		for _, p := range pairs {
			h = mix(h, p)
		}
	}
	return h
}

// digestNodes adds the machines and disks at the end of a run to the digest of its bodies.
func (w *World) digestNodes() uint64 {
	h := w.digest
	for i := range w.nodes {
		n := &w.nodes[i]
		h = mix(h, uint64(n.disk.durable)<<1|uint64(n.disk.first)<<32)
		for _, r := range n.disk.records {
			h = digestOf(h, r)
		}
		h = digestOf(h, n.disk.snapshot)
		if n.machine != nil {
			h = digestOf(h, n.machine)
		}
	}
	return h
}
