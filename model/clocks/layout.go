package clocks

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// What a scenario sets up, each at most once, boot once a node:
//
//	max-offset 500ms     by how much a hybrid stamp may be ahead of the clock of who receives it
//	granularity 1ms      of the clocks as stamps read them
//	limit 3              how many pairs a version vector keeps, where it is pruned
//	term 50ms            for how long a lease is granted
//	boot B 3h            B's host was started so long before the run: its monotonic clock is ahead

// layout is what a scenario set up, or what holds where it says nothing.
type layout struct {
	MaxOffset   time.Duration
	Granularity time.Duration
	Limit       int
	Term        time.Duration
	Boots       []boot
}

// line is one of the scenario.
type line struct {
	Name string
	Span time.Duration
	N    int
}

// boot is the line of a node.
type boot struct {
	Node string
	Span time.Duration
}

func (s line) String() string {
	if s.Name == "limit" {
		return fmt.Sprintf("limit %d", s.N)
	}
	return fmt.Sprintf("%s %v", s.Name, s.Span)
}

func (b boot) String() string { return fmt.Sprintf("boot %s %v", b.Node, b.Span) }

var setupWords = []string{"max-offset", "granularity", "limit", "term", "boot"}

// parseSetup reads one of the lines above.
func parseSetup(words, nodes []string) (any, error) {
	switch {
	case words[0] == "boot" && len(words) == 3:
		if !slices.Contains(nodes, words[1]) {
			return nil, fmt.Errorf("boot wants a node, got %q%s", words[1],
				sim.DidYouMean(words[1], nodes))
		}
		d, err := length(words[2])
		return boot{words[1], d}, err
	case words[0] == "boot":
		return nil, fmt.Errorf("want boot NODE DURATION")
	case len(words) != 2 && words[0] == "limit":
		return nil, fmt.Errorf("want limit N")
	case len(words) != 2:
		return nil, fmt.Errorf("want %s DURATION", words[0])
	case words[0] == "limit":
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 || n > 1000 {
			return nil, fmt.Errorf("limit wants a number from 1 to 1000, got %q", words[1])
		}
		return line{Name: "limit", N: n}, nil
	}
	d, err := length(words[1])
	return line{Name: words[0], Span: d}, err
}

// fitSetup refuses a line that says again what another has said.
func fitSetup(values []any, _ []string) (at int, err error) {
	for i, v := range values {
		for _, w := range values[:i] {
			if about(v) == about(w) {
				return i, fmt.Errorf("%s is set twice", about(v))
			}
		}
	}
	return 0, nil
}

// about is what a line sets.
func about(v any) string {
	if b, ok := v.(boot); ok {
		return "boot " + b.Node
	}
	return v.(line).Name
}

// layoutOf is what the lines of a scenario come to.
func layoutOf(setup []any) layout {
	l := layout{MaxOffset: 500 * time.Millisecond, Granularity: time.Microsecond, Limit: 3,
		Term: 50 * time.Millisecond}
	for _, v := range setup {
		switch s := v.(type) {
		case boot:
			l.Boots = append(l.Boots, s)
		case line:
			switch s.Name {
			case "max-offset":
				l.MaxOffset = s.Span
			case "granularity":
				l.Granularity = s.Span
			case "limit":
				l.Limit = s.N
			case "term":
				l.Term = s.Span
			}
		}
	}
	return l
}

// monotonic is this node's monotonic clock: it counts from the start of its host.
func (n *node) monotonic(env *sim.Env) sim.Time {
	now := env.Monotonic()
	for _, b := range n.layout.Boots {
		if b.Node == n.name {
			now = now.Add(b.Span)
		}
	}
	return now
}
