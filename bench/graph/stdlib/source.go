package main

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// sources are what functions ("net/http.Get()"), methods ("net/http.Client.Do()"), fields and
// variables ("net/http.Response.Body") give, each a type by its import path and name, "[]"
// before that of a slice's elements, or "". Interfaces that functions and methods of other
// types give are left out: mostly the library made what it gives.
type sources map[string][]string

// declared adds what an exported object gives, and its fields and methods.
func (s sources) declared(o types.Object) {
	if !o.Exported() || o.Pkg() == nil {
		return
	}
	name := o.Pkg().Path() + "." + o.Name()
	switch o := o.(type) {
	case *types.Var:
		s[name] = []string{path(o.Type())}
	case *types.Func:
		s[name+"()"] = results(o, false)
	case *types.TypeName:
		if t, ok := types.Unalias(o.Type()).(*types.Named); ok && !o.IsAlias() && t.TypeParams().Len() == 0 {
			for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
				s.method(name, m.Obj(), false)
			}
			if i, ok := t.Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					s.method(name, m, true)
				}
			}
			s.fields(name, t)
		}
	}
}

func (s sources) method(of string, m types.Object, abstract bool) {
	if f, ok := m.(*types.Func); ok && m.Exported() {
		s[of+"."+m.Name()+"()"] = results(f, abstract)
	}
}

func (s sources) fields(of string, t types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		if f.Exported() {
			s[of+"."+f.Name()] = []string{path(f.Type())}
		}
	}
}

func results(f *types.Func, interfaces bool) (all []string) {
	if f.Signature().TypeParams().Len() > 0 {
		return nil
	}
	for r := range f.Signature().Results().Variables() {
		if types.IsInterface(element(r.Type())) && !interfaces {
			all = append(all, "")
			continue
		}
		all = append(all, path(r.Type()))
	}
	return all
}

// element is what a slice is of, or else the type.
func element(t types.Type) types.Type {
	if l, ok := types.Unalias(t).(*types.Slice); ok {
		return l.Elem()
	}
	return t
}

// path is a type by its import path and name.
func path(t types.Type) string {
	t = types.Unalias(t)
	if l, ok := t.(*types.Slice); ok {
		if e := path(l.Elem()); e != "" && e[0] != '[' {
			return "[]" + e
		}
		return ""
	}
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.TypeArgs().Len() == 0 {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}

// lines are those of what leads to an interface that others can satisfy, by a colon, with
// tabs between results.
func (s sources) lines(interfaces []string) (out []string) {
	wanted := map[string]bool{}
	for _, t := range interfaces {
		wanted[t] = true
	}
	leads := func(t string) bool { return wanted[strings.TrimPrefix(t, "[]")] }
	for more := true; more; {
		more = false
		for name, given := range s {
			of := owner(name)
			if of != "" && !wanted[of] && slices.ContainsFunc(given, leads) {
				wanted[of], more = true, true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		given := slices.Clone(s[name])
		for i, t := range given {
			if !leads(t) {
				given[i] = ""
			}
		}
		if text := strings.TrimRight(strings.Join(given, "\t"), "\t"); text != "" {
			out = append(out, name+":"+text)
		}
	}
	return out
}

// owner is the type that a method or field is of, "" of others.
func owner(name string) string {
	slash := strings.LastIndexByte(name, '/')
	i := strings.LastIndexByte(name, '.')
	if strings.IndexByte(name[slash+1:], '.')+slash+1 == i {
		return ""
	}
	return name[:i]
}
