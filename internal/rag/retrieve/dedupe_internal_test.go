package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

// A case lists hits in order, "id repo/file start-end", with "^parent" and "weak"
// behind, and what is kept of them with its lines, then what is dropped.
func TestDedupe(t *testing.T) {
	for _, c := range []struct {
		name, form string
		limit      int
		hits       []string
		want       []string
	}{
		{
			"the first of a file", plan.MetadataOnly, 9,
			[]string{"a r/x 1-5", "b r/y 1-5", "c r/x 6-9", "d s/x 6-9"},
			[]string{"a 1-5", "b 1-5", "d 6-9", "c: the file is there by a"},
		},
		{
			"a child under its parent", plan.MetadataOnly, 9,
			[]string{"a r/x 1-5", "c r/x 20-29 ^a"},
			[]string{"a 1-5", "c: child of a"},
		},
		{
			"neighbours become one", plan.SelectiveContext, 9,
			[]string{"b r/x 6-9", "a r/x 1-5", "d r/x 30-40", "c r/x 11-12"},
			[]string{"b 1-12", "a: merged into b", "c: merged into b", "d: the file is there by b"},
		},
		{
			"by way of another", plan.SelectiveContext, 9,
			[]string{"a r/x 1-5", "c r/x 10-12", "b r/x 6-9"},
			[]string{"a 1-12", "b: merged into a", "c: merged into a"},
		},
		{
			"one inside of another", plan.SelectiveContext, 9,
			[]string{"a r/x 5-6", "b r/x 1-50"},
			[]string{"a 1-50", "b: merged into a"},
		},
		{
			"pointers are not merged", plan.MetadataOnly, 9,
			[]string{"b r/x 6-9", "a r/x 1-5"},
			[]string{"b 6-9", "a: the file is there by b"},
		},
		{
			"the limit counts files", plan.MetadataOnly, 2,
			[]string{"a r/x 1-5", "b r/x 6-9", "c r/y 1-5", "d r/z 1-5"},
			[]string{"a 1-5", "c 1-5", "d: over the limit of 2", "b: the file is there by a"},
		},
		{
			"weak ones beside others", plan.SelectiveContext, 9,
			[]string{"a r/x 1-5", "b r/y 1-5 weak"},
			[]string{"a 1-5", "b: weak: less like the query than what was measured to answer one"},
		},
		{"weak ones alone", plan.SelectiveContext, 9, []string{"a r/x 1-5 weak"}, []string{"a 1-5"}},
		{"weak pointers", plan.MetadataOnly, 9, []string{"a r/x 1-5", "b r/y 1-5 weak"}, []string{"a 1-5", "b 1-5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &retrieval{plan: plan.Plan{ResponseFormat: c.form}, limit: c.limit}
			for _, text := range c.hits {
				r.hits = append(r.hits, hitOf(t, text))
			}
			r.dedupe()
			var got []string
			for _, k := range r.kept {
				got = append(got, fmt.Sprintf("%s %d-%d", k.ID, k.start, k.end))
			}
			for _, d := range r.dropped {
				got = append(got, fmt.Sprintf("%s: %s", d.ID, d.Why))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(r.kept)+len(r.dropped) != len(r.hits) {
				t.Errorf("%d kept and %d dropped of %d", len(r.kept), len(r.dropped), len(r.hits))
			}
		})
	}
}

func hitOf(t *testing.T, text string) hit {
	t.Helper()
	var h hit
	words := strings.Fields(text)
	repo, file, _ := strings.Cut(words[1], "/")
	h.ID, h.RepoID, h.FilePath = models.DocumentID(words[0]), models.RepoID(repo), file
	if _, err := fmt.Sscanf(words[2], "%d-%d", &h.StartLine, &h.EndLine); err != nil {
		t.Fatal(err)
	}
	for _, word := range words[3:] {
		if parent, ok := strings.CutPrefix(word, "^"); ok {
			h.ParentID = models.DocumentID(parent)
		}
		h.weak = h.weak || word == "weak"
	}
	return h
}
