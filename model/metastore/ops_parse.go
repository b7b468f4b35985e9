package metastore

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// opWords are the words that requests begin with.
var opWords = []string{"put", "delete", "txn", "compact", "grant", "revoke", "get", "pages",
	"update", "keepalive", "evict", "watch", "unwatch", "bookmark", "stall", "follow", "attend",
	"configure", "baseline", "assign", "snapshot", "transfer"}

// parseOp reads a request.
func parseOp(words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("want a request: %s", strings.Join(opWords, ", "))
	}
	r := &reader{words: words}
	op := r.request(words)
	if err := r.end(); err != nil {
		return nil, err
	}
	return op, nil
}

func (r *reader) request(words []string) sim.Op {
	n := len(words)
	switch words[0] {
	case "put":
		if n == 5 && words[3] == "if" && words[4] == "seen" {
			r.next("put")
			p := putSeen{r.value("a key"), r.value("a value")}
			r.words = nil
			return p
		}
		return r.deed(0)
	case "compact":
		if n > 1 && words[1] == "seen" {
			return r.compactSeen()
		}
		return r.deed(0)
	case "delete", "txn", "grant", "revoke":
		return r.deed(0)
	}
	r.next("a request")
	if op := r.reading(words[0]); op != nil {
		return op
	}
	return r.other(words[0])
}

// compactSeen reads "compact seen [N]".
func (r *reader) compactSeen() sim.Op {
	r.words = r.words[2:]
	if len(r.words) == 0 {
		return compactSeen{}
	}
	return compactSeen{r.number("how many revisions", 1)}
}

// reading reads what is about a range; nil if it is not.
func (r *reader) reading(verb string) sim.Op {
	switch verb {
	case "get":
		return r.get()
	case "pages":
		p := pages{Range: r.span()}
		r.wants("by")
		p.By = int(r.number("how many keys", 1))
		return p
	case "watch":
		w := watchOf{Watch{Range: r.span()}}
		if r.takes("from") {
			w.From = r.number("a revision", 1)
		}
		w.Prev = r.takes("prev")
		return w
	case "unwatch":
		return unwatch{r.span()}
	case "bookmark":
		return bookmark{r.span()}
	case "stall":
		return stall{r.span()}
	case "follow":
		return follow{Range: r.span()}
	}
	return nil
}

func (r *reader) get() sim.Op {
	q := read{Query: Query{Range: r.span()}}
	if r.takes("at") {
		q.At = r.number("a revision", 1)
	}
	q.Local = r.takes("local")
	if r.takes("limit") {
		q.Limit = int(r.number("how many keys", 1))
	}
	q.Query.Keys, q.Count = r.takes("keys"), r.takes("count")
	if r.takes("mod") {
		q.Min, q.Max = r.number("a revision", 0), r.number("a revision", 0)
	}
	return q
}

func (r *reader) other(verb string) sim.Op {
	switch verb {
	case "update":
		return update{r.value("a key"), r.value("a value")}
	case "keepalive":
		return keepAlive{r.number("a lease", 1)}
	case "evict":
		return evictOld{r.length()}
	case "attend":
		return follow{Range: Prefix(metadata), Attends: true}
	case "configure":
		return update{configKey + r.value("a property"), r.value("a value")}
	case "baseline":
		u := update{baselineKey, strings.Join(r.words, ",")}
		if len(r.words) == 0 {
			r.fail("baseline wants nodes")
		}
		r.words = nil
		return u
	case "assign":
		return update{serviceKey + r.value("a service"), r.value("a node")}
	case "snapshot":
		return snapshot{}
	case "transfer":
		return transfer{r.next("a node")}
	}
	r.fail("unknown request %q%s", verb, sim.DidYouMean(verb, opWords))
	return nil
}

// opNodes are the nodes that a request names.
func opNodes(op sim.Op) []string {
	switch op := op.(type) {
	case transfer:
		return []string{op.To}
	case update:
		if strings.HasPrefix(op.Key, serviceKey) {
			return []string{op.Value}
		}
		if op.Key == baselineKey {
			return strings.Split(op.Value, ",")
		}
	}
	return nil
}
