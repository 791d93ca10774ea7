package search

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// TestHeadersOfObjectiveC: a type in one is defined where it is implemented; those of C++ are
// defined in headers.
func TestHeadersOfObjectiveC(t *testing.T) {
	for language, declared := range map[string]bool{"Objective-C": true, "C++": false} {
		class := func(file string) *candidate {
			return &candidate{Header: &models.Header{
				Type: models.TypeSymbol, FilePath: file, Language: language, Kind: "class",
				SymbolName: "Cache", QualifiedName: "Cache",
			}}
		}
		header, source := class("Cache.h"), class("Cache.m")
		header.bm25 = 3
		pool{all: []*candidate{header, source}}.define()
		if header.declares != declared || source.bm25 > 0 != declared {
			t.Errorf("%s: the header declares: %v, the source has %v", language, header.declares, source.bm25)
		}
	}
}

func TestOnlyDeclares(t *testing.T) {
	for file, want := range map[string]bool{
		"a.d.ts": true, "a.ts": false, "b.pyi": true, "sql/vector--0.7.4--0.8.0.sql": true, "sql/vector.sql": false,
		"a--b/c.sql": false,
	} {
		if got := onlyDeclares(file); got != want {
			t.Errorf("onlyDeclares(%s) = %v", file, got)
		}
	}
}

func TestIsHeader(t *testing.T) {
	for file, want := range map[string]bool{
		"a.h": true, "b/c.hpp": true, "a.c": false, "logger-inl.h": false, "asio_impl.hpp": false, "inl.h": true,
	} {
		if got := isHeader(file); got != want {
			t.Errorf("isHeader(%s) = %v", file, got)
		}
	}
}

// TestHeadersAreBehindSources: who asks where something is done means the source, but
// documentation stands in headers.
func TestHeadersAreBehindSources(t *testing.T) {
	of := func(query, file string) float64 {
		h := &hit{Header: &models.Header{Type: models.TypeFile, FilePath: file, Language: "C"}}
		return asks(query).factor(h)
	}
	for _, query := range []string{"where is the queue drained", "drain queue"} {
		if h, c := of(query, "src/queue.h"), of(query, "src/queue.c"); h >= c {
			t.Errorf("%q: the header has %v, the source %v", query, h, c)
		}
	}
	const described = "Returns the number of elements that are in the queue"
	if h, c := of(described, "src/queue.h"), of(described, "src/queue.c"); h != c {
		t.Errorf("%q: the header has %v, the source %v", described, h, c)
	}
}
