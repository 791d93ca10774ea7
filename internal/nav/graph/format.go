package graph

// The columns of a graph. A part is a column of bytes, a column of 4-byte words, or
// rows of bytes. The part before one of rows says where each begins, with one more
// for the end, then the checksum of each.
//
// Strings are numbered; those that are names of symbols or references come
// first, both groups in order, so the number of a name is found by bisection and
// names have columns of their own. "Starts" are columns with one more word than
// what they divide: rows of i are those from starts[i] to starts[i+1]. A symbol
// is two words, its file and its index in the file; symbols are also numbered
// through, file by file, and so are edges.

// SchemaVersion is that of both files. Version 1 of the JSON had an object for
// each symbol and edge, version 2 a row with all that says where it is. Version 2
// of the sidecar had a column for each property of symbols and edges.
const SchemaVersion = 3

// Columns are what a graph is made of, by part.
type Columns [parts][]byte

// A part is the number of a column in the sidecar.
type part int

const (
	partCounts     part = iota // words: see counts
	partText                   // bytes of all strings
	partTextStarts             // per string

	partPath      // per file: string
	partLanguage  // per file: string
	partPackage   // per file: string
	partFlags     // per file: FlagFacts, FlagFailed
	partHash      // per file: 32 bytes, SHA-256 of the text
	partShape     // per file: 16 bytes, see ShapeOf
	partRevision  // per file: string, what read it
	partSymStarts // per file: symbols

	partDir        // folders in order: string
	partDirStarts  // per folder: rows of partDirFiles
	partDirFiles   // files
	partLang       // languages in order: string
	partLangStarts // per language: rows of partLangFiles
	partLangFiles  // files

	partDefStarts // per name: rows of partDefs
	partDefs      // symbols
	partRefStarts // per name: rows of partRefFiles
	partRefFiles  // files with references of the name
	partAliases   // pairs of names, in order: see alias.go

	partMentionStarts // per name: rows of partMentions
	partMentions      // names of symbols whose expressions mention it
	partTouchStarts   // per name: rows of partTouchFiles
	partTouchFiles    // files with symbols of the name, or whose references are members of something that mentions it

	partAliasStarts // per file: pairs of partFileAliases
	partFileAliases // pairs of names, those that the file is the reason for
	partResolver    // bytes: revision of what resolved

	partTally      // per file: references, external, unresolved
	partEdgeStarts // per file: edges

	partLinkFrom  // per link, in order: symbol
	partLinkTo    // per link: symbol
	partLinkKind  // per link: kind, tier << 8
	partLinkConf  // per link: float32
	partBackLinks // links in order of what they lead to

	partDeclRows
	partDecls // per file: what it imports and declares, see facts.go
	partPlaceRows
	partPlaces // per file: its references
	partEdgeRows
	partEdges // per file: its edges, see edges.go
	partUseRows
	partUses // per file: the edges that its symbols are targets of

	parts // how many there are
)

// Parts is how many columns there are.
const Parts = int(parts)

// IsRows tells the parts that are read row by row, by their numbers.
func IsRows(n int) bool {
	p := part(n)
	return p == partDecls || p == partPlaces || p == partEdges || p == partUses
}

// isBytes tells the parts that are no words.
func (p part) isBytes() bool {
	return p == partText || p == partHash || p == partShape || p == partResolver || IsRows(int(p))
}

// Indexes of targets that are no symbols.
const (
	FileTarget   = -1
	FolderTarget = -2 // File is the number of the folder
)

// Flags of files.
const (
	FlagFacts  = 1 << iota // facts were extracted
	FlagFailed             // they should have been, but could not
)

// counts are the words of partCounts.
type counts struct {
	Names      uint32 // strings that are names
	References uint32
	External   uint32 // known to be outside of the repository
	Unresolved uint32 // neither that nor resolved
}
