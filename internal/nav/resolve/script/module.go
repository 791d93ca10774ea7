package script

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Extensions in the order in which they are tried. What is written with the
// extension of JavaScript may be a file of TypeScript.
var (
	scriptExtensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
	scriptCompiled   = map[string][]string{
		".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
	}
)

type scriptModuleKey struct{ dir, path string }

// scriptModule finds the file of a module, as it is imported from a file.
func scriptModule(q *resolve.Query, f resolve.FileID, p string) []resolve.FileID {
	dir := resolve.FolderOf(q.File(f).Path)
	return resolve.Once(q, scriptModuleKey{dir, p}, func() []resolve.FileID { return findScript(q, dir, p) })
}

func findScript(q *resolve.Query, dir, p string) []resolve.FileID {
	p, _, _ = strings.Cut(p, "?")
	p = strings.TrimPrefix(p, "node:")
	if p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
		return scriptFile(q, path.Join(dir, p), strings.HasSuffix(p, "/") || p == "." || p == "..")
	}
	if files := mappedPath(q, dir, p); files != nil {
		return files
	}
	if strings.HasPrefix(p, "#") {
		return packageImport(q, dir, p)
	}
	return workspacePackage(q, dir, p)
}

// scriptFile finds the file of a path without the rules of packages.
func scriptFile(q *resolve.Query, p string, folder bool) []resolve.FileID {
	p = resolve.CleanDir(p)
	if strings.HasPrefix(p, "..") {
		return nil
	}
	by := func(name string) []resolve.FileID {
		if id, ok := q.World().ByPath(name); ok && isScript(q, id) {
			return []resolve.FileID{id}
		}
		return nil
	}
	if !folder {
		ext := path.Ext(p)
		for _, e := range scriptCompiled[ext] {
			if files := by(strings.TrimSuffix(p, ext) + e); files != nil {
				return files
			}
		}
		if files := by(p); files != nil {
			return files
		}
		for _, e := range scriptExtensions {
			if files := by(p + e); files != nil {
				return files
			}
		}
	}
	if id, ok := q.World().ByPath(path.Join(p, "package.json")); ok {
		if files := packageEntry(q, id, "."); files != nil {
			return files
		}
	}
	for _, e := range scriptExtensions {
		if files := by(path.Join(p, "index"+e)); files != nil {
			return files
		}
	}
	return nil
}

func isScript(q *resolve.Query, id resolve.FileID) bool {
	return q.LanguageOf(id) == resolve.Language(Language{})
}

// mappedPath follows the paths and baseUrl of the closest configuration that
// has some.
func mappedPath(q *resolve.Query, dir, p string) []resolve.FileID {
	for {
		for _, id := range q.World().Folder(dir) {
			base := path.Base(q.File(id).Path)
			if q.File(id).Language != "JSON" || base == "package.json" {
				continue
			}
			if files := configured(q, id, p, 0); files != nil {
				return files
			}
		}
		if dir == "" {
			return nil
		}
		dir = resolve.FolderOf(dir)
	}
}

func configured(q *resolve.Query, id resolve.FileID, p string, depth int) []resolve.FileID {
	dir := resolve.FolderOf(q.File(id).Path)
	base := dir
	_, urls := resolve.Said(q, id, "baseUrl")
	if len(urls) > 0 {
		base = path.Join(dir, urls[0])
	}
	keys, values := resolve.Said(q, id, "paths")
	for i, key := range keys {
		if rest, ok := matched(key, p); ok {
			if files := scriptFile(q, path.Join(base, strings.Replace(values[i], "*", rest, 1)), false); files != nil {
				return files
			}
		}
	}
	if len(urls) > 0 {
		if files := scriptFile(q, path.Join(base, p), false); files != nil {
			return files
		}
	}
	_, extends := resolve.Said(q, id, "extends")
	for _, e := range extends {
		if !strings.HasSuffix(e, ".json") {
			e += ".json"
		}
		if next, ok := q.World().ByPath(path.Join(dir, e)); ok && depth < 8 {
			if files := configured(q, next, p, depth+1); files != nil {
				return files
			}
		}
	}
	return nil
}

// matched matches a name with a pattern that has at most one "*", and returns
// what that stands for.
func matched(pattern, name string) (rest string, ok bool) {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return "", pattern == name
	}
	if len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

type packagesKey struct{}

// scriptPackages are the files package.json by the name in them, those in fewer
// folders first: an example may be called like what it shows.
func scriptPackages(q *resolve.Query) map[string][]resolve.FileID {
	return resolve.Once(q, packagesKey{}, func() map[string][]resolve.FileID {
		out := map[string][]resolve.FileID{}
		for _, id := range q.World().Language("JSON") {
			if name := q.File(id).Package; name != "" && path.Base(q.File(id).Path) == "package.json" {
				out[name] = append(out[name], id)
			}
		}
		for _, all := range out {
			slices.SortStableFunc(all, func(a, b resolve.FileID) int {
				return strings.Count(q.File(a).Path, "/") - strings.Count(q.File(b).Path, "/")
			})
		}
		return out
	})
}

func workspacePackage(q *resolve.Query, _, p string) []resolve.FileID {
	name, sub := p, "."
	parts := strings.SplitN(p, "/", 3)
	switch {
	case strings.HasPrefix(p, "@") && len(parts) == 3:
		name, sub = parts[0]+"/"+parts[1], "./"+parts[2]
	case !strings.HasPrefix(p, "@") && len(parts) > 1:
		name, sub = parts[0], "./"+strings.Join(parts[1:], "/")
	}
	for _, id := range scriptPackages(q)[name] {
		if files := packageEntry(q, id, sub); files != nil {
			return files
		}
	}
	return nil
}

// prefixes are packages by their names, and modules by their paths.
func prefixes(q *resolve.Query, names []string) (all []resolve.Prefix) {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '.' })
	}
	for name := range scriptPackages(q) {
		if w := words(name); len(w) > 0 && len(w) <= len(names) && slices.Equal(w, names[:len(w)]) {
			for _, f := range workspacePackage(q, "", name) {
				all = append(all, resolve.Prefix{File: f, Names: len(w)})
			}
		}
	}
	if len(all) == 0 {
		return layout.PrefixesIn(q, names)
	}
	return all
}

var layout = resolve.Layout{Extensions: scriptExtensions, Whole: []string{"index"}}

// packageImport finds what a package calls "#name" for itself.
func packageImport(q *resolve.Query, dir, p string) []resolve.FileID {
	for {
		if id, ok := q.World().ByPath(path.Join(dir, "package.json")); ok {
			return targetOf(q, id, "imports", p)
		}
		if dir == "" {
			return nil
		}
		dir = resolve.FolderOf(dir)
	}
}

// packageEntry finds the file of a package or of a path in it.
func packageEntry(q *resolve.Query, id resolve.FileID, sub string) []resolve.FileID {
	dir := resolve.FolderOf(q.File(id).Path)
	for _, kind := range [...]string{"exports", "typesVersions"} {
		if files := targetOf(q, id, kind, sub); files != nil {
			return files
		}
	}
	if sub != "." {
		if files := built(q, dir, sub); files != nil {
			return files
		}
		return scriptFile(q, path.Join(dir, "src", sub), false)
	}
	for _, kind := range [...]string{"source", "types", "module", "main"} {
		_, values := resolve.Said(q, id, kind)
		for _, v := range values {
			if files := built(q, dir, v); files != nil {
				return files
			}
		}
	}
	for _, p := range [...]string{"src/index", "index", "lib/index", "src/main"} {
		for _, e := range scriptExtensions {
			if id, ok := q.World().ByPath(path.Join(dir, p+e)); ok {
				return []resolve.FileID{id}
			}
		}
	}
	return nil
}

// targetOf finds the file of a path by what a package maps it to: by the whole path before
// patterns, of these the one with more before its "*"; what is there before what is built.
func targetOf(q *resolve.Query, id resolve.FileID, kind, p string) []resolve.FileID {
	type target struct {
		before int
		path   string
	}
	var all []target
	keys, values := resolve.Said(q, id, kind)
	for i, key := range keys {
		if rest, ok := matched(key, p); ok {
			before := strings.IndexByte(key, '*')
			if before < 0 {
				before = len(key) + 1
			}
			all = append(all, target{before, strings.ReplaceAll(values[i], "*", rest)})
		}
	}
	slices.SortStableFunc(all, func(a, b target) int { return b.before - a.before })
	if i := slices.IndexFunc(all, func(t target) bool { return t.before != all[0].before }); i > 0 {
		all = all[:i]
	}
	dir := resolve.FolderOf(q.File(id).Path)
	for _, t := range all {
		if files := scriptFile(q, path.Join(dir, t.path), false); files != nil {
			return files
		}
	}
	for _, t := range all {
		if files := built(q, dir, t.path); files != nil {
			return files
		}
	}
	return nil
}

// outputs are folders that builds write to, in the place of the source's.
var outputs = []string{"dist", "lib", "build", "out", "es", "esm", "cjs", "types", "output"}

// built finds the source of a file that a package names, which may be what is
// built of it.
func built(q *resolve.Query, dir, target string) []resolve.FileID {
	target = path.Clean(target)
	if files := scriptFile(q, path.Join(dir, target), false); files != nil {
		return files
	}
	parts := strings.Split(target, "/")
	for len(parts) > 1 && slices.Contains(outputs, parts[0]) {
		parts = parts[1:]
		rest := strings.Join(parts, "/")
		for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".min.js", ".mjs", ".cjs", ".js"} {
			if bare, ok := strings.CutSuffix(rest, ext); ok {
				rest = bare
				break
			}
		}
		for _, src := range [...]string{"src", "source", "lib", ""} {
			if files := scriptFile(q, path.Join(dir, src, rest), false); files != nil {
				return files
			}
		}
	}
	return nil
}
