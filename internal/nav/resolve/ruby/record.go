package ruby

import "github.com/ragnav/ragnav/internal/nav/resolve"

// What classes of records inherit from a library (Active Record and those that follow it): what gives one record, and
// what gives a relation, which answers to what the class does.
var (
	rubyFinders = resolve.Set(`
find find_by find_by! find_sole_by first first! last last! take take! sole create create! build find_or_create_by
find_or_create_by! find_or_initialize_by create_or_find_by create_or_find_by!`)
	rubyRelations = resolve.Set(`
where not all order reorder joins left_joins left_outer_joins includes preload eager_load references select distinct
group having limit offset unscoped unscope rewhere merge readonly lock none or`)
)

// record is what such a method gives of a class whose superclass is outside of the repository.
func (rubyLanguage) record(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	given := e
	switch {
	case e.Kind != resolve.TypeName || q.Symbol(e.Symbols[0]).Kind != "class":
		return resolve.Found{}
	case rubyRelations[name]:
		given = resolve.Entity{Kind: resolve.Class, Args: []resolve.Entity{e}}
	case !rubyFinders[name]:
		return resolve.Found{}
	}
	if !q.Inherited(e, name).External {
		return resolve.Found{}
	}
	return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{given}}}
}
