package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// A preview takes as long as it takes; starting jobs has the limit of requests.
func TestPreviewHasNoTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
		client := serveInMemory(t, &http.Server{Handler: httpapi.New(d), ReadTimeout: 3 * limit, WriteTimeout: 3 * limit})
		for _, test := range []struct {
			body   string
			status int
			want   string
		}{
			{`{"targets":["/src/b"],"dry_run":true}`, http.StatusOK, `"repositories":[`},
			{`{"targets":["/src/b"]}`, http.StatusGatewayTimeout, "TIMEOUT"},
		} {
			status, text := post(t, client, inMemory+"/api/index", test.body)
			if status != test.status || !strings.Contains(text, test.want) {
				t.Errorf("%s: %d %s; want %d with %s", test.body, status, text, test.status, test.want)
			}
		}
	})
}

func post(t *testing.T, client *http.Client, url, body string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(all)
}
