package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// A filterCase is a query that selects without scoring.
type filterCase struct {
	name  string
	query fts.Query
	want  []models.Document
}

// A filterCorpus is the documents that filterCases select from.
type filterCorpus struct{ parse, test, other, module, note, late models.Document }

func newFilterCorpus() filterCorpus {
	c := filterCorpus{
		parse: symbol("o/r", "net/http/parse.go", "ParseTime", "walrus"),
		test:  symbol("o/r", "net/http/parse_test.go", "TestParse", "walrus"),
		other: symbol("o/rest", "net/Parse.py", "parse", "walrus"),
		module: models.Document{Header: models.Header{
			ID: "module:o/r:net/http", Type: models.TypeModule, RepoID: "o/r",
			FilePath: "net/http",
		}},
		note: models.Document{Header: models.Header{
			ID: "doc:o/r:n.md#x", Type: models.TypeDocument, RepoID: "o/r",
			FilePath: "n.md",
		}},
		late: models.Document{Header: models.Header{
			ID: "doc:o/r:m.md#x", Type: models.TypeDocument, RepoID: "o/r",
			FilePath: "m.md",
		}},
	}
	c.test.Test = true
	c.other.Language = "Python"
	c.note.Tags, c.note.Wikilinks = []string{"Go", "x y"}, []string{"Home"}
	c.note.CreatedDate, c.note.Heading, c.note.HeadingLevel = "2026-03-01T00:00:00Z", "Set Up", 2
	c.late.CreatedDate = "2026-04-01T12:00:00Z"
	return c
}

func filters(t *testing.T, open opener) {
	st := open(t)
	corpus := newFilterCorpus()
	put(t, st, corpus.parse, corpus.test, corpus.other)
	put(t, st, corpus.module, corpus.note, corpus.late)
	for _, tt := range slices.Concat(keywordCases(corpus), manyCases(corpus), compoundCases(corpus)) {
		t.Run(tt.name, func(t *testing.T) {
			want := []models.DocumentID{}
			for _, d := range tt.want {
				want = append(want, d.ID)
			}
			res := search(t, st, fts.Request{Query: tt.query, Size: 100})
			if diff := cmp.Diff(sorted(want), sorted(ids(res.Hits)), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
			if res.Total != -1 && res.Total != len(tt.want) {
				t.Errorf("total %d, want %d", res.Total, len(tt.want))
			}
		})
	}
}

func keywordCases(c filterCorpus) []filterCase {
	return []filterCase{
		{"type", fts.Filter(fts.FieldType, "module_summary"), []models.Document{c.module}},
		{"repository, whole", fts.Filter(fts.FieldRepo, "o/r"), []models.Document{c.parse, c.test, c.module, c.note, c.late}},
		{"path", fts.Filter(fts.FieldPath, "net/http/parse.go"), []models.Document{c.parse}},
		{"path, exact case", fts.Filter(fts.FieldPath, "net/parse.py"), nil},
		{"ancestor", fts.Filter(fts.FieldAncestor, "net"), []models.Document{c.parse, c.test, c.other, c.module}},
		{"ancestor is a whole folder", fts.Filter(fts.FieldAncestor, "ne"), nil},
		{"a module's own folder", fts.Filter(fts.FieldAncestor, "net/http"), []models.Document{c.parse, c.test, c.module}},
		{"language, lower case", fts.Filter(fts.FieldLanguage, "python"), []models.Document{c.other}},
		{"language, exact case", fts.Filter(fts.FieldLanguage, "Python"), nil},
		{"name, lower case", fts.Filter(fts.FieldName, "parsetime"), []models.Document{c.parse}},
		{"qualified name", fts.Filter(fts.FieldQualified, "pkg.parsetime"), []models.Document{c.parse}},
		{"tests", fts.Filter(fts.FieldTest, "true"), []models.Document{c.test}},
		{"tag, lower case", fts.Filter(fts.FieldTags, "go"), []models.Document{c.note}},
		{"tag of two words", fts.Filter(fts.FieldTags, "x y"), []models.Document{c.note}},
		{"wikilink", fts.Filter(fts.FieldWikilinks, "home"), []models.Document{c.note}},
		{"heading", fts.Filter(fts.FieldHeading, "set up"), []models.Document{c.note}},
		{"heading level", fts.Filter(fts.FieldHLevel, "2"), []models.Document{c.note}},
	}
}

// manyCases ask for one of so many terms that an engine may read them together.
func manyCases(c filterCorpus) []filterCase {
	many := []fts.Query{fts.Filter(fts.FieldPath, c.parse.FilePath), fts.Filter(fts.FieldPath, c.note.FilePath)}
	for i := range 30 {
		many = append(many, fts.Filter(fts.FieldPath, fmt.Sprintf("none/%d.go", i)))
	}
	return []filterCase{
		{"or of many terms", filter.AnyOf(many), []models.Document{c.parse, c.note}},
		{"two of many terms", fts.Disjunction{Disjuncts: many, Min: 2, Boost: fts.Zero()}, nil},
		{
			"or of many terms of two fields",
			filter.AnyOf(slices.Concat(many[1:], []fts.Query{fts.Filter(fts.FieldTest, "true")})),
			[]models.Document{c.note, c.test},
		},
		{
			"not, of many terms", all(fts.Not{Query: filter.AnyOf(many)}, fts.Filter(fts.FieldRepo, "o/r")),
			[]models.Document{c.test, c.module, c.late},
		},
	}
}

func compoundCases(c filterCorpus) []filterCase {
	between := func(from, to string) fts.Query { return fts.TermRange{Field: fts.FieldCreated, Min: from, Max: to} }
	path := func(re string) fts.Query { return fts.Regexp{Field: fts.FieldPath, Regexp: re} }
	or := func(least int, qs ...fts.Query) fts.Query { return fts.Disjunction{Disjuncts: qs, Min: least} }
	not := func(q fts.Query) fts.Query { return fts.Not{Query: q} }
	return []filterCase{
		{"regexp on the whole path", path(`net/.*\.go`), []models.Document{c.parse, c.test}},
		{"regexp, not a part", path(`parse`), nil},
		{"regexp, one level", path(`net/[^/]*`), []models.Document{c.other, c.module}},
		{"regexp, ignoring case", path(`(?i).*/parse\.(go|py)`), []models.Document{c.parse, c.other}},
		{"range", between("2026-03-01T00:00:00Z", "2026-04-01T12:00:00Z"), []models.Document{c.note}},
		{"range, open below", between("", "2026-04-02"), []models.Document{c.note, c.late}},
		{"range, open above", between("2026-03-02", ""), []models.Document{c.late}},
		{"range, empty", between("2026-04-02", "2026-03-01"), nil},
		{"ids", fts.IDs{IDs: []string{string(c.late.ID), "none", string(c.parse.ID)}}, []models.Document{c.late, c.parse}},
		{"and", all(fts.Filter(fts.FieldRepo, "o/r"), fts.Filter(fts.FieldAncestor, "net"),
			fts.Filter(fts.FieldKind, "func")), []models.Document{c.parse, c.test}},
		{"and of nothing", all(), nil},
		{
			"or", or(0, fts.Filter(fts.FieldLanguage, "python"), fts.Filter(fts.FieldTest, "true")),
			[]models.Document{c.other, c.test},
		},
		{"two of three", or(2, fts.Filter(fts.FieldRepo, "o/r"), fts.Filter(fts.FieldLanguage, "go"),
			fts.Filter(fts.FieldTest, "true")), []models.Document{c.parse, c.test}},
		{"three of three", or(3, fts.Filter(fts.FieldRepo, "o/r"), fts.Filter(fts.FieldLanguage, "go"),
			fts.Filter(fts.FieldTest, "true")), []models.Document{c.test}},
		{"not", not(fts.Filter(fts.FieldRepo, "o/r")), []models.Document{c.other}},
		{
			"not, without the field", all(not(fts.Filter(fts.FieldTags, "go")), fts.Filter(fts.FieldType, "document")),
			[]models.Document{c.late},
		},
		{
			"not first, then words", all(not(fts.Filter(fts.FieldTest, "true")), match(models.TypeSymbol, "walrus")),
			[]models.Document{c.parse, c.other},
		},
		{
			"words first, then not", all(match(models.TypeSymbol, "walrus"), not(fts.Filter(fts.FieldTest, "true"))),
			[]models.Document{c.parse, c.other},
		},
		{"not of words", all(fts.Filter(fts.FieldType, "symbol_index"), not(match(models.TypeSymbol, "walrus"))), nil},
		{"not of a regexp", all(fts.Filter(fts.FieldType, "symbol_index"), not(path(`.*\.go`))), []models.Document{c.other}},
		{"not of not", not(not(fts.Filter(fts.FieldLanguage, "python"))), []models.Document{c.other}},
		{"not of all", not(fts.MatchAll{}), nil},
		{"not of none", all(fts.Filter(fts.FieldLanguage, "python"), not(fts.MatchNone{})), []models.Document{c.other}},
		{"not of several", all(not(or(0, fts.Filter(fts.FieldLanguage, "go"), fts.Filter(fts.FieldType, "document"))),
			fts.Filter(fts.FieldKind, "func")), []models.Document{c.other}},
		{
			"or of a not", or(0, not(fts.Filter(fts.FieldRepo, "o/r")), fts.Filter(fts.FieldTest, "true")),
			[]models.Document{c.other, c.test},
		},
		{"all", fts.MatchAll{}, []models.Document{c.parse, c.test, c.other, c.module, c.note, c.late}},
		{"none", fts.MatchNone{}, nil},
		{
			"words within a filter", all(fts.Filter(fts.FieldLanguage, "go"), match(models.TypeSymbol, "walrus")),
			[]models.Document{c.parse, c.test},
		},
	}
}

func words(t *testing.T, open opener, traits Traits) {
	st := open(t)
	rare := symbol("o/r", "a.go", "A", "common common rareword "+strings.Repeat("filler ", 20))
	twice := symbol("o/r", "b.go", "B", "zebra zebra one two")
	once := symbol("o/r", "c.go", "C", "zebra apple one two")
	short := symbol("o/r", "d.go", "D", "otter")
	long := symbol("o/r", "e.go", "E", "otter "+strings.Repeat("padding ", 30))
	camel := symbol("o/r", "f.go", "ParseHTTPRequest", "")
	both := symbol("o/r", "g.go", "G", "apple pear")
	login := symbol("o/r", "h.go", "用户登录", "")
	spelt := symbol("o/r", "i.go", "NormalizeColor", "")
	docs := []models.Document{rare, twice, once, short, long, camel, both, login, spelt}
	for i := range 20 {
		docs = append(docs, symbol("o/r", fmt.Sprintf("n%02d.go", i), "N", "common common common"))
	}
	docs = append(docs, file("o/r", "a.go", "zebra zebra zebra zebra"))
	put(t, st, docs[:10]...)
	put(t, st, docs[10:]...)

	and := fts.Match{Field: fts.TextField(models.TypeSymbol), Match: "apple pear", Operator: "and"}
	tests := []struct {
		name  string
		query fts.Query
		want  []models.Document // the first hits
	}{
		{"a rare word beats a common one", match(models.TypeSymbol, "common rareword"), []models.Document{rare}},
		{"a repeated word counts more", match(models.TypeSymbol, "zebra"), []models.Document{twice, once}},
		{"the shorter document first", match(models.TypeSymbol, "otter"), []models.Document{short, long}},
		{"more of the words first", match(models.TypeSymbol, "apple pear"), []models.Document{both, once}},
		{"every word", and, []models.Document{both}},
		{"parts of identifiers", match(models.TypeSymbol, "http requests"), []models.Document{camel}},
		{"whole identifiers", match(models.TypeSymbol, "parsehttprequest"), []models.Document{camel}},
		{"parts of names without case", match(models.TypeSymbol, "登录"), []models.Document{login}},
		{"British spelling", match(models.TypeSymbol, "normalised colours"), []models.Document{spelt}},
		{"words are stemmed", match(models.TypeSymbol, "parsing"), []models.Document{camel}},
		{"each type has its field", match(models.TypeFile, "zebra"), []models.Document{docs[len(docs)-1]}},
		{"unknown words add nothing", match(models.TypeSymbol, "otter unheardof"), []models.Document{short, long}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := find(t, st, tt.query)
			var want []models.DocumentID
			for _, d := range tt.want {
				want = append(want, d.ID)
			}
			if diff := cmp.Diff(want, got[:min(len(want), len(got))]); diff != "" {
				t.Errorf("first hits (-want +got):\n%s", diff)
			}
		})
	}
	for _, nothing := range []string{"", "the of and", "unheardof", "!!"} {
		if got := find(t, st, match(models.TypeSymbol, nothing)); len(got) != 0 {
			t.Errorf("%q finds %q", nothing, got)
		}
	}
	if !traits.ServerScores {
		t.Run("boosts", func(t *testing.T) { boosts(t, st, once, both) })
	}
}

// boosts checks how scores combine: once has apple, both has apple and pear.
func boosts(t *testing.T, st store.Store, once, both models.Document) {
	score := func(q fts.Query, id models.DocumentID) float64 {
		for _, h := range search(t, st, fts.Request{Query: q, Size: 100}).Hits {
			if h.ID == id {
				return h.Score
			}
		}
		t.Fatalf("%v does not find %s", q, id)
		return 0
	}
	text := fts.TextField(models.TypeSymbol)
	apple, pear := fts.Match{Field: text, Match: "apple"}, fts.Match{Field: text, Match: "pear"}
	a, p := score(apple, both.ID), score(pear, both.ID)
	double := apple
	double.Boost = new(2.0)
	tests := []struct {
		name  string
		query fts.Query
		id    models.DocumentID
		want  float64
	}{
		{"words add up", fts.Match{Field: text, Match: "apple pear"}, both.ID, a + p},
		{"a boost multiplies", double, both.ID, 2 * a},
		{"conjunctions add up", all(apple, pear), both.ID, a + p},
		{"disjunctions add up", fts.Disjunction{Disjuncts: []fts.Query{apple, pear}}, both.ID, a + p},
		{
			"a part that does not match adds nothing",
			fts.Disjunction{Disjuncts: []fts.Query{apple, pear}},
			once.ID,
			score(apple, once.ID),
		},
		{"a filter adds nothing", all(fts.Filter(fts.FieldRepo, "o/r"), pear), both.ID, p},
		{"a filter alone", fts.Filter(fts.FieldRepo, "o/r"), both.ID, 0},
		{
			"half a conjunction in a disjunction adds nothing",
			fts.Disjunction{Disjuncts: []fts.Query{all(apple, pear), fts.Filter(fts.FieldRepo, "o/r")}},
			once.ID, 0,
		},
	}
	for _, tt := range tests {
		if got := score(tt.query, tt.id); got < tt.want*0.999 || got > tt.want*1.001 {
			t.Errorf("%s: score %v, want %v", tt.name, got, tt.want)
		}
	}
}

func pages(t *testing.T, open opener, traits Traits) {
	st := open(t)
	var docs []models.Document
	for i := range 60 { // equal scores, put in another order than that of the ids
		docs = append(docs, symbol("o/r", fmt.Sprintf("f%02d.go", i*37%60), "Same", "walrus"))
	}
	put(t, st, docs[:25]...)
	put(t, st, docs[25:]...)
	put(t, st, docs[10:20]...)
	var want []models.DocumentID
	for _, d := range docs {
		want = append(want, d.ID)
	}
	slices.Sort(want)
	for _, q := range []fts.Query{match(models.TypeSymbol, "walrus"), fts.Filter(fts.FieldRepo, "o/r"), fts.MatchAll{}} {
		var got []models.DocumentID
		for from := 0; from < 70; from += 7 {
			res := search(t, st, fts.Request{Query: q, Size: 7, From: from})
			got = append(got, ids(res.Hits)...)
			if res.Total != -1 && res.Total != 60 {
				t.Errorf("total %d, want 60", res.Total)
			}
		}
		if _, scored := q.(fts.Match); scored && traits.ServerScores {
			slices.Sort(got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of %v (-want +got):\n%s", q, diff)
		}
	}
	if res := search(t, st, fts.Request{Query: fts.MatchAll{}}); len(res.Hits) != 0 {
		t.Errorf("size 0 gives %d hits", len(res.Hits))
	}
}
