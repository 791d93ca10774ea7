//go:build cgo

package nav_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestJoined checks the archives of testdata/across: several small repositories
// each, whose files are behind their ids. Marks in comments say what names on
// their line are, def:NAME/LABEL and use:NAME/LABEL as in the idioms of package
// resolve: all uses of what has a def are marked, whatever repository they are in.
// Lines of the comment say more:
//
//	dependents REPO = REPO …       which repositories take modules of it
//	down SYMBOL = REPO SYMBOL, …   what implements it; up: what it implements
//	upstream SYMBOL = DEPTH REPO SYMBOL, …   what reaches it; downstream: what it reaches
//	external SYMBOL = MODULE       where what is not indexed is declared
//	outside REPO FILE:LINE NAME = MODULE LINE …  the same of a place, and what else uses it there
//	impact REPO FILE:LINE = REPO SYMBOL, …  what of others is affected if that line is taken away
func TestJoined(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "across", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, build := range []bool{true, false} {
				newJoined(t, file, build).check()
			}
		})
	}
}

// everything reads the facts of all languages in this process.
type everything struct {
	*sync.Mutex // a parser is for one at a time
	*treesitter.Parser
}

// reader is one for all tests: it takes a while to make ready.
var reader = sync.OnceValue(func() everything { return everything{&sync.Mutex{}, treesitter.New()} })

func (everything) Revision(string) string { return "1" }

func (x everything) Facts(ctx context.Context, path, language, text string) (*facts.File, error) {
	if f, ok := project.Facts(path, text); ok {
		return &f, nil
	}
	if language == "Go" || strings.HasPrefix(language, "Go ") {
		return goOnly{}.Facts(ctx, path, language, text)
	}
	if !treesitter.Speaks(language) {
		return &facts.File{Path: path, Language: language}, nil
	}
	x.Lock()
	defer x.Unlock()
	f, err := x.Parser.Facts(parse.File{Path: path, Language: filekind.Dialect(path, language, text), Text: text})
	return &f, err
}

type joined struct {
	*testing.T

	svc   *nav.Service
	all   folders
	told  []string // lines of the comment
	files map[models.RepoID]map[string]string
	marks map[string]map[string][]mark // by verb and label
}

type mark struct {
	id           models.RepoID
	file         string
	line, column int
}

func (m mark) String() string { return fmt.Sprintf("%s %s:%d", m.id, m.file, m.line) }

var joinedMarks = regexp.MustCompile(`\b(def|use):(\w+)(?:/(\w+))?`)

func newJoined(t *testing.T, file string, build bool) *joined {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	x := &joined{
		T: t, all: folders{}, files: map[models.RepoID]map[string]string{},
		marks: map[string]map[string][]mark{"def": {}, "use": {}}, told: strings.Split(string(ar.Comment), "\n"),
	}
	for _, f := range ar.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		id, path := models.RepoID(parts[0]+"/"+parts[1]), parts[2]
		if x.all[id] == "" {
			x.all[id], x.files[id] = t.TempDir(), map[string]string{}
		}
		x.files[id][path] = string(f.Data)
		for n, line := range strings.Split(string(f.Data), "\n") {
			for _, found := range joinedMarks.FindAllStringSubmatch(line, -1) {
				at := regexp.MustCompile(`\b` + found[2] + `\b`).FindStringIndex(line)
				label := found[2] + found[3]
				x.marks[found[1]][label] = append(x.marks[found[1]][label], mark{id, path, n + 1, at[0] + 1})
			}
		}
	}
	for id, files := range x.files {
		for path, text := range files {
			put(t, x.all[id], path, x.rooted(text))
		}
	}
	x.svc = nav.New(gateway.Config{Repos: x.all, Match: x.all.Match, Extract: reader()})
	for id := range x.all {
		if _, err := x.svc.Build(t.Context(), nav.BuildRequest{RepoID: id}); build && err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// rooted is a text with the folders of repositories for ROOT(id).
func (x *joined) rooted(text string) string {
	return regexp.MustCompile(`ROOT\(([^)]*)\)`).ReplaceAllStringFunc(text, func(s string) string {
		return x.all[models.RepoID(s[5:len(s)-1])]
	})
}

func (x *joined) check() {
	x.Helper()
	if len(x.marks["def"]) == 0 || len(x.marks["use"]) == 0 {
		x.Fatal("no marks")
	}
	for label, defs := range x.marks["def"] {
		for _, d := range defs {
			x.used(d, x.marks["use"][label])
		}
	}
	for label, uses := range x.marks["use"] {
		for _, u := range uses {
			x.defined(u, x.marks["def"][label])
		}
	}
	for _, line := range x.told {
		if what, want, ok := strings.Cut(line, " = "); ok {
			if got := x.tell(strings.Fields(what)); got != want {
				x.Errorf("%s: got %s, want %s", what, got, want)
			}
		}
	}
}

// used compares the uses of what is declared at a place.
func (x *joined) used(d mark, want []mark) {
	r, err := x.svc.WhereUsed(x.Context(),
		nav.WhereUsedRequest{RepoID: "*", File: string(d.id) + ":" + d.file, Line: &d.line, Column: &d.column})
	if err != nil {
		x.Errorf("%s: %v", d, err)
		return
	}
	var got, wanted []string
	for _, item := range r.Items {
		got = append(got, mark{id: item.RepoID, file: item.FilePath, line: item.Line}.String())
	}
	for _, m := range want {
		wanted = append(wanted, m.String())
	}
	if got, wanted = distinct(got), distinct(wanted); !slices.Equal(got, wanted) {
		x.Errorf("uses of what %s declares:\n got %v\nwant %v", d, got, wanted)
	}
}

func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// defined checks where what stands at a place is declared, by the repository alone.
func (x *joined) defined(u mark, want []mark) {
	r, err := x.svc.Definition(x.Context(),
		nav.DefinitionRequest{RepoID: u.id, FilePath: u.file, Line: u.line, Column: u.column})
	if err != nil {
		x.Errorf("%s: %v", u, err)
		return
	}
	for _, item := range r.Items {
		if !slices.ContainsFunc(want, func(m mark) bool {
			return m.id == item.RepoID && m.file == item.FilePath && m.line == item.Line
		}) {
			x.Errorf("%s: got %s %s:%d %s%s", u, item.RepoID, item.FilePath, item.Line, item.Symbol, item.External)
		}
	}
	if len(r.Items) == 0 {
		x.Errorf("%s: no definition", u)
	}
}

// tell is what the service says to a line of the comment.
func (x *joined) tell(words []string) string {
	var got []string
	switch words[0] {
	case "dependents":
		r, err := x.svc.Status(x.Context(), nav.StatusRequest{RepoID: models.RepoID(words[1]), Modules: true})
		if err != nil {
			return err.Error()
		}
		return strings.Trim(fmt.Sprint(r.Items[0].Dependents), "[]")
	case "down", "up":
		r, err := x.svc.Implementations(x.Context(),
			nav.ImplementationsRequest{RepoID: "*", Symbol: words[1], Direction: words[0]})
		if err != nil {
			return err.Error()
		}
		for _, item := range r.Items {
			got = append(got, string(item.RepoID)+" "+item.Symbol)
		}
	case "upstream", "downstream":
		r, err := x.svc.Lineage(x.Context(), nav.LineageRequest{RepoID: "*", Symbol: words[1], Direction: words[0]})
		if err != nil {
			return err.Error()
		}
		for _, item := range r.Items {
			got = append(got, fmt.Sprintf("%d %s %s", item.Depth, item.RepoID, item.Symbol))
		}
	case "external":
		r, err := x.svc.WhereUsed(x.Context(), nav.WhereUsedRequest{RepoID: "*", Symbol: words[1]})
		if err != nil {
			return err.Error()
		}
		for _, d := range r.Definitions {
			got = append(got, d.External)
		}
	case "outside":
		return x.outside(models.RepoID(words[1]), words[2], words[3])
	case "impact":
		return x.impact(models.RepoID(words[1]), words[2])
	}
	return strings.Join(got, ", ")
}

// outside is what a place is said to be of, by its repository alone and by all.
func (x *joined) outside(id models.RepoID, place, name string) string {
	file, at, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(at)
	if err != nil {
		x.Fatal(err)
	}
	lines := strings.Split(x.files[id][file], "\n")
	if line > len(lines) || !strings.Contains(lines[line-1], name) { // it was edited
		return "gone"
	}
	column := strings.Index(lines[line-1], name) + 1
	var said []string
	for _, req := range []nav.WhereUsedRequest{{RepoID: id, File: file}, {RepoID: "*", File: string(id) + ":" + file}} {
		req.Line, req.Column = &line, &column
		r, err := x.svc.WhereUsed(x.Context(), req)
		if err != nil {
			return err.Error()
		}
		var got []string
		for _, d := range r.Definitions {
			got = append(got, d.External)
		}
		for _, item := range r.Items {
			if item.RepoID == id || item.RepoID == "" {
				got = append(got, strconv.Itoa(item.Line))
			}
		}
		if r.Symbol != name {
			got = append(got, "called "+r.Symbol)
		}
		said = append(said, strings.Join(got, " "))
	}
	return strings.Join(slices.Compact(said), ", by all ")
}

// impact takes a line away.
func (x *joined) impact(id models.RepoID, place string) string {
	file, at, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(at)
	if err != nil {
		x.Fatal(err)
	}
	gone := strings.Split(x.files[id][file], "\n")[line-1]
	diff := fmt.Sprintf("diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -%d,1 +%d,0 @@\n-%s\n", file, file, file, file, line,
		line-1, gone)
	r, err := x.svc.Impact(x.Context(), nav.ImpactRequest{RepoID: "*", Diff: diff})
	if err != nil {
		return err.Error()
	}
	var got []string
	for _, item := range r.Items {
		for _, a := range item.Affected {
			if a.RepoID != id && a.Depth == 1 && a.Edge != "imports" {
				got = append(got, string(a.RepoID)+" "+a.Symbol)
			}
		}
	}
	return strings.Join(distinct(got), ", ")
}
