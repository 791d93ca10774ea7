package search

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A callable is what declarations and the definition of one function share.
type callable struct {
	repo         models.RepoID
	parent, name string
}

func callableOf(h *models.Header) callable {
	parent, _ := strings.CutSuffix(h.QualifiedName, h.SymbolName)
	parent = strings.TrimSuffix(parent, ".")
	return callable{h.RepoID, parent[strings.LastIndexByte(parent, '.')+1:], h.SymbolName}
}

// define lets what declares functions in headers speak for their definitions, which
// are somewhere else and often not documented: these are as like the query as the
// declaration is, which counts less from then on.
func (p pool) define() {
	declared := map[callable][]*candidate{}
	for _, c := range p.all {
		if isHeader(c.FilePath) && slices.Contains(calledKinds, c.Kind) {
			of := callableOf(c.Header)
			declared[of] = append(declared[of], c)
		}
	}
	if len(declared) == 0 {
		return
	}
	for _, c := range p.all {
		if isHeader(c.FilePath) || !slices.Contains(calledKinds, c.Kind) {
			continue
		}
		for _, d := range declared[callableOf(c.Header)] {
			if c.Test != d.Test {
				continue
			}
			d.declares = true
			c.bm25 = max(c.bm25, d.bm25)
			if d.known && (!c.known || c.cosine < d.cosine) {
				c.cosine, c.known = d.cosine, true
			}
		}
	}
}

// definitions end the names of headers that define what others declare.
var definitions = []string{"-inl", "_inl", ".inl", "-impl", "_impl", ".impl"}

// isHeader reports whether a file of C or C++ has the declarations of others.
func isHeader(file string) bool {
	ext := path.Ext(file)
	switch ext {
	case ".h", ".hh", ".hpp", ".hxx":
		stem := strings.TrimSuffix(file, ext)
		return !slices.ContainsFunc(definitions, func(end string) bool { return strings.HasSuffix(stem, end) })
	}
	return false
}

// onlyDeclares reports whether a file has nothing but the types of what is defined
// in others, often of the whole package.
func onlyDeclares(file string) bool {
	switch path.Ext(file) {
	case ".ts", ".cts", ".mts":
		return strings.HasSuffix(strings.TrimSuffix(file, path.Ext(file)), ".d")
	case ".pyi", ".rbi", ".mli":
		return true
	}
	return false
}
