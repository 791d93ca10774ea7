package parse

// A lexis says how the languages of a family write comments and strings.
type lexis struct {
	rules [256][]lexRule // by first byte; of those with the same, the longest comes first
	// prologue is the length of the text before the first code; may be nil.
	prologue func(text string) int
}

type lexRule struct {
	open    string
	closing string // of block comments
	comment bool
	silent  bool // a comment that tells readers nothing
	kept    bool // neither string nor comment, but nothing of either begins in it, and no statement ends
	// end is the offset behind the token that starts at i, or i when there is
	// none after all.
	end func(l *lexer, i int) int
}

func newLexis(rules ...lexRule) *lexis {
	x := new(lexis)
	for _, r := range rules {
		x.rules[r.open[0]] = append(x.rules[r.open[0]], r)
	}
	return x
}

// A lineClass says what is on a line.
type lineClass uint8

const (
	hasCode    lineClass = 1 << iota // string literals count
	hasComment                       // or a part of one
	inString                         // the line starts within a string
	inComment                        // the line starts within a comment
)

// A source is a text prepared for the search of declarations.
type source struct {
	text     string
	code     []byte // text with comments and strings blanked; the same length, newlines kept
	lines    Offsets
	class    []lineClass // by line, from 0
	comments []comment
}

// A comment is the place of a comment in a source.
type comment struct {
	start, end int // offsets
	rule       *lexRule
}

// maxFailures is how many strings may turn out to have no end before the
// lexer stops to look for those that span lines: a bound for hostile input.
const maxFailures = 100

type lexer struct {
	*source
	line     int // of the offset last marked, from 0
	failures int
}

// blank finds the comments and strings of a text.
func blank(text string, x *lexis) *source {
	src := &source{text: text, code: []byte(text), lines: LineOffsets(text)}
	src.class = make([]lineClass, src.lines.Lines())
	l := &lexer{source: src}
	i := 0
	if x.prologue != nil {
		i = x.prologue(text)
		l.erase(0, i)
	}
	for i < len(text) {
		rules := x.rules[text[i]]
		if rules == nil {
			i++
			continue
		}
		i = l.token(rules, i)
	}
	src.classify()
	return src
}

// token applies the rules at i and returns where to go on.
func (l *lexer) token(rules []lexRule, i int) int {
	for r := range rules {
		rule := &rules[r]
		if len(l.text)-i < len(rule.open) || l.text[i:i+len(rule.open)] != rule.open {
			continue
		}
		end := min(rule.end(l, i), len(l.text))
		if end <= i {
			continue
		}
		if rule.kept {
			l.keep(i, end)
			return end
		}
		l.mark(i, end, rule)
		return end
	}
	return i + 1
}

func (l *lexer) mark(start, end int, rule *lexRule) {
	here, inside := hasCode, inString
	if rule.comment {
		l.comments = append(l.comments, comment{start, end, rule})
		here, inside = hasComment, inComment
	}
	for l.lines[l.line+1] <= start {
		l.line++
	}
	l.class[l.line] |= here
	for l.lines[l.line+1] < end {
		l.line++
		l.class[l.line] |= here | inside
	}
	l.erase(start, end)
}

// keep leaves a token in the code, but for what would end a statement.
func (l *lexer) keep(start, end int) {
	for i := start; i < end; i++ {
		if l.code[i] == ';' {
			l.code[i] = '_'
		}
	}
}

func (l *lexer) erase(start, end int) {
	for i := start; i < end; i++ {
		if l.code[i] != '\n' {
			l.code[i] = ' '
		}
	}
}

func (s *source) classify() {
	for n := range s.class {
		if s.class[n]&hasCode == 0 && !isBlank(s.code[s.lines[n]:s.lines[n+1]]) {
			s.class[n] |= hasCode
		}
	}
}

func isBlank(b []byte) bool {
	for _, c := range b {
		if c > ' ' {
			return false
		}
	}
	return true
}

// codeLine is line n, from 0, with comments and strings blanked and without
// its newline.
func (s *source) codeLine(n int) []byte {
	end := s.lines[n+1]
	for end > s.lines[n] && (s.code[end-1] == '\n' || s.code[end-1] == '\r') {
		end--
	}
	return s.code[s.lines[n]:end]
}

// rawLine is line n, from 0, as it is.
func (s *source) rawLine(n int) string { return chomp(s.text[s.lines[n]:s.lines[n+1]]) }

// indent is the width of the white space before line n; a tab goes to the
// next multiple of 8.
func (s *source) indent(n int) int {
	width := 0
	for i := s.lines[n]; i < s.lines[n+1]; i++ {
		switch s.text[i] {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		default:
			return width
		}
	}
	return width
}
