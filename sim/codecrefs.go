package sim

import (
	"reflect"
	"unsafe"
)

// The codecs of pointers and maps: what may lead to one place twice, or back to where it came from.

func (cs codecs) compilePointer(c *codec) {
	elem, typ := cs.of(c.typ.Elem()), c.typ
	c.fix = func(k *copying, p unsafe.Pointer) {
		from := *(*unsafe.Pointer)(p)
		if from == nil {
			return
		}
		if to := k.met(elem, from, 0); to != nil {
			reflect.NewAt(typ, p).Elem().Set(reflect.NewAt(typ.Elem(), to))
			return
		}
		fresh := reflect.New(typ.Elem())
		k.note(seenAt{elem, from, fresh.UnsafePointer(), 0, elem.typ.Size()})
		fresh.Elem().Set(reflect.NewAt(typ.Elem(), from).Elem())
		if !elem.flat {
			elem.fix(k, fresh.UnsafePointer())
		}
		reflect.NewAt(typ, p).Elem().Set(fresh.Convert(typ))
	}
	c.hash = func(k *hashing, h uint64, p unsafe.Pointer) uint64 {
		at := *(*unsafe.Pointer)(p)
		if at == nil {
			return mix(h, k3)
		}
		if n := k.number(elem, at, 0); n > 0 {
			return mix(h, uint64(3+n))
		}
		k.seen = append(k.seen, seenAt{of: elem, from: at})
		return elem.hash(k, mix(h, 3), at)
	}
}

// met is where the copy of what lies at p is, nil if there is none yet.
func (k *copying) met(of *codec, p unsafe.Pointer, len int) unsafe.Pointer {
	for i := range k.seen {
		if s := &k.seen[i]; s.from == p && s.of == of && s.len == len {
			return s.to
		}
	}
	return nil
}

// note notes where one led to. Two references into the same memory are copied as one only if they
// are the same: others would come apart, so they are refused.
func (k *copying) note(s seenAt) {
	start := uintptr(s.from)
	for i := range k.seen {
		o := &k.seen[i]
		if at := uintptr(o.from); s.size > 0 && at < start+s.size && start < at+o.size {
			panic(&Uncopyable{s.of.typ, "that another reference leads into as well"})
		}
	}
	k.seen = append(k.seen, s)
}

// number counts from 1 what was met so far, 0 if p was not.
func (k *hashing) number(of *codec, p unsafe.Pointer, len int) int {
	for i := range k.seen {
		if s := &k.seen[i]; s.from == p && s.of == of && s.len == len {
			return 1 + i
		}
	}
	return 0
}

func (cs codecs) compileMap(c *codec) {
	key, value, typ := cs.of(c.typ.Key()), cs.of(c.typ.Elem()), c.typ
	spare := &pairs{}
	c.fix = func(k *copying, p unsafe.Pointer) {
		from := *(*unsafe.Pointer)(p)
		if from == nil {
			return
		}
		old := reflect.NewAt(typ, p).Elem()
		fresh := reflect.MakeMapWithSize(typ, old.Len())
		if to := k.met(c, from, 0); to != nil {
			old.Set(reflect.NewAt(typ, unsafe.Pointer(&to)).Elem())
			return
		}
		k.note(seenAt{c, from, fresh.UnsafePointer(), 0, 0})
		pair := spare.take(key, value)
		pair.it.Reset(old)
		for pair.next() {
			pair.fix(k)
			fresh.SetMapIndex(pair.key, pair.value)
		}
		spare.put(pair)
		old.Set(fresh)
	}
	c.hash = func(k *hashing, h uint64, p unsafe.Pointer) uint64 {
		at := *(*unsafe.Pointer)(p)
		if at == nil {
			return mix(h, k3)
		}
		if n := k.number(c, at, 0); n > 0 {
			return mix(h, uint64(3+n))
		}
		k.seen = append(k.seen, seenAt{of: c, from: at})
		met := len(k.seen)
		pair, sum, n := spare.take(key, value), uint64(0), 0
		pair.it.Reset(reflect.NewAt(typ, p).Elem())
		for ; pair.next(); n++ {
			sum += scatter(pair.hash(k)) // whatever their order
			k.seen = k.seen[:met]
		}
		spare.put(pair)
		return mix(mix(h, uint64(n)), sum)
	}
}

// pair is a pair of a map, in memory of its own.
type pair struct {
	it                 reflect.MapIter
	key, value         reflect.Value
	keyCodec, valCodec *codec
}

// pairs are those that are not in use.
type pairs []*pair

func (s *pairs) take(key, value *codec) *pair {
	if n := len(*s); n > 0 {
		p := (*s)[n-1]
		*s = (*s)[:n-1]
		return p
	}
	return &pair{key: reflect.New(key.typ).Elem(), value: reflect.New(value.typ).Elem(),
		keyCodec: key, valCodec: value}
}

func (s *pairs) put(p *pair) {
	p.it.Reset(reflect.Value{})
	*s = append(*s, p)
}

// next moves on to the next pair, if there is one.
func (p *pair) next() bool {
	if !p.it.Next() {
		return false
	}
	p.key.SetIterKey(&p.it)
	p.value.SetIterValue(&p.it)
	return true
}

func (p *pair) fix(k *copying) {
	if !p.keyCodec.flat {
		p.keyCodec.fix(k, p.key.Addr().UnsafePointer())
	}
	if !p.valCodec.flat {
		p.valCodec.fix(k, p.value.Addr().UnsafePointer())
	}
}

func (p *pair) hash(k *hashing) uint64 {
	h := p.keyCodec.hash(k, k0, p.key.Addr().UnsafePointer())
	return p.valCodec.hash(k, h, p.value.Addr().UnsafePointer())
}
