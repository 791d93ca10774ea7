package structure

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// describeThen tells about files of a commit what their texts say. The index,
// which is of later files, tells only which of their names it has.
func describeThen(ctx context.Context, x *explorer, then repo.Past, page []disk.Entry) ([]models.FileInfo, error) {
	files := make([]models.FileInfo, len(page))
	at := map[string]int{}
	var read []disk.Entry
	for i, e := range page {
		files[i] = models.FileInfo{Name: path.Base(e.Path), Path: e.Path, Language: filekind.Of(e.Path, nil).Language}
		if _, secret := filekind.Secret(e.Path); !secret {
			at[e.Path], read = i, append(read, e)
		}
		rec, err := recordOf(ctx, x, e.Path)
		if err != nil {
			return nil, err
		}
		files[i].HasSummary = rec.indexed
	}
	err := then.Each(ctx, read, maxFileSize, func(name, text string) {
		f := &files[at[name]]
		f.Language, f.LineCount = linesOf(name, []byte(text))
	})
	return files, err
}

// An asThen is what was listed in a commit.
type asThen struct {
	*explorer

	then repo.Past
	req  Request
}

// compare says how it stands to the files as they are: the reply is stale if a
// file of it has changed since, or is there then or now only.
func (l asThen) compare(ctx context.Context, m *models.Meta) error {
	changed, err := l.then.Changed(ctx)
	if err != nil {
		return err
	}
	var stale []string
	for _, p := range changed {
		if l.shows(p) {
			stale = append(stale, p)
		}
	}
	stale = append(stale, l.otherFolders(ctx, changed)...)
	slices.Sort(stale)
	stale = slices.Compact(stale)
	said := fmt.Sprintf("as in commit %.12s, the same as now", l.then.Commit)
	m.FreshnessState = models.Fresh
	if n := len(stale); n > 0 {
		m.FreshnessState, m.StaleFiles, m.StaleFileCount = models.Stale, stale[:min(n, maxStaleFiles)], n
		said = fmt.Sprintf("as in commit %.12s; %q%s changed since, leave commit out for the folder now", l.then.Commit,
			stale[0], others(n-1))
	}
	if l.req.IncludeSummaries {
		said += "; summaries are of the index as it is now, so none is shown"
	}
	if m.Message != nil {
		said = *m.Message + "; " + said
	}
	m.Message = &said
	return nil
}

func others(n int) string {
	switch n {
	case 0:
		return " has"
	case 1:
		return " and 1 other have"
	}
	return fmt.Sprintf(" and %d others have", n)
}

// shows reports whether a file of that path is one that a listing with the pattern is of.
func (l asThen) shows(p string) bool {
	below, in := l.below(p)
	return in && (isDeep(l.req.Pattern) || !strings.Contains(below, "/")) && newGlob(l.req.Pattern).matches(below)
}

// below is the path of a file as seen from the folder, if it is in it.
func (l asThen) below(p string) (below string, in bool) {
	if l.dir == "" {
		return p, true
	}
	return strings.CutPrefix(p, l.dir+"/")
}

// otherFolders are those directly in the folder, of the files that have changed,
// that are there then or now only.
func (l asThen) otherFolders(ctx context.Context, changed []string) []string {
	if isDeep(l.req.Pattern) {
		return nil
	}
	folders := func(entries []disk.DirEntry) map[string]bool {
		there := map[string]bool{}
		for _, e := range entries {
			there[e.Path] = e.IsDir
		}
		return there
	}
	entries, _ := l.then.Now.ReadDir(ctx, l.dir) // without it the folder is gone, and all in it
	here, then := folders(entries), folders(l.entries)
	var other []string
	for _, p := range changed {
		below, in := l.below(p)
		name, _, deep := strings.Cut(below, "/")
		folder := path.Join(l.dir, name)
		if in && deep && here[folder] != then[folder] && l.shows(folder) {
			other = append(other, folder+"/")
		}
	}
	return other
}
