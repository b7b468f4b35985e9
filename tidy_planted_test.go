package downset_test

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"
)

// unsteady are snippets that a run must not contain, each with the rule that refuses it.
var unsteady = []struct{ name, rule, imports, code string }{
	{"a range over a map", "map range", "",
		`func f(m map[int]int) (n int) { for k := range m { n = k }; return n }`},
	{"a range over a map of a type parameter", "map range", "",
		`func f[M ~map[int]int](m M) (n int) { for k := range m { n = k }; return n }`},
	{"keys in the order of the map", "map range", "maps slices",
		`func f(m map[int]int) []int { return slices.Collect(maps.Keys(m)) }`},
	{"reflection over a map", "map range", "reflect",
		`func f(m map[int]int) bool { return reflect.ValueOf(m).MapRange().Next() }`},
	{"a goroutine", "goroutine", "", `func f(g func()) { go g() }`},
	{"a select", "select", "", `func f() { select {} }`},
	{"a channel", "channel", "", `func f(c chan int) { c <- 1 }`},
	{"a receive from a channel", "channel", "", `type c chan int; func f(x c) int { return <-x }`},
	{"the wall clock", "wall clock", "time", `func f() int64 { return time.Now().UnixNano() }`},
	{"a sleep", "wall clock", "time", `func f() { time.Sleep(time.Second) }`},
	{"a deadline", "wall clock", "context", `var _ = context.WithTimeout`},
	{"the global generator", "global random", "math/rand/v2", `func f() int { return rand.Int() }`},
	{"the system's generator", "global random", "crypto/rand", `func f() string { return rand.Text() }`},
	{"the environment", "environment", "os", `func f() string { return os.Getenv("HOME") }`},
	{"an address in a text", "pointer order", "fmt", `func f(x *int) string { return fmt.Sprintf("node %-8p", x) }`},
	{"an address as a number", "pointer order", "unsafe",
		`func f(x *int) bool { return uintptr(unsafe.Pointer(x)) > 7 }`},
	{"an address by reflection", "pointer order", "reflect",
		`func f(x *int) bool { return reflect.ValueOf(x).Pointer() > 7 }`},
	{"a map with pointers as keys", "pointer order", "", `type t map[*int]bool`},
	{"a sort that leaves ties to the library", "unstable sort", "sort",
		`func f(x []string) { sort.Slice(x, func(i, j int) bool { return len(x[i]) < len(x[j]) }) }`},
	{"a sort by a function", "unstable sort", "slices",
		`func f(x []string) { slices.SortFunc(x, func(a, b string) int { return len(a) - len(b) }) }`},
	{"a counter of the package", "package state", "", `var n int; func f() { n++ }`},
	{"a cache of the package", "package state", "", `var seen = map[int]bool{}; func f() { seen[1] = true }`},
	{"a field of a variable of the package", "package state", "", `var x struct{ n [3]int }; func f() { x.n[1] = 2 }`},
	{"an address of a variable of the package", "package state", "", `var n int; func f() *int { return &n }`},
	{"a method that changes a variable of the package", "package state", "strings",
		`var b strings.Builder; func f() { b.WriteByte('x') }`},
	{"a variable of the package changed by a literal", "package state", "",
		`var n int; var f = func() { n = 2 }`},
	{"a variable of another package", "package state", "flag", `func f() { flag.Usage = nil }`},
	{"a range into a variable of the package", "package state", "", `var k int; func f(x []int) { for k = range x {} }`},
	{"a registration at import", "init", "", `func init() {}`},
	{"a hash with a seed of the process", "hash seed", "hash/maphash",
		`func f(s string) uint64 { return maphash.String(maphash.MakeSeed(), s) }`},
	{"a finalizer", "finalizer", "runtime", `func f(x *int) { runtime.SetFinalizer(x, nil) }`},
	{"a clean-up", "finalizer", "runtime", `func f(x *int) { runtime.AddCleanup(x, func(int) {}, 0) }`},
	{"the number of processors", "environment", "runtime", `func f() int { return runtime.NumCPU() }`},
	{"a pool", "shared memory", "sync", `type t struct{ pool *sync.Pool }`},
	{"an atomic", "shared memory", "sync/atomic", `type t struct{ n atomic.Int64 }`},
	{"a float", "floats", "", `func f(x float64) bool { return x > 0 }`},
	{"a product of floats", "floats", "", `func f(x, y int) int { return int(1.5 * (2.5 + float64(x))) }`},
	{"a float of a type's own", "floats", "math", `func f() int { return int(math.Sqrt(2)) }`},
	{"a print", "print", "fmt", `func f() { fmt.Println() }`},
	{"a built-in print", "print", "", `func f() { println() }`},
}

func TestTidyFindsEachPlantedUnsteadiness(t *testing.T) {
	for _, c := range unsteady {
		t.Run(c.name, func(t *testing.T) {
			found := snippet(t, c.imports, c.code)
			if !slices.ContainsFunc(found, func(f finding) bool { return f.rule == c.rule }) {
				t.Errorf("tidy finds %v in\n%s\nwant %q", found, c.code, c.rule)
			}
			for _, f := range found {
				if f.rule != c.rule || !strings.HasSuffix(f.msg, advice[c.rule]) || advice[c.rule] == "" {
					t.Errorf("tidy says %q, %q of\n%s\nwant %q and what to write instead", f.rule, f.msg, c.code, c.rule)
				}
			}
		})
	}
}

func TestTidyLeavesSteadyCodeAlone(t *testing.T) {
	for _, c := range []struct{ name, imports, code string }{
		{"sorted keys", "maps slices",
			`func f(m map[string]int) { for _, k := range slices.Sorted(maps.Keys(m)) { _ = k } }`},
		{"a look into a map", "", `func f(m map[string]int) int { m["x"]++; delete(m, "y"); return m["x"] }`},
		{"durations", "time", `func f(d time.Duration) bool { return d.Round(time.Second) > 5*time.Minute }`},
		{"a per cent sign", "fmt", `func f(n int) string { return fmt.Sprintf("%d%% of p", n) }`},
		{"a table", "", `var names = [...]string{"a", "b"}; func f(i int) string { return names[i] }`},
		{"an error", "errors", `var errFull = errors.New("full"); func f(e error) bool { return errors.Is(e, errFull) }`},
		{"a local that hides a table", "", `var n = 1; func f() int { n := 2; n++; return n }`},
		{"a stable sort", "slices", `func f(x []string) {
			slices.SortStableFunc(x, func(a, b string) int { return len(a) - len(b) })
			slices.Sort(x)
		}`},
		{"a large constant", "", `const n = int64(1e9); func f() int64 { return n * 2 }`},
		{"a stack", "runtime", `func f() int { return runtime.Callers(0, nil) }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if found := snippet(t, c.imports, c.code); len(found) > 0 {
				t.Errorf("tidy finds %v in\n%s\nwant nothing", found, c.code)
			}
		})
	}
}

// snippet is what the rules about determinism find in a piece of code.
func snippet(t *testing.T, imports, code string) []finding {
	t.Helper()
	h := planted(t)
	text := "package planted\n"
	for path := range strings.FieldsSeq(imports) {
		text += "import \"" + path + "\"\n"
	}
	return h.determinism(planting(t, h, text+code))
}

// planted is the house whose types a snippet is checked with.
func planted(t *testing.T) *house {
	t.Helper()
	h, err := theHouse()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// planting is a folder that holds one file.
func planting(t *testing.T, h *house, text string) *folder {
	t.Helper()
	tree, err := parser.ParseFile(h.fset, "planted.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	f := &folder{dir: "model/planted", sources: []*source{{path: "model/planted/planted.go", text: text, ast: tree}}}
	f.types, f.info, err = h.typeCheck("planted", []*ast.File{tree})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTidyFindsEachBreachOfShape(t *testing.T) {
	for _, c := range []struct{ name, rule, code string }{
		{"a long function", "long function", "func f() {" + strings.Repeat("\n_ = 1", 61) + "\n}"},
		{"a long file", "long file", strings.Repeat("// x\n", 400) + "\n"},
		{"a wide line", "wide line", "// " + strings.Repeat("é", 98)},
		{"many parameters", "many parameters", "func f(a, b, c, d, e int) {}"},
		{"deep nesting", "deep nesting", "func f() { for { for { if true { if true { return } } } } }"},
		{"deep nesting in a switch", "deep nesting",
			"func f() { for { switch { case true: for { if true { return } } } } }"},
		{"deep nesting in a literal", "deep nesting",
			"var f = func() { for { for { for { for {} } } } }"},
		{"a leftover", "leftover", "// TODO: more\n"},
		{"a leftover in a block", "leftover", "/* it works, FIXME */\n"},
		{"sabotage in a protocol", "sabotage", "func f(isBuggy bool) {}"},
		{"an exported name without a comment", "no comment", "// T is t.\ntype T int\n\nfunc (T) M() {}"},
		{"an exported constant without a comment", "no comment", "const N = 1"},
		{"no introduction", "no doc.go", ""},
		{"a layer above", "layer", `import _ "github.com/downset/downset/scenarios"`},
		{"another module", "layer", `import _ "github.com/spf13/cobra"`},
		{"rapid", "layer", `import _ "pgregory.net/rapid"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := shapes(t, "model/planted/planted.go", "package planted\n\n"+c.code)
			if !slices.ContainsFunc(found, func(f finding) bool { return f.rule == c.rule }) {
				t.Errorf("tidy finds %v, want %q", found, c.rule)
			}
		})
	}
}

func TestTidyFindsATestThatLooksInside(t *testing.T) {
	found := shapes(t, "model/planted/planted_test.go", "package planted\n")
	if len(found) != 1 || found[0].rule != "inner test" {
		t.Errorf("tidy finds %v, want one inner test", found)
	}
}

func TestTidyLeavesAShapelyFileAlone(t *testing.T) {
	found := shapes(t, "model/planted/doc.go", `// Package planted is a package. The design not taken: none.
package planted

import _ "github.com/downset/downset/checker"

// N is a number.
const N = 1 // TODO(ann): two

// F gives up early.
func F(a, b, c, d int) {
	for {
		switch {
		case a > 0:
			if b > 0 {
				return
			}
		}
	}
}
`)
	if len(found) > 0 {
		t.Errorf("tidy finds %v, want nothing", found)
	}
}

// shapes is what the rules that need no types find in a file.
func shapes(t *testing.T, path, text string) []finding {
	t.Helper()
	h := planted(t)
	tree, err := parser.ParseFile(h.fset, path, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	s := &source{path: path, text: text, ast: tree, test: strings.HasSuffix(path, "_test.go")}
	f := &folder{dir: "model/planted", sources: []*source{s}}
	found := append(h.shape(f.dir, s), h.words(f.dir, s)...)
	found = append(found, h.imports(f)...)
	if s.test {
		return found
	}
	return append(found, h.documents(f)...)
}

func TestAStoryWithoutABreakIsLonely(t *testing.T) {
	const holds, fails = "\n-- expect --\n* holds\n", "\n-- expect --\nloose breaks consistent-cut\n"
	dir := t.TempDir()
	write(t, dir+"/twin.txt", "# It breaks.\n"+fails)
	write(t, dir+"/good.txt", "# It holds.\n"+holds)
	for _, c := range []struct{ name, story, why string }{
		{"a story that breaks", "# Says enough.\n" + fails, ""},
		{"a story with a twin that breaks", "# Two of them; twin twin.txt.\n" + holds, ""},
		{"a story alone", "# Alone.\n" + holds, "breaks nothing"},
		{"a story with a twin that is not there", "# twin gone.txt\n" + holds, "not beside it"},
		{"a story with a twin that holds", "# twin good.txt\n" + holds, "nothing either"},
		{"a story that only talks of breaks", "# Q breaks off, twin good.txt\n" + holds, "nothing either"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lonely(dir, c.story)
			if (c.why == "") != (got == "") || !strings.Contains(got, c.why) {
				t.Errorf("lonely(%q) = %q, want %q", c.story, got, c.why)
			}
		})
	}
}

// Protocol code is plain data and plain rules. The one file that must write a private field of a
// library stays the only one.
func TestOneFileOfAllModelsReachesIntoMemory(t *testing.T) {
	h, err := theHouse()
	if err != nil {
		t.Fatal(err)
	}
	const alone = "model/raft/library_timeout.go"
	var reach []string
	for _, f := range h.folders {
		for _, s := range f.sources {
			if strings.HasPrefix(f.dir, "model") && !s.test && reaches(s.ast) {
				reach = append(reach, s.path)
			}
		}
	}
	if !slices.Equal(reach, []string{alone}) {
		t.Errorf("%q import reflect or unsafe, want %s alone", reach, alone)
	}
	for _, a := range allowed {
		if strings.HasPrefix(a.file, "model/") && a.rule == "pointer order" && a.file != alone {
			t.Errorf("%s is excepted from %q, want no model but %s to be", a.file, a.rule, alone)
		}
	}
}

// reaches says that a file imports what gets at the memory of others.
func reaches(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		return i.Path.Value == `"reflect"` || i.Path.Value == `"unsafe"`
	})
}
