package app_test

import (
	"cmp"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed/openai/openaitest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/repo/repotest"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// withServer are settings of an embedder that is a server.
func withServer(t *testing.T, dir, url string, more ...string) config.Config {
	t.Helper()
	env := map[string]string{
		"RAGNAV_EMBEDDER": "openai", "RAGNAV_EMBED_URL": url, "RAGNAV_EMBED_MODEL": "nomic-embed-text",
		"RAGNAV_EMBED_TIMEOUT": "2s",
	}
	for i := 0; i+1 < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	c, err := config.Resolve(map[string]string{"store": "embedded:" + dir}, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func openAsSet(t *testing.T, c config.Config) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), c, app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// The vectors of documents and queries come from the server, of as many
// components as it makes. When it is away searches go by words, and the checks say so.
func TestEmbedderOnAServer(t *testing.T) {
	s := openaitest.New(t, 40)
	a := openAsSet(t, withServer(t, t.TempDir(), s.URL))
	indexed(t, a)
	resp, err := op.Search.By(t.Context(), a,
		search.Request{Query: "make some coffee", Mode: search.ModeSemantic, Level: "symbol"})
	if err != nil || len(resp.Items) != 1 || *resp.Items[0].SymbolName != "Brew" {
		t.Fatalf("%+v, %v", resp, err)
	}
	all := strings.Join(s.Texts(), "|")
	for _, want := range []string{"search_document: a: Brew\n", "search_query: make some coffee"} {
		if !strings.Contains(all, want) {
			t.Errorf("the server was not asked for %q in %q", want, all)
		}
	}
	s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
		openaitest.Refuse(w, http.StatusServiceUnavailable, "away")
		return true
	})
	resp, err = op.Search.By(t.Context(), a, search.Request{Query: "coffee", Level: "symbol"})
	if err != nil || len(resp.Items) != 1 || len(resp.Meta.Warnings) != 1 ||
		resp.Meta.Warnings[0].Code != string(fault.EmbedderUnavailable) {
		t.Errorf("by words: %+v, %v", resp, err)
	}
	for _, check := range a.Checks(t.Context()) {
		if check.Name == "embedder" && (!check.Degraded || !strings.Contains(check.Message, "words only")) {
			t.Errorf("check of a server that is away: %+v", check)
		}
	}
}

// What the built-in table made stays of use when a server is configured, and the
// checks say which one is in use.
func TestEmbedderIsThatOfTheIndex(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	indexed(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = openAsSet(t, withServer(t, dir, "http://127.0.0.1:1/v1"))
	resp, err := op.Search.By(t.Context(), a, search.Request{Query: "coffee", Mode: search.ModeSemantic, Level: "symbol"})
	if err != nil || len(resp.Items) != 1 {
		t.Errorf("%+v, %v", resp, err)
	}
	checks := a.Checks(t.Context())
	if got := checks[4]; !got.Degraded || !strings.Contains(got.Message, "openai/nomic-embed-text is configured") {
		t.Errorf("check: %+v", got)
	}
}

// Without an answer there is no telling how long vectors are: the settings can.
func TestEmbedderOfUnknownDims(t *testing.T) {
	c := withServer(t, t.TempDir(), "http://127.0.0.1:1/v1", "RAGNAV_EMBED_MODEL", "my-own")
	_, err := app.Open(t.Context(), c, app.Tool)
	if fault.CodeOf(err) != fault.EmbedderUnavailable || !strings.Contains(fault.MessageOf(err), "RAGNAV_EMBED_DIMS") {
		t.Errorf("Open: %v", err)
	}
}

// All vectors are made again while others search, and take the place of the old
// ones at once. With an embedder that dies in the middle nothing changes, and the
// next try goes on.
func TestReembed(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	indexed(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	s := openaitest.New(t, 40)
	a = openAsSet(t, withServer(t, dir, s.URL, "RAGNAV_EMBED_BATCH", "1", "RAGNAV_EMBED_CONCURRENCY", "1"))
	count := 0
	s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
		if count++; count < 3 {
			return false
		}
		openaitest.Refuse(w, http.StatusUnauthorized, "no more")
		return true
	})
	if job := reembed(t, a); job.State != index.JobFailed || !strings.Contains(*job.Error, "the index is as it was") {
		t.Errorf("with a dead embedder: %+v", job)
	}
	semantic(t, a)
	if len(s.Texts()) == 0 || a.Checks(t.Context())[4].Degraded == false {
		t.Errorf("%d texts, %+v", len(s.Texts()), a.Checks(t.Context())[4])
	}
	s.Fail(nil)
	var stop atomic.Bool
	searching := parallel.Start(func() error {
		for !stop.Load() {
			if _, err := op.Search.By(t.Context(), a,
				search.Request{Query: "coffee", Mode: search.ModeSemantic, Level: "symbol"}); err != nil {
				return err
			}
		}
		return nil
	})
	job := reembed(t, a)
	stop.Store(true)
	if err := <-searching; err != nil {
		t.Errorf("a search meanwhile: %v", err)
	}
	if job.State != index.JobDone {
		t.Fatalf("%s: %s", job.State, *job.Error)
	}
	semantic(t, a)
	if got := s.Texts()[len(s.Texts())-1]; got != "search_query: coffee" {
		t.Errorf("the last text was %q", got)
	}
	// of the model 40, of the table 256
	if check := a.Checks(t.Context())[4]; check.Degraded || !strings.Contains(check.Message, "296 dimensions") {
		t.Errorf("%+v", check)
	}
	if job := reembed(t, a); job.State != index.JobFailed || !strings.Contains(*job.Error, "already") {
		t.Errorf("a second time: %+v", job)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	semantic(t, openAsSet(t, withServer(t, dir, s.URL)))
}

// Who takes the server out of the settings goes back to the built-in table by the
// same command.
func TestReembedByTheBuiltInTable(t *testing.T) {
	dir := t.TempDir()
	s := openaitest.New(t, 40)
	a := openAsSet(t, withServer(t, dir, s.URL))
	indexed(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, dir)
	if job := reembed(t, a); job.State != index.JobDone {
		t.Fatalf("%s: %s", job.State, *job.Error)
	}
	semantic(t, a)
	if job := reembed(t, a); job.State != index.JobFailed || !strings.Contains(*job.Error, "already") {
		t.Errorf("a second time: %+v", job)
	}
}

func semantic(t *testing.T, a *app.App) {
	t.Helper()
	resp, err := op.Search.By(t.Context(), a, search.Request{Query: "coffee", Mode: search.ModeSemantic, Level: "symbol"})
	if err != nil || len(resp.Items) == 0 || *resp.Items[0].SymbolName != "Brew" || len(resp.Meta.Warnings) > 0 {
		t.Errorf("%+v, %v", resp, err)
	}
}

func reembed(t *testing.T, a *app.App) index.Job {
	t.Helper()
	return ended(t, a, index.StartRequest{Reembed: true})
}

// ended is a job once it has, whatever its outcome.
func ended(t *testing.T, a *app.App, req index.StartRequest) index.Job {
	t.Helper()
	resp, err := op.StartIndex.By(t.Context(), a, req)
	if err != nil {
		t.Fatal(err)
	}
	return watched(t, a, resp.Items[0].ID)
}

func watched(t *testing.T, a *app.App, id string) index.Job {
	t.Helper()
	ended, err := a.WatchJob(t.Context(), index.JobRequest{ID: id}, func(index.Job) {})
	if err != nil {
		t.Fatal(err)
	}
	return ended.Items[0]
}

// Vectors of a built-in table that this program no longer has are made again by
// whatever runs next: an index run of a tool, or a server that starts. Until then
// searches go by words, and say so.
func TestEarlierTable(t *testing.T) {
	for name, role := range map[string]app.Role{"a run": app.Tool, "a server": app.Server} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a := open(t, dir)
			indexed(t, a)
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			madeByEarlierTable(t, dir)

			a, err := app.Open(t.Context(), settings(t, dir), role)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = a.Close() })
			if role == app.Tool {
				byWords(t, a)
				indexFolder(t, a, writtenTea(t))
			} else {
				all, err := op.Jobs.By(t.Context(), a, index.JobsRequest{})
				if err != nil || len(all.Items) != 1 {
					t.Fatalf("jobs of a server that began: %+v, %v", all, err)
				}
				if job := watched(t, a, all.Items[0].ID); job.State != index.JobDone {
					t.Fatalf("%+v", job)
				}
			}
			semantic(t, a)
		})
	}
}

// A repository whose folder is gone keeps the index as it is, and the run that was
// behind the other job says why. Once it is forgotten the next run goes on.
func TestEarlierTableOfWhatIsGone(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	gone := indexed(t, a)
	other := writtenTea(t)
	indexFolder(t, a, other)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	madeByEarlierTable(t, dir)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	a = open(t, dir)
	job := ended(t, a, index.StartRequest{Targets: []string{other}})
	if job.State != index.JobFailed || !strings.Contains(*job.Error, gone) ||
		!strings.Contains(*job.Error, "ragnav index --repo-id "+filepath.Base(gone)+" PATH`") ||
		!strings.Contains(*job.Error, "ragnav remove "+filepath.Base(gone)) {
		t.Fatalf("%+v: %s", job, *cmp.Or(job.Error, new("")))
	}
	byWords(t, a)
	forget := index.RemoveRequest{RepoID: models.RepoID(filepath.Base(gone))}
	if _, err := op.Remove.By(t.Context(), a, forget); err != nil {
		t.Fatal(err)
	}
	if job := ended(t, a, index.StartRequest{Targets: []string{other}}); job.State != index.JobDone {
		t.Fatalf("%+v: %s", job, *cmp.Or(job.Error, new("")))
	}
	resp, err := op.Search.By(t.Context(), a, search.Request{Query: "tea", Mode: search.ModeSemantic, Level: "symbol"})
	if err != nil || len(resp.Items) != 1 || len(resp.Meta.Warnings) > 0 {
		t.Errorf("%+v, %v", resp, err)
	}
}

func writtenTea(t *testing.T) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "tea")
	repotest.Write(t, root, map[string]string{"tea.go": "package tea\n\n// Steep makes some tea.\nfunc Steep() {}\n"})
	commit(t, root)
	return root
}

// An index of a server's vectors alone, as earlier programs made it, goes on answering
// by those.
func TestVectorsOfAServerAlone(t *testing.T) {
	dir := t.TempDir()
	a := openAsSet(t, withServer(t, dir, openaitest.New(t, 40).URL))
	indexed(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	madeBy(t, dir, "1")
	a = openAsSet(t, withServer(t, dir, openaitest.New(t, disk.DimsOf(dir)).URL))
	semantic(t, a)
	check := a.Checks(t.Context())[4]
	if !check.Degraded || strings.Contains(check.Message, "revision 1+") {
		t.Errorf("%+v", check)
	}
}

func madeByEarlierTable(t *testing.T, dir string) {
	t.Helper()
	madeBy(t, dir, "earlier")
}

// madeBy has an index say that its vectors are of another revision of its embedder.
func madeBy(t *testing.T, dir, revision string) {
	t.Helper()
	st, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: disk.DimsOf(dir)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := records.EmbedderOf(t.Context(), st)
	m.Revision = revision
	err = errors.Join(err, st.Apply(t.Context(), models.Batch{PutRecords: []models.Record{{
		Collection: models.CollectionMeta, Key: records.EmbedderKey, Value: m,
	}}}), st.Close())
	if err != nil {
		t.Fatal(err)
	}
}

func byWords(t *testing.T, a *app.App) {
	t.Helper()
	resp, err := op.Search.By(t.Context(), a, search.Request{Query: "coffee", Level: "symbol"})
	if err != nil || len(resp.Items) == 0 || len(resp.Meta.Warnings) == 0 ||
		resp.Meta.Warnings[0].Code != string(fault.EmbedderUnavailable) {
		t.Errorf("by words: %+v, %v", resp, err)
	}
}
