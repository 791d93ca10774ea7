package compose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What a file has more than it may have documents for is said where coverage
// finds it.
func TestBeyondTheLimit(t *testing.T) {
	const limit = 5000
	for name, tc := range map[string]struct {
		symbols, sections int
		detail, want      string
	}{
		"at the limit": {limit, 0, "", ""},
		"symbols":      {limit + 1, 0, "", "only the first 5000 of its 5001 symbols have documents of their own"},
		"beside a note": {
			limit + 2, 0, "no tree-sitter",
			"no tree-sitter; only the first 5000 of its 5002 symbols have documents of their own",
		},
		"sections": {0, limit + 1, "", "only the first 5000 of its 5001 sections have documents of their own"},
	} {
		t.Run(name, func(t *testing.T) {
			src := compose.Source{
				Repo: "a", Record: models.FileRecord{Path: "b", Detail: tc.detail}, Document: tc.sections > 0,
				Text: "x\n", Raw: "x\n",
			}
			for range tc.symbols {
				src.Outline.Symbols = append(src.Outline.Symbols,
					parse.Symbol{Name: "F", Qualified: "F", Kind: "func", StartLine: 1, EndLine: 1})
			}
			for range tc.sections {
				src.Outline.Sections = append(src.Outline.Sections,
					parse.Section{Heading: "A", Parent: -1, StartLine: 1, EndLine: 1})
			}
			got := compose.File(src)
			if diff := cmp.Diff(tc.want, got.Record.Detail); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if want := max(0, max(tc.symbols, tc.sections)-limit); got.Record.Beyond != want {
				t.Errorf("%d beyond the limit, want %d", got.Record.Beyond, want)
			}
			if n := len(got.Documents); n < limit || n > limit+1 {
				t.Errorf("%d documents", n)
			}
		})
	}
}
