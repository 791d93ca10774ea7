package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Query is a search as its address says it. The zero value of a field is its
// default.
type Query struct {
	Text     string
	Level    models.Level // "" is models.LevelAuto
	Mode     string
	Repo     string // filters
	Language string
	Path     string
	Cursor   string
}

func queryOf(r *http.Request) Query {
	v := r.URL.Query()
	return Query{
		Text: strings.TrimSpace(v.Get("q")), Level: models.Level(v.Get("level")), Mode: v.Get("mode"), Repo: v.Get("repo"),
		Language: v.Get("lang"), Path: v.Get("path"), Cursor: v.Get("cursor"),
	}
}

// URL is the address of the search.
func (q Query) URL() string {
	v := url.Values{}
	for name, value := range map[string]string{
		"q": q.Text, "level": string(q.Level), "mode": q.Mode, "repo": q.Repo, "lang": q.Language, "path": q.Path,
		"cursor": q.Cursor,
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if len(v) == 0 {
		return "/"
	}
	return "/?" + v.Encode()
}

// With is the address of the first page of the search with one field set, or
// without it when value is "".
func (q Query) With(field, value string) string {
	q.Cursor = ""
	switch field {
	case "q":
		q.Text = value
	case "level":
		q.Level = models.Level(value)
	case "mode":
		q.Mode = value
	case "repo":
		q.Repo = value
	case "lang":
		q.Language = value
	case "path":
		q.Path = value
	case "cursor":
		q.Cursor = value
	}
	return q.URL()
}

// Hidden lists what a form with the box alone must send, too.
func (q Query) Hidden() map[string]string {
	hidden := map[string]string{}
	for name, value := range map[string]string{
		"level": string(q.Level), "mode": q.Mode, "repo": q.Repo,
		"lang": q.Language, "path": q.Path,
	} {
		if value != "" {
			hidden[name] = value
		}
	}
	return hidden
}
