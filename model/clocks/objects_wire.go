package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// What clients and nodes say to each other about replicated objects.

// mutate is the request to edit an object: grow KEY N of a g-counter, inc and dec KEY N of a
// pn-counter, add and del KEY ELEMENT of an or-set, set KEY VALUE of an lww-register, keep KEY
// VALUE of an mv-register.
type mutate struct {
	Type objectType
	Verb string
	Key  string
	Word string
	N    int64
	At   string
}

// inspect is the request for the value of an object.
type inspect struct {
	Type objectType
	Key  string
	At   string
}

func (m mutate) Kind() string { return m.Verb }
func (inspect) Kind() string  { return "value" }

func (m mutate) Keys() []string  { return []string{m.Key, m.what()} }
func (i inspect) Keys() []string { return []string{i.Type.String(), i.Key} }

func (m mutate) String() string { return m.text() + atText(m.At) }
func (i inspect) String() string {
	return fmt.Sprintf("value %v %s%s", i.Type, i.Key, atText(i.At))
}

// what is the amount, the element or the value.
func (m mutate) what() string {
	if m.N != 0 {
		return fmt.Sprint(m.N)
	}
	return m.Word
}

func (m mutate) text() string { return fmt.Sprintf("%s %s %s", m.Verb, m.Key, m.what()) }

// crdtOps are the requests.
func crdtOps() []opForm {
	return []opForm{
		countForm(verbGrow, gCounter), countForm(verbInc, pnCounter), countForm(verbDec, pnCounter),
		wordForm(verbAdd, "ELEMENT", orSet), wordForm(verbDel, "ELEMENT", orSet),
		wordForm(verbSet, "VALUE", lwwRegister), wordForm(verbKeep, "VALUE", mvRegister),
		{"value", "KIND KEY [at NODE]", parseInspect},
	}
}

func countForm(verb string, t objectType) opForm {
	return opForm{verb, "KEY N [at NODE]", func(words []string, at string) (sim.Op, error) {
		n, err := amount(words[1])
		return mutate{Type: t, Verb: verb, Key: words[0], N: n, At: at}, err
	}}
}

func wordForm(verb, what string, t objectType) opForm {
	return opForm{verb, "KEY " + what + " [at NODE]",
		func(words []string, at string) (sim.Op, error) {
			return mutate{Type: t, Verb: verb, Key: words[0], Word: words[1], At: at}, nil
		}}
}

func parseInspect(words []string, at string) (sim.Op, error) {
	t := slices.Index(objectTypes, words[0])
	if t < 1 {
		return nil, fmt.Errorf("want a kind of object: g-counter, pn-counter, or-set, "+
			"lww-register or mv-register, got %q%s", words[0], sim.DidYouMean(words[0], objectTypes[1:]))
	}
	return inspect{objectType(t), words[1], at}, nil
}

// The questions to another replica, and what it replies. The replies are what clients are told.
type (
	change struct {
		Call sim.CallID
		Edit mutate
	}
	changed struct {
		Call sim.CallID
		Edit mutate
	}
	look struct {
		Call sim.CallID
		At   inspect
	}
	// looked is the value of an object at a replica.
	looked struct {
		Call sim.CallID
		Type objectType
		Key  string
		Text string
	}
)

func (change) Kind() string  { return "change" }
func (changed) Kind() string { return "changed" }
func (look) Kind() string    { return "look" }
func (looked) Kind() string  { return "looked" }

func (c change) Keys() []string  { return c.Edit.Keys() }
func (c changed) Keys() []string { return c.Edit.Keys() }
func (l look) Keys() []string    { return l.At.Keys() }
func (l looked) Keys() []string  { return []string{l.Type.String(), l.Key} }

func (c change) String() string  { return "change " + c.Edit.text() }
func (c changed) String() string { return "changed " + c.Edit.text() }
func (l look) String() string    { return fmt.Sprintf("look %v %s", l.At.Type, l.At.Key) }
func (l looked) String() string  { return fmt.Sprintf("%v %s is %s", l.Type, l.Key, l.Text) }

func (c change) call() sim.CallID  { return c.Call }
func (c changed) call() sim.CallID { return c.Call }
func (l look) call() sim.CallID    { return l.Call }
func (l looked) call() sim.CallID  { return l.Call }

func (m mutate) begin(n *node, env *sim.Env, c sim.Call) {
	to, ok := n.find(env, c.ID, m.At)
	switch {
	case !ok:
	case to == n.id:
		n.change(env, c.ID, m)
		env.Return(c.ID, changed{c.ID, m})
	default:
		n.ask(env, to, change{c.ID, m})
	}
}

func (i inspect) begin(n *node, env *sim.Env, c sim.Call) {
	to, ok := n.find(env, c.ID, i.At)
	switch {
	case !ok:
	case to == n.id:
		env.Return(c.ID, i.found(c.ID, n.object(i.Type, i.Key)))
	default:
		n.ask(env, to, look{c.ID, i})
	}
}

func (c change) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.change(env, c.Call, c.Edit)
	n.send(env, from, changed(c))
}

func (l look) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.send(env, from, l.At.found(l.Call, n.rules.crdt.shown(n.object(l.At.Type, l.At.Key))))
}

func (c changed) arrive(n *node, env *sim.Env, _ sim.NodeID) { n.answer(env, c.Call, c) }

func (l looked) arrive(n *node, env *sim.Env, _ sim.NodeID) { n.answer(env, l.Call, l) }

// found is what a client is told of an object.
func (i inspect) found(c sim.CallID, o crdtObject) looked {
	return looked{Call: c, Type: i.Type, Key: i.Key, Text: o.State.String()}
}

// Facts that replicas say of objects.
type (
	// did: a replica has made an edit, durably. Seen are the edits that it had before, in order.
	did struct {
		Call sim.CallID
		Edit mutate
		Seen []sim.CallID
	}
	// object: what a replica has of an object, durably, from now on: its value, and which edits are
	// in it, in order.
	object struct {
		Type  objectType
		Key   string
		Text  string
		Calls []sim.CallID
	}
)

func (did) Kind() string    { return "did" }
func (object) Kind() string { return "object" }

func (d did) Keys() []string    { return d.Edit.Keys() }
func (o object) Keys() []string { return []string{o.Type.String(), o.Key} }

func (d did) String() string    { return "did " + d.Edit.text() }
func (o object) String() string { return fmt.Sprintf("object %v %s %s", o.Type, o.Key, o.Text) }

func (o crdtObject) says() object { return object{o.Type, o.Key, o.State.String(), o.Calls} }
