package definition

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What the server gives back says the same as what it was given: without what
// is false, with settings of its own, under its whole name.
func TestServersFormIsNoDifference(t *testing.T) {
	answer, err := os.ReadFile("testdata/definition_from_server.json")
	if err != nil {
		t.Fatal(err)
	}
	var index gocb.SearchIndex
	if err := json.Unmarshal(answer, &index); err != nil {
		t.Fatal(err)
	}
	live, err := Of(index)
	if err != nil {
		t.Fatal(err)
	}
	want, err := New(Options{Dims: 256})
	if err != nil {
		t.Fatal(err)
	}
	if got := Differences(want, live); len(got) > 0 {
		t.Errorf("differences %v", got)
	}
}

// A definition survives the driver's form of it.
func TestDefinitionThroughDriver(t *testing.T) {
	want, err := New(Options{Dims: 256, BM25: true, Partitions: 3, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	index, err := want.ForServer()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Of(index)
	if err != nil {
		t.Fatal(err)
	}
	// is a float64 now
	numbers := cmpopts.IgnoreMapEntries(func(key string, _ any) bool { return key == "segmentVersion" })
	if diff := cmp.Diff(want, got, numbers); diff != "" {
		t.Errorf("definition (-want +got):\n%s", diff)
	}
}

func TestDifferences(t *testing.T) {
	const embedding, typeField, symbols, header = "embedding", "type", "text_symbol_index", "header"
	// change changes a field of the live definition.
	change := func(name string, f func(*field)) func(*Index) {
		return func(d *Index) { f(&d.Params.Mapping.Types["code.documents"].Properties[name].Fields[0]) }
	}
	tests := []struct {
		name   string
		change func(live *Index)
		want   []Difference
	}{
		{"none", func(*Index) {}, nil},
		{"its name", func(d *Index) { d.Name = "another" }, nil},
		{"sizes only", change(symbols,
			func(f *field) { f.TermVectors, f.Store, f.DocValues, f.InAll = true, true, true, true }), nil},
		{"field named by its property", change(typeField, func(f *field) { f.Name = "" }), nil},
		{"analyser by default", change(typeField, func(f *field) { f.Analyzer = "" }), nil},
		{"similarity by default", change(embedding, func(f *field) { f.Similarity, f.OptimizedFor = "", "" }), nil},
		{
			"dims", change(embedding, func(f *field) { f.Dims = 128 }),
			[]Difference{{"the vectors have 128 components, not 256", true}},
		},
		{
			"similarity", change(embedding, func(f *field) { f.Similarity = "cosine" }),
			[]Difference{{"the similarity of the vectors is cosine, not l2_norm", true}},
		},
		{
			"optimised for", change(embedding, func(f *field) { f.OptimizedFor = "latency" }),
			[]Difference{{"the vectors are optimised for latency, not for recall", false}},
		},
		{
			"vectors as numbers", change(embedding, func(f *field) { f.Type = "vector" }),
			[]Difference{{"the type of the field embedding is vector, not vector_base64", true}},
		},
		{
			"analyser", change(typeField, func(f *field) { f.Analyzer = "standard" }),
			[]Difference{{"the analyser of the field type is standard, not keyword", true}},
		},
		{
			"analyser by another default", func(d *Index) {
				change(typeField, func(f *field) { f.Analyzer = "" })(d)
				d.Params.Mapping.DefaultAnalyzer = "en"
			},
			[]Difference{{"the analyser of the field type is en, not keyword", true}},
		},
		{
			"not indexed", change(symbols, func(f *field) { f.Index = false }),
			[]Difference{{"the field text_symbol_index is not indexed", true}},
		},
		{
			"not stored", change(header, func(f *field) { f.Store = false }),
			[]Difference{{"the field header is not stored", true}},
		},
		{
			"field missing", func(d *Index) { delete(d.Params.Mapping.Types["code.documents"].Properties, typeField) },
			[]Difference{{"it does not map the field type", true}},
		},
		{
			"field disabled", func(d *Index) { d.Params.Mapping.Types["code.documents"].Properties[typeField] = node{} },
			[]Difference{{"it does not map the field type", true}},
		},
		{
			"analyser missing", func(d *Index) { d.Params.Mapping.Analysis.Analyzers = nil },
			[]Difference{{"its analyser ragnav_terms is not the one that splits at spaces and does nothing else", true}},
		},
		{
			"analyser filters", func(d *Index) {
				d.Params.Mapping.Analysis.Analyzers["ragnav_terms"] = analyzer{
					Type: "custom", Tokenizer: "whitespace",
					TokenFilters: []string{"to_lower"},
				}
			},
			[]Difference{{"its analyser ragnav_terms is not the one that splits at spaces and does nothing else", true}},
		},
		{
			"collection missing", func(d *Index) { clear(d.Params.Mapping.Types) },
			[]Difference{{"it does not map the collection code.documents", true}},
		},
		{
			"dynamic", func(d *Index) {
				n := d.Params.Mapping.Types["code.documents"]
				n.Dynamic = true
				d.Params.Mapping.Types["code.documents"] = n
			},
			[]Difference{{"it maps code.documents dynamically, which indexes more than is searched", false}},
		},
		{
			"default mapping", func(d *Index) { d.Params.Mapping.DefaultMapping.Enabled = true },
			[]Difference{{"its default mapping is enabled, so that it holds other documents too", true}},
		},
		{
			"scoring", func(d *Index) { d.Params.Mapping.ScoringModel = "" },
			[]Difference{{"it scores by tf-idf, not by bm25", false}},
		},
		{"source", func(d *Index) { d.SourceName = "other" }, []Difference{{"its source is other, not ragnav", true}}},
		{
			"mode", func(d *Index) { d.Params.DocConfig.Mode = "type_field" },
			[]Difference{{"the mode of its doc_config is type_field, not scope.collection", true}},
		},
		{
			"mode with types", func(d *Index) { d.Params.DocConfig.Mode = "scope.collection.type_field" }, nil,
		},
		{
			"an alias", func(d *Index) { d.Type = "fulltext-alias" },
			[]Difference{{"its type is fulltext-alias, not fulltext-index", true}},
		},
		{
			"plan", func(d *Index) { d.PlanParams = &PlanParams{IndexPartitions: 6, NumReplicas: 1} },
			[]Difference{{"it has 6 partitions, not 1", false}},
		},
		{"plan not told", func(d *Index) { d.PlanParams = nil }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, live := defined(t), defined(t)
			tt.change(&live)
			if diff := cmp.Diff(tt.want, Differences(want, live), cmp.AllowUnexported(Difference{}),
				cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

func defined(t *testing.T) Index {
	t.Helper()
	d, err := New(Options{Dims: 256, BM25: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What a definition does not say is what the server takes.
func TestMappingDefaults(t *testing.T) {
	var m mapping
	if err := json.Unmarshal([]byte(`{"types":{"s.c":{"properties":{"a":{}}}}}`), &m); err != nil {
		t.Fatal(err)
	}
	open := node{Enabled: true, Dynamic: true}
	want := mapping{
		DefaultAnalyzer: "standard", DefaultMapping: open, IndexDynamic: true, StoreDynamic: true, DocValuesDynamic: true,
		Types: map[string]node{"s.c": {Enabled: true, Dynamic: true, Properties: map[string]node{"a": open}}},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("mapping (-want +got):\n%s", diff)
	}
}
