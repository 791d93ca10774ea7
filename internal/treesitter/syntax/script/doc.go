package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// In JavaScript types are written in the comments before declarations, as TypeScript reads
// them: https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html. What a
// comment says that can't be read is as if it were not said.

// A doc is what the comment before a declaration says of it. Types are facts.Nothing where
// it says none.
type doc struct {
	params     map[string]facts.Expr
	places     []facts.Expr // of the parameters, but for what is said of properties of one
	result, is facts.Expr
	implements []facts.Expr
}

// comments are those with tags of a file.
type comments struct {
	before map[binder.At]binder.At // by what they stand before
	said   map[binder.At]*doc      // what they say, of those that were read
	names  map[string]bool         // what the file declares or imports, found as it is first asked for
}

// find finds the comments of a file, none but in JavaScript, and what they import.
func (c *comments) find(p *walker) {
	if !strings.HasPrefix(p.Language, "J") {
		return
	}
	c.before, c.said = map[binder.At]binder.At{}, map[binder.At]*doc{}
	for n := range binder.At(len(p.Nodes)) {
		if !isDoc(p, n) {
			continue
		}
		of := p.Nodes[n].Next
		for int(of) < len(p.Nodes) && p.Kind(of) == "comment" && !isDoc(p, of) {
			of = p.Nodes[of].Next
		}
		if int(of) < len(p.Nodes) && p.Parent(of) == p.Parent(n) {
			c.before[of] = n
		}
		typesImported(p, n)
	}
}

func isDoc(p *walker, n binder.At) bool {
	return p.Kind(n) == "comment" && strings.HasPrefix(p.TextAt(n), "/**")
}

// docOf is what the comment before a declaration says, of a value that before the statement
// which gives it a name; nil if there is none.
func docOf(p *walker, n binder.At) *doc {
	for ; n >= 0; n = p.Parent(n) {
		if c, ok := p.comments.before[n]; ok {
			if p.comments.said[c] == nil {
				p.comments.said[c] = readDoc(p, c)
			}
			return p.comments.said[c]
		}
		switch up := p.Parent(n); p.Kind(up) {
		case "variable_declarator", "assignment_expression", "pair", "field_definition", "export_statement",
			"expression_statement", "parenthesized_expression":
		case "lexical_declaration", "variable_declaration":
			if p.Nth(up, 0) != n { // it is said of the first
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// readDoc reads the tags of a comment.
func readDoc(p *walker, comment binder.At) *doc {
	d := doc{params: map[string]facts.Expr{}, result: facts.Nothing, is: facts.Nothing}
	generic := map[string]bool{}
	eachTag(p.TextAt(comment), func(name, typ string, _ int, behind string) {
		if name == "template" {
			for t := range strings.FieldsFuncSeq(behind, func(r rune) bool { return r == ',' || r == ' ' }) {
				generic[t] = true
			}
		}
	})
	eachTag(p.TextAt(comment), func(name, typ string, at int, behind string) {
		r := typeReader{p: p, text: typ, at: int(p.Nodes[comment].Start) + at, generic: generic}
		switch name {
		case "param", "arg", "argument":
			if name := documentedName(behind); typ != "" && !strings.Contains(name, ".") {
				d.places = append(d.places, r.whole())
				if _, said := d.params[name]; !said {
					d.params[name] = d.places[len(d.places)-1]
				}
			}
		case "returns", "return":
			d.result = r.whole()
		case "type":
			d.is = r.whole()
		case "implements":
			if e := r.whole(); e.Known() && !e.IsExternal() {
				d.implements = append(d.implements, e)
			}
		}
	})
	return &d
}

// documentedName is the name in "[name=1] what it is".
func documentedName(text string) string {
	text = strings.TrimLeft(text, " \t[")
	if i := strings.IndexAny(text, " \t]=\r\n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// longestDocType bounds the text of a type: a brace that nothing closes is looked for no farther.
const longestDocType = 4000

// eachTag calls f with the tags of a comment: the type in braces, where that begins, and what
// is behind it.
func eachTag(text string, f func(name, typ string, at int, behind string)) {
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		begin := at
		at += len(line)
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t/*"), "@")
		if !ok {
			continue
		}
		name := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
		behind := strings.TrimLeft(rest[len(name):], " \t")
		if !strings.HasPrefix(behind, "{") {
			f(name, "", 0, strings.TrimRight(behind, " \t\r\n*/"))
			continue
		}
		from := begin + len(line) - len(behind)
		if end := closing(text[from:min(len(text), from+longestDocType)]); end > 0 {
			after, _, _ := strings.Cut(text[from+end+1:], "\n")
			f(name, text[from+1:from+end], from+1, strings.TrimRight(after, " \t\r\n*/"))
		}
	}
}

// closing is where the brace is closed that a text begins with, or -1.
func closing(text string) int {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

// typesImported declares what "@typedef {import('x').Name} Name" does: the name is imported.
func typesImported(p *walker, comment binder.At) {
	eachTag(p.TextAt(comment), func(name, typ string, at int, behind string) {
		path, member, ok := importedType(strings.TrimSpace(typ))
		if local := documentedName(behind); name == "typedef" && ok && isWord(member) && isWord(local) {
			p.ImportedAt(int(p.Nodes[comment].Start)+at, facts.Import{Path: path, Name: member, Local: local})
		}
	})
}

// importedType takes "import('x').Name" apart.
func importedType(text string) (path, member string, ok bool) {
	rest, ok := strings.CutPrefix(text, "import(")
	path, behind, closed := strings.Cut(rest, ")")
	if !ok || !closed || len(path) < 2 || path[0] != '"' && path[0] != '\'' || path[len(path)-1] != path[0] {
		return "", "", false
	}
	return path[1 : len(path)-1], strings.TrimPrefix(behind, "."), true
}

func isWord(s string) bool { return s != "" && wordLength(s) == len(s) }

// wordLength is how much of a text is a name.
func wordLength(s string) int {
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '$' && c < 0x80 && (c < '0' || c > '9' || i == 0) &&
			(c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return i
		}
	}
	return len(s)
}
