// Package downset_test keeps the house rules: what the code may look like and what it may use, so
// that a run is the same on every machine and a reader finds things where they belong.
package downset_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/downset/downset"

// layers says what each folder may import besides the standard library; the first line that fits a
// folder counts. "model/*" is any folder in model. Tests may import everything.
var layers = []struct{ dir, imports string }{
	{"sim", ""},
	{"sim/*", "sim"},
	{"checker", "sim github.com/anishathalye/porcupine"},
	{"model/raft", "sim checker go.etcd.io/raft/v3"},
	{"model/*", "sim checker"}, // and a lower model: see lowerModels
	{"model", "sim model/*"},
	{"scenarios", "sim sim/search checker golang.org/x/tools/txtar"},
	{"cmd/cli/plants", "sim"},
	{"cmd/cli", "sim sim/* checker scenarios cmd/cli/plants github.com/spf13/cobra github.com/spf13/pflag"},
	{"cmd/pages", "sim scenarios model/*"},
	{"cmd/downset", "cmd/cli cmd/pages model sim"},
}

// lowerModels are the models that other models may stand on.
var lowerModels = []string{"model/raft"}

// allowed are the exceptions to the rules. One that is no longer needed fails the test.
var allowed = []struct{ file, rule, reason string }{
	{"sim/search/watchdog.go", "wall clock",
		"a handler that loops never gives the virtual clock a chance; no verdict reads this one"},
	{"sim/search/sweep.go", "wall clock",
		"a campaign may be told to end after so much time; no verdict reads the clock"},
	{"sim/search/cores.go", "environment", "how many runs are played at once decides nothing"},
	{"sim/search/twice.go", "environment",
		"the second of two runs gets a busier collector, because that must not matter"},
	{"scenarios/test.go", "environment",
		"a test with -update rewrites the stories it plays, and names them from the module's root"},
	{"scenarios/sweep.go", "environment",
		"what a campaign finds is left as a story in a folder, which go test plays first"},
	{"sim/digest.go", "map range", "the hashes of the pairs are sorted before they are combined"},
	{"sim/digest.go", "pointer order", "addresses are compared for being the same, to find a circle"},
	{"sim/codec.go", "pointer order",
		"copies and hashes follow the memory of a machine; addresses are compared for being the same only"},
	{"sim/codecrefs.go", "pointer order", "the same: a place that is met again is numbered, not ordered"},
	{"sim/codec.go", "floats", "the bits of one are hashed"},
	{"model/raft/library_timeout.go", "pointer order",
		"etcd's library draws its election timeouts by itself, and its field is private: it is written " +
			"through its address, which decides nothing"},
	{"model/raft/library_silent.go", "sabotage", "so methods of that library's logger are called"},
	{"sim/search/explore.go", "wall clock", "an exploration says how far it is; no verdict reads the clock"},
	{"sim/recover.go", "pointer order", "program counters become names of functions before anyone sees them"},
}

// maxima of the house; a function's length is that of its body.
const (
	maxFile   = 400
	maxFunc   = 60
	maxMedian = 10
	maxColumn = 100
	maxParams = 4
	maxNested = 3 // blocks inside a function's body
)

// finding is one breach of a rule.
type finding struct {
	pos  token.Position
	fn   string // the function it is in, "" outside of any
	rule string
	msg  string
}

// source is one Go file.
type source struct {
	path string // from the top, with slashes
	text string
	ast  *ast.File
	test bool
}

// folder is one package with its tests.
type folder struct {
	dir     string
	sources []*source
	types   *types.Package
	info    *types.Info
}

// house is the whole module, parsed once and, where rules ask for types, type-checked once.
type house struct {
	fset    *token.FileSet
	folders []*folder
	library types.ImporterFrom
}

var theHouse = sync.OnceValues(func() (*house, error) {
	fset := token.NewFileSet()
	library := importer.ForCompiler(fset, "source", nil).(types.ImporterFrom)
	h := &house{fset: fset, library: library}
	for _, top := range []string{"sim", "model", "checker", "scenarios", "cmd"} {
		if err := filepath.WalkDir(top, h.add); err != nil {
			return nil, err
		}
	}
	for _, f := range h.folders {
		if simulated(f.dir) {
			if err := h.check(f); err != nil {
				return nil, err
			}
		}
	}
	return h, nil
})

// add parses the Go files of a folder. What lies in testdata is no part of the house.
func (h *house) add(dir string, entry fs.DirEntry, err error) error {
	if err != nil || !entry.IsDir() {
		return err
	}
	if entry.Name() == "testdata" {
		return filepath.SkipDir
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return err
	}
	f := &folder{dir: filepath.ToSlash(dir)}
	for _, name := range names {
		if ok, err := build.Default.MatchFile(dir, filepath.Base(name)); !ok || err != nil {
			continue
		}
		s, err := h.parse(name)
		if err != nil {
			return err
		}
		f.sources = append(f.sources, s)
	}
	h.folders = append(h.folders, f)
	return nil
}

func (h *house) parse(name string) (*source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tree, err := parser.ParseFile(h.fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &source{filepath.ToSlash(name), string(text), tree, strings.HasSuffix(name, "_test.go")}, nil
}

// check type-checks what of a folder is not test.
func (h *house) check(f *folder) error {
	if f.types != nil {
		return nil
	}
	var trees []*ast.File
	for _, s := range f.sources {
		if !s.test {
			trees = append(trees, s.ast)
		}
	}
	var err error
	f.types, f.info, err = h.typeCheck(module+"/"+f.dir, trees)
	return err
}

func (h *house) typeCheck(path string, trees []*ast.File) (*types.Package, *types.Info, error) {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
		// of method calls: whether the receiver is taken by address
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: h}
	pkg, err := config.Check(path, h.fset, trees, info)
	return pkg, info, err
}

// Import finds packages of the house in the house, so that each is checked once.
func (h *house) Import(path string) (*types.Package, error) {
	dir, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return h.library.ImportFrom(path, ".", 0)
	}
	for _, f := range h.folders {
		if f.dir == dir {
			err := h.check(f)
			return f.types, err
		}
	}
	return nil, fmt.Errorf("no folder %s", dir)
}

// simulated says that code in a folder decides what happens in a run or what is said about it, so
// that it must be deterministic.
func simulated(dir string) bool {
	top, _, _ := strings.Cut(dir, "/")
	return top != "cmd"
}

func TestTheHouseIsTidy(t *testing.T) {
	h, err := theHouse()
	if err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(allowed))
	for _, f := range h.all() {
		i := slices.IndexFunc(allowed, func(a struct{ file, rule, reason string }) bool {
			return a.rule == f.rule && a.file == f.pos.Filename
		})
		if i >= 0 {
			used[i] = true
			continue
		}
		t.Errorf("%s:%d: %s: %s", f.pos.Filename, f.pos.Line, f.rule, f.msg)
	}
	for i, a := range allowed {
		if !used[i] {
			t.Errorf("%s no longer needs its exception from %q: take it off the list", a.file, a.rule)
		}
		if a.reason == "" {
			t.Errorf("the exception of %s from %q wants a reason", a.file, a.rule)
		}
	}
}

// all are the findings of all rules in the whole house.
func (h *house) all() []finding {
	var all []finding
	for _, f := range h.folders {
		if simulated(f.dir) {
			all = append(all, h.determinism(f)...)
		}
		for _, s := range f.sources {
			all = append(all, h.shape(f.dir, s)...)
			all = append(all, h.words(f.dir, s)...)
		}
		all = append(all, h.imports(f)...)
		all = append(all, h.documents(f)...)
	}
	return all
}

func TestTheTopLevelHoldsTheSixFolders(t *testing.T) {
	want := []string{"checker", "cmd", "model", "results", "scenarios", "sim"}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(want, e.Name()) {
			t.Errorf("folder %s: the top has the folders %s, and files", e.Name(), strings.Join(want, " "))
		}
	}
}

func TestEveryModelIsInTheList(t *testing.T) {
	list, err := os.ReadFile("model/model.go")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), "model.go", list, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Protocol" {
			listed[s.X.(*ast.Ident).Name] = true
		}
		return true
	})
	entries, err := os.ReadDir("model")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "testdata" && !listed[e.Name()] {
			t.Errorf("model/%s is not in model.All: add %s.Protocol", e.Name(), e.Name())
		}
	}
}

func TestAStoryThatBreaksNothingNamesATwinThatDoes(t *testing.T) {
	stories, err := filepath.Glob("scenarios/*/*.txt")
	if err != nil || len(stories) == 0 {
		t.Fatalf("no stories in scenarios: %v", err)
	}
	for _, name := range stories {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if why := lonely(filepath.Dir(name), string(text)); why != "" {
			t.Errorf("%s: %s", filepath.ToSlash(name), why)
		}
	}
}

// twinOf is the comment that names a story's twin: "# twin: FILE".
var twinOf = regexp.MustCompile(`^#.*\btwin:? (\S+\.txt)`)

// lonely says why a story proves little: it breaks nothing, and has no twin that does.
func lonely(dir, story string) string {
	if breaks(story) {
		return ""
	}
	twin := ""
	for line := range strings.Lines(story) {
		if words := twinOf.FindStringSubmatch(line); words != nil {
			twin = words[1]
		}
	}
	if twin == "" {
		return `it breaks nothing: let a wrong variant play it too, or name the story that breaks, "# twin: FILE"`
	}
	text, err := os.ReadFile(filepath.Join(dir, twin))
	if err != nil {
		return fmt.Sprintf("its twin %q is not beside it", twin)
	}
	if !breaks(string(text)) {
		return fmt.Sprintf("its twin %s breaks nothing either", twin)
	}
	return ""
}

// breaks says that a story expects a variant to break.
func breaks(story string) bool {
	_, expect, _ := strings.Cut(story, "\n-- expect --")
	for line := range strings.Lines(expect) {
		if words := strings.Fields(line); len(words) > 1 && words[1] == "breaks" {
			return true
		}
	}
	return false
}
