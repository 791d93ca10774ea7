package patterns_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse/patterns"
)

func TestTable(t *testing.T) {
	names := strings.Join(patterns.CompileAll(), " ")
	for _, language := range []string{"python", "typescript", "tsx", "c++", "rust", "protocol buffer", "dockerfile"} {
		if !strings.Contains(names, language) {
			t.Errorf("no row for %s", language)
		}
	}
}
