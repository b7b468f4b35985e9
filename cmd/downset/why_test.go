package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

// TestReadmeShowsWhatWhyFinds compares README's excerpt with what why prints.
func TestReadmeShowsWhatWhyFinds(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"why", "scenarios/cut/backwards.txt"}
	if code := cli.Main(model.All, args, &out, &errs); code != 0 {
		t.Fatalf("downset %s exits with %d: %s", strings.Join(args, " "), code, errs.String())
	}
	_, rest, _ := strings.Cut(out.String(), "\n\n")
	guilty, _, _ := strings.Cut(rest, "\n\n")
	if !strings.HasPrefix(guilty, "guilty  ") || !strings.Contains(string(readme), "```text\n"+guilty+"\n```") {
		t.Errorf("downset %s says\n%s\nwhich README.md does not quote", strings.Join(args, " "), guilty)
	}
}

// TestWhyNamesWhatIsPlanted reads results/why.md: of the stories and of shrunk seeds, at least four
// in five have the guilty event within two of a planted one.
func TestWhyNamesWhatIsPlanted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "results", "why.md"))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(line, "|")
		if len(columns) < 7 || !strings.Contains(line, "stories of findings |") && !strings.Contains(line, "shrunk |") {
			continue
		}
		runs, err := strconv.Atoi(strings.TrimSpace(columns[2]))
		if err != nil {
			t.Fatal(err)
		}
		count, _, _ := strings.Cut(columns[5], ",")
		near, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil {
			t.Fatal(err)
		}
		if read++; near*5 < runs*4 {
			t.Errorf("%swant at least 80 %% within two of what is planted", line)
		}
	}
	if read != 2 {
		t.Errorf("results/why.md has %d such rows, want 2", read)
	}
}
