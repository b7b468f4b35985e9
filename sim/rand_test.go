package sim

import (
	"fmt"
	"testing"
)

// wordsOf are the random words of many names in a world with a seed.
func wordsOf(seed uint64, n int32, what Choice) []uint64 {
	w := &World{plan: &Plan{Seed: seed}}
	w.reseed()
	out := make([]uint64, 4000)
	for i := range out {
		a := about{h: hashString(hashString(k0, "A"), fmt.Sprintf("m%d", i)), n: n}
		out[i] = w.word(what, &a)
	}
	return out
}

// uneven is a chi-square of how two rows of words differ, in 16 classes: about 15 if they have
// nothing to do with each other.
func uneven(a, b []uint64, class func(x, y uint64) uint64) int {
	var bins [16]int
	for i := range a {
		bins[class(a[i], b[i])]++
	}
	sum, want := 0, len(a)/16
	for _, n := range bins {
		sum += (n - want) * (n - want)
	}
	return sum / want
}

func TestRandomWordsHaveNothingToDoWithEachOther(t *testing.T) {
	classes := map[string]func(x, y uint64) uint64{
		"difference":      func(x, y uint64) uint64 { return (y - x) >> 60 },
		"exclusive or":    func(x, y uint64) uint64 { return (y ^ x) >> 60 },
		"leading bits":    func(x, y uint64) uint64 { return x>>62<<2 | y>>62 },
		"sum":             func(x, y uint64) uint64 { return (y + x) >> 60 },
		"the second only": func(_, y uint64) uint64 { return y >> 60 },
	}
	base := wordsOf(1, 1, Delay)
	for name, other := range map[string][]uint64{
		"seed 2": wordsOf(2, 1, Delay), "seed 3": wordsOf(3, 1, Delay), "seed 9": wordsOf(9, 1, Delay),
		"seed 17": wordsOf(17, 1, Delay), "seed 257": wordsOf(257, 1, Delay), "seed 1<<63|1": wordsOf(1<<63|1, 1, Delay),
		"the second of a name": wordsOf(1, 2, Delay), "the third": wordsOf(1, 3, Delay), "the ninth": wordsOf(1, 9, Delay),
		"loss": wordsOf(1, 1, Lost), "copy": wordsOf(1, 1, Copy), "draw": wordsOf(1, 1, Drawn),
		"the next name": append(wordsOf(1, 1, Delay)[1:], base[0]),
	} {
		for how, class := range classes {
			if got := uneven(base, other, class); got > 45 {
				t.Errorf("%s, %s: chi-square %d with 15 degrees of freedom, want at most 45", name, how, got)
			}
		}
	}
}
