package sim_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/downset/downset/sim"
)

// The values that machines may be made of, one of each sort. Each is made anew by its function, and
// changed in one place, at every place that its changes name.

type tally int

type pairKey struct {
	a string
	b int8
}

type chain struct {
	name string
	next *chain
}

type tree struct {
	value    int
	up       *tree
	children []*tree
}

type shape interface{ area() int }

type square struct{ side int }

type cell struct{ sides []int }

type alone struct{ p *int } // an interface holds it in its own word

type padded struct { // and this one as well, since Go 1.26
	_ struct{}
	p *int
	_ [0]int
}

type wide struct{ p, q *int }

type single [1]map[string]int

func (s square) area() int  { return s.side * s.side }
func (c *cell) area() int   { return len(c.sides) }
func (a alone) area() int   { return *a.p }
func (p padded) area() int  { return *p.p }
func (w wide) area() int    { return *w.p }
func (c tally) area() int   { return int(c) }
func (s single) area() int  { return len(s[0]) }
func pointer[T any](v T) *T { return &v }

type inner struct {
	flag bool
	rows [][]string
}

type mixed struct {
	inner
	n     tally
	small [3]int8
	list  []pairKey
	index map[pairKey][]int
	any   any
	shape shape
	do    func() int
	nest  map[string]map[int]*chain
	big   [2]struct {
		m map[string]int
		s []*int
	}
	f64  float64
	f32  float32
	_    struct{}
	_    [0]*int
	text string
}

func newMixed() *mixed {
	m := &mixed{inner: inner{true, [][]string{{"a"}, nil, {}}}, n: 3, small: [3]int8{1, 2, 3},
		list: []pairKey{{"x", 1}, {"y", 2}}, index: map[pairKey][]int{{"k", 1}: {1, 2}, {"l", 2}: nil},
		any: map[string][]int{"a": {1}}, shape: &cell{[]int{1, 2}},
		nest: map[string]map[int]*chain{"p": {1: {"one", nil}}, "q": nil}, f64: 1.5, f32: 2.5, text: "t"}
	m.big[0].m, m.big[1].s = map[string]int{"z": 1}, []*int{pointer(1), nil}
	return m
}

// circle is three that lead to each other in a circle.
func circle() *chain {
	a := &chain{name: "a"}
	a.next = &chain{"b", &chain{"c", a}}
	return a
}

func newTree() *tree {
	root := &tree{value: 1}
	for i := range 3 {
		root.children = append(root.children, &tree{value: 2 + i, up: root})
	}
	return root
}

// specimen is a sort of value, and ways to change one.
type specimen struct {
	name    string
	make    func() any
	changes []func(any)
}

// of makes a specimen of typed functions.
func of[T any](name string, make func() T, changes ...func(T)) specimen {
	s := specimen{name: name, make: func() any { return make() }}
	for _, c := range changes {
		s.changes = append(s.changes, func(v any) { c(v.(T)) })
	}
	return s
}

var specimens = []specimen{
	of("a pointer to a number", func() *int { return pointer(1) }, func(p *int) { *p = 2 }),
	of("a slice", func() []int { return []int{1, 2} }, func(s []int) { s[1] = 3 }),
	of("a slice with room", func() []int { return append(make([]int, 0, 9), 1) }, func(s []int) { s[0] = 3 }),
	of("a map", func() map[string]int { return map[string]int{"a": 1} },
		func(m map[string]int) { m["a"] = 2 }, func(m map[string]int) { m["b"] = 1 }, func(m map[string]int) { delete(m, "a") }),
	of("a map of slices", func() map[string][]int { return map[string][]int{"a": {1}} },
		func(m map[string][]int) { m["a"][0] = 2 }),
	of("a map of structs with slices", func() map[int]inner { return map[int]inner{1: {true, [][]string{{"a"}}}} },
		func(m map[int]inner) { m[1].rows[0][0] = "b" }),
	of("a map with struct keys", func() map[pairKey]bool { return map[pairKey]bool{{"a", 1}: true} },
		func(m map[pairKey]bool) { m[pairKey{"a", 2}] = true }),
	of("a map with interface keys", func() map[any]any { return map[any]any{1: "a", "b": []int{1}, pairKey{"c", 1}: nil} },
		func(m map[any]any) { m["b"].([]int)[0] = 2 }, func(m map[any]any) { m[1] = "c" }),
	of("a map of maps", func() map[string]map[string]int { return map[string]map[string]int{"a": {"b": 1}} },
		func(m map[string]map[string]int) { m["a"]["b"] = 2 }),
	of("a ring", circle, func(c *chain) { c.next.next.name = "d" }),
	of("a tree with parents", newTree, func(r *tree) { r.children[2].value = 9 },
		func(r *tree) { r.children = r.children[:2] }),
	of("one pointer twice", func() []*int { p := pointer(1); return []*int{p, p} }, func(s []*int) { *s[0] = 2 }),
	of("one map twice", func() []map[string]int { m := map[string]int{"a": 1}; return []map[string]int{m, m} },
		func(s []map[string]int) { s[0]["a"] = 2 }),
	of("a map that holds itself", func() map[string]any { m := map[string]any{"n": 1}; m["me"] = m; return m },
		func(m map[string]any) { m["n"] = 2 }),
	of("an interface with a pointer", func() []shape { return []shape{&cell{[]int{1}}, square{2}, tally(3)} },
		func(s []shape) { s[0].(*cell).sides[0] = 2 }, func(s []shape) { s[1] = square{3} }),
	of("a struct that is one pointer", func() []shape { return []shape{alone{pointer(1)}} },
		func(s []shape) { *s[0].(alone).p = 2 }),
	of("a struct that is one pointer and nothing", func() []shape { return []shape{padded{p: pointer(1)}} },
		func(s []shape) { *s[0].(padded).p = 2 }),
	of("a struct of two pointers", func() []shape { return []shape{wide{pointer(1), pointer(1)}} },
		func(s []shape) { *s[0].(wide).q = 2 }),
	of("an array of one map", func() []shape { return []shape{single{{"a": 1}}} },
		func(s []shape) { s[0].(single)[0]["a"] = 2 }),
	of("a pointer to an interface", func() *any { return pointer(any([]int{1})) }, func(p *any) { (*p).([]int)[0] = 2 }),
	of("bodies", func() []sim.Body { return []sim.Body{body("a b"), nil, sim.Torn{}} },
		func(s []sim.Body) { s[1] = body("c") }, func(s []sim.Body) { s[2] = nil }),
	of("everything", newMixed,
		func(m *mixed) { m.flag = false }, func(m *mixed) { m.rows[0][0] = "b" }, func(m *mixed) { m.rows[1] = []string{} },
		func(m *mixed) { m.rows[2] = nil }, func(m *mixed) { m.n++ }, func(m *mixed) { m.small[2]-- },
		func(m *mixed) { m.list[1].b = 3 }, func(m *mixed) { m.list = m.list[:1] }, func(m *mixed) { m.index[pairKey{"k", 1}][1] = 3 },
		func(m *mixed) { m.index[pairKey{"l", 2}] = []int{} }, func(m *mixed) { m.any.(map[string][]int)["a"][0] = 2 },
		func(m *mixed) { m.any = nil }, func(m *mixed) { m.shape = square{2} }, func(m *mixed) { m.shape.(*cell).sides[0]++ },
		func(m *mixed) { m.nest["p"][1].name = "two" }, func(m *mixed) { m.nest["q"] = map[int]*chain{} },
		func(m *mixed) { m.big[0].m["z"]++ }, func(m *mixed) { *m.big[1].s[0]++ }, func(m *mixed) { m.big[1].s[1] = pointer(0) },
		func(m *mixed) { m.f64 = math.Nextafter(1.5, 2) }, func(m *mixed) { m.f32 = 0 }, func(m *mixed) { m.text = "" }),
}

func TestACopyEqualsItsOriginalAndSharesNothingWithIt(t *testing.T) {
	for _, s := range specimens {
		t.Run(s.name, func(t *testing.T) { s.check(t, sim.NewCoder()) })
	}
}

// check changes copies of a value, and then the value, in every way.
func (s specimen) check(t *testing.T, c sim.Coder) {
	original := s.make()
	before := c.Hash(original)
	if got := c.Hash(s.make()); got != before {
		t.Fatalf("made twice it hashes to %x and %x", before, got)
	}
	for i, change := range s.changes {
		copied := c.Copy(c.Copy(original))
		if got := c.Hash(copied); got != before || !alike(original, copied) {
			t.Fatalf("the copy is %+v and hashes to %x, want %+v and %x", copied, got, original, before)
		}
		change(copied)
		after := c.Hash(copied)
		if after == before {
			t.Errorf("change %d does not show in the hash", i)
		}
		if got := c.Hash(original); got != before || !alike(original, s.make()) {
			t.Errorf("change %d of the copy changed the original to %+v", i, original)
		}
		again := c.Copy(original)
		change(original)
		if got := c.Hash(original); got != after {
			t.Errorf("change %d makes %x of the copy and %x of the original", i, after, got)
		}
		if got := c.Hash(again); got != before || !alike(again, s.make()) {
			t.Errorf("change %d of the original changed its copy to %+v", i, again)
		}
		original = again
	}
}

// alike says that two values are equal all through, but for functions, which never are.
func alike(a, b any) bool {
	if m, ok := a.(*mixed); ok {
		x, y := *m, *b.(*mixed)
		if (x.do == nil) != (y.do == nil) {
			return false
		}
		x.do, y.do = nil, nil
		a, b = x, y
	}
	return reflect.DeepEqual(a, b)
}

func TestDifferentValuesHaveDifferentHashes(t *testing.T) {
	c, seen := sim.NewCoder(), map[uint64]string{}
	see := func(name string, v any) {
		h := c.Hash(v)
		if was := seen[h]; was != "" {
			t.Errorf("%s and %s both hash to %x", was, name, h)
		}
		seen[h] = name
	}
	for _, s := range specimens {
		see(s.name, s.make())
		for i, change := range s.changes {
			v := s.make()
			change(v)
			see(fmt.Sprintf("%s after change %d", s.name, i), v)
		}
	}
	shared, twin := pointer(7), []*int{pointer(7), pointer(7)}
	for _, x := range []struct {
		name  string
		value any
	}{
		{"no slice", []string(nil)}, {"an empty slice", []string{}}, {"a slice of nothing", []string{""}},
		{"no map", map[int]int(nil)}, {"an empty map", map[int]int{}}, {"a map of zeros", map[int]int{0: 0}},
		{"a map turned round", map[int]int{0: 1, 1: 0}}, {"a map as it is", map[int]int{0: 0, 1: 1}},
		{"two short texts", []string{"ab", "c"}}, {"two other texts", []string{"a", "bc"}},
		{"slices in slices", [][]int{{1}, {2, 3}}}, {"otherwise parted", [][]int{{1, 2}, {3}}},
		{"no value", nil}, {"a nil pointer", (*int)(nil)}, {"another nil pointer", (*string)(nil)},
		{"an int", 1}, {"a tally", tally(1)}, {"an int64", int64(1)}, {"true", true},
		{"a ring of three", []*chain{circle()}}, {"a ring of two", []*chain{circleOf(2)}}, {"a ring of one", []*chain{circleOf(1)}},
		{"one shared", []*int{shared, shared}}, {"two alike", twin},
		{"nothing of one type", struct{}{}}, {"nothing of another", [0]int{}},
	} {
		see(x.name, x.value)
	}
}

// circleOf is a ring of so many that are called alike.
func circleOf(n int) *chain {
	first := &chain{name: "r"}
	last := first
	for range n - 1 {
		last.next = &chain{name: "r"}
		last = last.next
	}
	last.next = first
	return first
}

func TestWhatLeadsToOnePlaceLeadsToOnePlaceInTheCopy(t *testing.T) {
	c := sim.NewCoder()
	p, m := pointer(1), map[string]int{"a": 1}
	pointers := c.Copy([]any{p, []*int{p}, alone{p}, map[string]*int{"p": p}}).([]any)
	*pointers[0].(*int) = 2
	for i, got := range []int{*pointers[1].([]*int)[0], *pointers[2].(alone).p, *pointers[3].(map[string]*int)["p"], *p + 1} {
		if got != 2 {
			t.Errorf("place %d holds %d, want 2, which was put behind another pointer to it", i, got)
		}
	}
	maps := c.Copy([]map[string]int{m, m}).([]map[string]int)
	maps[0]["a"] = 2
	if got := maps[1]["a"]; got != 2 || m["a"] != 1 {
		t.Errorf("the map is %d from another place and %d in the original, want 2 and 1", got, m["a"])
	}
	r := c.Copy(circle()).(*chain)
	if r.next.next.next != r {
		t.Error("the copy of a ring of three is no ring of three")
	}
	root := c.Copy(newTree()).(*tree)
	for i, child := range root.children {
		if child.up != root {
			t.Errorf("child %d of the copy has another parent", i)
		}
	}
}

// first is one whose first field has a pointer to it beside one to the whole: both are one address.
type first struct {
	value int
	rest  [6]string
}

func TestAPointerToAFirstFieldIsNoPointerToTheWhole(t *testing.T) {
	f := &first{value: 1, rest: [6]string{5: "end"}}
	for _, held := range [][]any{{&f.value, f}, {f, &f.value}} {
		if err := copied(held); err == nil {
			t.Errorf("a copy of %T and %T was made, want it refused: they would come apart", held[0],
				held[1])
		}
	}
}

func TestCopiesStandACollectorThatAlwaysRuns(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	var all sync.WaitGroup
	for worker := range 2 {
		all.Go(func() {
			c := sim.NewCoder()
			for round := range 6 {
				for _, s := range specimens {
					v := s.make()
					want := c.Hash(v)
					for range 20 {
						v = c.Copy(v)
					}
					if (round+worker)%2 == 0 {
						runtime.GC()
					}
					if got := c.Hash(v); got != want {
						t.Errorf("%s: twenty copies later it hashes to %x, want %x", s.name, got, want)
					}
				}
			}
		})
	}
	all.Wait()
}
