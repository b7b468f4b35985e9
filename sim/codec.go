package sim

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// A codec copies and hashes the values of one type. It is compiled once by reflection and then
// follows the memory of a value, so that whoever writes a protocol writes no code for either. This
// file alone reaches into memory: fields of machines are not exported. No address decides anything.
//
// A copy shares nothing with its original but what never changes: strings, and values without a
// reference in them that an interface holds. Pointers that lead to one place in the original lead
// to one place in the copy, and so do slices that are the same; what overlaps otherwise is refused,
// and so are functions.
type codec struct {
	typ  reflect.Type
	flat bool // holds no reference: a copy of its bytes is a copy
	fix  func(c *copying, p unsafe.Pointer)
	hash func(c *hashing, h uint64, p unsafe.Pointer) uint64
	name uint64 // hash of the type's name, for what an interface holds
	word bool   // an interface holds it in its own word
}

// Uncopyable is the error of a walk over machines that hold what cannot be copied: a channel, a
// function, a complex number; or, with Why, two references into the same memory that are not the
// same: a pointer to an element of a slice, two slices that overlap.
type Uncopyable struct {
	Type reflect.Type
	Why  string
}

// Opaque is a part of a machine that can be neither copied nor hashed, a library that keeps its
// state to itself. Opaque says why. A walk over such machines ends with Uncopyable, and the digest
// of a run leaves it out; what it does is in the trace.
type Opaque interface{ Opaque() string }

func (u *Uncopyable) Error() string {
	if u.Why != "" {
		return fmt.Sprintf("a machine or a message holds a %v %s, which cannot be copied", u.Type,
			u.Why)
	}
	return fmt.Sprintf("a machine or a message holds a %v, which cannot be copied", u.Type)
}

// codecs are the compiled types of one world.
type codecs map[reflect.Type]*codec

// copying is one copy under way: where pointers and maps led to so far.
type copying struct {
	codecs codecs
	seen   []seenAt
}

// seenAt is where one led to, and where the copy of it is. A pointer to the first field of a struct
// is no pointer to the struct, though both are one address.
type seenAt struct {
	of       *codec
	from, to unsafe.Pointer
	len      int     // of a slice
	size     uintptr // of what is there, 0 of a map
}

// hashing is one hash under way: where pointers and maps led to so far. What is met again hashes to
// its number, so that one place that is shared is not two places that are alike. But places that
// are first met in a pair of a map have their numbers in that pair only, for pairs have no order.
type hashing struct {
	codecs codecs
	seen   []seenAt
}

// of is the codec of a type.
func (cs codecs) of(t reflect.Type) *codec {
	if c := cs[t]; c != nil {
		return c
	}
	c := &codec{typ: t, name: hashString(k0, t.String()), word: inWord(t)}
	cs[t] = c // before its parts: types may speak of themselves
	cs.compile(c)
	return c
}

// inWord says that an interface holds a value of this type in its own word, not behind it.
func inWord(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Struct:
		return t.NumField() == 1 && inWord(t.Field(0).Type)
	case reflect.Array:
		return t.Len() == 1 && inWord(t.Elem())
	}
	return false
}

// compile fills in how a type is copied and hashed.
func (cs codecs) compile(c *codec) {
	if c.typ.Kind() != reflect.Interface && c.typ.Implements(reflect.TypeFor[Opaque]()) {
		panic(&Uncopyable{c.typ, reflect.Zero(c.typ).Interface().(Opaque).Opaque()})
	}
	switch t := c.typ; t.Kind() {
	case reflect.String:
		c.flat = true
		c.hash = func(_ *hashing, h uint64, p unsafe.Pointer) uint64 {
			return hashString(h, *(*string)(p))
		}
	case reflect.Struct:
		cs.compileStruct(c)
	case reflect.Array:
		cs.compileArray(c)
	case reflect.Slice:
		cs.compileSlice(c)
	case reflect.Interface:
		cs.compileInterface(c)
	case reflect.Pointer:
		cs.compilePointer(c)
	case reflect.Map:
		cs.compileMap(c)
	case reflect.Func:
		typ := c.typ
		c.flat = true
		c.hash = func(_ *hashing, h uint64, p unsafe.Pointer) uint64 {
			if *(*unsafe.Pointer)(p) != nil {
				panic(&Uncopyable{typ, ""}) // what it holds is not seen
			}
			return mix(h, k3)
		}
	case reflect.Chan, reflect.UnsafePointer:
		panic(&Uncopyable{t, ""})
	default:
		c.flat = true
		c.hash = plainHash(t)
	}
}

// plainHash is the hash of numbers and truth values.
func plainHash(t reflect.Type) func(*hashing, uint64, unsafe.Pointer) uint64 {
	switch t.Kind() {
	case reflect.Float32:
		return func(_ *hashing, h uint64, p unsafe.Pointer) uint64 {
			return mix(h, uint64(math.Float32bits(*(*float32)(p))))
		}
	case reflect.Complex64, reflect.Complex128:
		panic(&Uncopyable{t, ""})
	}
	switch t.Size() {
	case 1:
		return func(_ *hashing, h uint64, p unsafe.Pointer) uint64 {
			return mix(h, uint64(*(*uint8)(p)))
		}
	case 2:
		return func(_ *hashing, h uint64, p unsafe.Pointer) uint64 {
			return mix(h, uint64(*(*uint16)(p)))
		}
	case 4:
		return func(_ *hashing, h uint64, p unsafe.Pointer) uint64 {
			return mix(h, uint64(*(*uint32)(p)))
		}
	}
	return func(_ *hashing, h uint64, p unsafe.Pointer) uint64 { return mix(h, *(*uint64)(p)) }
}

// part is a field or element that has something to fix, at its place.
type part struct {
	offset uintptr
	*codec
}

func (cs codecs) compileStruct(c *codec) {
	var all, loose []part
	for i := range c.typ.NumField() {
		f := c.typ.Field(i)
		p := part{f.Offset, cs.of(f.Type)}
		if f.Type.Size() == 0 {
			continue
		}
		all = append(all, p)
		if !p.flat {
			loose = append(loose, p)
		}
	}
	c.flat = len(loose) == 0
	c.fix = func(k *copying, p unsafe.Pointer) {
		for i := range loose {
			loose[i].fix(k, unsafe.Add(p, loose[i].offset))
		}
	}
	c.hash = func(k *hashing, h uint64, p unsafe.Pointer) uint64 {
		for i := range all {
			h = all[i].hash(k, h, unsafe.Add(p, all[i].offset))
		}
		return h
	}
}

func (cs codecs) compileArray(c *codec) {
	elem, n := cs.of(c.typ.Elem()), c.typ.Len()
	c.flat = elem.flat
	c.fix = func(k *copying, p unsafe.Pointer) { elem.fixAll(k, p, n) }
	c.hash = func(k *hashing, h uint64, p unsafe.Pointer) uint64 { return elem.hashAll(k, h, p, n) }
}

func (c *codec) fixAll(k *copying, p unsafe.Pointer, n int) {
	for i := range n {
		c.fix(k, unsafe.Add(p, uintptr(i)*c.typ.Size()))
	}
}

func (c *codec) hashAll(k *hashing, h uint64, p unsafe.Pointer, n int) uint64 {
	for i := range n {
		h = c.hash(k, h, unsafe.Add(p, uintptr(i)*c.typ.Size()))
	}
	return h
}

// sliceAt is a slice as it lies in memory.
type sliceAt struct {
	data     unsafe.Pointer
	len, cap int
}

func (cs codecs) compileSlice(c *codec) {
	elem := cs.of(c.typ.Elem())
	many := reflect.SliceOf(c.typ.Elem())
	c.fix = func(k *copying, p unsafe.Pointer) {
		s := (*sliceAt)(p)
		if s.data == nil {
			return
		}
		n := s.len
		if to := k.met(c, s.data, n); to != nil && n > 0 {
			s.data, s.cap = to, n
			return
		}
		fresh := reflect.MakeSlice(many, n, n)
		k.note(seenAt{c, s.data, fresh.UnsafePointer(), n, uintptr(n) * elem.typ.Size()})
		reflect.Copy(fresh, reflect.NewAt(many, p).Elem())
		reflect.NewAt(many, p).Elem().Set(fresh)
		if !elem.flat {
			elem.fixAll(k, s.data, n)
		}
	}
	c.hash = func(k *hashing, h uint64, p unsafe.Pointer) uint64 {
		s := (*sliceAt)(p)
		if s.data == nil {
			return mix(h, k3)
		}
		if s.len > 0 {
			if n := k.number(c, s.data, s.len); n > 0 {
				return mix(h, uint64(3+n))
			}
			k.seen = append(k.seen, seenAt{of: c, from: s.data, len: s.len})
		}
		return elem.hashAll(k, mix(h, uint64(s.len)), s.data, s.len)
	}
}

// interfaceAt is an interface as it lies in memory: of what type, and the value or where it is.
type interfaceAt struct{ typ, data unsafe.Pointer }

// recent are the types that an interface type held of late, by what its values begin with.
type recent struct {
	types  [4]unsafe.Pointer
	codecs [4]*codec
	next   int
}

// held is the type and the place of what a non-nil interface holds.
func (r *recent) held(cs codecs, typ reflect.Type, p unsafe.Pointer) (*codec, unsafe.Pointer) {
	word := (*interfaceAt)(p).typ
	for i, t := range r.types {
		if t == word {
			return r.codecs[i], r.codecs[i].within(p)
		}
	}
	var t reflect.Type
	if typ.NumMethod() == 0 {
		t = reflect.TypeOf(*(*any)(p))
	} else {
		t = reflect.NewAt(typ, p).Elem().Elem().Type()
	}
	c := cs.of(t)
	r.types[r.next], r.codecs[r.next] = word, c
	r.next = (r.next + 1) % len(r.types)
	return c, c.within(p)
}

// within is where the value is that the interface at p holds.
func (c *codec) within(p unsafe.Pointer) unsafe.Pointer {
	if c.word {
		return unsafe.Pointer(&(*interfaceAt)(p).data)
	}
	return (*interfaceAt)(p).data
}

func (cs codecs) compileInterface(c *codec) {
	typ, known := c.typ, &recent{}
	c.fix = func(k *copying, p unsafe.Pointer) {
		if (*interfaceAt)(p).typ == nil {
			return
		}
		held, at := known.held(k.codecs, typ, p)
		if held.flat {
			return // nobody changes what an interface holds
		}
		fresh := reflect.New(held.typ)
		fresh.Elem().Set(reflect.NewAt(held.typ, at).Elem())
		held.fix(k, fresh.UnsafePointer())
		reflect.NewAt(typ, p).Elem().Set(fresh.Elem())
	}
	c.hash = func(k *hashing, h uint64, p unsafe.Pointer) uint64 {
		if (*interfaceAt)(p).typ == nil {
			return mix(h, k3)
		}
		held, at := known.held(k.codecs, typ, p)
		return held.hash(k, mix(h, held.name), at)
	}
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// coder copies and hashes values of any type.
type coder struct {
	copying
	hashing
	held             Machine // what is being copied or hashed
	said             Body
	machines, bodies *codec
}

func newCoder() *coder {
	cs := codecs{}
	return &coder{copying: copying{codecs: cs}, hashing: hashing{codecs: cs},
		machines: cs.of(reflect.TypeFor[Machine]()), bodies: cs.of(reflect.TypeFor[Body]())}
}

// machine is a copy of a machine that shares nothing with it.
func (c *coder) machine(m Machine) Machine {
	c.copying.seen, c.held = c.copying.seen[:0], m
	c.machines.fix(&c.copying, unsafe.Pointer(&c.held))
	m, c.held = c.held, nil
	return m
}

// body is a hash of a body and everything in it, continued from h.
func (c *coder) body(h uint64, b Body) uint64 {
	c.said, c.hashing.seen = b, c.hashing.seen[:0]
	return c.bodies.hash(&c.hashing, h, unsafe.Pointer(&c.said))
}

// state is a hash of a machine and everything in it, continued from h.
func (c *coder) state(h uint64, m Machine) uint64 {
	c.held, c.hashing.seen = m, c.hashing.seen[:0]
	h = c.machines.hash(&c.hashing, h, unsafe.Pointer(&c.held))
	c.held = nil
	return h
}
