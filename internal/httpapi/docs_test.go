package httpapi_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/httpapi/apitest"
)

// The reply in docs/rest.md is one as it is documented, of code that is there.
func TestReplyInDocs(t *testing.T) {
	const root = "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs/rest.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	reply, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("no reply in docs/rest.md")
	}
	apitest.Check(t, http.MethodPost, "/api/rag/search", http.StatusOK, []byte(reply))
	var read struct {
		Items []struct {
			Path  string `json:"file_path"`
			Lines []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(reply), &read); err != nil || len(read.Items) != 1 || len(read.Items[0].Lines) == 0 {
		t.Fatalf("%+v, %v; want an item with lines", read, err)
	}
	item := read.Items[0]
	text, err := os.ReadFile(filepath.Join(root, item.Path))
	if err != nil || !strings.Contains(string(text), item.Lines[0].Text) {
		t.Errorf("%s has no line %q: %v", item.Path, item.Lines[0].Text, err)
	}
}
