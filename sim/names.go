package sim

import (
	"fmt"
	"slices"
	"strings"
)

// endName is the name of a node or another end, "" for Nobody.
func endName(nodes []string, id NodeID) string {
	switch id {
	case ClientEnd:
		return "client"
	case ClockEnd:
		return "clock"
	case DiskEnd:
		return "disk"
	case LogEnd:
		return "log"
	case Nobody:
		return ""
	}
	if int(id) < len(nodes) {
		return nodes[id]
	}
	panic(fmt.Sprintf("sim: no node %d", id))
}

func (w *World) end(id NodeID) string { return endName(w.names, id) }

// endID is the node or other end called name.
func (w *World) endID(name string) (NodeID, error) {
	switch name {
	case "client":
		return ClientEnd, nil
	case "clock":
		return ClockEnd, nil
	case "disk":
		return DiskEnd, nil
	case "log":
		return LogEnd, nil
	}
	return w.nodeID(name)
}

// nodeID is the node called name.
func (w *World) nodeID(name string) (NodeID, error) {
	if i := slices.Index(w.names, name); i >= 0 {
		return NodeID(i), nil
	}
	return Nobody, fmt.Errorf("no node called %q%s", name, DidYouMean(name, w.names))
}

// lineError puts the line of a scenario before an error, if there is one.
func lineError(line int, err error) error {
	if line == 0 || err == nil {
		return err
	}
	return &LineError{line, err}
}

// LineError is an error in one line of a scenario.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%d: %v", e.Line, e.Err) }

// Unwrap is the error without its line.
func (e *LineError) Unwrap() error { return e.Err }

// DidYouMean ends an error about an unknown word: the nearest of the known ones if one is near,
// then all of them if they are few.
func DidYouMean(word string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if d := distance(word, k); d < least && d < len(k) {
			best, least = k, d
		}
	}
	if best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	if len(known) == 0 {
		return "; there are none"
	}
	return "; have " + strings.Join(known, " ")
}

// distance is the number of single-letter edits between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// KeyAppender is a body that can add its keys to a list: the engine, which names all that chance
// may decide by its keys, then makes no list for each. They are the keys that Keys gives.
type KeyAppender interface {
	Keyed
	AppendKeys(list []string) []string
}

// AppendKeys adds the keys of b to a list.
func AppendKeys(list []string, b Body) []string {
	if a, ok := b.(KeyAppender); ok {
		return a.AppendKeys(list)
	}
	return append(list, KeysOf(b)...)
}
