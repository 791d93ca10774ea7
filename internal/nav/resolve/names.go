package resolve

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"
)

// What readers of several languages need.

// CleanDir is a folder in its shortest form, "" for the root.
func CleanDir(p string) string {
	if p = path.Clean(p); p == "." {
		return ""
	}
	return p
}

// Set is the set of words of a text.
func Set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// Said returns what a file says of a kind, by key.
func Said(q *Query, id FileID, kind string) (keys, values []string) {
	for i := range q.File(id).Imports {
		if x := &q.File(id).Imports[i]; x.Local == kind {
			keys, values = append(keys, x.Name), append(values, x.Path)
		}
	}
	return keys, values
}

// FolderOf is the folder of a path, "" for the root.
func FolderOf(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

// IsWithin reports whether a folder is another one or below it; "" is the root.
func IsWithin(dir, of string) bool { return of == "" || dir == of || strings.HasPrefix(dir, of+"/") }

// Shared is how many folders two paths have in common.
func Shared(a, b string) int {
	n := 0
	for a != "" && b != "" {
		x, restA, _ := strings.Cut(a, "/")
		y, restB, _ := strings.Cut(b, "/")
		if x != y {
			break
		}
		a, b, n = restA, restB, n+1
	}
	return n
}

// Nearest are those of several declarations in the files that share most folders with one.
func Nearest(q *Query, f FileID, list []SymbolID) []SymbolID {
	most := 0
	shared := func(id SymbolID) int { return Shared(q.File(id.File).Path, q.File(f).Path) }
	for _, id := range list {
		most = max(most, shared(id))
	}
	return slices.DeleteFunc(slices.Clone(list), func(id SymbolID) bool { return shared(id) < most })
}

// A Prefix is a module that the first names of a path may mean.
type Prefix struct {
	File  FileID
	Names int // how many
}

// Named finds what a path of names means to those who use a repository, in order of
// path and position: a package or the end of the path of a module, then what that
// exports, wherever it is declared, and what that has. Members that a type inherits
// are not among them: Inherited finds those. The longest names of modules come first.
func (r *Resolver) Named(names []string) []SymbolID {
	if len(names) < 2 {
		return nil
	}
	var done []Language
	most := 0
	var out []SymbolID
	for _, l := range r.langs {
		if slices.ContainsFunc(done, func(d Language) bool { return reflect.DeepEqual(d, l) }) {
			continue
		}
		done = append(done, l)
		for _, p := range l.Prefixes(r.query(), names[:len(names)-1]) {
			if p.Names < most {
				continue
			}
			found := exportedAs(r.query(), p, names)
			if len(found) > 0 && p.Names > most {
				most, out = p.Names, nil
			}
			out = append(out, found...)
		}
	}
	slices.SortFunc(out, r.query().Compare)
	return slices.Compact(out)
}

// exportedAs follows what is behind the names of a module.
func exportedAs(q *Query, p Prefix, names []string) []SymbolID {
	e, last := Entity{Kind: Module, Files: []FileID{p.File}}, len(names)-1
	for _, name := range names[p.Names:last] {
		e = q.Entity(p.File, q.Member(p.File, e, name))
	}
	if e.Kind == TypeName {
		return q.Own(e, names[last])
	}
	return q.Member(p.File, e, names[last]).Symbols
}

// A Layout says how the modules of a language lie in folders.
type Layout struct {
	Extensions []string // of files, with the dot
	Whole      []string // names of files, without extension, that are the module of their folder
	Skipped    string   // a folder that is not part of the path
}

// PrefixesIn finds the modules whose paths end with the first of some names, those
// of more names first.
func (l Layout) PrefixesIn(q *Query, names []string) []Prefix {
	var out []Prefix
	add := func(n int, parts ...string) {
		for _, ext := range l.Extensions {
			if id, ok := q.World().ByPath(path.Join(parts...) + ext); ok {
				out = append(out, Prefix{id, n})
			}
		}
	}
	q.World().Folders(func(dir string) bool {
		around := slices.DeleteFunc(strings.Split(dir, "/"), func(s string) bool { return s == "" || s == l.Skipped })
		for n := 1; n <= len(names); n++ {
			if endsWith(around, names[:n]) {
				for _, whole := range l.Whole {
					add(n, dir, whole)
				}
			}
			if endsWith(around, names[:n-1]) {
				add(n, dir, names[n-1])
			}
		}
		return true
	})
	slices.SortFunc(out, func(a, b Prefix) int { return cmp.Or(b.Names-a.Names, int(a.File-b.File)) })
	return slices.Compact(out)
}

func endsWith(list, end []string) bool {
	return len(list) >= len(end) && slices.Equal(list[len(list)-len(end):], end)
}
