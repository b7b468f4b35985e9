package scenarios_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"pgregory.net/rapid"
)

func TestFormatHasOneFormForEachStory(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"columns are aligned and blanks are single",
			"# A story.\n-- scenario --\nmodel cut\nnodes   P\tQ\nvariants  a longer # both\n" +
				"-- script --\nP  commit   tx1 #one\nhold P->Q notify    tx1   #   two  \n" +
				"-- expect --\na holds\nlonger breaks x   y ...\nP   data z\nP Q data z\n* undecided",
			"# A story.\n\n-- scenario --\nmodel     cut\nnodes     P Q\nvariants  a longer      # both\n\n" +
				"-- script --\nP commit tx1            # one\nhold P->Q notify tx1    # two\n\n" +
				"-- expect --\na       holds\nlonger  breaks x y ...\nP   data z\nP Q data z\n*  undecided\n",
		},
		{
			"sections come in their order, comments go with what is below them",
			"# opens\n-- expect --\n* holds\n# the script\n-- script --\n\n\n# first\n\n# of two\nP go\n\n\nP go # again\n" +
				"# not the last word\n-- scenario --\nnodes P\nmodel m\n# last",
			"# opens\n#\n# not the last word\n\n-- scenario --\nnodes  P\nmodel  m\n\n# the script\n-- script --\n# first\n#\n# of two\nP go\n\n" +
				"P go                    # again\n\n-- expect --\n*  holds\n\n# last\n",
		},
		{
			"durations, percentages, seeds and ranges have one form",
			"-- scenario --\nmodel m\nnodes P Q\ntime runs\ndelay *->* 1000us\ndelay P->Q 90s..1h30m heavy\n" +
				"loss 0.50%\ncrash 100.0000%\nseeds 0200\nspan 1.5ms\nbudget time 60m\n-- script --\nat 0.5h P go\n" +
				"-- expect --\n* holds\n",
			"-- scenario --\nmodel   m\nnodes   P Q\ntime    runs\ndelay   1ms\ndelay   P->Q 90s..90m heavy\n" +
				"loss    0.5%\ncrash   100%\nseeds   1..200\nspan    1500us\nbudget  time 1h\n\n-- script --\nat 30m P go\n\n" +
				"-- expect --\n*  holds\n",
		},
		{
			"a colon stands where the event's words could be the line's",
			"-- scenario --\nmodel m\nnodes P Q\n-- script --\nwhen P sends go: crash P\nwhen P sends NFQ T crash P\n" +
				"when P notes left 2nd: Q go\nbefore every P notes joined Q: Q go\nwhen P sends go: Q put a:\n" +
				"-- expect --\n* holds\n",
			"-- scenario --\nmodel  m\nnodes  P Q\n\n-- script --\nwhen P sends go crash P\nwhen P sends NFQ T: crash P\n" +
				"when P notes left 2nd Q go\nbefore every P notes joined Q: Q go\nwhen P sends go: Q put a:\n\n" +
				"-- expect --\n*  holds\n",
		},
		{
			"a grid is a table",
			"-- scenario --\nmodel m\nnodes P Q\n-- vary --\ncases 3 void 0\nskip who=P   a=1\nwho P Q\na 1 2\n" +
				"-- script --\n$who put   $a\n-- expect --\n$who data $a if   who=P\n* holds\n",
			"-- scenario --\nmodel  m\nnodes  P Q\n\n-- vary --\nwho    P Q\na      1 2\nskip   who=P a=1\ncases  3\n\n" +
				"-- script --\n$who put $a\n\n-- expect --\n$who data $a if who=P\n*  holds\n",
		},
		{
			"a trace stays as it is",
			"-- scenario --\nmodel m\nnodes P\n-- script --\nP go\n-- expect --\na holds\n-- trace a --\n\n 0  P  # x\n\n  1 \n# found\n",
			"-- scenario --\nmodel  m\nnodes  P\n\n-- script --\nP go\n\n-- expect --\na  holds\n\n-- trace a --\n" +
				" 0  P  # x\n\n  1\n\n# found\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenarios.Parse("x.txt", []byte(c.text))
			if err != nil {
				t.Fatalf("Parse(%q) = %v", c.text, err)
			}
			if got := string(scenarios.Format(s)); got != c.want {
				t.Errorf("%q\ngot\n%s\nwant\n%s", c.text, got, c.want)
			}
			again(t, s)
		})
	}
}

// again checks that the canonical text gives the scenario again, and itself.
func again(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *scenarios.Scenario) {
	t.Helper()
	text := scenarios.Format(s)
	back, err := scenarios.Parse("again.txt", text)
	if err != nil {
		t.Fatalf("canonical text is refused: %v in\n%s", err, text)
	}
	if twice := scenarios.Format(back); string(twice) != string(text) {
		t.Fatalf("Format is not its own canonical text, first\n%s\nthen\n%s", text, twice)
	}
	if s.Header == nil {
		back.Header = nil // made of the fields
	}
	got, want := placeless(back), placeless(s)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\ngives %s", text, difference2(reflect.ValueOf(got), reflect.ValueOf(want), "s"))
	}
}

// placeless is a copy without file and line numbers.
func placeless(s *scenarios.Scenario) scenarios.Scenario {
	return clear2(reflect.ValueOf(*s)).Interface().(scenarios.Scenario)
}

func clear2(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name == "File" || (name == "Line" || name == "Ended") && v.Field(i).Kind() == reflect.Int {
				c.Field(i).SetZero()
				continue
			}
			c.Field(i).Set(clear2(v.Field(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(clear2(v.Elem()))
		}
	case reflect.Slice:
		if v.IsNil() {
			return c
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			c.Index(i).Set(clear2(v.Index(i)))
		}
	}
	return c
}

// difference2 says where two values differ first.
func difference2(got, want reflect.Value, at string) string {
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			name := at + "." + got.Type().Field(i).Name
			if d := difference2(got.Field(i), want.Field(i), name); d != "" {
				return d
			}
		}
		return ""
	case reflect.Slice:
		for i := range min(got.Len(), want.Len()) {
			if d := difference2(got.Index(i), want.Index(i), fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
	}
	if reflect.DeepEqual(got.Interface(), want.Interface()) {
		return ""
	}
	return fmt.Sprintf("%s = %#v, want %#v", at, got.Interface(), want.Interface())
}

func TestParseOfFormatIsTheSameScenario(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		again(t, d.scenario())
	})
}

func TestParseOfFormatOfWhatWasParsedIsTheSameToTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		first, err := scenarios.Parse("x.txt", scenarios.Format(d.scenario()))
		if err != nil {
			t.Fatal(err)
		}
		second, err := scenarios.Parse("x.txt", scenarios.Format(first))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first, second) {
			t.Fatalf("%s\ngives %s", scenarios.Format(first),
				difference2(reflect.ValueOf(*second), reflect.ValueOf(*first), "s"))
		}
	})
}

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

func (d *drawing) steps(load bool) []scenarios.Step {
	var steps []scenarios.Step
	at := time.Duration(0)
	for i := range d.upTo(4) {
		st := scenarios.Step{Action: d.action(load), Comments: d.comments()}
		st.Apart = i > 0 && d.rarely()
		if st.Place == sim.At {
			at += st.Offset
			st.Offset = at
		}
		st.Text = scenarios.ActionText(st.Action)
		steps = append(steps, st)
	}
	if len(d.names) > 0 && !load {
		for _, text := range []string{"hold *->$who row $what", "$who put $what"} {
			steps = append(steps, scenarios.Step{Action: sim.Action{Text: text}, Comments: d.comments()})
		}
	}
	return steps
}

func (d *drawing) action(load bool) sim.Action {
	var a sim.Action
	if d.rarely() {
		a.For = []string{"a", "c"}[:1+d.upTo(1)]
	}
	a.Maybe = d.rarely()
	if load || d.timed && d.rarely() {
		a.Place, a.Offset = sim.Place(1+d.upTo(1)), d.duration()
	}
	if load {
		a.Place = sim.At
	}
	d.deed(&a)
	waits := a.Verb == sim.Settle || a.Verb == sim.Wake || a.Verb == sim.Until || a.Verb == sim.Wait
	if load && waits {
		a.Verb, a.Node, a.Words, a.Claim, a.Event = sim.Restart, d.node(), nil, sim.Claim{}, sim.Event{}
	} else if !load && !waits && d.rarely() {
		a.When = &sim.Trigger{Event: d.event(), Before: d.coin(), Every: d.coin()}
		trigger := func(w string) bool {
			return slices.Contains([]string{"for", "after", "at", "maybe"}, w) || strings.HasSuffix(w, ":")
		}
		e := &a.When.Event
		if trigger(e.Kind) || slices.ContainsFunc(e.Keys, trigger) {
			e.Kind, e.Keys = "row", nil
		}
	}
	return a
}

func (d *drawing) deed(a *sim.Action) {
	verbs := []sim.Verb{
		sim.Request, sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Drop, sim.Duplicate,
		sim.Crash, sim.Restart, sim.Pause, sim.Resume, sim.Join, sim.Leave, sim.Heal, sim.Jump, sim.Drift,
		sim.SpoilDisk, sim.Settle, sim.Wake, sim.CheckClaim,
	}
	if len(d.nodes) > 1 {
		verbs = append(verbs, sim.Partition)
	}
	if d.timed {
		verbs = append(verbs, sim.Until)
	}
	if a.Place != sim.InTurn {
		verbs = append(verbs, sim.Wait)
	}
	a.Verb = rapid.SampledFrom(verbs).Draw(d.t, "verb")
	switch a.Verb {
	case sim.Request:
		a.Node, a.Words = d.node(), append([]string{d.word()}, list(d, 2, d.word)...)
		a.Client = d.upTo(2)
	case sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Drop, sim.Duplicate:
		a.Pattern = d.pattern()
	case sim.Crash:
		a.Node, a.Forever = d.node(), d.coin()
	case sim.Restart, sim.Pause, sim.Resume, sim.Join, sim.Leave:
		a.Node = d.node()
	case sim.Jump:
		a.Node, a.Amount = d.node(), int64(d.duration())*int64(2*d.upTo(1)-1)
	case sim.Drift:
		a.Node, a.Amount = d.node(), int64(d.upTo(400)-200)
	case sim.SpoilDisk:
		a.Node, a.Fault = d.node(), sim.DiskFault(1+d.upTo(3))
		if a.Fault == sim.DiskKeep {
			a.Amount = int64(d.upTo(3))
		}
	case sim.Wake:
		a.Node, a.Claim = d.node(), d.claim()
	case sim.CheckClaim:
		a.Claim = d.claim()
	case sim.Until:
		a.Event = d.event()
	case sim.Partition:
		some := d.distinct(d.nodes...)
		for len(some) < 2 {
			some = d.nodes[:2]
		}
		at := 1 + d.upTo(len(some)-2)
		a.Groups, a.OneWay = [][]string{some[:at], some[at:]}, d.coin()
		if len(some)-at > 1 && d.coin() {
			a.Groups = [][]string{some[:at], some[at : at+1], some[at+1:]}
		}
	}
}

func (d *drawing) pattern() sim.Pattern {
	var p sim.Pattern
	switch d.upTo(3) {
	case 0:
		p.From, p.To = []string{d.one("log", "disk", "clock", "client")}, d.distinct(d.nodes...)
	case 1:
		p.From, p.To = []string{"*"}, []string{d.one("log", "disk", "client")}
	case 2:
		p.From, p.To = d.distinct(append([]string{"*", "log"}, d.nodes...)...), d.distinct(d.nodes...)
	default:
		p.From, p.To = d.distinct(d.nodes...), []string{"*"}
	}
	p.Kind, p.Keys, p.Nth = d.matter()
	return p
}

func (d *drawing) matter() (kind string, keys []string, nth int) {
	if d.coin() {
		kind, keys = d.kind(), list(d, 2, d.kind)
	}
	return kind, keys, d.upTo(23)
}

func (d *drawing) event() sim.Event {
	e := sim.Event{Node: d.one(append([]string{"*"}, d.nodes...)...), What: sim.EventKind(1 + d.upTo(7))}
	e.Kind, e.Keys, e.Nth = d.matter()
	return e
}

func (d *drawing) claim() sim.Claim {
	who := []string{"*"}
	if d.coin() {
		who = d.distinct(d.nodes...)
	}
	value := func() string { return d.one("data", "x", "2nd", "z:", "holds", "é", "by", "...") }
	return sim.Claim{Who: who, Words: append([]string{d.one("side", "role")}, list(d, 2, value)...)}
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

var outcomeWords = []string{"holds", "breaks", "undecided", "loose"}
