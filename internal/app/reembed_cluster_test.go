package app_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed/openai/openaitest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
	"github.com/ragnav/ragnav/test/cbtest"
)

// Vectors on a cluster aren't made again in place. What the refusal says instead
// works: another scope has the other embedder's, while the first one answers on.
func TestReembedOnACluster(t *testing.T) {
	a, node := openCluster(t, cbtest.Options{})
	indexed(t, a)
	_, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Reembed: true})
	if says := fault.MessageOf(err); fault.CodeOf(err) != fault.InvalidRequest ||
		!strings.Contains(says, "set up another scope") || !strings.Contains(says, "docs/couchbase.md") {
		t.Fatalf("reembed: %v", err)
	}
	semantic(t, a)
	env := map[string]string{
		"RAGNAV_STORE": node.ConnStr() + "/ragnav.other", "RAGNAV_COUCHBASE_USERNAME": "Administrator",
		"RAGNAV_COUCHBASE_PASSWORD": "password", "HOME": t.TempDir(), "RAGNAV_EMBEDDER": "openai",
		"RAGNAV_EMBED_URL": openaitest.New(t, 40).URL, "RAGNAV_EMBED_MODEL": "nomic-embed-text",
	}
	c, err := config.Resolve(nil, func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	if err := app.SetupCouchbase(t.Context(), c, setup.Options{}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	other := openAsSet(t, c)
	indexed(t, other)
	semantic(t, other)
	semantic(t, a)
	for _, check := range other.Checks(t.Context()) {
		if check.Name == "embedder" && (check.Degraded || !strings.Contains(check.Message, "296 dimensions")) {
			t.Errorf("%+v", check)
		}
	}
}
