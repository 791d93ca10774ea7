package search

import (
	"strings"
	"testing"

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
