package ignite

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

// requests are all forms.
var requests = []request{
	{"begin", "begin TX [MODE] [SYNC]", readBegin},
	{"write", "write TX KEY...", readWrite},
	{"read", "read TX KEY...", readRead},
	{"commit", "commit TX [KEY | KEY=VALUE | KEY+N | KEY-N]... [reads KEY...] [MODE] [SYNC]",
		readCommit},
	{"rollback", "rollback TX", one(func(w string) sim.Op { return rollbackOp{w} })},
	{"suspend", "suspend TX", one(func(w string) sim.Op { return suspendOp{w} })},
	{"resume", "resume TX", one(func(w string) sim.Op { return resumeOp{w} })},
	{"refuse", "refuse TX", one(func(w string) sim.Op { return refuseOp{w} })},
	{"fail", "fail TX", one(func(w string) sim.Op { return failOp{w} })},
	{"cut", "cut CUT", one(func(w string) sim.Op { return cutOp{w} })},
	{"snapshot", "snapshot NAME", one(func(w string) sim.Op { return baseOp{w} })},
	{"baseline", "baseline NODE...", readBaseline},
	{"restore", "restore CUT", one(func(w string) sim.Op { return restoreOp{w} })},
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
	if b, is := op.(baselineOp); is {
		return b.Nodes
	}
	return nil
}

// one reads a request that is one name.
func one(of func(string) sim.Op) func([]string) (sim.Op, error) {
	return func(words []string) (sim.Op, error) {
		if len(words) != 1 {
			return nil, fmt.Errorf("want one name, got %d", len(words))
		}
		return of(words[0]), nil
	}
}

// readBaseline reads the names of nodes, each once.
func readBaseline(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want the names of nodes")
	}
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			return nil, fmt.Errorf("want each node once, got %s twice", w)
		}
	}
	return baselineOp{slices.Clone(words)}, nil
}

// options are the words that end a list of keys.
var options = slices.Concat(modeNames[:], syncNames[:])

// readBegin reads "TX [MODE] [SYNC]".
func readBegin(words []string) (sim.Op, error) {
	c, err := readTx(words)
	if err == nil && len(c.Writes)+len(c.Reads) > 0 {
		err = fmt.Errorf("want no keys yet%s", sim.DidYouMean(words[1], options))
	}
	return beginOp{c.Tx, c.Mode, c.Sync}, err
}

// readCommit reads a whole transaction, or the name of one that is open.
func readCommit(words []string) (sim.Op, error) { return readTx(words) }

func readWrite(words []string) (sim.Op, error) {
	c, err := readTx(words)
	switch {
	case err != nil:
	case len(c.Writes) == 0 || len(c.Reads) > 0 || len(words) != 1+len(c.Writes):
		err = fmt.Errorf("want keys to write and nothing else")
	}
	return accessOp{c.Tx, c.Writes, nil}, err
}

func readRead(words []string) (sim.Op, error) {
	if len(words) < 2 {
		return nil, fmt.Errorf("want keys to read")
	}
	c, err := readTx(slices.Insert(slices.Clone(words), 1, "reads"))
	if err == nil && len(words) != 1+len(c.Reads) {
		err = fmt.Errorf("want keys to read and nothing else")
	}
	return accessOp{c.Tx, nil, c.Reads}, err
}

// readTx reads "TX [KEY...] [reads KEY...] [MODE] [SYNC]".
func readTx(words []string) (commitOp, error) {
	if len(words) == 0 {
		return commitOp{}, fmt.Errorf("want the name of a transaction")
	}
	if slices.Contains(options, words[0]) || words[0] == "reads" {
		return commitOp{}, fmt.Errorf("want the name of a transaction, got %q", words[0])
	}
	r := txReader{op: commitOp{Tx: words[0]}}
	for _, w := range words[1:] {
		if err := r.word(w); err != nil {
			return commitOp{}, err
		}
	}
	if r.reads && len(r.op.Reads) == 0 {
		return commitOp{}, fmt.Errorf(`want keys after "reads"`)
	}
	return r.op, nil
}

// txReader is a transaction as far as it is read.
type txReader struct {
	op                commitOp
	reads, mode, sync bool // these words have been there
}

func (r *txReader) word(w string) error {
	m, s := slices.Index(modeNames[:], w), slices.Index(syncNames[:], w)
	switch {
	case m >= 0 && r.mode, s >= 0 && r.sync, w == "reads" && r.reads:
		return fmt.Errorf("want one at most of what %q is", w)
	case m >= 0:
		r.op.Mode, r.mode = mode(m), true
	case s >= 0:
		r.op.Sync, r.sync = syncMode(s), true
	case w == "reads":
		r.reads = true
	case r.mode || r.sync:
		return fmt.Errorf("want keys before mode and sync, got %q%s", w, sim.DidYouMean(w, options))
	case r.reads:
		return r.read(w)
	default:
		return r.write(w)
	}
	return nil
}

func (r *txReader) read(w string) error {
	if strings.ContainsAny(w, "=+-") {
		return fmt.Errorf("want a key to read, got %q%s", w, sim.DidYouMean(w, options))
	}
	if slices.Contains(r.op.Reads, w) {
		return fmt.Errorf("want each key once, got %s twice", w)
	}
	r.op.Reads = append(r.op.Reads, w)
	return nil
}

// mostAdded bounds what a request adds to a key.
const mostAdded = 1_000_000

// write reads "KEY", which is set to the transaction's name, "KEY=VALUE", "KEY+N" or "KEY-N".
func (r *txReader) write(w string) error {
	at := strings.IndexAny(w, "=+-")
	out := write{Key: w, Value: r.op.Tx}
	switch {
	case at < 0:
	case at == 0:
		return fmt.Errorf("want a key before %q", w)
	case w[at] == '=':
		out = write{Key: w[:at], Value: w[at+1:]}
		if out.Value == "" {
			return fmt.Errorf("want a value after %q", w)
		}
	default:
		n, err := strconv.ParseInt(w[at+1:], 10, 64)
		if err != nil || n < 1 || n > mostAdded || strconv.FormatInt(n, 10) != w[at+1:] {
			return fmt.Errorf("want a number from 1 to %d after %q, got %q%s", mostAdded, w[:at+1],
				w[at+1:], slip(w))
		}
		if w[at] == '-' {
			n = -n
		}
		out = write{Key: w[:at], Add: n, Adds: true}
	}
	r.op.Writes = append(r.op.Writes, out)
	return nil
}

// slip is the option that a word with a slip of the pen may stand for, "" if there is none.
func slip(w string) string {
	if text := sim.DidYouMean(w, options); strings.Contains(text, "did you mean") {
		return text
	}
	return ""
}
