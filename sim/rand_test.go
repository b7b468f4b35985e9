package sim

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// The vectors below are frozen: stored scenarios and golden hashes hang on every bit of them.

func TestMixIsFrozen(t *testing.T) {
	for _, c := range []struct{ a, b, want uint64 }{
		{0x0, 0x0, 0x5880a127e271c1d8}, {0x1, 0x0, 0x7f8c2ff642ca2eb7}, {0x0, 0x1, 0x397b4c43693365eb},
		{0x1, 0x2, 0xb0f0e88d7040d71e}, {0x2, 0x1, 0xf7024a3fa85b9bb2}, {0x8000000000000000, 0x1, 0x34fc8cda59958858},
		{0xffffffffffffffff, 0xffffffffffffffff, 0x5894eeb77b6e21bb}, {0x123456789abcdef0, 0x2a, 0x2528fc83056ef047},
	} {
		if got := mix(c.a, c.b); got != c.want {
			t.Errorf("mix(%#x, %#x) = %#x, want %#x", c.a, c.b, got, c.want)
		}
	}
}

func TestHashStringIsFrozen(t *testing.T) {
	for _, c := range []struct {
		s         string
		zero, one uint64 // continued from 0 and from k0
	}{
		{"", 0x1ec531001741690e, 0xa74e3da9a7d625b1}, {"a", 0x651103ce1b388c9a, 0x2c1f7a2018a283fe},
		{"b", 0x489a8460575fa469, 0x865ccaab7d8f5fbe}, {"ab", 0x2e9e52111dc2958a, 0x2f1ca93f943a809a},
		{"ba", 0x93db45f18fcc0ed1, 0xe1b27f488349995d}, {"abcdefg", 0x9271d2320722598c, 0xa91f7838fca4cc7e},
		{"abcdefgh", 0x11102efff97feb7, 0x45af3df26fab7698}, {"abcdefghi", 0xa1ad0b3036d1c56e, 0xbebd4f8bbb4ce5b4},
		{"row k", 0xba88b5d8c7e6b82, 0xc6f8d840878dfd49}, {"abcdefghabcdefgh", 0x80fafa31c07acf11, 0xf33d4c83f8f2e418},
		{"\x00", 0xa74e3da9a7d625b1, 0x1ec531001741690e}, {"\x00\x00", 0x8ebb116f52b998a8, 0xa0f7f1041af63cc3},
	} {
		if got := hashString(0, c.s); got != c.zero {
			t.Errorf("hashString(0, %q) = %#x, want %#x", c.s, got, c.zero)
		}
		if got := hashString(k0, c.s); got != c.one {
			t.Errorf("hashString(k0, %q) = %#x, want %#x", c.s, got, c.one)
		}
	}
}

func TestScatterIsFrozen(t *testing.T) {
	for _, c := range []struct{ x, want uint64 }{{0, 0xa6f32d5557a48348}, {1, 0x9a75480d4f446129}, {2, 0xb9b7b62210720b4},
		{9, 0x79276dd36f29bcf2}, {1 << 63, 0x7c957692cce5f4f9}} {
		if got := scatter(c.x); got != c.want {
			t.Errorf("scatter(%d) = %#x, want %#x", c.x, got, c.want)
		}
	}
}

func TestKeysHashAsTheirTextDoes(t *testing.T) {
	for _, c := range []struct{ keys, same []string }{
		{[]string{"a", "b"}, []string{"a b"}}, {[]string{"a", "", "b"}, []string{"a b"}}, {[]string{"a b", "c"}, []string{"a", "b c"}},
		{[]string{" a ", "b"}, []string{"a  b "}}, {nil, []string{""}}, {[]string{"", " "}, nil},
	} {
		if a, b := hashKeys(7, c.keys), hashKeys(7, c.same); a != b {
			t.Errorf("hashKeys of %q is %#x, of %q %#x, want the same", c.keys, a, c.same, b)
		}
	}
	if hashKeys(7, []string{"a", "b"}) == hashKeys(7, []string{"b", "a"}) || hashKeys(7, []string{"ab"}) == hashKeys(7, []string{"a", "b"}) {
		t.Error("hashKeys does not tell the order or the bounds of keys")
	}
}

func TestBelowIsFrozen(t *testing.T) {
	for _, c := range []struct{ h, n, want uint64 }{{0, 10, 0}, {math.MaxUint64, 10, 9}, {1 << 63, 10, 5}, {1<<63 - 1, 10, 4},
		{0x123456789abcdef0, 1000, 71}, {math.MaxUint64, 1, 0}, {math.MaxUint64, math.MaxUint64, math.MaxUint64 - 1}} {
		if got := below(c.h, c.n); got != c.want {
			t.Errorf("below(%#x, %d) = %d, want %d", c.h, c.n, got, c.want)
		}
	}
}

func TestExtraIsFrozen(t *testing.T) {
	words := []uint64{0, 1 << 62, 1 << 63, 3 << 62, math.MaxUint64, 0x123456789abcdef0}
	for _, c := range []struct {
		d    Dist
		want [6]int64
	}{
		{Dist{Constant, 5, 5}, [6]int64{}}, {Dist{Constant, 5, 9}, [6]int64{}}, {Dist{Uniform, 5, 5}, [6]int64{}},
		{Dist{Uniform, 0, 9}, [6]int64{0, 2, 5, 7, 9, 0}}, {Dist{Ranked, 0, 9}, [6]int64{0, 2, 5, 7, 9, 0}},
		{Dist{Uniform, time.Millisecond, time.Second}, [6]int64{0, 249750000, 499500000, 749250000, 999000000, 71040000}},
		{Dist{Heavy, 0, 1000}, [6]int64{0, 3, 62, 316, 999, 0}},
		{Dist{Heavy, time.Millisecond, time.Second}, [6]int64{0, 3902403, 62438452, 316094666, 998954268, 15243}},
	} {
		for i, h := range words {
			if got := c.d.extra(h); got != c.want[i] {
				t.Errorf("%v.extra(%#x) = %d, want %d", c.d, h, got, c.want[i])
			}
		}
	}
}

func TestExtraStaysWithinItsBounds(t *testing.T) {
	for _, d := range []Dist{{Uniform, 0, math.MaxInt64}, {Heavy, 0, math.MaxInt64}, {Heavy, 3, 4}, {Uniform, 3, 4}} {
		last := int64(-1)
		for h := uint64(0); h < 64; h++ {
			got := d.extra(h << 58)
			if got < last || got > int64(d.High-d.Low) {
				t.Errorf("%v.extra(%#x) = %d, after %d", d, h<<58, got, last)
			}
			last = got
		}
	}
}

func TestMulDivIsExactOrAsFarAsItGoes(t *testing.T) {
	for _, c := range []struct{ a, b, c, want int64 }{
		{7, 3, 2, 10}, {-7, 3, 2, -10}, {0, 3, 2, 0}, {math.MaxInt64, 2, 2, math.MaxInt64}, {math.MaxInt64, 3, 2, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, 1, math.MaxInt64}, {1 << 62, 1_000_000, 2_000_000, 1 << 61}, {-(1 << 62), 4, 1, -math.MaxInt64},
	} {
		if got := mulDiv(c.a, c.b, c.c); got != c.want {
			t.Errorf("mulDiv(%d, %d, %d) = %d, want %d", c.a, c.b, c.c, got, c.want)
		}
	}
}

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

// unevenness is a chi-square of how two rows of words differ, in 16 classes: about 15 if they have
// nothing to do with each other.
func unevenness(a, b []uint64, class func(x, y uint64) uint64) int {
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
			if got := unevenness(base, other, class); got > 45 {
				t.Errorf("%s, %s: chi-square %d with 15 degrees of freedom, want at most 45", name, how, got)
			}
		}
	}
}

func TestDrawsOfAWorkloadHaveNothingToDoWithEachOther(t *testing.T) {
	row := func(seed uint64, label string) []uint64 {
		out := make([]uint64, 4000)
		for i := range out {
			d := Draws{Seed: seed + 40*uint64(i)}
			out[i] = uint64(d.Int(1<<32, label)) << 32
		}
		return out
	}
	base := row(1, "node")
	for name, other := range map[string][]uint64{"the next seed": row(2, "node"), "another label": row(1, "op"), "a label of one letter more": row(1, "node1")} {
		if got := unevenness(base, other, func(x, y uint64) uint64 { return x>>62<<2 | y>>62 }); got > 45 {
			t.Errorf("%s: chi-square %d with 15 degrees of freedom, want at most 45", name, got)
		}
	}
}

func TestLettersAreWellMixed(t *testing.T) {
	for size := range 16 {
		for at := range size + 1 {
			var words, flat []uint64
			for i := range 1000 {
				label := []byte("abcdefghijklmnop")[:size+1]
				label[at] = byte('a' + i%26)
				words = append(words, hashString(scatter(uint64(i/26)), string(label)))
				flat = append(flat, 0)
			}
			if got := unevenness(flat, words, func(_, y uint64) uint64 { return below(y, 16) }); got > 45 {
				t.Errorf("%d letters that differ in letter %d: chi-square %d with 15 degrees of freedom, want at most 45", size+1, at+1, got)
			}
		}
	}
}

func TestACounterCounts(t *testing.T) {
	var c counter
	for round := range 3 {
		c.reset()
		for i := range 1000 {
			for n := range 1 + i%3 {
				if got := c.next(uint64(i) << 40); got != int32(n+1) {
					t.Fatalf("round %d: count %d of %d is %d", round, n+1, i, got)
				}
			}
		}
		for i := range 1000 {
			if got, ok := c.find(uint64(i) << 40); !ok || got != int32(1+i%3) {
				t.Fatalf("round %d: found %d %v of %d, want %d", round, got, ok, i, 1+i%3)
			}
		}
		if _, ok := c.find(1 << 20); ok {
			t.Fatalf("round %d: found what was never counted", round)
		}
	}
	c.reset()
	for i := range 1000 {
		c.put(uint64(i)<<40, int32(i))
	}
	for i := range 1000 {
		if got, ok := c.find(uint64(i) << 40); !ok || got != int32(i) {
			t.Fatalf("found %d %v of %d, which was put there as it is", got, ok, i)
		}
	}
	c.reset()
	if _, ok := c.find(0); ok {
		t.Error("found something in an empty counter")
	}
}
