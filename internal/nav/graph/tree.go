package graph

import (
	"sort"
	"unsafe"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// texts are the strings of a graph, by number: names first, in order, then the
// others, in order.
type texts struct {
	text   []byte
	starts []uint32
	names  uint32
}

// str is a string by number. It shares memory with the graph.
func (t *texts) str(i uint32) string {
	b := t.text[t.starts[i]:t.starts[i+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// name finds the number of a name.
func (t *texts) name(s string) (uint32, bool) {
	i := sort.Search(int(t.names), func(i int) bool { return t.str(uint32(i)) >= s })
	return uint32(i), i < int(t.names) && t.str(uint32(i)) == s
}

// bisect finds s in a column of strings that are in order.
func (t *texts) bisect(column []uint32, s string) (int, bool) {
	i := sort.Search(len(column), func(i int) bool { return t.str(column[i]) >= s })
	return i, i < len(column) && t.str(column[i]) == s
}

// A numbering numbers the symbols of all files through: per file the number of
// its first one, then how many there are.
type numbering []uint32

func (n numbering) number(id resolve.SymbolID) uint32 { return n[id.File] + uint32(id.Index) }

// symbol is the one of a number.
func (n numbering) symbol(i uint32) resolve.SymbolID {
	f := owner(n, i)
	return resolve.SymbolID{File: resolve.FileID(f), Index: int32(i - n[f])}
}

func (n numbering) count(f resolve.FileID) int { return int(n[f+1] - n[f]) }

func (n numbering) total() int { return int(n[len(n)-1]) }

// A Tree is the files of a graph, with their folders and languages.
type Tree struct {
	texts *texts

	path, language, pkg, flags, revision []uint32
	symbols                              numbering
	hashes, shapes                       []byte

	dir, dirStarts   []uint32
	dirFiles         []resolve.FileID
	lang, langStarts []uint32
	langFiles        []resolve.FileID
}

// Len is the number of files.
func (t *Tree) Len() int { return len(t.path) }

// Path is that of a file.
func (t *Tree) Path(f resolve.FileID) string { return t.texts.str(t.path[f]) }

// ByPath finds a file by its path.
func (t *Tree) ByPath(path string) (resolve.FileID, bool) {
	i, ok := t.texts.bisect(t.path, path)
	return resolve.FileID(i), ok
}

// Language is that of a file.
func (t *Tree) Language(f resolve.FileID) string { return t.texts.str(t.language[f]) }

// Package is that of a file.
func (t *Tree) Package(f resolve.FileID) string { return t.texts.str(t.pkg[f]) }

// Revision is that of what read the facts of a file.
func (t *Tree) Revision(f resolve.FileID) string { return t.texts.str(t.revision[f]) }

// Flags are FlagFacts and FlagFailed.
func (t *Tree) Flags(f resolve.FileID) uint32 { return t.flags[f] }

// Symbols is how many there are in a file.
func (t *Tree) Symbols(f resolve.FileID) int { return t.symbols.count(f) }

// Shape is that of a file.
func (t *Tree) Shape(f resolve.FileID) Shape { return Shape(t.shapes[int(f)*len(Shape{}):]) }

// Hash is that of the text of a file.
func (t *Tree) Hash(f resolve.FileID) Hash { return Hash(t.hashes[int(f)*len(Hash{}):]) }

// Number numbers the symbols of all files through.
func (t *Tree) Number(id resolve.SymbolID) uint32 { return t.symbols.number(id) }

// Same tells whether a file has the same facts in another tree, where it has the
// same number.
func (t *Tree) Same(o *Tree, f resolve.FileID) bool {
	return t.Hash(f) == o.Hash(f) && t.flags[f] == o.flags[f] && t.Language(f) == o.Language(f) &&
		t.Revision(f) == o.Revision(f)
}

// Folder are the files in a folder.
func (t *Tree) Folder(dir string) []resolve.FileID {
	if i, ok := t.texts.bisect(t.dir, dir); ok {
		return rows(t.dirStarts, t.dirFiles, i)
	}
	return nil
}

// Folders yields all folders in order.
func (t *Tree) Folders(yield func(dir string) bool) {
	for _, s := range t.dir {
		if !yield(t.texts.str(s)) {
			return
		}
	}
}

// FolderNumber is the number of a folder.
func (t *Tree) FolderNumber(dir string) resolve.FileID {
	i, _ := t.texts.bisect(t.dir, dir)
	return resolve.FileID(i)
}

// FolderPath is the path of the folder with a number.
func (t *Tree) FolderPath(n resolve.FileID) string { return t.texts.str(t.dir[n]) }

// OfLanguage are the files in a language.
func (t *Tree) OfLanguage(name string) []resolve.FileID {
	if i, ok := t.texts.bisect(t.lang, name); ok {
		return rows(t.langStarts, t.langFiles, i)
	}
	return nil
}
