package patterns

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

func cLanguages() []*Language {
	return []*Language{c(), cpp(), objectiveC()}
}

func cLexis(more ...lex.Rule) *lex.Lexis {
	return lex.NewLexis(append([]lex.Rule{
		lex.BlockComment("/*", "*/"), lex.LineComment("//"), lex.Directive(), lex.CPPRaw(), lex.Quoted('"'), lex.Char(),
	}, more...)...)
}

const (
	// cType is what may be before the name of a function. The words that begin
	// other statements are told apart by notC.
	cType = `(?:(?:__attribute__|__declspec|[A-Z_][A-Z0-9_]*)\s*\((?:[^()]|\([^()]*\))*\)\s*)*` +
		`(?P<type>[A-Za-z_][\w:<>,&*\s\[\]]*?[\s*&>\]])?`
	cName = `(?P<name>{id})`
	// cppName may be qualified and may be an operator.
	cppName = `(?:(?P<parent>{id}(?:<[^<>()]*>)?(?:::{id}(?:<[^<>()]*>)?)*)::)?` +
		`(?P<name>~?{id}|operator\s*(?:\(\)|\[\]|[^\s\w(]+|\s[\w:<>*& ]+|""\s*\w+))`
)

func cPatterns(name string) []pattern {
	return []pattern{
		in(anywhere, "macro", "define", `^\s*#\s*define\s+(?P<name>\w+)\(`, raw, wholeLine),
		in(outer, "const", "define", `^\s*#\s*define\s+(?P<name>\w+)\s+[^\s\\]`, raw, wholeLine),
		in(anywhere, "", "", `^\s*(?:return|else|goto|case|delete|throw|using|extern\s+template)\b`, none),
		in(outer, "struct", "struct",
			`^\s*(?:typedef\s+|static\s+|const\s+|extern\s+)*struct\s+(?:[A-Z_]+(?:\([^()]*\))?\s+|alignas\([^()]*\)\s*|`+
				`__\w+(?:\(\(?[^()]*\)?\))?\s*)*{path}\s*(?:final\s*)?(?:<.*)?(?::[^:].*)?(?:\{.*)?$`, needsBody),
		in(outer, "union", "union", `^\s*(?:typedef\s+|static\s+|const\s+)*union\s+(?:[A-Z_]+\s+)?{path}\s*(?:\{.*)?$`,
			needsBody),
		in(outer, "enum", "enum",
			`^\s*(?:typedef\s+|static\s+)*enum\s+(?:class\s+|struct\s+)?{name}\s*(?::[^:].*)?(?:\{.*)?$`, needsBody),
		in(outer, "struct", "struct", `^\s*typedef\s+struct\s*(?:\{.*)?$`, needsBody, typedefName),
		in(outer, "union", "union", `^\s*typedef\s+union\s*(?:\{.*)?$`, needsBody, typedefName),
		in(outer, "enum", "enum", `^\s*typedef\s+enum\s*(?:\{.*)?$`, needsBody, typedefName),
		in(outer, "type", "typedef", `^\s*typedef\s+[^;{]*\(\s*\*\s*{name}\s*\)\s*\(`),
		in(outer, "type", "typedef", `^\s*typedef\s+[^;{(]*?[\s*&>]{name}\s*(?:\[[^\]]*\])*\s*;`),
		in(outer, "func", "(", `^\s*`+cType+name+`\s*\(`, cFunction, headerOnly, constructor),
	}
}

func c() *Language {
	return &Language{
		names: []string{"C", "OpenCL", "GLSL", "Yacc", "Lex"},
		lexis: cLexis(), brackets: lex.AllBrackets, directives: true, flat: true,
		exported: notByWord("static"),
		patterns: cPatterns(cName),
	}
}

func cpp() *Language {
	more := []pattern{
		in(outer, "namespace", "namespace", `^\s*(?:inline\s+)?namespace\s+(?P<name>[\w:]+)`, needsBody),
		in(outer, "namespace", "namespace", `^\s*namespace\s*(?:\{.*)?$`, needsBody, hidden),
		in(outer, "class", "class",
			`^\s*(?:template\s*<.*>\s*)?class\s+(?:[A-Z_][A-Z0-9_]*(?:\([^()]*\))?\s+|alignas\([^()]*\)\s*|`+
				`\[\[[^\]]*\]\]\s*)*{path}\s*(?:final\s*)?(?:<[^;]*)?(?::[^:].*)?(?:\{.*)?$`, needsBody),
		in(outer, "struct", "struct", `^\s*template\s*<.*>\s*struct\s+{name}`, needsBody),
		in(outer, "type", "using", `^\s*(?:template\s*<.*>\s*)?using\s+{name}\s*=`),
		in(outer, "type", "concept", `^\s*concept\s+{name}\s*=`),
	}
	return &Language{
		names: []string{"C++", "Cuda", "HLSL", "Metal"}, lexis: cLexis(), brackets: lex.AllBrackets, directives: true,
		flat: true, separators: ":",
		decorator: expression(`^\s*(?:template\s*<|\[\[.*\]\]\s*$)`),
		exported:  func(d *decl) bool { return d.Kind == "method" || !strings.HasPrefix(d.Signature, "static ") },
		patterns:  append(more, cPatterns(cppName)...),
	}
}

func objectiveC() *Language {
	more := []pattern{
		in(top, "method", "", `^\s*[-+]\s*\([^()]*(?:\([^()]*\))?[^()]*\)\s*{name}`, ofClass),
		in(top, "property", "@property", `^\s*@property\b\s*(?:\([^()]*\))?[^;]*?[\s*]{name}\s*(?:[A-Z_]{3,}.*)?;`, ofClass),
		in(top, "enum", "typedef", `^\s*typedef\s+NS_(?:\w+_)?(?:ENUM|OPTIONS)\s*\(\s*\w+\s*,\s*{name}\s*\)`, needsBody),
		in(anywhere, "", "", `^\s*{id}\s*\(\s*[@^]`, none), // a call with a literal or block
		in(top, "const", "", `^(?:extern|[A-Z]\w*_EXTERN|[A-Z]\w*_EXPORT)\s+[^;(]*[\s*]{name}\s*;`),
		in(top, "extension", "@interface", `^\s*@interface\s+{name}\s*(?:<[^<>()]*>\s*)?\(`, toTerminator),
		in(top, "extension", "@implementation", `^\s*@implementation\s+{name}\s*\(`, toTerminator),
		in(top, "class", "@interface", `^\s*@interface\s+{name}`, toTerminator),
		in(top, "interface", "@protocol", `^\s*@protocol\s+{name}[^;]*$`, toTerminator),
		in(top, "class", "@implementation", `^\s*@implementation\s+{name}`, toTerminator),
	}
	return &Language{
		names: []string{"Objective-C", "Objective-C++"}, lexis: cLexis(), brackets: lex.AllBrackets, directives: true,
		flat:       true,
		terminator: "\n@end", named: selector,
		patterns: append(more, cPatterns(cppName)...),
	}
}

// selectorPart is a part of the name of a method, with its parameter.
var selectorPart = parse.NewHead(`^\s*(\w*)\s*:\s*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s*(?:__unused\s+)?\w*`)

// selector is the whole name of a method that begins with a name, by the code behind that: "a:b:".
func selector(kind, name string, behind []byte) string {
	if kind != "method" {
		return name
	}
	behind = behind[:min(len(behind), MaxHead)]
	for first := true; ; first = false {
		m := selectorPart().FindSubmatchIndex(behind)
		if m == nil || first && m[2] < m[3] {
			return name
		}
		name += string(behind[m[2]:m[3]]) + ":"
		behind = behind[m[1]:]
	}
}
