package embed_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/embed"
)

// Different embedders, inputs and ways to share text among fields have
// different keys; the same ones the same.
func TestKey(t *testing.T) {
	base := embed.Manifest{Provider: "p", Model: "m", Revision: "1", Dims: 12, QueryPrefix: "q", DocumentPrefix: "d"}
	manifests := []embed.Manifest{
		base,
		{Provider: "pm", Revision: "1", Dims: 12, QueryPrefix: "q", DocumentPrefix: "d"},
		{Provider: "p", Model: "m2", Revision: "1", Dims: 12, QueryPrefix: "q", DocumentPrefix: "d"},
		{Provider: "p", Model: "m", Revision: "2", Dims: 12, QueryPrefix: "q", DocumentPrefix: "d"},
		{Provider: "p", Model: "m", Revision: "1", Dims: 13, QueryPrefix: "q", DocumentPrefix: "d"},
		{Provider: "p", Model: "m", Revision: "1", Dims: 12, DocumentPrefix: "qd"},
		{Provider: "p", Model: "m", Revision: "1", Dims: 12, QueryPrefix: "qd"},
	}
	inputs := []embed.Input{
		{Text: "t", Name: "n", Parent: "p", File: "f"},
		{Text: "u", Name: "n", Parent: "p", File: "f"},
		{Text: "t", Name: "np", File: "f"},
		{Text: "t", Name: "n", Parent: "pf"},
		{Text: "t", Parent: "np", File: "f"},
		{Text: "tnpf"},
		{File: "tnpf"},
		{},
	}
	seen := map[embed.Key]string{}
	for _, m := range manifests {
		for _, in := range inputs {
			key, again := embed.NewKeyer(m).Key(in), embed.NewKeyer(m).Key(in)
			if key != again {
				t.Errorf("%+v of %+v has two keys", in, m)
			}
			if other, ok := seen[key]; ok {
				t.Errorf("%+v of %+v has the key of %s", in, m, other)
			}
			seen[key] = in.Text + "|" + in.Name + "|" + in.Parent + "|" + in.File + " of " + m.Model
		}
	}
}
