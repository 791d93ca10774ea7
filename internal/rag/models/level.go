package models

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
