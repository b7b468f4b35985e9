package downset_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// at is a finding at a node of a file.
func (h *house) at(n ast.Node, rule, msg string, args ...any) finding {
	return finding{pos: h.fset.Position(n.Pos()), rule: rule, msg: fmt.Sprintf(msg, args...)}
}

// shape are the findings about lengths and depths. Tests are tables and may be long, but not wide.
func (h *house) shape(_ string, s *source) []finding {
	found := wide(s)
	if s.test {
		return found
	}
	if n := strings.Count(s.text, "\n"); n > maxFile {
		found = append(found, h.at(s.ast, "long file",
			"%d lines, at most %d: a file is one noun, so find the second one", n, maxFile))
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			found = append(found, h.function(n)...)
			if n.Body != nil {
				found = append(found, h.nested(n.Body)...)
			}
		case *ast.FuncLit:
			found = append(found, h.nested(n.Body)...)
		}
		return true
	})
	return found
}

// wide are the lines of a file that are too long.
func wide(s *source) []finding {
	var found []finding
	line := 0
	for text := range strings.Lines(s.text) {
		line++
		if n := utf8.RuneCountInString(strings.TrimRight(text, "\n")); n > maxColumn && !s.test {
			found = append(found, finding{
				pos:  token.Position{Filename: s.path, Line: line},
				rule: "wide line", msg: fmt.Sprintf("%d columns, at most %d: break it", n, maxColumn),
			})
		}
	}
	return found
}

// function are the findings about the size of one function.
func (h *house) function(fn *ast.FuncDecl) []finding {
	var found []finding
	if n := h.length(fn); n > maxFunc {
		found = append(found, h.at(fn, "long function",
			"%s has %d lines, at most %d: give its parts names", fn.Name.Name, n, maxFunc))
	}
	if n := fn.Type.Params.NumFields(); n > maxParams {
		found = append(found, h.at(fn, "many parameters",
			"%s has %d, at most %d: make them a struct", fn.Name.Name, n, maxParams))
	}
	return found
}

// length is the number of lines between a function's braces.
func (h *house) length(fn *ast.FuncDecl) int {
	if fn.Body == nil {
		return 0
	}
	return max(0, h.fset.Position(fn.Body.Rbrace).Line-h.fset.Position(fn.Body.Lbrace).Line-1)
}

// nested are the statements that lie too deep in a function's body. A function in a function counts
// anew.
func (h *house) nested(body *ast.BlockStmt) []finding {
	var found []finding
	var walk func(n ast.Node, depth int)
	walk = func(n ast.Node, depth int) {
		for _, block := range blocks(n) {
			if depth == maxNested {
				found = append(found, h.at(n, "deep nesting",
					"more than %d blocks inside each other: return early, or give the inner part a name", maxNested))
				continue
			}
			for _, stmt := range block {
				walk(stmt, depth+1)
			}
		}
	}
	for _, stmt := range body.List {
		walk(stmt, 0)
	}
	return found
}

// blocks are the lists of statements that are indented beneath a statement.
func blocks(n ast.Node) [][]ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return [][]ast.Stmt{n.List}
	case *ast.IfStmt:
		if n.Else != nil {
			return append([][]ast.Stmt{n.Body.List}, blocks(n.Else)...)
		}
		return [][]ast.Stmt{n.Body.List}
	case *ast.ForStmt:
		return [][]ast.Stmt{n.Body.List}
	case *ast.RangeStmt:
		return [][]ast.Stmt{n.Body.List}
	case *ast.SwitchStmt:
		return clauses(n.Body)
	case *ast.TypeSwitchStmt:
		return clauses(n.Body)
	case *ast.SelectStmt:
		return clauses(n.Body)
	case *ast.LabeledStmt:
		return blocks(n.Stmt)
	}
	return nil
}

// clauses are the lists of a switch, whose cases stand at the level of the switch itself.
func clauses(body *ast.BlockStmt) [][]ast.Stmt {
	var lists [][]ast.Stmt
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			lists = append(lists, c.Body)
		case *ast.CommClause:
			lists = append(lists, c.Body)
		}
	}
	return lists
}

var (
	theTable = regexp.MustCompile(`\b(mutants|[a-z]+Mutants)\b`)
	leftover = regexp.MustCompile(`(?i)\b(TODO|FIXME|XXX)\b`)
	named    = regexp.MustCompile(`^TODO\([a-z]+\)`)
	sabotage = regexp.MustCompile(`(?i)bug|mutant`)
)

// words are the findings about words that have no place in a file.
func (h *house) words(dir string, s *source) []finding {
	var found []finding
	for _, group := range s.ast.Comments {
		for _, c := range group.List {
			for _, at := range leftover.FindAllStringIndex(c.Text, -1) {
				if !named.MatchString(c.Text[at[0]:]) {
					found = append(found, h.at(c, "leftover",
						"%s: do it now, or say who will: TODO(name)", c.Text[at[0]:at[1]]))
				}
			}
		}
	}
	if protocolFile(dir, s) {
		found = append(found, sabotaged(s)...)
	}
	return found
}

// protocolFile says that a file is part of a protocol itself, not of its tests, its sabotage, or its
// introduction, which tells where that is.
func protocolFile(dir string, s *source) bool {
	name := s.path[strings.LastIndexByte(s.path, '/')+1:]
	return strings.HasPrefix(dir, "model/") && !s.test && name != "doc.go" &&
		name != "mutants.go" && !strings.HasPrefix(name, "mutants_")
}

func sabotaged(s *source) []finding {
	var found []finding
	line := 0
	for text := range strings.Lines(s.text) {
		line++
		if strings.HasSuffix(s.path, "/variants.go") {
			text = theTable.ReplaceAllString(text, "") // the table takes in that of mutants.go
		}
		if word := sabotage.FindString(text); word != "" {
			found = append(found, finding{
				pos:  token.Position{Filename: s.path, Line: line},
				rule: "sabotage",
				msg:  fmt.Sprintf("%q in a protocol file: what is wrong on purpose lives in mutants.go", word),
			})
		}
	}
	return found
}

// imports are the findings about layers: who may know whom.
func (h *house) imports(f *folder) []finding {
	var found []finding
	for _, s := range f.sources {
		for _, spec := range s.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if why := forbidden(f.dir, path, s.test); why != "" {
				found = append(found, h.at(spec, "layer", "%s imports %s: %s", f.dir, path, why))
			}
		}
		if name := s.ast.Name.Name; s.test && !strings.HasSuffix(name, "_test") && !inside(s.path) {
			found = append(found, h.at(s.ast.Name, "inner test",
				"package %s: test from outside, as a user would: package %s_test", name, name))
		}
	}
	return found
}

// inside says that a test may look inside its package: queues and generators are worth it, a file
// that only lends outside tests what they plant, and properties, since only the package that notes
// facts can plant them.
func inside(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(name, "queue_") || strings.HasPrefix(name, "rand_") ||
		strings.HasPrefix(name, "properties_") || strings.HasPrefix(name, "export_")
}

// forbidden says why a folder must not import a package, "" if it may.
func forbidden(dir, path string, test bool) string {
	if test || !strings.Contains(strings.Split(path, "/")[0], ".") {
		return "" // tests may import everything, and everyone the standard library
	}
	if path == "pgregory.net/rapid" {
		return "rapid is for tests"
	}
	path = strings.TrimPrefix(path, module+"/")
	for _, l := range layers {
		if !fits(l.dir, dir) {
			continue
		}
		may := strings.Fields(l.imports)
		if strings.HasPrefix(dir, "model/") && !slices.Contains(lowerModels, dir) {
			may = append(may, lowerModels...)
		}
		if slices.ContainsFunc(may, func(pattern string) bool { return fits(pattern, path) }) {
			return ""
		}
		if l.imports == "" {
			return "it stands on the standard library alone"
		}
		return "it may import " + l.imports
	}
	return "its folder is in no layer: add it to the table"
}

// fits says that a path is what a pattern names; "sim/*" is any folder in sim. Another module's
// packages are all named by the module.
func fits(pattern, path string) bool {
	if parent, ok := strings.CutSuffix(pattern, "/*"); ok {
		rest, ok := strings.CutPrefix(path, parent+"/")
		return ok && !strings.Contains(rest, "/")
	}
	return pattern == path || strings.Contains(pattern, ".") && strings.HasPrefix(path, pattern+"/")
}

// documents are the findings about comments that must be there, and about how functions are sized as
// a whole.
func (h *house) documents(f *folder) []finding {
	var found []finding
	var lengths []int
	var doc *source
	for _, s := range f.sources {
		if s.test {
			continue
		}
		if strings.HasSuffix(s.path, "/doc.go") {
			doc = s
		}
		for _, d := range s.ast.Decls {
			found = append(found, h.undocumented(d)...)
			if fn, ok := d.(*ast.FuncDecl); ok {
				lengths = append(lengths, h.length(fn))
			}
		}
	}
	slices.Sort(lengths)
	first := f.sources[0].ast.Name
	if n := len(lengths); n > 0 && lengths[n/2] >= maxMedian {
		found = append(found, h.at(first, "long functions",
			"half of the functions of %s have %d lines or more, want under %d", f.dir, lengths[n/2], maxMedian))
	}
	if doc == nil && f.dir != "cmd/downset" && f.dir != "model" {
		return append(found, h.at(first, "no doc.go", "%s introduces itself in doc.go", f.dir))
	}
	if doc != nil && !strings.Contains(strings.ToLower(doc.text), "design not taken") {
		found = append(found, h.at(first, "no doc.go",
			`doc.go of %s says what it is, with a figure, and "The design not taken"`, f.dir))
	}
	return found
}

// undocumented are the exported names of a declaration that have no comment.
func (h *house) undocumented(d ast.Decl) []finding {
	var found []finding
	add := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		for _, doc := range docs {
			if doc != nil {
				return
			}
		}
		if name.IsExported() {
			found = append(found, h.at(name, "no comment",
				"%s: say in one sentence what it is, beginning with its name", name.Name))
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		receiver, method, _ := strings.Cut(funcName(d), ".")
		if ast.IsExported(receiver) && method != "String" && method != "Error" {
			add(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name, spec.Doc, spec.Comment, d.Doc)
			case *ast.ValueSpec:
				add(spec.Names[0], spec.Doc, spec.Comment, d.Doc)
			}
		}
	}
	return found
}
