package scenarios

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// Test plays every story under fsys, the files that end in ".txt" and lie in no folder "testdata",
// each as a subtest of its own. A protocol in another module is tested so:
//
//	func TestStories(t *testing.T) { scenarios.Test(t, echo.Protocol, os.DirFS("stories")) }
//
// If the test binary has a boolean flag "update" and it is set, the claims' values and the stored
// traces in the files are first made what they are; that wants an os.DirFS.
func Test(t *testing.T, p *sim.Protocol, fsys fs.FS) {
	t.Helper()
	TestAll(t, func(string) *sim.Protocol { return p }, fsys)
}

// TestAll is Test for stories of several protocols: lookup gives the one called like the story's
// model, nil if there is none.
func TestAll(t *testing.T, lookup func(name string) *sim.Protocol, fsys fs.FS) {
	t.Helper()
	files, err := storiesOf(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no stories: want files that end in .txt")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(f.name, ".txt"), func(t *testing.T) { f.test(t, lookup) })
	}
}

// file is a story in a file system.
type file struct {
	fsys fs.FS
	name string
}

// storiesOf are the stories under fsys, in the order of their names.
func storiesOf(fsys fs.FS) ([]file, error) {
	var files []file
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir // as the go command does
		}
		if !d.IsDir() && path.Ext(name) == ".txt" {
			files = append(files, file{fsys, name})
		}
		return nil
	})
	return files, err
}

// test plays the story, and says that it comes out as it says.
func (f file) test(t testing.TB, lookup func(string) *sim.Protocol) bool {
	t.Helper()
	text, err := fs.ReadFile(f.fsys, f.name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(f.shown(), text)
	if err != nil {
		t.Fatal(err)
	}
	p := lookup(s.Model)
	if p == nil {
		t.Fatal(s.fault(s.headerLine("model"), "no model called %q", s.Model))
	}
	r, err := Play(s, p, PlayOptions{Update: updating()})
	if err != nil {
		t.Fatal(err)
	}
	failures := r.Failures()
	for _, text := range failures {
		what, command, _ := strings.Cut(text, "\n\t")
		t.Error(what + "\n\t" + again(t, command))
	}
	if now := Format(r.Scenario); updating() && !bytes.Equal(now, text) {
		f.rewrite(t, now)
	}
	return len(failures) == 0
}

// folder is a folder of the machine as a file system.
func folder(dir string) fs.FS { return os.DirFS(dir) }

// updating says that the test binary was called with -update.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func (f file) rewrite(t testing.TB, text []byte) {
	t.Helper()
	place, ok := f.place()
	if !ok {
		t.Fatalf("%s cannot be rewritten: -update wants stories in an os.DirFS", f.name)
	}
	if err := os.WriteFile(place, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// place is where the file lies, if fsys is an os.DirFS: a string, whatever its type is called.
func (f file) place() (string, bool) {
	v := reflect.ValueOf(f.fsys)
	if v.Kind() != reflect.String {
		return "", false
	}
	return filepath.Join(v.String(), filepath.FromSlash(f.name)), true
}

// shown is the file's path as messages and commands show it: from the module's root, where that is
// known.
func (f file) shown() string {
	place, ok := f.place()
	if !ok {
		return f.name
	}
	return shown(place)
}

// shown is a path from the module's root.
func shown(place string) string {
	whole, err := filepath.Abs(place)
	root := moduleRoot(filepath.Dir(whole))
	if err != nil || root == "" {
		return filepath.ToSlash(place)
	}
	return filepath.ToSlash(strings.TrimPrefix(whole, root+string(filepath.Separator)))
}

// moduleRoot is the folder of the module that a folder belongs to, "" if it belongs to none.
func moduleRoot(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// again is the command that shows again what a test says. In the module of downset that is its own
// command, which knows the protocol; in another one the test.
func again(t testing.TB, command string) string {
	here, err := filepath.Abs(".")
	root := moduleRoot(here)
	if err != nil || root == "" {
		return command
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || strings.HasPrefix(string(mod), "module github.com/downset/downset\n") {
		return command
	}
	var parts []string
	for _, name := range strings.Split(t.Name(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(name)+"$")
	}
	folder := "." + filepath.ToSlash(strings.TrimPrefix(here, root))
	return "go test -run '" + strings.Join(parts, "/") + "' " + folder
}
