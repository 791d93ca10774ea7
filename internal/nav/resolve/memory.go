package resolve

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Memory is a World that is kept in memory.
type Memory struct {
	files     []facts.File
	byPath    map[string]FileID
	folders   map[string][]FileID
	defs      map[string][]SymbolID
	languages map[string][]FileID
}

// NewMemory returns a World of files, which it sorts by path.
func NewMemory(files []facts.File) *Memory {
	slices.SortFunc(files, func(a, b facts.File) int { return cmp.Compare(a.Path, b.Path) })
	m := &Memory{
		files: files, byPath: map[string]FileID{}, folders: map[string][]FileID{},
		defs: map[string][]SymbolID{}, languages: map[string][]FileID{},
	}
	for i := range files {
		m.add(FileID(i))
	}
	return m
}

func (m *Memory) add(id FileID) {
	f := &m.files[id]
	m.byPath[f.Path] = id
	m.languages[f.Language] = append(m.languages[f.Language], id)
	dir := FolderOf(f.Path)
	m.folders[dir] = append(m.folders[dir], id)
	for dir != "" {
		dir = FolderOf(dir)
		if _, ok := m.folders[dir]; !ok {
			m.folders[dir] = nil
		}
	}
	for i := range f.Symbols {
		name := f.Symbols[i].Name
		m.defs[name] = append(m.defs[name], SymbolID{id, int32(i)})
	}
}

// File implements World.
func (m *Memory) File(id FileID) *facts.File { return &m.files[id] }

// Declared implements World.
func (m *Memory) Declared(id FileID) *facts.File { return m.File(id) }

// ByPath implements World.
func (m *Memory) ByPath(p string) (FileID, bool) { id, ok := m.byPath[p]; return id, ok }

// Folder implements World.
func (m *Memory) Folder(dir string) []FileID { return m.folders[dir] }

// Folders implements World.
func (m *Memory) Folders(yield func(dir string) bool) {
	for dir := range m.folders {
		if !yield(dir) {
			return
		}
	}
}

// Defs implements World.
func (m *Memory) Defs(name string) []SymbolID { return m.defs[name] }

// Language implements World.
func (m *Memory) Language(name string) []FileID { return m.languages[name] }

// Len is the number of files; their ids are those below it.
func (m *Memory) Len() int { return len(m.files) }
