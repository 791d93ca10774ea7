package nav_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A probe is a search with what it means: as a predicate of a line, and where
// ripgrep has the same as its arguments.
type probe struct {
	repo  models.RepoID // filter
	query string
	req   nav.SearchRequest
	line  string                    // an expression that lines match
	holds func(p, line string) bool // and that holds; nil: nothing else
	rg    []string                  // nil: ripgrep has none
}

var probes = []probe{
	{repo: "*", query: "alpha", line: `(?i)alpha`, rg: []string{"-i", "-F", "alpha"}},
	{repo: "*", query: "Alpha", line: `Alpha`, rg: []string{"-F", "Alpha"}},
	{repo: "a/*", query: "ta g", line: `(?i)ta g`, rg: []string{"-i", "-F", "ta g"}},
	{
		repo: "*", query: "beta", req: nav.SearchRequest{Word: true}, line: `(?i)(^|\W)beta(\W|$)`,
		rg: []string{"-i", "-w", "beta"},
	},
	{
		repo: "*", query: "BETA", req: nav.SearchRequest{Case: "insensitive"}, line: `(?i)beta`,
		rg: []string{"-i", "-F", "BETA"},
	},
	{
		repo: "*", query: `a\w+a$`, req: nav.SearchRequest{Regexp: true}, line: `(?i)a\w+a$`,
		rg: []string{"-i", "-e", `a\w+a$`},
	},
	{
		repo: "*/x", query: `^(beta|gamma)\b`, req: nav.SearchRequest{Regexp: true}, line: `(?i)^(beta|gamma)\b`,
		rg: []string{"-i", "-e", `^(beta|gamma)\b`},
	},
	{
		repo: "*", query: `/x.z/ lang:python`, line: `(?i)x.z`, holds: isGo(false, ".py"),
		rg: []string{"-i", "-e", `x.z`, "-g", "*.py"},
	},
	{
		repo: "*", query: `gamma (lang:go or lang:py)`, line: `(?i)gamma`, holds: isGo(true, ".py"),
		rg: []string{"-i", "gamma", "-g", "*.{go,py}"},
	},
	{repo: "*", query: `alpha (file:sub or file:*.md) -beta`, line: `(?i)alpha`, holds: func(p, line string) bool {
		return (strings.HasPrefix(p, "sub/") || path.Ext(p) == ".md") && !has(line, "beta")
	}},
	{repo: "*", query: `alpha -(lang:go or beta)`, line: `(?i)alpha`, holds: func(p, line string) bool {
		return path.Ext(p) != ".go" && !has(line, "beta")
	}},
	{repo: "*", query: `/alpha/ or "Gamma"`, line: `(?i:alpha)|Gamma`, rg: []string{"-e", `(?i:alpha)|Gamma`}},
	{
		repo: "*", query: `"alpha" "beta"`, line: `(?i)alpha.*beta|beta.*alpha`,
		rg: []string{"-i", "-e", `alpha.*beta|beta.*alpha`},
	},
	{repo: "*", query: `(alpha lang:go) or (beta -lang:go)`, line: `(?i)alpha|beta`, holds: func(p, line string) bool {
		if path.Ext(p) == ".go" {
			return has(line, "alpha")
		}
		return has(line, "beta")
	}},
	{repo: "*", query: `alpha repo:b/*`, line: `(?i)alpha`},
	{
		repo: "*", query: "alpha", req: nav.SearchRequest{PathFilter: "sub/**"}, line: `(?i)alpha`,
		holds: func(p, _ string) bool { return strings.HasPrefix(p, "sub/") },
		rg:    []string{"-i", "alpha", "-g", "sub/**"},
	},
}

// isGo takes files of Go, if they are wanted, and those of another extension.
func isGo(wanted bool, other string) func(p, _ string) bool {
	return func(p, _ string) bool { return wanted && path.Ext(p) == ".go" || path.Ext(p) == other }
}

func has(line, text string) bool { return strings.Contains(strings.ToLower(line), text) }

// Searches over repositories find what brute force and ripgrep find in them, in
// fresh files and in those that changed since the graphs were built.
func TestSearchAllIsBruteForceAndRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Log("SKIPPED: ripgrep (rg) is not installed; only brute force was compared")
	}
	if testing.Short() {
		rg = "" // it has no races of ours
	}
	svc, all, texts := randomTexts(t)
	for _, p := range probes {
		want := p.expected(texts)
		if got := p.found(t, svc); !cmp.Equal(want, got) {
			t.Errorf("%s in %s (-brute force +found):\n%s", p.query, p.repo, cmp.Diff(want, got))
		}
		if len(want) == 0 {
			t.Errorf("%s in %s finds nothing", p.query, p.repo)
		}
		if rg != "" && p.rg != nil {
			if got := p.ripgrep(t, rg, all); !cmp.Equal(want, got) {
				t.Errorf("%s in %s (-brute force +ripgrep):\n%s", p.query, p.repo, cmp.Diff(want, got))
			}
		}
	}
}

var sampleWords = strings.Fields("alpha Alpha ALPHA beta beta_x Beta gamma Gamma delta xyz x-z alphabet " +
	"betatron ä alpha\u0301 ( ) { a.b")

// randomTexts are three repositories, two with graphs, of which one changed since.
func randomTexts(t *testing.T) (*nav.Service, folders, map[models.RepoID]map[string]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // a test
	line := func() string {
		words := make([]string, r.IntN(6))
		for i := range words {
			words[i] = sampleWords[r.IntN(len(sampleWords))]
		}
		return strings.Join(words, " ")
	}
	text := func() string {
		lines := make([]string, 1+r.IntN(12))
		for i := range lines {
			lines[i] = line()
		}
		return strings.Join(lines, []string{"\n", "\r\n"}[r.IntN(2)]) + []string{"", "\n"}[r.IntN(2)]
	}
	all, texts := folders{}, map[models.RepoID]map[string]string{}
	for _, id := range []models.RepoID{"a/x", "a/y", "b/x"} {
		all[id], texts[id] = t.TempDir(), map[string]string{}
		for i := range 30 {
			name := fmt.Sprintf("%sf%d%s", []string{"", "sub/", "other/deep/"}[i%3], i,
				[]string{".go", ".py", ".md", ".txt"}[i%4])
			texts[id][name] = text()
			put(t, all[id], name, texts[id][name])
		}
	}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
	for _, id := range []models.RepoID{"a/x", "b/x"} {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		name := fmt.Sprintf("f%d.go", 4*i)
		if texts["b/x"][name] = text(); i%3 == 2 {
			delete(texts["b/x"], name)
			_ = os.Remove(filepath.Join(all["b/x"], name))
			continue
		}
		put(t, all["b/x"], name, texts["b/x"][name])
	}
	return svc, all, texts
}

func (p *probe) means(id models.RepoID) bool {
	ok, _ := path.Match(string(p.repo), string(id))
	if _, owner, has := strings.Cut(p.query, "repo:"); has {
		within, _ := path.Match(owner, string(id))
		return (ok || p.repo == "*") && within
	}
	return ok || p.repo == "*"
}

// expected is what brute force finds, in order.
func (p *probe) expected(texts map[models.RepoID]map[string]string) (all []string) {
	re := regexp.MustCompile(p.line)
	for id, files := range texts {
		for name, text := range files {
			for i, line := range strings.Split(text, "\n") {
				line = strings.TrimSuffix(line, "\r")
				if p.means(id) && re.MatchString(line) && (p.holds == nil || p.holds(name, line)) {
					all = append(all, fmt.Sprintf("%s %s:%04d", id, name, i+1))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// found is what the service finds, some lines a page, with its counts checked.
func (p *probe) found(t *testing.T, svc *nav.Service) (all []string) {
	t.Helper()
	limit := 7
	req := p.req
	req.RepoID, req.Query, req.Limit = p.repo, p.query, &limit
	counts, total := map[string]int{}, 0
	for {
		r, err := svc.Search(t.Context(), req)
		if err != nil {
			t.Fatalf("%s: %v", p.query, err)
		}
		for _, f := range r.Files {
			counts[string(f.RepoID)+" "+f.FilePath] = f.Matches
		}
		total = *r.Meta.Total
		for _, item := range r.Items {
			all = append(all, fmt.Sprintf("%s %s:%04d", item.RepoID, item.FilePath, item.Line))
		}
		if req.Cursor = r.Meta.NextCursor; req.Cursor == "" {
			break
		}
	}
	byFile := map[string]int{}
	for _, place := range all {
		byFile[place[:len(place)-5]]++
	}
	if total != len(all) || !cmp.Equal(byFile, counts) {
		t.Errorf("%s: %d lines, told %d; by file (-listed +told):\n%s", p.query, len(all), total,
			cmp.Diff(byFile, counts))
	}
	if !slices.IsSorted(all) {
		t.Errorf("%s: not in order", p.query)
	}
	return all
}

// ripgrep is what that finds.
func (p *probe) ripgrep(t *testing.T, rg string, folders folders) (all []string) {
	t.Helper()
	for id, root := range folders {
		if !p.means(id) {
			continue
		}
		args := append([]string{"--crlf", "-n", "--no-heading", "--no-ignore", "--no-config", "-g", "!.llmc"}, p.rg...)
		cmd := exec.CommandContext(t.Context(), rg, append(args, ".")...)
		cmd.Dir = root
		out, err := cmd.Output()
		if failed, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || failed.ExitCode() != 1) {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out) {
			parts := strings.SplitN(string(line), ":", 3)
			n, err := strconv.Atoi(parts[1])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s %s:%04d", id, strings.TrimPrefix(parts[0], "./"), n))
		}
	}
	slices.Sort(all)
	return all
}

// Files are found by their names as brute force finds them.
func TestSearchForNamesIsBruteForce(t *testing.T) {
	svc, _, texts := randomTexts(t)
	for _, test := range []struct {
		query string
		holds func(p string) bool
	}{
		{"f1", func(p string) bool { return strings.Contains(p, "f1") }},
		{"/f[12]\\./ (lang:go or lang:py)", func(p string) bool {
			return regexp.MustCompile(`f[12]\.(go|py)$`).MatchString(p)
		}},
		{"f2 -file:sub", func(p string) bool { return strings.Contains(p, "f2") && !strings.HasPrefix(p, "sub/") }},
		{`"deep" -md`, func(p string) bool { return strings.Contains(p, "deep") && !strings.Contains(p, "md") }},
	} {
		var want, got []string
		for id, files := range texts {
			for name := range files {
				if test.holds(name) {
					want = append(want, string(id)+" "+name)
				}
			}
		}
		limit := 1000
		r, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "*", Query: test.query, Names: true, Limit: &limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range r.Items {
			got = append(got, string(item.RepoID)+" "+item.FilePath)
		}
		if slices.Sort(want); len(want) == 0 || !cmp.Equal(want, got) {
			t.Errorf("%s (-want +got):\n%s", test.query, cmp.Diff(want, got))
		}
	}
}
