package data

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// memberHead matches a routine of a package.
var memberHead = parse.Lazy(
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
		name := unquote(s.Text[from+m[4] : from+m[5]])
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
			Name: name, Qualified: patterns.Join(parent, name), Parent: parent, Kind: "procedure",
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
	firstCTE = parse.Lazy(`(?i)\bwith\s+(?:recursive\s+)?` + strings.TrimPrefix(cteHead, `(?i)\s*`))
	nextCTE  = parse.Lazy(`^\s*,` + strings.TrimPrefix(cteHead, `(?i)`))
	asOpen   = parse.Lazy(`(?i)\s*as[^(]*\($`)
	withWord = parse.Lazy(`(?i)^with\s`)
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
	name := unquote(s.Text[from+m[2] : from+m[3]])
	s.add(parse.Symbol{
		Name: name, Qualified: patterns.Join(parent, name), Parent: parent, Kind: "cte",
		Exported: parent == "",
	}, from+m[2], from+m[2]+len(asOpen().ReplaceAll(s.Code[from+m[2]:from+m[1]], nil)), stop)
	return max(stop, from+m[1])
}
