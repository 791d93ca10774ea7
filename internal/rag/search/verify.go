package search

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

const (
	browsePool    = 2000 // documents that are looked through where no word leads to them
	readersAtOnce = 4
)

// A LineReader reads lines of a file as it is now, 1-indexed and inclusive.
type LineReader interface {
	Lines(ctx context.Context, repo models.RepoID, path string, start, end int) (string, []models.Warning, error)
}

// ofText reports whether a node can only be judged by a document's text, or by
// the case of its name.
func ofText(asked query.Query) func(query.Node) bool {
	return func(n query.Node) bool {
		switch n := n.(type) {
		case query.Phrase, query.Regexp:
			return true
		case query.Field:
			return asked.Case && n.Name == query.FieldSymbol
		}
		return false
	}
}

// scans reports whether a node selects by what the index has no words of.
func scans(n query.Node) bool {
	switch n := n.(type) {
	case query.Regexp:
		return true
	case query.Phrase:
		return len(fts.Analyze(n.Text)) == 0
	}
	return false
}

// A judge decides by their texts which documents a query selects.
type judge struct {
	index  Index
	lines  LineReader // nil: texts are judged by what is stored of them
	asked  query.Query
	parts  []query.Node // that must hold, and are about texts
	fields map[query.Field]fts.Query
	texts  map[query.Node]*regexp.Regexp // of phrases and expressions
	unread atomic.Int64
}

func (s scopes) judge(asked query.Query, fields map[query.Field]fts.Query) (*judge, error) {
	j := &judge{index: s.index, lines: s.lines, asked: asked, fields: fields, texts: map[query.Node]*regexp.Regexp{}}
	flags := "(?im:"
	if asked.Case {
		flags = "(?m:"
	}
	for _, part := range query.Parts(asked.Root) {
		if query.Has(part, ofText(asked)) {
			j.parts = append(j.parts, part)
		}
	}
	var err error
	query.Has(asked.Root, func(n query.Node) bool {
		switch n := n.(type) {
		case query.Phrase:
			j.texts[n], err = regexp.Compile(phraseRegexp(j.folded(n.Text)))
		case query.Regexp:
			if j.texts[n], err = regexp.Compile(flags + n.Expr + ")"); err != nil {
				err = query.NewMistake(n.At, "the regular expression can't be used: %v", err)
			}
		}
		return err != nil
	})
	return j, err
}

// phraseRegexp is the expression of a phrase. It begins with a literal, so that it
// is looked for quickly; see hasPhrase for its ends.
func phraseRegexp(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(words, `\s+`)
}

// hasPhrase reports whether an expression matches anywhere without its ends being
// inside of words.
func hasPhrase(re *regexp.Regexp, text string) bool {
	for from := 0; from < len(text); {
		m := re.FindStringIndex(text[from:])
		if m == nil {
			return false
		}
		start, end := from+m[0], from+m[1]
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		first, size := utf8.DecodeRuneInString(text[start:])
		last, _ := utf8.DecodeLastRuneInString(text[:end])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if (!isWordRune(first) || !isWordRune(before)) && (!isWordRune(last) || !isWordRune(after)) {
			return true
		}
		from = start + size
	}
	return false
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// keep gives the hits that the query selects, in their order.
func (j *judge) keep(ctx context.Context, hits []*hit) ([]*hit, error) {
	files := slices.Clone(hits) // those of a file are read one after the other
	slices.SortFunc(files, func(a, b *hit) int {
		return cmp.Or(cmp.Compare(a.RepoID, b.RepoID), cmp.Compare(a.FilePath, b.FilePath), cmp.Compare(a.ID, b.ID))
	})
	ids := make([]models.DocumentID, len(hits))
	for i, h := range files {
		ids[i] = h.ID
	}
	docs, err := j.index.Documents(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	var ofFiles [][]models.Document
	for len(docs) > 0 {
		n := slices.IndexFunc(docs, func(d models.Document) bool {
			return d.FilePath != docs[0].FilePath || d.RepoID != docs[0].RepoID
		})
		if n < 0 {
			n = len(docs)
		}
		ofFiles, docs = append(ofFiles, docs[:n]), docs[n:]
	}
	var mu sync.Mutex
	selected := make(map[models.DocumentID]bool, len(hits))
	err = parallel.Each(ctx, readersAtOnce, ofFiles, func(ctx context.Context, docs []models.Document) error {
		for i := range docs {
			ok, err := j.selects(ctx, &docs[i])
			if err != nil {
				return err
			}
			mu.Lock()
			selected[docs[i].ID] = ok
			mu.Unlock()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	kept := make([]*hit, 0, len(hits))
	for _, h := range hits {
		if selected[h.ID] {
			kept = append(kept, h)
		}
	}
	return kept, nil
}

func (j *judge) selects(ctx context.Context, d *models.Document) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	t := &judged{judge: j, doc: d}
	for _, part := range j.parts {
		if ok, err := t.holds(ctx, part); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// A judged is one document before the judge.
type judged struct {
	*judge

	doc      *models.Document
	read     bool
	text     string // of its lines, and what was made of them
	masked   string // without credentials; "" until it is needed
	keywords map[string][]string
}

func (t *judged) holds(ctx context.Context, n query.Node) (bool, error) {
	switch n := n.(type) {
	case query.And:
		for _, part := range n {
			if ok, err := t.holds(ctx, part); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	case query.Or:
		for _, part := range n {
			if ok, err := t.holds(ctx, part); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	case query.Not:
		ok, err := t.holds(ctx, n.Node)
		return !ok && err == nil, err
	case query.Word:
		return t.has(ctx, n.Text)
	case query.Field:
		return t.field(n)
	}
	_, phrase := n.(query.Phrase)
	return t.matches(ctx, t.texts[n], phrase)
}

func (t *judged) field(f query.Field) (bool, error) {
	if t.asked.Case && f.Name == query.FieldSymbol && t.doc.Type == models.TypeSymbol {
		return named(f.Value, t.doc.Header), nil
	}
	if t.keywords == nil {
		t.keywords = fts.Keywords(t.doc)
	}
	return fts.Matches(t.fields[f], string(t.doc.ID), t.keywords)
}

// has reports whether the text has all words of another.
func (t *judged) has(ctx context.Context, words string) (bool, error) {
	if err := t.load(ctx); err != nil {
		return false, err
	}
	have := fts.Analyze(t.text)
	for _, term := range fts.Analyze(words) {
		if !slices.Contains(have, term) {
			return false, nil
		}
	}
	return true, nil
}

// folded is a text in which phrases are looked for.
func (j *judge) folded(text string) string {
	if j.asked.Case {
		return text
	}
	return strings.ToLower(text)
}

// matches reports whether an expression, or that of a phrase, matches what may be
// shown of the text.
func (t *judged) matches(ctx context.Context, re *regexp.Regexp, phrase bool) (bool, error) {
	in := func(text string) bool {
		if phrase {
			return hasPhrase(re, t.folded(text))
		}
		return re.MatchString(text)
	}
	if err := t.load(ctx); err != nil || !in(t.text) {
		return false, err
	}
	if t.masked == "" {
		t.masked, _ = redact.Text(t.text)
	}
	return in(t.masked), nil
}

// load reads the lines of the document. A document without lines, or whose file
// can't be read, has its summary only.
func (t *judged) load(ctx context.Context) error {
	if t.read {
		return nil
	}
	t.read = true
	d := t.doc
	if t.lines != nil && d.StartLine > 0 {
		text, _, err := t.lines.Lines(ctx, d.RepoID, d.FilePath, d.StartLine, d.EndLine)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			t.text = text
			if d.Type == models.TypeDocument { // of which a part is without markup
				t.text += "\n\n" + d.Content
			}
			return nil
		}
		t.unread.Add(1)
	}
	t.text = d.Content
	return nil
}
