package synchro

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// request is a form of request: its first word, what people are told of it, and what reads the
// words after the first.
type request struct {
	word, form string
	read       func(words []string) (sim.Op, error)
}

// requests are all forms. A key without a value holds nothing but its name.
var requests = []request{
	{"put", "put KEY[=VALUE]... [sync | async | local]", readPut},
	{"insert", "insert KEY[=VALUE] [sync | async]", readInsert},
	{"remove", "remove KEY", readRemove},
	{"cas", "cas KEY OLD NEW", readCas},
	{"get", "get KEY [confirmed | dirty | linearizable]", readGet},
	{"promote", "promote", bare(promoteOp{})},
	{"clear_synchro_queue", "clear_synchro_queue", bare(promoteOp{Old: true})},
	{"demote", "demote", bare(demoteOp{})},
	{"resign", "resign", bare(resignOp{})},
	{"quorum", "quorum N", readSetQuorum},
	{"mode", "mode off|voter|manual|candidate", readSetMode},
	{"snapshot", "snapshot", bare(snapshotOp{})},
	{"expel", "expel NODE", readExpel},
	{"settle-queue", "settle-queue NODE confirm|rollback", readSettle},
	{"jam", "jam N | main", readJam},
	{"cancel", "cancel KEY", readCancel},
	{"reconfigure", "reconfigure", bare(reconfigureOp{})},
}

// opWords are the words that requests begin with.
var opWords = func() []string {
	var words []string
	for _, r := range requests {
		words = append(words, r.word)
	}
	return words
}()

// parseOp reads a request.
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want a request: %s", strings.Join(opWords, ", "))
	}
	at := slices.Index(opWords, words[0])
	if at < 0 {
		return nil, fmt.Errorf("unknown request %q%s", words[0], sim.DidYouMean(words[0], opWords))
	}
	op, err := requests[at].read(words[1:])
	if err != nil {
		return nil, fmt.Errorf("want %s: %w", requests[at].form, err)
	}
	return op, nil
}

// opNodes are the nodes that a request speaks of.
func opNodes(op sim.Op) []string {
	switch op := op.(type) {
	case expelOp:
		return []string{op.Node}
	case settleOp:
		return []string{op.Node}
	}
	return nil
}

// bare reads a request without words.
func bare(op sim.Op) func([]string) (sim.Op, error) {
	return func(words []string) (sim.Op, error) {
		if len(words) > 0 {
			return nil, fmt.Errorf("want nothing more, got %q", words[0])
		}
		return op, nil
	}
}

// one is the only word there may be.
func one(words []string) (string, error) {
	if len(words) != 1 {
		return "", fmt.Errorf("want one word, got %d", len(words))
	}
	return words[0], nil
}

// putWords are the words that end a put.
var putWords = []string{"sync", "async", "local"}

func readPut(words []string) (sim.Op, error) {
	op := putOp{}
	if n := len(words); n > 0 && slices.Contains(putWords, words[n-1]) {
		op.Sync, op.Async, op.Local = words[n-1] == "sync", words[n-1] == "async",
			words[n-1] == "local"
		words = words[:n-1]
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("want a key")
	}
	for _, w := range words {
		r, err := readRow(w)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(op.Writes, func(o row) bool { return o.Key == r.Key }) {
			return nil, fmt.Errorf("want each key once, got %s twice", r.Key)
		}
		op.Writes = append(op.Writes, r)
	}
	return op, nil
}

// readRow reads KEY or KEY=VALUE.
func readRow(w string) (row, error) {
	key, value, valued := strings.Cut(w, "=")
	switch {
	case key == "":
		return row{}, fmt.Errorf("want a key before %q", w)
	case valued && value == "":
		return row{}, fmt.Errorf("want a value after %q", w)
	case slices.Contains(putWords, key):
		return row{}, fmt.Errorf("want %q last", key)
	}
	return row{Type: dml, Key: key, Value: value}, nil
}

func readInsert(words []string) (sim.Op, error) {
	op, err := readPut(words)
	if err != nil {
		return nil, err
	}
	put := op.(putOp)
	if len(put.Writes) != 1 || put.Local {
		return nil, fmt.Errorf("want one key, not a local one")
	}
	put.Writes[0].Do = insert
	return put, nil
}

func readRemove(words []string) (sim.Op, error) {
	key, err := one(words)
	return putOp{Writes: []row{{Type: dml, Do: remove, Key: key}}}, err
}

func readCas(words []string) (sim.Op, error) {
	if len(words) != 3 {
		return nil, fmt.Errorf("want a key and two values")
	}
	return casOp{words[0], words[1], words[2]}, nil
}

func readGet(words []string) (sim.Op, error) {
	if len(words) == 0 || len(words) > 2 {
		return nil, fmt.Errorf("want a key, and how it is read")
	}
	op := getOp{Key: words[0]}
	if len(words) == 2 {
		at := slices.Index(readModes, words[1])
		if at < 0 {
			return nil, fmt.Errorf("no way to read %q%s", words[1], sim.DidYouMean(words[1],
				readModes))
		}
		op.How = readMode(at)
	}
	return op, nil
}

// count reads a number from 1 to most.
func count(words []string, most int) (int, error) {
	w, err := one(words)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("want a number from 1 to %d, got %q", most, w)
	}
	return n, nil
}

// mostNodes is how many nodes a cluster can have (9).
const mostNodes = 31

func readSetQuorum(words []string) (sim.Op, error) {
	n, err := count(words, mostNodes)
	return setQuorumOp{n}, err
}

// mostJammed is how many writes a journal can be made to refuse: so many as to be for good.
const mostJammed = 100

func readJam(words []string) (sim.Op, error) {
	if slices.Equal(words, []string{"main"}) {
		return hangOp{}, nil
	}
	n, err := count(words, mostJammed)
	return jamOp{n}, err
}

func readSetMode(words []string) (sim.Op, error) {
	w, err := one(words)
	at := slices.Index(modeNames, w)
	if err == nil && at < 0 {
		err = fmt.Errorf("no election mode %q%s", w, sim.DidYouMean(w, modeNames))
	}
	return setModeOp{electionMode(max(at, 0))}, err
}

func readExpel(words []string) (sim.Op, error) {
	w, err := one(words)
	return expelOp{w}, err
}

func readSettle(words []string) (sim.Op, error) {
	if len(words) != 2 || words[1] != "confirm" && words[1] != "rollback" {
		return nil, fmt.Errorf("want a node, and confirm or rollback")
	}
	return settleOp{words[0], words[1] == "confirm"}, nil
}

func readCancel(words []string) (sim.Op, error) {
	w, err := one(words)
	return cancelOp{w}, err
}
