package patterns

import "github.com/ragnav/ragnav/internal/parse/lex"

func functionalLanguages() []*Language {
	return []*Language{haskell(), ocaml(), fSharp(), elixir(), erlang(), lisp(), nim(), nix()}
}

func haskell() *Language {
	return &Language{
		names: []string{"Haskell", "PureScript", "Elm", "Idris"},
		lexis: lex.NewLexis(pragma(), lex.NestedComment("{-", "-}"), dashComment(), lex.Quoted('"'), lex.Char()),
		style: running, clauses: true,
		pkg: expression(`^(?:port\s+)?module\s+([\w.]+)`),
		patterns: []pattern{
			in(anywhere, "func", "::", `^(?P<name>[a-z_][\w']*|\([^\w\s()]+\))\s*(?:,\s*[\w', ]+)?::`),
			in(member, "func", "::", `^(?: {1,4}|\t)(?P<name>[a-z_][\w']*|\([^\w\s()]+\))\s*(?:,\s*[\w', ]+)?::`),
			in(anywhere, "func", "pattern", `^pattern\s+(?P<name>[A-Z][\w']*)`),
			in(anywhere, "func", "foreign", `^foreign\s+import\s.*?(?P<name>[a-z_][\w']*)\s*::`),
			in(anywhere, "func", " : ", `^(?P<name>[a-z_][\w']*)\s+:\s`),
			in(anywhere, "type", "data", `^data\s+(?:family\s+|instance\s+)?(?:.*=>\s*)?(?P<name>[A-Z][\w']*)`),
			in(anywhere, "type", "type", `^(?:newtype|type(?:\s+alias|\s+family)?)\s+(?:instance\s+)?(?P<name>[A-Z][\w']*)`),
			in(anywhere, "class", "class", `^class\s+(?:.*=>\s*)?(?P<name>[A-Z][\w']*)`),
			in(anywhere, "impl", "instance", `^(?:deriving\s+(?:\w+\s+)?)?instance\s+(?:.*=>\s*)?(?P<name>[A-Z].*?)\s*(?:where.*)?$`),
			in(anywhere, "", "", `^(?:data|newtype|type|class|instance|module|import|infix[lr]?|deriving|default|foreign|`+
				`pattern|port|where|let|in|if|then|else|case|of)\b`, none),
			in(anywhere, "func", "", `^(?P<name>[a-z_][\w']*)\s*$`, further), // its type is below
			// An equation without a signature; those of one function, and of a signature, are one.
			in(anywhere, "func", "", `^(?P<name>[a-z_][\w']*)(?:\s+[\w'"()\[\]{},@~!:.\s-]*?)?\s*(?:=(?:[^=>]|$)|\|[^|])`),
		},
	}
}

// pragma is Haskell's {-# … #-}, which may be between a comment and what it
// documents.
func pragma() lex.Rule {
	r := lex.BlockComment("{-#", "#-}")
	r.Silent = true
	return r
}

// dashComment is "--" that is not part of an operator like "-->".
func dashComment() lex.Rule {
	r := lex.LineComment("--")
	end := r.End
	r.End = func(l *lex.Lexer, i int) int {
		j := i
		for j < len(l.Text) && l.Text[j] == '-' {
			j++
		}
		if j < len(l.Text) && (l.Text[j] == '>' || l.Text[j] == '<') {
			return i
		}
		return end(l, i)
	}
	return r
}

func ocaml() *Language {
	return &Language{
		names: []string{"OCaml", "Reason", "Standard ML"},
		lexis: lex.NewLexis(lex.NestedComment("(*", "*)"), lex.Closed(`"`, `"`, true), lex.Char()),
		style: running,
		patterns: []pattern{
			in(anywhere, "func", "let", `^let\s+(?:rec\s+)?(?P<name>[a-z_][\w']*|\(\s*[^\w\s()]+\s*\))`),
			in(anywhere, "func", "fun", `^fun\s+(?P<name>[a-z_][\w']*)`),
			in(anywhere, "type", "and",
				`^and\s+(?:\([^)]*\)\s*|[+-]?'\w+\s+)?(?P<name>[a-z_][\w']*)\s*=\s*(?:private\b|[{|<]|[A-Z]\w*(?:\s*\||\s+of\b|\s*$)|$)`),
			in(anywhere, "func", "and", `^and\s+(?P<name>[a-z_][\w']*)`),
			in(anywhere, "func", "val", `^val\s+(?P<name>[a-z_][\w']*)\s*:`, further),
			in(anywhere, "func", "external", `^external\s+(?P<name>[a-z_][\w']*)`),
			in(anywhere, "type", "type", `^type\s+(?:[^=(]*?\s|\([^)]*\)\s*)?(?P<name>[a-z_][\w']*)\s*(?:=|$)`),
			in(anywhere, "module", "module", `^module\s+(?:type\s+|rec\s+)?(?P<name>[A-Z][\w']*)`),
			in(member, "func", "", `^ {2}(?:let(?:\s+rec)?|val|external)\s+(?P<name>[a-z_][\w']*|\(\s*[^\w\s()]+\s*\))`),
			in(member, "type", "type", `^ {2}type\s+(?:nonrec\s+)?(?:[^=(]*?\s|\([^)]*\)\s*)?(?P<name>[a-z_][\w']*)\s*(?:=|$|\[@)`),
			in(anywhere, "class", "class", `^class\s+(?:virtual\s+)?(?:\[[^\]]*\]\s*)?(?P<name>[a-z_][\w']*)`),
			in(anywhere, "type", "exception", `^exception\s+(?P<name>[A-Z][\w']*)`),
		},
	}
}

func fSharp() *Language {
	return &Language{
		names: []string{"F#"},
		lexis: lex.NewLexis(
			lex.NestedComment("(*", "*)"), lex.LineComment("//"), lex.Closed(`"""`, `"""`, false), lex.Closed(`"`, `"`, true),
			lex.Char(),
		),
		style: indented, keep: true, brackets: lex.AllBrackets,
		decorator: expression(`^\s*\[<`),
		pkg:       expression(`^(?:namespace|module)\s+(?:rec\s+)?([\w.]+)\s*$`),
		exported:  notByWord("private|internal"),
		patterns: []pattern{
			in(anywhere, "module", "module", `^\s*module\s+(?:rec\s+|private\s+|internal\s+)*(?P<name>[\w.]+)\s*=`),
			in(outer, "func", "let", `^\s*let\s+(?:(?:rec|inline|private|internal|mutable)\s+)*(?P<name>[a-z_A-Z][\w']*|`+"``[^`]+``"+`)`),
			in(outer, "type", "type", `^\s*type\s+(?:(?:private|internal)\s+)?(?P<name>[A-Z][\w']*)`, holds),
			in(member, "method", "member", `^\s*(?:static\s+)?(?:abstract\s+)?member\s+(?:inline\s+)?(?:\w+\.)?{name}`),
			in(member, "method", "", `^\s*(?:override|default)\s+\w+\.{name}`),
		},
	}
}

func elixir() *Language {
	return &Language{
		names: []string{"Elixir"},
		lexis: lex.NewLexis(
			lex.WordComment("#"), lex.BlockComment(`@doc """`, `"""`), lex.BlockComment(`@moduledoc """`, `"""`),
			lex.Closed(`"""`, `"""`, true), lex.Closed("'''", "'''", true), lex.Closed(`~s"""`, `"""`, false),
			lex.Quoted('"'), lex.Quoted('\''), lex.Percent("~r", 1), lex.Percent("~s", 1), lex.Percent("~w", 1),
			lex.Percent("~S", 1),
		),
		style: indented, brackets: lex.AllBrackets, keep: true, clauses: true,
		innerDoc:  `@moduledoc """`,
		closer:    expression(`^\s*end\b`),
		joins:     expression(`^\s*(?:rescue|catch|after|else|do)\b`),
		decorator: expression(`^\s*@(?:doc|spec|impl|moduledoc|deprecated|typedoc|since)\b`),
		exported:  notByWord("defp|defmacrop"),
		patterns: []pattern{
			in(anywhere, "module", "defmodule", `^\s*defmodule\s+(?P<name>[\w.]+)`),
			in(anywhere, "interface", "defprotocol", `^\s*defprotocol\s+(?P<name>[\w.]+)`),
			in(anywhere, "impl", "defimpl", `^\s*defimpl\s+(?P<name>[\w.]+)`),
			in(anywhere, "macro", "defmacro", `^\s*defmacrop?\s+(?P<name>[\w]+[?!]?)`),
			in(anywhere, "func", "def", `^\s*(?:def|defp|defguard|defdelegate)\s+(?P<name>[\w]+[?!]?)`),
			in(anywhere, "test", "test", `^\s*test\s+"(?P<name>[^"]+)"`, raw),
		},
	}
}

func erlang() *Language {
	return &Language{
		names: []string{"Erlang"},
		lexis: lex.NewLexis(lex.LineComment("%"), lex.BlockComment(`-doc """`, `"""`), lex.BlockComment(`-doc "`, `"`),
			lex.BlockComment(`-moduledoc """`, `"""`), lex.BlockComment(`-moduledoc "`, `"`),
			lex.Closed(`"""`, `"""`, false), lex.Quoted('"'), lex.Quoted('\'')),
		style: running, brackets: lex.AllBrackets, clauses: true, stop: '.',
		decorator: expression(`^\s*(?:\.\s*$|-doc\b)`),
		pkg:       expression(`^-module\(([\w@]+)\)`),
		patterns: []pattern{
			in(anywhere, "type", "-type", `^-(?:type|opaque)\s+(?P<name>[a-z][\w@]*)`),
			in(anywhere, "struct", "-record", `^-record\(\s*(?P<name>[a-z][\w@]*)`),
			in(anywhere, "macro", "-define", `^-define\(\s*(?P<name>\w+)`),
			in(anywhere, "func", "(", `^(?:-spec\s+|-callback\s+)?(?P<name>[a-z][\w@]*)\s*\(`),
		},
	}
}

func lisp() *Language {
	const name = `(?P<name>[^\s()"';]+)`
	return &Language{
		names: []string{"Clojure", "Common Lisp", "Emacs Lisp", "Scheme", "Racket", "Fennel", "Janet"},
		lexis: lex.NewLexis(lex.NestedComment("#|", "|#"), lispComment(), lex.Closed(`"`, `"`, true)),
		style: indented, keep: true, brackets: "", docstrings: true,
		closer: expression(`^\s*\)`),
		pkg:    expression(`^\((?:ns|in-package|defpackage)\s+[:#']*([\w.-]+)`),
		patterns: []pattern{
			in(top, "macro", "macro", `^\((?:cl-)?(?:defmacro|define-macro|define-syntax)\s+\(?`+name),
			in(top, "func", "def",
				`^\((?:cl-)?(?:defn-?|defun|defsubst|defmulti|defmethod|defgeneric|define-inline|defalias|fn|`+
					`define)\*?\s+(?:\^(?:\{[^}]*\}|\S+)\s+)*[(']?`+name),
			in(top, "struct", "def", `^\((?:cl-)?(?:defstruct|defrecord|deftype|defclass|define-record-type|struct)\s+\(?`+name),
			in(top, "interface", "defprotocol", `^\(defprotocol\s+`+name),
			in(member, "method", "[", `^ {2}\(`+name+`\s+\[`),
			in(top, "test", "deftest", `^\((?:ert-)?deftest\s+`+name),
			in(top, "var", "def",
				`^\((?:def|defvar|defparameter|defconst|defconstant|defcustom|defonce|defgroup)\s+(?:\^(?:\{[^}]*\}|\S+)\s+)*`+name),
		},
	}
}

// lispComment is a ";" that is not the character "\;" or "?;".
func lispComment() lex.Rule {
	r := lex.LineComment(";")
	end := r.End
	r.End = func(l *lex.Lexer, i int) int {
		if i > 0 && (l.Text[i-1] == '\\' || l.Text[i-1] == '?') {
			return i
		}
		return end(l, i)
	}
	return r
}

func nim() *Language {
	return &Language{
		names: []string{"Nim"},
		lexis: lex.NewLexis(lex.NestedComment("#[", "]#"), lex.LineComment("#"), lex.Closed(`"""`, `"""`, false),
			lex.Quoted('"'), lex.Char()),
		style: indented, brackets: lex.AllBrackets, keep: true,
		exported: func(d *decl) bool { return nimExport().MatchString(d.Signature) },
		patterns: []pattern{
			in(anywhere, "func", "", `^\s*(?:proc|func|method|iterator|converter)\s+`+"(?P<name>{id}|`[^`]+`)"),
			in(anywhere, "macro", "", `^\s*(?:template|macro)\s+{name}`),
			in(anywhere, "type", "=",
				`^\s+{name}\*?(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\.\})?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|concept)\b`),
		},
	}
}

var nimExport = expression("^\\s*(?:\\w+\\s+)?(?:{id}|`[^`]+`)\\*")

// nix finds the outermost names that a file binds, by how far they are to the right.
func nix() *Language {
	const name = `^\s*(?P<name>[A-Za-z_][\w'-]*)\s*=`
	return &Language{
		names: []string{"Nix"},
		lexis: lex.NewLexis(lex.BlockComment("/*", "*/"), lex.LineComment("#"), lex.NixString(`"`), lex.NixString("''")),
		style: indented, keep: true,
		closer: expression(`^\s*[\])}]+\s*;`),
		patterns: []pattern{
			in(top, "func", "", name+`\s*(?:[A-Za-z_][\w'-]*\s*:(?:\s|$)|\{[^{}=;]*\}\s*:)`),
			in(top, "var", "=", name+`(?:[^=]|$)`),
		},
	}
}
