package scenarios_test

import (
	"errors"
	"os"
	"path/filepath"
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
