package records

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// The command that a message names can be pasted into a shell.
func TestIndexAgain(t *testing.T) {
	for _, tt := range []struct {
		known models.Repository
		want  string
	}{
		{models.Repository{Root: "/src/project"}, "run `ragnav index /src/project`"},
		{models.Repository{Root: "/src/it's here"}, "run `ragnav index '/src/it'\\''s here'`"},
		{
			models.Repository{Root: "/data/repos/o/p", URL: "https://example.com/o/p"},
			"run `ragnav index https://example.com/o/p`",
		},
	} {
		if got := IndexAgain(tt.known); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
