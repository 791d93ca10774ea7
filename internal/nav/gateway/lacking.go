package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Lack is a file whose facts could not be read.
type Lack struct {
	Path string
	why  error
}

// tryAgain has the files read live that have a name in them and whose facts
// could not be read when the graph was built: the machine may have been busy. Those
// whose text is known to be why are only told of.
func tryAgain(ctx context.Context, g *Gateway, name string) error {
	var unknown, having []string
	word := Last(name)
	for _, p := range g.Stored.Failed {
		if slices.Contains(g.Delta.Deleted, p) || slices.Contains(g.Verdict.Live, p) {
			continue
		}
		if words := g.Stored.lacking.of(ctx, g, p); words == nil || !isWord(word) {
			unknown = append(unknown, p)
		} else if words[folded(word)] {
			having = append(having, p)
		}
	}
	if len(unknown) > 0 {
		found, closed, err := searched(ctx, g, word, unknown, g.Opener.Limit())
		if err != nil {
			return fmt.Errorf("look for %s in files without facts: %w", name, err)
		}
		having = append(having, found...)
		if closed > 0 { // they may have the name
			lackUnreadable(ctx, g, unknown)
		}
	}
	for _, p := range having {
		hash := g.Stored.hash(p)
		if err := g.Opener.Facts.why(p, hex.EncodeToString(hash[:])); err != nil {
			g.Lacks(p, err)
			continue
		}
		g.Verdict.Live = append(g.Verdict.Live, p)
	}
	return lackLarge(ctx, g, word, g.Stored.Blank)
}

const foldersNotRead = "FOLDERS_NOT_READ"

// IsClosedFolders reports whether a warning is of ClosedFolders.
func IsClosedFolders(w models.Warning) bool { return w.Code == foldersNotRead }

// ClosedFolders is the warning about folders that can't be read, if there are some.
func ClosedFolders(folders []string) (w models.Warning, some bool) {
	if len(folders) == 0 {
		return w, false
	}
	return models.Warning{Code: foldersNotRead, Message: fmt.Sprintf(
		"%s can't be read by this program, the first one %s: what is in there is missing; check the permissions",
		models.Counted(len(folders), "folder"), folders[0])}, true
}

// lackLarge notes which of some files have a word in them and are too large for their
// facts to be read: what is asked for may be there.
func lackLarge(ctx context.Context, g *Gateway, word string, paths []string) error {
	large := TooLarge(g.Opener, g.Tree, paths)
	if len(large) == 0 {
		return nil
	}
	having, _, err := searched(ctx, g, word, large, g.Opener.Listed.MaxFileSize)
	for _, p := range having {
		g.Lacks(p, fault.New(fault.BodyTooLarge, "it has more than %d bytes; RAGNAV_MAX_FILE_SIZE sets the limit",
			g.Opener.Limit()))
	}
	return err
}

// TooLarge are those of some files of a tree that are too large for their facts to be read.
func TooLarge(o *Opener, tree *disk.Folder, paths []string) (large []string) {
	for _, p := range paths {
		if info, err := tree.Lstat(p); err == nil && info.Size() > o.Limit() {
			large = append(large, p)
		}
	}
	return large
}

// lackUnreadable notes which of some files can't be read.
func lackUnreadable(ctx context.Context, g *Gateway, paths []string) {
	for _, p := range paths {
		if _, err := g.Read(ctx, p); errors.Is(err, fs.ErrPermission) {
			g.Lacks(p, err)
		}
	}
}

// searched are the files of up to most bytes that have a word in them; closed ones can't be read.
func searched(ctx context.Context, g *Gateway, word string, paths []string, most int64) (
	having []string, closed int, err error,
) {
	m, err := match.Compile(match.Query{Pattern: word, Case: match.Insensitive, Word: true})
	if err != nil {
		return nil, 0, nil //nolint:nilerr // a name that no text has
	}
	bounds := scan.Options{Workers: g.Opener.Workers, MaxFileSize: most}
	found, err := scan.Search(ctx, g.folder(), paths, m, bounds)
	for _, match := range found.Matches {
		if n := len(having); n == 0 || having[n-1] != match.Path {
			having = append(having, match.Path)
		}
	}
	return having, found.Skipped.Unreadable, err
}

// A wordMemory remembers which words are in the files of a graph that have no facts.
type wordMemory struct {
	mu    sync.Mutex
	files map[string]map[string]bool // by path
	bytes int                        // of the files
}

// maxWordBytes is of how much text the words are remembered.
const maxWordBytes = 8 << 20

// of are the words of a file that is as it was when the graph was built; nil if that
// is not sure, or there is too much.
func (w *wordMemory) of(ctx context.Context, g *Gateway, p string) map[string]bool {
	w.mu.Lock()
	words, full := w.files[p], w.bytes >= maxWordBytes
	w.mu.Unlock()
	if words != nil || full {
		return words
	}
	content, err := g.Read(ctx, p)
	text := Decoded(content)
	if err != nil || text == nil || sha256.Sum256(content) != g.Stored.hash(p) {
		return nil
	}
	words = map[string]bool{}
	for _, word := range strings.FieldsFunc(*text, func(r rune) bool { return !match.IsWord(r) }) {
		words[folded(word)] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.files == nil {
		w.files = map[string]map[string]bool{}
	}
	w.files[p] = words
	w.bytes += len(content)
	return words
}

// isWord reports whether a name is one word of a text.
func isWord(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !match.IsWord(r) })
}

// folded is a text as all that differ from it in case only have it.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, text)
}

// IsOwn reports whether a module is named by its place in the repository.
func IsOwn(module string) bool {
	return strings.HasPrefix(module, ".") || strings.HasPrefix(module, "crate::")
}

// NoSuchFile is said of a module that IsOwn and is not known.
const NoSuchFile = "of which no file is read here: it was deleted or renamed, or git ignores it"

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
