package ruby

import "github.com/ragnav/ragnav/internal/nav/resolve"

// What classes of records inherit from a library (Active Record and those that follow it): what gives one record, and
// what gives a relation, which answers to what the class does.
var (
	rubyFinders = resolve.Set(`
find find_by find_by! find_sole_by first first! second third fourth fifth last last! take take! sole create create! build
find_or_create_by find_or_create_by! find_or_initialize_by create_or_find_by create_or_find_by!`)
	rubyRelations = resolve.Set(`
where not all order reorder joins left_joins left_outer_joins includes preload eager_load references select distinct
group having limit offset unscoped unscope rewhere merge readonly lock none or`)
	// What relations have as lists do.
	rubyLists = resolve.Set(`
size count length empty? any? many? none? one? blank? present? each map flat_map select reject filter_map find_each
find_in_batches in_batches each_with_index each_with_object index_by group_by partition sort_by sum minimum maximum
average calculate pluck pick ids include? exists? to_a to_ary to_sql load reload reset delete delete_all delete_by destroy
destroy_all destroy_by update update_all touch_all insert_all upsert_all concat push append << replace clear model klass
records cache_key [] slice in_order_of extending explain scoping insert upsert insert! update! cache_version + - & | name
id inspect hash attribute_names columns_hash column_names table_name primary_key reflect_on_association
transaction connection`)
)

// ofRelation reports whether a class of records, or a relation of it, has a name of its own, whatever its records have
// by it.
func (l rubyLanguage) ofRelation(q *resolve.Query, e resolve.Entity, name string) bool {
	return rubyLists[name] && q.Symbol(e.Symbols[0]).Kind == "class" && l.leaves(q, e, name)
}

// leaves reports whether a class, which has no method of a name here, may have one of a library: of Active Record also
// where the repository opens its module or its base class.
func (l rubyLanguage) leaves(q *resolve.Query, e resolve.Entity, name string) bool {
	if found := q.Inherited(e, name); len(found.Symbols) > 0 || found.External {
		return len(found.Symbols) == 0
	}
	for t := range l.Line(q, e) {
		if len(t.Symbols) == 0 || q.Symbol(t.Symbols[0]).Qualified == "ActiveRecord.Base" {
			return true
		}
	}
	return false
}

// record is what such a method gives of a class whose superclass is outside of the repository.
func (l rubyLanguage) record(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	given := e
	switch {
	case e.Kind != resolve.TypeName || q.Symbol(e.Symbols[0]).Kind != "class":
		return resolve.Found{}
	case rubyRelations[name]:
		given = resolve.Entity{Kind: resolve.Class, Args: []resolve.Entity{e}}
	case !rubyFinders[name]:
		return resolve.Found{}
	}
	if !l.leaves(q, e, name) {
		return resolve.Found{}
	}
	return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.Func, Args: []resolve.Entity{given}}}
}
