package patterns

import "github.com/ragnav/ragnav/internal/parse/lex"

func jvmLanguages() []*Language {
	return []*Language{java(), cSharp(), kotlin(), scala(), groovy(), dart()}
}

// curlyLexis is for languages with C's comments and one line strings.
func curlyLexis(more ...lex.Rule) *lex.Lexis {
	return lex.NewLexis(append(more, lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.Quoted('"'), lex.Char())...)
}

// typedMember is a method with its return type before its name.
const typedMember = `{generics}\s*{at}(?:(?P<type>(?:[\w.$]+{generics}|\([^()]*\))(?:\[[\], ` +
	`]*\]|\?|\s*\*)*)\s+)?(?:[\w.]+{generics}\.)?{name}\s*{generics}\(`

func java() *Language {
	const modifiers = `^\s*{at}(?:(?:public|protected|private|static|final|abstract|synchronized|native|strictfp|` +
		`default|sealed|non-sealed)\s+)*{at}`
	return &Language{
		names: []string{"Java", "Processing"}, lexis: curlyLexis(lex.Closed(`"""`, `"""`, true)), brackets: lex.AllBrackets,
		flat:      true,
		decorator: expression(`^\s*@`),
		pkg:       expression(`^\s*package\s+([\w.]+)`),
		exported:  publicByWord("public"),
		patterns: []pattern{
			in(anywhere, "class", "class", modifiers+`class\s+{name}`, needsBody),
			in(outer, "record", "record", modifiers+`record\s+{name}\s*[<(]`, needsBody),
			in(outer, "interface", "interface", modifiers+`@?interface\s+{name}`, needsBody),
			in(outer, "enum", "enum", modifiers+`enum\s+{name}`, needsBody),
			in(member, "", "", `^\s*(?:return|throw|new|else|case|package|import)\b`, none),
			in(member, "method", "(", modifiers+typedMember, constructor),
		},
	}
}

func cSharp() *Language {
	const modifiers = `^\s*(?:\[[^\]]*\]\s*)*(?:(?:public|private|protected|internal|static|virtual|override|abstract|` +
		`sealed|async|partial|readonly|extern|unsafe|new|ref|file|required)\s+)*`
	return &Language{
		names: []string{"C#"},
		lexis: curlyLexis(
			lex.Closed(`$"""`, `"""`, false), lex.Closed(`"""`, `"""`, false), lex.Closed(`$@"`, `"`, false),
			lex.Closed(`@$"`, `"`, false),
			lex.Closed(`@"`, `"`, false), lex.Directive(),
		),
		brackets: lex.AllBrackets, directives: true, flat: true,
		decorator: expression(`^\s*\[[A-Za-z][^=]*\]?\s*$|^\s*\[[A-Za-z].*\]\s*$`),
		pkg:       expression(`^\s*namespace\s+([\w.]+)`),
		exported:  publicByWord("public"),
		patterns: []pattern{
			in(outer, "namespace", "namespace", `^\s*namespace\s+(?P<name>[\w.]+)`, needsBody, hidden),
			in(outer, "class", "class", modifiers+`class\s+{name}`),
			in(outer, "record", "record", modifiers+`record\s+(?:class\s+|struct\s+)?{name}\s*[<({;:]?`),
			in(outer, "struct", "struct", modifiers+`struct\s+{name}`),
			in(outer, "interface", "interface", modifiers+`interface\s+{name}`),
			in(outer, "enum", "enum", modifiers+`enum\s+{name}`),
			in(outer, "type", "delegate", modifiers+`delegate\s+[\w.<>\[\], ?]+\s+{name}\s*{generics}\(`),
			in(member, "", "", `^\s*(?:return|throw|else|case|using|get|set)\b`, none),
			in(member, "method", "(", modifiers+typedMember, constructor),
			in(member, "method", "operator", modifiers+`[\w.<>]+\s+(?P<name>operator\s*[^\s(]+)\s*\(`),
			in(member, "property", "", modifiers+`[\w.]+{generics}(?:\[\]|\?)*\s+{name}\s*(?:\{|$|=>)`, needsBody),
		},
	}
}

func kotlin() *Language {
	const modifiers = `^\s*{at}(?:(?:public|private|protected|internal|open|abstract|final|sealed|data|inline|value|` +
		`inner|override|suspend|operator|infix|tailrec|external|expect|actual|lateinit|const|companion|annotation|fun)\s+)*`
	return &Language{
		names: []string{"Kotlin"}, lexis: curlyLexis(lex.Closed(`"""`, `"""`, false)), brackets: lex.AllBrackets,
		newline:   true,
		decorator: expression(`^\s*@`),
		pkg:       expression(`^\s*package\s+([\w.]+)`),
		exported:  notByWord("private|internal|protected"),
		patterns: []pattern{
			in(outer, "enum", "enum", modifiers+`enum\s+class\s+{name}`),
			in(anywhere, "class", "class", modifiers+`class\s+{name}`),
			in(outer, "interface", "interface", modifiers+`interface\s+{name}`),
			in(outer, "object", "object", `^\s*(?:private\s+)?companion\s+object\s*(?::.*)?\{`, needsBody, hidden),
			in(outer, "object", "object", modifiers+`object\s+{name}`),
			in(anywhere, "func", "fun",
				`^\s*{at}(?:\w+\s+)*?fun\s+(?:<[^()]*?>\s*)?(?:(?P<parent>{id}(?:\.{id})*){generics}\??\.)?(?P<name>{id}|`+
					"`[^`]+`"+`)\s*\(`),
			in(outer, "type", "typealias", modifiers+`typealias\s+{name}`),
			in(top, "const", "val", modifiers+`val\s+{name}\b`),
		},
	}
}

func scala() *Language {
	const modifiers = `^\s*{at}(?:(?:private|protected)(?:\[\w+\])?\s+|(?:final|sealed|abstract|implicit|lazy|override|` +
		`case|inline|opaque|transparent|open|infix)\s+)*`
	return &Language{
		names: []string{"Scala"},
		lexis: lex.NewLexis(lex.Closed(`"""`, `"""`, false), lex.NestedComment("/*", "*/"), lex.LineComment("//"),
			lex.Quoted('"'), lex.Char()),
		style: indented, keep: true,
		closer:    expression(`^\s*[})\]]`),
		joins:     expression(`^\s*(?:\{|with\b|extends\b)`),
		decorator: expression(`^\s*@`),
		pkg:       expression(`^\s*package\s+([\w.]+)`),
		exported:  notByWord("private|protected"),
		header:    "{",
		patterns: []pattern{
			in(anywhere, "class", "class", modifiers+`class\s+{name}`),
			in(anywhere, "trait", "trait", modifiers+`trait\s+{name}`),
			in(anywhere, "object", "object", modifiers+`(?:package\s+)?object\s+{name}`),
			in(anywhere, "enum", "enum", modifiers+`enum\s+{name}`),
			in(outer, "func", "def", modifiers+`def\s+(?P<name>{id}|[^\s\w(\[:=]+)`),
			in(outer, "type", "type", modifiers+`type\s+{name}`),
			in(outer, "const", "given", modifiers+`given\s+{name}`),
		},
	}
}

func groovy() *Language {
	const modifiers = `^\s*{at}(?:(?:public|protected|private|static|final|abstract|synchronized|def)\s+)*`
	return &Language{
		names: []string{"Groovy", "Gradle"},
		lexis: lex.NewLexis(
			lex.Closed(`"""`, `"""`, true), lex.Closed("'''", "'''", true), lex.BlockComment("/*", "*/"), lex.LineComment("//"),
			lex.Quoted('"'), lex.Quoted('\''), lex.Regex(lex.JSOperators),
		),
		brackets: lex.AllBrackets, newline: true,
		decorator: expression(`^\s*@`),
		pkg:       expression(`^\s*package\s+([\w.]+)`),
		exported:  notByWord("private|protected"),
		patterns: []pattern{
			in(anywhere, "class", "class", modifiers+`(?:class|trait)\s+{name}`, needsBody),
			in(anywhere, "interface", "interface", modifiers+`interface\s+{name}`, needsBody),
			in(anywhere, "enum", "enum", modifiers+`enum\s+{name}`, needsBody),
			in(outer, "", "", `^\s*(?:return|throw|new|else|case|package|import)\b`, none),
			in(top, "func", "def", `^\s*(?:\w+\s+)*?def\s+(?:\w+\s+)?{name}\s*\(`, needsBody),
			in(top, "func", "task", `^\s*task\s+{name}\b`, needsBody),
			in(member, "method", "(", modifiers+typedMember, needsBody),
		},
	}
}

func dart() *Language {
	const modifiers = `^\s*{at}(?:(?:static|abstract|final|const|external|late|base|sealed|mixin|factory|interface)\s+)*`
	return &Language{
		names: []string{"Dart"},
		lexis: lex.NewLexis(
			lex.Closed(`"""`, `"""`, true), lex.Closed("'''", "'''", true), lex.NestedComment("/*", "*/"), lex.LineComment("//"),
			lex.Quoted('"'), lex.Quoted('\''),
		),
		brackets: lex.AllBrackets, flat: false,
		decorator: expression(`^\s*@`),
		pkg:       expression(`^\s*library\s+([\w.]+)`),
		exported:  notUnderscore,
		patterns: []pattern{
			in(top, "class", "class", modifiers+`class\s+{name}`),
			in(top, "class", "mixin", `^\s*(?:base\s+)?mixin\s+{name}`, needsBody),
			in(top, "extension", "extension", `^\s*extension\s+(?:type\s+)?{name}`, needsBody),
			in(top, "enum", "enum", `^\s*enum\s+{name}`, needsBody),
			in(top, "type", "typedef", `^\s*typedef\s+(?:[\w<>]+\s+)?{name}`),
			in(outer, "", "", `^\s*(?:return|throw|new|else|case|import|export|part|await)\b`, none),
			in(outer, "func", " get ", modifiers+`[\w.]+{generics}\??\s+get\s+{name}`),
			in(top, "const", "=", `^{at}(?:late\s+)?(?:const|final)\s+(?:[\w.]+{generics}\??\s+)?{name}\s*=`),
			in(member, "const", "static", `^\s*{at}static\s+(?:late\s+)?(?:const|final)\s+(?:[\w.]+{generics}\??\s+)?{name}\s*=`),
			in(member, "method", "operator", modifiers+`(?:[\w.]+{generics}\??\s+)?(?P<name>operator\s*[^\s(]+)\s*\(`),
			in(member, "method", "(", modifiers+`{name}\s*\(`, constructor),
			in(member, "method", "(", modifiers+`(?P<type>[A-Z]\w*)\.{name}\s*\(`, constructor),
			in(member, "method", "(", modifiers+`(?:(?P<type>[\w.]+{generics}\??)\s+)?(?:{id}\.)?{name}\s*{generics}\(`,
				needsBody),
			in(member, "method", "(", modifiers+`(?P<type>[\w.]+{generics}\??)\s+{name}\s*{generics}\(`),
			in(top, "func", "(", `^(?P<type>[\w.]+{generics}\??)\s+{name}\s*{generics}\(`),
			in(top, "func", "(", `^{name}\s*\(`, needsBody),
		},
	}
}
