package views

import (
	"strings"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// maxLanguages is how many languages of a repository are shown.
const maxLanguages = 3

// Repos shows repositories as a table.
func Repos(s *term.Screen, resp repos.Response) {
	if len(resp.Items) == 0 {
		return
	}
	rows := [][]string{{"REPOSITORY", "FILES", "DOCUMENTS", "LANGUAGES", "INDEXED", "COMMIT"}}
	for _, r := range resp.Items {
		rows = append(rows, []string{
			string(r.RepoID), term.Thousands(r.FileCount), term.Thousands(r.DocCount), languages(r),
			since(term.Text(r.LastIndexedAt)), short(term.Text(r.LastIndexedCommit)),
		})
	}
	s.Table(rows...)
}

// since is when a repository was indexed, to the minute, in UTC.
func since(at string) string {
	when, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return Or(at, "never")
	}
	return when.UTC().Format("2006-01-02 15:04")
}

func languages(r models.RepoInfo) string {
	if len(r.Languages) > maxLanguages {
		return strings.Join(r.Languages[:maxLanguages], ", ") + ", …"
	}
	return Or(strings.Join(r.Languages, ", "), "-")
}

// Removed says what was removed.
func Removed(s *term.Screen, resp index.RemoveResponse) {
	for _, r := range resp.Items {
		folder := "its folder was not touched"
		if r.Clone {
			folder = "its clone was deleted"
		}
		s.Printf("removed %s with %s; %s\n", r.RepoID, term.Counted(r.Documents, "document"), folder)
	}
}

// short is a commit as git abbreviates it.
func short(commit string) string { return Or(commit[:min(len(commit), 10)], "-") }

// Or is the text, or what stands for none.
func Or(s, def string) string {
	if s == "" {
		return def
	}
	return s
}
