// Package intent tells from the text of a search what it asks for: names and paths that
// it has, kinds of code that it wants, whether it is about the project as a whole, and
// the level at which its answer is.
package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/pattern"
)

// An Intent is a request's text and what it asks for.
type Intent struct {
	Text           string // as given
	Words          string // for the lexical leg: text, and "http2" for HTTP/2
	Identifiers    []Identifier
	Paths          []string // words that look like a path: "net/http", "server.go"
	Places         []Place  // lines of files
	Literals       []string // words that code has as they are written: "--no-cache", "error.not_found"
	Lone           bool     // the text is one identifier, and nothing else
	WantsTests     bool     // or examples
	OnlyTests      bool     // and nothing else
	WantsGenerated bool     // or vendored code
	WantsTexts     bool     // markup or data
	WantsBuilds    bool     // how it is built
	Formats        Formats  // of the configuration that is asked for
	Parts          []Part   // of it
	Framed         bool     // it asks how something is made or works, or where it begins: Words has what
	Entry          bool     // it asks where something begins

	Kinds []string // of what the text says it is about: "the interface that …"
	Thing bool     // the text says what something is, not what it does: "a pool of …"
	Done  bool     // the text asks how something is done: "how are pages kept"

	Asks      bool // the text is a question
	Described bool // the text says what a symbol is or does
}

// WantsWork reports whether a text asks for something that code does, at which most
// is where it is done: not for what has a name, nor for what it says that a symbol is.
func (q Intent) WantsWork() bool { return !q.Described && !q.Lone && !q.Thing }

// An Identifier is a word of the query that names something in code.
type Identifier struct {
	Name   string  // as written, qualifiers included: "http.Client.Do"
	Last   string  // the last segment: "Do"
	Low    string  // the same in lower case
	Weight float64 // how sure it is that a symbol of that name is wanted: 1 for sure
	Sign   string  // "?" or "!" behind the only word, which names of Ruby may end in
	// of a name of several words these in lower case, which other languages join in another way; else nil
	Words []string
}

// Dotted is a name with dots for the signs that languages qualify names with.
func Dotted(name string) string { return separators.Replace(name) }

var (
	wordPattern = pattern.NewLazy(
		"`[^`]+`|[\\p{L}_$][\\p{L}\\p{N}_$]*(?:(?:\\.|::|#|->|/|-)[\\p{L}_$][\\p{L}\\p{N}_$]*)*(?:\\(\\))?")
	separators = strings.NewReplacer("::", ".", "#", ".", "->", ".")
	testWords  = pattern.NewLazy(
		`(?i)\b(tests?|testing|tested|unit ` +
			`?tests?|benchmarks?|fuzz(ing)?|mocks?|examples?|samples?|demos?|tutorials?|fixtures?)\b`)
	versions  = pattern.NewLazy(`\b(\p{L}{2,})[/-](\d{1,4})\b|\b(\p{Lu}{2,}) (\d{1,4})\b`)
	isThing   = pattern.NewLazy(`(?i)^\W*(?:an?|is (?:an?|the)|represents|defines|describes)\s`)
	isDone    = pattern.NewLazy(`(?i)^\W*how\s+(?:is|are|does|do|did|was|were|can|will|should)\s`)
	textWords = pattern.NewLazy(`(?i)\b(html|s?css|less|svg|xml|ya?ml|toml|ini|csv|(style ?sheet|template|layout|locale|` +
		`translation|workflow|manifest|man page)s?)\b`)
	buildWords = pattern.NewLazy(`(?i)\b(build(s|ing)?|built|compil(e[drs]?|ing|ation)|(c|auto)?make(file)?|` +
		`install(s|ed|ing|ation)?|docker(file)?|packag(es?|ed|ing)|releas(es?|ed|ing)|ci|configure|gradle|bazel|meson|` +
		`link(s|ed|er|ing)?|toolchain)\b`)
	genWords = pattern.NewLazy(`(?i)\b(generated|vendor(ed)?|third[ -]party)\b`)
)

// Of is what a text asks for.
func Of(text string) Intent {
	q := Intent{Text: text, WantsGenerated: genWords().MatchString(text), OnlyTests: onlyTests(text)}
	q.WantsTests = q.OnlyTests || wantsTests(text)
	q.WantsTexts, q.WantsBuilds = textWords().MatchString(text), buildWords().MatchString(text)
	if q.Formats = formatsOf(text); q.Formats.Texts() {
		q.WantsTexts, q.WantsBuilds = true, true
	}
	q.Words, q.Framed = subject(text)
	q.Entry = q.Framed && asksEntry().MatchString(text)
	for _, m := range versions().FindAllStringSubmatch(text, -1) {
		q.Words += " " + m[1] + m[2] + m[3] + m[4]
	}
	q.Words += spelt(q.Words)
	words := wordPattern().FindAllString(text, -1)
	if name := askedFor(words); name != "" { // what is around it asks, and is no part of it
		text, q.Words, q.Framed, words = name, name, false, []string{name}
	}
	for i, w := range words {
		quoted := strings.HasPrefix(w, "`")
		w = strings.TrimSuffix(strings.Trim(w, "`"), "()")
		if strings.Contains(w, "/") || hasExtension(w) {
			q.Paths = append(q.Paths, w)
		}
		weight := certainty(w, i, len(words))
		if quoted || strings.HasSuffix(words[i], "()") {
			weight = 1
		}
		if weight > 0 && !strings.Contains(w, "/") {
			name := separators.Replace(w)
			last := name[strings.LastIndexByte(name, '.')+1:]
			q.Identifiers = append(q.Identifiers, Identifier{
				Name: name, Last: last, Low: strings.ToLower(last), Weight: weight, Words: wordsOf(last),
			})
		}
	}
	if len(q.Paths) > 0 {
		q.Places = placesIn(q.Text)
	}
	q.Literals = literals(q.Text)
	q.Kinds, q.Parts = kindsOf(words), partsOf(words)
	q.Asks, q.Described = questions().MatchString(text), describes(text)
	q.Thing = q.Kinds == nil && len(words) > 2 && isThing().MatchString(text)
	q.Done = q.Kinds == nil && (isDone().MatchString(text) || asksHow().MatchString(text))
	q.Lone = len(words) == 1 && len(q.Identifiers) == 1 && !isUnspaced(text)
	if text = strings.TrimSpace(text); q.Lone && (strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!")) {
		q.Identifiers[0].Sign = text[len(text)-1:]
	}
	return q
}

// A frame is what is around the subject of a question about how it is made, or works. No
// code says of itself that it is organised somehow, and what has these words has them for
// another reason.
var frame = pattern.NewLazy(`(?i)^(\W*(?:how|where)\s+(?:is|are|does|do)\s.*?\S)\s+` +
	`(?:structured|organi[sz]ed|implemented|handled|designed|architected|works?(?:\s+(?:internally|together))?)\b(.*)$|` +
	`^\W*(?:(?:what\s+is|describe|explain)\s+)?(?:the\s+)?(?:[\w-]+\s+)?` + makeUp + `\s+of\s(.*)$|` +
	`^(.*\S)\s+` + makeUp + `\W*$|` + entryFrame)

// entryFrame is around that of which it is asked where it begins.
const entryFrame = `^\W*(?:(?:where|what|which)\s+(?:is|are)\s+)?(?:the\s+)?(?:main\s+)?entry[ -]?points?\s+` +
	`(?:of|to|for|in|into|that|which)\s(.*)$`

var asksEntry = pattern.NewLazy(`(?i)` + entryFrame)

const makeUp = `(?:architecture|design|structure|implementation|organi[sz]ation)`

// noSubject are words that are none by themselves: "how does it work".
var noSubject = wordSet("how where what which is are does do the a an all this that it its these those they here")

// Subject is a text without the frame around its subject, and without words of grammar
// where these touch others; of a report its gist.
func Subject(text string) string {
	text, _ = subject(text)
	return text
}

func subject(text string) (about string, framed bool) {
	if r, ok := reportOf(text); ok {
		about = r.gist()
	} else {
		about, framed = unframed(text)
	}
	return withoutGrammar(about), framed
}

// unframed is a text without the frame around its subject, if it has one.
func unframed(text string) (subject string, framed bool) {
	if !strings.ContainsAny(text, " \t\n\f\r") { // one word has no frame, and most questions are names
		return text, false
	}
	m := frame().FindStringSubmatch(text)
	if m == nil {
		return text, false
	}
	rest := strings.TrimSpace(strings.Join(m[1:], " "))
	if hasSubject(rest) {
		return rest, true
	}
	return text, false
}

func hasSubject(text string) bool {
	return slices.ContainsFunc(apart(text), func(w string) bool { return !noSubject[strings.ToLower(w)] })
}

// askedFor is the name that a text asks for, if it says nothing else: "find function
// ParseTime", "where is the class Mux defined". A word that is no name by how it is
// written is one behind a noun for what has names; lower-case ones only behind
// "function" or "method" and a verb: a "class loader" is none.
func askedFor(words []string) string {
	name, before, verb := "", "", false
	last := ""
	for _, w := range words {
		low := strings.ToLower(w)
		switch {
		case aroundNames[low] || kindNouns[low] != nil:
			verb = verb || aroundNames[low] && !nounBefore[low]
		case name != "":
			return ""
		default:
			name, before = w, last
		}
		last = low
	}
	called := before == "function" || before == "method"
	switch {
	case len(words) < 2 || strings.Contains(name, "/") || hasExtension(name):
		return ""
	case strings.HasPrefix(name, "`"), strings.HasSuffix(name, "()"), certainty(name, 1, len(words)) == 1:
		return name
	case startsUpper(name) && kindNouns[before] != nil, called && verb:
		return name
	}
	return ""
}

// Words that those who ask for a name put around it.
var aroundNames = wordSet(`find show locate search go jump to me is are what where which does do the a an of definition
	declaration implementation implemented defined declared called named`)

const (
	sentence   = 6 // words of one
	nounWithin = 5 // words from the beginning, after which nouns are of something else
)

// kindNouns are the kinds of symbols that a noun means.
var kindNouns = map[string][]string{
	"class":       {"class", "struct"},
	"constant":    {"const"},
	"constructor": {"method", "func"},
	"enum":        {"enum"},
	"enumeration": {"enum"},
	"exception":   {"class"},
	"field":       {"field", "property"},
	"function":    {"func", "method", "type"},
	"interface":   {"interface", "trait", "protocol"},
	"macro":       {"macro"},
	"method":      {"method", "func"},
	"protocol":    {"protocol", "interface"},
	"struct":      {"struct", "class"},
	"structure":   {"struct"},
	"trait":       {"trait", "interface"},
	"type":        {"type", "struct", "class", "interface"},
	"variable":    {"var"},
}

// kindsOf are the kinds that the first such noun of a text means.
func kindsOf(words []string) []string {
	if len(words) < 3 {
		return nil
	}
	for i, w := range words[:min(len(words), nounWithin)] {
		kinds := kindNouns[strings.ToLower(w)]
		if kinds != nil && (i == 0 || nounBefore[strings.ToLower(words[i-1])] ||
			i+1 < len(words) && nounBehind[strings.ToLower(words[i+1])]) {
			return kinds
		}
	}
	return nil
}

// Words beside a noun that speaks of the thing itself: "the type of", but not
// "match by HTTP method".
var (
	nounBefore = wordSet("a an the this that which what")
	nounBehind = wordSet("that which to for of used called whose with raised thrown returning")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// certainty says how much word i of n looks like an identifier: a lone word is
// one, so are mixed case, underscores and qualified names; a capitalised word
// inside a sentence may be one.
func certainty(w string, i, n int) float64 {
	switch {
	case n == 1, strings.Contains(w, "_"), strings.ContainsAny(w, "$:#>"), mixedCase(w):
		return 1
	case strings.Contains(w, ".") && !strings.HasSuffix(w, "."):
		return 1
	case strings.Contains(w, "-"):
		return 0
	case i > 0 && startsUpper(w):
		return 0.3
	}
	return 0
}

// mixedCase reports an upper-case letter after a lower-case one, or a capital
// followed by capitals and then a lower-case letter ("HTTPServer").
func mixedCase(w string) bool {
	lower, uppers := false, 0
	for _, r := range w {
		switch {
		case unicode.IsUpper(r):
			if lower {
				return true
			}
			uppers++
		case unicode.IsLower(r):
			if uppers > 1 {
				return true
			}
			lower = true
		}
	}
	return false
}

func startsUpper(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) && len(w) > size
}

func hasExtension(w string) bool {
	i := strings.LastIndexByte(w, '.')
	return i > 0 && IsExtension(strings.ToLower(w[i+1:]))
}

// IsExtension reports whether names of files end so that are code, its data or documents.
func IsExtension(ext string) bool { return extensions[ext] }

var extensions = wordSet(`
go py js jsx ts tsx mjs cjs java kt scala c h cc cpp hpp cs rs rb php swift lua sh bash sql html css scss md rst
txt adoc yaml yml toml json proto ini cfg mod sum gradle xml dockerfile ipynb s asm pl r jl ex hs zig dart`)

func wordCount(text string) int { return len(wordPattern().FindAllString(text, -1)) }

// How long texts are that describe a symbol, in words.
const (
	topicWords = 5
	longWords  = 30
)

// What asks for something. Documentation begins with some of these words, too: "is a pool
// of", "find the best"; questions don't.
var (
	asks = pattern.NewLazy(
		`(?i)^\W*(how|where|what|which|who|when|why|is|are|does|do|can|find|show|list|explain)\b|\?\s*$`)
	questions = pattern.NewLazy(`(?i)^\W*(how|where|what|which|who|when|why|does|do|can)\b|\?\s*$`)
)

// describes reports whether a text is like the first sentence of documentation, which
// says what one symbol is or does: "Returns the …", "maps keys to …".
func describes(text string) bool {
	words := strings.Fields(text)
	if len(words) <= topicWords || len(words) > longWords || asks().MatchString(text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(words[0])
	return unicode.IsUpper(first) || strings.HasSuffix(words[0], "s")
}

// PlainWords counts the words that are neither names nor paths.
func PlainWords(text string) (n int) {
	words := wordPattern().FindAllString(text, -1)
	for i, w := range words {
		if certainty(w, i, len(words)) < 1 && !strings.ContainsAny(w, "`/(") && !hasExtension(w) {
			n++
		}
	}
	return n
}
