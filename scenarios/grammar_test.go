package scenarios_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/downset/downset/scenarios"
	"golang.org/x/exp/ebnf"
	"pgregory.net/rapid"
)

func grammarOf(t testing.TB) ebnf.Grammar {
	t.Helper()
	g, err := ebnf.Parse("grammar.ebnf", strings.NewReader(scenarios.Grammar))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTheGrammarIsAGrammar(t *testing.T) {
	if err := ebnf.Verify(grammarOf(t), "File"); err != nil {
		t.Error(err)
	}
}

func TestParseTakesWhatTheGrammarMakes(t *testing.T) {
	const sentences = 3000
	g := grammarOf(t)
	met := map[string]int{}
	timed, grids, lines := 0, 0, 0
	for seed := range uint64(sentences) {
		w := &writer{grammar: g, seed: seed, met: met}
		text := w.file()
		s, err := scenarios.Parse("sentence.txt", []byte(text))
		if err != nil {
			t.Fatalf("sentence %d: %v\n%s", seed, err, text)
		}
		again(t, s)
		lines += strings.Count(text, "\n")
		if s.Timed {
			timed++
		}
		if len(s.Vary) > 0 {
			grids++
		}
	}
	t.Logf("%d sentences of %d lines, %d timed, %d grids", sentences, lines, timed, grids)
	for name := range g {
		if met[name] == 0 {
			t.Errorf("no sentence uses production %s", name)
		}
	}
	if timed < sentences/4 || grids < sentences/10 {
		t.Errorf("%d of %d sentences are timed and %d grids: want more", timed, sentences, grids)
	}
}

func TestTheGrammarTakesWhatFormatPrints(t *testing.T) {
	g := grammarOf(t)
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		s := d.scenario()
		text := filledIn(string(scenarios.Format(s)), s)
		if at := accept(g, text); at >= 0 {
			t.Fatalf("the grammar does not take\n%s\nfrom %q on", text, rest(text, at))
		}
	})
}

func TestEveryStoryIsParsedAndTakenByTheGrammar(t *testing.T) {
	g := grammarOf(t)
	for _, name := range allStories(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenarios.Parse(name, text)
		if err != nil {
			t.Error(err)
			continue
		}
		again(t, s)
		for _, c := range append(s.Grid(), scenarios.Case{Scenario: s}) {
			canonical := filledIn(string(scenarios.Format(c.Scenario)), s)
			if at := accept(g, canonical); at >= 0 {
				t.Errorf("%s: the grammar does not take\n%s\nfrom %q on", name, canonical, rest(canonical, at))
			}
		}
	}
}

func TestTheGrammarRefusesWhatParseRefuses(t *testing.T) {
	g := grammarOf(t)
	for _, text := range []string{
		story("hold P Q", "* holds"),
		story("P", "* holds"),
		story("crash P for ever", "* holds"),
		story("when crash P", "* holds"),
		story("P go", "plain hold"),
		"-- scene --\n",
	} {
		if _, err := scenarios.Parse("x.txt", []byte(text)); err == nil {
			t.Errorf("Parse takes\n%s", text)
		}
		if accept(g, text) < 0 {
			t.Errorf("the grammar takes\n%s", text)
		}
	}
}

// filledIn is the text of a grid with values for its names, since the grammar knows no $.
func filledIn(text string, s *scenarios.Scenario) string {
	for _, v := range s.Vary {
		text = strings.ReplaceAll(text, "$"+v.Name, v.Values[0])
	}
	return text
}

// allStories are the stories of this package.
func allStories(t testing.TB) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "malformed" || entry.Name() == "rapid" || entry.Name() == "fuzz") {
			return fs.SkipDir
		}
		if filepath.Ext(name) == ".txt" {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func rest(text string, at int) string { return text[at:min(len(text), at+60)] }

// lexical says that a production has a small letter: its parts stand together.
func lexical(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsUpper(r)
}

// writer makes a sentence of the grammar, and sees to what the grammar cannot say.
type writer struct {
	grammar ebnf.Grammar
	seed    uint64
	draws   uint64
	met     map[string]int // how often each production was used

	timed    bool
	grid     bool
	nodes    []string
	variants []string // declared
	played   []string // that can be named
	varied   []string
	values   [][]string
	said     map[string]bool // what stands but once in its section
	at       int             // the time in this section, in ms
	trigger  bool            // the event of a trigger is written
}

// draw is in [0, n).
func (w *writer) draw(n int) int {
	w.draws++
	h := (w.seed*0x9E3779B97F4A7C15 + w.draws) * 0xBF58476D1CE4E5B9
	h ^= h >> 29
	h *= 0x94D049BB133111EB
	h ^= h >> 32
	return int(h % uint64(n))
}

// file is a sentence.
func (w *writer) file() string {
	w.timed, w.grid = w.draw(2) == 0, w.draw(4) == 0
	for {
		if text, ok := w.production("File"); ok {
			return text
		}
	}
}

// production is one way to write a production; ok is false if what the grammar cannot say forbids
// it here.
func (w *writer) production(name string) (text string, ok bool) {
	defer func() {
		if ok {
			w.met[name]++
		}
	}()
	wrong := !w.timed && slices.Contains(timedOnly, name) || w.timed && slices.Contains(stillOnly, name)
	if wrong || w.said["line "+name] {
		return "", false
	}
	if text, ok, known := w.special(name); known {
		return text, ok
	}
	for range 8 {
		text, ok := w.write(w.grammar[name].Expr, lexical(name))
		if ok && w.fits(name, text) {
			return text, true
		}
	}
	return "", false
}

// write is one way to write an expression.
func (w *writer) write(x ebnf.Expression, tight bool) (string, bool) {
	switch x := x.(type) {
	case ebnf.Alternative:
		return w.write(x[w.draw(len(x))], tight)
	case ebnf.Sequence:
		text := ""
		for _, part := range x {
			more, ok := w.write(part, tight)
			if !ok {
				return "", false
			}
			text = join(text, more, tight)
		}
		return text, true
	case *ebnf.Name:
		return w.production(x.String)
	case *ebnf.Token:
		return x.String, true
	case *ebnf.Range:
		from, _ := utf8.DecodeRuneInString(x.Begin.String)
		to, _ := utf8.DecodeRuneInString(x.End.String)
		return string(from + rune(w.draw(min(int(to-from)+1, 100)))), true
	case *ebnf.Group:
		return w.write(x.Body, tight)
	case *ebnf.Option:
		if w.draw(2) == 0 {
			return "", true
		}
		text, ok := w.write(x.Body, tight)
		if !ok {
			return "", true
		}
		return text, true
	case *ebnf.Repetition:
		text := ""
		for range w.draw(4) {
			if more, ok := w.write(x.Body, tight); ok {
				text = join(text, more, tight)
			}
		}
		return text, true
	}
	panic(fmt.Sprintf("no expression %T", x))
}

// join puts two parts together: with a blank, but close to the end of a line, and a colon close to
// the word before it.
func join(a, b string, tight bool) string {
	if tight || a == "" || b == "" || strings.HasSuffix(a, "\n") || b[0] == '\n' || b == ":" {
		return a + b
	}
	return a + " " + b
}

// special writes what depends on what was written before.
func (w *writer) special(name string) (text string, ok, known bool) {
	switch name {
	case "Scenario":
		return w.scenario(), true, true
	case "Vary":
		return w.vary(), w.grid, true
	case "Script":
		text, ok := w.section(name)
		if w.grid {
			text += w.nodes[0] + " $" + strings.Join(w.varied, " $") + "\n"
		}
		return text, ok, true
	case "Load", "Chance":
		if name == "Load" && !w.timed {
			return "", false, true
		}
		text, ok := w.section(name)
		return text, ok, true
	case "Expect":
		return w.expect(), true, true
	case "File":
		return w.whole(), true, true
	case "node":
		return w.nodes[w.draw(len(w.nodes))], true, true
	case "variant":
		if len(w.played) == 0 {
			return "", false, true
		}
		return w.played[w.draw(len(w.played))], true, true
	case "cond":
		if len(w.varied) == 0 {
			return "", false, true
		}
		i := w.draw(len(w.varied))
		return w.varied[i] + "=" + w.values[i][w.draw(len(w.values[i]))], true, true
	case "At":
		w.at += w.draw(5)
		return fmt.Sprintf("at %dms", w.at), w.timed, true
	case "Trace":
		if w.grid {
			return "", false, true
		}
	case "Time":
		if w.timed {
			return "time runs", true, true
		}
		return "time still", true, true
	case "Variants":
		return w.variantsLine(), true, true
	case "Trigger":
		w.trigger = true
		defer func() { w.trigger = false }()
		text, ok := w.write(w.grammar[name].Expr, false)
		return text, ok, true
	}
	return "", false, false
}

// section is a section of which each line stands but once, or in order of time.
func (w *writer) section(name string) (string, bool) {
	w.said, w.at = map[string]bool{}, 0
	return w.write(w.grammar[name].Expr, false)
}

// whole is a file with the sections that it must have.
func (w *writer) whole() string {
	text := w.some("Remark") + w.must("Scenario")
	if w.grid {
		text += w.must("Vary")
	}
	text += w.must("Script")
	if w.timed {
		text += w.maybe("Load")
	}
	text += w.must("Expect") + w.maybe("Chance")
	w.said = map[string]bool{}
	if len(w.variants) > 0 {
		text += w.maybe("Trace")
	}
	return text
}

func (w *writer) must(name string) string {
	for {
		if text, ok := w.production(name); ok {
			return text
		}
	}
}

func (w *writer) maybe(name string) string {
	if w.draw(2) == 0 {
		return ""
	}
	text, _ := w.production(name)
	return text
}

func (w *writer) some(name string) string {
	text := ""
	for range w.draw(3) {
		text += w.must(name)
	}
	return text
}

// scenario is -- scenario -- with the lines that must be there, in any order.
func (w *writer) scenario() string {
	w.said = map[string]bool{}
	first := []string{w.must("Model"), w.must("Nodes")}
	w.nodes = strings.Fields(first[1])[1:]
	if later, ok := w.production("Later"); ok && w.draw(2) == 0 {
		first = append(first, later)
		w.nodes = append(w.nodes, strings.Fields(later)[1:]...)
	}
	if w.timed || w.draw(4) == 0 {
		first = append(first, w.must("Time"))
	}
	if w.draw(2) == 0 {
		first = append(first, w.must("Variants"))
	}
	w.said["line Time"], w.said["line Variants"] = true, true
	text := "-- scenario --" + w.must("Head")
	for range 6 {
		if line, ok := w.production("ScenarioLine"); ok {
			first = append(first, line)
		}
	}
	for len(first) > 0 {
		i := w.draw(len(first))
		text += w.line(first[i])
		first = slices.Delete(first, i, i+1)
	}
	return text
}

func (w *writer) line(text string) string { return join(text, w.must("End"), false) }

// variantsLine declares variants.
func (w *writer) variantsLine() string {
	for range 3 {
		w.played = append(w.played, w.letters())
	}
	slices.Sort(w.played)
	w.played = slices.Compact(w.played)
	w.variants = w.played
	return "variants " + strings.Join(w.variants, " ")
}

// letters is a word of a few letters.
func (w *writer) letters() string {
	text := ""
	for range 2 + w.draw(3) {
		text += string(rune('a' + w.draw(26)))
	}
	return text
}

// vary is -- vary -- with the right number of cases.
func (w *writer) vary() string {
	w.said = map[string]bool{}
	text := "-- vary --" + w.must("Head")
	for range 1 + w.draw(2) {
		line := w.must("VaryLine")
		for !w.isVaried(line) {
			line = w.must("VaryLine")
		}
		words := strings.Fields(line)
		w.varied, w.values = append(w.varied, words[0]), append(w.values, words[1:])
		text += w.line(line)
	}
	rest := 1
	for i := range w.varied[1:] {
		rest *= len(w.values[i+1])
	}
	count := rest * len(w.values[0])
	if len(w.values[0]) > 1 && w.draw(2) == 0 {
		text += w.line("skip " + w.varied[0] + "=" + w.values[0][0])
		count -= rest
	}
	return text + w.line(fmt.Sprintf("cases %d", count))
}

// isVaried says that a line of -- vary -- has a name and values, each once.
func (w *writer) isVaried(line string) bool {
	words := strings.Fields(line)
	return words[0] != "skip" && words[0] != "cases" && !slices.Contains(w.varied, words[0]) &&
		len(words) < 5 && distinct(words[1:])
}

// expect is -- expect --, which names any variant if there is a line for all.
func (w *writer) expect() string {
	w.said = map[string]bool{}
	text := "-- expect --" + w.must("Head")
	if len(w.variants) == 0 {
		w.played = nil
		text += w.line("* holds")
		w.said["*"] = true
	} else {
		text += w.line(w.variants[0] + " holds")
		w.said[w.variants[0]] = true
	}
	for range w.draw(5) {
		if line, ok := w.production("ExpectLine"); ok {
			text += w.line(line)
		}
	}
	return text
}

// once says that something has not been said in this section.
func (w *writer) once(what string) bool {
	if w.said[what] {
		return false
	}
	w.said[what] = true
	return true
}

func distinct(words []string) bool {
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			return false
		}
	}
	return true
}

var (
	timedOnly = strings.Fields("Delay Loss Copies Crash Crashes Restart Break Detect Reopen Timeout Late " +
		"Clients Ops Span Seeds SyncTimes After Load At")
	stillOnly = strings.Fields("Order Network Explore")
	reserved  = strings.Fields("hold release deliver drop duplicate crash restart pause resume join leave partition heal " +
		"clock disk settle wake check until by for maybe at after before when every if holds breaks undecided loose * ... " +
		"model nodes later variants time order explore network inflight delay loss crashes break detect reopen timeout late clients ops " +
		"span seeds budget log client")
)

// fits is what the grammar cannot say.
func (w *writer) fits(name, text string) bool {
	var words []string
	if !lexical(name) {
		words = strings.Fields(text)
	}
	switch name {
	case "word", "kind", "key", "label", "seen", "value", "property", "setupWord":
		return w.plain(text)
	case "Model", "Order", "Explore", "Network", "InFlight", "Crash", "Crashes", "Restart", "Break", "Detect", "Reopen", "Late",
		"Clients", "Ops", "Seeds":
		return w.rising(text) && w.once("line "+name)
	case "Span", "Timeout":
		return strings.ContainsAny(text, "123456789") && w.once("line "+name)
	case "Nodes", "Later":
		return distinct(append(slices.Clone(w.nodes), words[1:]...)) && w.once("line "+name)
	case "Dist":
		return w.rising(text)
	case "Delay", "Loss", "Copies":
		link := "*->*"
		if strings.Contains(text, "->") {
			link = words[1]
		}
		from, to, _ := strings.Cut(link, "->")
		own := from == to && from != "*"
		return !(own && name != "Delay") && w.once(name+link)
	case "Disk":
		return (w.timed || words[1] == "slow") && w.once(name+words[1])
	case "Budget":
		return strings.ContainsAny(words[2], "123456789") && w.once(name+words[1])
	case "Request":
		return !w.trigger || !slices.Contains(reserved, words[1])
	case "Wait":
		return words[0] != "until" || w.timed
	case "Partition":
		return distinct(nodesOf(words[1:]))
	case "Group", "Who", "For", "Outcome":
		return distinct(strings.Fields(strings.TrimSuffix(text, ":")))
	case "Ends":
		return w.ends(words)
	case "Decision":
		return w.decision(words)
	case "If":
		return w.grid
	case "ExpectLine":
		return w.expectation(words)
	case "Trace":
		return w.once(words[2])
	}
	return true
}

// plain says that a word is one whatever stands before it.
func (w *writer) plain(word string) bool {
	ordinal := strings.TrimLeft(word, "0123456789")
	return !slices.Contains(reserved, word) && !slices.Contains(w.nodes, word) && !strings.HasSuffix(word, ":") &&
		!strings.HasPrefix(word, "--") && !strings.Contains(word, "->") && word != "|" &&
		(ordinal == word || !slices.Contains([]string{"st", "nd", "rd", "th"}, ordinal))
}

// rising says that LOW..HIGH, if there is one, rises.
func (w *writer) rising(text string) bool {
	for _, word := range strings.Fields(text) {
		low, high, ok := strings.Cut(word, "..")
		if !ok {
			continue
		}
		a, err := time.ParseDuration(low)
		b, _ := time.ParseDuration(high)
		if err != nil { // seeds
			from, _ := strconv.Atoi(low)
			to, _ := strconv.Atoi(high)
			return from <= to
		}
		if a >= b {
			return false
		}
	}
	return true
}

func nodesOf(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "|" || w == "->" })
}

// ends says that the ends of a link can be.
func (w *writer) ends(words []string) bool {
	from, to := []string{}, []string{}
	side := &from
	for _, word := range words {
		a, b, arrow := strings.Cut(word, "->")
		*side = append(*side, a)
		if arrow {
			side = &to
			to = append(to, b)
		}
	}
	special := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return n != "*" && !slices.Contains(w.nodes, n) })
	}
	return distinct(from) && distinct(to) && !(special(from) && special(to)) && !slices.Contains(to, "clock")
}

// decision says that a line of -- chance -- is about something new.
func (w *writer) decision(words []string) bool {
	about := strings.Join(words, " ")
	switch words[0] {
	case "torn", "keep", "restart":
		about = words[0] + words[1]
	case "delay", "duplicate", "late", "draw":
		about = strings.Join(words[:len(words)-2], " ")
	}
	return w.once(strings.TrimSuffix(about, " 1st"))
}

// expectation says that a line of -- expect -- is what it looks like, and new.
func (w *writer) expectation(words []string) bool {
	if slices.Contains(outcomeWords, words[1]) {
		return w.once(words[0])
	}
	i := slices.Index(words, "if")
	if i < 0 {
		return true
	}
	var names []string
	for _, cond := range words[i+1:] {
		name, _, _ := strings.Cut(cond, "=")
		names = append(names, name)
	}
	return distinct(names)
}

// accept says from where on the grammar does not take a text, -1 if it takes all of it.
func accept(g ebnf.Grammar, text string) int {
	m := &matcher{grammar: g, text: text, known: map[place][]int{}}
	if slices.Contains(m.match(&ebnf.Name{String: "File"}, 0, false), len(text)) {
		return -1
	}
	return min(m.farthest, len(text)-1)
}

// matcher finds all ways in which a grammar takes the beginning of a text.
type matcher struct {
	grammar  ebnf.Grammar
	text     string
	known    map[place][]int
	farthest int
}

type place struct {
	name string
	at   int
}

// match gives every position at which an expression that begins at a position can end.
func (m *matcher) match(x ebnf.Expression, at int, tight bool) []int {
	switch x := x.(type) {
	case nil:
		return []int{at}
	case ebnf.Alternative:
		var all []int
		for _, choice := range x {
			all = append(all, m.match(choice, at, tight)...)
		}
		return set(all)
	case ebnf.Sequence:
		here := []int{at}
		for _, part := range x {
			var next []int
			for _, p := range here {
				next = append(next, m.match(part, p, tight)...)
			}
			here = set(next)
		}
		return here
	case *ebnf.Name:
		return m.name(x.String, at, tight)
	case *ebnf.Token:
		return m.token(at, tight, func(s string) int {
			if strings.HasPrefix(s, x.String) {
				return len(x.String)
			}
			return -1
		})
	case *ebnf.Range:
		return m.token(at, tight, func(s string) int {
			r, n := utf8.DecodeRuneInString(s)
			if s != "" && string(r) >= x.Begin.String && string(r) <= x.End.String {
				return n
			}
			return -1
		})
	case *ebnf.Group:
		return m.match(x.Body, at, tight)
	case *ebnf.Option:
		return set(append(m.match(x.Body, at, tight), at))
	case *ebnf.Repetition:
		all, fresh := []int{at}, []int{at}
		for len(fresh) > 0 {
			var next []int
			for _, p := range fresh {
				next = append(next, m.match(x.Body, p, tight)...)
			}
			fresh = slices.DeleteFunc(set(next), func(p int) bool { return slices.Contains(all, p) })
			all = append(all, fresh...)
		}
		return set(all)
	}
	panic(fmt.Sprintf("no expression %T", x))
}

// name matches a production, once at each position. Words end where a blank or the line ends.
func (m *matcher) name(name string, at int, tight bool) []int {
	if !tight && lexical(name) {
		at = m.blanks(at)
	}
	key := place{name, at}
	if tight {
		key.name += " in a word"
	}
	if ends, ok := m.known[key]; ok {
		return ends
	}
	ends := m.match(m.grammar[name].Expr, at, lexical(name))
	if !tight && lexical(name) && name != "newline" {
		ends = slices.DeleteFunc(ends, func(p int) bool { return !m.wordEnds(p) })
	}
	m.known[key] = ends
	return ends
}

func (m *matcher) token(at int, tight bool, length func(string) int) []int {
	if !tight {
		at = m.blanks(at)
	}
	n := length(m.text[at:])
	if n < 0 {
		return nil
	}
	at += n
	m.farthest = max(m.farthest, at)
	if !tight && !m.wordEnds(at) {
		return nil
	}
	return []int{at}
}

// wordEnds says that a word can end at a position. A colon stands close to it.
func (m *matcher) wordEnds(at int) bool {
	return at == len(m.text) || strings.IndexByte(" \t\n:", m.text[at]) >= 0
}

func (m *matcher) blanks(at int) int {
	for at < len(m.text) && (m.text[at] == ' ' || m.text[at] == '\t') {
		at++
	}
	return at
}

func set(positions []int) []int {
	slices.Sort(positions)
	return slices.Compact(positions)
}
