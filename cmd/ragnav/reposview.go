package main

import (
	"strings"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// maxLanguages is how many languages of a repository are shown.
const maxLanguages = 3

func viewRepos(s *screen, resp repos.Response) {
	if len(resp.Items) == 0 {
		return
	}
	rows := [][]string{{"REPOSITORY", "FILES", "DOCUMENTS", "LANGUAGES", "INDEXED", "COMMIT"}}
	for _, r := range resp.Items {
		rows = append(rows, []string{
			string(r.RepoID), thousands(r.FileCount), thousands(r.DocCount), languages(r),
			or(text(r.LastIndexedAt), "never"), short(text(r.LastIndexedCommit)),
		})
	}
	s.table(rows...)
}

func languages(r models.RepoInfo) string {
	if len(r.Languages) > maxLanguages {
		return strings.Join(r.Languages[:maxLanguages], ", ") + ", …"
	}
	return or(strings.Join(r.Languages, ", "), "-")
}

func viewRemoved(s *screen, resp index.RemoveResponse) {
	for _, r := range resp.Items {
		folder := "its folder was not touched"
		if r.Clone {
			folder = "its clone was deleted"
		}
		s.printf("removed %s with %s; %s\n", r.RepoID, counted(r.Documents, "document"), folder)
	}
}

// short is a commit as git abbreviates it.
func short(commit string) string { return or(commit[:min(len(commit), 10)], "-") }

func or(s, def string) string {
	if s == "" {
		return def
	}
	return s
}
