package scenarios_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
)

// TestAllMistakesOfAStoryAreSaid has stories with several, which have nothing to do with each other.
func TestAllMistakesOfAStoryAreSaid(t *testing.T) {
	for _, c := range []struct {
		name, script, expect string
		want                 []string
	}{
		{"lines that are no lines", "P comit tx1\nR cut 1\nhold P->Q\nfoo bar baz\ndeliver", "signed hold", []string{
			`story.txt:7: no node called "R"`, `story.txt:9: no verb "foo"`,
			`story.txt:10: want FROM->TO after "deliver"`, `story.txt:13: want holds, breaks, `}},
		{"what the model does not know", "P comit tx1\nP commit tx1 Z",
			"signd holds\nsigned breaks one-pont\nP datta tx1", []string{
				`story.txt:6: model cut has no request "comit"; did you mean "commit"?`,
				`story.txt:7: no node called "Z"`,
				`story.txt:10: cut has no variant "signd"`,
				`story.txt:11: model cut has no property or claim "one-pont"`,
				`story.txt:12: model cut shows nothing called "datta"`}},
		{"one", "P comit tx1", "signed holds", []string{`story.txt:6: model cut has no request "comit"`}},
		{"too many to read", strings.Repeat("P comit tx1\n", 15), "signed holds", append(
			strings.Split(strings.Repeat("story.txt|", 10), "|")[:10], "and 5 mistakes more")},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "-- scenario --\nmodel cut\nnodes P Q\n\n-- script --\n" + c.script +
				"\n\n-- expect --\n" + c.expect + "\n"
			s, err := scenarios.Parse("story.txt", []byte(text))
			if err == nil {
				err = s.Check(cut.Protocol)
			}
			if err == nil {
				t.Fatal("no mistake is said")
			}
			lines := strings.Split(err.Error(), "\n")
			for i := range max(len(lines), len(c.want)) {
				if i >= len(lines) || i >= len(c.want) || !strings.HasPrefix(lines[i], c.want[i]) {
					t.Fatalf("got\n%s\nwant lines that begin\n%s", err, strings.Join(c.want, "\n"))
				}
			}
		})
	}
}
