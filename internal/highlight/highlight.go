// Package highlight splits code into lines of spans in a few colours, as its
// language wants it, for pages and terminals.
package highlight

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// maxTime bounds how long a text is read for its colours, which takes some
// milliseconds unless an expression of its language is slow. What is left has none.
const maxTime = time.Second

// A Span is a part of a line in one colour.
type Span struct {
	Class Class
	Text  string
}

// A Class is what gets a colour of its own; the names are those of the style sheet.
type Class string

// The classes; what is in none of them has no colour.
const (
	None    Class = ""
	Type    Class = "t"
	Func    Class = "f"
	Keyword Class = "k"
	Number  Class = "m"
	String  Class = "s"
	Comment Class = "c"
)

// Lines splits a text into lines of spans. Its language is one of the name given,
// or else that of the file. Together the spans are the text without its line ends.
// It may be a part of a file, which begins within a string or a comment.
func Lines(file, language, text string) [][]Span {
	lexer := lexerOf(file, language)
	if lexer == nil {
		return plain(text)
	}
	switch opened, closed := inside(lexer.Config().Name, text); {
	case closed != "":
		lines := spans(lexer, opened+"\n"+text+"\n"+closed)
		return lines[1 : 2+strings.Count(strings.TrimSuffix(text, "\n"), "\n")]
	case opened != "":
		return spans(lexer, opened+"\n"+text)[1:]
	}
	return spans(lexer, text)
}

func spans(lexer chroma.Lexer, text string) [][]Span {
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return plain(text)
	}
	var lines painter
	end, rest := time.Now().Add(maxTime), text
	for n, token := 1, tokens(); token != chroma.EOF; n, token = n+1, tokens() {
		if !strings.HasPrefix(rest, token.Value) { // the lexer changed the text
			return plain(text)
		}
		lines.add(classOf(token.Type), token.Value)
		rest = rest[len(token.Value):]
		if n%64 == 0 && time.Now().After(end) {
			break
		}
	}
	lines.add(None, rest)
	return lines.lines
}

// lexerOf finds what reads a language, or else a file. The library's own search
// holds every pattern of every language against the name: 8 ms.
func lexerOf(file, language string) chroma.Lexer {
	for _, name := range []string{language, filekind.Of(file, nil).Language} {
		name = strings.ToLower(name)
		if l := named()[cmp.Or(alike[name], name)]; l != nil {
			return l
		}
	}
	return nil
}

// alike are languages that the library knows by another name, or as one that is
// written alike.
var alike = map[string]string{
	"gradle": "groovy", "svg": "xml", "maven pom": "xml", "html+eex": "html", "fortran free form": "fortran",
	"assembly":      "nasm",
	"unix assembly": "gas", "vim script": "viml", "emacs lisp": "emacslisp", "java properties": "properties",
	"editorconfig": "ini", "git config": "ini", "jsx": "react", "go module": "go", "ignore list": "bash",
}

// named are the languages that are known, by name and by alias, in lower case.
var named = sync.OnceValue(func() map[string]chroma.Lexer {
	all := map[string]chroma.Lexer{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		c := l.Config()
		for _, alias := range c.Aliases {
			all[strings.ToLower(alias)] = l
		}
	}
	for _, l := range lexers.GlobalLexerRegistry.Lexers { // a name is worth more than an alias
		all[strings.ToLower(l.Config().Name)] = l
	}
	return all
})

// plain is the lines of a text without colours.
func plain(text string) [][]Span {
	var lines painter
	lines.add(None, text)
	return lines.lines
}

// A painter gathers spans into lines.
type painter struct {
	lines [][]Span
	open  bool // the last line has not ended
}

func (p *painter) add(class Class, text string) {
	for part := range strings.Lines(text) {
		line, ended := strings.CutSuffix(part, "\n")
		if !p.open {
			p.lines = append(p.lines, nil)
		}
		p.open = !ended
		last := &p.lines[len(p.lines)-1]
		if n := len(*last); n > 0 && ((*last)[n-1].Class == class || strings.TrimSpace(line) == "") {
			(*last)[n-1].Text += line
		} else if line != "" {
			*last = append(*last, Span{class, line})
		}
	}
}

func classOf(t chroma.TokenType) Class {
	switch {
	case t == chroma.KeywordType, t.InSubCategory(chroma.NameBuiltin), t == chroma.NameClass:
		return Type
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameAttribute, t == chroma.NameDecorator:
		return Func
	case t == chroma.NameTag, t.InCategory(chroma.Keyword), t == chroma.OperatorWord, t == chroma.GenericHeading,
		t == chroma.GenericSubheading:
		return Keyword
	case t.InSubCategory(chroma.LiteralNumber):
		return Number
	case t.InCategory(chroma.Literal):
		return String
	case t.InCategory(chroma.Comment):
		return Comment
	}
	return None
}
