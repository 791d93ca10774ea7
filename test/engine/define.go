package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Define creates the index of that definition, which is the body of a PUT, or
// updates the one of the same name when the definition has its current uuid,
// or "*". The documents of the collection are in it when Define returns. What
// the server would refuse is status 400 and the server's body.
func (e *Engine) Define(bucket, scope string, definition []byte) (uuid string, status int, problem []byte) {
	d, err := parseDefinition(bucket, scope, definition, e.opts)
	if err == nil {
		uuid, err = e.define(d)
	}
	if err != nil {
		return "", statusBadRequest, refusal("rest_create_index: "+err.Error(), definition)
	}
	return uuid, statusOK, nil
}

func (e *Engine) define(d *definition) (uuid string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	current := e.indexes[d.full]
	if err := checkUUID(d, current); err != nil {
		return "", creating(d.full, fmt.Errorf("manager_api: could not save indexDefs, err: %w", err))
	}
	x, err := newIndex(d, fmt.Sprintf("%016x", rand.Uint64()), e.opts.Partitions)
	if err != nil {
		return "", creating(d.full, err)
	}
	for _, key := range slices.Sorted(maps.Keys(e.documents[d.collection])) {
		if err := x.put(key, e.documents[d.collection][key]); err != nil {
			return "", creating(d.full, err)
		}
	}
	if current != nil {
		current.close()
	}
	e.indexes[d.full] = x
	return x.uuid, nil
}

// checkUUID compares the uuid of a definition with the index that is there.
func checkUUID(d *definition, current *index) error {
	switch {
	case d.previous == "" && current != nil:
		return fmt.Errorf("manager_api: cannot create index because an index with the same name already exists: %s", d.full)
	case d.previous == "" || d.previous == "*":
		return nil
	case current == nil:
		return fmt.Errorf("manager_api: index missing for update, indexName: %s", d.full)
	case current.uuid != d.previous:
		return fmt.Errorf("manager_api: perhaps there was concurrent index definition update, current index UUID: %s, did "+
			"not match input UUID: %s",
			current.uuid, d.previous)
	}
	return nil
}

// creating says of which index an error is.
func creating(full string, err error) error {
	return fmt.Errorf("error creating index: %s, err: %w", full, err)
}

// Drop removes an index and reports whether there was one.
func (e *Engine) Drop(bucket, scope, name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	full := fullName(bucket, scope, name)
	x := e.indexes[full]
	if x == nil {
		return false
	}
	x.close()
	delete(e.indexes, full)
	return true
}

// Definitions is those of a scope, by name, as the server gives them back: with
// their uuid, the plain name, and the mapping in the server's own words.
func (e *Engine) Definitions(bucket, scope string) []json.RawMessage {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var all []json.RawMessage
	for _, full := range slices.Sorted(maps.Keys(e.indexes)) {
		if strings.HasPrefix(full, fullName(bucket, scope, "")) {
			all = append(all, e.indexes[full].json(e.indexes[full].uuid))
		}
	}
	return all
}
