package filter

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
)

// Query selects the documents of the files that the filter selects.
func (f Path) Query() fts.Query {
	if f.All() {
		return fts.MatchAll{}
	}
	var terms []fts.Query
	if f.literal != "" {
		terms = append(terms, fts.Filter(fts.FieldAncestor, f.literal), fts.Filter(fts.FieldPath, f.literal))
	}
	if f.expr != "" {
		terms = append(terms, fts.Regexp{Field: fts.FieldPath, Regexp: f.expr, Boost: fts.Zero()})
	}
	return AnyOf(terms)
}

// Query selects the documents of files in one of the languages.
func (l Languages) Query() fts.Query {
	var terms []fts.Query
	for _, language := range l {
		terms = append(terms, fts.Filter(fts.FieldLanguage, strings.ToLower(language)))
	}
	return AnyOf(terms)
}

// AnyOf selects what one of some filters selects, without scoring.
func AnyOf(filters []fts.Query) fts.Query {
	if len(filters) == 1 {
		return filters[0]
	}
	return fts.Disjunction{Disjuncts: filters, Boost: fts.Zero()}
}

// AllOf selects what all of some filters select, of which there are some,
// without scoring.
func AllOf(filters []fts.Query) fts.Query {
	if len(filters) == 1 {
		return filters[0]
	}
	return fts.Conjunction{Conjuncts: filters, Boost: fts.Zero()}
}

// Tag selects the documents with a tag, or one below it: "project" also means
// "project/alpha". Case and a leading "#" don't count.
func Tag(name string) fts.Query {
	name = fts.Fold(strings.Trim(strings.TrimPrefix(strings.TrimSpace(name), "#"), "/"))
	return AnyOf([]fts.Query{
		fts.Filter(fts.FieldTags, name),
		fts.TermRange{Field: fts.FieldTags, Min: name + "/", Max: name + "0", Boost: fts.Zero()}, // "0" follows "/"
	})
}

// kinds are other names of kinds of symbols.
var kinds = map[string]string{
	"function": "func", "fn": "func", "def": "func", "constant": "const", "variable": "var", "constructor": "method",
	"heading": "section",
}

// Kind selects the documents of symbols of a kind, in any case.
func Kind(name string) fts.Query {
	name = strings.ToLower(strings.TrimSpace(name))
	if kind := kinds[name]; kind != "" {
		name = kind
	}
	return fts.Filter(fts.FieldKind, name)
}

// usualKinds are of symbols in most languages; there are more.
var usualKinds = []string{
	"func", "function", "method", "constructor", "class", "struct", "interface", "trait", "protocol", "enum", "type",
	"const", "constant", "var", "variable", "property", "field", "macro", "module", "namespace", "heading", "section",
}

// NearestKinds are the usual kinds that someone who wrote kind may have meant, none if
// it is one of them.
func NearestKinds(kind string) []string {
	if slices.Contains(usualKinds, strings.ToLower(kind)) {
		return nil
	}
	return Nearest(kind, usualKinds)
}

// Link selects the documents that link to a note, by its name, an alias or a path,
// as it is written in [[name]].
func Link(target string) fts.Query {
	return fts.Filter(fts.FieldWikilinks, fts.LinkTerm(target))
}
