package model_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// A fuzzer's bytes are a plan, one byte a decision, zero after the end: zero is the plainest choice
// everywhere, and ends every list. The layout of a plan is written down once, as a walk over it. A
// coder walks to read bytes, to write them, or to learn which words and numbers there are: those of
// the stories in scenarios/, each of which is a seed.

// book is the words and numbers that bytes stand for, of one model.
type book struct {
	names, kinds, keys, words []string
	setup                     []string // words of it
	spans, amounts            []int64
}

// mode is what a coder does on its walk.
type mode uint8

const (
	reading mode = iota
	writing
	learning
)

// coder walks over plans.
type coder struct {
	mode  mode
	bytes []byte // left to read, or written
	*book
	nodes []string // of the plan under way
	ends  []string // of its links: nodes, then what is none
}

// number is in [0, n).
func (c *coder) number(v *int, n int) {
	switch c.mode {
	case reading:
		*v = 0
		if len(c.bytes) > 0 {
			*v, c.bytes = int(c.bytes[0])%n, c.bytes[1:]
		}
	case writing:
		c.bytes = append(c.bytes, byte(*v))
	}
}

func (c *coder) is(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	c.number(&n, 2)
	*v = n == 1
}

// one is an item of a list, which a coder that learns adds to it.
func one[T comparable](c *coder, list *[]T, v *T) {
	at := slices.Index(*list, *v)
	if at < 0 && c.mode == learning {
		*list = append(*list, *v)
	}
	at = max(at, 0)
	c.index(&at, len(*list))
	if c.mode == reading {
		*v = (*list)[at]
	}
}

// index is in [0, n): a byte, or two of a long list, the second for where in its part of the list.
func (c *coder) index(v *int, n int) {
	if n <= 256 {
		c.number(v, n)
		return
	}
	part, at := *v/256, *v%256
	c.number(&part, (n+255)/256)
	c.number(&at, min(256, n-256*part))
	*v = 256*part + at
}

// some is a list of up to most items. On reading, items that fits refuses are left out.
func some[T any](c *coder, list *[]T, most int, each func(*T)) {
	for i := 0; i < most; i++ {
		more := i < len(*list)
		c.is(&more)
		if !more {
			return
		}
		if c.mode == reading {
			*list = append(*list, *new(T))
		}
		each(&(*list)[i])
	}
}

func (c *coder) name(v *string) { one(c, &c.names, v) }
func (c *coder) kind(v *string) { one(c, &c.kinds, v) }
func (c *coder) key(v *string)  { one(c, &c.keys, v) }
func (c *coder) word(v *string) { one(c, &c.words, v) }
func (c *coder) node(v *string) { one(c, &c.nodes, v) }
func (c *coder) end(v *string)  { one(c, &c.ends, v) }

func (c *coder) group(v *[]string)  { some(c, v, 8, c.node) }
func (c *coder) groups(v *[]string) { some(c, v, 8, c.end) }

func (c *coder) span(v *time.Duration) { one(c, &c.spans, (*int64)(v)) }

func (c *coder) ppm(v *sim.PPM) {
	n := int64(*v)
	one(c, &c.spans, &n)
	*v = sim.PPM(min(n, 1_000_000))
}

func (c *coder) dist(v *sim.Dist) {
	shape := int(v.Shape)
	c.number(&shape, 4)
	v.Shape = sim.Shape(shape)
	c.span(&v.Low)
	if c.span(&v.High); v.High < v.Low && c.mode == reading {
		v.High = v.Low
	}
}

// plan is the layout of a plan.
func (c *coder) plan(p *sim.Plan) {
	some(c, &p.Nodes, 8, c.name)
	some(c, &p.Later, 2, c.name)
	if c.mode == reading {
		p.Nodes, p.Later = distinct(p.Nodes, p.Later)
	}
	names := slices.Concat(p.Nodes, p.Later)
	c.nodes = append(slices.Clone(names), "*", "")
	c.ends = append(names, "*", "client", "clock", "disk", "log", "")
	c.is(&p.Timed)
	c.network(&p.Network)
	seed := int(p.Seed)
	c.number(&seed, 256)
	p.Seed = uint64(seed)
	some(c, &p.Script, 200, c.action)
	some(c, &p.Load, 200, c.action)
	some(c, &p.Chance, 40, c.exception)
	c.setUp(p)
	if c.mode == reading {
		c.mend(p)
	}
}

// distinct are names without those that came before, at least one.
func distinct(nodes, later []string) (n, l []string) {
	for _, name := range nodes {
		if name != "" && !slices.Contains(n, name) {
			n = append(n, name)
		}
	}
	if len(n) == 0 {
		n = []string{"P", "Q"}
	}
	for _, name := range later {
		if name != "" && !slices.Contains(slices.Concat(n, l), name) {
			l = append(l, name)
		}
	}
	return n, l
}

// mend leaves out what an engine refuses: requests that the model does not read, nodes that are not
// there, a second exception for one decision. What is left out is not there to find anything with.
func (c *coder) mend(p *sim.Plan) {
	nodes := slices.Concat(p.Nodes, p.Later)
	stranger := func(name string) bool { return !slices.Contains(nodes, name) }
	unread := func(a sim.Action) bool {
		_, err := p.Protocol.ParseOp(a.Words)
		return a.Verb == sim.Request && (err != nil || slices.Contains(a.Words, ""))
	}
	for _, list := range []*[]sim.Action{&p.Script, &p.Load} {
		*list = slices.DeleteFunc(*list, unread)
		for i := range *list {
			a := &(*list)[i]
			if stranger(a.Node) {
				a.Node = p.Nodes[0]
			}
			for k, group := range a.Groups {
				a.Groups[k] = slices.DeleteFunc(group, stranger)
			}
		}
	}
	for i := range p.Load {
		p.Load[i].Place, p.Load[i].When = sim.At, nil
		if i > 0 {
			p.Load[i].Offset = max(p.Load[i].Offset, p.Load[i-1].Offset)
		}
	}
	var chance []sim.Exception
	for _, e := range p.Chance {
		named := func(x sim.Exception) bool { return x.Name == e.Name }
		if e.Name.At != "*" && e.Name.To != "*" && e.Name.At != "" && !slices.ContainsFunc(chance, named) {
			chance = append(chance, e)
		}
	}
	p.Chance = chance
}

func (c *coder) network(n *sim.Network) {
	c.is(&n.Manual)
	some(c, &n.Links, 8, func(l *sim.Link) {
		c.end(&l.From)
		c.end(&l.To)
		c.dist(&l.Delay)
		c.ppm(&l.Loss)
		c.ppm(&l.Duplicate)
	})
	for _, v := range []*sim.PPM{&n.Break, &n.Crash, &n.SyncFail, &n.Torn} {
		c.ppm(v)
	}
	c.number(&n.Crashes, 8)
	for _, v := range []*sim.Dist{&n.Restart, &n.SyncTime, &n.Told, &n.Late, &n.Reopen} {
		c.dist(v)
	}
	c.is(&n.DiskSlow)
	c.is(&n.Keep)
	c.span(&n.Detect)
	c.span(&n.Timeout)
	flight := int(n.InFlight)
	c.number(&flight, 3)
	n.InFlight = sim.InFlight(flight)
}

func (c *coder) action(a *sim.Action) {
	verb, place := int(a.Verb)-1, int(a.Place)
	c.number(&verb, int(sim.Wait))
	a.Verb = sim.Verb(verb + 1)
	c.node(&a.Node)
	switch a.Verb {
	case sim.Request:
		some(c, &a.Words, 10, c.word)
		c.number(&a.Client, 5)
	case sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Drop, sim.Duplicate:
		c.pattern(&a.Pattern)
	case sim.Partition:
		some(c, &a.Groups, 3, c.group)
		c.is(&a.OneWay)
	case sim.Crash:
		c.is(&a.Forever)
	case sim.Jump, sim.Drift:
		one(c, &c.amounts, &a.Amount)
	case sim.SpoilDisk:
		fault := int(a.Fault) - 1
		c.number(&fault, int(sim.DiskLost))
		a.Fault = sim.DiskFault(fault + 1)
		one(c, &c.spans, &a.Amount)
	case sim.Wake, sim.CheckClaim:
		c.group(&a.Claim.Who)
		some(c, &a.Claim.Words, 8, c.word)
	case sim.Until:
		c.event(&a.Event)
	}
	c.number(&place, 3)
	a.Place = sim.Place(place)
	c.span(&a.Offset)
	if timed := a.When != nil; true {
		c.is(&timed)
		if timed && a.When == nil {
			a.When = &sim.Trigger{}
		}
	}
	if a.When != nil {
		c.event(&a.When.Event)
		c.is(&a.When.Before)
		c.is(&a.When.Every)
	}
	c.is(&a.Maybe)
}

func (c *coder) pattern(p *sim.Pattern) {
	c.groups(&p.From)
	c.groups(&p.To)
	c.kind(&p.Kind)
	some(c, &p.Keys, 3, c.key)
	c.number(&p.Nth, 5)
}

func (c *coder) event(e *sim.Event) {
	what := int(e.What) - 1
	c.node(&e.Node)
	c.number(&what, int(sim.Returns))
	e.What = sim.EventKind(what + 1)
	c.kind(&e.Kind)
	some(c, &e.Keys, 3, c.key)
	c.number(&e.Nth, 5)
}

// choice is a variant of a model, with the book of its stories.
type choice struct {
	protocol *sim.Protocol
	variant  sim.Variant
	book     *book
}

// library is every variant of every model, and those with rules that stories play.
func library(t testing.TB) []choice {
	t.Helper()
	var all []choice
	for _, p := range model.All {
		c := &coder{mode: learning, book: &book{
			names: []string{"", "P", "Q", "R", "S", "T"}, kinds: []string{""}, keys: []string{""},
			words: []string{""}, setup: []string{""}, amounts: []int64{0, 1_000_000, -1_000_000, 100, -100, 50_000_000},
			spans: []int64{0, 1, 1000, 1_000_000, 1_000_001, 5_000_000, 10_000_000, 50_000, 500_000},
		}}
		variants := slices.Clone(p.Variants)
		for _, told := range stories(t, p) {
			c.plan(told)
			if !slices.ContainsFunc(variants, func(v sim.Variant) bool { return v.Name == told.Variant.Name }) {
				variants = append(variants, told.Variant) // with rules
			}
		}
		for _, v := range variants {
			all = append(all, choice{p, v, c.book})
		}
	}
	return all
}

// stories are the plans of the stories of a model, of each case the first variant that it plays.
func stories(t testing.TB, p *sim.Protocol) []*sim.Plan {
	t.Helper()
	files, err := filepath.Glob("../scenarios/" + p.Name + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories of %s: %v", p.Name, err)
	}
	var all []*sim.Plan
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenarios.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range s.Grid() {
			all = append(all, planOf(t, p, one.Scenario))
		}
	}
	return all
}

func planOf(t testing.TB, p *sim.Protocol, s *scenarios.Scenario) *sim.Plan {
	t.Helper()
	variants, err := s.Variants(p)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(p, variants[0], s.Seeds.From)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// limits keep a fuzzer's runs short.
var limits = sim.Budget{Events: 3000, Time: time.Minute, Bytes: 1 << 24, Linger: time.Second}

// decode makes a plan of bytes: first the variant, then the plan.
func decode(all []choice, data []byte) *sim.Plan {
	c := &coder{bytes: data}
	which := 0
	c.index(&which, len(all))
	c.book = all[which].book
	p := &sim.Plan{Protocol: all[which].protocol, Variant: all[which].variant, Budget: limits}
	c.plan(p)
	return p
}

// encode makes bytes of a plan.
func encode(all []choice, p *sim.Plan) []byte {
	which := max(0, slices.IndexFunc(all, func(c choice) bool {
		return c.protocol == p.Protocol && c.variant.Name == p.Variant.Name
	}))
	c := &coder{mode: writing, book: all[which].book}
	c.index(&which, len(all))
	c.plan(p)
	return c.bytes
}
