package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
)

// manyCoins is a protocol of which variant vN is wrong if toss N is asked for.
func manyCoins(n int) *sim.Protocol {
	p := *coin(0)[0]
	p.Apply = nil
	made := p.Variants[0].New
	p.Variants = nil
	for i := range n {
		p.Variants = append(p.Variants, sim.Variant{Name: fmt.Sprintf("v%d", i), New: made})
		if i > 0 {
			p.Variants[i].Of, p.Variants[i].Breaks = "v0", "heads"
		}
	}
	p.Properties = []sim.Property{{Name: "heads", Check: func(run *sim.Run) (int, *sim.Violation) {
		for i, e := range run.Trace {
			if n, is := e.Body.(toss); is && fmt.Sprint("v", int(n)) == run.Plan.Variant.Name {
				return 1, &sim.Violation{Reason: "it is tails", Witness: []int{i}}
			}
		}
		return 1, nil
	}}}
	return &p
}

// tossed writes a story that asks for some tosses, below scenarios/coin.
func tossed(t *testing.T, name string, numbers ...int) string {
	t.Helper()
	text := "-- scenario --\nmodel coin\nnodes A B\n\n-- script --\n"
	for _, n := range numbers {
		text += "A toss " + strconv.Itoa(n) + "\n"
	}
	text += "\n-- expect --\nv0  holds\n"
	file := filepath.Join("scenarios", "coin", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(file)
}

// TestAMatrixOfManyVariantsFitsOnAScreen has more variants than columns: of a few stories they are
// the rows, of many they are numbered.
func TestAMatrixOfManyVariantsFitsOnAScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	const n = 70
	p := manyCoins(n)
	files := []string{tossed(t, "a.txt", 41), tossed(t, "b.txt", 3, 41)}
	out, errs, code := cliOf(p, append([]string{"matrix"}, files...)...)
	want := "\n       a.txt\n       | b.txt\n  v3   . A\n  v41  A A\n  and 68 variants of which nothing breaks here\n"
	if code != 0 || errs != "" || !strings.HasSuffix(out, want) || strings.Contains(out, "SURVIVE") {
		t.Errorf("matrix %q: exit %d, %q, want 0 and at the end %q, got\n%s", files, code, errs, want, out)
	}
	for i := range n {
		tossed(t, fmt.Sprintf("s%02d.txt", i), i)
	}
	out, errs, code = cliOf(p, "matrix", "coin")
	if code != 0 || errs != "" {
		t.Errorf("matrix coin: exit %d, %q, want 0", code, errs)
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(line); n > 111 {
			t.Errorf("a line of %d columns, want at most 110: %s", n-1, line)
		}
	}
	for _, want := range []string{" 42 v41,", "\n  s41.txt  ..... ..... ..... ..... ..... ..... ..... ..... .A...",
		"\n           1     6     11    16"} {
		if !strings.Contains(out, want) {
			t.Errorf("matrix coin: want %q in\n%s", want, out)
		}
	}
}

// TestAStoredMatrixIsReadAgainAndTried changes the file of matrices, and wants to be told.
func TestAStoredMatrixIsReadAgainAndTried(t *testing.T) {
	t.Chdir("../..")
	stored, err := os.ReadFile("results/matrix.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(stored), "\n## ")
	_, rest, found := strings.Cut("\n## "+rest, "\n## cut\n")
	part, _, _ := strings.Cut(rest, "\n## ")
	if !found {
		t.Fatal("results/matrix.md has no part of cut")
	}
	text := head + "\n## cut\n" + strings.TrimRight(part, "\n") + "\n"
	row := rowOf(t, text, "ahead.txt")
	for _, c := range []struct{ name, old, new, says string }{
		{"as it is stored it is right", "", "", ""},
		{"a variant that is right breaks", "| ahead.txt | holds | holds |", "| ahead.txt | holds | durable |",
			"a story comes to something else"},
		{"a story is missing", row + "\n", "", "other stories of cut: ahead.txt is missing"},
		{"a variant has another name", "| story | unsigned |", "| story | signless |", "signless is too many"},
		{"the stories were others", "Stories `", "Stories `0", "other stories of cut"},
		{"the table of catchers is another", "wrong ones are broken", "are broken", "comes to something else"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(text, c.old, c.new, 1)
			if c.old != "" && changed == text {
				t.Fatalf("%q does not occur in the part of cut", c.old)
			}
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "matrix.md"), []byte(changed), 0o666); err != nil {
				t.Fatal(err)
			}
			var out, complaint bytes.Buffer
			code := cli.Main([]*sim.Protocol{model.Lookup("cut")},
				[]string{"results", "--check", "--out", folder, "matrix"}, &out, &complaint)
			if want := min(1, len(c.says)); code != want || !strings.Contains(out.String(), c.says) {
				t.Errorf("exits with %d and says %q %q, want %d and %q", code, out.String(), complaint.String(),
					want, c.says)
			}
		})
	}
}

// TestAStoredSeedOfAMutantIsOneThatASweepPlays changes the table of mutants, and wants to be told.
func TestAStoredSeedOfAMutantIsOneThatASweepPlays(t *testing.T) {
	t.Chdir("../..")
	stored, err := os.ReadFile("results/mutants.md")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for line := range strings.Lines(string(stored)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| model ") || strings.HasPrefix(line, "| cut ") {
			text += line
		}
	}
	row := rowOf(t, text, "cut | deaf")
	cells := strings.Split(row, " | ")
	for _, c := range []struct{ seed, says string }{
		{cells[3], ""},
		{"-", "cut deaf: mutants.md says seed -, want one of 1..10000"},
		{"10001", "cut deaf: mutants.md says seed 10001, want one of 1..10000"},
	} {
		folder := t.TempDir()
		cells[3] = c.seed
		changed := strings.Replace(text, row, strings.Join(cells, " | "), 1)
		if err := os.WriteFile(filepath.Join(folder, "mutants.md"), []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, complaint bytes.Buffer
		code := cli.Main([]*sim.Protocol{model.Lookup("cut")},
			[]string{"results", "--check", "--out", folder, "mutants"}, &out, &complaint)
		if want := min(1, len(c.says)); code != want || !strings.Contains(out.String(), c.says) {
			t.Errorf("with seed %s: exits with %d and says %q %q, want %d and %q", c.seed, code, out.String(),
				complaint.String(), want, c.says)
		}
	}
}
