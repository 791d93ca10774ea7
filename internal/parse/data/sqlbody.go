package data

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/pattern"
)

// plainEnd is the offset behind the delimiter of a statement that can't hold
// one, at most the end of its batch.
func (s *sqlScript) plainEnd(from int) int {
	limit, _ := s.batchEnd(from)
	if j := s.delimited(from); j < limit {
		return j + len(s.delimiter)
	}
	return s.nextStatement(from, limit)
}

// nextStatement is the offset of the next declaration at the start of a line,
// or the limit.
func (s *sqlScript) nextStatement(from, limit int) int {
	if next, ok := s.creates.from(from); ok {
		return min(next, limit)
	}
	return limit
}

// endsWithGo reports whether the line at an offset is T-SQL's GO.
func (s *sqlScript) endsWithGo(i int) bool {
	line := bytes.TrimSpace(s.Code[i:min(len(s.Code), i+patterns.MaxMatched)])
	return len(line) >= 2 && line[0]|0x20 == 'g'
}

// routineEnd is the offset behind the body of a routine. Another delimiter, or
// GO, ends it; else the delimiter that is in no block. A block that never
// closes ends with its batch, or before the next declaration at the start of a
// line.
func (s *sqlScript) routineEnd(from int, isPackage bool) int {
	if s.delimiter != ";" {
		return s.plainEnd(from)
	}
	limit, found := s.batchEnd(from)
	if found && s.endsWithGo(limit) {
		return limit
	}
	limit = s.nextStatement(from, limit)
	b := sqlBlocks{isPackage: isPackage}
	for at, word := range words(s.Code, from, limit) {
		if b.step(word) {
			return at + 1
		}
	}
	return limit
}

// sqlBlocks follows the blocks of a routine from word to word.
type sqlBlocks struct {
	depth     int
	isPackage bool // its declarations end with the END behind them
	header    bool // behind IS or AS, where declarations may come before BEGIN
	previous  string
}

// blockWords are the words behind END that tell what it closes, where that is
// not counted.
var blockWords = map[string]bool{"if": true, "loop": true, "while": true, "repeat": true, "for": true}

// firstWords are the words that a body without declarations begins with.
var firstWords = map[string]bool{
	"select": true, "insert": true, "update": true, "delete": true, "set": true, "exec": true, "execute": true, "if": true,
	"with":   true,
	"return": true, "while": true, "merge": true, "print": true, "declare": true, "table": true, "language": true,
	"external": true, ";": true,
	"not": true, "immutable": true, "stable": true, "volatile": true, "strict": true, "truncate": true, "raise": true,
	"throw": true, "drop": true,
	"call": true, "values": true, "create": true,
}

// step reports whether a word is the delimiter that ends the routine.
func (b *sqlBlocks) step(word string) bool {
	previous := b.previous
	b.previous = word
	if previous == "is" || previous == "as" && b.depth == 0 {
		b.header = word != "begin" && !firstWords[word]
	}
	switch {
	case previous == "end" && blockWords[word]:
		b.depth++ // that END closed none of those counted
	case previous == "end" && word == "case":
	case word == "begin" || word == "case":
		b.depth++
		b.header = false
	case word == "as" || word == "is":
		if b.isPackage && b.depth == 0 {
			b.depth, b.isPackage = 1, false
		}
	case word == "end":
		b.depth = max(b.depth-1, 0)
	case word == ";":
		return b.depth == 0 && !b.header
	}
	return false
}

var sqlWord = pattern.NewLazy(`[A-Za-z_]\w*|;`)

// words are the words and semicolons of code, in lower case, with the offset of
// each.
func words(code []byte, from, limit int) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for from < limit {
			m := sqlWord().FindIndex(code[from:limit])
			if m == nil || !yield(from+m[0], strings.ToLower(string(code[from+m[0]:from+m[1]]))) {
				return
			}
			from += m[1]
		}
	}
}
