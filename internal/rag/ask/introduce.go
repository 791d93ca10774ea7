package ask

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
	"github.com/ragnav/ragnav/internal/redact"
)

// introduced has the answer about a project as a whole begin with what its README says it is.
func (r *run) introduced(ctx context.Context, a *extract.Answer) error {
	at := slices.IndexFunc(a.Quotes, func(q extract.Quote) bool {
		dir, base := path.Split(q.Doc.FilePath)
		return place{path: base}.readme() && (dir == "" || intent.NamedAs(strings.TrimSuffix(dir, "/"), q.Doc.RepoID))
	})
	if at < 0 || len(a.Summaries) == 0 || a.Summaries[0].RepoID != a.Quotes[at].Doc.RepoID {
		return nil
	}
	of := a.Quotes[at].Doc
	text, _, err := r.reader.lines.Lines(ctx, of.RepoID, of.FilePath, 1, extract.HeadLines)
	if err != nil {
		return ctx.Err() // an answer without it is whole
	}
	text, _ = redact.Text(text)
	a.Introduce(at, strings.Split(text, "\n"), intent.ProjectName(string(of.RepoID)))
	return nil
}
