package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Mention is where a text names one of several repositories.
type Mention struct {
	Repo models.RepoID
	Name string // as it is called there
	Rest string // the text without the name, where it says that it is about that repository
	Sure bool   // it says so: "in celery", "how does celery …", "celery's …", "celery: …"
}

// Mentions are where a text names repositories and says something else, too.
func Mentions(text string, repos []models.Repository) []Mention {
	if len(repos) < 2 || !strings.ContainsAny(text, " \t\n") {
		return nil
	}
	var all []Mention
	words := spans(text)
	for _, repo := range repos {
		for _, name := range callings(repo.RepoID, repos) {
			if m := mention(text, words, name); m.Name != "" {
				m.Repo = repo.RepoID
				all = append(all, m)
				break
			}
		}
	}
	return all
}

// A span is a word of a text, in lower case, and where it is.
type span struct {
	word       string
	start, end int
}

func spans(text string) []span {
	var all []span
	at := 0
	for _, word := range apart(text) {
		at += strings.Index(text[at:], word)
		all = append(all, span{strings.ToLower(word), at, at + len(word)})
		at += len(word)
	}
	return all
}

// callings are what a repository may be called: as its id ends, or by its owner where it
// is the only one of that owner's.
func callings(id models.RepoID, repos []models.Repository) [][]string {
	var all [][]string
	if own := ownWords(id); len(own) > 0 {
		all = append(all, own)
	}
	owner, _, ok := strings.Cut(string(id), "/")
	if !ok || slices.ContainsFunc(repos, func(r models.Repository) bool {
		return r.RepoID != id && strings.HasPrefix(string(r.RepoID), owner+"/")
	}) {
		return all
	}
	owner = strings.ToLower(owner)
	for _, end := range ownerEnds {
		if name, ok := strings.CutSuffix(owner, end); ok && name != "" {
			owner = name
			break
		}
	}
	return append(all, apart(owner))
}

// ownerEnds are what owners have behind the names of their projects: vuejs, ktorio.
var ownerEnds = strings.Fields("js lang io hq org labs framework projects project")

// mention is the first place where a text has a name as words of their own, not within a
// longer name, of those where it says that it is about what is called so, if there are some.
func mention(text string, words []span, name []string) (found Mention) {
	found.Rest = text
	for i := range len(words) - len(name) + 1 {
		if !slices.EqualFunc(words[i:i+len(name)], name, func(s span, word string) bool { return s.word == word }) {
			continue
		}
		start, end := words[i].start, words[i+len(name)-1].end
		called := text[start:end]
		if rest, ok := about(text, words[:i], start, called); ok {
			return Mention{Name: called, Rest: rest, Sure: true}
		}
		if found.Name == "" && isApart(text[:start], text[end:]) {
			found.Name = called
		}
	}
	return found
}

// isApart reports whether what is before and behind a word ends and begins with a blank,
// marks of prose aside.
func isApart(before, behind string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(behind, ".,;:?!"))
	return (before == "" || unicode.IsSpace(last)) && (first == utf8.RuneError || unicode.IsSpace(first))
}

// about is a text without a name at a place of it, of which words come before, and whether
// the text says that it is about what is called so, and what about it.
func about(text string, words []span, start int, name string) (rest string, ok bool) {
	rest = text[start+len(name):]
	before := ""
	if n := len(words); n > 0 && strings.TrimSpace(text[words[n-1].end:start]) == "" {
		before = words[n-1].word
	}
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case strings.HasPrefix(rest, "'s ") || strings.HasPrefix(rest, "’s "):
		_, rest, _ = strings.Cut(rest, " ")
	case strings.TrimSpace(text[:start]) == "" && strings.HasPrefix(rest, ": "):
		rest = rest[1:]
	case within[before] && (next == ',' || strings.TrimRight(rest, "?.! \n") == ""):
		start, rest = words[len(words)-1].start, strings.TrimPrefix(rest, ",")
	case asSubject[before] && unicode.IsSpace(next):
	default:
		return "", false
	}
	rest = strings.TrimSpace(strings.TrimSpace(text[:start]) + " " + strings.TrimSpace(rest))
	return rest, hasSubject(rest)
}

// What stands before the name of a project that is spoken of as a whole, and not of a thing
// of that name: "does click handle", but not "is a click handled".
var (
	within    = wordSet("in inside through using within")
	asSubject = wordSet("does do did can could will would should when")
)
