package ignite

import "slices"

// part is the partition of a key here, nil if this node does not own it.
func (n *node) part(k string) *partition {
	p := n.layout.of(k)
	if p == nil {
		return nil
	}
	for i := range n.parts {
		if n.parts[i].Name == p.Part() {
			return &n.parts[i]
		}
	}
	return nil
}

// get is what a key holds, the zero entry for nothing.
func (p *partition) get(k string) entry {
	for i := range p.Entries {
		if p.Entries[i].Key == k {
			return p.Entries[i]
		}
	}
	return entry{Key: k}
}

// put writes an update of a transaction, which keeps entries in the order of their keys. What a
// later update of the key has overwritten stays so.
func (p *partition) put(t txID, u update) {
	at := 0
	for at < len(p.Entries) && p.Entries[at].Key < u.Key {
		at++
	}
	e := entry{u.Key, u.Value, u.Counter, t}
	if at == len(p.Entries) || p.Entries[at].Key != u.Key {
		p.Entries = slices.Insert(p.Entries, at, e)
	} else if p.Entries[at].Counter <= u.Counter {
		p.Entries[at] = e
	}
	p.Counter = max(p.Counter, u.Counter)
}
