package plain

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// macroLine matches what a line is that is one word in upper case, with
// arguments or without: "LIB_BEGIN_EXPORT", "UCLASS(Abstract)".
var macroLine = pattern.NewLazy(`^[A-Z][A-Z0-9_]{2,}([ \t]*\((?:[^()"]|"[^"]*")*\))?$`)

// beforeMacro are the last words and characters behind which a declaration
// begins, so that a word there cannot be the end of an expression; and
// afterMacro the beginning of what may be one. A name before a bracket is not:
// the word above it may be the type of a function.
var (
	beforeMacro = pattern.NewLazy(`(?:^|[;{}>:])$`)
	afterMacro  = pattern.NewLazy(
		`^(?:[A-Za-z_][\w:]*[ \t]*(?:[^(,=);\s\w:]|[ \t][A-Za-z_*&]|\r?\n[ \t]*[A-Za-z_])|[A-Za-z]+:[^:]|#|~|\[\[)`)
	afterCall = pattern.NewLazy(
		`^(?:class|struct|template|namespace|enum|union|public|private|protected|typedef|using|static|inline|extern|` +
			`virtual)\b|^};`) // or the type ends
	afterNote = pattern.NewLazy( // a function with its type, which keywords like return are none of
		`^([A-Za-z_][\w:]*)(?:<[^;{}()]*>)?(?:[ \t]+const)?[ \t*&]+[A-Za-z_]\w*[ \t]*\(`)
)

// hideLines puts spaces in the place of lines that are a macro and nothing
// else: grammars, which see no macros, would lose the declaration after it.
func hideLines(text string) string {
	var hidden []byte
	start, inside := 0, insideMacros(text)
	for line := range strings.Lines(text) {
		end := start + len(line)
		hide := leadingMacro(line)
		if isMacroLine(line) && declares(text[end:], strings.Contains(line, "(")) && startsDeclaration(text[:start]) {
			hide = len(line)
		}
		if hide > 0 {
			if hidden == nil {
				hidden = []byte(text)
			}
			blank(hidden[start : start+hide])
		}
		from, to := trailingMacro(line, text[:start])
		for i := 0; i < len(inside) && to == 0; i++ {
			from, to = inside[i](line)
		}
		if to > 0 {
			if hidden == nil {
				hidden = []byte(text)
			}
			blank(hidden[start+from : start+to])
		}
		start = end
	}
	if hidden == nil {
		return text
	}
	return string(hidden)
}

// insideMacros are what finds the macros within declarations that a text, or a line, may have.
func insideMacros(text string) (all []func(line string) (from, to int)) {
	if hasAny(text, qualifiers) {
		all = append(all, qualifying)
	}
	if hasAny(text, conventional) {
		all = append(all, convention)
	}
	return all
}

var (
	qualifiers   = []string{"_NOEXCEPT", "_OVERRIDE", "_FINAL", "_NOTHROW"}
	conventional = []string{"INLINE ", "API ", "CALL ", "CDECL ", "APIENTRY ", "CALLBACK "}
)

func hasAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// specifier matches macros that begin a line and a word of the language behind them,
// which is not what a type's name can have there: "LIB_CONSTEXPR void f()". namedSpecifier
// matches those that are called like what they stand for, before any name: "LIB_INLINE
// Type f()".
var (
	specifier = pattern.NewLazy(
		`^([A-Z][A-Z0-9_]{3,}(?:[ \t]+[A-Z][A-Z0-9_]{3,})*)[ \t]+(?:void|auto|bool|char|int|long|unsigned|double|float|` +
			`static|inline|friend|virtual|explicit|constexpr|const|template|class|struct|enum)\b`)
	namedSpecifier = pattern.NewLazy(`^((?:[A-Z][A-Z0-9_]{3,}[ \t]+)*[A-Z][A-Z0-9_]*_` +
		`(?:\w*INLINE|\w*CONSTEXPR[0-9]*|CONSTEVAL|NODISCARD|NORETURN|API|EXPORT))[ \t]+[A-Za-z_~:]`)
)

// leadingMacro is how many bytes of a line are such macros and what is before them.
func leadingMacro(line string) int {
	word := strings.TrimLeft(line, " \t")
	if !upperStart(word) || strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), "\\") {
		return 0
	}
	m := specifier().FindStringSubmatchIndex(word)
	if m == nil {
		m = namedSpecifier().FindStringSubmatchIndex(word)
	}
	if m == nil {
		return 0
	}
	return len(line) - len(word) + m[3]
}

// conventions matches a macro between what a function returns and its name: "void
// LIB_INLINE f()", "int WINAPI f()".
var conventions = pattern.NewLazy(`^[ \t]*(?:[a-z]\w*(?:::\w+)*(?:<[^<>]*>)?[ \t*&]+)+` +
	`([A-Z][A-Z0-9_]*_(?:\w*INLINE|API|CALL|CDECL|STDCALL)|WINAPI|APIENTRY|CALLBACK|STDCALL|CDECL)[ \t]+[A-Za-z_~:]`)

// convention is where such a macro is in a line, or zeros.
func convention(line string) (from, to int) {
	if !hasAny(line, conventional) {
		return 0, 0
	}
	m := conventions().FindStringSubmatchIndex(line)
	if m == nil || strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), "\\") {
		return 0, 0
	}
	if first, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " "); statements[first] {
		return 0, 0
	}
	return m[2], m[3]
}

// qualifier matches a macro behind the parameters of a function that is called like what
// it stands for: "f() LIB_NOEXCEPT {".
var qualifier = pattern.NewLazy(`\)[ \t]*(?:const[ \t]+)?([A-Z][A-Z0-9_]*_(?:NOEXCEPT|OVERRIDE|FINAL|NOTHROW))[ \t]*` +
	`(?:[{;:=]|override\b|$)`)

// qualifying is where such a macro is in a line, or zeros.
func qualifying(line string) (from, to int) {
	if !hasAny(line, qualifiers) {
		return 0, 0
	}
	if m := qualifier().FindStringSubmatchIndex(strings.TrimRight(line, "\r\n")); m != nil {
		return m[2], m[3]
	}
	return 0, 0
}

// trailing matches macros with arguments at the end of a declaration:
// "void f() LOCKS_EXCLUDED(mutex);", embodied such before the body of a function.
var (
	trailing = pattern.NewLazy(
		`(?:^|\)|\bconst|\bnoexcept|\boverride)[ \t]*\b([A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*\([^()]*\))[ \t]*;$`)
	embodied = pattern.NewLazy(
		`\)[ \t]*(?:(?:const|noexcept|override|final)[ \t]*)*\b([A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*\([^()]*\))[ \t]*\{`)
)

// guard matches the macro that says what a field on the line above is guarded by, and field
// the end of such a line.
var (
	guard = pattern.NewLazy(`^(?:[A-Z0-9]+_)*(?:PT_)?GUARDED_(?:BY|VAR)\b`)
	field = pattern.NewLazy(`[\w>*&][ \t]+\w+(?:\[[^\]]*\])?$`)
)

// annotation matches a macro with arguments and what ends a field.
var annotation = pattern.NewLazy(`^([A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*\([^()]*\))[ \t]*(?:=[^;]*|\{[^;]*\})?;$`)

var (
	specifiers = wordSet("static const constexpr constinit extern inline virtual explicit mutable volatile thread_local " +
		"struct class enum typename")
	statements = wordSet("return else throw case goto new delete typedef using friend do co_return co_await co_yield " +
		"operator template #define")
	controlling = wordSet("if while for switch else do return")
	builtins    = wordSet("void bool char int long short float double auto unsigned signed size_t")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// fieldMacro is where such a macro is behind the name of a field, or zeros:
// "Set* const all_ GUARDED_BY(mutex_) = nullptr;". Where there is no type and
// name before it, it may be the name of a function.
func fieldMacro(line string) (from, to int) {
	open := strings.IndexByte(line, '(')
	if open < 3 {
		return 0, 0
	}
	from = strings.LastIndexAny(strings.TrimRight(line[:open], " \t"), " \t") + 1
	if !upperStart(line[from:]) {
		return 0, 0
	}
	m := annotation().FindStringSubmatchIndex(line[from:])
	if m == nil || strings.ContainsAny(line[:from], "={};\"'") {
		return 0, 0
	}
	name := line[:from]
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	words, types := strings.Fields(name), 0
	for i, word := range words {
		switch {
		case statements[word], i == len(words)-1 && (specifiers[word] || builtins[word] || strings.ContainsAny(word, "<>:,")):
			return 0, 0
		case i < len(words)-1 && !specifiers[word]:
			types++
		}
	}
	if types == 0 {
		return 0, 0
	}
	return from, from + m[3]
}

// trailingMacro is where a macro behind a declaration is in a line, or zeros.
func trailingMacro(line, before string) (from, to int) {
	if !strings.Contains(line, ")") {
		return 0, 0
	}
	if i := strings.Index(line, "//"); i > 0 && strings.Contains(line[:i], ";") {
		line = line[:i]
	}
	line = strings.TrimRight(line, " \t\r\n")
	bare := strings.TrimLeft(line, " \t")
	if first, _, _ := strings.Cut(bare, " "); controlling[first] || bare[0] == '#' || bare[0] == '}' {
		return 0, 0
	}
	if strings.Contains(bare, ") ") && strings.Contains(bare, "{") {
		if m := embodied().FindStringSubmatchIndex(bare); m != nil {
			return len(line) - len(bare) + m[2], len(line) - len(bare) + m[3]
		}
	}
	if !strings.HasSuffix(line, ";") {
		return 0, 0
	}
	var m []int
	if endsInMacro(bare) {
		m = trailing().FindStringSubmatchIndex(bare)
	}
	if m == nil {
		if from, to = fieldMacro(bare); to == 0 {
			return 0, 0
		}
		return len(line) - len(bare) + from, len(line) - len(bare) + to
	}
	if before = strings.TrimRight(before, " \t\r\n"); m[2] == 0 && !strings.HasSuffix(before, ")") &&
		!strings.HasSuffix(before, ") const") &&
		(!guard().MatchString(bare) || !field().MatchString(withoutComment(before))) {
		return 0, 0
	}
	return len(line) - len(bare) + m[2], len(line) - len(bare) + m[3]
}

// withoutComment is a text without the comment that its last line ends with.
func withoutComment(text string) string {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	bare, _, _ := strings.Cut(line, "//")
	return strings.TrimRight(text[:len(text)-len(line)]+bare, " \t")
}

// endsInMacro reports whether the word before the last bracket is in upper case.
func endsInMacro(line string) bool {
	name := strings.TrimRight(line[:max(0, strings.LastIndexByte(line, '('))], " \t")
	return name != "" && (name[len(name)-1] == '_' || name[len(name)-1] <= 'Z')
}

// upperStart reports whether a text begins like a word in upper case.
func upperStart(s string) bool {
	return len(s) > 2 && s[0] >= 'A' && s[0] <= 'Z' && (s[1] <= 'Z' || s[1] == '_')
}

func isMacroLine(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if !upperStart(line) {
		return false
	}
	line, _, _ = strings.Cut(line, "//")
	return macroLine().MatchString(strings.TrimRight(line, " \t\r\n"))
}

// declares reports whether a declaration may begin where a text does, which a
// macro, or the call of one, is before.
func declares(after string, isCall bool) bool {
	after = afterLead(after)
	after = after[:min(len(after), maxLead)]
	if isCall {
		function := afterNote().FindStringSubmatch(after)
		return afterCall().MatchString(after) || function != nil && !statements[function[1]] && !controlling[function[1]]
	}
	if strings.HasPrefix(after, "}") { // the last fields of a struct
		return true
	}
	return afterMacro().MatchString(after)
}

// afterLead is a text without the comments and lines of macros that it begins
// with.
func afterLead(text string) string {
	for range maxAbove {
		text = strings.TrimLeft(text, " \t\r\n")
		line, rest, _ := strings.Cut(text, "\n")
		switch {
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		case strings.HasPrefix(text, "//") || isMacroLine(line):
			text = rest
		default:
			return text
		}
	}
	return text
}

// How many bytes behind a macro are looked at, and lines before it.
const (
	maxLead  = 200
	maxAbove = 60
)

// startsDeclaration reports whether a declaration may begin behind a text.
// Lines above that are comments, directives or macros say nothing.
func startsDeclaration(before string) bool {
	for range maxAbove {
		before = strings.TrimRight(before, " \t\r\n")
		line := before[strings.LastIndexByte(before, '\n')+1:]
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(bare, "\\"): // in the definition of a macro
			return false
		case strings.HasSuffix(bare, "*/") && strings.Contains(before, "/*"):
			before = before[:strings.LastIndex(before, "/*")]
		case bare != "" && (strings.HasPrefix(bare, "//") || bare[0] == '#' || isMacroLine(bare)):
			before = before[:len(before)-len(line)]
		default:
			return beforeMacro().MatchString(before[max(0, len(before)-1):])
		}
	}
	return false
}
