package downset_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// parallel is the one folder that runs many worlds at once.
const parallel = "sim/search"

// advice says, for each rule about determinism, what to write instead.
var advice = map[string]string{
	"map range":     `sort first: for _, k := range slices.Sorted(maps.Keys(m)), or index a slice by node`,
	"goroutine":     `one goroutine a run: own work is env.Later, and many runs at once belong to ` + parallel,
	"select":        `the runtime picks a ready case at random: take events in order of (time, sequence)`,
	"channel":       `a queue within a run is a slice`,
	"wall clock":    `take time from env.Now or the run, durations from time.Duration, timers from env.After`,
	"global random": `draw by name: env.Draw in a handler, sim.Draws in a workload`,
	"environment":   `machines differ: let the caller hand it in, through the plan or an argument`,
	"pointer order": `addresses differ from run to run: number things in order of creation`,
	"unstable sort": `ties fall as the library likes: slices.SortStableFunc, or slices.Sort of whole keys`,
	"package state": `runs would see each other's leftovers: keep it in the world, the machine or an argument`,
	"init":          `nothing happens at import: make the value where it is used`,
	"hash seed":     `its seed differs from process to process: hash with sim's own hash`,
	"finalizer":     `the collector runs when it likes: free lists of one's own, and no clean-ups`,
	"shared memory": `one goroutine a run needs no locks: plain fields`,
	"floats":        `rounding differs by machine: integers, parts per million, a table`,
	"print":         `return the text, or an error: only cmd prints`,
}

// banned are the packages of which any use breaks a rule.
var banned = map[string]string{
	"math/rand":      "global random",
	"math/rand/v2":   "global random",
	"crypto/rand":    "global random",
	"hash/maphash":   "hash seed",
	"unsafe":         "pointer order",
	"weak":           "finalizer",
	"sync":           "shared memory",
	"sync/atomic":    "shared memory",
	"os":             "environment",
	"os/exec":        "environment",
	"net":            "environment",
	"syscall":        "environment",
	"log":            "print",
	"log/slog":       "print",
	"container/heap": "unstable sort",
	"encoding/gob":   "map range",
}

// allowedIn are the packages of which only some names may be used, and the rule that the others
// break.
var allowedIn = map[string]struct{ rule, names string }{
	"time":          {"wall clock", "Duration ParseDuration Nanosecond Microsecond Millisecond Second Minute Hour"},
	"runtime":       {"environment", "Callers CallersFrames Frame Frames Error Stack"},
	"runtime/debug": {"environment", "Stack"},
	"context":       {"wall clock", "Context Background"},
	"testing":       {"environment", "T B F TB Short"},
}

// bannedNames are single names of packages that are otherwise fine.
var bannedNames = map[string]string{
	"runtime.SetFinalizer":        "finalizer",
	"runtime.AddCleanup":          "finalizer",
	"sort.Slice":                  "unstable sort",
	"sort.Sort":                   "unstable sort",
	"slices.SortFunc":             "unstable sort",
	"slices.SortedFunc":           "unstable sort",
	"fmt.Print":                   "print",
	"fmt.Printf":                  "print",
	"fmt.Println":                 "print",
	"reflect.Value.MapRange":      "map range",
	"reflect.Value.Pointer":       "pointer order",
	"reflect.Value.UnsafePointer": "pointer order",
	"reflect.Value.UnsafeAddr":    "pointer order",
	"maps.All":                    "map range",
}

// inspector walks one package and collects its findings.
type inspector struct {
	house  *house
	folder *folder
	file   *ast.File
	fn     string            // the function it is in
	sorted map[ast.Node]bool // maps.Keys whose order is mended at once
	found  []finding
}

// determinism are the findings of one folder about what must not decide a run. Tests are left out:
// what they do is compared with what the code does.
func (h *house) determinism(f *folder) []finding {
	in := &inspector{house: h, folder: f, sorted: map[ast.Node]bool{}}
	for _, s := range f.sources {
		if !s.test {
			in.inspect(s.ast)
		}
	}
	return in.found
}

func (in *inspector) inspect(file *ast.File) {
	in.file = file
	for _, d := range file.Decls {
		in.fn = ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			in.fn = funcName(fn)
			if in.fn == "init" {
				in.add(fn, "init", "func init")
			}
		}
		ast.Inspect(d, in.node)
	}
}

// funcName is a function's name, with its receiver's type.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*") + "." + fn.Name.Name
}

func (in *inspector) add(n ast.Node, rule, what string) {
	if in.folder.dir == parallel {
		switch rule {
		case "goroutine", "select", "channel", "shared memory", "floats":
			return
		}
	}
	in.found = append(in.found, finding{
		pos: in.house.fset.Position(n.Pos()), fn: in.fn, rule: rule, msg: what + ": " + advice[rule],
	})
}

// node looks at one node of the tree.
func (in *inspector) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		in.imported(n)
		return false
	case *ast.RangeStmt:
		in.ranged(n)
	case *ast.GoStmt:
		in.add(n, "goroutine", "go statement")
	case *ast.SelectStmt:
		in.add(n, "select", "select")
	case *ast.ChanType, *ast.SendStmt:
		in.add(n, "channel", "channel")
	case *ast.CallExpr:
		in.called(n)
	case *ast.SelectorExpr:
		in.selected(n)
	case *ast.MapType:
		in.mapType(n)
	case *ast.Ident:
		in.named(n)
	case *ast.BasicLit:
		in.literal(n)
	case *ast.BinaryExpr:
		in.float(n)
	case *ast.AssignStmt:
		for _, x := range n.Lhs {
			in.changed(x, n.Tok == token.DEFINE)
		}
	case *ast.IncDecStmt:
		in.changed(n.X, false)
	case *ast.UnaryExpr:
		in.unary(n)
	}
	return true
}

// imported looks at imports that are not used by name; the others are found where they are used.
func (in *inspector) imported(n *ast.ImportSpec) {
	path, _ := strconv.Unquote(n.Path.Value)
	if rule := banned[path]; rule != "" && n.Name != nil && (n.Name.Name == "." || n.Name.Name == "_") {
		in.add(n, rule, "import of "+path)
	}
}

func (in *inspector) ranged(n *ast.RangeStmt) {
	t := in.typeOf(n.X)
	if t == nil {
		return
	}
	switch core(t).(type) {
	case *types.Map:
		in.add(n, "map range", "range over a map")
	case *types.Chan:
		in.add(n, "channel", "range over a channel")
	}
	for _, x := range []ast.Expr{n.Key, n.Value} {
		if x != nil {
			in.changed(x, n.Tok == token.DEFINE)
		}
	}
}

// core is the type that all types of t's kind have beneath, t's own if it is no type parameter.
func core(t types.Type) types.Type {
	p, ok := t.(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	set, _ := p.Constraint().Underlying().(*types.Interface)
	for i := range set.NumEmbeddeds() {
		switch e := set.EmbeddedType(i).(type) {
		case *types.Union:
			return e.Term(0).Type().Underlying()
		default:
			return e.Underlying()
		}
	}
	return set
}

// called looks at calls: of built-ins, of sorters of keys, and of formatters.
func (in *inspector) called(n *ast.CallExpr) {
	switch in.path(n.Fun) {
	case "slices.Sorted", "slices.SortedStableFunc":
		if inner, ok := n.Args[0].(*ast.CallExpr); ok {
			in.sorted[inner.Fun] = true
		}
	case "print", "println":
		in.add(n, "print", "built-in print")
	case "delete", "clear", "copy":
		in.changed(n.Args[0], false)
	}
	in.float(n)
	if path := in.path(n.Fun); (path == "maps.Keys" || path == "maps.Values") && !in.sorted[n.Fun] {
		in.add(n, "map range", path+" without slices.Sorted around it")
	}
}

// path is how a function is called: "slices.Sorted", "print", "reflect.Value.Pointer".
func (in *inspector) path(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.IndexExpr:
		return in.path(x.X)
	case *ast.Ident:
		if _, ok := in.folder.info.Uses[x].(*types.Builtin); ok {
			return x.Name
		}
	case *ast.SelectorExpr:
		return pathOf(in.folder.info.Uses[x.Sel])
	}
	return ""
}

func pathOf(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			return strings.TrimPrefix(types.TypeString(recv.Type(), nil), "*") + "." + fn.Name()
		}
	}
	return o.Pkg().Path() + "." + o.Name()
}

// selected looks at names of other packages, and at methods that change their receiver.
func (in *inspector) selected(n *ast.SelectorExpr) {
	used := in.folder.info.Uses[n.Sel]
	path := pathOf(used)
	if rule := bannedNames[path]; rule != "" {
		in.add(n, rule, path)
	}
	if used != nil && used.Pkg() != nil {
		in.ofPackage(n, used, path)
	}
	if s := in.folder.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && byAddress(s) {
		in.changed(n.X, false)
	}
}

// ofPackage looks at a name by the package it comes from.
func (in *inspector) ofPackage(n *ast.SelectorExpr, used types.Object, path string) {
	if rule := banned[used.Pkg().Path()]; rule != "" {
		in.add(n, rule, path)
	}
	limit, limited := allowedIn[used.Pkg().Path()]
	limited = limited && bannedNames[path] == ""
	if limited && isPackage(in.folder.info, n.X) && !strings.Contains(" "+limit.names+" ", " "+used.Name()+" ") {
		in.add(n, limit.rule, path)
	}
}
