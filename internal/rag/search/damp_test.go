package search

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// TestNewest has documents in several versions, by falling score.
func TestNewest(t *testing.T) {
	for _, test := range []struct {
		name, query string
		docs, want  []string
	}{
		{
			"one without a version", "install it",
			[]string{"docs/v1/a.md", "docs/a.md", "docs/v2/a.md", "docs/b.md"},
			[]string{"docs/a.md", "docs/b.md", "docs/v1/a.md", "docs/v2/a.md"},
		},
		{
			"the newest", "install it",
			[]string{"docs/9.1/a.md", "docs/10.0/a.md", "docs/9.x/a.md"},
			[]string{"docs/10.0/a.md", "docs/9.1/a.md", "docs/9.x/a.md"},
		},
		{
			"folders of a generator", "install it",
			[]string{"website/versioned_docs/version-29.7/a.md", "website/versioned_docs/version-30.0/a.md", "docs/a.md"},
			[]string{"docs/a.md", "website/versioned_docs/version-29.7/a.md", "website/versioned_docs/version-30.0/a.md"},
		},
		{
			"one that is named", "install v1",
			[]string{"docs/a.md", "docs/v2/a.md", "docs/v1/a.md"},
			[]string{"docs/v1/a.md", "docs/a.md", "docs/v2/a.md"},
		},
		{
			"chapters, years, packages", "install it",
			[]string{"blog/2023/a.md", "blog/2024/a.md", "01-first/a.md", "p/docs/a.md"},
			[]string{"blog/2023/a.md", "blog/2024/a.md", "01-first/a.md", "p/docs/a.md"},
		},
		{"documents called by their version", "install it", []string{"docs/v1", "docs/v2"}, []string{"docs/v1", "docs/v2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var hits []*hit
			for i, file := range test.docs {
				h := &models.Header{ID: models.SectionID("o/r", file, "install", 1), Type: models.TypeDocument, RepoID: "o/r"}
				h.FilePath = file
				hits = append(hits, &hit{Header: h, score: 2 - 0.1*float64(i)})
			}
			newest(asks(test.query), hits)
			slices.SortFunc(hits, before)
			var got []string
			for _, h := range hits {
				got = append(got, h.FilePath)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
