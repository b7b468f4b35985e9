package synchro

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// What a scenario sets up.
type (
	// modes gives nodes an election mode: "mode candidate A B". Who is not named has mode off.
	modes struct {
		Mode  electionMode
		Nodes []sim.NodeID
		Text  string
	}
	// quorum is replication_synchro_quorum, of all nodes: "quorum 2". Without it, N/2+1.
	quorum struct{ N int }
	// fencing is election_fencing_mode: "fencing off", "fencing soft", "fencing strict". Soft is
	// the
	// default.
	fencing struct{ Is fencingMode }
	// spaces says which keys are in synchronous spaces: "async K..." are in asynchronous ones, all
	// others in synchronous ones.
	asyncKeys struct {
		Keys []string
		Text string
	}
	// links leaves links out: "apart A B": neither subscribes to the other.
	apart struct {
		Nodes []sim.NodeID
		Text  string
	}
	// anonymous nodes are read-only replicas that are not registered: "anonymous D".
	anonymous struct {
		Nodes []sim.NodeID
		Text  string
	}
	// skipConflict is replication_skip_conflict: "skip conflict".
	skipConflict struct{}
	// limit is how many transactions of an owner's queue may be in the journal: "limit 2". It
	// stands
	// for replication_synchro_queue_max_size. Without it there is none.
	limit struct{ N int }
)

// fencingMode is election_fencing_mode.
type fencingMode uint8

const (
	fenceSoft fencingMode = iota
	fenceStrict
	fenceOff
)

var fencingNames = []string{"soft", "strict", "off"}

func (m modes) String() string      { return m.Text }
func (q quorum) String() string     { return "quorum " + strconv.Itoa(q.N) }
func (f fencing) String() string    { return "fencing " + fencingNames[f.Is] }
func (a asyncKeys) String() string  { return a.Text }
func (a apart) String() string      { return a.Text }
func (a anonymous) String() string  { return a.Text }
func (skipConflict) String() string { return "skip conflict" }
func (l limit) String() string      { return "limit " + strconv.Itoa(l.N) }

// layout is all of it.
type layout struct {
	Modes        []electionMode // by node
	Quorum       int            // 0: a majority
	Fencing      fencingMode
	Async        []string // keys in asynchronous spaces
	Apart        [][2]sim.NodeID
	Anonymous    []sim.NodeID
	SkipConflict bool
	Limit        int // of the queue; 0: none
}

// layoutOf reads what was set up.
func layoutOf(setup []any, _ []sim.NodeID) *layout {
	l := new(layout)
	for _, s := range setup {
		switch s := s.(type) {
		case modes:
			l.setModes(s)
		case quorum:
			l.Quorum = s.N
		case fencing:
			l.Fencing = s.Is
		case asyncKeys:
			l.Async = append(l.Async, s.Keys...)
		case apart:
			l.Apart = append(l.Apart, [2]sim.NodeID{s.Nodes[0], s.Nodes[1]})
		case anonymous:
			l.Anonymous = append(l.Anonymous, s.Nodes...)
		case skipConflict:
			l.SkipConflict = true
		case limit:
			l.Limit = s.N
		}
	}
	return l
}

func (l *layout) setModes(m modes) {
	for _, id := range m.Nodes {
		for int(id) >= len(l.Modes) {
			l.Modes = append(l.Modes, modeOff)
		}
		l.Modes[id] = m.Mode
	}
}

// mode is the election mode of a node.
func (l *layout) mode(id sim.NodeID) electionMode {
	if int(id) < len(l.Modes) {
		return l.Modes[id]
	}
	return modeOff
}

// sync says that a key is in a synchronous space.
func (l *layout) sync(key string) bool { return !slices.Contains(l.Async, key) }

// linked says that two nodes subscribe to each other.
func (l *layout) linked(a, b sim.NodeID) bool {
	return !slices.ContainsFunc(l.Apart, func(p [2]sim.NodeID) bool {
		return p == [2]sim.NodeID{a, b} || p == [2]sim.NodeID{b, a}
	})
}

// maxLimit is the greatest limit of a queue.
const maxLimit = 1000

// setupWords are the first words of such lines.
var setupWords = []string{"mode", "quorum", "fencing", "async", "apart", "anonymous", "skip",
	"limit"}

// parseSetup reads a line of a scenario.
func parseSetup(words, names []string) (any, error) {
	text := strings.Join(words, " ")
	rest := words[1:]
	switch words[0] {
	case "mode":
		return parseMode(text, rest, names)
	case "quorum":
		return parseQuorum(rest)
	case "fencing":
		return parseFencing(rest)
	case "async":
		if len(rest) == 0 {
			return nil, fmt.Errorf("want %s", "async KEY...")
		}
		return asyncKeys{rest, text}, nil
	case "apart":
		ids, err := idsOf(rest, names)
		if err != nil || len(ids) != 2 || ids[0] == ids[1] {
			return nil, orWant(err, "want apart NODE NODE, two different ones")
		}
		return apart{ids, text}, nil
	case "anonymous":
		ids, err := idsOf(rest, names)
		if err != nil || len(ids) == 0 {
			return nil, orWant(err, "want anonymous NODE...")
		}
		return anonymous{ids, text}, nil
	case "skip":
		if len(rest) != 1 || rest[0] != "conflict" {
			return nil, fmt.Errorf("want skip conflict")
		}
		return skipConflict{}, nil
	case "limit":
		n, err := count(rest, maxLimit)
		if err != nil {
			return nil, fmt.Errorf("want limit N: %w", err)
		}
		return limit{n}, nil
	}
	return nil, fmt.Errorf("unknown word %q%s", words[0], sim.DidYouMean(words[0], setupWords))
}

func orWant(err error, want string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s", want)
}

func parseMode(text string, rest, names []string) (any, error) {
	if len(rest) < 2 {
		return nil, fmt.Errorf("want mode %s %s", strings.Join(modeNames, "|"), "NODE...")
	}
	at := slices.Index(modeNames, rest[0])
	if at < 0 {
		return nil, fmt.Errorf("no election mode %q%s", rest[0], sim.DidYouMean(rest[0], modeNames))
	}
	ids, err := idsOf(rest[1:], names)
	if err != nil {
		return nil, err
	}
	return modes{electionMode(at), ids, text}, nil
}

func parseQuorum(rest []string) (any, error) {
	if len(rest) != 1 {
		return nil, fmt.Errorf("want quorum N")
	}
	n, err := strconv.Atoi(rest[0])
	if err != nil || n < 1 || n > 31 {
		return nil, fmt.Errorf("want quorum N, from 1 to 31, got %q", rest[0])
	}
	return quorum{n}, nil
}

func parseFencing(rest []string) (any, error) {
	if len(rest) != 1 {
		return nil, fmt.Errorf("want fencing %s", strings.Join(fencingNames, "|"))
	}
	at := slices.Index(fencingNames, rest[0])
	if at < 0 {
		return nil, fmt.Errorf("no fencing mode %q%s", rest[0], sim.DidYouMean(rest[0],
			fencingNames))
	}
	return fencing{fencingMode(at)}, nil
}

// idsOf are the nodes of these names, each once.
func idsOf(words, names []string) ([]sim.NodeID, error) {
	var ids []sim.NodeID
	for _, w := range words {
		at := slices.Index(names, w)
		if at < 0 {
			return nil, fmt.Errorf("no node is called %s%s", w, sim.DidYouMean(w, names))
		}
		if slices.Contains(ids, sim.NodeID(at)) {
			return nil, fmt.Errorf("want each node once, got %s twice", w)
		}
		ids = append(ids, sim.NodeID(at))
	}
	return ids, nil
}

// fitSetup says which line of a set-up does not go with those before it: what is said twice, and
// replicas that are to vote.
func fitSetup(values []any, names []string) (at int, err error) {
	seen := map[string]bool{}
	l := layoutOf(values, nil)
	for i, v := range values {
		if m, ok := v.(modes); ok {
			if err := l.fitModes(m, names, seen); err != nil {
				return i, err
			}
		}
		if _, ok := v.(anonymous); ok && len(l.Anonymous) >= len(names) {
			return i, fmt.Errorf("want a node that votes: all are anonymous")
		}
		word := onceWord(v)
		if word != "" && seen[word] {
			return i, fmt.Errorf("%s is said twice", word)
		}
		seen[word] = true
	}
	return 0, nil
}

// fitModes says what is wrong with the modes of a line, and remembers whose they are.
func (l *layout) fitModes(m modes, names []string, seen map[string]bool) error {
	for _, id := range m.Nodes {
		switch {
		case seen["mode "+names[id]]:
			return fmt.Errorf("%s has an election mode already", names[id])
		case slices.Contains(l.Anonymous, id) && m.Mode != modeOff:
			return fmt.Errorf("%s is anonymous: it has no vote", names[id])
		}
		seen["mode "+names[id]] = true
	}
	return nil
}

// onceWord is the word of a line that may stand there once.
func onceWord(v any) string {
	switch v.(type) {
	case quorum:
		return "quorum"
	case fencing:
		return "fencing"
	case skipConflict:
		return "skip conflict"
	case limit:
		return "limit"
	}
	return ""
}
