package gateway

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// tryAgain has the files read live that have a name in them and whose facts
// could not be read when the graph was built: the machine may have been busy.
func tryAgain(ctx context.Context, g *Gateway, name string) error {
	var paths []string
	for _, p := range g.Stored.Failed {
		if !slices.Contains(g.Delta.Deleted, p) && !slices.Contains(g.Verdict.Live, p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	m, err := match.Compile(match.Query{Pattern: Last(name), Case: match.Insensitive, Word: true})
	if err != nil {
		return nil //nolint:nilerr // a name that no text has
	}
	bounds := scan.Options{Workers: g.Opener.Workers, MaxFileSize: g.Opener.Limit()}
	found, err := scan.Search(ctx, g.Folder(), paths, m, bounds)
	if err != nil {
		return fmt.Errorf("look for %s in files without facts: %w", name, err)
	}
	for _, match := range found.Matches {
		if !slices.Contains(g.Verdict.Live, match.Path) {
			g.Verdict.Live = append(g.Verdict.Live, match.Path)
		}
	}
	return nil
}

// Excuse adds to an error that a name has no definition which files could not
// be read: it may be there.
func Excuse(unread []string, err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Code != fault.SymbolNotFound || len(unread) == 0 {
		return err
	}
	return fault.New(fault.SymbolNotFound, "%s; %s could not be read and may define it, the first one %s", known.Message,
		CountedFiles(len(unread)), unread[0])
}

// Unspoken says which of these files this program can't read the definitions of,
// though others can: it was made without grammars. "" where there are none.
func Unspoken(extract build.Extractor, paths iter.Seq2[string, fresh.Hash]) string {
	known, files, counts := languages.All(), 0, map[string]int{}
	for l := range known {
		if extract.Revision(l) == "" {
			counts[l] = 0
		}
	}
	if len(counts) == 0 {
		return ""
	}
	for p := range paths {
		l := FactLanguage(p)
		if _, ok := counts[l]; ok {
			files++
			counts[l]++
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n == 0 })
	if files == 0 {
		return ""
	}
	return fmt.Sprintf("definitions and uses in %s of %s are not known: this program was built without cgo and has no "+
		"grammars; build it again where gcc is installed", CountedFiles(files),
		strings.Join(slices.Sorted(maps.Keys(counts)), ", "))
}

// unspokenIn is unspoken of the files of the repository as they are. It lists
// them: it is asked where an answer is an error.
func unspokenIn(ctx context.Context, g *Gateway) string {
	return Unspoken(g.Opener.Extract, func(yield func(string, fresh.Hash) bool) {
		all, err := listing.List(ctx, g.Tree, g.Opener.Listed)
		if err != nil {
			return // the answer has said so
		}
		for _, e := range all.Files {
			if !yield(e.Path, fresh.Hash{}) {
				return
			}
		}
	})
}
