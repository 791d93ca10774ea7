package definition

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Difference is one thing that a live index has not as it should be.
type Difference struct {
	What string // "the vectors have 128 components, not 256"
	// bad is set when answers are wrong or missing because of it. The others
	// only rank or cost differently.
	Bad bool
}

// Differences compares what matters of two definitions. Names, settings that
// say nothing about answers, and more fields than wanted are no difference.
// Partitions and replicas count where want has them.
func Differences(want, live Index) []Difference {
	var d diff
	d.compare("its type", want.Type, live.Type)
	if live.Type != want.Type {
		return d.list // an alias has no mapping to compare
	}
	d.compare("its source", want.SourceName, live.SourceName)
	if !strings.HasPrefix(live.Params.DocConfig.Mode, collectionMode) {
		d.compare("the mode of its doc_config", collectionMode, live.Params.DocConfig.Mode)
	}
	d.mapping(want.Params.Mapping, live.Params.Mapping)
	d.plan(want.PlanParams, live.PlanParams)
	return d.list
}

// A diff gathers differences.
type diff struct{ list []Difference }

func (d *diff) add(bad bool, format string, args ...any) {
	d.list = append(d.list, Difference{fmt.Sprintf(format, args...), bad})
}

// compare adds a bad difference where two values are not the same.
func (d *diff) compare(what string, want, live any) {
	if want != live {
		d.add(true, "%s is %s, not %s", what, shown(live), shown(want))
	}
}

func shown(v any) string {
	if v == "" {
		return "not set"
	}
	return fmt.Sprint(v)
}

func (d *diff) plan(want, live *PlanParams) {
	if want == nil || live == nil {
		return
	}
	if want.IndexPartitions > 0 && want.IndexPartitions != live.IndexPartitions {
		d.add(false, "it has %s, not %d", models.Counted(live.IndexPartitions, "partition"), want.IndexPartitions)
	}
	if want.NumReplicas > 0 && want.NumReplicas != live.NumReplicas {
		d.add(false, "it has %s, not %d", models.Counted(live.NumReplicas, "replica"), want.NumReplicas)
	}
}

func (d *diff) mapping(want, live mapping) {
	if model := cmp.Or(live.ScoringModel, "tf-idf"); want.ScoringModel != "" && model != want.ScoringModel {
		d.add(false, "it scores by %s, not by %s", model, want.ScoringModel)
	}
	if live.DefaultMapping.Enabled {
		d.add(true, "its default mapping is enabled, so that it holds other documents too")
	}
	for _, name := range slices.Sorted(maps.Keys(want.Analysis.Analyzers)) {
		d.analyser(name, want.Analysis.Analyzers[name], live.Analysis.Analyzers[name])
	}
	for _, collection := range slices.Sorted(maps.Keys(want.Types)) {
		mapped, ok := live.Types[collection]
		if !ok || !mapped.Enabled {
			d.add(true, "it does not map the collection %s", collection)
			continue
		}
		if mapped.Dynamic {
			d.add(false, "it maps %s dynamically, which indexes more than is searched", collection)
		}
		d.fields(want.Types[collection], mapped, cmp.Or(mapped.DefaultAnalyzer, live.DefaultAnalyzer))
	}
}

func (d *diff) analyser(name string, want, live analyzer) {
	if want.Type != live.Type || want.Tokenizer != live.Tokenizer ||
		!slices.Equal(want.CharFilters, live.CharFilters) || !slices.Equal(want.TokenFilters, live.TokenFilters) {
		d.add(true, "its analyser %s is not the one that splits at spaces and does nothing else", name)
	}
}

func (d *diff) fields(want, live node, analyser string) {
	for _, name := range slices.Sorted(maps.Keys(want.Properties)) {
		mapped, ok := fieldOf(live.Properties[name], name)
		if !ok {
			d.add(true, "it does not map the field %s", name)
			continue
		}
		d.field(want.Properties[name].Fields[0], mapped, analyser)
	}
}

// fieldOf is the field of that name that a property of that name is mapped to.
func fieldOf(property node, name string) (field, bool) {
	if !property.Enabled {
		return field{}, false
	}
	i := slices.IndexFunc(property.Fields, func(f field) bool { return cmp.Or(f.Name, name) == name })
	if i < 0 {
		return field{}, false
	}
	return property.Fields[i], true
}

func (d *diff) field(want, live field, analyser string) {
	what := func(setting string) string { return setting + " of the field " + want.Name }
	if live.Type != want.Type {
		d.compare(what("the type"), want.Type, live.Type)
		return
	}
	if want.Index && !live.Index {
		d.add(true, "the field %s is not indexed", want.Name)
	}
	if want.Store && !live.Store {
		d.add(true, "the field %s is not stored", want.Name)
	}
	if want.Name == fts.FieldEmbedding {
		d.vectors(want, live)
		return
	}
	if want.Index {
		d.compare(what("the analyser"), want.Analyzer, cmp.Or(live.Analyzer, analyser))
	}
}

func (d *diff) vectors(want, live field) {
	if want.Dims != live.Dims {
		d.add(true, "the vectors have %d components, not %d", live.Dims, want.Dims)
	}
	d.compare("the similarity of the vectors", want.Similarity, cmp.Or(live.Similarity, Similarity))
	if optimised := cmp.Or(live.OptimizedFor, "recall"); optimised != want.OptimizedFor {
		d.add(false, "the vectors are optimised for %s, not for %s", optimised, want.OptimizedFor)
	}
}

// Words are what is different, in one line.
func Words(list []Difference) string {
	var all []string
	for _, d := range list {
		all = append(all, d.What)
	}
	return strings.Join(all, "; ")
}
