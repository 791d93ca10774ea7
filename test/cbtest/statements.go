package cbtest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A statement is one that the store sends, or the driver for it. Only names in
// it vary, which run gets in their order. data.mu is held while it runs.
type statement struct {
	text *regexp.Regexp
	need privilege
	run  func(d *data, q queryRequest, names []string) ([]json.RawMessage, *queryError)
}

// ofCollection is how the driver asks for the indexes of one.
const ofCollection = "(bucket_id=$bucketName AND scope_id=$scopeName AND keyspace_id=$collectionName)"

var statements = []statement{
	{text("SELECT RAW ds_version()"), nothing, selectVersion}, // anybody sees that
	{
		text("SELECT r.k, r.v FROM KEYSPACE AS r WHERE r.c = $c AND r.k > $after ORDER BY r.k LIMIT $n"),
		selectRows, selectRecords,
	},
	{text("SELECT RAW META(r).id FROM KEYSPACE AS r WHERE r.c = $c LIMIT $n"), selectRows, selectKeys("c", "c")},
	{
		text("SELECT RAW META(d).id FROM KEYSPACE AS d WHERE d.repo_id = $repo LIMIT $n"),
		selectRows, selectKeys("repo_id", "repo"),
	},
	{
		text("SELECT RAW META(d).id FROM KEYSPACE AS d WHERE d.repo_id = $repo AND META(d).id > $after " +
			"ORDER BY META(d).id LIMIT $n"), selectRows, selectKeys("repo_id", "repo"),
	},
	{text("SELECT RAW COUNT(*) FROM KEYSPACE AS d WHERE d.repo_id = $repo"), selectRows, countOfRepository},
	{text("SELECT RAW COUNT(*) FROM KEYSPACE AS d"), selectRows, countAll},
	{ // anybody sees the indexes of what he may use
		text("SELECT `idx`.* FROM system:indexes AS idx WHERE " + ofCollection +
			" AND `using` = \"gsi\" ORDER BY is_primary DESC, name ASC"), nothing, selectIndexes,
	},
	{
		text("SELECT RAW name from system:indexes WHERE " + ofCollection + " AND state = \"deferred\""),
		nothing, selectDeferred,
	},
	{
		regexp.MustCompile("^CREATE INDEX `([^`]+)` ON " + names3 + ` \((.+?)\)(?: WITH (\{.*\}))?$`),
		manageGSI, createGSI,
	},
	{regexp.MustCompile("^BUILD INDEX ON " + names3 + `\((.+)\)$`), manageGSI, buildGSI},
}

// names3 matches the names of a collection.
const names3 = "`([^`]+)`\\.`([^`]+)`\\.`([^`]+)`"

func text(s string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(s), "KEYSPACE", names3) + "$")
}

// statementOf finds a statement and the names in it; nil for one that is not known.
func statementOf(s string) (*statement, []string) {
	for i := range statements {
		if m := statements[i].text.FindStringSubmatch(s); m != nil {
			return &statements[i], m[1:]
		}
	}
	return nil, nil
}

func selectVersion(d *data, _ queryRequest, _ []string) ([]json.RawMessage, *queryError) {
	return results(d.node.opts.Version), nil
}

// selectRecords are k and v as the documents have them, digit by digit.
func selectRecords(d *data, q queryRequest, names []string) ([]json.RawMessage, *queryError) {
	rows, err := scan(d, q, names, "c", "c")
	if err != nil {
		return nil, err
	}
	var after string
	if err := q.param("after", &after); err != nil {
		return nil, err
	}
	type record struct {
		K string          `json:"k"`
		V json.RawMessage `json:"v"`
	}
	var page []record
	for _, r := range rows {
		var have record
		if json.Unmarshal(r.doc.value, &have) == nil && have.K > after {
			page = append(page, have)
		}
	}
	slices.SortFunc(page, func(a, b record) int { return strings.Compare(a.K, b.K) })
	return limited(q, page)
}

// selectKeys are the keys of the documents whose field is a parameter, after
// the key $after if that is given.
func selectKeys(field, param string) func(*data, queryRequest, []string) ([]json.RawMessage, *queryError) {
	return func(d *data, q queryRequest, names []string) ([]json.RawMessage, *queryError) {
		rows, err := scan(d, q, names, field, param)
		if err != nil {
			return nil, err
		}
		var after string
		if strings.Contains(q.Statement, "$after") {
			if err := q.param("after", &after); err != nil {
				return nil, err
			}
		}
		var keys []string
		for _, r := range rows {
			if r.key > after {
				keys = append(keys, r.key)
			}
		}
		return limited(q, keys)
	}
}

// limited is the first $n of list.
func limited[T any](q queryRequest, list []T) ([]json.RawMessage, *queryError) {
	var n int
	if err := q.param("n", &n); err != nil {
		return nil, err
	}
	return results(list[:max(0, min(n, len(list)))]...), nil
}

func countOfRepository(d *data, q queryRequest, names []string) ([]json.RawMessage, *queryError) {
	rows, err := scan(d, q, names, "repo_id", "repo")
	return results(len(rows)), err
}

// countAll counts a whole collection from its statistics; from the release
// after 8.0 only when no consistency is asked for, and here is no index for
// the other case.
func countAll(d *data, q queryRequest, names []string) ([]json.RawMessage, *queryError) {
	b, c, err := resolve(d, names)
	if err != nil {
		return nil, err
	}
	if d.node.version.scansToCount() && q.bounded() {
		return nil, noIndex(names)
	}
	d.expire(b)
	return results(len(c.docs)), nil
}

// A row is a document under a query.
type row struct {
	key string
	doc *document
}

// scan returns the documents whose field is a parameter, by key, as far as an
// index on the field has them.
func scan(d *data, q queryRequest, names []string, field, param string) ([]row, *queryError) {
	b, c, err := resolve(d, names)
	if err != nil {
		return nil, err
	}
	g := b.gsiOn(c, field)
	if g == nil {
		return nil, noIndex(names)
	}
	var want string
	if err := q.param(param, &want); err != nil {
		return nil, err
	}
	d.expire(b)
	if q.bounded() {
		g.seen = d.lastCAS
	}
	var rows []row
	for key, doc := range c.docs {
		if doc.cas <= g.seen && doc.scalars()[field] == want {
			rows = append(rows, row{key, doc})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.key, b.key) })
	return rows, nil
}

// results are values as a reply has them.
func results[T any](values ...T) []json.RawMessage {
	all := make([]json.RawMessage, len(values))
	for i, v := range values {
		all[i], _ = json.Marshal(v) // strings, numbers and what was JSON
	}
	return all
}
