package clocks

import (
	"encoding/binary"
	"fmt"
)

// scan reads back what is written as varints and byte strings. It refuses what would not be written
// so again: every value has one form. After a refusal all that is read is zero.
type scan struct {
	rest []byte
	err  error
}

// number reads a number that was written by binary.AppendUvarint and fits an int64.
func (s *scan) number(what string) int64 {
	n, size := binary.Uvarint(s.rest)
	if !s.varint(what, size) {
		return 0
	}
	if n > 1<<63-1 {
		s.refuse("want %s of at most 63 bits, got %d", what, n)
		return 0
	}
	return int64(n)
}

// signed reads a number that was written by binary.AppendVarint.
func (s *scan) signed(what string) int64 {
	n, size := binary.Varint(s.rest)
	if !s.varint(what, size) {
		return 0
	}
	return n
}

// varint takes a number of so many bytes off the rest, and says that it could: binary gives a size
// of 0 or less where there is none.
func (s *scan) varint(what string, size int) bool {
	switch {
	case s.err != nil:
		return false
	case size <= 0:
		s.refuse("want %s, got %d bytes that are no number", what, len(s.rest))
		return false
	case size > 1 && s.rest[size-1] == 0:
		s.refuse("want %s in its shortest form", what)
		return false
	}
	s.rest = s.rest[size:]
	return true
}

// size reads how many things follow, each of at least one byte.
func (s *scan) size(what string) int {
	n := s.number(what)
	if n > int64(len(s.rest)) {
		s.refuse("want %s, got %d, and %d bytes for them", what, n, len(s.rest))
		return 0
	}
	return int(n)
}

// word reads a byte string that has its length before it.
func (s *scan) word(what string) string {
	n := s.size("the length of " + what)
	word := string(s.rest[:n])
	s.rest = s.rest[n:]
	return word
}

// end is the error of what was read, or that something follows it.
func (s *scan) end() error {
	if s.err == nil && len(s.rest) > 0 {
		s.refuse("want no more, got %d bytes after the end", len(s.rest))
	}
	return s.err
}

// refuse remembers the first error.
func (s *scan) refuse(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
		s.rest = nil
	}
}

// appendWord writes a byte string with its length before it.
func appendWord(b []byte, word string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(word))), word...)
}
