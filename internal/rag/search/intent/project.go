package intent

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// AboutProject reports whether a question is about a project as a whole: what it is
// for, how it is organised, where to start. All of its words are of such questions,
// or of the name of the repository, of which the id or the filter is given.
func AboutProject(question, repo string) bool {
	var has [wordName + 1]bool // of which kind there are words
	own := apart(ProjectName(repo))
	for _, word := range apart(strings.ToLower(question)) {
		kind, known := projectWords[word]
		if slices.Contains(own, word) {
			kind, known = wordName, true
		}
		if !known {
			return false
		}
		has[kind] = true
	}
	asks, about := has[wordWhat] || has[wordWhere], has[wordNoun] || has[wordPointer] || has[wordName]
	switch {
	case has[wordPlain]:
		return true
	case has[wordStart]:
		return asks && (has[wordPerson] || has[wordNoun])
	case has[wordAspect]:
		return has[wordNoun] || asks && (about || has[wordPerson]) || has[wordWhole] ||
			has[wordWhat] && has[wordArticle] && !has[wordVerb]
	}
	return has[wordWhat] && about
}

// AboutEntry reports whether a question asks where a program begins, or a library,
// and nothing else: "main entry point", "where does it start". The repository, of which
// the id or the filter is given, may be called by its name.
func AboutEntry(question, repo string) bool {
	if strings.Contains(question, `"`) { // the words are to be there
		return false
	}
	question = strings.ToLower(question)
	if !slices.ContainsFunc(entryWords, func(w string) bool { return strings.Contains(question, w) }) {
		return false
	}
	question = entryPoint().ReplaceAllString(question, "entrypoint$1")
	asked := strings.Join(apart(question), " ")
	if own := strings.Join(apart(ProjectName(repo)), " "); own != "" {
		asked = strings.ReplaceAll(" "+asked+" ", " "+own+" ", " project ")
	}
	return entryForms().MatchString(strings.TrimSpace(asked))
}

// entryWords are in every one of entryForms, one or the other.
var entryWords = []string{"entry", "main", "start", "begin"}

const entryOwner = `(?:(?:the|this|its|our) )?(?:program|project|app|application|library|code|codebase|repository|` +
	`repo|package|framework|tool|service|server|binary|cli|it|execution)`

var (
	entryPoint = pattern.NewLazy(`\bentry[ -]point(s?)\b`)
	entryForms = pattern.NewLazy(`^(?:(?:(?:where|what|which) (?:is|are) )?(?:the )?(?:` +
		`(?:(?:main|program|project|library|code|application) )*entrypoint(?: file| function)?(?: located| defined)?|` +
		`main (?:entrypoints|function|method|file)(?: located| defined)?)(?: (?:of|to|for|in|into) ` + entryOwner + `)?|` +
		`where are (?:the|its|all) entrypoints(?: (?:of|to|for|in|into) ` + entryOwner + `)?|` +
		`where does ` + entryOwner + ` (?:start|begin)(?: running| executing| execution)?)$`)
)

// Meant is the one repository of several that a question about a project as a whole
// names, or "": as its id ends, words aside that mean any project. A name behind an
// article is a common word, unless a word that means a project follows: "What is a
// table?" is not about the repository of that name.
func Meant(question string, repos []models.Repository) (id models.RepoID) {
	about := func(repo string) bool { return AboutProject(question, repo) || AboutEntry(question, repo) }
	if len(repos) < 2 || about("") {
		return ""
	}
	words := apart(strings.ToLower(question))
	for _, repo := range repos {
		name := ownWords(repo.RepoID)
		if len(name) == 0 {
			continue
		}
		at := slices.Index(words, name[0])
		if at < 0 || len(words)-at < len(name) || !slices.Equal(words[at:at+len(name)], name) ||
			!about(string(repo.RepoID)) {
			continue
		}
		if at > 0 && slices.Contains([]string{"a", "an", "the"}, words[at-1]) &&
			(at+len(name) == len(words) || projectWords[words[at+len(name)]] != wordNoun) {
			continue
		}
		if id != "" {
			return "" // of two owners
		}
		id = repo.RepoID
	}
	return id
}

// ownWords are the words of a repository's name that don't mean any project.
func ownWords(id models.RepoID) []string {
	return slices.DeleteFunc(apart(ProjectName(string(id))), func(word string) bool {
		return projectWords[word] == wordNoun
	})
}

// NamedAs reports whether a folder has the name of a project.
func NamedAs(folder string, id models.RepoID) bool {
	return slices.Equal(apart(strings.ToLower(folder)), ownWords(id))
}

// WithoutName is a question that says that it is about a project, of which the id is given,
// without the project's name: all there is to find is of that project, and what has
// the name in its own is not what is asked for.
func WithoutName(question, repo string) string {
	name := apart(ProjectName(repo))
	if len(name) == 0 || wordCount(question) < sentence-1 {
		return question
	}
	return mention(question, spans(question), name).Rest
}

// apart are the words of a text.
func apart(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Kinds of words in questions about a project.
const (
	wordFiller  = iota
	wordArticle // of the thing that is meant, not of any
	wordWhole   // not of a part
	wordPlain   // that say by themselves what is asked for
	wordAspect  // of a project
	wordStart   // to know a project
	wordNoun    // that mean a project
	wordPointer // to it
	wordPerson  // who want to know it
	wordWhat    // for what a thing is
	wordWhere   // for where a thing is
	wordVerb    // of what it does
	wordName    // of the repository
)

var projectWords = func() map[string]int {
	kinds := map[string]int{}
	for kind, words := range []string{
		wordFiller: "please can could would should an a short brief quick is are was s of for on in to by with from and or " +
			"all about there here at look out up made like through has have need take find get reading read want know learn " +
			"understand under hood internally",
		wordArticle: "the main key most important level top big",
		wordWhole:   "overall high general whole entire",
		wordPlain:   "overview architecture",
		wordAspect: "structure structured organised organized organisation organization layout laid design designed built " +
			"purpose summary introduction intro tour picture components parts pieces concepts",
		wordStart: "start starting begin beginning first new newcomer",
		wordNoun: "project repo repository codebase code base library package app application tool program service system " +
			"software framework source",
		wordPointer: "this it its",
		wordPerson:  "i we you one me us m",
		wordWhat:    "what how describe explain summarise summarize give show tell introduce outline walk",
		wordWhere:   "where which",
		wordVerb:    "do does did work works",
	} {
		for word := range wordSet(words) {
			kinds[word] = kind
		}
	}
	return kinds
}()

// ProjectName is the last part of a repository's id, in lower case; "" for the glob
// of a filter.
func ProjectName(repo string) string {
	if strings.ContainsAny(repo, "*?[{") {
		return ""
	}
	return strings.ToLower(path.Base("/" + repo))
}
