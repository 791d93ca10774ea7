//go:build cgo

package treesitter

import (
	"path"
	"strings"
)

// wholeFile is the kind of the declaration that a component is: its file.
const wholeFile = "component"

// withComponent adds a declaration of the file, named like it, as which others
// import it. Where a script exports something as default, that is the component.
func withComponent(decls []decl, file string, size int) []decl {
	name := componentName(file)
	rename := func(qualified string) string {
		if qualified == "default" || strings.HasPrefix(qualified, "default.") {
			return name + strings.TrimPrefix(qualified, "default")
		}
		return qualified
	}
	named := false
	for i := range decls {
		d := &decls[i]
		if d.own == "default" && d.parent == "" {
			d.own, named = name, true
		}
		d.parent, d.path = rename(d.parent), rename(d.path)
	}
	if named {
		return decls
	}
	for i := range decls {
		if decls[i].up >= 0 {
			decls[i].up++
		}
	}
	whole := decl{own: name, up: -1, exported: true}
	whole.role, whole.kind, whole.end = roleDef, wholeFile, size
	return append([]decl{whole}, decls...)
}

// componentName is the file's without its extension; what is called "index" has
// the name of its folder.
func componentName(p string) string {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if dir := path.Base(path.Dir(p)); name == "index" && dir != "." && dir != "/" {
		return dir
	}
	return name
}
