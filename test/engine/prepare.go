package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The modes that tell a document's type. The server has more.
const (
	modeCollection = "scope.collection"
	modeTypeField  = "scope.collection.type_field"
)

// The segment versions that the server takes, and the one that vectors need.
const (
	minSegmentVersion    = 11
	vectorSegmentVersion = 16
)

func (c *docConfig) check() error {
	switch c.Mode {
	case modeCollection:
		return nil
	case modeTypeField, "type_field":
		if c.TypeField == "" {
			return errors.New("with mode type_field, type_field cannot be empty")
		}
		return nil
	case "docid_prefix", "docid_regexp", "custom", modeCollection + ".docid_prefix", modeCollection + ".docid_regexp",
		modeCollection + ".custom":
		return fmt.Errorf("the engine of the tests does not implement the doc_config mode %s", c.Mode)
	}
	return fmt.Errorf("unknown mode: %s", c.Mode)
}

// checkCollections finds the collection that the index is over. Its types name
// it: "scope.collection", or "scope.collection.type".
func (d *definition) checkCollections(bucket, scope string) error {
	if d.sent.Params.DocConfig.Mode == "type_field" {
		return errors.New("PrepareIndex, changing a scoped index's bucket/scope name is NOT allowed")
	}
	var scopes, collections []string
	if d.mapping.DefaultMapping.Enabled {
		scopes, collections = []string{"_default"}, []string{"_default"}
	}
	for _, name := range d.mapping.enabledTypes() {
		s, c := splitType(name)
		if !slices.Contains(scopes, s) {
			scopes = append(scopes, s)
		}
		if !slices.Contains(collections, c) {
			collections = append(collections, c)
		}
	}
	switch {
	case len(scopes) == 0:
		return fmt.Errorf("collection_utils: scope: '' not found in bucket: '%s', err: source does not exist",
			d.sent.SourceName)
	case len(scopes) > 1:
		return fmt.Errorf("collection_utils: multiple scopes found: '%s', '%s'; index can only span collections on a "+
			"single scope", scopes[0], scopes[1])
	case d.sent.SourceName != bucket || scopes[0] != scope:
		return errors.New("PrepareIndex, validation of bucket and/or scope names against index definition failed")
	case d.mapping.DefaultMapping.Enabled:
		return errors.New("the engine of the tests does not implement an enabled default_mapping")
	case len(collections) > 1:
		return fmt.Errorf("the engine of the tests does not implement an index over several collections: %s",
			strings.Join(collections, ", "))
	}
	d.collection = scope + "." + collections[0]
	if d.sent.Params.DocConfig.Mode == modeTypeField {
		d.typeField = d.sent.Params.DocConfig.TypeField
	}
	return nil
}

// splitType takes the key of a type apart.
func splitType(name string) (scope, collection string) {
	parts := strings.SplitN(name, ".", 3)
	if len(parts) == 1 {
		return "_default", "_default"
	}
	return parts[0], parts[1]
}

// prepareStore checks and completes the store settings.
func (d *definition) prepareStore() error {
	version, said := d.sent.Params.Store["segmentVersion"]
	if !said {
		version = float64(vectorSegmentVersion)
	}
	v, ok := version.(float64)
	switch {
	case !ok:
		return fmt.Errorf("PrepareIndex, err: segmentVersion %v should be a numeric value", version)
	case v < minSegmentVersion || v > vectorSegmentVersion:
		return fmt.Errorf("PrepareIndex, err: zap version %.0f isn't supported", v)
	case len(d.mapping.vectors) > 0:
		v = vectorSegmentVersion // as the server does, whatever was said
	}
	d.sent.Params.Store["segmentVersion"] = v
	delete(d.sent.Params.Store, "kvStoreName")
	return nil
}
