// Package apitest compares what the API says with what api/openapi.yaml
// promises. It is for tests only.
package apitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Check fails t unless body is what the document promises for a reply of that
// status to that method and path. The path may have a query. A reply to what
// is not in the document must be an enveloped error.
//
// It is stricter than the document: properties that the document doesn't have
// are refused, so that what is added to a reply is added to the document too.
func Check(t testing.TB, method, path string, status int, body []byte) {
	t.Helper()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	path, _, _ = strings.Cut(path, "?")
	schema, err := d.schemaOf(method, path, status)
	if err != nil {
		t.Error(err)
		return
	}
	if err := validate(schema, body); err != nil {
		t.Errorf("%s %s: the reply with status %d is not as documented: %v\n%s", method, path, status, err, body)
	}
}

func validate(schema *jsonschema.Schema, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return schema.Validate(value)
}

// at is the value at a JSON pointer's parts, or nil. References are followed.
func (d *document) at(parts ...string) any {
	var v any = d.root
	for _, p := range parts {
		v = d.follow(v)
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return d.follow(v)
}

func (d *document) follow(v any) any {
	m, _ := v.(map[string]any)
	ref, ok := m["$ref"].(string)
	if !ok {
		return v
	}
	return d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
}

// decode turns JSON text into the values that the schema library takes.
func decode(text []byte) (map[string]any, error) {
	var root map[string]any
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	err := dec.Decode(&root)
	return root, err
}
