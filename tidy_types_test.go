package downset_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func isPackage(info *types.Info, x ast.Expr) bool {
	name, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[name].(*types.PkgName)
	return ok
}

// byAddress says that a method call takes the address of a variable that is no pointer.
func byAddress(s *types.Selection) bool {
	_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	_, already := s.Recv().Underlying().(*types.Pointer)
	return pointer && !already && !s.Indirect()
}

func (in *inspector) mapType(n *ast.MapType) {
	switch t := in.typeOf(n.Key); t.(type) {
	case *types.Pointer, *types.Chan:
		in.add(n, "pointer order", "map with keys of type "+t.String())
	}
}

func (in *inspector) named(n *ast.Ident) {
	o := in.folder.info.Uses[n]
	if t, ok := o.(*types.TypeName); ok {
		in.typeName(n, t)
		return
	}
	if v, ok := in.folder.info.Defs[n].(*types.Var); ok && isFloat(v.Type()) {
		in.add(n, "floats", "variable "+v.Name())
	}
}

func (in *inspector) typeName(n *ast.Ident, t *types.TypeName) {
	if t.Parent() != types.Universe {
		return
	}
	switch t.Name() {
	case "uintptr":
		in.add(n, "pointer order", "uintptr")
	case "float32", "float64", "complex64", "complex128":
		in.add(n, "floats", t.Name())
	}
}

func (in *inspector) literal(n *ast.BasicLit) {
	switch {
	case n.Kind == token.STRING && formatsPointer(n.Value):
		in.add(n, "pointer order", "%p")
	case n.Kind == token.FLOAT || n.Kind == token.IMAG:
		in.float(n)
	}
}

// formatsPointer says that a text has the verb %p, with or without flags.
func formatsPointer(text string) bool {
	text = strings.ReplaceAll(text, "%%", "")
	for {
		_, rest, ok := strings.Cut(text, "%")
		if !ok {
			return false
		}
		text = rest
		if strings.HasPrefix(strings.TrimLeft(rest, "+-# 0123456789[]*."), "p") {
			return true
		}
	}
}

func (in *inspector) float(n ast.Expr) {
	if t := in.typeOf(n); t != nil && isFloat(t) {
		in.add(n, "floats", types.ExprString(n))
	}
}

func isFloat(t types.Type) bool {
	b, ok := core(t).(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

func (in *inspector) unary(n *ast.UnaryExpr) {
	switch n.Op {
	case token.AND:
		in.changed(n.X, false)
	case token.ARROW:
		in.add(n, "channel", "receive from a channel")
	}
}

// changed looks at a variable that is assigned to, or whose address leaves it open to that.
func (in *inspector) changed(x ast.Expr, defined bool) {
	if v := in.root(x); v != nil && !defined && v.Parent() == v.Pkg().Scope() {
		in.add(x, "package state", fmt.Sprintf("%s is changed", types.ExprString(x)))
	}
}

// root is the variable that an expression is a part of.
func (in *inspector) root(x ast.Expr) *types.Var {
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.SliceExpr:
			x = y.X
		case *ast.SelectorExpr:
			if isPackage(in.folder.info, y.X) {
				x = y.Sel
				continue
			}
			x = y.X
		case *ast.Ident:
			v, _ := in.folder.info.Uses[y].(*types.Var)
			if v == nil || v.Pkg() == nil || v.IsField() {
				return nil
			}
			return v
		default:
			return nil
		}
	}
}

func (in *inspector) typeOf(x ast.Expr) types.Type { return in.folder.info.TypeOf(x) }
