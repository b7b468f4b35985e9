package raft

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// end judges what compares nodes, and what a run ends with.
func (b *book) end() {
	for i := range b.nodes {
		if n := &b.nodes[i]; n.up {
			b.input(n, int32(len(b.trace)))
		}
	}
	b.elections()
	b.completeness()
	b.prefixes()
	b.belated()
	b.passedOver()
	b.snapshots()
	b.answers()
	b.splits()
	if b.run.Epilogue < len(b.trace) {
		b.rest()
	}
}

// rest judges a run that has been healed and has come to rest: R18.
func (b *book) rest() {
	group, ok := b.able()
	if !ok {
		return
	}
	b.answered(group)
	b.premise(cProgress)
	var lead *nodeBook
	for i := range b.nodes {
		if n := &b.nodes[i]; n.up && n.leads > 0 && (lead == nil || n.leads > lead.leads) {
			lead = n
		}
	}
	last := int32(len(b.trace) - 1)
	if lead == nil {
		b.fails(cProgress, []int32{last}, "in the end nobody leads, and a majority of %s is up",
			group.Text(b.name))
		return
	}
	for i := range b.nodes {
		n := &b.nodes[i]
		if knows := max(n.commit, n.disk.cache.base); n.up && group.Has(n.id) && knows < lead.commit {
			b.fails(cProgress, []int32{lead.commitAt, n.commitAt, last}, "in the end %s knows that all "+
				"up to %d is committed, and %s, which leads, that all up to %d is", b.name(n.id), knows,
				b.name(lead.id), lead.commit)
		}
	}
}

// able is the committed configuration, and whether those who are up are enough to decide in it, and
// in each that may come after it.
func (b *book) able() (group Members, ok bool) {
	s, ok := b.agreed(int64(len(b.commits)))
	if !ok {
		return group, false
	}
	up := func(id sim.NodeID) bool {
		return int(id) < len(b.nodes) && b.nodes[id].up && b.nodes[id].wiped == 0
	}
	if !s.members.Quorum(up) {
		return group, false
	}
	for i := range b.nodes {
		v := &b.nodes[i].disk.cache
		for k := v.last(); k > max(v.base, int64(len(b.commits))); k-- {
			l, _ := b.trace[v.entry(k)].Body.(Logged)
			if m, is := l.Command.(Members); is && !m.Quorum(up) {
				return group, false
			}
		}
	}
	return s.members, true
}

// answered looks for calls that a node has taken up and never answered.
func (b *book) answered(group Members) {
	for k := range b.calls {
		c := &b.calls[k]
		if c.taken == 0 {
			continue
		}
		b.premise(cAnswered)
		if n := &b.nodes[c.node]; !c.over && n.up && n.life < c.taken && group.Has(n.id) {
			b.fails(cAnswered, []int32{c.taken}, "%s never answers %s", b.name(n.id), sim.Text(c.op))
		}
	}
}

// answers compares what clients are told with the committed log.
func (b *book) answers() {
	p := newReplay(b)
	p.upTo(int64(len(b.commits)))
	b.reached[gTwiceInLog] += p.again
	for id := range b.calls {
		c := &b.calls[id]
		if c.ended == 0 {
			continue
		}
		b.premise(cAnswers)
		if why := p.wrong(id+1, c); why != "" {
			b.fails(cAnswers, []int32{c.invoked, c.ended}, "%s answers %s with %s, %s", b.name(c.node),
				sim.Text(c.op), sim.Text(c.result), why)
		}
		b.follows(c)
	}
}

// follows judges the index of an answer by those that were given before it was asked.
func (b *book) follows(c *callBook) {
	index, ok := indexOf(c.result)
	if !ok {
		return
	}
	op, reads := c.op.(get)
	switch {
	case reads && op.Via == throughIndex:
		b.premise(cReadFresh)
		if index < c.told {
			b.fails(cReadFresh, []int32{c.toldAt, c.invoked, c.ended}, "%s answers %s with what it was "+
				"at %d, and what was done at %d was answered before it was asked", b.name(c.node),
				sim.Text(c.op), index, c.told)
		}
	case !reads || op.Via == throughLog:
		if index <= c.told {
			b.fails(cAnswers, []int32{c.toldAt, c.invoked, c.ended}, "%s answers that %s was done at %d, "+
				"and what was done at %d was answered before it was asked", b.name(c.node),
				sim.Text(c.op), index, c.told)
		}
	}
}

// wrong says what is wrong with an answer, "" if nothing.
func (p *replay) wrong(call int, c *callBook) string {
	first := p.firsts[call]
	switch r := c.result.(type) {
	case wrote:
		return p.elsewhere(first, r.Index)
	case swapped:
		if !r.OK {
			p.b.reach(gSwapFailed)
		}
		if why := p.elsewhere(first, r.Index); why != "" || r.OK == p.done[call] {
			return why
		}
		op, _ := c.op.(cas)
		return fmt.Sprintf("where %s was %s", op.Key, orEmpty(p.value(op.Key, first-1)))
	case got:
		op, _ := c.op.(get)
		if op.Via == throughLog {
			if why := p.elsewhere(first, r.Index); why != "" {
				return why
			}
		}
		if r.Index > p.index {
			return "which nobody has found committed"
		}
		if is := p.value(op.Key, r.Index); is != r.Value {
			return fmt.Sprintf("where %s is %s", op.Key, orEmpty(is))
		}
	case changed:
		return p.other(c, r.Index)
	}
	return ""
}

// elsewhere says that a command took effect, or not, where a client is told.
func (p *replay) elsewhere(first, told int64) string {
	switch {
	case first == 0:
		return "and no leader has found it committed"
	case first != told:
		return fmt.Sprintf("and it took effect at %d", first)
	}
	return ""
}

// other says that there is another configuration than a client is told.
func (p *replay) other(c *callBook, index int64) string {
	s, ok := p.b.agreed(index)
	op, asked := c.op.(members)
	if !ok || !asked || index > p.index {
		return "which nobody has found committed"
	}
	names := map[string]bool{}
	for _, name := range op.Voters {
		names[name] = true
	}
	for _, id := range s.members.Voters {
		if !names[p.b.name(id)] {
			return "where the configuration is " + s.members.Text(p.b.name)
		}
	}
	if len(names) != len(s.members.Voters) {
		return "where the configuration is " + s.members.Text(p.b.name)
	}
	return ""
}
