package gateway

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// SearchText looks into the files of the graph, or into those of the folder.
func SearchText(ctx context.Context, g *Gateway, m *match.Matcher, o scan.Options) (scan.Result, error) {
	o = SearchOptions(ctx, g.Opener, o)
	if !g.Verdict.Graph {
		return scan.Live(ctx, g.Tree, g.Opener.Listed, m, o)
	}
	files, err := TextFilesOf(ctx, g, m)
	if err != nil {
		return scan.Result{}, err
	}
	return scan.Search(ctx, files.Files, files.Paths, m, o)
}

// SearchOptions are those of a search for text in files of repositories.
func SearchOptions(ctx context.Context, s *Opener, o scan.Options) scan.Options {
	o.Workers, o.MaxFileSize, o.Until = s.Workers, s.Listed.MaxFileSize, shareOf(ctx, 2)
	return o
}

// TextFiles are the files of a repository in which text is looked for.
type TextFiles struct {
	scan.Source // those that may have a match, and those too large to tell

	All []string // in order
}

// TextFilesOf are the files of the graph, or those of the folder.
func TextFilesOf(ctx context.Context, g *Gateway, m *match.Matcher) (files TextFiles, err error) {
	files.Files = g.folder()
	if !g.Verdict.Graph {
		files.All, err = scan.LiveNames(ctx, g.Tree, g.Opener.Listed)
		files.Paths = files.All
		return files, err
	}
	files.All = Files(g.Delta, g.Stored)
	files.Paths = files.All
	if fast := g.Stored.Fast(); fast != nil {
		if some, ok := fast.Candidates(m, g.Delta); ok {
			files.Paths = some
		}
	}
	files.Paths = scan.Overlay(files.Paths, g.Delta.TooLarge) // to be counted as skipped
	return files, nil
}

// Files are those that the graph was built from and that are still there, and
// what was added since, in order.
func Files(delta *fresh.Delta, stored *Stored) []string {
	all := stored.Paths()
	if len(delta.Deleted) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(p string) bool {
			_, gone := slices.BinarySearch(delta.Deleted, p)
			return gone
		})
	}
	return scan.Overlay(all, delta.Added)
}

const trigramsName = "rag_trigrams.bin"

// StaleTrigrams says when trigrams are built again: when more than one in so many
// of the files is not as it was.
const StaleTrigrams = 50

// TrigramsPath is where the trigrams of a tree are.
func TrigramsPath(tree *disk.Folder) string {
	return filepath.Join(tree.Root(), artifact.Dir, trigramsName)
}

// An accelerator tells which files may have a match. It may be older than the
// graph: changed are the files that are not as they were then.
type accelerator struct {
	trigrams *scan.Trigrams
	Changed  []string
}

// Accelerate opens the trigrams of a tree; nil when there are none that can be used.
func Accelerate(tree *disk.Folder, m *fresh.Manifest) *accelerator {
	dir, err := OpenArtifacts(tree)
	if err != nil {
		return nil
	}
	info, err := dir.Lstat(trigramsName)
	if _ = dir.Close(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	t, err := scan.Open(TrigramsPath(tree))
	if err != nil {
		return nil
	}
	a := &accelerator{trigrams: t}
	runtime.AddCleanup(a, func(t *scan.Trigrams) { _ = t.Close() }, t)
	a.Changed = scan.Differing(t, m.Files())
	return a
}

// Candidates are the files that may have a match: all for a pattern that says
// too little.
func (a *accelerator) Candidates(m *match.Matcher, delta *fresh.Delta) (paths []string, ok bool) {
	found, ok, err := a.trigrams.Candidates(m)
	if runtime.KeepAlive(a); err != nil || !ok {
		return nil, false
	}
	changed := slices.Concat(a.Changed, delta.Changed, delta.Added, delta.Deleted)
	slices.Sort(changed)
	return scan.Overlay(found, slices.Compact(changed)), true
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
	if n := found.Lines(); n > 1 {
		lines = fmt.Sprintf("%d lines have", n)
	}
	if found.Uncounted || found.Left > 0 {
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
