package models

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// A SummarySource tells where a document's Content came from.
type SummarySource string

// The summary sources. Only SummaryLLM needs a model.
const (
	SummaryLLM        SummarySource = "llm"
	SummaryDocstring  SummarySource = "docstring"  // the author's own doc comment or docstring
	SummaryExtracted  SummarySource = "extracted"  // signature, leading comment, exported names, section text
	SummaryAggregated SummarySource = "aggregated" // put together from the documents below it
)

// KindChunk is the kind of a symbol document that stands for a run of lines
// of a file in which no declarations were found.
const KindChunk = "chunk"

// A Header is the part of a document that ranking and filtering need. Stores
// return it with every hit.
type Header struct {
	ID            DocumentID `json:"id"`
	Type          DocType    `json:"type"`
	RepoID        RepoID     `json:"repo_id"`
	FilePath      string     `json:"file_path,omitempty"` // relative to the root, forward slashes; a module's folder
	SymbolName    string     `json:"symbol_name,omitempty"`
	QualifiedName string     `json:"qualified_name,omitempty"`
	// func, method, class, struct, interface, type, const, var, chunk, section …
	Kind      string `json:"kind,omitempty"`
	Language  string `json:"language,omitempty"`
	StartLine int    `json:"start_line,omitempty"` // 1-indexed; 0 when the document has no lines
	EndLine   int    `json:"end_line,omitempty"`   // inclusive
	Test      bool   `json:"test,omitempty"`
	Generated bool   `json:"generated,omitempty"`
	Vendored  bool   `json:"vendored,omitempty"`
}

// A Document is one unit of retrieval.
type Document struct {
	Header

	Signature     string        `json:"signature,omitempty"`
	Content       string        `json:"content"` // summary for people and models
	SummarySource SummarySource `json:"summary_source"`

	ParentID    DocumentID   `json:"parent_id,omitempty"`
	ChildrenIDs []DocumentID `json:"children_ids,omitempty"`

	Title        string   `json:"title,omitempty"`
	Heading      string   `json:"heading,omitempty"`
	HeadingLevel int      `json:"heading_level,omitempty"` // 1 to 6; 0 before the first heading
	HeaderPath   []string `json:"header_path,omitempty"`   // headings from the outermost to this one
	Aliases      []string `json:"aliases,omitempty"`       // other titles
	Tags         []string `json:"tags,omitempty"`
	Wikilinks    []string `json:"wikilinks,omitempty"`
	CreatedDate  string   `json:"created_date,omitempty"` // RFC 3339, or empty when unknown
	ModifiedDate string   `json:"modified_date,omitempty"`

	Commit        string    `json:"commit,omitempty"`
	ContentHash   string    `json:"content_hash,omitempty"` // HashText of the lines that the document covers
	SchemaVersion int       `json:"schema_version"`
	Created       time.Time `json:"created"`
	Updated       time.Time `json:"updated"`

	// Text holds the words to index, with the fields' weights as repetition
	// (see index/compose); it is indexed, not stored.
	Text string `json:"-"`
	// Embedding is a unit vector, or nil for a document without one.
	Embedding []float32 `json:"-"`
	// EmbeddingKey names what Embedding was made of and by which embedder.
	EmbeddingKey EmbeddingKey `json:"-"`
}

// An EmbeddingKey stands for an embedder and one input of it: equal keys mean
// that the embedder makes the same vector. The zero key names nothing.
type EmbeddingKey [16]byte

// A Level is the granularity of a search.
type Level string

// The levels of a search request. LevelAuto lets the query decide.
const (
	LevelSymbol Level = "symbol"
	LevelFile   Level = "file"
	LevelModule Level = "module"
	LevelRepo   Level = "repo"
	LevelDoc    Level = "doc"
	LevelAuto   Level = "auto"
)

// A DocType says what a document stands for; there is one for each level.
type DocType string

// The document types, in the order of the levels.
const (
	TypeSymbol   DocType = "symbol_index"
	TypeFile     DocType = "file_index"
	TypeModule   DocType = "module_summary"
	TypeRepo     DocType = "repo_summary"
	TypeDocument DocType = "document"
)

// Levels lists the concrete levels, narrowest first.
func Levels() []Level {
	return []Level{LevelSymbol, LevelFile, LevelModule, LevelRepo, LevelDoc}
}

// DocType is the type of the documents at a level; empty for LevelAuto and
// for anything that is not a level.
func (l Level) DocType() DocType {
	switch l {
	case LevelSymbol:
		return TypeSymbol
	case LevelFile:
		return TypeFile
	case LevelModule:
		return TypeModule
	case LevelRepo:
		return TypeRepo
	case LevelDoc:
		return TypeDocument
	case LevelAuto:
	}
	return ""
}

// HashText is the ContentHash of the lines of a document: the first 128 bits
// of their SHA-256 in hexadecimal. It tells versions of a text apart.
func HashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
