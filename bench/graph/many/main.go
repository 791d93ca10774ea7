// Command many measures questions about many repositories of Go at once.
//
//	go run ./bench/graph/many [-asked 200] DIR...
//
// Each folder is a repository; the graph of one that has none is built. Asked are
// definitions at random names, uses, in all repositories, of random symbols that are
// exported, and what a diff of ten files does in all of them. The questions go to the
// service itself, with notifications of changes as a server has them: what that adds is
// a millisecond or two.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

func main() {
	asked := flag.Int("asked", 200, "questions of each kind")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// folders are repositories by their ids.
type folders map[models.RepoID]string

// Repository implements nav.Repositories.
func (f folders) Repository(_ context.Context, id models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: id, Root: f[id]}, nil
}

// Open implements nav.Repositories.
func (f folders) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

func (f folders) match(_ context.Context, name string) (all []models.Repository, err error) {
	meant, err := filter.Repositories(slices.Collect(maps.Keys(f)), name)
	for _, id := range meant {
		all = append(all, models.Repository{RepoID: id, Root: f[id]})
	}
	return all, err
}

// goFiles reads facts of Go.
type goFiles struct{}

// Revision implements graph.Extractor.
func (goFiles) Revision(language string) string {
	return map[string]string{golang.Language: "1", golang.ModuleLanguage: "1"}[language]
}

// Facts implements graph.Extractor.
func (goFiles) Facts(_ context.Context, path, language, text string) (*facts.File, error) {
	read := golang.Extract
	if language == golang.ModuleLanguage {
		read = golang.ExtractModule
	}
	f, err := read(path, text)
	return &f, err
}

// A name is an identifier at a place.
type name struct {
	id           models.RepoID
	file, text   string
	line, column int
}

func run(ctx context.Context, dirs []string, asked int) error {
	all := folders{}
	for _, dir := range dirs {
		all[models.RepoID("many/"+strings.ReplaceAll(filepath.Base(dir), "@", "-"))] = dir
	}
	watchers := fresh.NewWatchers(0)
	defer watchers.Close()
	svc := nav.New(gateway.Config{Repos: all, Match: all.match, Extract: goFiles{}, Locals: locals, Watchers: watchers})
	files := 0
	var names []name
	r := rand.New(rand.NewPCG(1, 1))                   //nolint:gosec // a measurement
	for _, id := range slices.Sorted(maps.Keys(all)) { // the same names each time
		dir := all[id]
		if _, err := svc.Build(ctx, nav.BuildRequest{RepoID: id}); err != nil {
			return err
		}
		some, n, err := namesIn(id, dir, r)
		if err != nil {
			return err
		}
		names, files = append(names, some...), files+n
	}
	slices.SortFunc(names, func(a, b name) int { return strings.Compare(string(a.id)+a.file, string(b.id)+b.file) })
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	fmt.Printf("%d repositories, %d files\n", len(all), files)
	for _, kind := range []struct {
		what string
		ask  func(n name) error
	}{
		{"definition", func(n name) error {
			_, err := svc.Definition(ctx,
				nav.DefinitionRequest{RepoID: n.id, FilePath: n.file, Line: n.line, Column: n.column})
			return err
		}},
		{"where-used in all", func(n name) error {
			_, err := svc.WhereUsed(ctx, nav.WhereUsedRequest{
				RepoID: "*", File: string(n.id) + ":" + n.file, Line: &n.line, Column: &n.column,
			})
			return err
		}},
		{"lineage in all", func(n name) error {
			_, err := svc.Lineage(ctx, nav.LineageRequest{
				RepoID: "*", File: string(n.id) + ":" + n.file, Line: &n.line, Column: &n.column, Direction: "upstream",
			})
			return err
		}},
		{"impact of ten files", func(n name) error {
			_, err := svc.Impact(ctx, nav.ImpactRequest{RepoID: n.id, Diff: diffOf(all[n.id], n.id, names)})
			return err
		}},
		{"impact in all", func(n name) error {
			_, err := svc.Impact(ctx, nav.ImpactRequest{RepoID: "*", Diff: diffOf(all[n.id], n.id, names)})
			return err
		}},
	} {
		measure(kind.what, names[:min(asked, len(names))], kind.ask)
	}
	return nil
}

func locals(_ context.Context, path, _, text string) ([]facts.Local, error) {
	return golang.Locals(path, text)
}

// measure asks and tells how long that took.
func measure(what string, names []name, ask func(n name) error) {
	var took []time.Duration
	failed := 0
	cpu := usage.CPU()
	for _, n := range names {
		start := time.Now()
		if err := ask(n); err != nil {
			failed++
		}
		took = append(took, time.Since(start))
	}
	cpu = usage.CPU() - cpu
	slices.Sort(took)
	ms := func(i int) float64 { return float64(took[i].Microseconds()) / 1000 }
	fmt.Printf("%-20s p50 %7.1f ms, p95 %7.1f ms, %6.1f ms of CPU each, %d refused\n", what, ms(len(took)/2),
		ms(len(took)*95/100), float64(cpu.Microseconds())/1000/float64(len(names)), failed)
}

// namesIn are up to 40 exported names of functions and types in a repository, each of
// another file, and how many files of Go it has.
func namesIn(id models.RepoID, dir string, r *rand.Rand) (names []name, files int, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		if files++; strings.HasSuffix(p, "_test.go") || strings.Contains(p, "testdata") {
			return nil
		}
		content, err := os.ReadFile(p) //nolint:gosec // a folder that is given
		if err != nil {
			return err
		}
		file, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if found := declared(content); len(found) > 0 {
			n := found[r.IntN(len(found))]
			n.id, n.file = id, filepath.ToSlash(file)
			names = append(names, n)
		}
		return nil
	})
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:min(len(names), 40)], files, err
}

// declared are the exported names behind func and type.
func declared(content []byte) (names []name) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", -1, len(content)), content, nil, 0)
	before := token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return names
		}
		if at := set.Position(pos); tok == token.IDENT && token.IsExported(lit) &&
			(before == token.FUNC || before == token.TYPE || before == token.RPAREN && at.Column < 40) {
			names = append(names, name{text: lit, line: at.Line, column: at.Column})
		}
		before = tok
	}
}

// diffOf changes the lines of up to ten names of a repository.
func diffOf(dir string, id models.RepoID, names []name) string {
	var b bytes.Buffer
	n := 0
	for _, x := range names {
		if x.id != id || n == 10 {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, x.file)) //nolint:gosec // a folder that is given
		if err != nil {
			continue
		}
		lines := strings.Split(string(content), "\n")
		n++
		fmt.Fprintf(&b, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -%d,1 +%d,1 @@\n-%s\n+%s\n", x.file, x.file, x.file,
			x.file, x.line, x.line, lines[x.line-1], strings.Replace(lines[x.line-1], x.text, x.text+"Next", 1))
	}
	return b.String()
}
