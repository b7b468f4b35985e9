package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/ebnf"
)

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
