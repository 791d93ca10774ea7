package graph_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Toy is a language whose texts are facts written as JSON. Its scopes are like
// Go's, its imports like those of TypeScript, and a type implements every
// interface whose methods it has.
const toy = "Toy"

type toyLanguage struct{ resolve.Default }

var _ resolve.Language = toyLanguage{}

func (l toyLanguage) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(l.Import(q, f, i))
}

func (toyLanguage) Bare(q *resolve.Query, f resolve.FileID, _ int, name string) resolve.Found {
	own := append([]resolve.FileID{f}, q.World().Folder(folder(q.File(f).Path))...)
	if found := topLevel(q, own, name); len(found) > 0 {
		return resolve.Found{Symbols: found, Tier: resolve.TierA}
	}
	return imported(q, f, name, false)
}

func (toyLanguage) Member(q *resolve.Query, _ resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	if found := topLevel(q, files, name); len(found) > 0 {
		return resolve.Found{Symbols: found, Tier: resolve.TierB}
	}
	for _, f := range files {
		if found := imported(q, f, name, true); !found.None() {
			return found
		}
	}
	return resolve.Found{}
}

func (toyLanguage) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	p := q.File(f).Imports[i].Path
	if id, ok := q.World().ByPath(p); ok {
		return []resolve.FileID{id}
	}
	return q.World().Folder(p)
}

func (toyLanguage) Implements(q *resolve.Query, typ resolve.SymbolID) []resolve.SymbolID {
	if q.Symbol(typ).Kind != "struct" {
		return nil
	}
	return satisfied(q, typ, toy)
}

// satisfied are the interfaces of a language whose methods a type has, by name.
func satisfied(q *resolve.Query, typ resolve.SymbolID, language string) []resolve.SymbolID {
	has := map[string]bool{}
	for _, f := range q.World().Folder(folder(q.File(typ.File).Path)) {
		for _, s := range q.File(f).Symbols {
			if s.Kind == "method" && s.Owner == facts.Name(q.Symbol(typ).Name) {
				has[s.Name] = true
			}
		}
	}
	var out []resolve.SymbolID
	for _, f := range q.World().Language(language) {
		symbols := q.File(f).Symbols
		for i := range symbols {
			if symbols[i].Kind != "interface" {
				continue
			}
			n, all := 0, true
			for _, m := range symbols {
				if m.Parent == i {
					n++
					all = all && has[m.Name]
				}
			}
			if n > 0 && all {
				out = append(out, resolve.SymbolID{File: f, Index: int32(i)})
			}
		}
	}
	return out
}

func topLevel(q *resolve.Query, files []resolve.FileID, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	for _, f := range files {
		for i, s := range q.File(f).Symbols {
			id := resolve.SymbolID{File: f, Index: int32(i)}
			if s.Name == name && s.Parent < 0 && s.Owner == facts.Nothing && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func imported(q *resolve.Query, f resolve.FileID, name string, exported bool) resolve.Found {
	mark := resolve.SymbolID{File: f, Index: -1}
	if !q.Enter(mark, name) {
		return resolve.Found{}
	}
	defer q.Leave(mark, name)
	for i, m := range q.File(f).Imports {
		local := m.Local
		if local == "" {
			local = m.Name
		}
		if local != name || exported && !m.Export {
			continue
		}
		files := toyLanguage{}.Import(q, f, i)
		if len(files) == 0 {
			return resolve.Found{External: true, Tier: resolve.TierB}
		}
		if m.Name == "" {
			return resolve.Found{Files: files, Tier: resolve.TierB}
		}
		found := toyLanguage{}.Member(q, f, files, m.Name)
		found.Tier = resolve.TierB
		return found
	}
	return resolve.Found{}
}

func folder(p string) string {
	if dir := path.Dir(p); dir != "." {
		return dir
	}
	return ""
}

func toyResolver(w resolve.World) graph.Resolver {
	return resolve.New(w, map[string]resolve.Language{toy: toyLanguage{}})
}

// toyExtractor reads Toy.
type toyExtractor struct{ read func(path string) }

func (toyExtractor) Revision(language string) string {
	if language == toy {
		return "1"
	}
	return ""
}

func (x toyExtractor) Facts(_ context.Context, path, language, text string) (*facts.File, error) {
	if x.read != nil {
		x.read(path)
	}
	if strings.HasPrefix(text, "hang") {
		return nil, errors.New("took too long")
	}
	f := &facts.File{}
	if err := json.Unmarshal([]byte(text), f); err != nil {
		return nil, err
	}
	f.Path, f.Language = path, language
	return f, nil
}

// A tree is files by path.
type tree map[string]string

func (t tree) input() build.Input {
	in := build.Input{
		Extract: toyExtractor{}, Resolver: toyResolver,
		Read: func(_ context.Context, p string) (string, error) {
			text, ok := t[p]
			if !ok {
				return "", errors.New("no such file")
			}
			return text, nil
		},
	}
	for p, text := range t {
		language := toy
		if strings.HasSuffix(p, ".md") {
			language = "Markdown"
		}
		in.Sources = append(in.Sources, build.Source{Path: p, Language: language, Hash: sha256.Sum256([]byte(text))})
	}
	return in
}

// A random makes random trees and edits of few names, so that most are
// ambiguous somewhere.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 1))} }

func (r random) pick(all ...string) string { return all[r.IntN(len(all))] }

func (r random) typ() string    { return fmt.Sprintf("T%d", r.IntN(4)) }
func (r random) fn() string     { return fmt.Sprintf("F%d", r.IntN(5)) }
func (r random) method() string { return fmt.Sprintf("m%d", r.IntN(4)) }
func (r random) member() string { return r.pick(r.method(), fmt.Sprintf("x%d", r.IntN(3))) }
func (r random) path() string {
	return r.pick("", "a/", "b/", "b/c/") + fmt.Sprintf("f%d.toy", r.IntN(4))
}

// typeExpr is an expression of a type, value one of a value.
func (r random) typeExpr() facts.Expr {
	return facts.Parse(r.pick(r.typ(), r.typ(), "mod."+r.typ(), "~list<"+r.typ()+">", "U0", "?"))
}

func (r random) value() facts.Expr {
	return facts.Parse(r.pick(r.typ()+"{}", r.fn()+"()", "mod."+r.fn()+"()", r.typ()+"{}."+r.member(), "v0", "v0[]", "?"))
}

func (r random) file() *facts.File {
	f := &facts.File{Package: r.pick("p", "q")}
	line := 1
	for range r.IntN(3) {
		m := facts.Import{
			Path: r.pick(r.path(), "a", "b/c", "elsewhere"), Export: r.IntN(3) == 0, In: -1, Line: line,
			Column: 1,
		}
		switch r.IntN(3) {
		case 0:
			m.Local = "mod"
		case 1:
			m.Name = r.pick(r.typ(), r.fn())
		case 2:
			m.Name, m.Local = r.pick(r.typ(), r.fn()), r.pick("G0", "G1", r.fn())
		}
		f.Imports = append(f.Imports, m)
		line++
	}
	for range 1 + r.IntN(4) {
		line = r.declare(f, line+1)
	}
	return f
}

// declare adds a declaration with references.
func (r random) declare(f *facts.File, line int) int {
	add := func(s facts.Symbol) int {
		s.Line, s.Column, s.StartLine, s.EndLine = line, 6, line, line+3
		if s.Qualified == "" {
			s.Qualified = s.Name
		}
		f.Symbols = append(f.Symbols, s)
		line++
		return len(f.Symbols) - 1
	}
	in := -1
	switch r.IntN(6) {
	case 0:
		t := add(facts.Symbol{Name: r.typ(), Kind: "struct", Parent: -1})
		name := fmt.Sprintf("x%d", r.IntN(3))
		in = add(facts.Symbol{
			Name: name, Qualified: f.Symbols[t].Name + "." + name, Kind: "field", Parent: t,
			Type: r.typeExpr().Value(),
		})
		if r.IntN(2) == 0 {
			f.Symbols[t].Bases = []facts.Base{{Kind: facts.Embeds, Of: facts.Name(r.typ())}}
		}
	case 1:
		t := add(facts.Symbol{Name: r.typ(), Kind: "interface", Parent: -1})
		for range 1 + r.IntN(2) {
			name := r.method()
			add(facts.Symbol{
				Name: name, Qualified: f.Symbols[t].Name + "." + name, Kind: "method", Parent: t,
				Results: []facts.Expr{r.typeExpr()},
			})
		}
	case 2, 3:
		owner, name := r.typ(), r.method()
		in = add(facts.Symbol{
			Name: name, Qualified: owner + "." + name, Kind: "method", Parent: -1, Owner: facts.Name(owner),
			Results: []facts.Expr{r.typeExpr()},
		})
	case 4:
		in = add(facts.Symbol{Name: r.fn(), Kind: "func", Parent: -1, Results: []facts.Expr{r.typeExpr()}})
	case 5:
		in = add(facts.Symbol{Name: r.pick("v0", "U0"), Kind: r.pick("var", "type"), Parent: -1, Type: r.typeExpr()})
	}
	for range r.IntN(4) {
		f.Refs = append(f.Refs, r.ref(in, line))
		line++
	}
	return line
}

func (r random) ref(in, line int) facts.Ref {
	ref := facts.Ref{In: in, Line: line, Column: 1 + r.IntN(9)}
	ref.Kind = facts.Kind(r.pick("calls", "reads", "writes", "uses_type", "embeds"))
	switch r.IntN(4) {
	case 0:
		ref.Name, ref.Bare = r.pick(r.fn(), r.typ(), "G0", "G1", "v0"), true
	case 1:
		ref.Name, ref.Of = r.pick(r.fn(), r.typ()), facts.Name("mod")
	case 2:
		ref.Name, ref.Of = r.member(), r.value()
	case 3:
		ref.Name = r.member()
	}
	return ref
}

func text(f *facts.File) string {
	b, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (r random) tree() tree {
	t := tree{"README.md": "about", "b/notes.md": "more"}
	for range 4 + r.IntN(6) {
		t[r.path()] = text(r.file())
	}
	return t
}

// edit changes a tree somewhere.
func (r random) edit(t tree) {
	paths := slices.DeleteFunc(slices.Sorted(keys(t)), func(p string) bool { return strings.HasSuffix(p, ".md") })
	if len(paths) == 0 {
		t[r.path()] = text(r.file())
		return
	}
	p := paths[r.IntN(len(paths))]
	f := &facts.File{}
	if err := json.Unmarshal([]byte(t[p]), f); err != nil {
		panic(err)
	}
	switch r.IntN(9) {
	case 0:
		delete(t, p)
		return
	case 1: // another file in its place, or a new one
		p, f = r.path(), r.file()
	case 2: // it moves
		delete(t, p)
		p = r.path()
	case 3: // a body changes
		f.Refs = append(f.Refs, r.ref(-1, 1000))
	case 4: // lines move
		for i := range f.Symbols {
			f.Symbols[i].Line += 7
		}
		for i := range f.Refs {
			f.Refs[i].Line += 7
		}
	case 5:
		s := &f.Symbols[r.IntN(len(f.Symbols))]
		name := r.pick(r.fn(), r.typ(), r.member(), "new")
		s.Qualified, s.Name = strings.TrimSuffix(s.Qualified, s.Name)+name, name
	case 6:
		s := &f.Symbols[r.IntN(len(f.Symbols))]
		s.Type, s.Results = r.typeExpr().Value(), []facts.Expr{r.typeExpr()}
	case 7:
		f.Imports = r.file().Imports
	case 8:
		r.declare(f, 500)
	}
	slices.SortStableFunc(f.Refs, func(a, b facts.Ref) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	t[p] = text(f)
}

func keys(t tree) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for p := range t {
			if !yield(p) {
				return
			}
		}
	}
}

// overlay is what leads from one tree to another.
func changesOf(from, to tree) overlay.Changes {
	var o overlay.Changes
	in := to.input()
	for _, s := range in.Sources {
		if from[s.Path] == to[s.Path] {
			continue
		}
		f := &facts.File{Path: s.Path, Language: s.Language}
		if s.Language == toy {
			f, _ = toyExtractor{}.Facts(context.Background(), s.Path, s.Language, to[s.Path])
		}
		o.Changed = append(o.Changed, f)
	}
	for p := range from {
		if _, kept := to[p]; !kept {
			o.Deleted = append(o.Deleted, p)
		}
	}
	return o
}
