package gateway

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// SearchText looks into the files of the graph, or into those of the folder.
func SearchText(ctx context.Context, g *Gateway, m *match.Matcher, o scan.Options) (scan.Result, error) {
	o.Workers, o.MaxFileSize, o.Until = g.Opener.Workers, g.Opener.Listed.MaxFileSize, ShareOf(ctx, 2)
	if !g.Verdict.Graph {
		return scan.Live(ctx, g.Tree, g.Opener.Listed, m, o)
	}
	if fast := g.Stored.Fast(); fast != nil {
		// A list of many files costs more than it saves.
		if paths, ok := fast.Candidates(m, g.Delta); ok && len(paths)*10 <= g.Stored.Manifest.Len() {
			return scan.Search(ctx, g.Folder(), paths, m, o)
		}
	}
	return scan.Search(ctx, g.Folder(), Files(g.Delta, g.Stored), m, o)
}

// Files are those that the graph was built from and that are still there, and
// what was added since.
func Files(delta *fresh.Delta, stored *Stored) []string {
	gone := map[string]bool{}
	for _, p := range delta.Deleted {
		gone[p] = true
	}
	var paths []string
	for p := range stored.Manifest.Files() {
		if !gone[p] {
			paths = append(paths, p)
		}
	}
	paths = append(paths, delta.Added...)
	slices.Sort(paths)
	return paths
}

// IsProse reports whether a file is read by people only, so that a name in it is
// no use. The code of a notebook is one.
func IsProse(path string) bool {
	m := filekind.Of(path, nil)
	return m.Documentation && m.Language != "Jupyter Notebook"
}

// strangers says which files of languages that are not followed have a name as a
// word: what is not defined elsewhere may be defined there. "" where none has.
func strangers(ctx context.Context, g *Gateway, name string) string {
	m, err := match.Compile(match.Query{Pattern: name, Case: match.Sensitive, Word: true})
	if err != nil || !isWord(name) {
		return ""
	}
	found, err := SearchText(ctx, g, m, scan.Options{Keep: func(path string) bool {
		return g.Opener.Extract.Revision(FactLanguage(path)) == "" && !IsProse(path)
	}})
	if err != nil || len(found.Matches) == 0 {
		return "" // the answer has said that there is nothing
	}
	var spoken, looked []string
	for _, f := range found.Matches {
		if len(looked) == NamedPlaces {
			break
		}
		if slices.Contains(looked, f.Path) {
			continue
		}
		looked = append(looked, f.Path)
		if lang := languageOf(ctx, g, f.Path); lang != "" && !slices.Contains(spoken, lang) {
			spoken = append(spoken, lang)
		}
	}
	in := "files whose names are not followed"
	if len(spoken) > 0 {
		in = strings.Join(spoken, ", ") + ", which this build does not follow"
	}
	first := found.Matches[0]
	lines := "1 line has"
	if n := len(found.Matches); n > 1 {
		lines = fmt.Sprintf("%d lines have", n)
	}
	return fmt.Sprintf("%s the name in %s, the first one %s:%d; search by level symbol finds what is declared", lines, in,
		first.Path, first.Line)
}

// languageOf is the language of a file by its name and content.
func languageOf(ctx context.Context, g *Gateway, path string) string {
	content, err := g.Read(ctx, path)
	if err != nil {
		return filekind.Language(path)
	}
	return filekind.Of(path, content).Language
}
