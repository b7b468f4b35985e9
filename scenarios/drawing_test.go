package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"pgregory.net/rapid"
)

// drawing draws scenarios.
type drawing struct {
	t     *rapid.T
	timed bool
	nodes []string // all
	names []string // of what varies
	used  map[string]bool
}

func (d *drawing) one(of ...string) string { return rapid.SampledFrom(of).Draw(d.t, "word") }
func (d *drawing) coin() bool              { return rapid.Bool().Draw(d.t, "coin") }
func (d *drawing) upTo(n int) int          { return rapid.IntRange(0, n).Draw(d.t, "n") }
func (d *drawing) rarely() bool            { return d.upTo(3) == 0 }

// list is up to n things, nil if none.
func list[T any](d *drawing, n int, draw func() T) []T {
	var all []T
	for range d.upTo(n) {
		all = append(all, draw())
	}
	return all
}

// word is any word that can stand in a request, ordinals and reserved words among them.
func (d *drawing) word() string {
	return d.one("tx5", "row", "k", "T", "a=b", "x:", "->", "by", "is", "after", "2nd", "hold", "P", "P->Q", "*", "é", "a#b", "...")
}

// kind is a word for kinds and keys: no ordinal, no "*", no $.
func (d *drawing) kind() string {
	return d.one("tx5", "row", "k", "T", "a=b", "by", "is", "after", "hold", "P->Q", "é", "for", "if")
}

func (d *drawing) node() string { return d.one(d.nodes...) }

// distinct is one thing at least, each once.
func (d *drawing) distinct(of ...string) []string {
	all := rapid.SliceOfNDistinct(rapid.SampledFrom(of), 1, len(of), rapid.ID[string]).Draw(d.t, "some")
	return all
}

func (d *drawing) duration() time.Duration {
	unit := rapid.SampledFrom([]time.Duration{1, time.Microsecond, time.Millisecond, time.Second, time.Minute, time.Hour}).Draw(d.t, "unit")
	return time.Duration(d.upTo(100)) * unit
}

func (d *drawing) dist() sim.Dist {
	low := d.duration()
	if d.coin() {
		return sim.Dist{Low: low}
	}
	return sim.Dist{Shape: rapid.SampledFrom([]sim.Shape{sim.Uniform, sim.Heavy}).Draw(d.t, "shape"),
		Low: low, High: low + 1 + d.duration()}
}

func (d *drawing) ppm() sim.PPM { return sim.PPM(rapid.IntRange(0, 1_000_000).Draw(d.t, "ppm")) }

func (d *drawing) comments() scenarios.Comments {
	var c scenarios.Comments
	if d.rarely() {
		c.Above = list(d, 2, d.remark)
	}
	if d.rarely() {
		c.After = strings.TrimSpace(d.remark())
	}
	return c
}

func (d *drawing) remark() string {
	return d.one("", "why", "  drawn in", "-- no section --", "# twice", "é")
}

func (d *drawing) scenario() *scenarios.Scenario {
	d.timed, d.used = d.coin(), map[string]bool{}
	all := []string{"P", "Q", "R", "Node_4", "S"}
	d.nodes = all[:1+d.upTo(4)]
	members := 1 + d.upTo(len(d.nodes)-1)
	s := &scenarios.Scenario{
		Model: d.one("cut", "m"), Nodes: slices.Clone(d.nodes[:members]), Timed: d.timed,
		Doc: list(d, 2, d.remark), Tail: list(d, 2, d.remark),
	}
	if members < len(d.nodes) {
		s.Later = slices.Clone(d.nodes[members:])
	}
	s.Setup = list(d, 2, func() scenarios.Setup {
		return scenarios.Setup{Words: append([]string{d.one("key", "client", "quorum")}, list(d, 2, d.word)...)}
	})
	if d.coin() {
		s.Played = []string{"a", "b/rule=x", "c"}
	}
	d.network(s)
	d.vary(s)
	s.Script = d.steps(false)
	if d.timed {
		s.Load = d.steps(true)
	}
	d.chance(s)
	d.expect(s)
	d.rest(s)
	return s
}

// rest is what a grid has not, and comments above sections.
func (d *drawing) rest(s *scenarios.Scenario) {
	if len(s.Vary) == 0 && d.rarely() {
		s.Traces = []scenarios.Golden{{Variant: "a", Lines: []string{"  0  P  # x", "", "1"}}, {Variant: "c"}}
	}
	sections := []string{"script", "expect"}
	if len(s.Traces) > 0 {
		sections = append(sections, "trace a")
	}
	for _, name := range sections {
		if d.rarely() {
			s.Heads = append(s.Heads, scenarios.Head{Section: name, Above: append([]string{"on " + name}, list(d, 1, d.remark)...)})
		}
	}
}

func (d *drawing) network(s *scenarios.Scenario) {
	if !d.timed && d.rarely() {
		s.Explore = &scenarios.Bounds{Timers: d.upTo(3), Crashes: d.upTo(99), Losses: d.upTo(1),
			Duplicates: d.upTo(1), Partitions: d.upTo(2), Breaks: d.upTo(1), Keep: d.coin()}
	}
	n := &s.Network
	n.InFlight = sim.InFlight(d.upTo(2))
	n.DiskSlow = d.coin()
	if d.coin() {
		s.Budget = sim.Budget{Events: d.upTo(9), Time: d.duration(), Bytes: int64(d.upTo(9)), Linger: d.duration()}
	}
	if !d.timed {
		n.Manual, s.Fixed = d.coin(), d.coin()
		return
	}
	d.links(n)
	n.SyncFail, n.Torn, n.Keep = d.ppm(), d.ppm(), d.coin()
	if n.DiskSlow {
		n.SyncTime, n.Told = d.dist(), d.dist()
	}
	n.Crash, n.Crashes, n.Break = d.ppm(), d.upTo(3), d.ppm()
	n.Restart, n.Reopen, n.Late = d.dist(), d.dist(), d.dist()
	n.Detect, n.Timeout = d.duration(), d.duration()
	s.Clients, s.Ops, s.Span = d.upTo(3), d.upTo(9), d.duration()
	if d.coin() {
		from := uint64(1 + d.upTo(5))
		s.Seeds = scenarios.Seeds{From: from, To: from + uint64(d.upTo(9))}
	}
}

// links are some that one can say line by line: all, then single ones.
func (d *drawing) links(n *sim.Network) {
	traits := func(from, to string) sim.Link {
		l := sim.Link{From: from, To: to, Delay: d.dist()}
		if d.coin() {
			l.Loss, l.Duplicate = d.ppm(), d.ppm()
		}
		return l
	}
	for _, l := range []sim.Link{
		traits("*", "*"), traits(d.nodes[0], d.nodes[len(d.nodes)-1]),
		{From: "log", To: "*", Delay: d.dist()}, {From: d.nodes[0], To: "client", Delay: d.dist(), Loss: d.ppm()},
	} {
		own := l.From == l.To && l.From != "*"
		if own {
			l.Loss, l.Duplicate = 0, 0
		}
		plain := l.Delay == sim.Dist{} && l.Loss == 0 && l.Duplicate == 0
		if d.coin() && !plain {
			n.Links = append(n.Links, l)
		}
	}
}

// vary makes the scenario a grid, in which some lines hold $NAMEs.
func (d *drawing) vary(s *scenarios.Scenario) {
	if !d.rarely() {
		return
	}
	s.Vary = []scenarios.Vary{
		{Name: "who", Values: []string{"P"}, Comments: d.comments()},
		{Name: "what", Values: []string{"x", "y", "z"}, Comments: d.comments()},
	}
	count := 3
	if d.coin() {
		s.Skips = []scenarios.Skip{{Where: []scenarios.Cond{{Name: "what", Value: "y"}}, Comments: d.comments()}}
		count = 2
	}
	s.Cases = &scenarios.Cases{Count: count, Void: d.upTo(2), Comments: d.comments()}
	d.names = []string{"who", "what"}
}

func (d *drawing) chance(s *scenarios.Scenario) {
	for i := range d.upTo(4) {
		e := d.exception()
		name := fmt.Sprint(e.Name)
		if d.used[name] {
			continue
		}
		d.used[name] = true
		c := scenarios.Chosen{Exception: e, Comments: d.comments()}
		c.Apart = i > 0 && len(s.Chance) > 0 && d.rarely()
		s.Chance = append(s.Chance, c)
	}
	if len(d.names) > 0 && d.coin() {
		s.Chance = append(s.Chance, scenarios.Chosen{Text: "drop P->$who row $what"})
	}
}

func (d *drawing) exception() sim.Exception {
	what := sim.Choice(1 + d.upTo(11))
	e := sim.Exception{Name: sim.Name{What: what, At: d.node(), To: d.node(), N: int32(1 + d.upTo(30))}, Value: 1}
	key := func() string { return d.one("row", "k", "T", "by", "is", "2nd", "after", "P->Q", "5ms") }
	if d.coin() {
		e.Name.Of, e.Name.Keys = key(), strings.Join(list(d, 2, key), " ")
	}
	span := int64(d.duration())
	switch what {
	case sim.Delay:
		e.Name.To, e.Value = d.one("disk", "log", "client", e.Name.To), span
	case sim.Copy:
		e.Value = 1 + span
	case sim.Tardy:
		e.Name.At, e.Value = "clock", span
	case sim.CrashAt:
		e.Name.To = d.one("before", "after") + " " + d.one("append", "sync", "send", "publish", "return")
	case sim.RestartIn, sim.KeepRows, sim.Tear:
		e.Name.To, e.Name.Of, e.Name.Keys = "", "", ""
		if what == sim.RestartIn {
			e.Value = 1 + span
		} else if what == sim.KeepRows {
			e.Value = int64(d.upTo(5))
		}
	case sim.SyncFails:
		e.Name.To = "disk"
	case sim.Drawn:
		e.Name.To, e.Name.Keys, e.Value = "", "", int64(d.upTo(1000))
		e.Name.Of = strings.Join(append([]string{key()}, list(d, 1, key)...), " ")
	}
	return e
}

func (d *drawing) expect(s *scenarios.Scenario) {
	claim := func() scenarios.Claim {
		c := scenarios.Claim{Claim: d.claim(), Comments: d.comments()}
		if slices.Contains(outcomeWords, (append(c.Who, c.Words...))[1]) {
			c.Words[0] = "side"
		}
		if len(d.names) > 0 && d.coin() {
			c.If = []scenarios.Cond{{Name: "what", Value: d.one("x", "z")}}
		}
		return c
	}
	s.Expect.Claims = list(d, 2, claim)
	for _, name := range []string{"a", "b/rule=x", "c", "*"} {
		v := scenarios.Verdict{Variant: name, Outcome: scenarios.Outcome(1 + d.upTo(3)), Comments: d.comments()}
		if v.Outcome == scenarios.Breaks {
			v.Breaks, v.More = d.distinct("agreement", "order", "P"), d.coin()
		}
		v.Claims = list(d, 2, claim)
		s.Expect.Verdicts = append(s.Expect.Verdicts, v)
	}
}
