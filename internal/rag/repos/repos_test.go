package repos_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// stored is the records of repositories by id.
type stored map[string]models.Repository

func (s stored) Record(_ context.Context, _, key string, v any) (bool, error) {
	r, ok := s[key]
	if ok {
		*v.(*models.Repository) = r
	}
	return ok, nil
}

func (s stored) Records(_ context.Context, _ string, yield func(string, json.RawMessage) error) error {
	for _, key := range slices.Sorted(maps.Keys(s)) {
		b, err := json.Marshal(s[key])
		if err != nil {
			return err
		}
		if err := yield(key, b); err != nil {
			return err
		}
	}
	return nil
}

func repositories(state models.IndexState, ids ...models.RepoID) stored {
	s := stored{}
	for _, id := range ids {
		r := models.Repository{RepoID: id, Root: "/src/" + string(id), State: state}
		if state == models.StateError {
			r.LastError = "disk full"
		}
		s[string(id)] = r
	}
	return s
}

func ids(rs []models.Repository) []models.RepoID {
	var got []models.RepoID
	for _, r := range rs {
		got = append(got, r.RepoID)
	}
	return got
}

func TestMatch(t *testing.T) {
	s := repositories(models.StateFresh, "acme/api", "acme/web", "gnu/tools/make", "solo")
	s["acme/new"] = models.Repository{RepoID: "acme/new", State: models.StateIndexing}
	tests := []struct {
		name, filter string
		want         []models.RepoID
	}{
		{"no filter is all", "", []models.RepoID{"acme/api", "acme/new", "acme/web", "gnu/tools/make", "solo"}},
		{"an id", "acme/api", []models.RepoID{"acme/api"}},
		{"a glob without a slash is of the last segment", "{w*,solo}", []models.RepoID{"acme/web", "solo"}},
		{"a star stays in its segment", "*/*", []models.RepoID{"acme/api", "acme/new", "acme/web"}},
		{"a unique last segment", "make", []models.RepoID{"gnu/tools/make"}},
		{"an owner", "acme/*", []models.RepoID{"acme/api", "acme/new", "acme/web"}},
		{"two stars cross segments", "**/make", []models.RepoID{"gnu/tools/make"}},
		{"alternatives", "{solo,acme/web}", []models.RepoID{"acme/web", "solo"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := repos.New(s, "", nil).Match(t.Context(), test.filter)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, ids(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMatchFails(t *testing.T) {
	progress := func(models.RepoID) (int, int, bool) { return 5, 20, true }
	tests := []struct {
		name     string
		stored   stored
		progress repos.Progress
		filter   string
		code     fault.Code
		says     string
	}{
		{"nothing is registered", stored{}, nil, "", fault.IndexNotReady, "ragnav index"},
		{
			"an unknown id names known ones", repositories(models.StateFresh, "a/b", "c"), nil, "a/x", fault.RepoNotFound,
			"the nearest is a/b",
		},
		{"nothing near", repositories(models.StateFresh, "a/b", "c"), nil, "qwerty", fault.RepoNotFound, "known are a/b, c"},
		{
			"many known ones are cut", repositories(models.StateFresh, "a", "b", "c", "d", "e", "f", "g"), nil, "x",
			fault.RepoNotFound, "and 2 more",
		},
		{"a bad glob", repositories(models.StateFresh, "a"), nil, "[a", fault.InvalidRequest, "[a"},
		{"never indexed", repositories(models.StateNever, "a"), nil, "", fault.IndexNotReady, "ragnav index /src/a"},
		{"being indexed", repositories(models.StateIndexing, "a"), progress, "a", fault.IndexNotReady, "5 of 20 files"},
		{"broken", repositories(models.StateError, "a"), nil, "a", fault.IndexNotReady, "disk full"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := repos.New(test.stored, "", test.progress).Match(t.Context(), test.filter)
			if got := fault.CodeOf(err); got != test.code {
				t.Fatalf("code %s, want %s: %v", got, test.code, err)
			}
			if got := fault.MessageOf(err); !strings.Contains(got, test.says) {
				t.Errorf("message %q does not say %q", got, test.says)
			}
		})
	}
}

func TestRepository(t *testing.T) {
	s := repos.New(repositories(models.StateNever, "acme/api"), "", nil)
	got, err := s.Repository(t.Context(), "acme/api")
	if err != nil || got.Root != "/src/acme/api" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Repository(t.Context(), "acme/*"); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("a glob is not an id: %v", err)
	}
	_, err = repos.New(stored{}, "", nil).Repository(t.Context(), "x")
	if got := fault.MessageOf(err); !strings.Contains(got, "ragnav index") {
		t.Errorf("message %q does not say how to index", got)
	}
}

func TestListPages(t *testing.T) {
	s := repositories(models.StateFresh, "a", "b", "c")
	s["b"] = models.Repository{
		RepoID: "b", State: models.StateFresh, DocCount: 7, FileCount: 2, Languages: []string{"Go"},
		LastIndexedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), LastIndexedCommit: "c0ffee",
	}
	service := repos.New(s, "", nil)
	first, err := service.List(t.Context(), repos.Request{Limit: new(2)})
	if err != nil {
		t.Fatal(err)
	}
	want := []models.RepoInfo{
		{RepoID: "a", Languages: []string{}, FreshnessState: models.Unknown},
		{
			RepoID: "b", DocCount: 7, FileCount: 2, Languages: []string{"Go"}, FreshnessState: models.Unknown,
			LastIndexedAt: new("2026-01-02T03:04:05Z"), LastIndexedCommit: new("c0ffee"),
		},
	}
	if diff := cmp.Diff(want, first.Items); diff != "" {
		t.Error(diff)
	}
	if *first.Meta.Total != 3 || !first.Meta.Truncated {
		t.Errorf("meta %+v", first.Meta)
	}
	second, err := service.List(t.Context(), repos.Request{Limit: new(2), Cursor: first.Meta.NextCursor})
	if err != nil || len(second.Items) != 1 || second.Items[0].RepoID != "c" || second.Meta.NextCursor != "" {
		t.Errorf("second page %+v, %v", second, err)
	}
	if _, err := service.List(t.Context(), repos.Request{Cursor: "zzz"}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a foreign cursor: %v", err)
	}
}

func TestListNothing(t *testing.T) {
	res, err := repos.New(stored{}, "", nil).List(t.Context(), repos.Request{})
	if err != nil || res.Items == nil || len(res.Items) != 0 || res.Meta.Message == nil {
		t.Errorf("got %+v, %v; want no items and a message", res, err)
	}
}

// A remembered list saves reading, and never hides that something is not ready.
func TestRemember(t *testing.T) {
	s := repositories(models.StateFresh, "acme/api")
	counted := &counting{stored: s}
	service := repos.New(counted, "", nil)
	service.Remember(time.Hour)
	match := func(filter string, lists int) ([]models.RepoID, error) {
		t.Helper()
		counted.lists = 0
		got, err := service.Match(t.Context(), filter)
		if counted.lists != lists {
			t.Errorf("Match(%q) lists the repositories %d times, want %d", filter, counted.lists, lists)
		}
		return ids(got), err
	}
	if _, err := match("", 1); err != nil {
		t.Fatal(err)
	}
	if got, err := match("acme/*", 0); err != nil || len(got) != 1 {
		t.Errorf("remembered: %v, %v", got, err)
	}
	s["acme/web"] = models.Repository{RepoID: "acme/web", State: models.StateIndexing}
	if got, err := match("acme/web", 1); fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("a new one that is not ready: %v, %v", got, err)
	}
	if got, err := match("", 1); err != nil || len(got) != 2 {
		t.Errorf("with one that is not ready: %v, %v", got, err)
	}
	if _, err := match("nope", 1); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("unknown: %v", err)
	}
}

// One request reads the list once, whatever it asks for; the next one anew.
func TestTogether(t *testing.T) {
	s := repositories(models.StateFresh, "acme/api", "acme/web")
	counted := &counting{stored: s}
	service := repos.New(counted, "", nil)
	ctx, release := service.Together(t.Context())
	defer release()
	for range 3 {
		got, err := service.Match(ctx, "")
		if err != nil || len(got) != 2 {
			t.Fatalf("%v, %v", got, err)
		}
		got[0].RepoID = "mine now"
	}
	delete(s, "acme/api")
	if r, err := service.Repository(ctx, "acme/api"); err != nil || r.RepoID != "acme/api" {
		t.Errorf("what the list has: %v, %v", r, err)
	}
	if counted.lists != 1 {
		t.Errorf("the list was read %d times", counted.lists)
	}
	next, leave := service.Together(t.Context())
	defer leave()
	if _, err := service.Repository(next, "acme/api"); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("the next request: %v", err)
	}
}

// One request opens a folder once, and reads from it until it has closed it as often as
// it opened it.
func TestTogetherOpensOnce(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "a.txt"), []byte("text\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	service, known := repos.New(stored{}, "", nil), models.Repository{RepoID: "acme/api", Root: root}
	ctx, release := service.Together(t.Context())
	var all []repo.Files
	for range 3 {
		files, err := service.Open(ctx, known)
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, files); files.(repo.Tree).Folder != all[0].(repo.Tree).Folder {
			t.Error("the folder was opened again")
		}
	}
	if err := all[0].Close(); err != nil {
		t.Error(err)
	}
	release()
	for _, files := range all[1:] {
		if data, _, err := files.Read(ctx, "a.txt", 100); err != nil || string(data) != "text\n" {
			t.Errorf("read %q, %v", data, err)
		}
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := all[0].Read(ctx, "a.txt", 100); err == nil {
		t.Error("the folder is open after it was closed as often as it was opened")
	}
}

// A folder that was shared is opened no more by the same request, and by others is.
func TestShare(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	service, known := repos.New(stored{}, "", nil), models.Repository{RepoID: "acme/api", Root: root}
	tree, err := disk.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	ctx, release := service.Together(t.Context())
	for _, over := range []context.Context{ctx, t.Context()} {
		service.Share(over, known.RepoID, tree)
		files, err := service.Open(over, known)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := files.(repo.Tree).Folder == tree, over == ctx; got != want {
			t.Errorf("together %t: the shared folder %t", want, got)
		}
		_ = files.Close()
	}
	release()
	if _, err := tree.ReadFolder(""); err != nil {
		t.Errorf("who shared it has it open no more: %v", err)
	}
	_ = tree.Close()
}

// counting counts how often the list is read.
type counting struct {
	stored
	lists int
}

func (c *counting) Records(ctx context.Context, collection string, yield func(string, json.RawMessage) error) error {
	c.lists++
	return c.stored.Records(ctx, collection, yield)
}

// What was decoded before is never taken for another record: each list is that of the
// store as it is.
func TestListsAfterChanges(t *testing.T) {
	s := repositories(models.StateFresh, "a", "c", "d")
	service := repos.New(s, "", nil)
	for name, change := range map[string]func(){
		"nothing": func() {},
		"added":   func() { s["b"] = models.Repository{RepoID: "b", State: models.StateFresh, Languages: []string{"Go"}} },
		"changed": func() { r := s["c"]; r.Runs, r.LastError = 2, ""; s["c"] = r },
		"removed": func() { delete(s, "a") },
	} {
		change()
		got, err := service.Match(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		var want []models.Repository
		for _, key := range slices.Sorted(maps.Keys(s)) {
			want = append(want, s[key])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The list tells which indexes a run did not finish, and so does their status.
func TestListTellsWhatIsIncomplete(t *testing.T) {
	s := repositories(models.StateFresh, "a", "b", "c", "d", "e", "f", "g")
	for id, r := range s {
		if id != "a" {
			r.LastError = "disk full"
			s[id] = r
		}
	}
	res, err := repos.New(s, "", nil).List(t.Context(), repos.Request{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range res.Meta.Warnings {
		got = append(got, w.Message)
	}
	want := []string{
		"b: disk full", "c: disk full", "d: disk full", "e: disk full", "f: disk full",
		"and 1 more; `ragnav doctor` lists them",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a, b := s["a"].Status().IndexState, s["b"].Status().IndexState; a != models.StateFresh || b != models.StateStale {
		t.Errorf("the states are %s and %s, want fresh and stale", a, b)
	}
}

// The list tells what searches do not find, of a few repositories by name.
func TestListTellsWhatIsBeyond(t *testing.T) {
	s := repositories(models.StateFresh, "a", "b", "c", "d", "whole")
	for i, id := range []string{"a", "b", "c", "d"} {
		r := s[id]
		r.Beyond, r.BeyondFiles = 7+i, 1
		s[id] = r
	}
	for limit, want := range map[int]string{
		1: "a (7, of very long files: 1);",
		5: "a (7, of very long files: 1), b (8, of very long files: 1), c (9, of very long files: 1) and 1 more;",
	} {
		res, err := repos.New(s, "", nil).List(t.Context(), repos.Request{Limit: &limit})
		if err != nil {
			t.Fatal(err)
		}
		if w := res.Meta.Warnings; len(w) != 1 || !strings.Contains(w[0].Message, "one by one: "+want) {
			t.Errorf("of %d: %+v, want %q", limit, w, want)
		}
	}
}

// The list tells whose folder is gone, and what to do about it.
func TestListTellsWhatIsGone(t *testing.T) {
	for where, want := range map[string]string{
		"a":             "the folder of a is gone; `ragnav index --repo-id a PATH` where it is now, or `ragnav remove a`",
		"a b":           "the folders of a, b are gone; `ragnav index --repo-id ID PATH`",
		"a b c d e f g": "the folders of a, b, c, d, e and 2 more are gone;",
		"":              "",
	} {
		service := repos.New(repositories(models.StateFresh, "a", "b", "c", "d", "e", "f", "g", "h"), "", nil)
		service.Compare(func(_ context.Context, all []models.Repository) (current.Standings, error) {
			standings := make(current.Standings, len(all))
			for i, r := range all {
				gone := slices.Contains(strings.Fields(where), string(r.RepoID))
				standings[i] = current.Standing{Repo: r, Freshness: models.Fresh, Gone: gone, Absent: gone || i == 7}
			}
			return standings, nil
		})
		res, err := service.List(t.Context(), repos.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if w := res.Meta.Warnings; len(w) != min(1, len(want)) || want != "" && !strings.HasPrefix(w[0].Message, want) {
			t.Errorf("gone %s: %+v, want %q", where, w, want)
		}
	}
}
