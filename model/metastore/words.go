package metastore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Keys and values may be any bytes. In a text they are words: what is not plain is written \xNN, an
// empty one is \-, and one that would be taken for a word of the language begins with its first
// byte written so.

// reserved are the words that requests are made of where a key may stand.
var reserved = [...]string{"prefix", "from", "to", "all"}

// word is a key or value as a word.
func word(s string) string {
	if s == "" {
		return `\-`
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		plain := c > ' ' && c < 0x7f && !strings.ContainsRune(`\#()"$`, rune(c)) && s != ","
		if plain && (i > 0 || !slices.Contains(reserved[:], s)) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return b.String()
}

// bare is what a word stands for.
func bare(w string) (string, error) {
	if w == `\-` || !strings.Contains(w, `\`) {
		return strings.TrimPrefix(w, `\-`), nil
	}
	var b []byte
	for len(w) > 0 {
		if w[0] != '\\' {
			b, w = append(b, w[0]), w[1:]
			continue
		}
		if len(w) < 4 || w[1] != 'x' {
			return "", fmt.Errorf(`want \xNN, got %q`, w)
		}
		n, err := strconv.ParseUint(w[2:4], 16, 8)
		if err != nil {
			return "", fmt.Errorf(`want \xNN, got %q`, w[:4])
		}
		b, w = append(b, byte(n)), w[4:]
	}
	return string(b), nil
}

// reader reads words one after the other. The first fault stays.
type reader struct {
	words []string
	err   error
}

// next is the next word, "" if there is none: then a fault, unless there is one already.
func (r *reader) next(want string) string {
	if r.err != nil {
		return ""
	}
	if len(r.words) == 0 {
		r.err = fmt.Errorf("want %s at the end", want)
		return ""
	}
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

// peek says that a word comes next.
func (r *reader) peek(w string) bool {
	return r.err == nil && len(r.words) > 0 && r.words[0] == w
}

// takes takes a word if it comes next.
func (r *reader) takes(w string) bool {
	if !r.peek(w) {
		return false
	}
	r.words = r.words[1:]
	return true
}

// wants takes a word that must come next.
func (r *reader) wants(w string) {
	if !r.takes(w) {
		r.fail("want %q, got %q", w, strings.Join(r.words, " "))
	}
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// value is the next word as a key or value.
func (r *reader) value(what string) string {
	w := r.next(what)
	s, err := bare(w)
	if err != nil {
		r.fail("%s: %w", what, err)
	}
	return s
}

// number is the next word as a number of at least low.
func (r *reader) number(what string, low int64) int64 {
	w := r.next(what)
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil || n < low {
		r.fail("want %s, a number from %d, got %q", what, low, w)
	}
	return n
}

// span is the next words as a range: "x", "a to c", "from b", "prefix p", "all".
func (r *reader) span() Range {
	switch {
	case r.takes("prefix"):
		return Prefix(r.value("a prefix"))
	case r.takes("from"):
		return Range{From: r.value("a key")}
	case r.takes("all"):
		return Range{}
	}
	from := r.value("a key")
	if r.takes("to") {
		return Range{From: from, To: r.value("a key")}
	}
	return Key(from)
}

// end is the fault, if there is one, or that there are words left.
func (r *reader) end() error {
	if r.err == nil && len(r.words) > 0 {
		return fmt.Errorf("want nothing more, got %q", strings.Join(r.words, " "))
	}
	return r.err
}
