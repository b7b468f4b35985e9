package scenarios

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// verbs are the words for what a line does; a request has none.
var verbs = []struct {
	name string
	verb sim.Verb
}{
	{"hold", sim.Hold}, {"release", sim.Release}, {"deliver", sim.Deliver}, {"drop", sim.Drop},
	{"duplicate", sim.Duplicate}, {"crash", sim.Crash}, {"restart", sim.Restart},
	{"pause", sim.Pause}, {"resume", sim.Resume}, {"join", sim.Join}, {"leave", sim.Leave},
	{"partition", sim.Partition}, {"heal", sim.Heal}, {"clock", sim.Jump}, {"disk", sim.SpoilDisk},
	{"settle", sim.Settle}, {"wake", sim.Wake}, {"check", sim.CheckClaim}, {"until", sim.Until},
}

// prefixes are the words that may stand before a line, in their order, but for "by".
var prefixes = []string{"for", "maybe", "at", "after", "before", "when", "every"}

// lineForm is what a line may look like.
const lineForm = `"for VARIANT...: maybe at 5ms when EVENT LINE"`

func isVerb(w string) bool {
	_, ok := verbOf(w)
	return ok
}

func verbOf(w string) (sim.Verb, bool) {
	for _, v := range verbs {
		if v.name == w {
			return v.verb, true
		}
	}
	return 0, false
}

func verbNames() []string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = v.name
	}
	return names
}

func (p *parser) script(sec *section) (err error) {
	p.s.Script, err = p.steps(sec.lines, false)
	return err
}

func (p *parser) load(sec *section) (err error) {
	if !p.s.Timed {
		return p.s.fault(sec.line, `-- load -- takes time: want a line "time runs"`)
	}
	p.s.Load, err = p.steps(sec.lines, true)
	return err
}

func (p *parser) steps(lines []Line, load bool) ([]Step, error) {
	var steps []Step
	last := Step{}
	for _, l := range lines {
		r := p.reader(l)
		st := Step{Action: sim.Action{Line: l.Line}, Comments: l.Comments}
		if p.open(r) {
			st.Text = strings.Join(l.Words, " ")
		} else {
			p.step(r, &st.Action, load)
		}
		if st.Verb != 0 && r.msg == "" {
			st.Text = ActionText(st.Action)
		}
		if st.Place == sim.At {
			if st.Offset < last.Offset {
				r.failf("times must not decrease: %s comes after %s in line %d",
					durationText(st.Offset), durationText(last.Offset), last.Line)
			}
			last = st
		}
		if err := p.mark(r, l.Line); err != nil {
			p.wrong = append(p.wrong, err)
			continue
		}
		steps = append(steps, st)
	}
	return steps, nil
}

// step reads one line: prefixes, then a verb or a request.
func (p *parser) step(r *reader, a *sim.Action, load bool) {
	if r.is("for") {
		a.For = r.variantList()
	}
	a.Maybe = r.is("maybe")
	p.place(r, a)
	if load && a.Place != sim.At {
		r.failf(`want "at 5ms LINE" in -- load --, got %q`, strings.Join(r.words, " "))
	}
	r.trigger(a)
	if r.is("by") {
		a.Client = int(r.number(1, mostClients))
	}
	if a.Place != sim.InTurn && a.When == nil && a.Client == 0 && r.msg == "" && r.at == len(r.words) {
		a.Verb = sim.Wait
	} else {
		p.act(r, a)
	}
	r.end()
	if r.msg == "" {
		p.fitting(r, a, load)
	}
}

// fitting checks what only the whole line tells.
func (p *parser) fitting(r *reader, a *sim.Action, load bool) {
	waits := a.Verb == sim.Settle || a.Verb == sim.Wake || a.Verb == sim.Until || a.Verb == sim.Wait
	switch {
	case a.Client > 0 && a.Verb != sim.Request:
		r.failf(`"by %d" names the client of a request: want "by %d NODE REQUEST..."`, a.Client, a.Client)
	case load && a.When != nil:
		r.failf("-- load -- goes by the clock: want triggers in -- script --")
	case load && waits:
		r.failf("-- load -- waits for nothing: want it in -- script --")
	case a.When != nil && waits:
		r.failf("a trigger cannot wait: want no %s in it", verbName(a.Verb))
	case a.Verb == sim.Until && !p.s.Timed:
		r.failf(`"until" waits for time to pass: want a line "time runs"`)
	}
}

// variantList takes VARIANT...: with a colon behind the last.
func (r *reader) variantList() []string {
	var names []string
	for r.more() {
		w := r.next("a variant")
		name, last := strings.CutSuffix(w, ":")
		if name == "" {
			r.failf("want a variant before the colon")
		}
		names = append(names, name)
		if last {
			return r.variants(names)
		}
	}
	r.failf(`want a colon behind the last variant, as in "for draft merged: LINE"`)
	return nil
}

// place takes "at 5ms" or "after 5ms".
func (p *parser) place(r *reader, a *sim.Action) {
	w := r.peek()
	switch {
	case r.is("at"):
		a.Place = sim.At
	case r.is("after"):
		a.Place = sim.After
	default:
		return
	}
	if !p.s.Timed {
		r.failf(`%q takes time: want a line "time runs"`, w)
	}
	a.Offset = r.duration()
}

// trigger takes "when EVENT", "every EVENT", "before EVENT" or "before every EVENT".
func (r *reader) trigger(a *sim.Action) {
	t := sim.Trigger{Before: r.is("before")}
	t.Every = r.is("every")
	if t.Before || t.Every || r.is("when") {
		t.Event = r.triggerEvent()
		a.When = &t
	}
}

// act takes a verb and what it is about, or a request.
func (p *parser) act(r *reader, a *sim.Action) {
	w := r.next("a verb or a node with a request")
	verb, ok := verbOf(w)
	if !ok {
		a.Verb = sim.Request
		r.request(w, a)
		return
	}
	a.Verb = verb
	switch verb {
	case sim.Deliver:
		if r.is("all") {
			a.Verb = sim.DeliverAll
		} else if r.is("upto") {
			a.Verb = sim.DeliverUpto
		}
		a.Pattern = r.pattern()
	case sim.Hold, sim.Release, sim.Drop, sim.Duplicate:
		a.Pattern = r.pattern()
	case sim.Restart, sim.Pause, sim.Resume, sim.Join, sim.Leave:
		a.Node = r.node()
	case sim.Crash:
		a.Node = r.node()
		if a.Forever = r.is("for"); a.Forever {
			r.must("good")
		}
	case sim.Partition:
		r.partition(a)
	case sim.Jump:
		r.clock(a)
	case sim.SpoilDisk:
		r.disk(a)
	case sim.Wake:
		a.Node = r.node()
		r.must("until")
		a.Claim = r.stepClaim(a.Line)
	case sim.CheckClaim:
		a.Claim = r.stepClaim(a.Line)
	case sim.Until:
		a.Event = r.event()
	}
}

// request takes what a node is asked; w is the node, or what stands in its place.
func (r *reader) request(w string, a *sim.Action) {
	switch {
	case r.msg != "":
		return
	case slices.Contains(prefixes, w) || w == "by":
		r.failf("%q stands too late: want %s", w, lineForm)
	case w[0] >= 'a' && w[0] <= 'z':
		r.failf("no verb %q%s", w, didYouMean(w, verbNames()))
	case !nodeName(w):
		r.at--
		r.want("a verb or a node with a request")
	}
	r.known(w)
	if !r.more() {
		r.want("a request")
	}
	a.Node, a.Words = w, r.rest()
	if a.When != nil && !r.closed && r.msg == "" && isVerb(a.Words[0]) {
		r.failf("want a colon after the event: is %s its last word, or asked to %s?", w, a.Words[0])
	}
}

// stepClaim is a claim of the script, which no grid limits.
func (r *reader) stepClaim(line int) sim.Claim {
	c := r.claim()
	c.Line = line
	if slices.Contains(c.Words, "if") {
		r.failf(`"if" limits claims in -- expect -- only`)
	}
	return c
}

// partition takes groups: "A B | C", or "A B -> C" for the links from the first group alone.
func (r *reader) partition(a *sim.Action) {
	const form = `groups such as "A B | C" or "A B -> C"`
	groups := [][]string{nil}
	var all []string
	for r.more() {
		w := r.peek()
		last := len(groups) - 1
		switch {
		case w == "|" || w == "->" && last == 0:
			a.OneWay = a.OneWay || w == "->"
			groups = append(groups, nil)
		case strings.Contains(w, "->"):
			r.want(form)
		case slices.Contains(all, w):
			r.failf("node %q stands twice", w)
		default:
			r.known(w)
			groups[last], all = append(groups[last], w), append(all, w)
		}
		r.at++
	}
	empty := func(g []string) bool { return len(g) == 0 }
	if len(groups) == 1 || slices.ContainsFunc(groups, empty) {
		r.failf("want %s, got %q", form, strings.Join(r.words, " "))
	}
	a.Groups = groups
}

// clock takes a node and a jump, or the word drift and parts per million.
func (r *reader) clock(a *sim.Action) {
	a.Node = r.node()
	if r.is("drift") {
		a.Verb = sim.Drift
		a.Amount = read(r, "parts per million above -1000000", parseDrift)
		return
	}
	a.Amount = read(r, "a jump such as +50ms, or drift and parts per million", parseJump)
}

func parseJump(w string) (int64, bool) {
	d, ok := parseDuration(strings.TrimLeft(w, "+-"))
	if strings.HasPrefix(w, "-") {
		d = -d
	}
	signs := len(w) - len(strings.TrimLeft(w, "+-"))
	return int64(d), ok && signs == 1
}

// parseDrift reads parts per million by which a clock is fast, or slow but not stopped.
func parseDrift(w string) (int64, bool) {
	digits, minus := strings.CutPrefix(w, "-")
	n, ok := parseNumber(digits)
	if minus {
		n = -n
	}
	return n, ok && n > -1_000_000 && n < 1_000_000_000
}

// spoils are the words for what befalls disks.
var spoils = []string{
	sim.DiskTorn: "torn", sim.DiskFailing: "failing", sim.DiskKeep: "keep", sim.DiskLost: "lost",
}

func (r *reader) disk(a *sim.Action) {
	a.Node = r.node()
	a.Fault = sim.DiskFault(1 + r.oneOf(spoils[1:]))
	if a.Fault == sim.DiskKeep {
		a.Amount = r.number(0, 1<<31-1)
	}
}
