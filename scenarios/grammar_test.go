package scenarios_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
