package cbtest

import (
	"fmt"
	"net/http"
	"strings"
)

// resolve finds the collection of three names, or says what is not there.
func resolve(d *data, names []string) (*bucket, *collection, *queryError) {
	away := func(code int, text string) *queryError {
		return &queryError{code, text, http.StatusInternalServerError}
	}
	b := d.bucket(names[0])
	if b == nil {
		return nil, nil, away(12003,
			fmt.Sprintf("Keyspace not found in CB datastore: default:%s - cause: No bucket named %[1]s", names[0]))
	}
	if b.scope(names[1]) == nil {
		return nil, nil, away(12021, "Scope not found in CB datastore default:"+strings.Join(names[:2], "."))
	}
	c := b.collection(names[1], names[2])
	if c == nil {
		return nil, nil, away(12003, "Keyspace not found in CB datastore: default:"+strings.Join(names, "."))
	}
	return b, c, nil
}

// noIndex is what a query without a usable index gets.
func noIndex(names []string) *queryError {
	name := "`default`:`" + strings.Join(names, "`.`") + "`"
	return &queryError{
		4000,
		fmt.Sprintf("No index available on keyspace %s that matches your query. Use CREATE PRIMARY INDEX ON %[1]s to "+
			"create a primary index, or check that your expected index is online.", name), http.StatusNotFound,
	}
}
