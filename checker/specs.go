package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Access is what an operation does to one register.
type Access struct {
	Key   string
	What  AccessKind
	Value string // read, written or appended; "" is what a register holds before it is written
	Old   string // of Swaps: what had to be there
	Done  bool   // of Swaps: whether it was
}

// AccessKind says what an access does.
type AccessKind uint8

// The accesses. NoAccess is an operation that no register has part in.
const (
	NoAccess AccessKind = iota
	Reads               // Value was there
	Writes              // Value is there now
	Swaps               // Value is there now if Old was, and Done says so
	Appends             // Value is at the end of what was there
)

// apply is what becomes of a register, and whether the access can be. What an open one found, or
// whether it swapped, is not known.
func (a Access) apply(held string, open bool) (ok bool, next string) {
	switch a.What {
	case Reads:
		return open || a.Value == held, held
	case Writes:
		return true, a.Value
	case Appends:
		return true, held + a.Value
	case Swaps:
		if held != a.Old {
			return open || !a.Done, held
		}
		return open || a.Done, a.Value
	case NoAccess:
		return true, held
	}
	panic(fmt.Sprintf("checker: access %d", uint8(a.What)))
}

// Registers is the object of any number of registers, each under its key: read-write registers,
// compare-and-set registers, or a store of keys and values. access reads an operation with its
// result, and says whether that is of the right type; of an open one the result is nil, and what
// access says about it does not count. Besides a search, zones can decide such an object.
func Registers(access func(op sim.Op, result sim.Body) (Access, bool)) Spec {
	return Spec{
		Init: func() any { return "" },
		Step: func(state any, op sim.Op, result sim.Body, open bool) (ok bool, next any) {
			a, _ := access(op, result)
			return a.apply(state.(string), open)
		},
		access: access,
	}
}

// Transactions is the object of any number of registers of which one operation may access several,
// at one moment and in the order given. access reads an operation as for Registers. Registers that
// no transaction joins are judged apart.
func Transactions(access func(op sim.Op, result sim.Body) ([]Access, bool)) Spec {
	read := func(op sim.Op, result sim.Body) []Access {
		list, _ := access(op, result)
		return list
	}
	return Spec{
		Init: func() any { return store(nil) },
		Step: func(state any, op sim.Op, result sim.Body, open bool) (ok bool, next any) {
			return state.(store).apply(read(op, result), open)
		},
		Equal: func(a, b any) bool { return slices.Equal(a.(store), b.(store)) },
		Hash:  func(state any) uint64 { return state.(store).hash() },
		Takes: func(op sim.Op) bool { return len(read(op, nil)) > 0 },
		Fits: func(op sim.Op, result sim.Body) bool {
			_, ok := access(op, result)
			return ok
		},
		Reads: func(op sim.Op) bool {
			return !slices.ContainsFunc(read(op, nil), func(a Access) bool { return a.What != Reads })
		},
		Keys: func(op sim.Op) []string {
			var keys []string
			for _, a := range read(op, nil) {
				keys = append(keys, a.Key)
			}
			return keys
		},
	}
}

// store is registers that have been written, by key. It is never changed.
type store []register

type register struct{ key, value string }

func (s store) find(key string) (at int, found bool) {
	return slices.BinarySearchFunc(s, key, func(r register, key string) int {
		return cmp.Compare(r.key, key)
	})
}

func (s store) apply(list []Access, open bool) (ok bool, next any) {
	ok, result := true, s
	for _, a := range list {
		at, found := result.find(a.Key)
		held := ""
		if found {
			held = result[at].value
		}
		fine, value := a.apply(held, open)
		ok = ok && fine
		if value != held {
			result = result.with(at, register{a.Key, value})
		}
	}
	return ok, result
}

// with is s with one register put in its place, or taken out where it is empty again.
func (s store) with(at int, r register) store {
	_, found := s.find(r.key)
	end := at
	if found {
		end++
	}
	if r.value == "" {
		return slices.Concat(s[:at], s[end:])
	}
	return slices.Concat(s[:at], store{r}, s[end:])
}

func (s store) hash() uint64 {
	h := uint64(len(s))
	for _, r := range s {
		h = h*fnvPrime ^ hashText(r.key)
		h = h*fnvPrime ^ hashText(r.value)
	}
	return h
}

func (s store) String() string {
	words := make([]string, len(s))
	for i, r := range s {
		words[i] = r.key + "=" + r.value
	}
	return strings.Join(words, " ")
}

const fnvPrime = 1099511628211

// hashText is FNV-1a: values are short.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}
