package openai_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/embed/openai/openaitest"
)

// A vector is that of the model and that of the table, each half of it, so that the
// cosine of two is the mean of both cosines.
func TestTableBeside(t *testing.T) {
	table, err := embed.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	in := inputs(2)
	alone, err := client(openaitest.New(t, dims), nil).Documents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	others, err := table.Documents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	s := openaitest.New(t, dims)
	c := client(s, func(o *openai.Options) { o.Beside = table })
	got, err := c.Documents(t.Context(), append(in, embed.Input{}))
	if err != nil {
		t.Fatal(err)
	}
	for i := range in {
		want := half(alone[i], others[i])
		if diff := cmp.Diff(want, got[i], near); diff != "" {
			t.Errorf("document %d (-want +got):\n%s", i, diff)
		}
	}
	if got[2] != nil {
		t.Error("a text without a word has a vector")
	}
	asked := "open a file"
	queries, err := c.Queries(t.Context(), []string{asked, asked})
	if err != nil {
		t.Fatal(err)
	}
	ofTable, err := table.Queries(t.Context(), []string{asked})
	if err != nil {
		t.Fatal(err)
	}
	want := half(want(t, asked)[0], ofTable[0])
	if diff := cmp.Diff([][]float32{want, want}, queries, near); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
}

func half(a, b []float32) []float32 {
	var both []float32
	for _, v := range [][]float32{a, b} {
		for _, x := range v {
			both = append(both, x/float32(math.Sqrt2))
		}
	}
	return both
}

// The manifest tells vectors with the table from those without: they are not compared.
// Where both halves are too much for a store, the model's are alone.
func TestManifestOfTableBeside(t *testing.T) {
	table, err := embed.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	of := table.Manifest()
	m := openai.New(openai.Options{Model: "bge-small-en-v1.5", Beside: table}).Manifest()
	if !m.Joined() || !m.Remote() || !strings.HasSuffix(m.Revision, of.Revision) || m.Dims != 384+of.Dims {
		t.Errorf("%+v", m)
	}
	if m := openai.New(openai.Options{Model: "bge-small-en-v1.5"}).WithDims(384).Manifest(); m.Joined() || m.Dims != 384 {
		t.Errorf("without: %+v", m)
	}
	if m := openai.New(openai.Options{Model: "some", Beside: table}).WithDims(1280).Manifest(); m.Dims != 1280 {
		t.Errorf("of an index with 1,280: %+v", m)
	}
	if m := openai.New(openai.Options{Model: "e5-mistral", Beside: table}).Manifest(); m.Joined() || m.Dims != 4096 {
		t.Errorf("of 4,096 components: %+v", m)
	}
}
