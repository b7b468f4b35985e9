package sim_test

import (
	"errors"
	"testing"

	"github.com/downset/downset/sim"
)

// What a copy would tear apart, or cannot see into, is refused, lest a space be called complete that
// is not.
func TestWhatCannotBeCopiedIsRefused(t *testing.T) {
	type entry [2]int
	type cursor struct {
		log []entry
		cur *entry
	}
	type slices struct{ all, head []int }
	log, all := make([]entry, 3), []int{1, 2, 3}
	field := &struct {
		n  int
		at *int
	}{}
	field.at = &field.n
	for _, c := range []struct {
		name    string
		held    any
		refused bool
	}{
		{"a function", &struct{ f func() }{func() {}}, true},
		{"no function", &struct{ f func() }{}, false},
		{"a channel", &struct{ c chan int }{}, true},
		{"a pointer into a slice", &cursor{log, &log[1]}, true},
		{"a pointer beside a slice", &cursor{log, new(entry)}, false},
		{"slices that overlap", &slices{all, all[:1]}, true},
		{"one slice twice", &slices{all, all}, false},
		{"a pointer to a field of its own", field, true},
		{"what says that it is opaque", &struct{ part any }{&sealed{}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := copied(c.held)
			if refused := err != nil; refused != c.refused {
				t.Errorf("copying %+v: got the error %v, want one: %v", c.held, err, c.refused)
			}
		})
	}
}

// sealed is a part of a machine that keeps its state to itself.
type sealed struct{ _ int }

func (*sealed) Opaque() string { return "sealed" }

// copied is why a value cannot be copied and hashed.
func copied(v any) (err error) {
	defer func() {
		if r, ok := recover().(*sim.Uncopyable); ok {
			err = errors.New(r.Error())
		}
	}()
	c := sim.NewCoder()
	c.Hash(c.Copy(v))
	return nil
}

func TestASliceThatIsHeldTwiceIsHeldTwiceInTheCopy(t *testing.T) {
	type two struct{ a, b []int }
	list := []int{1, 2, 3}
	c := sim.NewCoder()
	got := c.Copy(&two{list, list}).(*two)
	got.a[0] = 7
	if got.b[0] != 7 || list[0] != 1 {
		t.Errorf("after a write through one of two: the other has %v, the original %v; want 7 and 1",
			got.b, list)
	}
	if apart := (&two{[]int{1, 2, 3}, []int{1, 2, 3}}); c.Hash(&two{list, list}) == c.Hash(apart) {
		t.Error("one slice held twice hashes as two that are alike")
	}
}
