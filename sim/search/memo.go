package search

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/downset/downset/sim"
)

// memo remembers which plans fail: a shrinker comes to many of them again.
type memo struct {
	fails map[string]bool
	key   []byte
}

// known is what is known of a plan, and the key under which to remember it.
func (m *memo) known(p *sim.Plan) (fails, known bool) {
	m.key = appendPlan(m.key[:0], p)
	fails, known = m.fails[string(m.key)]
	return fails, known
}

// learn remembers the plan that known was asked about last.
func (m *memo) learn(fails bool) {
	if m.fails == nil {
		m.fails = map[string]bool{}
	}
	m.fails[string(m.key)] = fails
}

// appendPlan appends what distinguishes a plan from others that one shrinker tries.
func appendPlan(b []byte, p *sim.Plan) []byte {
	b = strconv.AppendBool(b, p.Timed)
	b = strconv.AppendUint(b, p.Seed, 10)
	for _, n := range p.Nodes {
		b = append(append(b, ' '), n...)
	}
	b = append(b, '+')
	for _, n := range p.Later {
		b = append(append(b, ' '), n...)
	}
	for _, value := range p.Setup {
		b = fmt.Appendf(b, "\n%v", value)
	}
	b = appendNetwork(b, p.Network)
	for i := range actions(p) {
		if i == len(p.Script) {
			b = append(b, "\nload"...)
		}
		b = appendAction(b, actionAt(p, i))
	}
	for i := range p.Chance {
		b = appendException(b, &p.Chance[i])
	}
	return b
}

// appendNetwork is short for the networks that are tried most: nothing but links.
func appendNetwork(b []byte, n sim.Network) []byte {
	for i := range n.Links {
		l := &n.Links[i]
		b = append(append(append(append(b, '|'), l.From...), '>'), l.To...)
		for _, v := range [...]int64{int64(l.Delay.Shape), int64(l.Delay.Low), int64(l.Delay.High),
			int64(l.Loss), int64(l.Duplicate)} {
			b = strconv.AppendInt(append(b, ' '), v, 10)
		}
	}
	if n.Links = nil; reflect.ValueOf(n).IsZero() {
		return b
	}
	return fmt.Appendf(b, "|%v", n)
}

func appendAction(b []byte, a *sim.Action) []byte {
	if a.Verb == sim.Request && a.When == nil && len(a.For) == 0 {
		b = append(append(b, '\n'), a.Node...)
		for _, w := range a.Words {
			b = append(append(b, ' '), w...)
		}
		b = strconv.AppendInt(append(b, " by "...), int64(a.Client), 10)
		b = strconv.AppendInt(append(b, " at "...), int64(a.Place), 10)
		b = strconv.AppendInt(append(b, ' '), int64(a.Offset), 10)
		return strconv.AppendBool(append(b, ' '), a.Maybe)
	}
	plain := *a
	plain.When, plain.Line, plain.Text = nil, 0, ""
	if a.When != nil {
		b = fmt.Appendf(b, "\nwhen %v", *a.When)
	}
	return fmt.Appendf(b, "\n%v", plain)
}

func appendException(b []byte, e *sim.Exception) []byte {
	n := &e.Name
	b = strconv.AppendInt(append(b, '\n'), int64(n.What), 10)
	for _, w := range [...]string{n.At, n.To, n.Of, n.Keys} {
		b = append(append(b, '|'), w...)
	}
	b = strconv.AppendInt(append(b, '|'), int64(n.N), 10)
	return strconv.AppendInt(append(b, '|'), e.Value, 10)
}
