package search

import "strings"

// exampleFolders are names of folders with code that shows how other code is
// used, or how fast it is; exampleParts are in all of them.
var (
	exampleFolders = map[string]bool{
		"example": true, "examples": true, "_examples": true, "sample": true, "samples": true, "demo": true, "demos": true,
		"bench": true, "benches": true, "benchmark": true, "benchmarks": true, "tutorial": true, "tutorials": true,
	}
	exampleParts = []string{"ample", "emo", "bench", "utorial"}
)

func isExample(path string) bool {
	for _, part := range exampleParts {
		if strings.Contains(path, part) {
			return inExamples(path)
		}
	}
	return false
}

func inExamples(path string) bool {
	for {
		dir, rest, more := strings.Cut(path, "/")
		if !more || exampleFolders[strings.ToLower(dir)] {
			return more
		}
		path = rest
	}
}
