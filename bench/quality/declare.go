package main

import (
	"path"
	"regexp"
	"strings"
)

// A declaration is what a line of code declares, found by patterns that owe
// nothing to the parsers that are measured: few, and sure of what they find.
type declaration struct {
	path, name, kind string
	line             int // from 1
	doc              string
}

// The kinds of declarations, in the order in which who gives a name wants them.
const (
	kindType  = "type"
	kindCode  = "callable"
	kindValue = "value"
)

type rule struct {
	kind    string
	pattern *regexp.Regexp
}

// A dialect is how a language declares and comments.
type dialect struct {
	rules     []rule
	line      string         // starts a comment of one line
	open, end string         // of block comments
	between   *regexp.Regexp // lines between a comment and what it is about
	docstring bool           // comments are strings below the declaration
}

func rules(pairs ...string) []rule {
	var all []rule
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, rule{pairs[i], regexp.MustCompile(pairs[i+1])})
	}
	return all
}

var (
	annotation = regexp.MustCompile(`^\s*(?:@\w[\w.]*(?:\(.*\))?|#\[.*\]|\[.*\]|template\s*<.*>)\s*$`)

	jvmTypes = `^\s*(?:(?:public|protected|private|internal|static|final|abstract|sealed|data|open|inner|enum|` +
		`annotation|value|case|implicit|expect|actual)\s+)*(?:class|interface|trait|object|enum|record)\s+(\w{3,})`
	slashes = dialect{line: "//", open: "/*", end: "*/", between: annotation}
)

func (d dialect) with(pairs ...string) *dialect {
	d.rules = rules(pairs...)
	return &d
}

var script = slashes.with(
	kindType, `^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|enum)\s+(\w{3,})`,
	kindType, `^(?:export\s+)?type\s+(\w{3,})\s*(?:<.*>)?\s*=`,
	kindCode, `^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+(\w{3,})\s*[(<]`,
	kindCode, `^\s+(?:(?:public|private|protected|static|async|get|set|override)\s+)*(\w{3,`+
		`})\s*(?:<[^()]*>)?\([^()]*\)\s*(?::[^;={]+)?\{\s*$`,
	kindCode, `^(?:module\.)?exports\.(\w{3,})\s*=\s*function|^\w+\.(?:prototype\.)?\w+\s*=\s*function\s+(\w{3,})\s*\(`,
	kindCode, `^(?:export\s+)?(?:const|var|let)\s+(\w{3,})\s*=\s*(?:_curry\w+\()?(?:async\s*)?(?:function|\([^)]*\)\s*=>)`,
	kindValue, `^(?:export\s+)?(?:const|var|let)\s+(\w{3,})\s*(?::[^=]+)?=`,
)

var cLike = slashes.with(
	kindType, `^\s*(?:typedef\s+)?(?:class|struct|union|enum(?:\s+class)?)\s+(?:[A-Z_]+(?:\([^)]*\))?\s+)?(\w{3,`+
		`})\s*(?:final\s*)?(?::[^;]*)?(?:\{.*)?$`,
	kindCode, `^(?:[A-Za-z_][\w:<>,]*[\s*&]+)*(?:\w+::)*(\w{3,})\s*\([^;"]*(?:\)\s*(?:const\s*)?\{?)?\s*$`,
	kindValue, `^\s*#\s*define\s+(\w{4,})`,
)

var dialects = map[string]*dialect{
	".go": slashes.with(kindCode, `^func\s+(?:\([^)]*\)\s+)?(\w{3,})`, kindType, `^type\s+(\w{3,})`, kindValue,
		`^(?:var|const)\s+(\w{3,})`),
	".py": (dialect{line: "#", docstring: true, between: annotation}).with(
		kindType, `^\s*class\s+(\w{3,})`, kindCode, `^\s*(?:async\s+)?def\s+(\w{3,})`, kindValue,
		`^([A-Z_]{4,})\s*(?::[^=]+)?=`),
	".rs": slashes.with(
		kindCode, `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern\s+"C")\s+)*fn\s+(\w{3,})`,
		kindType, `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union|type)\s+(\w{3,})`,
		kindCode, `^\s*macro_rules!\s*(\w{3,})`, kindValue,
		`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+([A-Z]\w{3,})\s*:`),
	".ts": script, ".tsx": script, ".js": script, ".mjs": script,
	".java": slashes.with(kindType, jvmTypes,
		kindCode, `^\s*(?:(?:public|protected|private|static|final|abstract|synchronized|default|`+
			`native)\s+)+(?:<[^>]+>\s+)?[\w<>\[\],.? ]+\s(\w{3,})\s*\([^;]*$`,
		kindValue, `^\s*(?:(?:public|protected|private|static|final|volatile)\s+){2,}[\w<>\[\],.? ]+\s(\w{3,})\s*=`),
	".kt": slashes.with(kindType, jvmTypes,
		kindCode, `^\s*(?:(?:@\w+|public|protected|private|internal|override|open|abstract|final|inline|suspend|operator|`+
			`infix|tailrec|actual|expect)\s+)*fun\s+(?:<.*?>\s+)?(?:[\w<>?.*, ]+\.)?(\w{3,})\s*\(`,
		kindValue, `^\s{0,4}(?:(?:public|protected|private|internal|override|open|const|lateinit)\s+)*va[lr]\s+(\w{3,})\b`),
	".scala": slashes.with(kindType, jvmTypes,
		kindCode, `^\s*(?:(?:private|protected|override|final|implicit|inline)(?:\[\w+\])?\s+)*def\s+(\w{3,})`,
		kindValue, `^\s{0,4}(?:(?:private|protected|override|final|implicit|lazy)(?:\[\w+\])?\s+)*val\s+(\w{3,})\b`),
	".rb": (dialect{line: "#", between: annotation}).with(
		kindType, `^\s*(?:class|module)\s+(?:\w+::)*(\w{3,})\s*(?:<.*)?$`, kindCode, `^\s*def\s+(?:self\.)?(\w{3,}[?!]?)`,
		kindValue, `^\s*([A-Z][A-Z_]{3,})\s*=`),
	".php": slashes.with(
		kindType, `^\s*(?:(?:final|abstract|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w{3,})`,
		kindCode, `^\s*(?:(?:public|protected|private|static|final|abstract)\s+)*function\s+&?(\w{3,})`,
		kindValue, `^\s*(?:(?:public|protected|private|final)\s+)*const\s+(\w{4,})`),
	".lua": (dialect{line: "--", between: annotation}).with(kindCode,
		`^(?:local\s+)?function\s+(?:\w+[.:])*(\w{3,})\s*\(`, kindCode, `^(?:\w+\.)+(\w{3,})\s*=\s*function`),
	".swift": slashes.with(kindType,
		`^\s*(?:(?:@\w+(?:\([^)]*\))?|public|private|internal|open|final|fileprivate|indirect)\s+)*(?:class|struct|enum|`+
			`protocol|actor)\s+(\w{3,})\s*[:{<]`, kindCode,
		`^\s*(?:(?:@\w+(?:\([^)]*\))?|public|private|internal|open|override|static|class|final|mutating|fileprivate|`+
			`required)\s+)*func\s+(\w{3,})`, kindValue,
		`^\s{0,4}(?:(?:public|private|internal|static|fileprivate|weak)(?:\(set\))?\s+)*(?:let|var)\s+(\w{3,})\s*[:=]`),
	".c": cLike, ".h": cLike, ".cc": cLike, ".cpp": cLike, ".hpp": cLike,
}

// keywords are what patterns may take for a name.
var keywords = regexp.MustCompile(
	`^(?:if|for|while|switch|return|function|catch|else|constructor|extends|implements|new|with|self|this|class|struct|` +
		`enum|default|static|const|void|int|char|main|init|sizeof|defined)$`)

// besides are files that are no part of what a repository is for.
var besides = regexp.MustCompile(
	`(?i)(^|/)(tests?|testing|specs?|__tests__|fixtures?|examples?|docs?|benchmarks?|benches|vendor|vendors|dist|` +
		`node_modules|third_party)(/|$)|_test\.|test_|\.(test|spec)\.|Tests?\.(java|php|kt|scala)$|\.d\.ts$|\.min\.`)

// declarations are those of a text, each with the comment about it, and the
// text without these comments, whose lines are left empty.
func declarations(name, text string) ([]declaration, string) {
	d := dialects[path.Ext(name)]
	if d == nil {
		return nil, text
	}
	lines := strings.Split(text, "\n")
	blocks := d.comments(lines)
	var all []declaration
	for i, line := range lines {
		if blocks.within[i] {
			continue
		}
		for _, r := range d.rules {
			if n := r.name(line); n != "" && !d.forward(lines, i, r.kind) {
				c := blocks.about(d, lines, i)
				all = append(all, declaration{path: name, name: n, kind: r.kind, line: i + 1, doc: c.sentence(n)})
				break
			}
		}
	}
	return all, blocks.stripped(lines)
}

func (r rule) name(line string) string {
	for _, n := range append(r.pattern.FindStringSubmatch(line), "", "")[1:] {
		if n != "" && !keywords.MatchString(n) {
			return n
		}
	}
	return ""
}

// forward reports that a line of C only says what is declared elsewhere.
func (d *dialect) forward(lines []string, i int, kind string) bool {
	if d != cLike || kind == kindValue {
		return false
	}
	for _, line := range lines[i:min(i+12, len(lines))] {
		switch brace, semicolon := strings.IndexByte(line, '{'), strings.IndexByte(line, ';'); {
		case brace >= 0 && (semicolon < 0 || brace < semicolon):
			return false
		case semicolon >= 0:
			return true
		}
	}
	return true
}
