package sim

import (
	"math/rand"
	"slices"
	"testing"
)

func TestTheHeapPopsInOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	popped := 0
	for round := range 300 {
		var q queue
		var model []item
		seq := uint64(0)
		for range 400 {
			if rng.Intn(5) < 3 {
				seq++
				it := item{Time(rng.Intn(1 + round)), seq, int32(seq)} // many at one instant
				q.push(it)
				at, _ := slices.BinarySearchFunc(model, it, order)
				model = slices.Insert(model, at, it)
			} else if len(model) > 0 {
				if got := q.pop(); got != model[0] {
					t.Fatalf("round %d: popped %v, want %v", round, got, model[0])
				}
				model = model[1:]
				popped++
			}
			if q.len() != len(model) {
				t.Fatalf("round %d: %d in the queue, want %d", round, q.len(), len(model))
			}
		}
		for _, want := range model {
			if got := q.pop(); got != want {
				t.Fatalf("round %d: popped %v, want %v", round, got, want)
			}
			popped++
		}
	}
	if popped < 30_000 {
		t.Errorf("popped %d, want more", popped)
	}
}

func order(a, b item) int {
	if a.before(&b) {
		return -1
	}
	if b.before(&a) {
		return 1
	}
	return 0
}

func TestItemsAreInOrderOfTimeThenSequence(t *testing.T) {
	for _, c := range []struct {
		a, b item
		want bool
	}{
		{item{1, 9, 0}, item{2, 1, 0}, true}, {item{2, 1, 0}, item{1, 9, 0}, false},
		{item{2, 1, 7}, item{2, 2, 0}, true}, {item{2, 2, 0}, item{2, 1, 7}, false}, {item{2, 2, 0}, item{2, 2, 1}, false},
	} {
		if got := c.a.before(&c.b); got != c.want {
			t.Errorf("%v before %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
