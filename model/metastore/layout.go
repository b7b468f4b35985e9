package metastore

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
//	servers A B C        who keeps the store; the other nodes are clients alone. By default the
//	                     first three nodes, or as many as there are
//	snapshot 20          a server cuts its log each time it has applied so many entries
//	window 4             so many parcels of a watch are under way before one must be acknowledged
//	batch 8              a parcel has so many events at most, but for those of one revision
//	learners             the other nodes have the store too, and no vote, and serve their clients
//	retain 200ms         the leader has what is older compacted, where revisions have a time

// serversLine names the servers.
type serversLine struct{ Names []string }

// countLine sets a number.
type countLine struct {
	Name string
	N    int64
}

// learnersLine says that the other nodes learn.
type learnersLine struct{}

// retainLine says how old what is compacted is at least.
type retainLine struct{ Span time.Duration }

func (l serversLine) String() string { return "servers " + strings.Join(l.Names, " ") }
func (learnersLine) String() string  { return "learners" }
func (l countLine) String() string   { return fmt.Sprintf("%s %d", l.Name, l.N) }
func (l retainLine) String() string  { return fmt.Sprintf("retain %v", l.Span) }

var setupWords = []string{"servers", "learners", "snapshot", "window", "batch", "retain"}

// layout is what a scenario set up, or what holds where it says nothing.
type layout struct {
	Servers                 []sim.NodeID
	Learners                []sim.NodeID
	Snapshot, Window, Batch int64
	Retain                  time.Duration
}

// parseSetup reads one of the lines above.
func parseSetup(words, nodes []string) (any, error) {
	switch rest := words[1:]; {
	case words[0] == "servers":
		return parseServers(rest, nodes)
	case words[0] == "learners":
		if len(rest) > 0 {
			return nil, fmt.Errorf("want nothing after learners, got %q", rest[0])
		}
		return learnersLine{}, nil
	case len(rest) != 1:
		return nil, fmt.Errorf("want one word after %s", words[0])
	case words[0] == "retain":
		d, err := time.ParseDuration(rest[0])
		if err != nil || d <= 0 || d > time.Hour {
			return nil, fmt.Errorf("retain wants a duration above zero, an hour at most, got %q",
				rest[0])
		}
		return retainLine{d}, nil
	default:
		n, err := strconv.ParseInt(rest[0], 10, 32)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s wants a number above zero, got %q", words[0], rest[0])
		}
		return countLine{words[0], n}, nil
	}
}

func parseServers(names, nodes []string) (any, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("servers wants nodes")
	}
	for i, name := range names {
		if !slices.Contains(nodes, name) {
			return nil, fmt.Errorf("servers wants nodes, got %q%s", name,
				sim.DidYouMean(name, nodes))
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%s is named twice", name)
		}
	}
	return serversLine{slices.Clone(names)}, nil
}

// fitSetup refuses a line that says again what another has said.
func fitSetup(values []any, _ []string) (at int, err error) {
	for i, v := range values {
		for _, w := range values[:i] {
			if sets(v) == sets(w) {
				return i, fmt.Errorf("%s is set twice", sets(v))
			}
		}
	}
	return 0, nil
}

// sets is what a line sets.
func sets(v any) string {
	switch l := v.(type) {
	case countLine:
		return l.Name
	case retainLine:
		return "retain"
	case learnersLine:
		return "learners"
	}
	return "servers"
}

// layoutOf is what the lines of a scenario come to.
func layoutOf(env *sim.Env) layout {
	l := layout{Window: 4, Batch: 8}
	l.Servers = append(l.Servers, env.Nodes[:min(3, len(env.Nodes))]...)
	learn := false
	for _, v := range env.Setup {
		switch s := v.(type) {
		case learnersLine:
			learn = true
		case serversLine:
			l.Servers = serversOf(env, s.Names)
		case retainLine:
			l.Retain = s.Span
		case countLine:
			*l.count(s.Name) = s.N
		}
	}
	for _, id := range env.Nodes {
		if learn && !slices.Contains(l.Servers, id) {
			l.Learners = append(l.Learners, id)
		}
	}
	return l
}

func (l *layout) count(name string) *int64 {
	switch name {
	case "snapshot":
		return &l.Snapshot
	case "window":
		return &l.Window
	}
	return &l.Batch
}

// serversOf are the nodes of these names, in the order of the nodes.
func serversOf(env *sim.Env, names []string) []sim.NodeID {
	var ids []sim.NodeID
	for _, id := range env.Nodes {
		if slices.Contains(names, env.Name(id)) {
			ids = append(ids, id)
		}
	}
	return ids
}
