package sim

import (
	"fmt"
	"reflect"
	"slices"
)

// digestOf is a hash of a value and everything in it, continued from h. Maps are taken in the order
// of their pairs' hashes; pointers are followed, but for those that lead back to where they came
// from. Of what cannot be hashed, functions, channels and what is Opaque, only the type counts.
func digestOf(h uint64, v any) uint64 { return digestValue(h, reflect.ValueOf(v), nil) }

// digestValue is digestOf; path are the pointers and maps that led to v.
func digestValue(h uint64, v reflect.Value, path []reflect.Value) uint64 {
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
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return mix(h, v.Uint())
	case reflect.String:
		return hashString(h, v.String())
	case reflect.Interface:
		if v.IsNil() {
			return mix(h, k3)
		}
		h = hashString(h, v.Elem().Type().String())
		if v.Elem().Type().Implements(reflect.TypeFor[Opaque]()) {
			return h
		}
		return digestValue(h, v.Elem(), path)
	case reflect.Struct, reflect.Array, reflect.Slice:
		return digestMany(h, v, path)
	case reflect.Pointer, reflect.Map:
		return digestRef(h, v, path)
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return hashString(h, fmt.Sprint(v))
	}
	return hashString(h, v.Type().String())
}

// digestRef follows a pointer or a map.
func digestRef(h uint64, v reflect.Value, path []reflect.Value) uint64 {
	if v.IsNil() {
		return mix(h, k3)
	}
	for up := range path {
		if from := path[len(path)-1-up]; from.Type() == v.Type() && from.Pointer() == v.Pointer() {
			return mix(h, uint64(4+up)) // so many steps back
		}
	}
	path = append(path, v)
	if v.Kind() == reflect.Pointer {
		return digestValue(mix(h, 3), v.Elem(), path)
	}
	pairs := make([]uint64, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		k := digestValue(k0, it.Key(), path)
		pairs = append(pairs, digestValue(k, it.Value(), path))
	}
	slices.Sort(pairs)
	h = mix(h, uint64(len(pairs)))
	for _, p := range pairs {
		h = mix(h, p)
	}
	return h
}

func digestMany(h uint64, v reflect.Value, path []reflect.Value) uint64 {
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			h = digestValue(h, v.Field(i), path)
		}
		return h
	}
	h = mix(h, uint64(v.Len()))
	for i := range v.Len() {
		h = digestValue(h, v.Index(i), path)
	}
	return h
}

// digestNodes adds the machines and disks at the end of a run to the digest of its bodies.
func (w *World) digestNodes() uint64 {
	h := w.digest
	for i := range w.nodes {
		n := &w.nodes[i]
		h = mix(mix(h, uint64(n.disk.durable)), uint64(n.disk.first))
		h = mix(h, uint64(len(n.disk.records)))
		for _, r := range n.disk.records {
			h = digestOf(h, r)
		}
		h = digestOf(h, n.disk.snapshot)
		h = digestOf(h, n.machine)
	}
	return h
}
