package ignite

import "github.com/downset/downset/sim"

// noted takes in a fact. Most are about objects of transactions.
func (p *pass) noted(i int32, e *sim.Entry) {
	switch f := e.Body.(type) {
	case moved:
		p.moved(i, e.Node, &f)
	case made:
		p.make(p.entry(i, &f.Object.txID), f.Object, e.Node, i)
	case pinned:
		c := p.entry(i, &f.Object.txID)
		l := &c.stints[p.stint(c, &f.Object, e.Node, i)]
		l.by, l.pins = f.By, append(l.pins, i)
	case tagged:
		c := p.entry(i, &f.Object.txID)
		k := p.stint(c, &f.Object, e.Node, i)
		c.tags = append(c.tags, tag{i, k, f.Tag, p.stands(e.Node)})
	default:
		if c := p.about(i, e.Body); c != nil {
			c.noted(i, e)
			return
		}
		p.notedOfCut(i, e)
	}
}

// noted takes in a fact about a transaction that is about none of its objects.
func (c *course) noted(i int32, e *sim.Entry) {
	switch f := e.Body.(type) {
	case began:
		c.began = i
	case mapped:
		c.mapped, c.mapping = i, f.Map
	case outcome:
		c.outcomes = append(c.outcomes, i)
	}
}

// moved is an object that goes from one state to another.
func (p *pass) moved(i int32, node sim.NodeID, f *moved) {
	c := p.entry(i, &f.Object.txID)
	l := &c.stints[p.stint(c, &f.Object, node, i)]
	if l.at[f.To] < 0 {
		l.at[f.To] = i
	}
	l.state, l.by, l.moves = f.To, f.By, append(l.moves, i)
	c.failed = c.failed || f.To == unknown
	if f.To == prepared {
		l.stood = p.stands(node)
	}
}

// make begins the stint of an object.
func (p *pass) make(c *course, k key, node sim.NodeID, i int32) {
	l := stint{key: k, node: node, made: i, moves: p.spare.places.some(4),
		pins:  p.spare.places.some(2),
		stood: nowhere, fell: nowhere}
	for s := range l.at {
		l.at[s] = nowhere
	}
	c.stints = append(c.stints, l)
}

// stint is the index of the newest stint of an object on a node. A crash may have cut off the fact
// that it was made.
func (p *pass) stint(c *course, k *key, node sim.NodeID, i int32) int32 {
	for at := len(c.stints) - 1; at >= 0; at-- {
		// its objects are all of one transaction
		if l := &c.stints[at]; l.node == node && l.key.Role == k.Role && l.key.Primary == k.Primary {
			return int32(at)
		}
	}
	p.make(c, *k, node, i)
	return int32(len(c.stints) - 1)
}

// onePhase says that the transaction took one phase in the end.
func (c *course) onePhase() bool { return c.mapping.OnePhase && !c.demoted }

// signer is the object that fixes the tag, by the rules of commit: near in two phases; in one the
// backup, without one the object that does the primary's part (1.4, 1.5). It is nil if that never
// was PREPARED.
func (c *course) signer() *stint {
	for k := len(c.stints) - 1; k >= 0; k-- {
		if l := &c.stints[k]; l.at[prepared] >= 0 && c.signs(l) {
			return l
		}
	}
	return nil
}

// signs says that an object has the role that fixes the tag.
func (c *course) signs(l *stint) bool {
	switch {
	case !c.onePhase():
		return l.key.Role == near
	case c.backed():
		return l.key.Role == backup
	case len(c.mapping.Shares) == 0:
		return false
	}
	return l.key.Role == primary || l.key.Role == near && c.mapping.Shares[0].Primary == l.node
}

// backed says that a transaction in one phase has a backup.
func (c *course) backed() bool {
	return len(c.mapping.Shares) == 1 && len(c.mapping.Shares[0].Backups) > 0
}
