package byname

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// SQL is what all dialects have in common: tables and routines are known everywhere by their
// names, with a schema or along a search path.
type SQL struct{ Language }

// SQLOf is that language.
func SQLOf() SQL { return SQL{Of("SQL")} }

// SQLNames are the dialects as go-enry names them.
func SQLNames() map[string]bool { return sqlNames }

var sqlNames = resolve.Set("SQL PLpgSQL PLSQL TSQL SQLPL")

// sqlConfidence is the share of each tier that was right (bench/RESULTS.md, Graph).
var sqlConfidence = map[resolve.Tier]float32{
	resolve.TierA: 0.99, resolve.TierB: 0.99, resolve.TierD: 0.95, resolve.TierF: 0.3,
}

// Confidence implements Language.
func (SQL) Confidence(t resolve.Tier) float32 { return sqlConfidence[t] }

// Bare implements Language: nothing is asked of it, since Reference answers.
func (SQL) Bare(*resolve.Query, resolve.FileID, int, string) resolve.Found {
	return resolve.Found{External: true}
}

// sqlRoutines are the kinds of what is called, and sqlRelations those of what has rows.
var (
	sqlRoutines  = resolve.Set("func procedure")
	sqlRelations = resolve.Set("table view sequence synonym type")
)

// Reference implements Language: what is in the same file, in the folder, or anywhere.
func (l SQL) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	kinds := sqlRelations
	if ref.Kind == facts.Call {
		kinds = sqlRoutines
	}
	var all []resolve.SymbolID
	for _, id := range q.World().Defs(ref.Name) {
		if sqlNames[q.File(id.File).Language] && kinds[q.Symbol(id).Kind] {
			all = append(all, id)
		}
	}
	schema := ref.Of.String()
	all, tier := inSchema(q, all, schema)
	if len(all) == 0 {
		return resolve.Found{External: true}, true
	}
	if schema == "" && ref.Kind == facts.Call && sqlBuiltin[strings.ToLower(ref.Name)] {
		return resolve.Found{External: true}, true
	}
	own := slices.DeleteFunc(slices.Clone(all), func(id resolve.SymbolID) bool { return id.File != f })
	near := slices.DeleteFunc(slices.Clone(all), func(id resolve.SymbolID) bool {
		return resolve.FolderOf(q.File(id.File).Path) != resolve.FolderOf(q.File(f).Path)
	})
	all, near = withoutSteps(q, all), withoutSteps(q, near)
	switch {
	case len(own) > 0 && (kinds["table"] || len(own) == 1): // of routines several are overloads
		return resolve.Found{Symbols: own, Tier: resolve.TierA}, true
	case len(own) > 0:
		return chosen(own, tier), true
	case len(near) > 0:
		return chosen(near, tier), true
	}
	return chosen(all, tier), true
}

// withoutSteps are declarations without those in scripts that upgrade an extension, "name--1.0--1.1.sql",
// where others are left.
func withoutSteps(q *resolve.Query, all []resolve.SymbolID) []resolve.SymbolID {
	whole := slices.DeleteFunc(slices.Clone(all), func(id resolve.SymbolID) bool {
		return strings.Count(q.File(id.File).Path, "--") > 1
	})
	if len(whole) == 0 {
		return all
	}
	return whole
}

// inSchema are the declarations that a name in a schema, or in none, may mean: those that say
// that schema, else those that say none, which are created along a search path; without one those
// that say none, else all.
func inSchema(q *resolve.Query, all []resolve.SymbolID, schema string) ([]resolve.SymbolID, resolve.Tier) {
	var same, none []resolve.SymbolID
	for _, id := range all {
		s := q.Symbol(id)
		of := strings.TrimSuffix(strings.TrimSuffix(s.Qualified, s.Name), ".")
		of = of[strings.LastIndexByte(of, '.')+1:]
		switch {
		case of == "":
			none = append(none, id)
		case strings.EqualFold(of, schema):
			same = append(same, id)
		}
	}
	switch {
	case schema != "" && len(same) > 0:
		return same, resolve.TierB
	case len(none) > 0 || schema != "":
		return none, resolve.TierD
	}
	return all, resolve.TierD
}

// sqlBuiltin are functions of all dialects: one of that name in a repository is another overload, mostly.
var sqlBuiltin = resolve.Set(`
abs avg cast ceil ceiling char_length coalesce concat count current_date date floor greatest ifnull isnull least length
lower ltrim max min mod now nullif nvl position power rank replace round row_number rtrim substr substring sum trim upper
values varchar char numeric decimal json jsonb text`)
