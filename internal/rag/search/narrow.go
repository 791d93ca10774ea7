package search

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// maxJoined is how many symbols speak for the files and folders that sym: and
// kind: select.
const maxJoined = fts.MaxK

// everything selects all documents, and scores nothing.
var everything = fts.Not{Query: fts.MatchNone{}}

// An asking is a query, and the fields of it that became those of its request.
type asking struct {
	query.Query

	taken map[string]query.Field
}

// take makes the first repo:, file: and lang: that must hold the filters of a
// request, whose own win over them, and gives what else is to select. Words that
// stand beside it only rank.
func take(req *Request, asked query.Query) asking {
	given := map[string]*string{
		query.FieldRepo: &req.RepoFilter, query.FieldFile: &req.PathFilter,
		query.FieldLang: &req.Language,
	}
	own := map[string]bool{}
	for name, value := range given {
		own[name] = *value != ""
	}
	a := asking{asked, map[string]query.Field{}}
	if asked.Root == nil {
		return a
	}
	rest := query.And{}
	for _, part := range query.Parts(asked.Root) {
		f, isField := part.(query.Field)
		_, isWord := part.(query.Word)
		switch value := given[f.Name]; {
		case isField && value != nil && own[f.Name], isWord:
		case isField && value != nil && *value == "":
			*value, a.taken[f.Name] = f.Value, f
		default:
			rest = append(rest, part)
		}
	}
	a.Root = rest
	return a
}

// levelOf is the level that a query without one is about: symbols and tags are
// of one level each.
func levelOf(asked query.Query, level models.Level) models.Level {
	if level != "" && level != models.LevelAuto {
		return level
	}
	names := map[string]models.Level{
		query.FieldTag: models.LevelDoc, query.FieldSymbol: models.LevelSymbol,
		query.FieldKind: models.LevelSymbol,
	}
	for _, part := range query.Parts(asked.Root) {
		if f, ok := part.(query.Field); ok && names[f.Name] != "" {
			return names[f.Name]
		}
	}
	return level
}

// A narrowing makes filters of the operators of a query, for one level.
type narrowing struct {
	scopes   scopes
	base     scope // without the operators
	asked    asking
	level    models.Level
	made     map[query.Field]fts.Query
	warnings []models.Warning
}

// filter selects the documents of the level that may be what a node selects: it
// leaves out none that is. Under a negation it selects only those that are for
// sure.
func (n *narrowing) filter(ctx context.Context, node query.Node, negated bool) (fts.Query, error) {
	switch node := node.(type) {
	case query.And:
		return n.and(ctx, node, negated)
	case query.Or:
		parts, err := n.all(ctx, node, negated)
		return fts.Disjunction{Disjuncts: parts, Boost: fts.Zero()}, err
	case query.Not:
		part, err := n.filter(ctx, node.Node, !negated)
		return fts.Not{Query: part}, err
	case query.Word:
		return n.words(node.Text), nil
	case query.Field:
		q, err := n.field(ctx, node)
		if negated && n.asked.Case && node.Name == query.FieldSymbol && !n.joins(node) {
			q = fts.MatchNone{} // the index has no case
		}
		return q, err
	case query.Phrase:
		if !negated {
			return n.words(node.Text), nil
		}
	}
	if negated {
		return fts.MatchNone{}, nil
	}
	return everything, nil
}

// words selects the documents that have all words of a text.
func (n *narrowing) words(text string) fts.Query {
	if len(fts.Analyze(text)) == 0 {
		return everything
	}
	return fts.Match{Field: fts.TextField(n.level.DocType()), Match: text, Operator: "and", Boost: fts.Zero()}
}

// and takes what is said of symbols together: files are selected that have one
// symbol of which all of it is true.
func (n *narrowing) and(ctx context.Context, nodes query.And, negated bool) (fts.Query, error) {
	var ofSymbols []query.Field
	var rest []query.Node
	for _, node := range nodes {
		if f, ok := node.(query.Field); ok && n.joins(f) {
			ofSymbols = append(ofSymbols, f)
		} else {
			rest = append(rest, node)
		}
	}
	parts, err := n.all(ctx, rest, negated)
	if err == nil && len(ofSymbols) > 0 {
		var joined fts.Query
		joined, err = n.joined(ctx, ofSymbols...)
		parts = append(parts, joined)
		for _, f := range ofSymbols {
			n.made[f] = joined
		}
	}
	if err != nil || len(parts) == 0 {
		return everything, err
	}
	return filter.AllOf(parts), nil
}

func (n *narrowing) all(ctx context.Context, nodes []query.Node, negated bool) ([]fts.Query, error) {
	parts := make([]fts.Query, len(nodes))
	for i, node := range nodes {
		var err error
		if parts[i], err = n.filter(ctx, node, negated); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// field is the filter of a field, made once.
func (n *narrowing) field(ctx context.Context, f query.Field) (fts.Query, error) {
	if q, ok := n.made[f]; ok {
		return q, nil
	}
	q, err := n.make(ctx, f)
	if err == nil {
		n.made[f] = q
	}
	return q, err
}

func (n *narrowing) make(ctx context.Context, f query.Field) (fts.Query, error) {
	switch f.Name {
	case query.FieldRepo:
		found, err := n.scopes.repos.Match(ctx, f.Value)
		return repoFilter(found), f.Within(err)
	case query.FieldFile:
		path, err := filter.ParsePath(f.Value)
		return path.Query(), f.Within(err)
	case query.FieldLang:
		languages, err := filter.ParseLanguage(f.Value)
		return languages.Query(), f.Within(err)
	case query.FieldTag:
		return filter.Tag(f.Value), nil
	}
	if n.joins(f) {
		return n.joined(ctx, f)
	}
	return ofSymbol(f)
}

// joins reports whether a field is of symbols, and the level is another one.
func (n *narrowing) joins(f query.Field) bool {
	own := n.level == models.LevelSymbol || n.level == models.LevelDoc
	return !own && (f.Name == query.FieldSymbol || f.Name == query.FieldKind)
}

// joined selects the files, folders or repositories of the symbols that have
// all of the fields.
func (n *narrowing) joined(ctx context.Context, fields ...query.Field) (fts.Query, error) {
	parts := []fts.Query{n.base.filter(models.TypeSymbol)}
	for _, f := range fields {
		q, err := ofSymbol(f)
		if err != nil {
			return nil, err
		}
		parts = append(parts, q)
	}
	res, err := n.scopes.index.Search(ctx, fts.Request{Query: filter.AllOf(parts), Size: maxJoined})
	if err != nil {
		return nil, fmt.Errorf("find symbols: %w", err)
	}
	if len(res.Hits) == maxJoined {
		n.warnings = append(n.warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(
			"more than %d symbols fit %s:%s, what the others are in may be missing; search at level symbol, or narrow with "+
				"file: or repo:", maxJoined, fields[0].Name, fields[0].Value)})
	}
	var ids []string
	seen := map[models.DocumentID]bool{}
	for _, h := range res.Hits {
		if id := holder(n.level, &h.Header); !seen[id] && (!n.asked.Case || sameCase(fields, h.Header)) {
			seen[id] = true
			ids = append(ids, string(id))
		}
	}
	return fts.IDs{IDs: ids, Boost: fts.Zero()}, nil
}

// ofSymbol is the filter of a field of symbols. Their names are indexed in lower
// case. A qualified name may be its last parts.
func ofSymbol(f query.Field) (fts.Query, error) {
	if f.Name == query.FieldKind {
		return filter.Kind(f.Value), nil
	}
	name := strings.ToLower(intent.Dotted(f.Value))
	if expr, ok := nameGlob(name); ok {
		if _, err := regexp.Compile(expr); err != nil {
			return nil, f.Within(fault.Wrap(fault.InvalidRequest, err, "it is not a name or a glob such as New*"))
		}
		return filter.AnyOf([]fts.Query{
			fts.Regexp{Field: fts.FieldName, Regexp: expr, Boost: fts.Zero()},
			fts.Regexp{Field: fts.FieldQualified, Regexp: expr, Boost: fts.Zero()},
		}), nil
	}
	names := []fts.Query{fts.Filter(fts.FieldName, name), fts.Filter(fts.FieldQualified, name)}
	if strings.Contains(name, ".") {
		names = append(names, fts.Regexp{
			Field: fts.FieldQualified, Regexp: `.*[.]` + regexp.QuoteMeta(name),
			Boost: fts.Zero(),
		})
	}
	return filter.AnyOf(names), nil
}

// nameGlob is the expression of a glob of names, in which "*" stands for any
// characters and "?" for one.
func nameGlob(name string) (expr string, ok bool) {
	if !strings.ContainsAny(name, "*?") {
		return "", false
	}
	return strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(name)), true
}

// sameCase reports whether a symbol has the names that fields give, in their case.
func sameCase(fields []query.Field, h models.Header) bool {
	for _, f := range fields {
		if f.Name == query.FieldSymbol && !named(f.Value, h) {
			return false
		}
	}
	return true
}

// named reports whether a symbol has a name, or its qualified name ends in it, in
// that case.
func named(value string, h models.Header) bool {
	name := intent.Dotted(value)
	qualified := intent.Dotted(h.QualifiedName)
	if expr, ok := nameGlob(name); ok {
		re, err := regexp.Compile("^(?:" + expr + ")$")
		return err == nil && (re.MatchString(h.SymbolName) || re.MatchString(qualified))
	}
	return h.SymbolName == name || qualified == name || strings.Contains(name, ".") &&
		strings.HasSuffix(qualified, "."+name)
}
