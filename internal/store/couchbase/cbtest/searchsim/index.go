package searchsim

import (
	"encoding/json"
	"fmt"
)

// An index is a definition with the documents that it selects.
type index struct {
	*definition

	uuid   string
	corpus *corpus
	bleve  *bleveIndex // for Bleve scoring, else nil
}

// partition is the name of a partition, as replies have it.
func (x *index) partition(i int) string { return fmt.Sprintf("%s_%s_%08x", x.full, x.uuid, i) }

// prepare maps and analyses a document. What is no JSON object is indexed
// without fields, as on the server.
func (x *index) prepare(key string, raw []byte) mapped {
	var value map[string]any
	if json.Unmarshal(raw, &value) != nil {
		value = nil
	}
	return x.schema.document(key, value)
}

func (x *index) put(m mapped) {
	x.corpus.put(m)
	if x.bleve != nil {
		x.bleve.put(m)
	}
}

func (x *index) remove(key string) {
	x.corpus.remove(key)
	if x.bleve != nil {
		x.bleve.remove(key)
	}
}

func (x *index) close() {
	if x.bleve != nil {
		x.bleve.close()
	}
}
