package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	bucket, scope, name = "ragnav", "code", "code_vector_index"
	collection          = "code.documents"
)

// definitionText is one as setup sends it, with vectors of two components.
const definitionText = `{
  "type": "fulltext-index", "name": "code_vector_index", "sourceType": "gocbcore", "sourceName": "ragnav", "sourceParams": {},
  "planParams": { "indexPartitions": 1, "numReplicas": 0 },
  "params": {
    "doc_config": { "mode": "scope.collection", "type_field": "", "docid_prefix_delim": "", "docid_regexp": "" },
    "mapping": {
      "default_analyzer": "standard", "default_datetime_parser": "dateTimeOptional", "default_field": "_all", "default_type": "_default",
      "type_field": "_type", "index_dynamic": false, "store_dynamic": false, "docvalues_dynamic": false, "scoring_model": "bm25",
      "analysis": { "analyzers": { "ragnav_terms": { "type": "custom", "tokenizer": "whitespace" } } },
      "default_mapping": { "enabled": false, "dynamic": false },
      "types": {
        "code.documents": { "enabled": true, "dynamic": false, "properties": {
          "type":      { "enabled": true, "dynamic": false, "fields": [{ "name": "type", "type": "text", "analyzer": "keyword", "index": true, "store": true, "docvalues": true }] },
          "repo_id":   { "enabled": true, "dynamic": false, "fields": [{ "name": "repo_id", "type": "text", "analyzer": "keyword", "index": true }] },
          "tags":      { "enabled": true, "dynamic": false, "fields": [{ "name": "tags", "type": "text", "analyzer": "keyword", "index": true, "store": true }] },
          "created":   { "enabled": true, "dynamic": false, "fields": [{ "name": "created", "type": "text", "analyzer": "keyword", "index": true }] },
          "content":   { "enabled": true, "dynamic": false, "fields": [{ "name": "content", "type": "text", "analyzer": "standard", "index": true, "include_term_vectors": true }] },
          "terms":     { "enabled": true, "dynamic": false, "fields": [{ "name": "terms", "type": "text", "analyzer": "ragnav_terms", "index": true }] },
          "header":    { "enabled": true, "dynamic": false, "fields": [{ "name": "header", "type": "text", "analyzer": "keyword", "index": false, "store": true }] },
          "lines":     { "enabled": true, "dynamic": false, "fields": [{ "name": "lines", "type": "number", "index": true, "store": true }] },
          "open":      { "enabled": true, "dynamic": false, "fields": [{ "name": "open", "type": "boolean", "index": true, "store": true }] },
          "at":        { "enabled": true, "dynamic": false, "fields": [{ "name": "at", "type": "datetime", "index": true, "store": true }] },
          "place":     { "enabled": true, "dynamic": false, "properties": {
            "path":    { "enabled": true, "dynamic": false, "fields": [{ "name": "path", "type": "text", "analyzer": "keyword", "index": true, "store": true }] } } },
          "embedding": { "enabled": true, "dynamic": false, "fields": [{ "name": "embedding", "type": "vector", "dims": 2, "similarity": "l2_norm", "vector_index_optimized_for": "recall", "index": true }] }
        } }
      }
    },
    "store": { "indexType": "scorch", "segmentVersion": 16 }
  }
}`

// edited is the definition with pieces of its text replaced, old and new in turn.
func edited(t testing.TB, replacements ...string) []byte {
	t.Helper()
	text := definitionText
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(text, replacements[i]) {
			t.Fatalf("the definition has no %s", replacements[i])
		}
		text = strings.ReplaceAll(text, replacements[i], replacements[i+1])
	}
	return []byte(text)
}

const scoringModel = `, "scoring_model": "bm25"`

// today is what a server of version 8.0 can do.
var today = Options{Prefilter: true, BM25: true}

func open(t testing.TB, o Options) *Engine {
	t.Helper()
	e := New(o)
	t.Cleanup(e.Close)
	return e
}

// defined is an engine with the index of the definition, without the scoring
// model where the server does not know it.
func defined(t testing.TB, o Options, replacements ...string) *Engine {
	t.Helper()
	e := open(t, o)
	if !o.BM25 {
		replacements = append(replacements, scoringModel, ``)
	}
	define(t, e, edited(t, replacements...))
	return e
}

func define(t testing.TB, e *Engine, definition []byte) (uuid string) {
	t.Helper()
	uuid, status, body := e.Define(bucket, scope, definition)
	if status != 200 || uuid == "" {
		t.Fatalf("Define = %q, %d, %s", uuid, status, body)
	}
	return uuid
}

// errorOf is the message in the body of an error reply.
func errorOf(t testing.TB, body []byte) string {
	t.Helper()
	var reply struct{ Status, Error string }
	if err := json.Unmarshal(body, &reply); err != nil || reply.Status != "fail" {
		t.Fatalf("error reply %s: %v", body, err)
	}
	return reply.Error
}

func TestDefineRefuses(t *testing.T) {
	old := Options{}
	tests := []struct {
		name string
		opts Options
		edit []string
		want string // in the message
	}{
		{"not JSON", today, []string{`"type": "fulltext-index",`, `"type"`}, "could not unmarshal json"},
		{"no name", today, []string{`"name": "code_vector_index", `, ``}, "index name is required"},
		{"bad name", today, []string{`code_vector_index`, `2nd.index`}, `indexName is invalid, indexName: "2nd.index"`},
		{"long name", today, []string{`code_vector_index`, strings.Repeat("x", 200)}, "chosen index name is too long"},
		{"no type", today, []string{`"type": "fulltext-index", `, ``}, "index type is required"},
		{"alias", today, []string{`fulltext-index`, `fulltext-alias`}, "unknown indexType: fulltext-alias"},
		{"no source type", today, []string{`"sourceType": "gocbcore", `, ``}, "sourceType is required"},
		{
			"other bucket", today,
			[]string{`"sourceName": "ragnav"`, `"sourceName": "other"`},
			"validation of bucket and/or scope names against index definition failed",
		},
		{
			"other scope", today,
			[]string{`code.documents`, `nav.documents`},
			"validation of bucket and/or scope names against index definition failed",
		},
		{
			"type without collection", today,
			[]string{`code.documents`, `documents`},
			"validation of bucket and/or scope names",
		},
		{
			"several collections", today,
			[]string{`"types": {`, `"types": { "code.records": {"dynamic": false},`},
			"several collections",
		},
		{
			"no type enabled", today,
			[]string{`"code.documents": { "enabled": true`, `"code.documents": { "enabled": false`},
			"scope: '' not found in bucket: 'ragnav'",
		},
		{
			"default mapping", today,
			[]string{`"default_mapping": { "enabled": false`, `"default_mapping": { "enabled": true`},
			"multiple scopes found: '_default', 'code'",
		},
		{"unknown mode", today, []string{`"mode": "scope.collection"`, `"mode": "collection"`}, "unknown mode: collection"},
		{
			"mode not implemented", today,
			[]string{`"mode": "scope.collection"`, `"mode": "scope.collection.docid_prefix"`},
			"does not implement the doc_config mode",
		},
		{
			"mode without collections", today,
			[]string{`"mode": "scope.collection", "type_field": ""`, `"mode": "type_field", "type_field": "type"`},
			"changing a scoped index's bucket/scope name is NOT allowed",
		},
		{
			"no type field", today,
			[]string{`"mode": "scope.collection"`, `"mode": "scope.collection.type_field"`},
			"type_field cannot be empty",
		},
		{
			"undefined analyser", today,
			[]string{`"analyzer": "standard"`, `"analyzer": "klingon"`},
			"no analyzer with name or type 'klingon' registered",
		},
		{
			"undefined default analyser", today,
			[]string{`"default_analyzer": "standard"`, `"default_analyzer": "klingon"`},
			"no analyzer with name or type 'klingon' registered",
		},
		{
			"undefined tokenizer", today,
			[]string{`"tokenizer": "whitespace"`, `"tokenizer": "axe"`},
			"Prepare, err: error building analyzer: no tokenizer with name or type 'axe' registered",
		},
		{"unknown field type", today, []string{`"type": "number"`, `"type": "matrix"`}, "unknown field type: 'matrix'"},
		{"unknown scoring model", today, []string{`"bm25"`, `"bm42"`}, "unsupported scoring model: bm42"},
		{
			"no dims", today,
			[]string{`"dims": 2, `, ``},
			"field: 'embedding', invalid vector dimension: 0, value should be in range [1, 4096]",
		},
		{"too many dims", today, []string{`"dims": 2`, `"dims": 4097`}, "invalid vector dimension: 4097"},
		{"dims no number", today, []string{`"dims": 2`, `"dims": "2"`}, "cannot unmarshal string"},
		{
			"unknown similarity", today,
			[]string{`"similarity": "l2_norm"`, `"similarity": "l1_norm"`},
			"invalid similarity metric: 'l1_norm'",
		},
		{
			"cosine on an old server", old,
			[]string{scoringModel, ``, `"similarity": "l2_norm"`, `"similarity": "cosine"`},
			"cosine similarity metric for vectors not supported in this cluster",
		},
		{
			"two types that differ in dims", today,
			[]string{
				`"types": {`,
				`"types": { "code.documents.x": ` +
					`{"properties":{"embedding":{"fields":[{"name":"embedding","type":"vector","dims":3,"index":true}]}}},`,
			},
			"field: 'embedding', invalid alias (different dimensions",
		},
		{
			"two types that differ in similarity", today,
			[]string{
				`"types": {`,
				`"types": { "code.documents.x": ` +
					`{"properties":{"embedding":{"fields":[{"type":"vector","dims":2,"similarity":"cosine","index":true}]}}},`,
			},
			"field: 'embedding', invalid alias (different similarity",
		},
		{
			"nested objects", today,
			[]string{`"place":     {`, `"place": { "nested": true,`},
			"nested fields not supported in this cluster",
		},
		{
			"synonyms", today,
			[]string{
				`"analysis": {`,
				`"analysis": { "synonym_sources": { "s": { "collection": "c", "analyzer": "keyword" } },`,
			},
			"does not implement synonyms",
		},
		{
			"a type that is null", today,
			[]string{`"types": {`, `"types": { "code.documents.x": null,`},
			"type mapping code.documents.x is null",
		},
		{
			"the default scope", today,
			[]string{
				`"code.documents"`, `"_default._default"`, `"default_mapping": { "enabled": false`,
				`"default_mapping": { "enabled": true`,
			},
			"validation of bucket and/or scope names",
		},
		{
			"unknown optimisation", today,
			[]string{`"recall"`, `"memory_efficient"`},
			"invalid vector index optimization: 'memory_efficient'",
		},
		{"old segments", today, []string{`"segmentVersion": 16`, `"segmentVersion": 10`}, "zap version 10 isn't supported"},
		{
			"future segments", today,
			[]string{`"segmentVersion": 16`, `"segmentVersion": 99`},
			"zap version 99 isn't supported",
		},
		{
			"segments no number", today,
			[]string{`"segmentVersion": 16`, `"segmentVersion": "16"`},
			"segmentVersion 16 should be a numeric value",
		},
		{
			"index type", today,
			[]string{`"scorch"`, `"upside_down"`},
			"indexType: upside_down not supported on all nodes in cluster",
		},
		{
			"replicas", today,
			[]string{`"numReplicas": 0`, `"numReplicas": 1`},
			"cluster needs 2 search nodes to support the requested replica count of 1",
		},
		{
			"partitions", today,
			[]string{`"indexPartitions": 1`, `"indexPartitions": 1025`},
			"cannot create index with 1025 partitions",
		},
		{
			"unknown key of the mapping", today,
			[]string{`"store_dynamic": false`, `"store_dynamically": false`},
			"index mapping contains invalid keys: [store_dynamically]",
		},
		{
			"unknown key of a type", today,
			[]string{`"code.documents": { "enabled": true`, `"code.documents": { "on": true`},
			"document mapping contains invalid keys: [on]",
		},
		{
			"unknown key of a field", today,
			[]string{`"include_term_vectors": true`, `"term_vectors": true`},
			"field mapping contains invalid keys: [term_vectors]",
		},
		{"scoring model on an old server", old, nil, "index mapping contains invalid keys: [scoring_model]"},
		{
			"update of none", today,
			[]string{`"name": "code_vector_index",`, `"name": "code_vector_index", "uuid": "0123456789abcdef",`},
			"index missing for update, indexName: ragnav.code.code_vector_index",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t, tt.opts)
			uuid, status, body := e.Define(bucket, scope, edited(t, tt.edit...))
			if uuid != "" || status != 400 {
				t.Fatalf("Define = %q, %d, want status 400", uuid, status)
			}
			message := errorOf(t, body)
			if !strings.HasPrefix(message, "rest_create_index: ") || !strings.Contains(message, tt.want) {
				t.Errorf("error %q, want %q in it", message, tt.want)
			}
			if all := e.Definitions(bucket, scope); len(all) != 0 {
				t.Errorf("definitions after a refusal: %s", all)
			}
		})
	}
}

func TestDefineTakes(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		edit []string
	}{
		{"the definition", today, nil},
		{"on an old server, which does not know the scoring model", Options{}, []string{scoringModel, ``}},
		{
			"nulls, as gocb writes what is not set", today,
			[]string{
				`"sourceParams": {}`, `"sourceParams": null, "uuid": "", "sourceUUID": ""`,
				`{ "indexPartitions": 1, "numReplicas": 0 }`, `null`,
			},
		},
		{
			"documents by a field", today,
			[]string{
				`"mode": "scope.collection", "type_field": ""`,
				`"mode": "scope.collection.type_field", "type_field": "type"`,
			},
		},
		{
			"types by a field", today,
			[]string{
				`"mode": "scope.collection", "type_field": ""`,
				`"mode": "scope.collection.type_field", "type_field": "type"`, `"code.documents"`,
				`"code.documents.symbol_index"`,
			},
		},
		{
			"a type that is not enabled, of another scope", today,
			[]string{`"types": {`, `"types": { "nav.chunks": {"enabled": false},`},
		},
		{"dot product", today, []string{`"similarity": "l2_norm"`, `"similarity": "dot_product"`}},
		{"cosine", today, []string{`"similarity": "l2_norm"`, `"similarity": "cosine"`}},
		{"memory-efficient", today, []string{`"recall"`, `"memory-efficient"`}},
		{"vectors in base64", today, []string{`"type": "vector"`, `"type": "vector_base64"`}},
		{"an analyser of the server", today, []string{`"analyzer": "standard"`, `"analyzer": "en"`}},
		{"no version of segments", today, []string{`, "segmentVersion": 16`, ``}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { define(t, open(t, tt.opts), edited(t, tt.edit...)) })
	}
}

func TestDefinitionsAreInTheServersWords(t *testing.T) {
	e := open(t, today)
	define(t, e, edited(t, `code_vector_index`, `b`))
	uuid := define(t, e, edited(t, `code_vector_index`, `a`, `"segmentVersion": 16`, `"segmentVersion": 15`,
		`"store_dynamic": false, `, ``))
	all := e.Definitions(bucket, scope)
	if len(all) != 2 {
		t.Fatalf("%d definitions, want 2", len(all))
	}
	var got struct {
		Name, UUID, Type, SourceType, SourceName string
		Params                                   struct {
			Mapping map[string]any
			Store   map[string]any
		}
	}
	if err := json.Unmarshal(all[0], &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", uuid, "fulltext-index", "gocbcore", "ragnav"},
		[]string{got.Name, got.UUID, got.Type, got.SourceType, got.SourceName}); diff != "" {
		t.Errorf("definition (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"indexType": "scorch", "segmentVersion": 16.0}, got.Params.Store); diff != "" {
		t.Errorf("store (-want +got):\n%s", diff)
	}
	if got.Params.Mapping["store_dynamic"] != true {
		t.Errorf("store_dynamic is %v, want the default", got.Params.Mapping["store_dynamic"])
	}
	mapping := got.Params.Mapping["types"].(map[string]any)[collection].(map[string]any)
	vector := mapping["properties"].(map[string]any)["embedding"].(map[string]any)["fields"]
	want := []any{map[string]any{
		"name": "embedding", "type": "vector", "index": true, "dims": 2.0, "similarity": "l2_norm",
		"vector_index_optimized_for": "recall",
	}}
	if diff := cmp.Diff(want, vector); diff != "" {
		t.Errorf("vector field (-want +got):\n%s", diff)
	}
	if others := e.Definitions(bucket, "nav"); len(others) != 0 {
		t.Errorf("definitions of another scope: %s", others)
	}
}

func TestUpdateNeedsUUID(t *testing.T) {
	e := open(t, today)
	put(t, e, collection, "a", []byte(`{"type":"x","content":"Seals"}`))
	first := define(t, e, edited(t))
	withUUID := func(uuid string, edit ...string) []byte {
		return edited(t, append([]string{`"name": "code_vector_index",`, fmt.Sprintf(`"name": "code_vector_index", "uuid": %q,`, uuid)}, edit...)...)
	}
	for uuid, want := range map[string]string{
		"":                 "an index with the same name already exists: ragnav.code.code_vector_index",
		"0123456789abcdef": "current index UUID: " + first + ", did not match input UUID: 0123456789abcdef",
	} {
		if _, status, body := e.Define(bucket, scope, withUUID(uuid)); status != 400 ||
			!strings.Contains(errorOf(t, body), want) {
			t.Errorf("uuid %q: %d %s, want %q", uuid, status, body, want)
		}
	}
	second := define(t, e, withUUID(first, `"analyzer": "standard"`, `"analyzer": "en"`))
	if second == first {
		t.Error("an update keeps the uuid")
	}
	wantIDs(t, e, `{"match":"seal","field":"content"}`, "a") // only "en" has stems
	if third := define(t, e, withUUID("*")); third == second {
		t.Error("an update keeps the uuid")
	}
	wantIDs(t, e, `{"match":"seal","field":"content"}`)
}

func TestIndexHasTheDocumentsOfItsCollection(t *testing.T) {
	e := open(t, today)
	if _, ok := e.Count(bucket, scope, name); ok {
		t.Error("Count of no index")
	}
	put(t, e, collection, "before", []byte(`{"type":"x"}`))
	put(t, e, "code.records", "other", []byte(`{"type":"x"}`))
	define(t, e, edited(t))
	put(t, e, collection, "after", []byte(`{"type":"x"}`))
	put(t, e, "code.records", "another", []byte(`{"type":"x"}`))
	put(t, e, collection, "no JSON", []byte(`x`))
	put(t, e, collection, "gone", []byte(`{"type":"x"}`))
	put(t, e, collection, "changed", []byte(`{"type":"x"}`))
	put(t, e, collection, "changed", []byte(`{"type":"y"}`))
	remove(t, e, "gone")
	remove(t, e, "never there")
	wantIDs(t, e, `{"term":"x","field":"type"}`, "after", "before")
	wantIDs(t, e, `{"match_all":{}}`, "after", "before", "changed", "no JSON")
	if n, ok := e.Count(bucket, scope, name); n != 4 || !ok {
		t.Errorf("Count = %d, %v, want 4", n, ok)
	}
	if e.Drop(bucket, scope, "other") || !e.Drop(bucket, scope, name) || e.Drop(bucket, scope, name) {
		t.Error("Drop does not tell whether there was an index")
	}
	if status, body := e.Query(bucket, scope, name, []byte(`{}`), 0); status != 400 || !strings.Contains(errorOf(t, body), "index not found") {
		t.Errorf("search of no index: %d %s", status, body)
	}
}

func TestTypesByField(t *testing.T) {
	e := defined(t, today, `"mode": "scope.collection", "type_field": ""`, `"mode": "scope.collection.type_field", "type_field": "type"`,
		`"code.documents"`, `"code.documents.symbol_index"`)
	put(t, e, collection, "symbol", []byte(`{"type":"symbol_index","repo_id":"r"}`))
	put(t, e, collection, "file", []byte(`{"type":"file_index","repo_id":"r"}`))
	wantIDs(t, e, `{"term":"r","field":"repo_id"}`, "symbol")
	wantIDs(t, e, `{"match_all":{}}`, "file", "symbol") // as on the server, in the index without fields
}
