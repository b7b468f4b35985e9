package clocks

import "fmt"

// GCounter is a counter that only grows (Shapiro, Preguica, Baquero, Zawirski, A comprehensive
// study of convergent and commutative replicated data types, 2011, specification 6): by actor, how
// much it has added. It has the form of a version vector, of which one write may count for many. It
// is a value: no method changes it. Its zero value counts nothing.
type GCounter struct{ Added VersionVector }

// Add is c after an actor has added n, n >= 0. An actor adds to what itself last had, and to
// nothing older, or what it added before is lost.
func (c GCounter) Add(actor string, n int64) GCounter {
	return GCounter{c.Added.Set(actor, c.Added.Get(actor)+n, 0)}
}

// Value is what all have added.
func (c GCounter) Value() int64 {
	sum := int64(0)
	for _, p := range c.Added {
		sum += p.Count
	}
	return sum
}

// Merge has what either has: of each actor the more.
func (c GCounter) Merge(d GCounter) GCounter { return GCounter{c.Added.Merge(d.Added)} }

// Equal says that both have heard the same of each actor.
func (c GCounter) Equal(d GCounter) bool { return c.Added.Compare(d.Added) == Equal }

// Clone shares nothing with c.
func (c GCounter) Clone() GCounter { return GCounter{c.Added.Merge(nil)} }

func (c GCounter) String() string { return fmt.Sprint(c.Value()) }

// PNCounter is a counter that grows and shrinks (specification 7 of the same): one counter of what
// was added and one of what was taken, each of which only grows. Its zero value counts nothing.
type PNCounter struct{ Up, Down GCounter }

// Add is c after an actor has added n, n >= 0, as GCounter.Add says.
func (c PNCounter) Add(actor string, n int64) PNCounter {
	return PNCounter{c.Up.Add(actor, n), c.Down}
}

// Take is c after an actor has taken n, n >= 0. It may go below zero.
func (c PNCounter) Take(actor string, n int64) PNCounter {
	return PNCounter{c.Up, c.Down.Add(actor, n)}
}

// Value is what was added without what was taken.
func (c PNCounter) Value() int64 { return c.Up.Value() - c.Down.Value() }

// Merge merges both counters.
func (c PNCounter) Merge(d PNCounter) PNCounter {
	return PNCounter{c.Up.Merge(d.Up), c.Down.Merge(d.Down)}
}

// Equal says that both have heard the same of each actor.
func (c PNCounter) Equal(d PNCounter) bool { return c.Up.Equal(d.Up) && c.Down.Equal(d.Down) }

// Clone shares nothing with c.
func (c PNCounter) Clone() PNCounter { return PNCounter{c.Up.Clone(), c.Down.Clone()} }

func (c PNCounter) String() string { return fmt.Sprint(c.Value()) }
