package scenarios_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
)

// In a module of one's own nobody has to have the commands of downset: what fails is shown again by
// the test that failed.
func TestInAnotherModuleAFailingTestNamesItselfAsTheCommand(t *testing.T) {
	const test = `go test -run '^TestTape$/^a\+b$' `
	wrong := gossips(gossip{doubles: true}, gossip{doubles: true})
	for _, c := range []struct {
		name, mod, dir string
		found, kept    string // ends of what is said when it is found, and when the stored story fails
	}{
		{"downset itself", "module github.com/downset/downset\n", "model",
			"; the story is kept: downset replay model/testdata/found/gossip-plain-once.txt",
			"\n\tdownset run --variant plain model/testdata/found/gossip-plain-once.txt"},
		{"another one, in a folder", "module example.com/echo\n", "talk",
			"; the story is kept: talk/testdata/found/gossip-plain-once.txt; " + test + "./talk", "\n\t" + test + "./talk"},
		{"another one, at its top", "module example.com/echo\n", ".",
			"; the story is kept: testdata/found/gossip-plain-once.txt; " + test + ".", "\n\t" + test + "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := t.TempDir()
			if err := os.MkdirAll(filepath.Join(top, c.dir), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(top, "go.mod"), []byte(c.mod), 0o666); err != nil {
				t.Fatal(err)
			}
			t.Chdir(filepath.Join(top, c.dir))
			for _, want := range []string{c.found, c.kept} {
				got := swept(wrong, scenarios.SweepOptions{}).errors
				if len(got) != 1 || !strings.HasSuffix(got[0], want) {
					t.Errorf("got %q, want an end like %q", got, want)
				}
			}
		})
	}
}
