package clocks

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// crdtProperties are those of replicated objects. What the value of an object must be they have
// from the edits that replicas said they made, and from which of them each had seen (the
// specifications by visibility of Burckhardt, Gotsman, Yang, Zawirski, Replicated data types:
// specification, verification, optimality, 2014), not from the states.
func crdtProperties() []sim.Property {
	return []sim.Property{
		{Name: "object-kept", Layer: dataLayer, Class: sim.Silent, Check: objectKept,
			Doc: "a replica never loses an edit that it said it made or has, across crashes too"},
		{Name: "counter-exact", Layer: dataLayer, Class: sim.Silent, Check: counterExact,
			Doc: "a counter is the sum of the edits that are in it, each once; in the end that " +
				"of all that clients were told of and some of those that they never heard of, " +
				"and never more than was begun"},
		{Name: "set-adds-win", Layer: dataLayer, Class: sim.Silent,
			Check: func(run *sim.Run) (int, *sim.Violation) { return specified(run, orSet) },
			Doc: "an element is in a set if and only if an add of it is in it that no del of it " +
				"had seen which is in it too"},
		{Name: "register-keeps", Layer: dataLayer, Class: sim.Silent, Check: registerKeeps,
			Doc: "a multi-value register has the values of just those writes in it that no other " +
				"in it had seen; a last-write register has one of these"},
		{Name: "counter-grows", Layer: dataLayer, Class: sim.Silent, Check: counterGrows,
			Doc: "of two reads of a g-counter at one replica, one after the other, the second is " +
				"not less"},
		{Name: "crdt-converges", Layer: outcomeLayer, Class: sim.Silent, Scope: sim.ScopeEnd,
			Check: crdtConverges,
			Doc: "in the end any two replicas have the same edits in an object, and the same " +
				"value, unless one of them has stopped, or refuses the other's stamps to the end"},
	}
}

// objectKept compares what a replica says of an object with what it has said before.
func objectKept(run *sim.Run) (premises int, v *sim.Violation) {
	type last struct {
		entry int
		calls []sim.CallID
	}
	had := map[replicaKey]last{}
	for i, o := range facts[object](run) {
		at := replicaKey{run.Trace[i].Node, o.name()}
		was, known := had[at]
		had[at] = last{i, o.Calls}
		if !known {
			continue
		}
		premises++
		for _, c := range was.calls {
			if _, kept := slices.BinarySearch(o.Calls, c); !kept {
				v = witnessed(v, fmt.Sprintf("%s has lost call %d of %s", run.Name(at.node), c, at.key),
					was.entry, i)
				break
			}
		}
	}
	return premises, v
}

// witnessed is a violation, the first of those counted.
func witnessed(v *sim.Violation, reason string, witness ...int) *sim.Violation {
	if v == nil {
		v = &sim.Violation{Reason: reason, Witness: sorted(witness...)}
	}
	v.Count++
	return v
}

// counterExact is specified of both types of counter, and compares with what clients know.
func counterExact(run *sim.Run) (premises int, v *sim.Violation) {
	for _, t := range []objectType{gCounter, pnCounter} {
		p, w := specified(run, t)
		q, x := bounds(run, t)
		premises += p + q
		v = cmp.Or(v, w, x)
	}
	return premises, v
}

// registerKeeps is specified of both types of register.
func registerKeeps(run *sim.Run) (premises int, v *sim.Violation) {
	for _, t := range []objectType{lwwRegister, mvRegister} {
		p, w := specified(run, t)
		premises += p
		v = cmp.Or(v, w)
	}
	return premises, v
}

// specified compares what replicas say of the objects of a type with what the edits in them come
// to.
func specified(run *sim.Run, t objectType) (premises int, v *sim.Violation) {
	b := bookOf(run)
	for _, s := range b.said {
		if s.Type != t {
			continue
		}
		in, known := b.edits(s.Calls)
		if !known {
			continue
		}
		premises++
		if want, ok := spec(t, in, s.Text); !ok {
			v = witnessed(v, fmt.Sprintf("%s has %v %s as %s, but the edits in it come to %s",
				run.Name(s.node), t, s.Key, s.Text, want), append(entriesOf(in), s.entry)...)
		}
	}
	return premises, v
}
