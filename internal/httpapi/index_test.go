package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// A preview takes as long as it takes; starting jobs has the limit of requests.
func TestPreviewHasNoTimeLimit(t *testing.T) {
	const limit = 250 * time.Millisecond
	d := deps()
	d.Timeout = limit
	preview := operations()
	bind(d, op.PreviewIndex, func(ctx context.Context, req index.StartRequest) (index.PreviewResponse, error) {
		select {
		case <-ctx.Done():
			return index.PreviewResponse{}, ctx.Err()
		case <-time.After(4 * limit):
			return op.PreviewIndex.By(ctx, preview, req)
		}
	})
	bind(d, op.StartIndex, func(ctx context.Context, _ index.StartRequest) (index.JobsResponse, error) {
		<-ctx.Done()
		return index.JobsResponse{}, ctx.Err()
	})
	srv := httptest.NewUnstartedServer(httpapi.New(d))
	srv.Config.ReadTimeout, srv.Config.WriteTimeout = 3*limit, 3*limit
	srv.Start()
	t.Cleanup(srv.Close)
	for _, test := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"targets":["/src/b"],"dry_run":true}`, http.StatusOK, `"repositories":[`},
		{`{"targets":["/src/b"]}`, http.StatusGatewayTimeout, "TIMEOUT"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/api/index",
			strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != test.status || !strings.Contains(string(text), test.want) {
			t.Errorf("%s: %s %s, %v; want %d with %s", test.body, resp.Status, text, err, test.status, test.want)
		}
	}
}
