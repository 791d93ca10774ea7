//go:build cgo

package graph_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/lexical"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter"
)

var (
	seeds     = flag.Uint64("seeds", 4, "how often each project is edited")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
	dir       = flag.String("dir", "", "edit the files of that folder instead of projects")
)

// readers read all languages, each text once.
type readers struct {
	sync.Mutex // a parser is for one at a time

	parser *treesitter.Parser
	known  map[string]*facts.File
}

func (*readers) Revision(string) string { return "1" }

func (x *readers) Facts(ctx context.Context, p, language, text string) (*facts.File, error) {
	x.Lock()
	defer x.Unlock()
	key := p + "\n" + text
	if f := x.known[key]; f != nil {
		return new(*f), nil
	}
	f, err := x.read(ctx, p, language, text)
	if err == nil {
		x.known[key] = f
		return new(*f), nil
	}
	return nil, err
}

func (x *readers) read(ctx context.Context, p, language, text string) (*facts.File, error) {
	if f, ok := project.Facts(p, text); ok {
		return &f, nil
	}
	switch language = filekind.Dialect(p, language, text); {
	case language == "Go" || language == "Go Module":
		return goExtractor{}.Facts(ctx, p, language, text)
	case lexical.Speaks(language):
		return new(lexical.Extract(p, language, text)), nil
	case !treesitter.Speaks(language):
		return &facts.File{Path: p, Language: language}, nil
	}
	f, err := x.parser.Facts(parse.File{Path: p, Language: language, Text: text})
	f.Language = language
	return &f, err
}

// readable takes away the texts that can't be read.
func (x *readers) readable(texts map[string]string) {
	maps.DeleteFunc(texts, func(p, _ string) bool { return !x.reads(texts, p) })
}

func (x *readers) reads(texts map[string]string, p string) bool {
	text, ok := texts[p]
	_, err := x.Facts(context.Background(), p, filekind.Language(p), text)
	return !ok || err == nil
}

// changes are what differs between two states of files.
func (x *readers) changes(t *testing.T, before, after map[string]string) (c overlay.Changes) {
	t.Helper()
	for p, text := range after {
		if old, was := before[p]; was && old == text {
			continue
		}
		f, err := x.Facts(t.Context(), p, filekind.Language(p), text)
		if err != nil {
			t.Fatal(err)
		}
		c.Changed = append(c.Changed, f)
	}
	for p := range before {
		if _, kept := after[p]; !kept {
			c.Deleted = append(c.Deleted, p)
		}
	}
	return c
}

// projects are the small ones of package resolve, by language.
func projects(t *testing.T) map[string][]map[string]string {
	t.Helper()
	all := map[string][]map[string]string{}
	data := filepath.Join("..", "resolve", "testdata")
	for _, pattern := range []string{
		filepath.Join(data, "idioms", "*", "*.txtar"), filepath.Join(data, "graph", "*.txtar"),
		filepath.Join("..", "lexical", "testdata", "*.txtar"),
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no projects: %v", err)
		}
		for _, file := range files {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			language, texts := filepath.Base(filepath.Dir(file)), map[string]string{}
			if language == "graph" || language == "testdata" {
				language, _, _ = strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "_")
			}
			for _, f := range ar.Files {
				if f.Name != "want" {
					texts[f.Name] = string(f.Data)
				}
			}
			all[language] = append(all[language], texts)
		}
	}
	return all
}

// filesOf are the files of a folder.
func filesOf(t *testing.T, root string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filekind.Language(p) == "" {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		texts[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// fewProjects are the first ones of a language; with the race detector of all others as many
// edits are left out, of which it sees the same code.
const fewProjects = 4

// Whatever is edited, what is answered over an overlay is what a rebuild answers, and
// what a build that goes on from the old graph makes is what a clean one makes.
func TestEditsAreARebuild(t *testing.T) {
	all := projects(t)
	if *dir != "" {
		all = map[string][]map[string]string{"folder": {filesOf(t, *dir)}}
	}
	if testing.Short() { // with the race detector
		*seeds = min(*seeds, 2)
	}
	for language, projects := range all {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			x := &readers{parser: treesitter.New(), known: map[string]*facts.File{}}
			different := 0
			for i, texts := range projects {
				x.readable(texts)
				for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
					if testing.Short() && i >= fewProjects && (uint64(i)+seed)%fewProjects != 0 {
						continue
					}
					t.Run(fmt.Sprintf("%d-%d", i, seed), func(t *testing.T) {
						r := rand.New(rand.NewPCG(seed, uint64(i)))
						before := maps.Clone(texts)
						if len(projects) > 1 { // names of several idioms are ambiguous
							for p, text := range projects[r.IntN(len(projects))] {
								before[path.Join("more", p)] = text
							}
						}
						e := &edits{rand: r, readers: x, texts: before}
						for range 1 + r.IntN(3) {
							e.edit()
						}
						if !maps.Equal(before, e.texts) {
							different++
						}
						e.check(t, before)
					})
				}
			}
			if different == 0 {
				t.Error("no edit changed anything")
			}
		})
	}
}

// edits are random ones of texts.
type edits struct {
	*readers

	rand  *rand.Rand
	texts map[string]string
	did   []string
}

// one is one of several things.
func one[T any](r *rand.Rand, all []T) (x T) {
	if len(all) > 0 {
		x = all[r.IntN(len(all))]
	}
	return x
}

var words = regexp.MustCompile(`[A-Za-z_]\w*`)

// edit changes a file, mostly some lines of it. What can't be read is not done.
func (e *edits) edit() {
	paths := slices.Sorted(maps.Keys(e.texts))
	if len(paths) == 0 {
		return
	}
	p, other := one(e.rand, paths), one(e.rand, paths)
	f, err := e.Facts(context.Background(), p, filekind.Language(p), e.texts[p])
	if err != nil {
		return
	}
	lines := strings.Split(e.texts[p], "\n")
	at := e.rand.IntN(len(lines))
	name, from, to := cmp.Or(one(e.rand, words.FindAllString(lines[at], -1)), "none"), at, at+1
	if len(f.Symbols) > 0 && e.rand.IntN(4) > 0 {
		s := one(e.rand, f.Symbols)
		name, at, from, to = s.Name, s.Line-1, s.StartLine-1, s.EndLine
	}
	if len(f.Imports) > 0 && e.rand.IntN(4) == 0 {
		at = one(e.rand, f.Imports).Line - 1
	}
	moved := path.Join(path.Dir(other), one(e.rand, []string{"moved", "mod", "index", path.Base(path.Dir(p))})+path.Ext(p))
	after := maps.Clone(e.texts)
	put := func(list []string) { after[p] = strings.Join(list, "\n") }
	what, body := "", slices.Clone(lines[from:to])
	switch e.rand.IntN(14) {
	case 0:
		what = "is gone"
		delete(after, p)
	case 1:
		what = "moves to " + moved
		delete(after, p)
		after[moved] = e.texts[p]
	case 2:
		what = "is copied to " + moved
		after[moved] = e.texts[p]
	case 3:
		what = fmt.Sprintf("says %s2 for %s in line %d", name, name, at+1)
		lines[at] = strings.Replace(lines[at], name, name+"2", 1)
		put(lines)
	case 4:
		what = fmt.Sprintf("says %s2 for %s", name, name)
		after[p] = regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).ReplaceAllLiteralString(e.texts[p], name+"2")
	case 5:
		what = fmt.Sprintf("loses lines %d-%d", from+1, to)
		put(slices.Delete(lines, from, to))
	case 6:
		what = fmt.Sprintf("gives lines %d-%d to %s", from+1, to, other)
		put(slices.Delete(lines, from, to))
		after[other] += "\n" + strings.Join(body, "\n") + "\n"
	case 7:
		what = fmt.Sprintf("has lines %d-%d twice", from+1, to)
		put(slices.Insert(lines, to, body...))
	case 8:
		line := one(e.rand, strings.Split(e.texts[other], "\n"))
		what = fmt.Sprintf("has line %d of %s: %s", at+1, other, line)
		put(slices.Insert(lines, at, line))
	case 9:
		what = fmt.Sprintf("loses line %d: %s", at+1, lines[at])
		put(slices.Delete(lines, at, at+1))
	case 10:
		what = "moves down"
		put(slices.Insert(lines, at, ""))
	default: // another word: of the name of a base, an alias, a type
		if found := words.FindAllStringIndex(lines[at], -1); len(found) > 0 {
			word, was := one(e.rand, found), lines[at]
			now := one(e.rand, words.FindAllString(e.texts[one(e.rand, []string{p, other})], -1))
			lines[at] = was[:word[0]] + now + was[word[1]:]
			what = fmt.Sprintf("has in line %d\n\t%s\n\t%s", at+1, was, lines[at])
			put(lines)
		}
	}
	if e.reads(after, p) && e.reads(after, other) && e.reads(after, moved) {
		e.texts, e.did = after, append(e.did, p+" "+what)
	}
}

// check compares what is said of the texts over a graph of them as they were with
// what a rebuild says.
func (e *edits) check(t *testing.T, before map[string]string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Log(strings.Join(e.did, "\n"))
		}
	}()
	old, clean := graphOf(t, e, before, nil), graphOf(t, e, e.texts, nil)
	if again := graphOf(t, e, e.texts, old); again.ID() != clean.ID() {
		t.Errorf("incremental build %s, clean build %s", again.ID(), clean.ID())
	}
	want := overlay.Lay(clean, overlay.Changes{}, goResolver)
	got := overlay.Lay(old, e.changes(t, before, e.texts), goResolver)
	some, chosen := 1+len(before)/20, map[string]bool{} // of many names one in some
	sameViews(t, want, got, func(name string) bool {
		if _, known := chosen[name]; !known {
			chosen[name] = e.rand.IntN(some) == 0
		}
		return chosen[name]
	})
}

// What a value with an operator -> points to is meant by who does not write the operator: when
// that changes, so does what the members are.
func TestOperatorThatIsEdited(t *testing.T) {
	const header = "struct Vec { int x; };\ntemplate <class T> struct Pointer {\n    T *operator->() const;\n};\n"
	x := &readers{parser: treesitter.New(), known: map[string]*facts.File{}}
	before := map[string]string{
		"lib.h": header, "main.cc": "#include \"lib.h\"\nint f(Pointer<Vec> p) {\n    return p->x;\n}\n",
	}
	for _, now := range []string{"other->()", "operator()()", "operator[](int)"} {
		after := maps.Clone(before)
		after["lib.h"] = strings.Replace(header, "operator->()", now, 1)
		e := &edits{rand: rand.New(rand.NewPCG(1, 1)), readers: x, texts: after, did: []string{now}}
		e.check(t, before)
	}
}
