package app_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// A desk is a folder that somebody edits.
type desk struct {
	*testing.T
	*rand.Rand
	root string
	next int // of the name of the next symbol
}

// write writes a file of one of three languages, with symbols of new names.
func (d *desk) write(path string) {
	d.Helper()
	var b strings.Builder
	switch filepath.Ext(path) {
	case ".go":
		b.WriteString("package " + filepath.Base(filepath.Dir(path)) + "\n")
	case ".md":
		b.WriteString("# About\n\nSome words.\n")
	}
	for range 1 + d.IntN(4) {
		d.next++
		name := fmt.Sprintf("Frobnicate%d", d.next)
		switch filepath.Ext(path) {
		case ".go":
			fmt.Fprintf(&b, "\n// %s turns the wheel %d.\nfunc %s() string { return \"password = 'hunter2hunter%d'\" }\n", name,
				d.next, name, d.next)
		case ".py":
			fmt.Fprintf(&b, "\ndef %s(wheel):\n    return wheel * %d\n", name, d.next)
		default:
			fmt.Fprintf(&b, "\n## %s\n\nHow to turn wheel %d.\n", name, d.next)
		}
	}
	full := filepath.Join(d.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
		d.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(b.String()), 0o600); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) path() string {
	return fmt.Sprintf("p%d/f%d%s", d.IntN(3), d.IntN(4), []string{".go", ".py", ".md"}[d.IntN(3)])
}

func (d *desk) edit() {
	d.Helper()
	path := d.path()
	full := filepath.Join(d.root, filepath.FromSlash(path))
	switch d.IntN(14) {
	case 0:
		_ = os.Remove(full)
	case 3:
		_ = os.RemoveAll(filepath.Dir(full))
	case 4: // a folder moves, or into one that is there
		_ = os.Rename(filepath.Dir(full),
			filepath.Join(d.root, fmt.Sprintf("p%d", d.IntN(6)), fmt.Sprintf("moved%d", d.IntN(3))))
	case 5: // a link in place of a file is not followed
		_ = errors.Join(os.Remove(full), os.Symlink(filepath.Base(d.path()), full))
	case 6:
		_ = os.Chmod(full, 0o700) //nolint:gosec // another mode
	case 7:
		d.write(fmt.Sprintf("new%d/deeper/%s", d.IntN(3), path))
	case 8: // what is not committed stays, where git lets it
		d.git("add", "-A")
		d.git("commit", "-q", "--allow-empty", "-m", "work")
		d.git("checkout", "-q", "-B", "other", "first")
	case 9:
		d.git("stash", "-q", "-u")
		d.git("checkout", "-q", "-")
	case 1:
		_ = os.Rename(full, filepath.Join(d.root, filepath.FromSlash(d.path())))
	case 2:
		if err := os.WriteFile(filepath.Join(d.root, ".gitignore"), []byte(d.path()+"\n"), 0o600); err != nil {
			d.Fatal(err)
		}
	default:
		d.write(path)
	}
}

func (d *desk) git(args ...string) {
	d.Helper()
	args = append([]string{"-C", d.root, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
	if out, err := exec.CommandContext(d.Context(), "git", args...).CombinedOutput(); err != nil {
		d.Logf("git %s: %v: %s", args[len(args)-1], err, out) // no branch before, nothing to stash
	}
}

func (d *desk) index(a *app.App) {
	d.Helper()
	resp, err := op.StartIndex.By(d.Context(), a, index.StartRequest{Targets: []string{d.root}, RepoID: "o/desk"})
	if err != nil {
		d.Fatal(err)
	}
	waitFor(d.T, a, resp.Items[0])
}

// found is what a search finds, with its scores.
func (d *desk) found(a *app.App, req search.Request) ([]string, models.Meta) {
	d.Helper()
	resp, err := op.Search.By(d.Context(), a, req)
	if err != nil {
		d.Fatal(err)
	}
	var all []string
	for _, item := range resp.Items {
		all = append(all, fmt.Sprintf("%s %.9f %s %q", item.DocumentID, item.Score, item.Freshness, item.Content))
	}
	return all, resp.Meta
}

// After any edits a search finds, without an index run, what it finds after one:
// the same hits, in the same order, with the same scores.
func TestSearchSeesEdits(t *testing.T) {
	d := &desk{T: t, Rand: rand.New(rand.NewPCG(2, 3)), root: filepath.Join(t.TempDir(), "desk")} //nolint:gosec // to be repeated
	for range 20 {
		d.write(d.path())
	}
	d.git("init", "-q", "-b", "first")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "first")
	d.git("tag", "first")
	d.git("branch", "-q", "-m", "main")
	a := open(t, t.TempDir())
	d.index(a)
	for step := range 8 {
		for range 1 + d.IntN(6) {
			d.edit()
		}
		if step == 5 {
			d.index(a)
			d.edit()
		}
		whole := open(t, t.TempDir())
		d.index(whole)
		queries := []string{"how to turn the wheel", "About"}
		for range 6 {
			queries = append(queries, fmt.Sprintf("Frobnicate%d", 1+d.IntN(d.next)))
		}
		queries = append(queries, fmt.Sprintf("Frobnicate%d", d.next))
		for _, query := range queries {
			for _, level := range []models.Level{models.LevelSymbol, models.LevelFile, models.LevelDoc} {
				req := search.Request{Query: query, Level: level, Limit: new(100)}
				want, _ := d.found(whole, req)
				got, meta := d.found(a, req)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("step %d, %s %q (-indexed +edited):\n%s", step, level, query, diff)
				}
				if meta.FreshnessState != models.Fresh {
					t.Fatalf("step %d, %s %q: %s: %+v", step, level, query, meta.FreshnessState, meta.Warnings)
				}
			}
		}
	}
}

// A search that looks at few folders of several says so, shows no file that is gone,
// and marks those that changed.
func TestGlance(t *testing.T) {
	d := &desk{T: t, Rand: rand.New(rand.NewPCG(4, 5)), root: filepath.Join(t.TempDir(), "desk")} //nolint:gosec // to be repeated
	for _, p := range []string{"p/same.go", "p/changed.go", "p/gone.go"} {
		d.write(p)
	}
	d.git("init", "-q")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "first")
	data := t.TempDir()
	a := open(t, data)
	d.index(a)
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o750); err != nil {
		t.Fatal(err)
	}
	started, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{other}})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, a, started.Items[0])
	a.Glance(1)
	seen := func(level models.Level, repo string) (files []string, meta models.Meta) {
		req := search.Request{Query: "turns the wheel", Level: level, RepoFilter: repo, Limit: new(100)}
		resp, err := op.Search.By(t.Context(), a, req)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range resp.Items {
			files = append(files, strings.TrimSpace(*item.FilePath+" "+string(item.Freshness)))
		}
		slices.Sort(files)
		return slices.Compact(files), resp.Meta
	}
	files, meta := seen(models.LevelSymbol, "")
	if diff := cmp.Diff([]string{"p/changed.go", "p/gone.go", "p/same.go"}, files); diff != "" {
		t.Errorf("as indexed (-want +got):\n%s", diff)
	}
	if meta.FreshnessState != models.Unknown || len(meta.Warnings) != 1 || meta.Warnings[0].Code != "FRESHNESS_UNKNOWN" {
		t.Errorf("as indexed: %s, %+v", meta.FreshnessState, meta.Warnings)
	}
	d.write("p/changed.go")
	d.write("p/new.go")
	if err := os.Remove(filepath.Join(d.root, "p", "gone.go")); err != nil {
		t.Fatal(err)
	}
	for _, level := range []models.Level{models.LevelSymbol, models.LevelFile} {
		files, meta = seen(level, "")
		if diff := cmp.Diff([]string{"p/changed.go STALE", "p/same.go"}, files); diff != "" {
			t.Errorf("%s (-want +got):\n%s", level, diff)
		}
		if meta.FreshnessState != models.Stale {
			t.Errorf("%s: %s, %+v", level, meta.FreshnessState, meta.Warnings)
		}
	}
	if files, meta = seen(models.LevelFile, "o/desk"); meta.FreshnessState != models.Fresh || len(files) != 3 {
		t.Errorf("the only one: %s, %q, %+v", meta.FreshnessState, files, meta.Warnings)
	}
	a.Glance(3000)
	if files, meta = seen(models.LevelFile, ""); meta.FreshnessState == models.Stale || len(files) != 3 {
		t.Errorf("looked at: %s, %q, %+v", meta.FreshnessState, files, meta.Warnings)
	}
}

// The list of repositories, searches and answers say how the index stands to the folder.
func TestFreshnessIsTold(t *testing.T) {
	a := open(t, t.TempDir())
	root := indexed(t, a)
	file := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	listed := func() models.Freshness {
		t.Helper()
		resp, err := op.Repos.By(t.Context(), a, repos.Request{})
		if err != nil {
			t.Fatal(err)
		}
		return resp.Items[0].FreshnessState
	}
	told := func(level models.Level) models.Meta {
		t.Helper()
		resp, err := op.Search.By(t.Context(), a, search.Request{Query: "brew coffee", Level: level})
		if err != nil {
			t.Fatal(err)
		}
		return resp.Meta
	}
	if got := []models.Freshness{
		listed(), told(models.LevelSymbol).FreshnessState,
		told(models.LevelModule).FreshnessState,
	}; slices.Contains(got, models.Stale) || slices.Contains(got, models.Unknown) {
		t.Errorf("of what was just indexed: %v", got)
	}
	file("b.go", "package a\n\n// Grind grinds coffee beans before brewing.\nfunc Grind() {}\n")
	if got := listed(); got != models.Stale {
		t.Errorf("with a new file the list says %s", got)
	}
	if meta := told(models.LevelSymbol); meta.FreshnessState != models.Fresh || meta.StaleFileCount != 1 ||
		meta.Message == nil {
		t.Errorf("with a new file that was searched: %+v", meta)
	}
	if meta := told(models.LevelModule); meta.FreshnessState != models.Stale {
		t.Errorf("summaries of folders that are older: %+v", meta)
	}
	answer, err := op.Ask.By(t.Context(), a, ask.Request{Query: "what grinds the coffee beans before brewing"})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Meta.FreshnessState != models.Fresh || !strings.Contains(answer.Items[0].Answer, "func Grind()") {
		t.Errorf("the answer %+v does not have the new function", answer)
	}
	for i := range 201 {
		file(fmt.Sprintf("many%d.go", i), "package a\n")
	}
	if meta := told(models.LevelSymbol); meta.FreshnessState != models.Stale || len(meta.Warnings) != 1 ||
		!strings.Contains(meta.Warnings[0].Message, "ragnav index") {
		t.Errorf("with too many new files: %+v", meta)
	}
}

// Without a commit on both sides nothing is FRESH by spec 002: search, answers,
// the list of repositories and navigation say the same.
func TestFreshnessWithoutACommit(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, a *app.App, root string){
		"no git": func(t *testing.T, a *app.App, root string) { built(t, a, root) },
		"unborn HEAD": func(t *testing.T, a *app.App, root string) {
			repotest.Run(t, root, "init", "-q")
			built(t, a, root)
		},
		"indexed before the first commit": func(t *testing.T, a *app.App, root string) {
			repotest.Run(t, root, "init", "-q")
			built(t, a, root)
			commit(t, root)
		},
		"HEAD leads nowhere since": func(t *testing.T, a *app.App, root string) {
			commit(t, root)
			built(t, a, root)
			repotest.Run(t, root, "symbolic-ref", "HEAD", "refs/heads/none")
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := open(t, t.TempDir())
			root := written(t)
			prepare(t, a, root)
			for _, state := range []string{"as indexed", "edited"} {
				if state == "edited" {
					text := "package a\n\n// Grind grinds beans.\nfunc Grind() {}\n"
					if err := os.WriteFile(filepath.Join(root, "b.go"), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				for range 2 { // the first look of a process is a short one
					want := models.Unknown
					for surface, got := range saidFresh(t, a) {
						if got != want {
							t.Errorf("%s: %s says %s, want %s", state, surface, got, want)
						}
					}
				}
			}
		})
	}
}

// What git keeps out of the folder is not indexed, and a search says so.
func TestSparseCheckoutIsTold(t *testing.T) {
	a := open(t, t.TempDir())
	root := indexed(t, a)
	told := func() bool {
		t.Helper()
		resp, err := op.Search.By(t.Context(), a, search.Request{Query: "brew coffee"})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(resp.Meta.Warnings, func(w models.Warning) bool {
			return w.Code == "FILES_NOT_SEARCHED" && strings.Contains(w.Message, "sparse checkout")
		})
	}
	if told() {
		t.Error("of a whole checkout it is said, too")
	}
	repotest.Run(t, root, "sparse-checkout", "set", "some/folder")
	if !told() {
		t.Error("of a sparse checkout it is not said")
	}
}

// saidFresh is what each surface says of the one repository.
func saidFresh(t *testing.T, a *app.App) map[string]models.Freshness {
	t.Helper()
	found, err := op.Search.By(t.Context(), a, search.Request{Query: "brew coffee", Level: models.LevelSymbol})
	listed, errRepos := op.Repos.By(t.Context(), a, repos.Request{})
	answer, errAsk := op.Ask.By(t.Context(), a, ask.Request{Query: "what brews coffee"})
	status, errStatus := op.NavStatus.By(t.Context(), a, nav.StatusRequest{RepoID: "one"})
	lines, errNav := op.NavSearch.By(t.Context(), a, nav.SearchRequest{RepoID: "one", Query: "Brew"})
	if err := errors.Join(err, errRepos, errAsk, errStatus, errNav); err != nil {
		t.Fatal(err)
	}
	return map[string]models.Freshness{
		"search": found.Meta.FreshnessState, "ask": answer.Meta.FreshnessState,
		"repos": listed.Items[0].FreshnessState, "head of repos": listed.Meta.FreshnessState,
		"nav status": status.Meta.FreshnessState, "nav search": lines.Meta.FreshnessState,
	}
}

// built indexes a folder "one" and builds its graph.
func built(t *testing.T, a *app.App, root string) {
	t.Helper()
	indexFolder(t, a, root)
	if _, err := op.BuildGraph.By(t.Context(), a, nav.BuildRequest{RepoID: "one"}); err != nil {
		t.Fatal(err)
	}
}
