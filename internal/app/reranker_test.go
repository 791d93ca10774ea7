package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// The first results stand in the order of the server that the settings name, which
// sees what is stored of them, without credentials; the checks tell how it is.
func TestReranker(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	away := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var asked struct{ Documents []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || away {
			http.Error(w, "the key sk-very-secret is no good", http.StatusUnauthorized)
			return
		}
		seen = append(seen, asked.Documents...)
		var results []string
		for i, d := range asked.Documents { // the less it speaks of coffee the better
			results = append(results, fmt.Sprintf(`{"index":%d,"relevance_score":%d}`, i, -strings.Count(d, "coffee")))
		}
		_, _ = fmt.Fprintf(w, `{"results":[%s]}`, strings.Join(results, ","))
	}))
	t.Cleanup(server.Close)

	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	root := written(t)
	source := "package a\n\n// Roast roasts coffee beans for coffee, with " + token + ".\nfunc Roast() {}\n"
	if err := os.WriteFile(filepath.Join(root, "b.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	commit(t, root)
	c := settings(t, t.TempDir())
	a := openAsSet(t, c)
	indexFolder(t, a, root)
	req := search.Request{Query: "roasts coffee beans", Level: "symbol"}
	if resp, err := op.Search.By(t.Context(), a, req); err != nil || *resp.Items[0].SymbolName != "Roast" {
		t.Fatalf("without a reranker: %+v, %v", resp.Items, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	c.Rerank.URL, c.Rerank.APIKey, c.Rerank.Model = server.URL, "sk-very-secret", "m"
	a = openAsSet(t, c)
	resp, err := op.Search.By(t.Context(), a, req)
	if err != nil || len(resp.Items) != 2 || *resp.Items[0].SymbolName != "Brew" || len(resp.Meta.Warnings) > 0 {
		t.Errorf("with a reranker: %+v, %v", resp, err)
	}
	if all := strings.Join(seen, "|"); !strings.Contains(all, "Roast roasts coffee") || strings.Contains(all, token[8:]) {
		t.Errorf("it saw %q", all)
	}
	check := func() string {
		for _, check := range a.Checks(t.Context()) {
			if check.Name == "reranker" {
				return fmt.Sprint(check.OK, check.Degraded, check.Message)
			}
		}
		return "none"
	}
	if got := check(); got != fmt.Sprint(true, false, "m at "+server.URL+" orders the first 30 results of a question") {
		t.Errorf("the check: %s", got)
	}
	away = true
	if got := check(); !strings.Contains(got, "RAGNAV_RERANK_API_KEY") || strings.Contains(got, "very-secret") {
		t.Errorf("the check of one that refuses: %s", got)
	}
	req.Query = "beans and coffee"
	resp, err = op.Search.By(t.Context(), a, req)
	if err != nil || *resp.Items[0].SymbolName != "Roast" || len(resp.Meta.Warnings) != 1 ||
		strings.Contains(resp.Meta.Warnings[0].Message, "very-secret") {
		t.Errorf("of one that refuses: %+v, %v", resp, err)
	}
}
