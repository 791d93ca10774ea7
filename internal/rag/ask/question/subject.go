package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Subject is what an earlier answer was about, as far as it said so.
type Subject struct {
	Repo  models.RepoID
	Path  string
	Name  string // of a symbol, qualified, or of a section
	After string // the question that it answered
	// Where the answer doesn't say which symbol it is about: what may be its name.
	Names []string
}

// A Turn is one of those of the conversation before a question.
type Turn struct {
	ByUser bool
	Text   string
}

// How a question that follows others looks: it begins as one, or means something by
// a pronoun, and says little by itself.
var (
	leadsOn = pattern.NewLazy(`(?i)^\W*(?:and|but|so|also|then|ok(?:ay)?|what about|how about|why not)\b`)
	pronoun = pattern.NewLazy(
		`(?i)\b(?:it|its|that|this|they|them|their|these|those|there|the (?:first|second|third|fourth|last) one)\b`)
	ordinal   = pattern.NewLazy(`(?i)\bthe (first|second|third|fourth) one\b|\[(\d{1,2})\]`)
	asksUsers = pattern.NewLazy(
		`(?i)\b(?:who|what|where|which|is|are|show|list|find)\b.*\b(?:calls?|called|callers?|call ` +
			`sites|uses?|used|users|usages?|invokes?|invoked|references?|referenced|depends? on)\b`)
	// mayUse is of what is to be used, or can be, and not of what does.
	mayUse = pattern.NewLazy(`(?i)\b(?:safe|ready|intended|meant|suitable|fit|made|designed)\s+(?:for|to)\b|` +
		`\b(?:i|we|you|one)\s+(?:use|call|invoke)\b`)
	asksUsed = pattern.NewLazy(
		`(?i)\bwhat\b.*\b(?:does|do|did) (?:it|this|that|they|[\w.]+)\b.*\b(?:call|use|invoke|depend|need)\b`)
	asksTests = pattern.NewLazy(`(?i)\b(?:tests?|tested|testing)\b`)
)

// fewTerms are those of a question whose words may be names, or which a pronoun is what it is about.
const fewTerms = 3

// follows reports whether the query needs what was said before it.
func follows(query string) bool {
	terms := len(fts.Analyze(query))
	return terms <= 1 && len(NamesIn(query)) == 0 || terms <= fewTerms && pronoun().MatchString(query) ||
		terms <= 2*fewTerms && leadsOn().MatchString(query)
}

// subjectOf is what the last answer that found something was about.
func subjectOf(query string, said []Turn) (s Subject) {
	if len(said) == 0 || !follows(query) {
		return s
	}
	for i, t := range slices.Backward(said) {
		if t.ByUser {
			if s.After == "" || pronoun().MatchString(s.After) || leadsOn().MatchString(s.After) {
				s.After = t.Text
			}
			continue
		}
		if s.Name == "" {
			s.Repo, s.Path, s.Name = mentioned(t.Text, nth(query))
		}
		if i == 0 {
			break
		}
	}
	if s.Path == "" {
		s.Names = append(inOrder(s.After), s.Name)
	}
	return s
}

// nth is which of the quotes of an answer a question means, from 1.
func nth(query string) int {
	m := ordinal().FindStringSubmatch(query)
	if m == nil {
		return 1
	}
	if n, err := strconv.Atoi(m[2]); err == nil {
		return n
	}
	return 1 + max(0, slices.Index([]string{"first", "second", "third", "fourth"}, strings.ToLower(m[1])))
}

// How answers say what they are about: the first sentence of an extractive one,
// the heads of its quotes, and any name of code in one of a model.
var (
	saidFirst = pattern.NewLazy("`([^`\n]+)` in (\\S+) `([^`\n]+)` (?:fits best|is used by|uses|is tested by)")
	saidHead  = pattern.NewLazy(
		"(?m)^\\[(\\d+)\\] (?:([^\\s`]+) )?`([^`\n]+?):\\d+(?:-\\d+)?` (?:`([^`\n]+)`|“([^”\n]+)”)")
	saidName = pattern.NewLazy("`([\\pL_][\\pL\\pN_.:]*)(?:\\(\\))?`")
)

func mentioned(answer string, n int) (repo models.RepoID, path, name string) {
	first := saidFirst().FindStringSubmatch(answer)
	if first != nil && n == 1 {
		return models.RepoID(first[2]), first[3], first[1]
	}
	for _, head := range saidHead().FindAllStringSubmatch(answer, -1) {
		if head[1] != strconv.Itoa(n) {
			continue
		}
		repo = models.RepoID(head[2])
		if repo == "" && first != nil {
			repo = models.RepoID(first[2])
		}
		return repo, head[3], head[4] + head[5]
	}
	if m := saidName().FindStringSubmatch(answer); m != nil && first == nil && n == 1 {
		return "", "", m[1]
	}
	return "", "", ""
}
