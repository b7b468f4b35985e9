package clocks

import (
	"cmp"
)

// LWWRegister is a register of which the last write stands (Shapiro and others 2011, specification
// 8), last by a hybrid stamp, of equal stamps that of the greater actor. A write that had seen
// another has a greater stamp, however wrong the clocks are; of two that had not, one is lost. It
// is a value: no method changes it. Its zero value has never been set.
type LWWRegister struct {
	Stamp Hybrid
	Actor string // who has set it, "" if nobody
	Value string
}

// Set is r after an actor has set v. The stamp is above all that the actor has seen, and its own
// alone: no actor sets two values with one stamp.
func (r LWWRegister) Set(stamp Hybrid, actor, v string) LWWRegister {
	return LWWRegister{stamp, actor, v}
}

// Merge is the later of both.
func (r LWWRegister) Merge(q LWWRegister) LWWRegister {
	if r.compare(q) < 0 {
		return q
	}
	return r
}

// compare orders writes: below zero if r is first. One that was never set is before all.
func (r LWWRegister) compare(q LWWRegister) int {
	switch {
	case r.Actor == "" || q.Actor == "":
		return cmp.Compare(r.Actor, q.Actor)
	}
	return cmp.Or(r.Stamp.Compare(q.Stamp), cmp.Compare(r.Actor, q.Actor))
}

// Equal says that both have the same write.
func (r LWWRegister) Equal(q LWWRegister) bool { return r == q }

// Clone shares nothing with r.
func (r LWWRegister) Clone() LWWRegister { return r }

func (r LWWRegister) String() string {
	if r.Actor == "" {
		return valuesText(nil)
	}
	return r.Value
}

// MVRegister is a register that keeps all values of which no write had seen another (the
// multi-value register of Shapiro and others 2011, specification 10, with dots for vectors):
// whoever reads and sets has settled it. Its zero value has never been set.
type MVRegister struct{ Causal }

// Keep is r after an actor has set v: it stands for all that it has seen.
func (r MVRegister) Keep(actor, v string) MVRegister {
	return MVRegister{r.Put(actor, v, func(Tagged) bool { return true })}
}

// Merge has each value that one has and the other has not seen replaced.
func (r MVRegister) Merge(q MVRegister) MVRegister { return MVRegister{r.Causal.Merge(q.Causal)} }

// Equal says that both have seen the same writes, and have the same of them.
func (r MVRegister) Equal(q MVRegister) bool { return r.Causal.Equal(q.Causal) }

// Clone shares nothing with r.
func (r MVRegister) Clone() MVRegister { return MVRegister{r.Causal.Clone()} }
