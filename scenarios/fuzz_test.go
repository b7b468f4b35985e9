package scenarios_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
)

// FuzzParse: Parse never panics, its errors name the file, and what it takes is printed in a form that
// it takes for the same.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"*/*.txt", "testdata/*/*.txt", "testdata/*/*/*.txt"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	g := grammarOf(f)
	for seed := range uint64(40) {
		w := &writer{grammar: g, seed: seed, met: map[string]int{}}
		f.Add([]byte(w.file()))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenarios.Parse("fuzz.txt", text)
		if err == nil {
			again(t, s)
			return
		}
		var at *scenarios.Error
		if !errors.As(err, &at) || at.File != "fuzz.txt" || at.Line < 1 || at.Msg == "" {
			t.Fatalf("got error %#v, want one with file and line", err)
		}
	})
}

func TestAStoryWithAWordChangedIsRefusedOrPrintedAsItIsRead(t *testing.T) {
	var texts []string
	for _, name := range allStories(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	g := grammarOf(t)
	for seed := range uint64(60) {
		w := &writer{grammar: g, seed: seed, met: map[string]int{}}
		texts = append(texts, w.file())
	}
	d := &writer{seed: 1}
	taken, refused := 0, 0
	for range 5_000 {
		text := changed(d, texts)
		s, err := scenarios.Parse("changed.txt", []byte(text))
		if err != nil {
			refused++
			continue
		}
		taken++
		again(t, s)
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 1000 || refused < 1000 {
		t.Errorf("%d taken and %d refused: want more of both", taken, refused)
	}
}

// changed is one of some texts with one word gone, doubled, or in the place of another.
func changed(d *writer, texts []string) string {
	text := texts[d.draw(len(texts))]
	lines := strings.Split(text, "\n")
	i := d.draw(len(lines))
	words := strings.Fields(lines[i])
	if len(words) == 0 {
		words = []string{""}
	}
	k := d.draw(len(words))
	switch d.draw(4) {
	case 0:
		words = slices.Delete(words, k, k+1)
	case 1:
		words = slices.Insert(words, k, words[d.draw(len(words))])
	case 2:
		some := strings.Fields(texts[d.draw(len(texts))])
		words[k] = some[d.draw(len(some))]
	case 3:
		other := lines[d.draw(len(lines))]
		words = strings.Fields(other)
	}
	lines[i] = strings.Join(words, " ")
	return strings.Join(lines, "\n")
}
