// Package resolve finds what names stand for, from the facts of all files of a
// repository. It follows imports, scopes, declared and inferred types; where
// those end it compares names, and then says how sure it is.
package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// A FileID is the number of a file in a World.
type FileID int32

// A SymbolID names a declaration: Index is that in its file's Symbols.
type SymbolID struct {
	File  FileID
	Index int32
}

// A World is a repository as far as resolving needs it. What it returns must
// not be changed. It may be asked concurrently. It never changes: after an
// edit there is another one.
type World interface {
	// File returns the facts of a file.
	File(id FileID) *facts.File
	// Declared is File, which may be without references: those are most of it.
	Declared(id FileID) *facts.File
	// ByPath finds a file.
	ByPath(path string) (FileID, bool)
	// Folder returns the files right in a folder ("" is the root), in order of path.
	Folder(dir string) []FileID
	// Folders calls yield with every folder that has files, and those above them.
	Folders(yield func(dir string) bool)
	// Defs returns all declarations of a name, in order of path and position.
	Defs(name string) []SymbolID
	// Language returns the files of a language, in order of path. "Go Module", "Go Workspace", "JSON" (package.json,
	// tsconfig.json) and the like are files that say how imports are to be read.
	Language(name string) []FileID
}

// A Tier says by what a reference was resolved; facts of the project's design
// name them. The letter is kept in artifacts.
type Tier byte

// The tiers. A to C follow from the text. D and E are inferences that a reader
// should know about, F is a choice of two or three. What an index says that a
// compiler's front end made is before them all.
const (
	Unresolved  Tier = 0
	TierPrecise Tier = 'A' - 1
	TierA       Tier = 'A' // a bare name of the same file or package, not bound locally
	TierB       Tier = 'B' // qualified by an import
	TierC       Tier = 'C' // a member of a value whose type is known
	TierD       Tier = 'D' // the only member of that name in the repository, or of the traits that a file of Rust sees
	TierE       Tier = 'E' // the only one in this file's package and what it imports
	TierF       Tier = 'F' // two or three candidates
)

// String is how a tier is shown: its letter, or "precise".
func (t Tier) String() string {
	if t == TierPrecise {
		return "precise"
	}
	return string(rune(t))
}

// Follows reports whether a tier is of what follows from the text, or was told.
func (t Tier) Follows() bool { return t >= TierPrecise && t <= TierC }

// A Resolution is what a reference stands for.
type Resolution struct {
	// in order of path and position. Several are candidates with TierF, at most three, or overloads of C++; else they are
	// declarations of one name: variants for other systems, overloads
	Targets      []SymbolID
	Module       []FileID // without targets: the files of the module that it is
	Tier         Tier
	Confidence   float32 // 0 to 1; the measured share that is right
	External     bool    // it is known to be outside of the repository
	Construction bool    // of a write in C++: a base is constructed, and no field
	Conversion   bool    // of a call in Go: it converts to a type, and calls nothing
	Constant     bool    // of a name in Ruby or Swift that looks like that of a type: it is read
}
