package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// TestSearchesTheRepositoryThatIsNamed has a repository whose name is in its files alone, one
// whose name many files of another have, and one that is called as all files say.
func TestSearchesTheRepositoryThatIsNamed(t *testing.T) {
	st, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	repos := repositories{
		{RepoID: "a/celery", State: models.StateFresh},
		{RepoID: "b/redis", State: models.StateFresh},
		{RepoID: "c/express", State: models.StateFresh},
	}
	var docs []models.Document
	for i, r := range repos {
		for f := range []int{20, 6, 6}[i] {
			file := fmt.Sprintf("file%d.go", f)
			text := "a pool of express workers " + string(r.RepoID[2:])
			if i == 0 && f < 8 {
				text += " redis"
			}
			docs = append(docs, models.Document{
				Header: models.Header{
					ID: models.FileID(r.RepoID, file), Type: models.TypeFile, RepoID: r.RepoID, FilePath: file, Language: "Go",
				},
				Content: text, Text: text,
			})
		}
	}
	if err := st.Apply(t.Context(), store.Batch{Put: docs}); err != nil {
		t.Fatal(err)
	}
	svc := search.New(st, repos, embedtest.New(dims))
	for query, want := range map[string]string{
		"a pool of workers in celery":     "a/celery",
		"where is a celery worker's pool": "a/celery",
		"how does redis pool workers":     "b/redis",
		"a redis pool of workers":         "a/celery b/redis c/express",
		"how does express pool workers":   "a/celery b/redis c/express",
		"a pool of workers":               "a/celery b/redis c/express",
	} {
		resp := ask(t, svc, search.Request{Query: query, Level: models.LevelFile, Limit: new(100)})
		var found []string
		for _, item := range resp.Items {
			if id := string(item.RepoID); !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q searches %s, want %s", query, got, want)
		}
		said := resp.Meta.Message != nil && strings.Contains(*resp.Meta.Message, "only "+want+" was searched")
		if said != !strings.Contains(want, " ") {
			t.Errorf("%q: message %v", query, resp.Meta.Message)
		}
	}
	all := ask(t, svc, search.Request{Query: "a pool of workers in celery", Level: models.LevelRepo, Limit: new(100)})
	if all.Meta.Message != nil && strings.Contains(*all.Meta.Message, "only") {
		t.Errorf("level repo: %s", *all.Meta.Message)
	}
}
