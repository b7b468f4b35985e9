package raft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// What a scenario sets up, each at most once:
//
//	voters A B C           the founders of the group; the other nodes are spare
//	compact every 10       a node cuts its log each time it has applied so many entries
//	replace after 300ms    a leader replaces a voter that it does not hear by a spare node
//	patience spread 20ms   how much of a node's patience is drawn, beside the least that it has

// votersLine names the founders.
type votersLine struct{ Names []string }

// compactLine says how often logs are cut.
type compactLine struct{ Every int64 }

// replaceLine says how patient a leader is.
type replaceLine struct{ After time.Duration }

// patienceLine says how much longer than another a follower may wait.
type patienceLine struct{ Spread time.Duration }

func (l votersLine) String() string  { return "voters " + strings.Join(l.Names, " ") }
func (l compactLine) String() string { return fmt.Sprintf("compact every %d", l.Every) }
func (l replaceLine) String() string { return fmt.Sprintf("replace after %v", l.After) }

func (l patienceLine) String() string { return fmt.Sprintf("patience spread %v", l.Spread) }

var setupWords = []string{"voters", "compact", "replace", "patience"}

// parseSetup reads one of the lines above.
func parseSetup(words, nodes []string) (any, error) {
	switch rest := words[1:]; words[0] {
	case "voters":
		return parseVoters(rest, nodes)
	case "compact":
		if len(rest) != 2 || rest[0] != "every" {
			return nil, fmt.Errorf("want compact every N")
		}
		n, err := strconv.ParseInt(rest[1], 10, 32)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("compact wants a number above zero, got %q", rest[1])
		}
		return compactLine{n}, nil
	case "replace":
		d, err := spanOf(rest, "replace after", time.Hour)
		return replaceLine{d}, err
	default:
		d, err := spanOf(rest, "patience spread", election)
		return patienceLine{d}, err
	}
}

// spanOf reads the duration at the end of a line.
func spanOf(words []string, form string, most time.Duration) (time.Duration, error) {
	if len(words) != 2 || !strings.HasSuffix(form, " "+words[0]) {
		return 0, fmt.Errorf("want %s DURATION", form)
	}
	d, err := time.ParseDuration(words[1])
	if err != nil || d < heartbeat || d > most {
		return 0, fmt.Errorf("%s wants a duration from %v to %v, got %q", form, heartbeat, most,
			words[1])
	}
	return d, nil
}

func parseVoters(names, nodes []string) (any, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("want voters NODE [NODE...]")
	}
	for i, name := range names {
		switch {
		case !slices.Contains(nodes, name):
			return nil, fmt.Errorf("voters wants nodes, got %q%s", name, sim.DidYouMean(name, nodes))
		case slices.Contains(names[:i], name):
			return nil, fmt.Errorf("voters names %s twice", name)
		}
	}
	return votersLine{names}, nil
}

// fitSetup refuses a line that says again what another has said.
func fitSetup(values []any, _ []string) (at int, err error) {
	for i, v := range values {
		word, _, _ := strings.Cut(fmt.Sprint(v), " ")
		for _, w := range values[:i] {
			if strings.HasPrefix(fmt.Sprint(w), word+" ") {
				return i, fmt.Errorf("%s is set twice", word)
			}
		}
	}
	return 0, nil
}

// layout is what a scenario set up, or what holds where it says nothing.
type layout struct {
	Voters   []sim.NodeID
	Every    int64         // 0 is never
	Patience time.Duration // of a leader with who is silent; 0 is for ever
	Spread   time.Duration // of the patience of followers; 0 is the usual one
}

func layoutOf(env *sim.Env) layout {
	l := layout{Voters: slices.Clone(env.Nodes)}
	for _, v := range env.Setup {
		switch v := v.(type) {
		case votersLine:
			l.Voters = members{Voters: v.Names}.ids(env).Voters
		case compactLine:
			l.Every = v.Every
		case replaceLine:
			l.Patience = v.After
		case patienceLine:
			l.Spread = v.Spread
		}
	}
	return l
}
