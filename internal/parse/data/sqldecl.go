package data

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// sqlName matches a name, quoted or not, and sqlPath one with those it belongs
// to.
const (
	sqlName = "(?:\\[(?:[^\\]\n]|\\]\\])*\\]|\"(?:[^\"\n]|\"\")*\"|`(?:[^`\n]|``)*`|[\\w$#@{}\\x{80}-\\x{10FFFF}]+)"
	sqlPath = sqlName + `(?:\s*\.\s*` + sqlName + `)*`
)

// sqlHead matches the head of a statement that declares something.
var sqlHead = parse.Lazy(`(?i)^(?:create(\s+or\s+(?:replace|alter))?|(alter))\s+` +
	"(?:(?:temp|temporary|unlogged|global|local|private|public|unique|clustered|nonclustered|fulltext|spatial|bitmap|" +
	"materialized|external|virtual|" +
	"recursive|force|editionable|noneditionable|constraint|transient|foreign|secure|dynamic|" +
	"definer\\s*=\\s*(?:current_user(?:\\(\\))?|" + sqlName + "?\\s*@?\\s*" + sqlName +
	"?)|algorithm\\s*=\\s*\\w+|sql\\s+security\\s+\\w+)\\s+)*" +
	`(table|view|function|aggregate|procedure|proc|package(?:\s+body)?|trigger|index|type(?:\s+body)?|domain|sequence|` +
	`schema|event|synonym|macro)` +
	`\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(` + sqlPath + `)`)

var sqlKinds = map[string]string{
	"aggregate": "func", "function": "func", "proc": "procedure", "package": "package", "domain": "type", "macro": "func",
}

// routines are the kinds with a body that may hold delimiters.
var routines = map[string]bool{"func": true, "procedure": true, "trigger": true, "package": true, "event": true}

// sqlReserved are words that follow what they stand for where it has no name.
var sqlReserved = map[string]bool{"on": true, "authorization": true, "as": true, "for": true}

// maxSQLHead is how much of a statement is looked at for its head.
const maxSQLHead = 600

// declare lists the statement at the offset, if it declares something, and
// returns the offset behind it; else 0.
func (s *sqlScript) declare() int {
	head := s.Code[s.i:min(len(s.Code), s.i+maxSQLHead)]
	if len(head) < 4 || !bytes.EqualFold(head[:4], []byte("crea")) && !bytes.EqualFold(head[:4], []byte("alte")) {
		return s.with()
	}
	m := sqlHead().FindSubmatchIndex(head)
	if m == nil || sqlReserved[strings.ToLower(string(head[m[8]:m[9]]))] {
		return 0
	}
	word := strings.Join(strings.Fields(strings.ToLower(string(head[m[6]:m[7]]))), " ")
	sym := parse.Symbol{Kind: sqlKindOf(word), Name: unquote(s.Text[s.i+m[8] : s.i+m[9]]), Exported: true}
	if m[4] >= 0 && (!routines[sym.Kind] && sym.Kind != "view" || !definition().Match(head[m[9]:])) {
		return 0 // ALTER of anything but what is written anew by it
	}
	start, named := s.i, s.i+m[9]
	end := s.plainEnd(named)
	if routines[sym.Kind] || strings.HasSuffix(word, " body") {
		end = s.routineEnd(named, sym.Kind == "package" || strings.HasSuffix(word, " body"))
	}
	sym.Qualified = sym.Name
	s.add(sym, start, s.headEnd(named, end), end)
	switch {
	case sym.Kind == "package" || strings.HasSuffix(word, " body"):
		s.members(sym.Qualified, named, end)
	case !routines[sym.Kind]:
		s.tables(sym.Qualified, named, end)
	}
	return end
}

func sqlKindOf(word string) string {
	word = strings.TrimSuffix(word, " body")
	if kind := sqlKinds[word]; kind != "" {
		return kind
	}
	return word
}

// definition matches a word that begins the body of what ALTER writes anew.
var definition = parse.Lazy(`(?i)\bas\b`)

var namePart = parse.Lazy(sqlName)

// unquote is a name with its schema and without its quotes.
func unquote(path string) string {
	var parts []string
	for _, part := range namePart().FindAllString(path, -1) {
		switch part[0] {
		case '[', '"', '`':
			closing := part[len(part)-1:]
			part = strings.ReplaceAll(part[1:len(part)-1], closing+closing, closing)
		}
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.ToValidUTF8(parse.FirstOf(strings.Join(parts, "."), "unnamed"), "")
}

// versionMark matches what opens and closes the comments that MySQL runs.
var versionMark = parse.Lazy(`/\*!\d*|\*/`)

// add lists a symbol of which the head and the rest are given by offsets.
func (s *sqlScript) add(sym parse.Symbol, start, head, end int) {
	line := s.Lines.LineAt(start)
	scan := patterns.DeclScanner{Source: s.Source}
	sym.Signature = parse.Fold(versionMark().ReplaceAllString(scan.Signature(start, head), " "))
	sym.StartLine, sym.Doc = patterns.Above(s.Source, line-1)
	for end > start+1 && s.Code[end-1] <= ' ' {
		end--
	}
	sym.EndLine = max(s.Lines.LineAt(end-1), line)
	s.symbols = append(s.symbols, sym)
}

// bodyWord matches the word behind which the body of a view or routine begins.
var bodyWord = parse.Lazy(`(?i)\b(?:as|is|begin)\b`)

// headEnd is where the text that declares a statement ends: before its body,
// or with it.
func (s *sqlScript) headEnd(from, end int) int {
	limit := min(end, from+2*patterns.MaxHead)
	m := bodyWord().FindIndex(s.Code[from:limit])
	if m == nil {
		if limit > from && s.Code[limit-1] == ';' {
			limit--
		}
		return limit
	}
	return from + m[0]
}
