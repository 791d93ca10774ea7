package golang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// goMethod is a method of a type or interface as it is compared: signatures
// with folders in place of import paths.
type goMethod struct {
	id    resolve.SymbolID
	shape string
	of    resolve.SymbolID // the type that declares it
}

// goMethods are methods by name; a name that is not exported has its folder
// before it, because it is another one in another package.
type goMethods map[string]goMethod

// goMethodKey is the name of a method in a set.
func goMethodKey(q *resolve.Query, id resolve.SymbolID) string {
	s := q.Symbol(id)
	if s.Name[0] >= 'A' && s.Name[0] <= 'Z' {
		return s.Name
	}
	return resolve.FolderOf(q.File(id.File).Path) + "." + s.Name
}

type goShapeKey resolve.SymbolID

// goShape is a signature that can be compared with those of other packages.
func goShape(q *resolve.Query, id resolve.SymbolID) string {
	text := q.Symbol(id).Shape
	if !strings.Contains(text, `"`) {
		return text
	}
	return resolve.Once(q, goShapeKey(id), func() string {
		var b strings.Builder
		for {
			i := strings.IndexByte(text, '"')
			if i < 0 {
				break
			}
			j := i + 1 + strings.IndexByte(text[i+1:], '"')
			if j <= i {
				break
			}
			b.WriteString(text[:i])
			k := j + 1 // the name after the dot
			for k < len(text) && (text[k] == '.' || isNameByte(text[k])) {
				k++
			}
			b.WriteString(goTypeName(q, id.File, text[i+1:j], strings.TrimPrefix(text[j+1:k], ".")))
			text = text[k:]
		}
		return b.String() + text
	})
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// goTypeName is a type by its package and name. Aliases are followed where
// they name another type.
func goTypeName(q *resolve.Query, f resolve.FileID, pkg, name string) string {
	var found resolve.Found
	switch {
	case pkg == "":
		found = Language{}.Bare(q, f, -1, name)
	case strings.HasPrefix(pkg, "?"):
		if m := (Language{}).Bare(q, f, -1, pkg[1:]); len(m.Files) > 0 {
			found = goMember(q, m.Files, name)
		}
	default:
		if i := slices.IndexFunc(q.File(f).Imports, func(i facts.Import) bool { return i.Path == pkg }); i >= 0 {
			found = goMember(q, goImport(q, f, i), name)
		}
	}
	if len(found.Symbols) == 0 {
		if pkg == "" {
			return name
		}
		pkg = strings.TrimPrefix(pkg, "?")
		if of, ok := goStd().aliases[pkg+"."+name]; ok {
			i := strings.LastIndexByte(of, '.')
			pkg, name = of[:i], of[i+1:]
		}
		return strconv.Quote(pkg) + "." + name
	}
	id := found.Symbols[0]
	if s := q.Symbol(id); resolve.IsType(s) && s.Type != facts.Nothing {
		switch e := q.StandsFor(id, nil); {
		case e.Kind == resolve.TypeName && len(e.Symbols) > 0:
			id = e.Symbols[0]
		case s.Type == facts.External:
			return name // of a predeclared type: which one is not known
		}
	}
	return strconv.Quote("/"+resolve.FolderOf(q.File(id.File).Path)+" "+q.File(id.File).Package) + "." + q.Symbol(id).Name
}
