package patterns

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse/lex"
)

func webLanguages() []*Language {
	return []*Language{javaScript()}
}

// javaScript is for TypeScript too: what only that has does no harm.
func javaScript() *Language {
	const (
		export    = `^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?`
		modifiers = `^\s*(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract|declare|` +
			`accessor)\s+|\*\s*)*`
		method   = `(?P<name>#?{id})`
		value    = `\s*(?::[^=]+)?=\s*`
		function = `(?:async\s*)?(?:function\b|<|\(|{id}\s*=>)`
	)
	return &Language{
		names: []string{"JavaScript", "TypeScript", "TSX", "JSX", "Vue", "Svelte"},
		lexis: lex.NewLexis(
			lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.Quoted('"'), lex.Quoted('\''), lex.Template(),
			lex.Regex(lex.JSOperators),
		),
		brackets: lex.AllBrackets, newline: true,
		decorator: expression(`^\s*@`),
		exported:  javaScriptExported,
		patterns: []pattern{
			in(anywhere, "class", "class", export+`(?:abstract\s+)?class\s+{name}`),
			in(anywhere, "func", "function", export+`(?:async\s+)?function(?:\s+|\s*\*\s*){name}`),
			in(anywhere, "interface", "interface", export+`interface\s+{name}`, needsBody),
			in(anywhere, "enum", "enum", export+`(?:const\s+)?enum\s+{name}`, needsBody),
			in(anywhere, "namespace", "namespace", export+`namespace\s+(?P<name>{id}(?:\.{id})*)\s*\{?`, needsBody),
			in(anywhere, "namespace", "module", export+`module\s+(?P<name>{id}(?:\.{id})*)\s*\{?`, needsBody),
			in(outer, "type", "type", export+`type\s+{name}\s*(?:<.*)?(?:=|$)`),
			in(top, "func", "default", `^\s*export\s+default\s+(?:async\s+)?function\b`),
			in(top, "class", "default", `^\s*export\s+default\s+class\b`),
			in(top, "const", "default", `^\s*export\s+default\s*\{`, holds),
			in(top, "const", "exports", `^\s*module\.(?P<name>exports)\s*=\s*\{`, holds),
			in(top, "const", "export", `^\s*export\s+(?:declare\s+)?(?:const|let|var)\s+{name}`, holds),
			in(top, "const", "=", `^\s*(?:const|let|var)\s+{name}`+value+function, needsFunc),
			in(top, "const", "=", `^\s*(?:const|let|var)\s+{name}`+value+`\{`, needsBody, holds),
			in(top, "func", "=", `^\s*(?:module\.)?exports\.{name}\s*=\s*`+function, needsFunc),
			in(top, "method", "prototype", `^\s*(?P<parent>{id}(?:\.{id})*)\.prototype\.{name}\s*=\s*`+function, needsFunc),
			in(top, "func", "=", `^\s*(?P<parent>{id}(?:\.{id})*)\.{name}\s*=\s*`+function, needsFunc),
			in(member, "func", "(", modifiers+method+`\s*\??{generics}\(`, needsBody),
			in(member, "func", "(", modifiers+method+`\s*\??{generics}\(.*;\s*$`),
			in(member, "const", "=", modifiers+method+value+function, needsFunc),
			in(member, "func", ":", `^\s*`+method+`\s*:\s*(?:async\s+)?function\b`, needsBody),
			in(member, "const", ":", `^\s*`+method+`\s*:\s*(?:async\s*)?(?:\(|{id}\s*=>)`, needsFunc),
		},
	}
}

// jsExport matches the heads of what is exported by name.
var jsExport = expression(`^(?:export\b|(?:module\.)?exports\b|{id}\.)`)

// javaScriptExported is true for members too, unless they are private.
func javaScriptExported(d *decl) bool {
	if strings.HasPrefix(d.Name, "#") || strings.HasPrefix(d.Name, "_") {
		return false
	}
	if d.Kind == "method" {
		return !strings.HasPrefix(d.Signature, "private ") && !strings.HasPrefix(d.Signature, "protected ")
	}
	return jsExport().MatchString(d.Signature)
}
