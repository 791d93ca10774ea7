package search

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

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
