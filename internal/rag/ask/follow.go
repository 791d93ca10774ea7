package ask

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A subject is what an earlier answer was about, as far as it said so.
type subject struct {
	repo  models.RepoID
	path  string
	name  string // of a symbol, qualified, or of a section
	after string // the question that it answered
	// Where the answer doesn't say which symbol it is about: what may be its name.
	names []string
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

const (
	fewTerms   = 3 // of a question, whose words may be names, or which a pronoun is what it is about
	followTime = 2 * time.Second
	followMost = 60 // neighbours that are looked at
)

// follows reports whether the query needs what was said before it.
func follows(query string) bool {
	terms := len(fts.Analyze(query))
	return terms <= 1 && len(namesIn(query)) == 0 || terms <= fewTerms && pronoun().MatchString(query) ||
		terms <= 2*fewTerms && leadsOn().MatchString(query)
}

// subjectOf is what the last answer that found something was about.
func subjectOf(req Request) (s subject, ok bool) {
	if len(req.History) == 0 || !follows(req.Query) {
		return s, false
	}
	for i, m := range slices.Backward(req.History) {
		if m.Role == "user" {
			if s.after == "" || pronoun().MatchString(s.after) || leadsOn().MatchString(s.after) {
				s.after = m.Content
			}
			continue
		}
		if s.name == "" {
			s.repo, s.path, s.name = mentioned(m.Content, nth(req.Query))
		}
		if i == 0 {
			break
		}
	}
	if s.path == "" {
		s.names = append(inOrder(s.after), s.name)
	}
	return s, s.name != "" || s.after != ""
}

// inOrder are the names of code in a text, as they stand.
func inOrder(text string) (names []string) {
	known := namesIn(text)
	for _, word := range fts.Words(text) {
		if known[word] {
			names = append(names, word)
		}
	}
	return names
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

// A follower answers from the graph.
type follower struct {
	graph Graph // may be nil
	read  reader
	asked inquiry
	notes *notes
}

// A trail is what the graph says of a subject.
type trail struct {
	places []place
	docs   map[models.DocumentID]models.Document // of the places
	told   string                                // how the answer begins
}

// named is the symbol that a question names, if it was found first, or holds what was.
// Any word may be a name where there are few: who calls close?
func (f follower) named(places []place, docs map[models.DocumentID]models.Document) (s subject, ok bool) {
	if len(places) == 0 {
		return s, false
	}
	asked := map[string]bool{}
	query := f.asked.req.Query
	few, code := len(fts.Analyze(query)) <= fewTerms, namesIn(query)
	for _, word := range fts.Words(query) {
		asked[word] = few || code[word]
	}
	for _, d := range parts(places[0], docs) {
		names := strings.Split(d.QualifiedName, ".")
		for i, name := range slices.Backward(names) {
			if d.Type == models.TypeSymbol && asked[name] {
				return subject{repo: d.RepoID, path: d.FilePath, name: strings.Join(names[:i+1], ".")}, true
			}
		}
	}
	return s, false
}

// asks reports whether a question is one of those that follow answers.
func (f follower) asks() (tests, users, used bool) {
	query := f.asked.req.Query
	users = asksUsers().MatchString(query) && !mayUse().MatchString(query)
	return asksTests().MatchString(query), users, asksUsed().MatchString(query)
}

// place finds where the symbol is that a subject may be; without one the subject stays.
func (f follower) place(ctx context.Context, s subject, in Searcher) (subject, error) {
	if tests, users, used := f.asks(); f.graph == nil || !tests && !users && !used {
		return s, nil
	}
	for _, name := range s.names {
		if name == "" || !f.notes.step(1, "the name "+name+" was searched") {
			continue
		}
		d, ok, err := f.symbol(ctx, name, in)
		if err != nil {
			return s, err
		}
		if ok {
			s.repo, s.path, s.name = d.RepoID, d.FilePath, d.QualifiedName
			break
		}
	}
	return s, nil
}

// symbol finds the first one of a name, qualified or not.
func (f follower) symbol(ctx context.Context, name string, in Searcher) (d models.Document, ok bool, err error) {
	resp, err := in.Search(ctx, search.Request{
		Query: name, Level: models.LevelSymbol, RepoFilter: f.asked.req.RepoFilter, Limit: new(considered),
		AsRanked: true,
	})
	if err != nil {
		return d, false, err
	}
	f.notes.did("search_code", "level symbol: "+name, len(resp.Items))
	ids := make([]models.DocumentID, len(resp.Items))
	for i, item := range resp.Items {
		ids[i] = item.DocumentID
	}
	docs, err := f.read.docs.Documents(ctx, ids)
	if err != nil {
		return d, false, err
	}
	byID := map[models.DocumentID]models.Document{}
	for _, d := range docs {
		byID[d.ID] = d
	}
	for _, id := range ids {
		d := byID[id]
		if d.QualifiedName == name || strings.HasSuffix(d.QualifiedName, "."+name) ||
			strings.HasSuffix(name, "."+d.QualifiedName) && d.QualifiedName != "" {
			return d, true, nil
		}
	}
	return d, false, nil
}

// follow finds who uses a subject, what it uses, or which tests do, as is asked.
// Where the graph has no answer, ok is false.
func (f follower) follow(ctx context.Context, s subject) (t trail, ok bool, err error) {
	tests, users, used := f.asks()
	if f.graph == nil || s.path == "" || !tests && !users && !used {
		return t, false, nil
	}
	id := models.SymbolID(s.repo, s.path, s.name, 1)
	found, err := f.read.docs.Documents(ctx, []models.DocumentID{id})
	if err != nil || len(found) == 0 || !f.asked.inFilter(found[0].RepoID) || !f.notes.step(1, "the graph was asked") {
		return t, false, err
	}
	of := found[0]
	limited, cancel := context.WithTimeout(ctx, followTime)
	defer cancel()
	n, ok, err := f.graph.Near(limited, of.Header, followMost)
	switch {
	case ctx.Err() != nil:
		return t, false, ctx.Err()
	case err != nil || !ok:
		return t, false, nil
	}
	defs, said := n.Users, "is used by"
	if used && !tests {
		defs, said = n.Used, "uses"
	}
	for _, d := range defs {
		t.places = append(t.places,
			place{
				repo: of.RepoID, path: d.FilePath,
				parts: []models.DocumentID{models.SymbolID(of.RepoID, d.FilePath, d.Qualified, 1)},
			})
	}
	if t.docs, err = f.read.documents(ctx, t.places); err != nil {
		return t, false, err
	}
	if tests {
		said = "is tested by"
	}
	t.places = slices.DeleteFunc(t.places, func(p place) bool {
		d, known := t.docs[p.parts[0]]
		return !known || tests && !d.Test
	})
	if len(t.places) == 0 {
		return t, false, nil
	}
	f.notes.did("where_used", fmt.Sprintf("%s %s", of.RepoID, of.QualifiedName), len(t.places))
	t.told = fmt.Sprintf("%s in %s %s %s ", inert.Code(of.QualifiedName), of.RepoID, inert.Code(of.FilePath), said)
	for _, term := range fts.Analyze(of.SymbolName) {
		f.notes.weights[term] = 1
	}
	return t, true, nil
}
