package models

import (
	"fmt"
	"slices"
	"strings"
)

// A SnippetLocation is the range of lines of a Snippet.
type SnippetLocation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"` // 1-indexed
	EndLine   int    `json:"end_line"`   // inclusive
}

// A Snippet is a few real lines around a place, as they are on disk.
type Snippet struct {
	Text     string          `json:"text"`
	Location SnippetLocation `json:"location"`
}

// A NavItem is a place in a file that a navigation operation found.
type NavItem struct {
	RepoID   RepoID `json:"repo_id,omitempty"` // where several were asked
	FilePath string `json:"file_path"`
	Line     int    `json:"line"`             // 1-indexed
	Column   int    `json:"column,omitempty"` // 1-indexed, in bytes
	// Symbol is the qualified name of the symbol at the place: the one that
	// uses, or that was reached.
	Symbol string `json:"symbol,omitempty"`
	Kind   string `json:"kind,omitempty"` // of Symbol
	Edge   string `json:"edge,omitempty"` // calls, uses_type, reads, writes, imports, extends, implements, text
	// Confidence is the share of edges found in the same way that are right.
	Confidence float64 `json:"confidence,omitempty"`
	Tier       string  `json:"tier,omitempty"` // how the edge was resolved: precise, or A to F

	Definition string   `json:"definition,omitempty"` // id of the definition that is used
	Candidates []string `json:"candidates,omitempty"` // ids, when it may be one of two or three
	Depth      int      `json:"depth,omitempty"`      // hops from the start
	Path       []string `json:"path,omitempty"`       // ids from the start to here
	Hub        bool     `json:"hub,omitempty"`        // it has too many neighbours, which were not followed
	Sites      []Site   `json:"sites,omitempty"`      // of a step that is at several places: all of them
	Test       bool     `json:"test,omitempty"`       // it is in a test

	Freshness Freshness `json:"freshness,omitempty"` // STALE, else left out
	Source    Source    `json:"source,omitempty"`    // when it differs from that of the reply
	Snippet   Snippet   `json:"snippet"`
}

// OfOverloads reports whether all candidates are overloads of the definition.
func (i NavItem) OfOverloads() bool {
	return len(i.Candidates) > 0 && !slices.ContainsFunc(i.Candidates, func(id string) bool {
		return overloaded(id) != overloaded(i.Definition)
	})
}

// overloaded is the id of a definition without "~2", which the second of its name has.
func overloaded(id string) string {
	if i := strings.LastIndex(id, "~"); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		return id[:i]
	}
	return id
}

// FileMatches counts the matching lines of a file.
type FileMatches struct {
	RepoID   RepoID `json:"repo_id,omitempty"` // where several were asked
	FilePath string `json:"file_path"`
	Matches  int    `json:"matches"`
	AtLeast  bool   `json:"at_least,omitempty"` // there may be more
}

// RepoMatches counts those of a repository.
type RepoMatches struct {
	RepoID    RepoID    `json:"repo_id"`
	Matches   int       `json:"matches"`
	AtLeast   bool      `json:"at_least,omitempty"` // there are more
	Freshness Freshness `json:"freshness_state"`
	Source    Source    `json:"source"`
}

// A Site is a place in the text.
type Site struct {
	FilePath string `json:"file_path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// A Definition is a declaration that a name may mean.
type Definition struct {
	// path:qualified name, "~2" behind a second one; behind its repository and a colon where several were asked
	ID        string `json:"id"`
	RepoID    RepoID `json:"repo_id,omitempty"` // where several were asked
	FilePath  string `json:"file_path"`
	Line      int    `json:"line"`
	EndLine   int    `json:"end_line"`
	Name      string `json:"name"`
	Qualified string `json:"qualified_name"`
	Kind      string `json:"kind"`
	Prototype bool   `json:"prototype,omitempty"` // it only declares what another one of the reply defines
	Signature string `json:"signature,omitempty"` // where a place was asked about
	Doc       string `json:"doc,omitempty"`
	Uses      *int   `json:"uses,omitempty"`  // how many there are, before the limit
	Tests     int    `json:"tests,omitempty"` // how many of these are in tests
	// the module that declares it, where that is not indexed; then there is no file
	External string `json:"external,omitempty"`
}

// Place is where it is: path and line, behind the repository where several were
// asked; or the module that has it.
func (d Definition) Place() string {
	at := fmt.Sprintf("%s:%d", d.FilePath, d.Line)
	switch {
	case d.External != "":
		return d.External
	case d.RepoID != "":
		return string(d.RepoID) + ":" + at
	}
	return at
}

// A DefinitionItem is what the name at a place stands for. Of what is declared
// in a module that is not indexed only Symbol and External are told.
type DefinitionItem struct {
	RepoID     RepoID    `json:"repo_id,omitempty"`
	FilePath   string    `json:"file_path,omitempty"`
	Line       int       `json:"line,omitempty"` // of the name, 1-indexed
	EndLine    int       `json:"end_line,omitempty"`
	Column     int       `json:"column,omitempty"` // 1-indexed, in bytes
	Symbol     string    `json:"symbol"`           // its qualified name
	Kind       string    `json:"kind,omitempty"`
	Signature  string    `json:"signature,omitempty"` // on one line
	Doc        string    `json:"doc,omitempty"`
	Tier       string    `json:"tier,omitempty"` // how it was found: precise, or A to F; "" for the declaration itself
	Confidence float64   `json:"confidence,omitempty"`
	External   string    `json:"external,omitempty"`  // the module that declares it
	Freshness  Freshness `json:"freshness,omitempty"` // STALE, else left out
}

// An ImpactItem is a symbol that an edit changes, with who is affected by that.
type ImpactItem struct {
	RepoID   RepoID     `json:"repo_id,omitempty"` // where several were asked
	Change   string     `json:"change"`            // removed, signature, body or added
	Symbol   string     `json:"symbol"`            // its qualified name
	Kind     string     `json:"kind"`
	FilePath string     `json:"file_path"`
	Line     int        `json:"line"` // as it is; of what is removed as it was
	Exported bool       `json:"exported"`
	Affected []Affected `json:"affected"` // nearest first, the first 50
	Total    int        `json:"affected_total"`
}

// An Affected symbol reaches one that changed.
type Affected struct {
	RepoID   RepoID `json:"repo_id"`
	FilePath string `json:"file_path"`
	Line     int    `json:"line"` // of the step towards what changed
	Symbol   string `json:"symbol"`
	Depth    int    `json:"depth"`
	Edge     string `json:"edge"`
	Test     bool   `json:"test,omitempty"`
}

// A TestToRun reaches something that changed.
type TestToRun struct {
	RepoID   RepoID `json:"repo_id,omitempty"` // where several were asked
	FilePath string `json:"file_path"`
	Symbol   string `json:"symbol"` // "": all of the file
	Depth    int    `json:"depth"`  // hops to what changed; 0: it is what changed
	// of the least sure hop: precise, A to F, or "name", when the name alone says so, or a program is run; "" without hops
	Tier string `json:"tier,omitempty"`
}

// A RepoMap is a repository, or a folder of it, on one page.
type RepoMap struct {
	RepoID      RepoID      `json:"repo_id"`
	Path        string      `json:"path"`         // "" is the root
	Folders     []MapFolder `json:"folders"`      // the outermost first
	Symbols     []MapSymbol `json:"symbols"`      // those that most other files use, by their uses
	EntryPoints []string    `json:"entry_points"` // files where programs begin
	Commands    []string    `json:"commands"`     // that manifests say
}

// A MapFolder is a folder with files.
type MapFolder struct {
	Path    string `json:"path"`    // "." is the root
	Purpose string `json:"purpose"` // what its files say of it; "" where they say nothing
	Files   int    `json:"files"`   // in it, not below
	// UsesOf are the other folders whose declarations its files use, outside of tests: those most used, at most 8.
	UsesOf []FolderUse `json:"uses_of,omitempty"`
}

// A FolderUse is how often the files of one folder use what another declares.
type FolderUse struct {
	Path string `json:"path"`
	Uses int    `json:"uses"`
}

// A MapSymbol is a function or type that others use.
type MapSymbol struct {
	FilePath  string `json:"file_path"`
	Line      int    `json:"line"`
	Symbol    string `json:"symbol"`
	Signature string `json:"signature"`
	Uses      int    `json:"uses"` // outside of tests
}

// NavStatus is the item of index_status: what may answer questions about a
// repository, and why.
type NavStatus struct {
	RepoID    RepoID       `json:"repo_id"`
	UseRAG    bool         `json:"use_rag"` // by the status file and HEAD alone
	Freshness Freshness    `json:"freshness_state"`
	Reason    string       `json:"reason"`
	Head      string       `json:"head"` // commit that is checked out, "" without one
	Status    *IndexStatus `json:"index_status"`
	// What differs from the graph, file by file; null without a graph.
	Changes *NavChanges `json:"changes"`
	Graph   *GraphInfo  `json:"graph"`
	Answers Source      `json:"answers"` // what answers: the graph, with changed files read live, or a live scan
	// Where modules were asked for: those that it provides, as go:example.com/x,
	// and the repositories whose modules it asks for and that ask for its own.
	Modules    []string `json:"modules,omitempty"`
	DependsOn  []RepoID `json:"depends_on,omitempty"`
	Dependents []RepoID `json:"dependents,omitempty"`
}

// NavChanges counts the files that changed since the graph was built.
type NavChanges struct {
	Changed int      `json:"changed"`
	Added   int      `json:"added"`
	Deleted int      `json:"deleted"`
	Files   []string `json:"files"` // at most 5
	// Since is when each of Files was written that is still there: RFC 3339, UTC.
	Since map[string]string `json:"since,omitempty"`
}

// A SCIPIndex is a graph as it was written for others.
type SCIPIndex struct {
	RepoID      RepoID `json:"repo_id"`
	File        string `json:"file"` // in the repository
	Bytes       int64  `json:"bytes"`
	Documents   int    `json:"documents"`
	Occurrences int    `json:"occurrences"`
	Symbols     int    `json:"symbols"`
}

// GraphInfo describes a graph.
type GraphInfo struct {
	RepoID  RepoID `json:"repo_id"`
	Files   int    `json:"files"`
	Symbols int    `json:"symbols"`
	Edges   int    `json:"edges"`
	BuiltAt string `json:"built_at"` // RFC 3339, UTC
	Commit  string `json:"commit"`
	Reused  int    `json:"reused"`  // files whose facts were kept from the graph before; 0 in a status
	Skipped int    `json:"skipped"` // files without facts: no parser for their language, or it failed
	Precise bool   `json:"precise"`
	Exact   int    `json:"exact,omitempty"` // files with edges of a SCIP index, as they were when it was taken
	JSON    string `json:"json"`            // path of the artifact in the repository
	Bytes   int64  `json:"bytes"`           // of it
	TookMS  int64  `json:"took_ms"`         // of the build; 0 in a status
}
