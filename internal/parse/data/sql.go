// Package data finds the parts of SQL scripts and YAML files.
package data

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/pattern"
)

// sqlLexis is for SQL with PostgreSQL's $$…$$, and mysqlLexis for MySQL, where
// that may be the delimiter and a backslash escapes.
var (
	sqlLexis = sync.OnceValue(
		func() *lex.Lexis { return lex.NewLexis(append(sqlRules(false), patterns.DollarQuote())...) })
	mysqlLexis = sync.OnceValue(func() *lex.Lexis { return lex.NewLexis(sqlRules(true)...) })
)

func sqlRules(escapes bool) []lex.Rule {
	return []lex.Rule{
		versioned(), lex.BlockComment("/*", "*/"), versionedEnd(), lex.LineComment("--"), mysqlComment(), sqlString(escapes),
		name('"', `"`), name('`', "`"), bracketed(),
	}
}

// versioned is the opening of a comment that MySQL runs: "/*!50003 TRIGGER …*/".
func versioned() lex.Rule {
	return lex.Rule{Open: "/*!", End: func(l *lex.Lexer, i int) int {
		i += len("/*!")
		for i < len(l.Text) && l.Text[i] >= '0' && l.Text[i] <= '9' {
			i++
		}
		return i
	}}
}

// versionedEnd is what closes such a comment.
func versionedEnd() lex.Rule {
	return lex.Rule{Open: "*/", End: func(_ *lex.Lexer, i int) int { return i + len("*/") }}
}

// mysqlComment is MySQL's "# …", at the start of a line only: elsewhere, and
// without the space, it is an operator or a name of others.
func mysqlComment() lex.Rule {
	return lex.Rule{Open: "# ", Comment: true, End: func(l *lex.Lexer, i int) int {
		if i > 0 && l.Text[i-1] != '\n' {
			return i
		}
		return lex.LineEnd(l.Text, i)
	}}
}

// sqlString is '…'. A backslash escapes nothing in it but in MySQL, in
// PostgreSQL's E'…' and before a quote that something other than the end of a
// value follows.
func sqlString(escapes bool) lex.Rule {
	return lex.Rule{Open: "'", End: func(l *lex.Lexer, i int) int {
		limit := min(len(l.Text), i+lex.MaxSpan)
		if l.Failures > lex.MaxFailures {
			limit = min(limit, i+patterns.MaxMatched)
		}
		escapes := escapes || i > 0 && l.Text[i-1]|0x20 == 'e' && (i < 2 || !lex.IsWord(l.Text[i-2]))
		for j := i + 1; j < limit; j++ {
			switch l.Text[j] {
			case '\\':
				if j+1 < limit && (escapes || l.Text[j+1] == '\'' && !endsValue(l.Text, j+2)) {
					j++
				}
			case '\'':
				return j + 1
			}
		}
		l.Failures++
		return i
	}}
}

// endsValue reports whether what is at an offset may follow a string.
func endsValue(text string, i int) bool {
	return i >= len(text) || strings.IndexByte(",;) \t\r\n", text[i]) >= 0
}

// maxName is the length of a quoted name in bytes from which it is none.
const maxName = 300

// name is a quoted name on one line.
func name(open byte, closing string) lex.Rule {
	return lex.Rule{Open: string(open), Kept: true, End: func(l *lex.Lexer, i int) int {
		window := l.Text[i+1 : min(len(l.Text), i+maxName)]
		if j := strings.IndexAny(window, closing+"\n"); j >= 0 && window[j] != '\n' {
			return i + 1 + j + 1
		}
		return i
	}}
}

// bracketed is a name like [it's]. Brackets with whole strings in them are an
// array.
func bracketed() lex.Rule {
	r := name('[', "]")
	end := r.End
	r.End = func(l *lex.Lexer, i int) int {
		j := end(l, i)
		if strings.Count(l.Text[i:j], "'")%2 == 0 && strings.IndexByte(l.Text[i:j], ';') < 0 {
			return i
		}
		return j
	}
	return r
}

// dollarDelimiter matches the directive that makes $$ a delimiter.
var dollarDelimiter = pattern.NewLazy(`(?im)^[ \t]*delimiter[ \t]+\$`)

// isMySQL tells MySQL by its quotes, unless there are also those of PostgreSQL.
func isMySQL(f parse.File) bool {
	return dollarDelimiter().MatchString(f.Text) || strings.Count(f.Text, "`")%2 == 0 && strings.Contains(f.Text, "`") &&
		!strings.Contains(f.Text, "$$")
}

// ReadSQL finds what scripts of any dialect of SQL create, and the queries and
// columns in it.
func ReadSQL(f parse.File) parse.Outline {
	lexis := sqlLexis()
	if isMySQL(f) {
		lexis = mysqlLexis()
	}
	s := sqlScript{Source: lex.Blank(f.Text, lexis), delimiter: ";"}
	s.pairs = lex.MatchBrackets(s.Source, "(", false)
	s.ends, s.creates, s.next = newCursor(batchLine(), s.Code), newCursor(created(), s.Code), -1
	for s.i < len(s.Code) {
		s.statement()
	}
	scan := patterns.Source{Source: s.Source, Lang: &patterns.Language{}}
	return parse.Outline{Summary: scan.LeadingComment(s.symbols), Symbols: s.symbols}
}

// A sqlScript is the state of reading SQL.
type sqlScript struct {
	*lex.Source
	pairs     *lex.Brackets
	i         int // offset
	delimiter string
	ends      cursor // offsets of the lines that end a batch: GO, "/", DELIMITER
	creates   cursor // offsets of declarations at the start of a line
	next      int    // offset of the next delimiter, see delimited
	symbols   []parse.Symbol
}

var batchLine = pattern.NewLazy(`(?im)^[ \t]*(?:go(?:[ \t]+\d+)?|/|delimiter[ \t]+\S.*)[ \t]*\r?$`)

// created matches a line as far left as can be that declares something that
// bodies don't.
var created = pattern.NewLazy(
	`(?im)^create\s+(?:or\s+\w+\s+)?(?:definer\s*=\s*\S+\s+)?(?:table|view|function|procedure|proc|trigger|package|` +
		`index|sequence)\b`)

// A cursor holds offsets in ascending order, to be asked for in that order.
type cursor []int

func newCursor(re *regexp.Regexp, code []byte) cursor {
	var c cursor
	for _, m := range re.FindAllIndex(code, -1) {
		c = append(c, m[0])
	}
	return c
}

// from is the first offset that is no less than one.
func (c *cursor) from(offset int) (next int, ok bool) {
	for len(*c) > 0 && (*c)[0] < offset {
		*c = (*c)[1:]
	}
	if len(*c) == 0 {
		return 0, false
	}
	return (*c)[0], true
}

// batchEnd is the offset of the next line that ends a batch, or of the end of
// the text.
func (s *sqlScript) batchEnd(from int) (end int, found bool) {
	if end, found = s.ends.from(from); found {
		return end, true
	}
	return len(s.Code), false
}

// delimited is the offset of the next delimiter from an offset on, or of the
// end of the text.
func (s *sqlScript) delimited(from int) int {
	if s.next < from {
		s.next = len(s.Code)
		if j := bytes.Index(s.Code[from:], []byte(s.delimiter)); j >= 0 {
			s.next = from + j
		}
	}
	return s.next
}

var delimiterWord = pattern.NewLazy(`(?i)^delimiter[ \t]+(\S+)`)

// statement reads what begins at the offset, and goes on behind it or with the
// next line.
func (s *sqlScript) statement() {
	for s.i < len(s.Code) && s.Code[s.i] <= ' ' {
		s.i++
	}
	if s.i == len(s.Code) {
		return
	}
	newline := s.Lines[s.Lines.LineAt(s.i)]
	if m := delimiterWord().FindSubmatch(s.Code[s.i:min(newline, s.i+patterns.MaxMatched)]); m != nil {
		s.delimiter, s.next, s.i = string(m[1]), newline-1, newline
		return
	}
	if end := s.declare(); end > s.i {
		s.i = end
		return
	}
	s.i = min(newline, s.delimited(s.i)+len(s.delimiter))
}
