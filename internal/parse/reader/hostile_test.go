package reader_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/cputime"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// testLanguages are the names that the tests try: one for each block style,
// kind of lexis and document format.
var testLanguages = []string{
	"", "Go", "Python", "JavaScript", "TypeScript", "Java", "Kotlin", "C#", "C", "C++", "Objective-C", "Rust", "Ruby",
	"PHP",
	"Shell", "Lua", "SQL", "Perl", "R", "Julia", "Elixir", "Erlang", "Haskell", "OCaml", "F#", "Scala", "Groovy", "Swift",
	"Zig",
	"Dart", "Solidity", "PowerShell", "Vim Script", "CMake", "Makefile", "Dockerfile", "TeX", "Fortran", "Assembly",
	"JSON", "YAML",
	"TOML", "HCL", "Protocol Buffer", "GraphQL", "Thrift", "Clojure", "Nim", "Markdown", "reStructuredText", "AsciiDoc",
	"Org", "Text",
	"Jupyter Notebook", "HTML", "CSS", "SCSS", "Less",
}

// fileOf is a file whose path makes documents of the document languages.
func fileOf(language, text string) parse.File {
	ext := map[string]string{"Text": ".txt", "C": ".h", "C++": ".hpp"}[language]
	return parse.File{Path: "dir/file" + ext, Language: language, Text: text}
}

// TestHostile parses text that is no code as every language.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	for name, text := range hostile(3000) {
		t.Run(name, func(t *testing.T) {
			for _, language := range testLanguages {
				check(t, text, reader.Parse(fileOf(language, text)))
			}
		})
	}
}

// TestLinear parses text that makes careless parsers take quadratic time or
// space, which would be minutes at this size. The limit is generous for what
// takes some hundred milliseconds.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("parses 3 MB")
	}
	texts := hostile(200_000)
	texts["long line"] = strings.Repeat("f(a[{", 40_000)
	for name, language := range map[string]string{
		"calls": "C", "classes": "JavaScript", "indents": "Python", "heredocs": "Shell", "templates": "TypeScript",
		"regexes": "JavaScript",
		"quoting": "Perl", "directives": "C++", "links": "Markdown", "creates": "SQL", "generics": "Dart", "arrows": "Go",
		"parens": "Go", "interfaces": "Objective-C", "noise": "Ruby", "long line": "Java",
	} {
		start := cputime.Used()
		out := reader.Parse(fileOf(language, texts[name]))
		if took := cputime.Used() - start; took > hang {
			t.Errorf("%s as %s: %v for %d bytes", name, language, took, len(texts[name]))
		}
		check(t, texts[name], out)
	}
}

// hostile are texts of about n bytes.
func hostile(n int) map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	const alphabet = "\n\t  (){}[]<>'\"`/*#=:;,-$%@~!_.\\abcdefEOF019"
	noise := make([]byte, n)
	for i := range noise {
		noise[i] = alphabet[random.IntN(len(alphabet))]
	}
	texts := map[string]string{"noise": string(noise)}
	for name, unit := range map[string]string{
		"calls": "f(\n", "parens": "(((((((((\n", "braces": "{\n", "classes": "class A {\n", "indents": "def f():\n ",
		"heredocs":  "x <<EOF\n",
		"templates": "`${\n", "quotes": "\"'\n", "regexes": "/[\n", "quoting": "q{%w(\n", "comments": "/* /*\n",
		"nested":     "(* {- #=\n",
		"directives": "#if A\n{\n#else\n", "fences": "```\n~~~\n", "links": "[a](b [[c <d> *e _f\n", "headings": "# a\n",
		"underlines": "a\n=\n",
		"creates":    "create table t\n", "functions": "int f(int a) {\n", "dollars": "$a$ $b$\n",
		"generics": "A<B<C<D>> f(x)\n",
		"tags":     "<div id=a><h2>x<a b=\"\n", "scripts": "<script>\n", "comparisons": "a </ <\n",
		"rules": "a{b:c;(url(#{\n", "selectors": "a, &b {\n",
		"routines": " create function f() begin\n", "members": "procedure p is begin\n", "queries": "with a as (\n",
		"endless":    "create table t (';\n",
		"sequences":  "- - a: |\n",
		"decorators": "@a(\n", "blank": "\n", "keys": "a:\n", "interfaces": "@interface A\n", "arrows": "const a = (b) =>\n",
		"cells": "[{\"cells\": [\n",
	} {
		texts[name] = strings.Repeat(unit, n/len(unit))
	}
	return texts
}

// TestLinearPages does the same for what is read by code of its own, with lines
// of megabytes among short ones, without which the file would be minified.
func TestLinearPages(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it parses 10 MB")
	}
	texts := hostile(200_000)
	var deep strings.Builder
	for i := range 2000 {
		deep.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	texts["deep"] = deep.String()
	short := strings.Repeat("\n.a{}", 3000)
	for name, unit := range map[string]string{
		"long rules": ".a{b:url(;}", "long places": "#{", "long parens": "(;", "long tags": "<a b='", "long headings": "<h2>",
		"long ends":       "</",
		"long statements": "x;", "long creates": "create table t;", "long names": "[a'", "long strings": "' ",
		"long dollars": "$a$",
	} {
		texts[name] = strings.Repeat(unit, 500_000/len(unit)) + short
	}
	for _, c := range []struct{ language, names string }{
		{"HTML", "tags scripts comparisons noise/long tags/long headings/long ends/comments/quotes"},
		{"CSS", "rules selectors noise/long rules/long parens/comments/quotes"},
		{"SCSS", "rules selectors noise/long rules/long places/long parens"},
		{"SQL", "routines members queries endless creates noise dollars/long statements/long creates/long names/long " +
			"strings/long dollars"},
		{"YAML", "sequences keys noise indents deep/long rules"},
	} {
		for names := range strings.SplitSeq(c.names, "/") {
			for _, name := range namesOf(names) {
				text := texts[name]
				start := cputime.Used()
				out := reader.Parse(fileOf(c.language, text))
				if took := cputime.Used() - start; took > hang {
					t.Errorf("%s as %s: %v for %d bytes", name, c.language, took, len(text))
				}
				check(t, text, out)
			}
		}
	}
}

// namesOf are the words of names, or the one name of two words.
func namesOf(names string) []string {
	if strings.HasPrefix(names, "long ") {
		return []string{names}
	}
	return strings.Fields(names)
}

// check reports an outline that breaks the promises of its types.
func check(t *testing.T, text string, out parse.Outline) {
	t.Helper()
	lines := parse.Lines(text)
	if out.Lines != lines {
		t.Errorf("Lines = %d, want %d", out.Lines, lines)
	}
	last := 0
	for _, s := range out.Symbols {
		if s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > lines || s.StartLine < last {
			t.Fatalf("%s %s: lines %d-%d of %d, behind line %d", s.Kind, s.Qualified, s.StartLine, s.EndLine, lines, last)
		}
		if s.Qualified == "" || s.Kind == "" || strings.ContainsAny(s.Signature, "\n\r") || len(s.Signature) > 300 {
			t.Fatalf("bad symbol %+v", s)
		}
		last = s.StartLine
	}
	last = 0
	for i, s := range out.Sections {
		if s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > lines || s.StartLine < last {
			t.Fatalf("%s: lines %d-%d of %d, behind line %d", s.Heading, s.StartLine, s.EndLine, lines, last)
		}
		if s.Parent >= i || s.Parent < -1 || s.Slug == "" || s.Heading == "" || s.Title == "" || s.HeadingLevel > 6 ||
			len(s.HeaderPath) == 0 {
			t.Fatalf("bad section %d: %+v", i, s)
		}
		last = s.StartLine
	}
}
