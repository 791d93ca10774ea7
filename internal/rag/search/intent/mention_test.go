package intent

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestMentions(t *testing.T) {
	var repos []models.Repository
	for _, id := range []models.RepoID{
		"celery/celery", "redis/redis", "vuejs/core", "laravel/framework", "golang/go", "golang/tools",
		"spring-projects/spring-framework", "outline",
	} {
		repos = append(repos, models.Repository{RepoID: id})
	}
	sure := func(repo models.RepoID, name, rest string) []Mention {
		return []Mention{{Repo: repo, Name: name, Rest: rest, Sure: true}}
	}
	for text, want := range map[string][]Mention{
		"retry a failed task in Celery":         sure("celery/celery", "Celery", "retry a failed task"),
		"In celery, where are tasks sent again": sure("celery/celery", "celery", "where are tasks sent again"),
		"how does celery retry a task?":         sure("celery/celery", "celery", "how does retry a task?"),
		"where are celery's pools":              sure("celery/celery", "celery", "where are pools"),
		"vue: track what effects read":          sure("vuejs/core", "vue", "track what effects read"),
		"how does spring find a handler": sure("spring-projects/spring-framework", "spring",
			"how does find a handler"),
		"how does go start a goroutine": sure("golang/go", "go", "how does start a goroutine"),
		"laravel queue worker":          {{Repo: "laravel/framework", Name: "laravel", Rest: "laravel queue worker"}},
		"how does celery talk to redis": {
			{Repo: "celery/celery", Name: "celery", Rest: "how does talk to redis", Sure: true},
			{Repo: "redis/redis", Name: "redis", Rest: "how does celery talk to redis"},
		},
		"a redis client in celery": {
			{Repo: "celery/celery", Name: "celery", Rest: "a redis client", Sure: true},
			{Repo: "redis/redis", Name: "redis", Rest: "a redis client in celery"},
		},
		"what is in celery":           {{Repo: "celery/celery", Name: "celery", Rest: "what is in celery"}},
		"the golang memory":           nil, // of two of that owner's
		"celery":                      nil,
		"a celeryd of redistribution": nil,
	} {
		if diff := cmp.Diff(want, Mentions(text, repos)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	if got := Mentions("how does celery retry a task", repos[:1]); got != nil {
		t.Errorf("of one repository: %v", got)
	}
}
