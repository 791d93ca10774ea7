// Package parse finds the symbols of source files and the sections of
// documents: an Outline. It reads text and knows no repository and no store.
//
// What outlines have in common is here: symbols, lines, comments, chunks, decoding. Package
// reader makes the outline of a file, by what fits it best: an Outliner (package worker, for
// languages with a grammar) or one of the packages beside it.
package parse

// A File is what there is to parse.
type File struct {
	Path     string // relative, forward slashes
	Language string // go-enry's name: "Go", "Python", "Markdown" …; may be empty
	Text     string // valid UTF-8; lines end in "\n" or "\r\n"
}

// The methods by which an outline was found.
const (
	MethodGo       = "go/parser"
	MethodTree     = "tree-sitter"
	MethodOutline  = "outline"  // declarations by language-aware patterns
	MethodChunks   = "chunks"   // overlapping runs of lines
	MethodSections = "sections" // headings of a document
)

// An Outline is what was found in a file. Line numbers are 1-indexed,
// inclusive and refer to the text as given.
type Outline struct {
	Method   string
	Detail   string // why it is not by the method that is best for the language, or empty
	Away     bool   // the method that is best could not be asked, and may be another time
	Lines    int    // number of lines; a last line without newline counts
	Package  string // package or module name, where the language has one
	Summary  string // the file's leading comment or package doc, markup removed
	Exports  []string
	Symbols  []Symbol  // of source files, in order of StartLine
	Sections []Section // of document files, in order of StartLine

	References []Reference // of source files, by methods that find them, in order of position
}

// A Symbol is a declaration, or with kind models.KindChunk a run of lines.
type Symbol struct {
	Name      string // "Do"
	Qualified string // "Client.Do"; unique names are not guaranteed
	Parent    string // enclosing type, class or receiver: "Client"; may be empty
	Kind      string // func, method, class, struct, interface, type, enum, const, var, module, chunk …
	Signature string // on one line, without body
	Doc       string // doc comment or docstring, comment markers removed
	StartLine int    // of the doc comment or decorator above it, where there is one
	EndLine   int
	Exported  bool
}

// A Section is the text from one heading up to the next heading of any level.
// Long plain text without headings makes several sections of the same heading.
type Section struct {
	Title        string // of the document: front matter title, else first heading, else file name
	Heading      string // of this section; the title for text before the first heading
	HeadingLevel int    // 1 to 6; 0 before the first heading
	HeaderPath   []string
	Slug         string   // as GitHub makes it from Heading; "" is never used
	Parent       int      // index in Sections of the section above it, or -1
	Aliases      []string // other titles of the document
	Tags         []string
	Wikilinks    []string
	CreatedDate  string // RFC 3339 in UTC; from front matter or a day in the file's name, or empty
	ModifiedDate string
	// the section's words as prose and code, without the heading, markup removed as far as it is not content
	Text      string
	StartLine int
	EndLine   int
}
