package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var goFile = regexp.MustCompile("`([\\w/]+\\.go)`")

// Go files that the documents name are there.
func TestDocumentsNameRealFiles(t *testing.T) {
	all := sources(t)
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md"} {
		documents, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(documents) == 0 {
			t.Fatalf("no documents in %s: %v", pattern, err)
		}
		for _, document := range documents {
			text, err := os.ReadFile(document)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range goFile.FindAllStringSubmatch(string(text), -1) {
				if strings.HasSuffix(m[1], "_test.go") {
					continue
				}
				if !slices.ContainsFunc(all, func(s source) bool { return strings.HasSuffix("/"+s.path, "/"+m[1]) }) {
					t.Errorf("%s names %s, which is not there", filepath.Base(document), m[1])
				}
			}
		}
	}
}
