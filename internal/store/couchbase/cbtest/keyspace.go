package cbtest

import (
	"fmt"
	"net/http"
)

// A keyspace is what a statement is about: a collection, or system:indexes.
type keyspace struct{ namespace, bucket, scope, collection string }

// String is the keyspace as the server writes it in messages.
func (k keyspace) String() string {
	return k.namespace + ":" + k.bucket + "." + k.scope + "." + k.collection
}

// resolve finds a collection, or says what is not there.
func resolve(d *data, k keyspace) (*bucket, *collection, *queryError) {
	b := d.bucket(k.bucket)
	if b == nil || k.namespace != "default" {
		return nil, nil, &queryError{
			12003,
			fmt.Sprintf("Keyspace not found in CB datastore: %s:%s - cause: No bucket named %s", k.namespace, k.bucket,
				k.bucket), http.StatusInternalServerError,
		}
	}
	if b.scope(k.scope) == nil {
		return nil, nil, &queryError{
			12021,
			fmt.Sprintf("Scope not found in CB datastore %s:%s.%s", k.namespace, k.bucket, k.scope),
			http.StatusInternalServerError,
		}
	}
	c := b.collection(k.scope, k.collection)
	if c == nil {
		return nil, nil, &queryError{
			12003, "Keyspace not found in CB datastore: " + k.String(),
			http.StatusInternalServerError,
		}
	}
	return b, c, nil
}

// noIndex is what a query without a usable index gets.
func noIndex(k keyspace) *queryError {
	name := fmt.Sprintf("`%s`:`%s`.`%s`.`%s`", k.namespace, k.bucket, k.scope, k.collection)
	return &queryError{
		4000,
		fmt.Sprintf("No index available on keyspace %s that matches your query. Use CREATE PRIMARY INDEX ON %s to create a "+
			"primary index, or check that your expected index is online.", name, name), http.StatusNotFound,
	}
}
