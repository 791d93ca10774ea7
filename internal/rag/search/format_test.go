package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestFormatThatIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		files       []*candidate // last comes first
	}{
		{
			"values of a chart before code, and before those it is tested with", "helm value for replicas of the sentry",
			[]*candidate{
				written(file("charts/sentry/ci/sentry-values.yaml", 8), "YAML"), file("pkg/sentry/server.go", 8),
				written(file("charts/sentry/values.yaml", 6), "YAML"),
			},
		},
		{
			"a workflow, where it is asked how something is built", "how are charts released",
			[]*candidate{file("hack/cmd.go", 8), written(file(".github/workflows/release.yaml", 8), "YAML")},
		},
		{
			"code, where it is not", "how are charts rendered",
			[]*candidate{written(file(".github/workflows/release.yaml", 8), "YAML"), file("hack/cmd.go", 8)},
		},
		{
			"a resource before its variable and output", "lifecycle of the bucket",
			[]*candidate{
				written(file("outputs.tf", 8), "HCL"), written(file("variables.tf", 8), "HCL"), written(file("main.tf", 7), "HCL"),
			},
		},
		{
			"an output that is asked for", "output of the bucket's ARN",
			[]*candidate{written(file("main.tf", 7), "HCL"), written(file("outputs.tf", 8), "HCL")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rank(models.LevelFile, asks(tt.query), found{own: poolOf(tt.files...)}, len(tt.files))
			var got, want []string
			for i, h := range r.hits {
				got, want = append(got, h.FilePath), append(want, tt.files[len(tt.files)-1-i].FilePath)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}
