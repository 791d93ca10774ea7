package data

import (
	"bytes"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/pattern"
)

// sqlName matches a name, quoted or not, and sqlPath one with those it belongs
// to.
const (
	sqlName = "(?:\\[(?:[^\\]\n]|\\]\\])*\\]|\"(?:[^\"\n]|\"\")*\"|`(?:[^`\n]|``)*`|[\\w$#@{}\\x{80}-\\x{10FFFF}]+)"
	sqlPath = sqlName + `(?:\s*\.\s*` + sqlName + `)*`
)

// sqlHead matches the head of a statement that declares something.
var sqlHead = pattern.NewLazy(`(?i)^(?:create(\s+or\s+(?:replace|alter))?|(alter))\s+` +
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
	sym := parse.Symbol{Kind: sqlKindOf(word), Exported: true}
	var schema string
	schema, sym.Name = unquote(s.Text[s.i+m[8] : s.i+m[9]])
	if m[4] >= 0 && (!routines[sym.Kind] && sym.Kind != "view" || !definition().Match(head[m[9]:])) {
		return 0 // ALTER of anything but what is written anew by it
	}
	start, named := s.i, s.i+m[9]
	end := s.plainEnd(named)
	if routines[sym.Kind] || strings.HasSuffix(word, " body") {
		end = s.routineEnd(named, sym.Kind == "package" || strings.HasSuffix(word, " body"))
	}
	sym.Qualified = parse.Qualify(schema, sym.Name)
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
var definition = pattern.NewLazy(`(?i)\bas\b`)

var namePart = pattern.NewLazy(sqlName)

// unquote is a name without its quotes, and what it belongs to: its schema, if it is given.
func unquote(path string) (of, name string) {
	var parts []string
	for _, part := range namePart().FindAllString(path, -1) {
		switch part[0] {
		case '[', '"', '`':
			closing := part[len(part)-1:]
			part = strings.ReplaceAll(part[1:len(part)-1], closing+closing, closing)
		}
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, strings.ToValidUTF8(part, ""))
		}
	}
	if len(parts) == 0 {
		return "", "unnamed"
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], "."), parts[last]
}

// versionMark matches what opens and closes the comments that MySQL runs.
var versionMark = pattern.NewLazy(`/\*!\d*|\*/`)

// add lists a symbol of which the head and the rest are given by offsets.
func (s *sqlScript) add(sym parse.Symbol, start, head, end int) {
	line := s.Lines.LineAt(start)
	scan := patterns.Source{Source: s.Source}
	sym.Signature = parse.Fold(versionMark().ReplaceAllString(scan.Signature(start, head), " "))
	sym.StartLine, sym.Doc = patterns.Above(s.Source, line-1)
	for end > start+1 && s.Code[end-1] <= ' ' {
		end--
	}
	sym.EndLine = max(s.Lines.LineAt(end-1), line)
	s.symbols = append(s.symbols, sym)
}

// bodyWord matches the word behind which the body of a view or routine begins.
var bodyWord = pattern.NewLazy(`(?i)\b(?:as|is|begin)\b`)

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

// memberHead matches a routine of a package.
var memberHead = pattern.NewLazy(
	`(?im)^[ \t]*(?:(?:static|member|constructor|overriding|final)\s+)*(procedure|function)\s+(` + sqlName + `)`)

// members lists the routines of a package between two offsets.
func (s *sqlScript) members(parent string, from, end int) {
	all := memberHead().FindAllSubmatchIndex(s.Code[from:end], -1)
	endless := 0
	for i, m := range all {
		start, named, limit := from+m[2], from+m[5], end
		if i+1 < len(all) && endless > lex.MaxFailures { // a bound for hostile input
			limit = from + all[i+1][0]
		}
		_, name := unquote(s.Text[from+m[4] : from+m[5]])
		b := sqlBlocks{}
		stop := 0
		for at, word := range words(s.Code, named, limit) {
			if b.step(word) {
				stop = at + 1
				break
			}
		}
		if stop == 0 {
			stop = limit
			endless++
		}
		sym := parse.Symbol{
			Name: name, Qualified: parse.Qualify(parent, name), Parent: parent, Kind: "procedure",
			Exported: true,
		}
		if strings.EqualFold(string(s.Code[from+m[2]:from+m[3]]), "function") {
			sym.Kind = "func"
		}
		s.add(sym, start, s.headEnd(named, stop), stop)
	}
}

// cteHead matches the name of a common table expression, up to its query.
const cteHead = `(?i)\s*(` + sqlName + `)\s*(?:\([^()]*\)\s*)?as\s*(?:not\s+materialized\s*|materialized\s*)?\(`

var (
	firstCTE = pattern.NewLazy(`(?i)\bwith\s+(?:recursive\s+)?` + strings.TrimPrefix(cteHead, `(?i)\s*`))
	nextCTE  = pattern.NewLazy(`^\s*,` + strings.TrimPrefix(cteHead, `(?i)`))
	asOpen   = pattern.NewLazy(`(?i)\s*as[^(]*\($`)
	withWord = pattern.NewLazy(`(?i)^with\s`)
)

// with lists the common table expressions of the statement at the offset, and
// returns the offset behind it; 0 when it has none.
func (s *sqlScript) with() int {
	if !withWord().Match(s.Code[s.i:min(len(s.Code), s.i+5)]) {
		return 0
	}
	end := s.plainEnd(s.i + len("with"))
	s.tables("", s.i, end)
	return end
}

// tables lists the common table expressions between two offsets.
func (s *sqlScript) tables(parent string, from, end int) {
	for from < end {
		m := firstCTE().FindSubmatchIndex(s.Code[from:end])
		if m == nil {
			return
		}
		for m != nil {
			stop := s.cte(parent, from, m, end)
			from = stop
			m = nextCTE().FindSubmatchIndex(s.Code[from:min(end, from+maxSQLHead)])
		}
	}
}

// cte lists one expression, whose head matched from an offset on, and returns
// the offset behind its query.
func (s *sqlScript) cte(parent string, from int, m []int, end int) int {
	stop := end
	if b := s.pairs.At(from + m[1] - 1); b >= 0 {
		stop = min(int(s.pairs.Close[b])+1, end)
	}
	_, name := unquote(s.Text[from+m[2] : from+m[3]])
	s.add(parse.Symbol{
		Name: name, Qualified: parse.Qualify(parent, name), Parent: parent, Kind: "cte",
		Exported: parent == "",
	}, from+m[2], from+m[2]+len(asOpen().ReplaceAll(s.Code[from+m[2]:from+m[1]], nil)), stop)
	return max(stop, from+m[1])
}
