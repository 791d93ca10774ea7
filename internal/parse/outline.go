package parse

import (
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxAverageLine is the average line length in bytes from which a source file
// is taken for minified or for data: it gets chunks only.
const maxAverageLine = 300

// Parse finds what is in a file: the sections of a document, else the symbols
// of a source file, else chunks. It takes time linear in the text and never
// panics.
func Parse(f File) (out Outline) {
	defer func() {
		// A bug in one parser must cost a file its symbols, not a run its index.
		if recover() != nil {
			out = chunkOutline(f.Text)
		}
	}()
	return outline(f)
}

func outline(f File) Outline {
	if strings.TrimSpace(f.Text) == "" {
		return chunkOutline(f.Text)
	}
	if parse := documentParser(f.Path, f.Language); parse != nil {
		if out := parse(f); len(out.Sections) > 0 {
			return out
		}
	}
	if len(f.Text)/Lines(f.Text) > maxAverageLine {
		return chunkOutline(f.Text)
	}
	if f.Language == "Go" {
		return goOutline(f)
	}
	if r := readers[strings.ToLower(f.Language)]; r != nil {
		return r.read(f)
	}
	if lang := languageNamed(f.Language); lang != nil {
		return genericOutline(f, lang)
	}
	return chunkOutline(f.Text)
}

// genericOutline is the outline by the patterns of a language, or chunks where
// they find nothing.
func genericOutline(f File, lang *language) Outline {
	out := scan(f, lang)
	if len(out.Symbols) == 0 {
		out.Symbols, out.Method = chunks(f.Text), MethodChunks
	}
	return out
}

func chunkOutline(text string) Outline {
	return Outline{Method: MethodChunks, Lines: Lines(text), Symbols: chunks(text)}
}

// maxExports caps Outline.Exports.
const maxExports = 200

// exports lists the exported names among top-level symbols, each once.
func exports(symbols []Symbol) []string {
	var names []string
	seen := make(map[string]bool)
	for _, s := range symbols {
		if len(names) == maxExports {
			break
		}
		if s.Exported && s.Parent == "" && s.Kind != models.KindChunk && !seen[s.Name] {
			seen[s.Name] = true
			names = append(names, s.Name)
		}
	}
	return names
}
