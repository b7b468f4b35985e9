package clocks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// book is what is so of replicated objects, read from outside the nodes: which edits there are, and
// which each had seen. What an object comes to it works out by looking at all of them.
type book struct {
	run  *sim.Run
	made []madeEdit
	at   map[sim.CallID]int // by call: where in made
	said []objectSaid
}

// madeEdit is an edit, as a replica first said that it made it.
type madeEdit struct {
	did
	entry int
	node  sim.NodeID
}

// objectSaid is what a replica said of an object.
type objectSaid struct {
	object
	entry int
	node  sim.NodeID
}

// bookKey is under what the checks of one judging share the book.
type bookKey struct{}

func bookOf(run *sim.Run) *book {
	if b, ok := run.Memo[bookKey{}].(*book); ok && b.run == run {
		return b
	}
	b := &book{run: run, at: map[sim.CallID]int{}}
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntryNoted {
			continue
		}
		switch f := e.Body.(type) {
		case did:
			if _, known := b.at[f.Call]; !known {
				b.at[f.Call] = len(b.made)
				b.made = append(b.made, madeEdit{f, i, e.Node})
			}
		case object:
			b.said = append(b.said, objectSaid{f, i, e.Node})
		}
	}
	if run.Memo != nil {
		run.Memo[bookKey{}] = b
	}
	return b
}

// edits are those of calls, unless one of them is not known.
func (b *book) edits(calls []sim.CallID) (in []madeEdit, known bool) {
	for _, c := range calls {
		at, ok := b.at[c]
		if !ok {
			return nil, false
		}
		in = append(in, b.made[at])
	}
	return in, true
}

// saw says that d had seen e.
func (d *madeEdit) saw(e *madeEdit) bool {
	_, ok := slices.BinarySearch(d.Seen, e.Call)
	return ok
}

// spec says what an object comes to that has these edits, and whether text is that.
func spec(t objectType, in []madeEdit, text string) (want string, ok bool) {
	switch t {
	case gCounter, pnCounter:
		want = strconv.FormatInt(sumOf(in), 10)
	case orSet:
		want = valuesText(membersOf(in))
	case mvRegister:
		want = valuesText(newestOf(in))
	case lwwRegister:
		newest := newestOf(in)
		if len(newest) == 0 {
			want = valuesText(nil)
			break
		}
		return strings.Join(newest, " or "), slices.Contains(newest, text)
	}
	return want, want == text
}

// sumOf is what counter edits come to.
func sumOf(in []madeEdit) int64 {
	sum := int64(0)
	for i := range in {
		sum += in[i].Edit.signed()
	}
	return sum
}

// signed is the amount, below zero of a dec.
func (m mutate) signed() int64 {
	if m.Verb == verbDec {
		return -m.N
	}
	return m.N
}

// membersOf is what set edits come to: the elements of adds that no del of them had seen.
func membersOf(in []madeEdit) []string {
	var list []string
	for i := range in {
		a := &in[i]
		deleted := slices.ContainsFunc(in, func(d madeEdit) bool {
			return d.Edit.Verb == verbDel && d.Edit.Word == a.Edit.Word && d.saw(a)
		})
		if a.Edit.Verb == verbAdd && !deleted {
			list = append(list, a.Edit.Word)
		}
	}
	return joinedWords(list, nil)
}

// newestOf is what register edits come to: the values of those that no other had seen.
func newestOf(in []madeEdit) []string {
	var list []string
	for i := range in {
		if !slices.ContainsFunc(in, func(d madeEdit) bool { return d.saw(&in[i]) }) {
			list = append(list, in[i].Edit.Word)
		}
	}
	return joinedWords(list, nil)
}

func entriesOf(in []madeEdit) []int {
	var list []int
	for _, d := range in {
		list = append(list, d.entry)
	}
	return list
}

// last is what each node said last of each object, in the order in which it was said.
func (b *book) last() []objectSaid {
	final := map[replicaKey]int{}
	for i, s := range b.said {
		final[s.replica()] = i
	}
	var list []objectSaid
	for i, s := range b.said {
		if final[s.replica()] == i {
			list = append(list, s)
		}
	}
	return list
}

// replica is the object on its replica.
func (s *objectSaid) replica() replicaKey { return replicaKey{s.node, s.name()} }

// name is the object, with its type.
func (o *object) name() string { return o.Type.String() + " " + o.Key }

// Edits are the entries of a run at which replicas made edits of replicated objects, each with
// those of the edits of the object that it had seen, which are before it in every order of the run.
func Edits(run *sim.Run) map[int][]int {
	b, list := bookOf(run), map[int][]int{}
	for _, d := range b.made {
		in, _ := b.edits(d.Seen)
		list[d.entry] = entriesOf(in)
	}
	return list
}
