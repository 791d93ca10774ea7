package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// An asker makes questions up.
type asker struct {
	*rand.Rand

	seed         uint64
	repositories []repository
	files        map[string][]string // of code, by repository
	count        int
}

// A kind of question.
type kind struct {
	name, path string
	questions  func(context.Context) ([]any, error)
}

func newAsker(ctx context.Context, repositories []repository, seed uint64) (*asker, error) {
	a := &asker{seed: seed, files: map[string][]string{}}
	for _, r := range repositories {
		out, err := git(ctx, r, "ls-files", "-z")
		if err != nil {
			return nil, err
		}
		for f := range strings.SplitSeq(out, "\x00") {
			if isCode[filepath.Ext(f)] && !filekind.Of(f, nil).Vendored {
				a.files[r.id] = append(a.files[r.id], f)
			}
		}
		a.count += len(a.files[r.id])
	}
	few := func(r repository) bool { return len(a.files[r.id]) < 10 }
	a.repositories = slices.DeleteFunc(slices.Clone(repositories), few)
	if len(a.repositories) == 0 {
		return nil, fmt.Errorf("no repository of %d has ten files of code", len(repositories))
	}
	return a, nil
}

var isCode = map[string]bool{
	".go": true, ".py": true, ".ts": true, ".tsx": true, ".js": true, ".jsx": true, ".rs": true, ".c": true, ".h": true,
	".cc": true, ".cpp": true, ".java": true, ".cs": true, ".kt": true, ".php": true, ".rb": true, ".ex": true,
	".exs": true, ".vue": true, ".svelte": true,
}

func git(ctx context.Context, r repository, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", r.root}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w", args[0], r.root, err)
	}
	return string(out), nil
}

// kinds are those that there are; n is how many questions of most.
func (a *asker) kinds(n int) []kind {
	names := a.names(n)
	return []kind{
		{"definition", "/api/nav/definition", each(names, func(x name) any {
			return nav.DefinitionRequest{RepoID: x.repo(), FilePath: x.file, Line: x.line, Column: x.column}
		})},
		{"uses", "/api/nav/where-used", each(names, func(x name) any {
			return nav.WhereUsedRequest{RepoID: x.repo(), File: x.file, Line: &x.line, Column: &x.column}
		})},
		{"uses-in-all", "/api/nav/where-used", each(names, func(x name) any {
			return nav.WhereUsedRequest{RepoID: "*", File: x.id + ":" + x.file, Line: &x.line, Column: &x.column}
		})},
		{"word-in-all", "/api/nav/where-used", each(names, func(x name) any {
			return nav.WhereUsedRequest{RepoID: "*", Symbol: x.text}
		})},
		{"lineage-in-all", "/api/nav/lineage", each(names, func(x name) any {
			return nav.LineageRequest{
				RepoID: "*", File: x.id + ":" + x.file, Line: &x.line, Column: &x.column,
				Direction: a.pick(x, "upstream", "downstream"),
			}
		})},
		{"implementations-in-all", "/api/nav/implementations", each(names, func(x name) any {
			return nav.ImplementationsRequest{RepoID: "*", File: x.id + ":" + x.file, Line: &x.line, Column: &x.column}
		})},
		{"impact", "/api/nav/impact", a.diffs(n/6, false)},
		{"impact-in-all", "/api/nav/impact", a.diffs(n/6, true)},
		{"commits", "/api/nav/impact", a.commits(n/6, false)},
		{"commits-in-all", "/api/nav/impact", a.commits(n/6, true)},
	}
}

// pick chooses by a name, the same each time.
func (a *asker) pick(x name, one, other string) string {
	if (x.line+x.column)%2 == 0 {
		return one
	}
	return other
}

// A name is an identifier at a place.
type name struct {
	repository

	file, text   string
	line, column int
}

func (x name) repo() models.RepoID { return models.RepoID(x.id) }

func each(names []name, ask func(name) any) func(context.Context) ([]any, error) {
	return func(context.Context) (all []any, err error) {
		for _, x := range names {
			all = append(all, ask(x))
		}
		return all, nil
	}
}

// again begins anew with random numbers, so that kinds of questions don't depend on each other.
func (a *asker) again() {
	a.Rand = rand.New(rand.NewPCG(a.seed, a.seed)) //nolint:gosec // a measurement
}

// names are random words in random files of random repositories.
func (a *asker) names(n int) (all []name) {
	a.again()
	for len(all) < n {
		if x, ok := a.nameIn(a.repositories[a.IntN(len(a.repositories))]); ok {
			all = append(all, x)
		}
	}
	return all
}

var word = regexp.MustCompile(`[\pL_][\pL\d_]{2,}`)

// maxLine is how long a line may be that a name is taken from: others are generated.
const maxLine = 300

// nameIn is a random one in a random file, if there are any.
func (a *asker) nameIn(r repository) (name, bool) {
	x := name{repository: r, file: a.files[r.id][a.IntN(len(a.files[r.id]))]}
	lines := a.lines(x)
	for range 20 {
		if len(lines) == 0 {
			break
		}
		n := a.IntN(len(lines))
		if found := word.FindAllStringIndex(lines[n], -1); len(found) > 0 && len(lines[n]) <= maxLine {
			at := found[a.IntN(len(found))]
			x.line, x.column, x.text = n+1, at[0]+1, lines[n][at[0]:at[1]]
			return x, true
		}
	}
	return x, false
}

func (a *asker) lines(x name) []string {
	content, err := os.ReadFile(filepath.Join(x.root, filepath.FromSlash(x.file)))
	if err != nil || len(content) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

// diffs are made up: each changes a word in a line of ten files of a repository.
func (a *asker) diffs(n int, inAll bool) func(context.Context) ([]any, error) {
	return func(context.Context) (all []any, err error) {
		for a.again(); len(all) < n; {
			r := a.repositories[a.IntN(len(a.repositories))]
			changed := map[string]string{}
			for range 100 {
				if x, ok := a.nameIn(r); ok && len(changed) < 10 {
					changed[x.file] = a.diffOf(x)
				}
			}
			var diff strings.Builder
			for _, f := range a.files[r.id] {
				diff.WriteString(changed[f])
			}
			q := nav.ImpactRequest{RepoID: models.RepoID(r.id), Diff: diff.String()}
			if inAll {
				q.RepoID = "*"
			}
			all = append(all, q)
		}
		return all, nil
	}
}

func (a *asker) diffOf(x name) string {
	line := a.lines(x)[x.line-1]
	edited := line[:x.column-1] + x.text + "Next" + line[x.column-1+len(x.text):]
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -%[2]d,1 +%[2]d,1 @@\n-%[3]s\n+%[4]s\n",
		x.file, x.line, line, edited)
}

// maxPaths is how many files a commit changes at most that is asked about.
const maxPaths = 30

// commits are the last ones of each repository that change code.
func (a *asker) commits(n int, inAll bool) func(context.Context) ([]any, error) {
	return func(ctx context.Context) (all []any, err error) {
		each := n/len(a.repositories) + 1
		for _, r := range a.repositories {
			out, err := git(ctx, r, "log", "--no-merges", "--first-parent", "--format=%x00%H %P", "--name-only", "-n", "200")
			if err != nil {
				return nil, err
			}
			found := 0
			for c := range strings.SplitSeq(out, "\x00") {
				lines := strings.Fields(c)
				if len(lines) < 3 || len(lines) > maxPaths+2 || found == each || len(all) == n ||
					!slices.ContainsFunc(lines[2:], func(p string) bool { return isCode[filepath.Ext(p)] }) {
					continue
				}
				found++
				q := nav.ImpactRequest{RepoID: models.RepoID(r.id), Range: lines[1] + ".." + lines[0]}
				if inAll {
					q.RepoID = "*"
				}
				all = append(all, q)
			}
		}
		return all, nil
	}
}
