package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse"
)

// sqlWords are words that stand where names may, and name nothing.
var sqlWords = resolve.Set(`
all and any array as asc begin between by call case cast check column commit constraint create cross current cursor
default delete desc distinct do drop each else end except exclude execute exists explain fetch for foreign from full
function grant group having if in index inner insert intersect into is join key lateral left like limit lock
loop merge minus natural new not nothing null of offset old on only or order outer over partition perform primary
procedure program raise references replace restrict return returning returns revoke right row rows select set stdin
stdout skip some table tablesample temp temporary then to trigger truncate union unique update using values view when
where while window with within nowait cascade matched straight_join use force ignore escape filter respect conflict`)

// A sqlStatement is what was read of a statement.
type sqlStatement struct {
	verb   string
	first  int             // the index of the verb
	refs   int             // the first of its references
	names  map[string]bool // of its common table expressions, and of tables that live in it only
	alias  map[string]bool
	parens []sqlParen
}

// A sqlParen is what is known of a bracket that is open.
type sqlParen struct {
	list  bool // a comma is followed by a further table
	plain bool // FROM in it is followed by no table: extract(year from x)
}

// A sqlReader finds the tables and routines that a script names.
type sqlReader struct {
	all  []sqlToken
	i    int
	s    sqlStatement
	refs []sqlUse
	temp map[string]bool // tables of the session, which the outline does not tell from others
	own  func(at int) bool
}

// A sqlUse is a name that is used.
type sqlUse struct {
	token  sqlToken
	schema string
	kind   facts.Kind
	alone  bool // it may be an alias that the statement binds behind it
}

func (q *sqlReader) read() {
	q.begin()
	for q.i < len(q.all) {
		q.step()
	}
	q.end()
}

func (q *sqlReader) begin() {
	q.s = sqlStatement{
		first: -1, refs: len(q.refs), names: map[string]bool{}, alias: map[string]bool{}, parens: []sqlParen{{}},
	}
}

// end takes away the references of a statement that are to names which it binds itself.
func (q *sqlReader) end() {
	kept := q.refs[:q.s.refs]
	for _, u := range q.refs[q.s.refs:] {
		name := strings.ToLower(u.token.text)
		bound := q.s.names[name] || q.temp[name] || u.alone && q.s.alias[name]
		if bound && u.schema == "" && u.kind != facts.Call {
			continue
		}
		kept = append(kept, u)
	}
	q.refs = kept
}

func (q *sqlReader) at(i int) sqlToken {
	if i < 0 || i >= len(q.all) {
		return sqlToken{}
	}
	return q.all[i]
}

func (q *sqlReader) low(i int) string { return q.at(i).low }

func (q *sqlReader) paren() *sqlParen { return &q.s.parens[len(q.s.parens)-1] }

// step reads what begins at the token.
func (q *sqlReader) step() {
	t := q.all[q.i]
	switch t.kind {
	case ';', '{', '}':
		q.i++
		q.end()
		q.begin()
	case '(':
		q.open()
	case ')':
		if q.i++; len(q.s.parens) > 1 {
			q.s.parens = q.s.parens[:len(q.s.parens)-1]
		}
	case ',':
		if q.i++; q.paren().list {
			q.table(facts.Read)
		}
	case 'q':
		q.routine()
	case 'w':
		if q.s.first < 0 || starts[t.low] && begins[q.low(q.i-1)] {
			q.s.verb, q.s.first = t.low, q.i
		}
		if !q.keyword(t) {
			q.routine()
		}
	default:
		q.i++
	}
}

var (
	// starts begin statements, and begins stand before them.
	starts = resolve.Set(
		"insert update delete select with perform execute merge fetch move truncate call revoke grant drop")
	begins = resolve.Set("begin then else loop as do")
	// extracting are functions with FROM between their arguments.
	extracting = resolve.Set("extract substring trim overlay position date_part")
	// objects are words behind ALTER, DROP, COMMENT ON and the like before something with rows.
	objects = resolve.Set("table tables view sequence only")
)

func (q *sqlReader) open() {
	p := sqlParen{plain: extracting[q.low(q.i-1)]}
	q.s.parens = append(q.s.parens, p)
	q.i++
}

// keyword reads what a word says that stands before names.
func (q *sqlReader) keyword(t sqlToken) bool {
	before := q.low(q.i - 1)
	switch t.low {
	case "from":
		q.from(before)
	case "join", "straight_join":
		q.i++
		q.table(facts.Read)
	case "into":
		if q.i++; before == "insert" || before == "merge" || before == "ignore" || before == "replace" {
			q.table(facts.Write)
		}
	case "update":
		if q.i++; !notUpdating[before] && q.at(q.i-2).kind != ',' && q.s.verb != "grant" && q.s.verb != "revoke" {
			q.table(facts.Write)
		}
	case "references", "inherits", "attach", "detach":
		q.behind(t.low)
	case "using":
		if q.i++; q.s.verb == "delete" || q.s.verb == "merge" {
			q.paren().list = true
			q.table(facts.Read)
		}
	case "table", "view", "sequence", "tables":
		q.object(before)
	case "on":
		q.on()
	case "of", "to", "truncate", "lock", "copy", "like", "by", "vacuum", "analyze", "cluster":
		q.further(t.low, before)
	case "delete", "merge":
		if q.i++; !notUpdating[before] && q.at(q.i-2).kind != ',' {
			q.s.verb = t.low
		}
	case "with":
		q.with()
	case "where", "group", "having", "order", "limit", "set", "union", "select", "returning", "window", "except",
		"intersect":
		q.paren().list = false
		q.i++
	case "as":
		q.i++
		if before == "table" { // REFERENCING NEW TABLE AS name, which a trigger's function sees
			q.temp[strings.ToLower(q.at(q.i).text)] = true
		}
	case "function", "procedure", "exec", "execute", "call", "proc":
		q.called(t.low)
	default:
		if !sqlWords[t.low] || q.at(q.i+1).kind == '.' {
			return false
		}
		q.i++
	}
	return true
}

// notUpdating are words before UPDATE where that is no statement.
var notUpdating = resolve.Set("for on do before after or of key no instead grant revoke")

func (q *sqlReader) from(before string) {
	q.i++
	switch {
	case q.paren().plain, before == "distinct", q.s.verb == "revoke", q.s.verb == "copy", q.s.verb == "fetch",
		q.s.verb == "move":
		return
	case before == "delete":
		q.table(facts.Write)
		return
	}
	q.paren().list = true
	q.table(facts.Read)
}

// behind reads the table behind some words.
func (q *sqlReader) behind(word string) {
	q.i++
	switch next := q.at(q.i); {
	case word == "references":
		q.table(facts.Read)
	case word == "inherits" && next.kind == '(':
		q.open()
		q.paren().list = true
		q.table(facts.Read)
	case next.low == "partition":
		q.i++
		q.table(facts.Write)
	}
}

// object reads what is created, altered, dropped or described.
func (q *sqlReader) object(before string) {
	kind, verb := q.low(q.i), q.s.verb
	q.i++
	switch verb {
	case "create":
		if q.i-1-q.s.first > 6 { // ON TABLE
			return
		}
		isTemp := false
		for i := q.s.first; i < q.i; i++ {
			isTemp = isTemp || q.low(i) == "temp" || q.low(i) == "temporary"
		}
		for q.low(q.i) == "if" || q.low(q.i) == "not" || q.low(q.i) == "exists" {
			q.i++
		}
		if isTemp && !q.own(q.at(q.i).at) {
			q.temp[strings.ToLower(q.at(q.i).text)] = true
		}
	case "alter", "drop", "comment", "truncate", "lock", "grant", "revoke":
		if before == "materialized" || before == "foreign" || before == "on" || q.i-2 <= q.s.first || kind != "view" {
			q.paren().list = verb != "alter"
			q.table(facts.Write)
		}
	}
}

// on reads what an index, a trigger or a policy is of, and what privileges are on.
func (q *sqlReader) on() {
	q.i++
	next := q.low(q.i)
	switch q.s.verb {
	case "create", "drop", "alter":
		if what := q.what(); what == "trigger" || what == "index" || what == "policy" || what == "rule" {
			q.table(facts.Read)
		}
	case "comment":
		if next == "column" {
			q.i++
			q.column()
		}
	case "grant", "revoke":
		if !objects[next] && (q.at(q.i).kind == 'q' || !notTables[next]) {
			q.paren().list = true
			q.table(facts.Read)
		}
	}
	if q.what() == "trigger" && q.s.verb == "comment" {
		q.table(facts.Read)
	}
}

// notTables are words behind ON of GRANT before something else.
var notTables = resolve.Set(`
schema database function functions procedure procedures routine routines all type domain language foreign tablespace large
parameter`)

// what is the kind of thing that a statement creates, drops or describes.
func (q *sqlReader) what() string {
	for i := q.s.first; i <= min(q.s.first+6, q.i); i++ {
		switch w := q.low(i); w {
		case "trigger", "index", "policy", "rule", "table", "view", "function", "procedure":
			return w
		}
	}
	return ""
}

// further reads words that stand before a table in few statements.
func (q *sqlReader) further(word, before string) {
	q.i++
	next := q.at(q.i)
	switch {
	case word == "of" && before == "partition", word == "to" && q.what() == "rule" && q.s.verb == "create",
		word == "copy" && q.s.first == q.i-1 && next.kind != '(':
		q.table(facts.Write)
	case q.s.first != q.i-1 && word != "like" && word != "by":
	case word == "truncate", word == "lock", word == "vacuum", word == "analyze", word == "cluster":
		if objects[next.low] {
			return
		}
		for w := q.low(q.i); w == "full" || w == "freeze" || w == "verbose" || w == "analyze"; w = q.low(q.i) {
			q.i++
		}
		q.paren().list = true
		q.table(facts.Write)
	case word == "like" && q.s.verb == "create" && q.what() == "table" && strings.IndexByte("(,", q.at(q.i-2).kind) >= 0:
		q.table(facts.Read)
	case word == "by" && before == "owned":
		q.column()
	}
}

// with reads the names of common table expressions.
func (q *sqlReader) with() {
	q.i++
	if q.low(q.i) == "recursive" {
		q.i++
	}
	q.expression()
}

// expression notes the name of a common table expression; those behind it are found by what
// stands between.
func (q *sqlReader) expression() {
	if t := q.at(q.i); t.kind == 'w' || t.kind == 'q' {
		if next := q.at(q.i + 1); next.low == "as" || next.kind == '(' {
			q.s.names[strings.ToLower(t.text)] = true
			q.i++
		}
	}
}

// path reads a name with what it belongs to.
func (q *sqlReader) path() (parts []sqlToken) {
	for {
		t := q.at(q.i)
		if t.kind != 'q' && (t.kind != 'w' || sqlWords[t.low] && len(parts) == 0) {
			return parts
		}
		parts = append(parts, t)
		if q.i++; q.at(q.i).kind != '.' {
			return parts
		}
		q.i++
	}
}

var beforeTables = resolve.Set("only lateral if exists not table")

// table reads a table that is named, and its alias. What is called instead is left to others.
func (q *sqlReader) table(kind facts.Kind) {
	for beforeTables[q.low(q.i)] {
		q.i++
	}
	if q.at(q.i).kind == '(' && q.low(q.i+1) != "select" && q.low(q.i+1) != "with" && q.low(q.i+1) != "values" {
		if kind == facts.Read && q.paren().list {
			q.open()
			q.table(kind)
		}
		return
	}
	from := q.i
	parts := q.path()
	if len(parts) == 0 {
		return
	}
	if q.at(q.i).kind == '(' && kind == facts.Read && (q.low(from-1) == "from" || q.low(from-1) == "join" ||
		q.at(from-1).kind == ',' || q.low(from-1) == "lateral") {
		q.i = from // a function
		return
	}
	q.use(parts, kind, kind == facts.Write)
	q.aliased()
}

// aliased notes the alias of a table.
func (q *sqlReader) aliased() {
	if q.low(q.i) == "as" {
		q.i++
	}
	if t := q.at(q.i); t.kind == 'q' || t.kind == 'w' && !sqlWords[t.low] && q.at(q.i+1).kind != '.' {
		q.s.alias[strings.ToLower(t.text)] = true
		q.i++
	}
}

// column reads the column of a table.
func (q *sqlReader) column() {
	if parts := q.path(); len(parts) > 1 {
		q.use(parts[:len(parts)-1], facts.Read, false)
	}
}

// called reads a routine that is named without its arguments, perhaps.
func (q *sqlReader) called(word string) {
	q.i++
	if q.s.verb == "create" && (word == "function" || word == "procedure" || word == "proc") && q.low(q.i-2) != "execute" {
		return // its declaration, in which others follow
	}
	for w := q.low(q.i); w == "if" || w == "exists" || w == "function" || w == "procedure"; w = q.low(q.i) {
		q.i++
	}
	if parts := q.path(); len(parts) > 0 {
		q.use(parts, facts.Call, false)
	}
}

// routine reads a name that may be called.
func (q *sqlReader) routine() {
	parts := q.path()
	switch {
	case len(parts) == 0:
		q.i++
	case q.at(q.i).kind == '(':
		q.use(parts, facts.Call, false)
	case q.low(q.i) == "as" && q.at(q.i+1).kind == '(', q.low(q.i) == "as" && q.low(q.i+1) == "materialized",
		q.low(q.i) == "as" && q.low(q.i+1) == "not":
		q.s.names[strings.ToLower(parts[0].text)] = true // of a further common table expression
	}
}

// maxSQLName is the longest name that is kept.
const maxSQLName = 100

// use notes what is named.
func (q *sqlReader) use(parts []sqlToken, kind facts.Kind, alone bool) {
	last := parts[len(parts)-1]
	if q.own(last.at) || !plainName(last.text) {
		return
	}
	u := sqlUse{token: last, kind: kind, alone: alone && len(parts) == 1}
	if len(parts) > 1 {
		if u.schema = strings.ToLower(parts[len(parts)-2].text); !plainName(u.schema) {
			return
		}
	}
	q.refs = append(q.refs, u)
}

// plainName reports whether a name is of letters, digits and "_" only.
func plainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= 0x80 || !isStart(c) && !isDigit(c) {
			return false
		}
	}
	return name != "" && len(name) <= maxSQLName
}

// readSQL reads the facts of a script.
func readSQL(r *reader, outline []parse.Symbol) {
	tokens := sqlTokens(r.src.Text)
	for _, t := range tokens {
		if t.kind == 'w' || t.kind == 'q' {
			r.names = append(r.names, word{t.text, t.at})
		}
	}
	r.declare(outline)
	q := &sqlReader{all: tokens, temp: map[string]bool{}, own: func(at int) bool { _, ok := r.at[at]; return ok }}
	q.read()
	for _, u := range q.refs {
		line, column, in := r.position(u.token.at)
		r.file.Refs = append(r.file.Refs, facts.Ref{
			Name: u.token.text, Kind: u.kind, Of: facts.Dotted(u.schema), Bare: u.schema == "", In: in, Line: line,
			Column: column,
		})
	}
}
