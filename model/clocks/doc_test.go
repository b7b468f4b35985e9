package clocks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/downset/downset/model/clocks"
)

func TestThePackageCommentNamesEveryWordOfStories(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`[a-z][a-z-]*`).FindAllString(string(text), -1)
	p := clocks.Protocol
	for _, word := range slices.Concat(p.OpWords, p.SetupWords, p.Shows) {
		if !slices.Contains(named, word) {
			t.Errorf("doc.go does not name %q", word)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	kind := regexp.MustCompile(`\) Kind\(\) string +\{ return "([a-z-]+)" \}`)
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kind.FindAllSubmatch(code, -1) {
			if word := string(k[1]); !slices.Contains(inner, word) && !slices.Contains(named, word) {
				t.Errorf("doc.go does not name %q, a kind of %s", word, file)
			}
		}
	}
}

// inner are kinds that stories need not name: records of disks, results and verdicts.
var inner = []string{"ticked", "shelved", "opened", "object-kept", "verdict", "refused", "got",
	"ok", "held", "at", "numbered", "following", "polled"}
