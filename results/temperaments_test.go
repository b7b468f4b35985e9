package results_test

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

// The rest of the table is too long for a test: it takes minutes.
func TestTheFirstMutantIsFoundAsSoonAsTheTableOfTemperamentsSays(t *testing.T) {
	t.Chdir("..")
	var out, err bytes.Buffer
	args := []string{"results", "--check", "temperaments"}
	if code := cli.Main(model.All, args, &out, &err); code != 0 {
		t.Errorf("downset %s exits with %d:\n%s%s", strings.Join(args, " "), code, out.String(), err.String())
	}
}

func TestTheMixIsBlindToNoneAndNeverWorseThanThreeTimesTheBest(t *testing.T) {
	text, err := os.ReadFile("temperaments.md")
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]bool{}
	name := ""
	for line := range strings.Lines(string(text)) {
		if heading, is := strings.CutPrefix(line, "## "); is {
			name = strings.TrimSpace(heading)
		}
		columns := strings.Split(strings.Trim(line, "| \n"), " | ")
		if model.Lookup(name) == nil || len(columns) < 5 || columns[0] == "variant" {
			continue
		}
		measured[name+" "+columns[0]] = true
		mix, times := columns[len(columns)-2], columns[len(columns)-1]
		ratio, err := strconv.ParseFloat(strings.Fields(times)[0], 64)
		if err != nil || ratio > 3 || strings.HasPrefix(mix, ">") {
			t.Errorf("%s %s: the mix takes %s seeds, %s times those of the best, want at most 3 times",
				name, columns[0], mix, times)
		}
	}
	for _, p := range model.All {
		if len(p.Variants) > 40 {
			continue // which the page leaves out, and says so
		}
		for _, v := range p.Variants {
			if v.Breaks != "" && !measured[p.Name+" "+v.Name] {
				t.Errorf("%s %s is wrong and has no row", p.Name, v.Name)
			}
		}
	}
}
