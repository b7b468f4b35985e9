package clocks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// opForm is a form of request: its word, what follows it, and how that is read. The words that
// parse gets are those after the first, as many as want has, an [at NODE] at the end split off.
type opForm struct {
	word, want string
	parse      func(words []string, at string) (sim.Op, error)
}

// opForms are the requests of all parts.
func opForms() []opForm {
	return slices.Concat(stampOps(), storeOps(), sessionOps(), crdtOps(), streamOps(),
		leaseOps(), latencyOps())
}

func opWords() []string {
	var list []string
	for _, f := range opForms() {
		list = append(list, f.word)
	}
	return list
}

// parseOp reads a request.
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want a request: %s", strings.Join(opWords(), ", "))
	}
	for _, f := range opForms() {
		if f.word == words[0] {
			return f.read(words[1:])
		}
	}
	return nil, fmt.Errorf("unknown request %q%s", words[0], sim.DidYouMean(words[0], opWords()))
}

func (f opForm) read(words []string) (sim.Op, error) {
	want, at := strings.Fields(f.want), ""
	if k := len(words) - 2; k >= 0 && words[k] == "at" && slices.Contains(want, "[at") {
		words, at = words[:k], words[k+1]
	}
	want = slices.DeleteFunc(want, func(w string) bool { return w == "[at" || w == "NODE]" })
	if len(words) != len(want) {
		return nil, fmt.Errorf("want %s", strings.TrimSpace(f.word+" "+f.want))
	}
	return f.parse(words, at)
}

// opNodes are the nodes that a request names: which other node serves it, or which it speaks to.
func opNodes(op sim.Op) []string {
	name := ""
	switch op := op.(type) {
	case say:
		name = op.To
	case put:
		name = op.At
	case get:
		name = op.At
	case mutate:
		name = op.At
	case inspect:
		name = op.At
	case lease:
		name = op.At
	case act:
		name = op.At
	case measure:
		name = op.To
	}
	if name == "" {
		return nil
	}
	return []string{name}
}

// amount reads a number from 1 to a million.
func amount(word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fmt.Errorf("want a number from 1 to 1000000, got %q", word)
	}
	return n, nil
}

// length reads a duration above zero, of at most a year.
func length(word string) (time.Duration, error) {
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 || d > 366*24*time.Hour {
		return 0, fmt.Errorf("want a duration above zero such as 50ms, a year at most, got %q",
			word)
	}
	return d, nil
}

// atText is the end of a request that another node than its own serves.
func atText(at string) string {
	if at == "" {
		return ""
	}
	return " at " + at
}
