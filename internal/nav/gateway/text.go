package gateway

import (
	"context"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

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

// maxUnfollowed is how many lines are counted of a name in what is not followed.
const maxUnfollowed = 1000

// unfollowed says where a name stands as a word in programs whose language is not
// followed: what is not defined elsewhere may be defined there. "" where it does not.
func unfollowed(ctx context.Context, g *Gateway, name string) string {
	m, err := match.Compile(match.Query{Pattern: name, Case: match.Sensitive, Word: true, Limit: maxUnfollowed})
	if first, _ := utf8.DecodeRuneInString(name); err != nil || !isWord(name) || unicode.IsDigit(first) {
		return ""
	}
	found, err := SearchText(ctx, g, m, scan.Options{Keep: func(path string) bool {
		return g.Opener.Extract.Revision(FactLanguage(path)) == "" && !IsProse(path) && !isData(path)
	}})
	if err != nil || len(found.Matches) == 0 {
		return "" // the answer has said that there is nothing
	}
	first := found.Matches[0]
	lines := "1 line has"
	if n := len(found.Matches); n > 1 {
		lines = fmt.Sprintf("%d lines have", n)
	}
	if found.Truncated || found.Left > 0 {
		lines = "at least " + lines
	}
	return fmt.Sprintf("%s the name in what this build does not follow, the first one in %s at %s:%d; "+
		"search by level symbol finds what is declared", lines, orText(languageOf(ctx, g, first.Path)), first.Path,
		first.Line)
}

// isData reports whether a file has values, and declares nothing.
func isData(path string) bool {
	switch filekind.Language(path) {
	case "", "Text", "JSON", "JSON with Comments", "YAML", "TOML", "XML", "INI", "CSV", "TSV", "SVG":
		return true
	}
	return false
}

// languageOf is the language of a file by its name and content.
func languageOf(ctx context.Context, g *Gateway, path string) string {
	content, err := g.Read(ctx, path)
	if err != nil {
		return filekind.Language(path)
	}
	return filekind.Of(path, content).Language
}
