package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Error is a mistake in a scenario: where it is and what was wanted.
type Error struct {
	File string
	Line int // 0: the file as a whole
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// mostErrors is how many mistakes of a story are said at once.
const mostErrors = 10

// together is some mistakes as one error, nil if there are none: those that are said, a line each,
// and how many more there are.
func together(all []error) error {
	if len(all) == 1 {
		return all[0]
	}
	if more := len(all) - mostErrors; more > 1 {
		all = append(slices.Clone(all[:mostErrors]), fmt.Errorf("and %d mistakes more", more))
	}
	return errors.Join(all...)
}

// didYouMean ends an error about a word that is none of those known.
func didYouMean(word string, known []string) string { return sim.DidYouMean(word, known) }

// near is didYouMean if a known word is near, for errors that list the known words anyway.
func near(word string, known []string) string {
	if hint := didYouMean(word, known); strings.HasPrefix(hint, "; did") {
		return hint
	}
	return ""
}

// listed is words as people list them: "a, b or c".
func listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
