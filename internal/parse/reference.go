package parse

// A Reference is a place where a file uses a name that is declared elsewhere,
// perhaps. It is what the text says: nothing is resolved.
type Reference struct {
	Kind   string // one of the Ref constants
	Name   string // "join"; of an import the path as it is written, without quotes
	Of     string // what the name is taken from, as it is written: "os.path", "self"; may be empty
	Line   int    // 1-indexed
	Column int    // 1-indexed, in bytes
	Symbol int    // index in Outline.Symbols of the innermost symbol around it, or -1
}

// The kinds of references.
const (
	RefCall    = "call"
	RefType    = "type"
	RefImport  = "import"
	RefExtends = "extends" // a base class, interface or trait
	RefRead    = "read"    // a variable, a property
)
