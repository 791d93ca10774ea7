package parse

import "github.com/ragnav/ragnav/internal/rag/models"

// MaxExports caps Outline.Exports.
const MaxExports = 200

// Exports lists the exported names among top-level symbols, each once.
func Exports(symbols []Symbol) []string {
	var names []string
	seen := make(map[string]bool)
	for _, s := range symbols {
		if len(names) == MaxExports {
			break
		}
		if s.Exported && s.Parent == "" && s.Kind != models.KindChunk && !seen[s.Name] {
			seen[s.Name] = true
			names = append(names, s.Name)
		}
	}
	return names
}
