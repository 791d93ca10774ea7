package search

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestWarningsOfRepositories(t *testing.T) {
	repo := func(id models.RepoID, updating bool, lastError string) models.Repository {
		return models.Repository{RepoID: id, State: models.StateFresh, Updating: updating, LastError: lastError}
	}
	for name, c := range map[string]struct {
		repos []models.Repository
		want  []string // code and a part of the message
	}{
		"all is well": {[]models.Repository{repo("a", false, "")}, nil},
		"a run was cut off": {
			[]models.Repository{repo("a", true, "the last run failed")},
			[]string{"INDEX_INCOMPLETE a: the last run failed"},
		},
		"never finished": {
			[]models.Repository{{RepoID: "a", State: models.StateIndexing}},
			[]string{"INDEX_NOT_READY a has no finished index"},
		},
		"being updated": {
			[]models.Repository{repo("a", true, ""), repo("b", false, "")},
			[]string{"INDEX_UPDATING index run of a has"},
		},
		"many, once": {
			[]models.Repository{
				repo("a", true, ""), repo("b", true, ""), repo("c", true, ""), repo("d", true, ""),
				repo("e", true, ""), repo("f", true, ""),
			},
			[]string{"INDEX_UPDATING a, b, c, d, e and 1 more"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := incomplete(c.repos)
			if len(got) != len(c.want) {
				t.Fatalf("warnings %+v, want %v", got, c.want)
			}
			for i, w := range got {
				code, part, _ := strings.Cut(c.want[i], " ")
				if w.Code != code || !strings.Contains(w.Message, part) {
					t.Errorf("warning %+v, want %s with %q", w, code, part)
				}
			}
		})
	}
}

// What has no document, since its file has more symbols than a file may have
// documents, is said where it could have been a hit.
func TestBeyond(t *testing.T) {
	a := models.Repository{RepoID: "a", State: models.StateFresh, Beyond: 7, BeyondFiles: 1}
	b := models.Repository{RepoID: "b", State: models.StateFresh, Beyond: 5, BeyondFiles: 2}
	whole := models.Repository{RepoID: "c", State: models.StateFresh}
	told := b
	told.BeyondIn = map[string]int{"src/long.go": 2, "gen/longer.go": 3}
	for _, c := range []struct {
		level models.Level
		repos []models.Repository
		path  string
		want  string
	}{
		{models.LevelSymbol, []models.Repository{told}, "gen/", "3 symbols or sections in a very long file of b are not"},
		{models.LevelSymbol, []models.Repository{told}, "*.go", "5 symbols or sections in 2 very long files of b are not"},
		{models.LevelSymbol, []models.Repository{told}, "docs/", ""},
		{models.LevelSymbol, []models.Repository{a}, "docs/", "7 symbols or sections in a very long file of a are not"},
		{models.LevelSymbol, []models.Repository{a, whole}, "", "7 symbols or sections in a very long file of a are not"},
		{models.LevelDoc, []models.Repository{a, b}, "", "12 symbols or sections in 3 very long files of a, b are not"},
		{models.LevelFile, []models.Repository{a}, "", ""},
		{models.LevelSymbol, []models.Repository{whole}, "", ""},
	} {
		path, err := filter.ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		got := beyond(c.level, scope{repos: c.repos, path: path}, c.path == "")
		if (len(got) == 0) != (c.want == "") || len(got) > 0 && !strings.HasPrefix(got[0].Message, c.want) {
			t.Errorf("%s in %q: %+v, want %q", c.level, c.path, got, c.want)
		}
	}
	if got := beyond(models.LevelSymbol, scope{repos: []models.Repository{a}}, false); len(got) > 0 {
		t.Errorf("above hits of all files: %+v", got)
	}
}
