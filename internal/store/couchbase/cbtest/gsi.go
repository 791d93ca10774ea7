package cbtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// A gsi is an index of the Query service. Its entries are not kept: a query
// only asks whether it is there.
type gsi struct {
	scope, collection, name string
	primary, online         bool
	keys                    []string // field names
	replicas                int
}

// gsi returns the index of that name on c.
func (b *bucket) gsi(c *collection, name string) *gsi {
	for _, g := range b.indexes {
		if g.on(c) && g.name == name {
			return g
		}
	}
	return nil
}

func (g *gsi) on(c *collection) bool { return g.scope == c.scope && g.collection == c.name }

// usableIndex reports whether a query on c that compares these fields finds an
// index: a primary one, or one whose first key is among them.
func (b *bucket) usableIndex(c *collection, compared []string, either bool) bool {
	return slices.ContainsFunc(b.indexes, func(g *gsi) bool {
		if !g.on(c) || !g.online {
			return false
		}
		return g.primary || !either && slices.Contains(compared, g.keys[0])
	})
}

// createGSI runs CREATE [PRIMARY] INDEX.
func createGSI(d *data, p *parser) ([]json.RawMessage, *queryError) {
	p.accept("CREATE")
	g := &gsi{primary: p.accept("PRIMARY"), online: true}
	if err := p.expect("INDEX"); err != nil {
		return nil, err
	}
	ifNotExists := p.accept("IF", "NOT", "EXISTS")
	if g.name = "#primary"; !g.primary || !p.is("ON") {
		var err *queryError
		if g.name, err = p.name(); err != nil {
			return nil, err
		}
	}
	ifNotExists = p.accept("IF", "NOT", "EXISTS") || ifNotExists
	if err := p.expect("ON"); err != nil {
		return nil, err
	}
	k, err := p.keyspace()
	if err != nil {
		return nil, err
	}
	if err := indexBody(p, g); err != nil {
		return nil, err
	}
	b, c, err := resolve(d, k)
	switch {
	case err != nil:
		return nil, err
	case g.replicas >= d.node.opts.Nodes:
		return nil, &queryError{
			5000,
			fmt.Sprintf("Fails to create index.  There are not enough indexer nodes to create index with replica count of %d. "+
				"Some indexer nodes may be marked as excluded.", g.replicas), http.StatusInternalServerError,
		}
	case b.gsi(c, g.name) == nil:
		g.scope, g.collection = c.scope, c.name
		b.indexes = append(b.indexes, g)
	case !ifNotExists:
		return nil, &queryError{4300, fmt.Sprintf("The index %s already exists.", g.name), http.StatusConflict}
	}
	return nil, nil
}

// indexBody parses the keys, USING GSI and WITH of CREATE INDEX.
func indexBody(p *parser, g *gsi) *queryError {
	if !g.primary {
		if err := p.expect("("); err != nil {
			return err
		}
		keys, err := p.names()
		if err != nil {
			return err
		}
		g.keys = keys
	}
	p.accept("USING", "GSI")
	if !p.accept("WITH") {
		return p.end()
	}
	var with struct {
		DeferBuild bool `json:"defer_build"`
		Replicas   int  `json:"num_replica"`
	}
	if json.Unmarshal([]byte(p.text[p.peek().at:]), &with) != nil {
		return p.syntaxError()
	}
	g.online, g.replicas = !with.DeferBuild, with.Replicas
	return nil
}

// buildGSI runs BUILD INDEX: deferred indexes are online at once.
func buildGSI(d *data, p *parser) ([]json.RawMessage, *queryError) {
	if err := p.expect("BUILD", "INDEX", "ON"); err != nil {
		return nil, err
	}
	k, err := p.keyspace()
	if err != nil {
		return nil, err
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	names, err := p.names()
	if err != nil {
		return nil, err
	}
	p.accept("USING", "GSI")
	if err := p.end(); err != nil {
		return nil, err
	}
	b, c, err := resolve(d, k)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		g := b.gsi(c, name)
		if g == nil {
			return nil, noGSI(name)
		}
		g.online = true
	}
	return nil, nil
}

func noGSI(name string) *queryError {
	return &queryError{
		12016, fmt.Sprintf("Index Not Found - cause: GSI index %s not found.", name),
		http.StatusInternalServerError,
	}
}

// dropGSI runs DROP INDEX name ON keyspace and DROP PRIMARY INDEX ON keyspace.
func dropGSI(d *data, p *parser) ([]json.RawMessage, *queryError) {
	p.accept("DROP")
	name := "#primary"
	if !p.accept("PRIMARY", "INDEX") {
		if err := p.expect("INDEX"); err != nil {
			return nil, err
		}
		var err *queryError
		if name, err = p.name(); err != nil {
			return nil, err
		}
	}
	ifExists := p.accept("IF", "EXISTS")
	if err := p.expect("ON"); err != nil {
		return nil, err
	}
	k, err := p.keyspace()
	if err != nil {
		return nil, err
	}
	p.accept("USING", "GSI")
	if err := p.end(); err != nil {
		return nil, err
	}
	b, c, err := resolve(d, k)
	if err != nil {
		return nil, err
	}
	g := b.gsi(c, name)
	if g == nil && !ifExists {
		return nil, noGSI(name)
	}
	b.indexes = slices.DeleteFunc(b.indexes, func(o *gsi) bool { return o == g })
	return nil, nil
}

// indexRows are those of system:indexes. Indexes of a default collection
// belong to the bucket as such, and have neither scope nor bucket there.
func indexRows(buckets []*bucket, k keyspace) ([]*row, *queryError) {
	if k.bucket != "indexes" {
		return nil, &queryError{
			12003, "Keyspace not found in CB datastore: system:" + k.bucket,
			http.StatusInternalServerError,
		}
	}
	var rows []*row
	for _, b := range buckets {
		for _, g := range b.indexes {
			value, _ := json.Marshal(g.describe(b)) // strings
			rows = append(rows, &row{
				key: b.name + "." + g.scope + "." + g.collection + "." + g.name,
				doc: &document{value: value, json: true},
			})
		}
	}
	return rows, nil
}

func (g *gsi) describe(b *bucket) map[string]any {
	keys := make([]string, 0, len(g.keys))
	for _, k := range g.keys {
		keys = append(keys, "`"+k+"`")
	}
	i := map[string]any{
		"name": g.name, "namespace_id": "default", "keyspace_id": g.collection, "scope_id": g.scope, "bucket_id": b.name,
		"state": "online", "using": "gsi", "index_key": keys,
	}
	if g.scope == "_default" && g.collection == "_default" {
		i["keyspace_id"] = b.name
		delete(i, "scope_id")
		delete(i, "bucket_id")
	}
	if g.primary {
		i["is_primary"] = true
	}
	if !g.online {
		i["state"] = "deferred"
	}
	return i
}
