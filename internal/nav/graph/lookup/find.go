// Package lookup finds the declarations that a name means.
package lookup

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Find finds the definitions that a name may mean, in order of path and
// position. A name is bare (Do), qualified (Client.Do, http.Client.Do,
// net/http.Client.Do, http.(*Client).Do, Client::do, A::B#c, A\B::c), behind a path or the end of
// one (http/client.go:Client.Do, http/client.go#Client.Do), what a module or package
// exports (tokio::spawn, express.Router), or the id of a symbol.
// The mark of a private member (#do) may be left out. If nothing is called exactly
// so, case does not count. Several definitions mean that the name is ambiguous,
// unless they are what the caller wants together.
func Find(ctx context.Context, v *overlay.View, name string, pick Pick) []overlay.Def {
	name = strings.TrimSpace(name)
	// Names themselves may have what else separates names: #private, operator::.
	found := match(v, query{}, v.World().Defs(name))
	if len(found) == 0 {
		found = named(v, name)
	}
	if file, symbol, ok := strings.Cut(name, "#"); ok && len(found) == 0 && symbol != "" { // as files are read by symbol
		found = named(v, file+":"+symbol)
	}
	if len(found) == 0 {
		found = exported(v, parseName(name))
	}
	for _, plain := range plainNames(name) {
		if len(found) == 0 {
			found = named(v, plain)
		}
	}
	return pick.choose(ctx, v, found)
}

// plainNames are a name without what only its language writes: $b->c, crate::a, A<T>::b;
// and with the sign between nested classes as Java's tools print it, A$B.
func plainNames(name string) (all []string) {
	if plain := models.PlainName(name); plain != name {
		all = append(all, plain)
	}
	if strings.Contains(name, "$") {
		all = append(all, models.PlainName(strings.ReplaceAll(name, "$", ".")))
	}
	return all
}

// exported finds what a name means by what modules export, wherever it is declared.
func exported(v *overlay.View, q query) []overlay.Def {
	if v.Resolver() == nil || q.path != "" || q.nth != "" {
		return nil
	}
	return defsOf(v, v.Resolver().Named(append(slices.Clone(q.scopes), q.name)))
}

// named finds what a name means that may be qualified.
func named(v *overlay.View, name string) []overlay.Def {
	q := parseName(name)
	if q.name == "" {
		return nil
	}
	names := []string{q.name, "#" + q.name}
	if strings.Contains(name, ".#") { // Client.#do, as private members are called in replies
		slices.Reverse(names)
	}
	for _, n := range names {
		if found := match(v, q, v.World().Defs(n)); len(found) > 0 {
			return found
		}
	}
	q.fold = true
	for _, n := range names {
		if found := match(v, q, foldedDefs(v, n)); len(found) > 0 {
			return found
		}
	}
	return nil
}

// A query is a name as it was asked for.
type query struct {
	path   string   // "": anywhere
	scopes []string // what is before the name, from the outermost
	name   string
	nth    string // of an id: "2"
	fold   bool
}

// parseName takes a name apart. What is before a colon is a path, unless the
// colon is one of two.
func parseName(s string) query {
	var q query
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(strings.ReplaceAll(s, "::", ".."), ':'); i >= 0 {
		q.path, s = strings.TrimPrefix(s[:i], "./"), s[i+1:]
	}
	if before, nth, ok := strings.Cut(s, "~"); ok && before != "" && nth != "" && strings.Trim(nth, "0123456789") == "" {
		s, q.nth = before, nth
	}
	if before, after, ok := strings.Cut(s, "(*"); ok { // as Go prints methods: http.(*Client).Do
		s = before + strings.Replace(after, ")", "", 1)
	}
	if i := strings.LastIndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") { // parameters: of overloads all are found
		s = s[:i]
	}
	words := splitName(s)
	if len(words) == 0 {
		return query{}
	}
	q.scopes, q.name = words[:len(words)-1], words[len(words)-1]
	return q
}

// splitName splits at the separators of all languages.
func splitName(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".:#/\\", r) })
}

// match keeps the symbols that a query means.
func match(v *overlay.View, q query, all []resolve.SymbolID) []overlay.Def {
	var found, exact []overlay.Def
	for _, s := range all {
		d := v.World().Def(s)
		if !q.inFile(d.File) || !q.inScope(v.World().Package(s.File), d) {
			continue
		}
		if q.nth != "" && !strings.HasSuffix(d.ID, "~"+q.nth) && (q.nth != "1" || strings.HasSuffix(d.ID, "~1")) {
			continue
		}
		found = append(found, d)
		if d.File == q.path && slices.Equal(splitName(d.Qualified), append(slices.Clone(q.scopes), q.name)) {
			exact = append(exact, d)
		}
	}
	// An id means that symbol and not those whose path ends so.
	if len(exact) > 0 {
		return exact
	}
	return found
}

func (q *query) inFile(path string) bool { return q.path == "" || endsPath(path, q.path, q.fold) }

// endsPath tells whether end is a path or its last parts.
func endsPath(path, end string, fold bool) bool {
	if fold {
		path, end = strings.ToLower(path), strings.ToLower(end)
	}
	return path == end || strings.HasSuffix(path, "/"+end)
}

// inScope tells whether what is asked for before the name is around the symbol:
// types and functions that it is in, then its package, folders or file.
func (q *query) inScope(pkg string, d overlay.Def) bool {
	if len(q.scopes) == 0 {
		return true
	}
	outer := splitName(d.Qualified)
	outer = outer[:max(len(outer)-1, 0)]
	module := strings.TrimSuffix(d.File, extension(d.File))
	for _, around := range []string{pkg, overlay.FolderOf(d.File), module} {
		if q.ends(append(splitName(around), outer...)) {
			return true
		}
	}
	return false
}

// ends tells whether the scopes asked for are the last of those around.
func (q *query) ends(around []string) bool {
	n := len(around) - len(q.scopes)
	if n < 0 {
		return false
	}
	for i, s := range q.scopes {
		if s != around[n+i] && (!q.fold || !strings.EqualFold(s, around[n+i])) {
			return false
		}
	}
	return true
}

// extension is the last part of a file's name, with the dot.
func extension(path string) string {
	i := strings.LastIndexByte(path, '.')
	if i <= strings.LastIndexByte(path, '/') {
		return ""
	}
	return path[i:]
}

// Names are the names of symbols that are kept, in order.
func Names(v *overlay.View, keep func(name string) bool) []string {
	names := map[string]bool{}
	v.World().Names(func(s string) bool {
		if keep(s) {
			names[s] = true
		}
		return true
	})
	maps.DeleteFunc(names, func(s string, _ bool) bool { return len(v.World().Defs(s)) == 0 })
	return slices.Sorted(maps.Keys(names))
}

// foldedDefs are the declarations whose names differ at most in case.
func foldedDefs(v *overlay.View, name string) []resolve.SymbolID {
	var all []resolve.SymbolID
	for _, s := range overlay.Folded(v.World(), name) {
		all = append(all, v.World().Defs(s)...)
	}
	slices.SortFunc(all, graph.CompareSymbols)
	return all
}
