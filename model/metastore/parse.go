package metastore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// deedWords are the words that deeds begin with.
var deedWords = [...]string{"put", "delete", "get", "txn", "compact", "grant", "revoke",
	"checkpoint", "tick", "evict"}

// parseDeed reads a deed: what its String gives.
func parseDeed(words []string) (Deed, error) {
	r := &reader{words: words}
	d := r.deed(0)
	return d, r.end()
}

// deed reads a deed. depth is how many transactions it stands in.
func (r *reader) deed(depth int) Deed {
	w := r.next("one of " + strings.Join(deedWords[:], ", "))
	switch w {
	case "put":
		return r.put()
	case "delete":
		return Delete{r.span()}
	case "get":
		return Get{r.span()}
	case "txn":
		return r.txn(depth + 1)
	case "compact":
		return Compact{r.number("a revision", 0)}
	case "grant":
		return Grant{r.number("a lease", 1), r.length()}
	case "revoke":
		return r.revoke()
	case "checkpoint":
		return Checkpoint{r.number("a lease", 1), r.length()}
	case "tick":
		return Tick{}
	case "evict":
		return Evict{sim.Time(r.number("a time", 0))}
	}
	r.fail("unknown word %q%s", w, sim.DidYouMean(w, deedWords[:]))
	return Tick{}
}

func (r *reader) put() Deed {
	p := Put{Key: r.value("a key"), Value: r.value("a value"), If: Unless}
	if r.takes("if") {
		p.If = r.number("a revision", 0)
	}
	if r.takes("lease") {
		p.Lease = r.number("a lease", 1)
	}
	return p
}

func (r *reader) revoke() Deed {
	v := Revoke{ID: r.number("a lease", 1)}
	if r.takes("by") {
		v.By = r.number("a term", 1)
	}
	return v
}

// length is the next word as a duration.
func (r *reader) length() time.Duration {
	w := r.next("a duration")
	d, err := time.ParseDuration(w)
	if err != nil || d < 0 {
		r.fail("want a duration, got %q", w)
	}
	return d
}

// txn reads "if COND then DEED , DEED , yield WORD else ... end".
func (r *reader) txn(depth int) Deed {
	t := Txn{}
	if depth > deepest {
		r.fail("transactions nest at most %d deep", deepest)
		return t
	}
	if r.takes("if") {
		t.If = r.cond(1)
	}
	r.wants("then")
	t.Then = r.branch(depth)
	if r.takes("else") {
		t.Else = r.branch(depth)
	}
	r.wants("end")
	return t
}

func (r *reader) branch(depth int) Branch {
	b := Branch{}
	for r.err == nil && !r.peek("else") && !r.peek("end") {
		if r.takes("yield") {
			b.Yield = r.value("what to yield")
			break
		}
		b.Deeds = append(b.Deeds, r.part(depth))
		if !r.takes(",") {
			break
		}
	}
	return b
}

// part is a deed that may stand in a transaction.
func (r *reader) part(depth int) Deed {
	d := r.deed(depth)
	switch d := d.(type) {
	case Put:
		if d.If == Unless {
			return d
		}
		r.fail("a put in a transaction has no condition of its own")
	case Delete, Get, Txn:
		return d
	}
	r.fail("want put, delete, get or txn in a transaction, got %s", d.Kind())
	return d
}

// cond reads parts joined by one of "and" and "or".
func (r *reader) cond(depth int) Cond {
	first := r.factor(depth)
	join, w := All, "and"
	if r.peek("or") {
		join, w = Any, "or"
	}
	if !r.peek(w) {
		return first
	}
	c := Cond{Join: join, Parts: []Cond{first}}
	for r.takes(w) {
		c.Parts = append(c.Parts, r.factor(depth))
	}
	return c
}

func (r *reader) factor(depth int) Cond {
	switch {
	case depth > deepest:
		r.fail("conditions nest at most %d deep", deepest)
		return Cond{}
	case r.takes("not"):
		return Cond{Join: None, Parts: []Cond{r.factor(depth + 1)}}
	case r.takes("("):
		c := r.cond(depth + 1)
		r.wants(")")
		return c
	}
	return tests(r.test())
}

func (r *reader) test() Test {
	t := Test{Target: r.next("a test")}
	if r.err == nil && !slices.Contains(targets[:], t.Target) {
		r.fail("unknown test %q%s", t.Target, sim.DidYouMean(t.Target, targets[:]))
	}
	t.Key = r.value("a key")
	if t.Target == "exists" {
		return t
	}
	t.Compare = r.next("a comparison")
	if r.err == nil && !slices.Contains(comparisons[:], t.Compare) {
		r.fail("unknown comparison %q, want one of %s", t.Compare,
			strings.Join(comparisons[:], " "))
	}
	if t.Want = r.value("a value"); t.Target != "value" {
		t.Want = strconv.FormatInt(r.parsed(t.Want), 10)
	}
	return t
}

// parsed is a word that must be a number.
func (r *reader) parsed(w string) int64 {
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		r.fail("want a number, got %q", w)
	}
	return n
}

// encode is a command as text, and decode the command of such a text.
func encode(c Command) string {
	return fmt.Sprintf("%d %d %d %d %v", c.Session, c.Seq, c.Term, int64(c.Time), c.Deed)
}

func decode(text string) (Command, error) {
	r := &reader{words: strings.Fields(text)}
	c := Command{Session: r.number("a session", 0), Seq: r.number("its number", 0),
		Term: r.number("a term", 0), Time: sim.Time(r.number("a time", 0))}
	c.Deed = r.deed(0)
	return c, r.end()
}
