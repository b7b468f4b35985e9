package raft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// Ways in which a read is served.
const (
	throughLog   = "log"   // as a command of the log
	throughIndex = "index" // at an index that the leader vouches for, after a round of heartbeats
	throughLease = "lease" // at an index that the leader vouches for by its lease
	throughLocal = "local" // from what the node has applied
)

var ways = []string{throughLog, throughIndex, throughLease, throughLocal}

// noValue is what a client says of a key that has none.
const noValue = "empty"

// What clients ask for.
type (
	// put gives a key a value.
	put struct{ Key, Value string }
	// get reads a key.
	get struct{ Key, Via string }
	// cas gives a key a value if it has another; Old is "" if it is to have none.
	cas struct{ Key, Old, New string }
	// members changes the configuration. Only who leads takes it.
	members struct{ Voters, Learners []string }
	// transfer hands the lead over. Only who leads takes it.
	transfer struct{ To string }
	// compact puts the state of this node in the place of its log.
	compact struct{}
)

// Kind is "put".
func (put) Kind() string { return "put" }

// Kind is "get".
func (get) Kind() string { return "get" }

// Kind is "cas".
func (cas) Kind() string { return "cas" }

// Kind is "change".
func (members) Kind() string { return "change" }

// Kind is "transfer".
func (transfer) Kind() string { return "transfer" }

// Kind is "compact".
func (compact) Kind() string { return "compact" }

// Keys are key and value.
func (o put) Keys() []string { return []string{o.Key, o.Value} }

// Keys are the key and how it is read.
func (o get) Keys() []string { return []string{o.Key, o.Via} }

// Keys are the key and both values.
func (o cas) Keys() []string { return []string{o.Key, orEmpty(o.Old), o.New} }

// Keys are the nodes.
func (o members) Keys() []string { return slices.Concat(o.Voters, o.Learners) }

// Keys is the node.
func (o transfer) Keys() []string { return []string{o.To} }

// String is as a story writes it.
func (o get) String() string {
	if o.Via == throughIndex {
		return "get " + o.Key
	}
	return "get " + o.Key + " through " + o.Via
}

// String is as a story writes it.
func (o members) String() string {
	text := "members " + strings.Join(o.Voters, " ")
	if len(o.Learners) > 0 {
		text += " learns " + strings.Join(o.Learners, " ")
	}
	return text
}

// What clients get. Index is of the entry that did it or, of a read that is no entry, that of the
// last one that was applied when it was served.
type (
	wrote struct{ Index int64 }
	got   struct {
		Value string // "" if there is none
		Index int64
	}
	swapped struct {
		OK    bool
		Index int64
	}
	changed   struct{ Index int64 }
	begun     struct{}
	compacted struct{ Index int64 }
	// refused is why nothing was done, and will not be.
	refused struct{ Why string }
)

// Kind is "wrote".
func (wrote) Kind() string { return "wrote" }

// Kind is "got".
func (got) Kind() string { return "got" }

// Kind is "swapped".
func (swapped) Kind() string { return "swapped" }

// Kind is "changed".
func (changed) Kind() string { return "changed" }

// Kind is "begun".
func (begun) Kind() string { return "begun" }

// Kind is "compacted".
func (compacted) Kind() string { return "compacted" }

// Kind is "refused".
func (refused) Kind() string { return "refused" }

// Keys is the value.
func (r got) Keys() []string { return []string{orEmpty(r.Value)} }

// String is the value, and where it was read.
func (r got) String() string { return orEmpty(r.Value) + place(r.Index) }

// String says whether it was done, and where.
func (r swapped) String() string {
	if r.OK {
		return "swapped" + place(r.Index)
	}
	return "not swapped" + place(r.Index)
}

// String says where it was done.
func (r wrote) String() string { return "wrote" + place(r.Index) }

// String is the reason.
func (r refused) String() string { return "refused: " + r.Why }

func place(index int64) string { return " at " + strconv.FormatInt(index, 10) }

// orEmpty is a value for people.
func orEmpty(value string) string {
	if value == "" {
		return noValue
	}
	return value
}

// opWords are the words that requests begin with.
var opWords = []string{"put", "get", "cas", "members", "transfer", "compact"}

// parseOp reads a request.
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want a request: %s", strings.Join(opWords, ", "))
	}
	rest := words[1:]
	switch words[0] {
	case "put":
		return parsePut(rest)
	case "get":
		return parseGet(rest)
	case "cas":
		return parseCas(rest)
	case "members":
		return parseMembers(rest)
	case "transfer":
		if len(rest) == 2 && rest[0] == "to" {
			rest = rest[1:]
		}
		if len(rest) != 1 {
			return nil, fmt.Errorf("want transfer [to] NODE")
		}
		return transfer{rest[0]}, nil
	case "compact":
		if len(rest) > 0 {
			return nil, fmt.Errorf("want compact")
		}
		return compact{}, nil
	}
	return nil, fmt.Errorf("unknown request %q%s", words[0], sim.DidYouMean(words[0], opWords))
}

func parsePut(words []string) (sim.Op, error) {
	switch {
	case len(words) != 2:
		return nil, fmt.Errorf("want put KEY VALUE")
	case words[1] == noValue:
		return nil, fmt.Errorf("put wants a value, and %q is to have none", noValue)
	}
	return put{words[0], words[1]}, nil
}

func parseGet(words []string) (sim.Op, error) {
	switch {
	case len(words) == 1:
		return get{words[0], throughIndex}, nil
	case len(words) != 3 || words[1] != "through":
		return nil, fmt.Errorf("want get KEY [through %s]", strings.Join(ways, "|"))
	case !slices.Contains(ways, words[2]):
		return nil, fmt.Errorf("unknown way to read %q%s", words[2], sim.DidYouMean(words[2], ways))
	}
	return get{words[0], words[2]}, nil
}

func parseCas(words []string) (sim.Op, error) {
	switch {
	case len(words) != 3:
		return nil, fmt.Errorf("want cas KEY OLD NEW")
	case words[2] == noValue:
		return nil, fmt.Errorf("cas wants a new value, and %q is to have none", noValue)
	}
	old := words[1]
	if old == noValue {
		old = ""
	}
	return cas{words[0], old, words[2]}, nil
}

func parseMembers(words []string) (sim.Op, error) {
	var m members
	list := &m.Voters
	for _, w := range words {
		switch {
		case w == "learns" && list == &m.Voters:
			list = &m.Learners
		case w == "learns", slices.Contains(m.Keys(), w):
			return nil, fmt.Errorf("members names %s twice", w)
		default:
			*list = append(*list, w)
		}
	}
	if len(m.Voters) == 0 || list == &m.Learners && len(m.Learners) == 0 {
		return nil, fmt.Errorf("want members NODE... [learns NODE...], and a voter among them")
	}
	return m, nil
}

// opNodes are the nodes that a request names.
func opNodes(op sim.Op) []string {
	switch op := op.(type) {
	case members:
		return op.Keys()
	case transfer:
		return []string{op.To}
	}
	return nil
}
