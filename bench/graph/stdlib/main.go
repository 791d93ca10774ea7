// Command stdlib writes what internal/nav/resolve/golang knows of the standard
// library: the methods of its interfaces, in the form of facts.Symbol.Shape, which
// types are others by another name, and where values of such interfaces come from.
//
//	go run ./bench/graph/stdlib >internal/nav/resolve/golang/std.txt
package main

import (
	"fmt"
	"go/types"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}
	list, err := packages.Load(cfg, "std")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := []string{"error\tError()(string)"}
	of := sources{}
	for _, p := range list {
		if strings.Contains("/"+p.PkgPath+"/", "/internal/") || strings.HasPrefix(p.PkgPath, "vendor/") {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			if tn, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok && tn.Exported() {
				lines = append(lines, line(p.PkgPath+"."+name, tn)...)
			}
			of.declared(p.Types.Scope().Lookup(name))
		}
	}
	var interfaces []string
	for _, l := range lines[1:] {
		if name, _, ok := strings.Cut(l, "\t"); ok {
			interfaces = append(interfaces, name)
		}
	}
	lines = append(lines, of.lines(interfaces)...)
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

// line is that of a type, if it is one to be known.
func line(name string, tn *types.TypeName) []string {
	t, ok := types.Unalias(tn.Type()).(*types.Named)
	if !ok || t.TypeParams().Len() > 0 || t.Obj().Pkg() == nil {
		return nil
	}
	if tn.IsAlias() {
		return []string{name + "=" + t.Obj().Pkg().Path() + "." + t.Obj().Name()}
	}
	i, ok := t.Underlying().(*types.Interface)
	if !ok || !i.IsMethodSet() || i.NumMethods() == 0 {
		return nil
	}
	methods := []string{}
	for m := range i.Methods() {
		if !m.Exported() {
			return nil // nobody else can satisfy it
		}
		methods = append(methods, m.Name()+signature(m.Signature()))
	}
	return []string{name + "\t" + strings.Join(methods, "\t")}
}

func signature(s *types.Signature) string {
	return "(" + tuple(s.Params(), s.Variadic()) + ")(" + tuple(s.Results(), false) + ")"
}

func tuple(t *types.Tuple, variadic bool) string {
	var parts []string
	for i := range t.Len() {
		text := shape(t.At(i).Type())
		if variadic && i == t.Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// shape is a type as facts have it.
func shape(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return `"unsafe".Pointer`
		}
		return types.Typ[t.Kind()].Name()
	case *types.Named:
		return named(t)
	case *types.Pointer:
		return "*" + shape(t.Elem())
	case *types.Slice:
		return "[]" + shape(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + shape(t.Elem())
	case *types.Map:
		return "map[" + shape(t.Key()) + "]" + shape(t.Elem())
	case *types.Chan:
		return "chan" + map[types.ChanDir]string{types.SendRecv: "3", types.SendOnly: "1", types.RecvOnly: "2"}[t.Dir()] +
			" " + shape(t.Elem())
	case *types.Signature:
		return "func" + signature(t)
	case *types.Interface:
		if t.Empty() {
			return "any"
		}
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct{}"
		}
	}
	return "?"
}

func named(t *types.Named) string {
	name := t.Obj().Name()
	if t.Obj().Pkg() != nil {
		name = strconv.Quote(t.Obj().Pkg().Path()) + "." + name
	}
	var args []string
	for a := range t.TypeArgs().Types() {
		args = append(args, shape(a))
	}
	if args != nil {
		name += "[" + strings.Join(args, ",") + "]"
	}
	return name
}
