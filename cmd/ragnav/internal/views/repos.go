package views

import (
	"cmp"
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
	for n := maxLanguages; n > 0; n-- {
		for _, commit := range []bool{true, false} {
			if rows := repoRows(resp, n, commit); s.TableFits(rows...) || n == 1 && !commit {
				s.Table(rows...)
				return
			}
		}
	}
}

// repoRows is the table with so many languages of each repository, and with or
// without their commits.
func repoRows(resp repos.Response, most int, commit bool) [][]string {
	rows := [][]string{{"REPOSITORY", "FILES", "DOCUMENTS", "LANGUAGES", "INDEXED", "COMMIT"}}
	for _, r := range resp.Items {
		rows = append(rows, []string{
			string(r.RepoID), term.Thousands(r.FileCount), term.Thousands(r.DocCount), languages(r, most),
			since(r), short(term.Text(r.LastIndexedCommit)),
		})
	}
	if !commit {
		for i := range rows {
			rows[i] = rows[i][:len(rows[i])-1]
		}
	}
	return rows
}

// since is when a repository was indexed, to the minute, in UTC. Of one whose first run
// was cut off some files are.
func since(r models.RepoInfo) string {
	at := term.Text(r.LastIndexedAt)
	when, err := time.Parse(time.RFC3339, at)
	switch {
	case err != nil && at == "" && r.FileCount > 0:
		return "in part"
	case err != nil:
		return cmp.Or(at, "never")
	}
	return when.UTC().Format("2006-01-02 15:04")
}

func languages(r models.RepoInfo, most int) string {
	if len(r.Languages) > most {
		return strings.Join(r.Languages[:most], ", ") + ", …"
	}
	return cmp.Or(strings.Join(r.Languages, ", "), "-")
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
func short(commit string) string { return cmp.Or(commit[:min(len(commit), 10)], "-") }
