package model_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// boundaries are where a crash by exception falls.
var boundaries = []string{"before append", "after append", "before sync", "after sync", "before send",
	"after send", "before publish", "after publish", "before return", "after return"}

func (c *coder) exception(e *sim.Exception) {
	what, nth := int(e.Name.What)-1, int(e.Name.N)
	c.number(&what, int(sim.Drawn))
	e.Name.What = sim.Choice(what + 1)
	c.end(&e.Name.At)
	if e.Name.What == sim.CrashAt {
		one(c, &boundaries, &e.Name.To)
	} else {
		c.end(&e.Name.To)
	}
	c.kind(&e.Name.Of)
	c.key(&e.Name.Keys)
	c.number(&nth, 32)
	e.Name.N = int32(nth)
	one(c, &c.spans, &e.Value)
}

// setUp is the set-up of a model that has one, as the words of its lines. On reading, lines that the
// model does not read are left out.
func (c *coder) setUp(p *sim.Plan) {
	if p.Protocol.ParseSetup == nil {
		return
	}
	var lines [][]string
	for _, value := range p.Setup {
		lines = append(lines, strings.Fields(fmt.Sprint(value)))
	}
	some(c, &lines, 10, func(words *[]string) { some(c, words, 12, c.setupWord) })
	if c.mode != reading {
		return
	}
	p.Setup = nil
	for _, words := range lines {
		if len(words) == 0 || !slices.Contains(p.Protocol.SetupWords, words[0]) {
			continue
		}
		if value, err := p.Protocol.ParseSetup(words, slices.Concat(p.Nodes, p.Later)); err == nil {
			p.Setup = append(p.Setup, value)
		}
	}
}

func (c *coder) setupWord(v *string) { one(c, &c.book.setup, v) }
