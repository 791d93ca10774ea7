package scip

// Metadata says how an index was made.
type Metadata struct {
	ToolName, ToolVersion string
	ProjectRoot           string // URI of the folder that paths are relative to
}

// A Document is what is known of one file.
type Document struct {
	Path        string // relative to the project's root, with slashes
	Language    string
	Text        string // may be ""
	Encoding    Encoding
	Occurrences []Occurrence
	Symbols     []SymbolInformation
}

// An Occurrence is a symbol at a place.
type Occurrence struct {
	Range     Range
	Symbol    string
	Roles     Role
	Enclosing Range // of a definition the whole of it; zero if not known
}

// A Range is from one position to another; lines and characters from 0, the end
// exclusive.
type Range struct{ StartLine, StartChar, EndLine, EndChar int32 }

// A Role is a set of what an occurrence is.
type Role int32

// The roles. What is no definition is a reference.
const (
	Definition  Role = 1
	Imported    Role = 2
	WriteAccess Role = 4
	ReadAccess  Role = 8
	Generated   Role = 16
	Test        Role = 32
)

// SymbolInformation describes a symbol.
type SymbolInformation struct {
	Symbol        string
	Documentation []string
	Relationships []Relationship
	Kind          Kind
	DisplayName   string
	Signature     string // of the signature's document its text
	Language      string // of that
	Enclosing     string // symbol around a local one
}

// A Relationship leads to another symbol.
type Relationship struct {
	Symbol                                                        string
	IsReference, IsImplementation, IsTypeDefinition, IsDefinition bool
}

// A Kind is what a symbol is, by the numbers of the protocol.
type Kind int32

// The kinds that graphs know.
const (
	KindClass       Kind = 7
	KindConstant    Kind = 8
	KindConstructor Kind = 9
	KindEnum        Kind = 11
	KindEnumMember  Kind = 12
	KindField       Kind = 15
	KindFunction    Kind = 17
	KindInterface   Kind = 21
	KindMacro       Kind = 25
	KindMethod      Kind = 26
	KindModule      Kind = 29
	KindNamespace   Kind = 30
	KindObject      Kind = 33
	KindProperty    Kind = 41
	KindProtocol    Kind = 42
	KindStruct      Kind = 49
	KindTrait       Kind = 53
	KindType        Kind = 54
	KindTypeAlias   Kind = 55
	KindUnion       Kind = 59
	KindVariable    Kind = 61
)
