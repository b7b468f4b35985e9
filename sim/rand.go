package sim

import (
	"math/bits"
	"strings"
)

// The generator and the hash are our own and frozen: stored scenarios and golden hashes depend on
// every bit of them. rand_test.go holds their golden vectors.

const (
	k0 = 0x9e3779b97f4a7c15
	k1 = 0xa0761d6478bd642f
	k2 = 0xe7037ed1a0b428db
	k3 = 0x8ebc6af09c88c6e3
)

// mix combines two words into one that depends on every bit of both, also where one factor is zero.
func mix(a, b uint64) uint64 {
	a, b = a^k1, b^k2
	hi, lo := bits.Mul64(a, b)
	return a ^ b ^ hi ^ lo
}

// scatter is a word that depends on every bit of x, however small x is.
func scatter(x uint64) uint64 { return mix(mix(mix(x, k0), k3), k0) }

// hashString is a hash of s, continued from h. Eight bytes a step; the length counts.
func hashString(h uint64, s string) uint64 {
	h ^= uint64(len(s)) * k0
	for len(s) >= 8 {
		h = mix(h, word(s))
		s = s[8:]
	}
	var last uint64
	for i := 0; i < len(s); i++ {
		last |= uint64(s[i]) << (8 * i)
	}
	return mix(mix(h, last^k3), k1) // a second round: one multiplication leaves letters half mixed
}

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// hashKeys is a hash of the words of the keys, continued from h. It is the same for keys and for
// the text that joins them by blanks.
func hashKeys(h uint64, keys []string) uint64 {
	for _, k := range keys {
		for strings.IndexByte(k, ' ') >= 0 {
			word, rest, _ := strings.Cut(k, " ")
			if k = rest; word != "" {
				h = hashString(h, word)
			}
		}
		if k != "" {
			h = hashString(h, k)
		}
	}
	return h
}

// below maps the word h to [0, n), n > 0, by its high bits.
func below(h, n uint64) uint64 {
	hi, _ := bits.Mul64(h, n)
	return hi
}

// chance says whether the word h falls within p.
func chance(h uint64, p PPM) bool { return below(h, million) < uint64(p) }
