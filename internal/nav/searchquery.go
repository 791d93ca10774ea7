package nav

import (
	"context"
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/query"
)

// A lineQuery is what a search for lines asks for: a text that all of them have,
// files, and what else must hold of a line.
type lineQuery struct {
	match.Query

	matcher *match.Matcher // of the query; nil until it is compiled
	page                   // that is asked for
	pages   *pages         // that were given before
	first   int            // what matches before it was left out

	names  bool               // of files, in place of lines
	repo   query.Field        // zero: any
	files  gateway.FileFilter // of the request
	tree   lineNode           // nil: all that have the text
	fields bool               // the tree has files
	doubts []string           // of what is looked for
}

// takes reports whether lines of a file may be asked for.
func (q *lineQuery) takes(ctx context.Context, p string) bool {
	return q.files.Match(p) && (q.tree == nil || q.tree.holds(ctx, p, nil) != no)
}

// accepts is nil, or whether a line of a file that has the text is asked for.
func (q *lineQuery) accepts() func(ctx context.Context, p string, line []byte) bool {
	if q.tree == nil {
		return nil
	}
	return func(ctx context.Context, p string, line []byte) bool { return q.tree.holds(ctx, p, line) == holds }
}

func (q *lineQuery) everyFile() bool { return q.files.All() && !q.fields }

// expression is what regular expressions have, and lines of code seldom: an escape of a
// class or a dot, any characters, alternatives without spaces.
var expression = regexp.MustCompile(`\\[bwsdSWD.(\[]|\.[*+]|[\w)]\|[\w(]`)

// readQuery understands a request. A query without operators of the query
// language is a text as it is; else a tree of texts (words side by side, phrases,
// expressions) and fields.
func readQuery(req SearchRequest) (q lineQuery, err error) {
	q.names = req.Names
	q.Query = match.Query{Pattern: req.Query, Regexp: req.Regexp, Case: cases[req.Case], Word: req.Word}
	if !req.Regexp {
		asked, err := query.Parse(req.Query)
		if err != nil {
			return q, err
		}
		q.doubts = asked.Doubts()
		if asked.Root == nil && expression.MatchString(req.Query) {
			q.doubts = append(q.doubts, "it was read as exact text; with regexp: true as an expression")
		}
		if asked.Root == nil && strings.Contains(strings.ToLower(asked.Words), " or ") {
			q.doubts = append(q.doubts, `"or" was taken as a word; for either of two texts write "one" or "other"`)
		}
		if asked.Root != nil {
			if err := q.read(asked, req); err != nil {
				return q, err
			}
		}
	}
	q.files, err = gateway.NewFilter(req.PathFilter, req.Language, "")
	return q, err
}

// read makes the tree, and the text that every line has which it selects.
func (q *lineQuery) read(asked query.Query, req SearchRequest) error {
	if asked.Case && req.Case == "" {
		q.Case = match.Sensitive
	}
	b := lineBuilder{q: q, req: req}
	var err error
	if q.tree, err = b.and(query.Parts(asked.Root), true); err != nil {
		return err
	}
	texts, ok := needle(q.tree)
	if !ok {
		return query.NewMistake(1, "there is no text that all lines have which are looked for; add words, a phrase or a "+
			"regular expression, and write fields of which one must hold in parentheses: text (lang:go or lang:python)")
	}
	q.Query = joinedQuery(texts)
	if _, only := q.tree.(textNode); only {
		q.tree = nil
	}
	return nil
}

// joinedQuery looks for any of several texts.
func joinedQuery(texts []textNode) match.Query {
	first := texts[0].m.Query
	if len(texts) == 1 {
		return first
	}
	var parts []string
	for _, t := range texts {
		source, flags := t.m.Query.Pattern, "i"
		if !t.m.Query.Regexp {
			source = regexp.QuoteMeta(source)
		}
		if t.m.Sensitive() {
			flags = "-i"
		}
		parts = append(parts, "(?"+flags+":"+source+")")
	}
	return match.Query{Pattern: strings.Join(parts, "|"), Regexp: true, Case: match.Sensitive, Word: first.Word}
}

// A lineBuilder makes the tree of a query.
type lineBuilder struct {
	q   *lineQuery
	req SearchRequest
}

// and makes a node of parts which all must hold; words among them are one text. Nil
// is one that always holds.
func (b *lineBuilder) and(parts []query.Node, top bool) (lineNode, error) {
	var all andNode
	var words []string
	for _, part := range parts {
		switch x := part.(type) {
		case query.Word:
			words = append(words, x.Text)
			continue
		case query.Field:
			if x.Name == query.FieldRepo && top {
				b.q.repo = x
				continue
			}
		}
		n, err := b.node(part)
		if err != nil {
			return nil, err
		}
		if n != nil {
			all = append(all, n)
		}
	}
	if len(words) > 0 {
		text, err := b.text(strings.Join(words, " "), false)
		if err != nil {
			return nil, err
		}
		all = append(andNode{text}, all...)
	}
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return all, nil
}

func (b *lineBuilder) node(n query.Node) (lineNode, error) {
	switch n := n.(type) {
	case query.And:
		return b.and(n, false)
	case query.Or:
		return b.or(n)
	case query.Not:
		part, err := b.and(query.Parts(n.Node), false)
		if err != nil || part == nil {
			return nil, err
		}
		return notNode{part}, nil
	case query.Field:
		return b.field(n)
	case query.Phrase:
		return b.text(n.Text, false)
	case query.Regexp:
		return b.text(n.Expr, true)
	}
	return b.and([]query.Node{n}, false)
}

func (b *lineBuilder) or(parts query.Or) (lineNode, error) {
	var any orNode
	for _, part := range parts {
		n, err := b.and(query.Parts(part), false)
		if err != nil {
			return nil, err
		}
		if n == nil { // a field that one of the request stands for
			return nil, nil
		}
		any = append(any, n)
	}
	return any, nil
}

func (b *lineBuilder) text(pattern string, isRegexp bool) (lineNode, error) {
	m, err := match.Compile(match.Query{Pattern: pattern, Regexp: isRegexp, Case: b.q.Case, Word: b.req.Word})
	return textNode{m}, err
}

// field is a filter of files; nil where one of the request wins.
func (b *lineBuilder) field(f query.Field) (lineNode, error) {
	var chosen gateway.FileFilter
	var err error
	switch {
	case f.Name == query.FieldRepo:
		return nil, query.NewMistake(f.At, "repo: chooses repositories for all of the query; take it out of \"or\" and from "+
			"behind the dash")
	case f.Name == query.FieldFile && b.req.PathFilter == "":
		chosen, err = gateway.NewFilter(f.Value, "", "")
	case f.Name == query.FieldLang && b.req.Language == "":
		chosen, err = gateway.NewFilter("", f.Value, "")
	case f.Name == query.FieldFile, f.Name == query.FieldLang:
		return nil, nil
	default:
		return nil, query.NewMistake(f.At, "%s: selects no lines; use file:, lang: and repo:", f.Name)
	}
	if err != nil {
		return nil, f.Within(err)
	}
	b.q.fields = true
	return fileNode{chosen}, nil
}

// A verdict is whether something holds of a line; of a file without its lines that
// may be not known.
type verdict int8

const (
	no verdict = iota
	maybe
	holds
)

// A lineNode is a part of a query: of a line in a file, or with a nil line of the
// file alone.
type lineNode interface {
	holds(ctx context.Context, path string, line []byte) verdict
}

type (
	fileNode struct{ gateway.FileFilter }
	textNode struct{ m *match.Matcher }
	notNode  struct{ part lineNode }
	andNode  []lineNode
	orNode   []lineNode
)

func (n fileNode) holds(_ context.Context, path string, _ []byte) verdict {
	if n.Match(path) {
		return holds
	}
	return no
}

func (n textNode) holds(ctx context.Context, _ string, line []byte) verdict {
	switch {
	case line == nil:
		return maybe
	case n.m.MatchText(ctx, string(line)):
		return holds
	}
	return no
}

func (n notNode) holds(ctx context.Context, path string, line []byte) verdict {
	return holds - n.part.holds(ctx, path, line)
}

func (n andNode) holds(ctx context.Context, path string, line []byte) verdict {
	least := holds
	for _, part := range n {
		if least = min(least, part.holds(ctx, path, line)); least == no {
			break
		}
	}
	return least
}

func (n orNode) holds(ctx context.Context, path string, line []byte) verdict {
	most := no
	for _, part := range n {
		if most = max(most, part.holds(ctx, path, line)); most == holds {
			break
		}
	}
	return most
}

// needle are texts of which every line has one that a node selects; ok is false if
// there are none.
func needle(n lineNode) (texts []textNode, ok bool) {
	switch n := n.(type) {
	case textNode:
		return []textNode{n}, true
	case andNode:
		for _, part := range n {
			if some, has := needle(part); has && (!ok || len(some) < len(texts)) {
				texts, ok = some, true
			}
		}
		return texts, ok
	case orNode:
		for _, part := range n {
			some, has := needle(part)
			if !has {
				return nil, false
			}
			texts = append(texts, some...)
		}
		return texts, true
	}
	return nil, false
}
