package definition_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/test/cbtest"
)

// builtinDims is how many components the vectors of the built-in embedder have.
const builtinDims = 256

// The file for people who make the index by hand is what Definition says.
func TestDefinitionFile(t *testing.T) {
	file := filepath.Join("..", "..", "..", "..", "scripts", "setup", "code_vector_index.json")
	got, err := definition.JSON(definition.Options{Dims: builtinDims})
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, file, string(got))
}

// The engine that Couchbase runs takes the definition, with every option.
func TestDefinitionIsValid(t *testing.T) {
	for name, o := range map[string]definition.Options{
		"defaults": {Dims: builtinDims},
		"every option": {
			Bucket: "b", Scope: "s", Name: "n_1", Dims: 4096, Similarity: "dot_product", BM25: true,
			Partitions: 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			definition, err := definition.JSON(o)
			if err != nil {
				t.Fatal(err)
			}
			bucket, scope := "ragnav", "code"
			if o.Bucket != "" {
				bucket, scope = o.Bucket, o.Scope
			}
			node := cbtest.Start(t, cbtest.Options{Bucket: bucket, Scope: scope})
			url := node.WebURL() + "/api/bucket/" + bucket + "/scope/" + scope + "/index/any"
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewReader(definition))
			if err != nil {
				t.Fatal(err)
			}
			req.SetBasicAuth("Administrator", "password")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				problem, err := io.ReadAll(resp.Body)
				t.Errorf("status %d: %s %v", resp.StatusCode, problem, err)
			}
		})
	}
}

// Code and index can't drift: what is searched is what is mapped.
func TestDefinitionFields(t *testing.T) {
	definition, err := definition.JSON(definition.Options{
		Dims: 3, BM25: true, Similarity: "cosine", Partitions: 2,
		Replicas: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		PlanParams struct{ IndexPartitions, NumReplicas int }
		Params     struct {
			Mapping struct {
				ScoringModel string `json:"scoring_model"`
				Types        map[string]struct {
					Properties map[string]struct {
						Fields []map[string]any `json:"fields"`
					} `json:"properties"`
				} `json:"types"`
			} `json:"mapping"`
		}
	}
	if err := json.Unmarshal(definition, &got); err != nil {
		t.Fatal(err)
	}
	if p := got.PlanParams; p.IndexPartitions != 2 || p.NumReplicas != 1 || got.Params.Mapping.ScoringModel != "bm25" {
		t.Errorf("partitions %d, replicas %d, scoring model %s", p.IndexPartitions, p.NumReplicas,
			got.Params.Mapping.ScoringModel)
	}
	analysers := map[string]string{}
	for name, property := range got.Params.Mapping.Types["code.documents"].Properties {
		if len(property.Fields) != 1 || property.Fields[0]["name"] != name {
			t.Fatalf("property %s has the fields %v", name, property.Fields)
		}
		analysers[name], _ = property.Fields[0]["analyzer"].(string)
	}
	want := map[string]string{fts.FieldEmbedding: "", "header": "keyword"}
	for _, name := range fts.KeywordFields() {
		want[name] = "keyword"
	}
	for _, name := range fts.TextFields() {
		want[name] = "ragnav_terms"
	}
	if diff := cmp.Diff(want, analysers); diff != "" {
		t.Errorf("fields and their analysers (-want +got):\n%s", diff)
	}
	if !slices.Contains(fts.KeywordFields(), fts.FieldType) {
		t.Error("type is no keyword field")
	}
}

func TestDefinitionRefuses(t *testing.T) {
	for name, o := range map[string]definition.Options{
		"no dims":            {},
		"negative dims":      {Dims: -1},
		"too many dims":      {Dims: 4097},
		"similarity":         {Dims: 8, Similarity: "euclid"},
		"name":               {Dims: 8, Name: "2nd"},
		"name with a dot":    {Dims: 8, Name: "a.b"},
		"partitions":         {Dims: 8, Partitions: -1},
		"replicas":           {Dims: 8, Replicas: -1},
		"space in its name":  {Dims: 8, Name: "a b"},
		"slash in its name":  {Dims: 8, Name: "a/b"},
		"empty after letter": {Dims: 8, Name: "é"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := definition.JSON(o)
			if f, ok := errors.AsType[*fault.Error](err); !ok || f.Code != fault.InvalidRequest {
				t.Errorf("error %v, want %s", err, fault.InvalidRequest)
			}
		})
	}
}
