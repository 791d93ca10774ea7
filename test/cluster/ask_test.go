package cluster_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/couchbase/gocbcore/v10"

	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

func onlyIndex(t *testing.T, bucket *gocb.Bucket, config driver.Config) string {
	t.Helper()
	indexes, err := bucket.Scope(config.Scope).SearchIndexes().GetAllIndexes(nil)
	if err != nil || len(indexes) != 1 {
		t.Fatalf("%d search indexes in %s (%v), want 1", len(indexes), config.Scope, err)
	}
	return indexes[0].Name
}

// ask posts the request as it is, without anything of ragnav between.
func ask(t *testing.T, bucket *gocb.Bucket, path string, f fact) answer {
	t.Helper()
	body, err := json.Marshal(f.request)
	if err != nil {
		t.Fatal(err)
	}
	status, reply := post(t, bucket, path, body)
	var parsed struct {
		Status struct {
			Failed int `json:"failed"`
		} `json:"status"`
		Hits []struct {
			ID string `json:"id"`
		} `json:"hits"`
	}
	if err := json.Unmarshal(reply, &parsed); err != nil && status == http.StatusOK {
		t.Fatalf("%s: %v in %s", f.name, err, reply)
	}
	ids := []string{}
	for _, hit := range parsed.Hits {
		ids = append(ids, hit.ID)
	}
	ranked := min(f.ranked, len(ids))
	return answer{
		Status: status, Failed: parsed.Status.Failed, Ranked: ids[:ranked],
		Rest: slices.Sorted(slices.Values(ids[ranked:])),
	}
}

// post sends a body to the Search service by gocb's own connections, which know
// where it is.
func post(t *testing.T, bucket *gocb.Bucket, path string, body []byte) (status int, reply []byte) {
	t.Helper()
	agent, err := bucket.Internal().IORouter()
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		resp *gocbcore.HTTPResponse
		err  error
	}
	done := make(chan outcome, 1)
	_, err = agent.DoHTTPRequest(&gocbcore.HTTPRequest{
		Service: gocbcore.FtsService, Method: http.MethodPost, Path: path, Body: body, ContentType: "application/json",
		IsIdempotent: true, Deadline: time.Now().Add(time.Minute),
	}, func(resp *gocbcore.HTTPResponse, err error) { done <- outcome{resp, err} })
	if err != nil {
		t.Fatal(err)
	}
	o := <-done
	if o.err != nil {
		t.Fatal(o.err)
	}
	defer o.resp.Body.Close()
	reply, err = io.ReadAll(o.resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return o.resp.StatusCode, reply
}
