package scenarios

import (
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// Covered tests that the stories under fsys tell what a protocol's table of variants claims:
//
//   - each variant that names what breaks it is broken by that in some story; a mutant in one in
//     which the variant that it spoils holds;
//   - each other variant holds in some story;
//   - each story opens with one to six lines that say what happens, and one that breaks nothing
//     names one beside it that does: "# twin: FILE". Lines "# invariant: ...", "# cured by: ..."
//     and "# blame: ..." of a story that a search has found do not count.
//
// more are variants beside those of the table, such as some with rules.
func Covered(t testing.TB, p *sim.Protocol, fsys fs.FS, more ...sim.Variant) {
	t.Helper()
	files, err := storiesOf(fsys)
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: want files that end in .txt: %v", err)
	}
	var all tales
	for _, f := range files {
		text, err := fs.ReadFile(fsys, f.name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse(f.shown(), text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	for _, v := range slices.Concat(p.Variants, more) {
		if why := all.lack(v); why != "" {
			t.Error(why)
		}
	}
	for _, s := range all {
		if why := all.lonely(s); why != "" {
			t.Errorf("%s: %s", s.File, why)
		}
	}
}

// tales are the stories of a folder.
type tales []*Scenario

// lack says what no story tells of a variant.
func (all tales) lack(v sim.Variant) string {
	switch {
	case v.Mutant():
		if !all.some(func(s *Scenario) bool { return s.breaks(v.Name, v.Breaks) && s.holds(v.Of) }) {
			return "no story expects " + v.Name + " to break " + v.Breaks + ", and " + v.Of + " to hold"
		}
	case v.Breaks != "":
		if !all.some(func(s *Scenario) bool { return s.breaks(v.Name, v.Breaks) }) {
			return "no story expects " + v.Name + " to break " + v.Breaks
		}
	case !all.some(func(s *Scenario) bool { return s.holds(v.Name) }):
		return "no story expects " + v.Name + " to hold"
	}
	return ""
}

func (all tales) some(is func(*Scenario) bool) bool { return slices.ContainsFunc(all, is) }

// breaks says that the story expects a variant to break a property.
func (s *Scenario) breaks(variant, property string) bool {
	v := s.expected(variant)
	return v != nil && v.Outcome == Breaks && slices.Contains(v.Breaks, property)
}

// holds says that the story expects a variant to hold, and plays it.
func (s *Scenario) holds(variant string) bool {
	v := s.expected(variant)
	return v != nil && v.Outcome == Holds &&
		(len(s.Played) == 0 || slices.Contains(s.Played, variant))
}

// breaksSomething says that some variant is expected to break.
func (s *Scenario) breaksSomething() bool {
	return slices.ContainsFunc(s.Expect.Verdicts, func(v Verdict) bool { return v.Outcome == Breaks })
}

// lonely says what is wrong with a story's opening, or with its twin.
func (all tales) lonely(s *Scenario) string {
	twinOf := regexp.MustCompile(`\btwin:? (\S+\.txt)`)
	label := regexp.MustCompile(`^(invariant|cured by|blame): `)
	lines, twin := 0, ""
	for _, line := range s.Doc {
		if words := twinOf.FindStringSubmatch(line); words != nil {
			twin = words[1]
			continue
		}
		if label.MatchString(line) {
			continue
		}
		lines++
	}
	if lines == 0 || lines > 6 || strings.TrimSpace(s.Doc[0]) == "" {
		return "want 1 to 6 lines that tell the story, at its top"
	}
	if s.breaksSomething() {
		return ""
	}
	place := path.Join(path.Dir(s.File), twin)
	at := slices.IndexFunc(all, func(o *Scenario) bool { return twin != "" && o.File == place })
	if at < 0 || !all[at].breaksSomething() {
		return "it breaks nothing and names no story beside it that does: # twin: FILE"
	}
	return ""
}

// Requests tests how a protocol reads requests, each in a subtest of a name: its words, with blanks
// between, and what comes of them: the kind and the keys of the request, or the text of the error.
func Requests(t *testing.T, p *sim.Protocol, all [][3]string) {
	t.Helper()
	for _, c := range all {
		t.Run(c[0], func(t *testing.T) {
			op, err := p.ParseOp(strings.Fields(c[1]))
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = sim.Text(op)
			}
			if got != c[2] {
				t.Errorf("ParseOp of %q = %q, want %q", c[1], got, c[2])
			}
		})
	}
}

// Workload tests what a protocol draws for sweeps: as many requests as are wanted, in order of
// time, within their span, of clients and for nodes that there are; requests that the protocol
// reads, of every kind in OpWords; and of the same seed the same.
func Workload(t testing.TB, p *sim.Protocol) {
	t.Helper()
	if p.Draw == nil {
		t.Fatal(undrawn(p) + ", or set Protocol.Draw")
	}
	kinds := map[string]bool{}
	for seed := uint64(1); seed <= 100; seed++ {
		d := someDraws(p, seed)
		load := p.Draw(d)
		requests := 0
		for i, a := range load {
			if why := misdrawn(p, d, load, i); why != "" {
				t.Fatalf("seed %d: action %d, %q, %s", seed, i, ActionText(a), why)
			}
			if a.Verb == sim.Request {
				kinds[a.Words[0]] = true
				requests++
			}
		}
		if requests != d.Ops {
			t.Fatalf("seed %d: %d requests, want %d", seed, requests, d.Ops)
		}
		if !reflect.DeepEqual(load, p.Draw(someDraws(p, seed))) {
			t.Fatalf("seed %d: two loads of it differ", seed)
		}
	}
	for _, word := range p.OpWords {
		if !kinds[word] {
			t.Errorf("no %q is drawn under 100 seeds", word)
		}
	}
	if reflect.DeepEqual(p.Draw(someDraws(p, 7)), p.Draw(someDraws(p, 8))) {
		t.Errorf("the loads of seeds 7 and 8 are the same")
	}
}

func someDraws(p *sim.Protocol, seed uint64) *sim.Draws {
	d := &sim.Draws{Nodes: []string{"P", "Q", "R"}, Clients: 3, Ops: 30, Span: 50 * time.Millisecond,
		Seed: seed}
	if p.Cluster != nil {
		d.Setup = p.Cluster(d)
	}
	return d
}

// misdrawn says what is wrong with an action of a drawn load.
func misdrawn(p *sim.Protocol, d *sim.Draws, load []sim.Action, i int) string {
	a := load[i]
	switch {
	case a.Place != sim.At:
		return "has no time of its own, want one with At"
	case i > 0 && a.Offset < load[i-1].Offset:
		return "is earlier than the one before it"
	case a.Offset < 0 || a.Offset > d.Span:
		return "is at " + a.Offset.String() + ", want it within " + d.Span.String()
	case a.Verb != sim.Request:
		return ""
	case a.Client < 0 || a.Client > d.Clients:
		return "is of a client that there is not"
	case !slices.Contains(d.Nodes, a.Node):
		return "is for a node that there is not"
	}
	op, err := checkRequest(p, d.Setup, a.Words)
	if err == nil {
		err = checkNodes(p, op, slices.Concat(d.Nodes, d.Later))
	}
	if err != nil {
		return "is no request: " + err.Error()
	}
	return ""
}
