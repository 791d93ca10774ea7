package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/config" // all analysers, as in the server
	"github.com/blevesearch/bleve/v2/index/scorch"
)

// An index is a definition with the documents that it selects, spread over
// partitions, each an index of bleve in memory.
type index struct {
	*definition

	uuid       string
	partitions []*partition
}

// A partition gathers changes until the next search.
type partition struct {
	bleve.Index

	mu      sync.Mutex
	pending *bleve.Batch
}

// maxPending is how many changes are indexed in one batch.
const maxPending = 500

func newIndex(d *definition, uuid string, partitions int) (*index, error) {
	x := &index{definition: d, uuid: uuid}
	for i := range partitions {
		b, err := bleve.NewUsing("", d.mapping.IndexMappingImpl, scorch.Name, scorch.Name, nil)
		if err != nil {
			x.close()
			return nil, fmt.Errorf("open an index of bleve: %w", err)
		}
		b.SetName(fmt.Sprintf("%s_%s_%08x", d.full, uuid, i))
		x.partitions = append(x.partitions, &partition{Index: b, pending: b.NewBatch()})
	}
	return x, nil
}

func (x *index) partitionOf(key string) *partition {
	return x.partitions[int(crc32.ChecksumIEEE([]byte(key))%uint32(len(x.partitions)))]
}

// put indexes a document. What is no JSON object is indexed without fields, as on the server.
func (x *index) put(key string, raw []byte) error {
	var fields map[string]any
	if json.Unmarshal(raw, &fields) != nil {
		fields = nil
	}
	return x.partitionOf(key).change(func(b *bleve.Batch) error {
		return b.Index(key, classified{fields, x.typeOf(fields)})
	})
}

func (x *index) remove(key string) error {
	return x.partitionOf(key).change(func(b *bleve.Batch) error {
		b.Delete(key)
		return nil
	})
}

func (p *partition) change(add func(*bleve.Batch) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(add(p.pending), p.flushAbove(maxPending))
}

func (p *partition) flushAbove(size int) error {
	if p.pending.Size() <= size {
		return nil
	}
	batch := p.pending
	p.pending = p.NewBatch()
	return p.Batch(batch)
}

func (x *index) flush() error {
	var errs []error
	for _, p := range x.partitions {
		p.mu.Lock()
		errs = append(errs, p.flushAbove(0))
		p.mu.Unlock()
	}
	return errors.Join(errs...)
}

func (x *index) count() (n int) {
	_ = x.flush() // a search says what is wrong
	for _, p := range x.partitions {
		docs, _ := p.DocCount() // of an open index
		n += int(docs)
	}
	return n
}

func (x *index) close() {
	for _, p := range x.partitions {
		_ = p.Close() // it is in memory only
	}
}

// Fields are those of a document.
type Fields map[string]any

// classified is a document with the name of its type in the mapping.
type classified struct {
	Fields `json:""`

	typ string
}

// BleveType says to bleve which type of the mapping it is.
func (c classified) BleveType() string { return c.typ }

// typeOf is the name of the type of a document.
func (d *definition) typeOf(document map[string]any) string {
	if d.typeField != "" {
		if name, ok := lookup(document, strings.Split(d.typeField, ".")).(string); ok {
			name = d.collection + "." + name
			if t := d.mapping.TypeMapping[name]; t != nil && t.Enabled {
				return name
			}
		}
	}
	return d.collection
}

// lookup is the value at a path of objects.
func lookup(document map[string]any, path []string) any {
	var value any = document
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}
