package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An intent is a request's text and what it asks for.
type intent struct {
	text        string // as given
	words       string // for the lexical leg: text, and "http2" for HTTP/2
	identifiers []identifier
	paths       []string // words that look like a path: "net/http", "server.go"
	lone        bool     // the text is one identifier, and nothing else
	wantsTests  bool     // or examples
	wantsGen    bool     // generated or vendored code
	wantsTexts  bool     // markup or data
	wantsBuilds bool     // how it is built
	framed      bool     // it asks how something is made or works: words has what

	kinds []string // of what the text says it is about: "the interface that …"
	thing bool     // the text says what something is, not what it does: "a pool of …"
	done  bool     // the text asks how something is done: "how are pages kept"

	described bool // the text says what a symbol is or does

	cover *cover // nil: it is not known how rare the words are
}

// wantsWork reports whether a text asks for something that code does, at which most
// is where it is done: not for what has a name, nor for what it says that a symbol is.
func (q intent) wantsWork() bool { return !q.described && !q.lone && !q.thing }

// An identifier is a word of the query that names something in code.
type identifier struct {
	name   string  // as written, qualifiers included: "http.Client.Do"
	last   string  // the last segment: "Do"
	low    string  // the same in lower case
	weight float64 // how sure it is that a symbol of that name is wanted: 1 for sure
	sign   string  // "?" or "!" behind the only word, which names of Ruby may end in
}

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

func analyse(text string) intent {
	q := intent{text: text, wantsTests: wantsTests(text), wantsGen: genWords().MatchString(text)}
	q.wantsTexts, q.wantsBuilds = textWords().MatchString(text), buildWords().MatchString(text)
	q.words = subject(text)
	q.framed = q.words != text
	for _, m := range versions().FindAllStringSubmatch(text, -1) {
		q.words += " " + m[1] + m[2] + m[3] + m[4]
	}
	words := wordPattern().FindAllString(text, -1)
	if name := askedFor(words); name != "" { // what is around it asks, and is no part of it
		text, q.words, q.framed, words = name, name, false, []string{name}
	}
	for i, w := range words {
		quoted := strings.HasPrefix(w, "`")
		w = strings.TrimSuffix(strings.Trim(w, "`"), "()")
		if strings.Contains(w, "/") || hasExtension(w) {
			q.paths = append(q.paths, w)
		}
		weight := certainty(w, i, len(words))
		if quoted || strings.HasSuffix(words[i], "()") {
			weight = 1
		}
		if weight > 0 && !strings.Contains(w, "/") {
			name := separators.Replace(w)
			last := name[strings.LastIndexByte(name, '.')+1:]
			q.identifiers = append(q.identifiers, identifier{name, last, strings.ToLower(last), weight, ""})
		}
	}
	q.kinds = kindsOf(words)
	q.described = describes(text)
	q.thing = q.kinds == nil && len(words) > 2 && isThing().MatchString(text)
	q.done = q.kinds == nil && isDone().MatchString(text)
	q.lone = len(words) == 1 && len(q.identifiers) == 1
	if text = strings.TrimSpace(text); q.lone && (strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!")) {
		q.identifiers[0].sign = text[len(text)-1:]
	}
	return q
}

// A frame is what is around the subject of a question about how it is made, or works. No
// code says of itself that it is organised somehow, and what has these words has them for
// another reason.
var frame = pattern.NewLazy(`(?i)^(\W*(?:how|where)\s+(?:is|are|does|do)\s.*?\S)\s+` +
	`(?:structured|organi[sz]ed|implemented|handled|designed|architected|works?(?:\s+(?:internally|together))?)\b(.*)$|` +
	`^\W*(?:(?:what\s+is|describe|explain)\s+)?(?:the\s+)?(?:[\w-]+\s+)?` + makeUp + `\s+of\s(.*)$|` +
	`^(.*\S)\s+` + makeUp + `\W*$`)

const makeUp = `(?:architecture|design|structure|implementation|organi[sz]ation)`

// noSubject are words that are none by themselves: "how does it work".
var noSubject = wordSet("how where is are does do the a an all this that it its these those they here")

// subject is a text without the frame around its subject.
func subject(text string) string {
	if !strings.ContainsAny(text, " \t\n\f\r") { // one word has no frame, and most questions are names
		return text
	}
	m := frame().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	rest := strings.TrimSpace(strings.Join(m[1:], " "))
	for _, w := range apart(rest) {
		if !noSubject[strings.ToLower(w)] {
			return rest
		}
	}
	return text
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
	return i > 0 && extensions[strings.ToLower(w[i+1:])]
}

var extensions = func() map[string]bool {
	m := map[string]bool{}
	for ext := range strings.FieldsSeq(`
go py js jsx ts tsx mjs cjs java kt scala c h cc cpp hpp cs rs rb php swift lua sh bash sql html css scss md rst
txt adoc yaml yml toml json proto ini cfg mod sum gradle xml dockerfile ipynb s asm pl r jl ex hs zig dart`) {
		m[ext] = true
	}
	return m
}()

// routes is the routing table of the specification: the first row that
// matches decides; everything else is a question about how something works.
var routes = []struct {
	pattern pattern.Lazy
	level   models.Level
}{
	{pattern.NewLazy(`(?i)\boverview\b`), models.LevelRepo},
	{pattern.NewLazy(`(?i)\b(which|what|list|find|any|all)\b.*\b(repos?|repositor(y|ies)|projects)\b`), models.LevelRepo},
	{pattern.NewLazy(`(?i)\b(principles?|guidelines?|conventions?|rationale|philosophy|design ` +
		`(docs?|decisions?)|documentation|readme|tutorial|changelog|release notes|licen[sc]e|contributing|getting started|how (do ` +
		`(i|we|you)|to|can i) (install|configure|contribute|get started|(build|run|test|deploy|set up|use)( and ` +
		`(build|run|test|deploy))? (it|this|the (project|tests?|app|server))))\b`), models.LevelDoc},
	{pattern.NewLazy(`(?i)\b(what('s| is| are)|which|list)\b.*\b(folders?|director(y|ies)|packages?|modules?)\b|` +
		`\b(folder|directory|package|module) (for|that|which|with|about)\b`), models.LevelModule},
	{pattern.NewLazy(`(?i)\b(functions?|methods?|class(es)?|structs?|interfaces?|symbols?|types?|constants?|enums?|` +
		`decorators?|definition|defined|declared|implementation of)\b`), models.LevelSymbol},
}

// route lists the levels to try for a query, the likeliest first.
func route(text, repo string) []models.Level {
	level := models.LevelFile
	if AboutEntry(text, repo) {
		level = models.LevelFile
	} else if AboutProject(text, repo) {
		level = models.LevelRepo
	} else if q := analyse(text); len(q.identifiers) > 0 && q.identifiers[0].weight == 1 && len(q.paths) == 0 &&
		(q.lone || wordCount(text) <= 2) {
		level = models.LevelSymbol
	} else {
		for _, r := range routes {
			if r.pattern().MatchString(text) {
				level = r.level
				break
			}
		}
	}
	levels := []models.Level{level}
	for _, l := range []models.Level{models.LevelFile, models.LevelSymbol, models.LevelDoc} {
		if l != level {
			levels = append(levels, l)
		}
	}
	return levels
}

func wordCount(text string) int { return len(wordPattern().FindAllString(text, -1)) }

// Route is the level that LevelAuto tries first for a query to a repository, of which
// the id or a filter is given.
func Route(text, repo string) models.Level { return route(text, repo)[0] }
