package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2"
)

// The status codes of HTTP that the service answers with.
const (
	statusOK            = 200
	statusBadRequest    = 400
	statusInternalError = 500
)

// maxWindow is how many hits a request may reach, bleveMaxResultWindow of the server.
const maxWindow = 10_000

var errPartition = errors.New("pindex not available")

// Query executes the search in body on an index and gives the reply of the
// server. The hits of the first failPartitions partitions are missing, and the
// reply says so. Unknown indexes and requests that cannot be read are 400.
//
// What a partition finds wrong is 400 when there is only one; with several it
// is said in the status, as is a search that takes longer than ctl.timeout.
func (e *Engine) Query(bucket, scope, name string, body []byte, failPartitions int) (status int, reply []byte) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	full := fullName(bucket, scope, name)
	x := e.indexes[full]
	if x == nil {
		return statusBadRequest, refusal("rest_auth: preparePerms, err: index not found", body)
	}
	req, timeout, err := parseRequest(body, e.opts.Prefilter)
	if err != nil {
		return refused(full, fmt.Errorf("bleve: QueryBleve parsing searchRequest, err: %w", err), body)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	failed := x.partitions[:min(max(failPartitions, 0), len(x.partitions))]
	result, err := x.search(ctx, req, x.partitions[len(failed):])
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		result = nothing()
		result.fail(x.partitions, err)
	case err != nil:
		return refused(full, err, body)
	}
	result.fail(failed, errPartition)
	return result.encode()
}

// parseRequest reads the body of a search. On servers without prefilter the
// filters of knn clauses are left out in silence.
func parseRequest(body []byte, prefilter bool) (*bleve.SearchRequest, time.Duration, error) {
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, 0, err
	}
	for key := range sent {
		if !slices.Contains(requestKeys, key) {
			return nil, 0, fmt.Errorf("the engine of the tests knows no %q in a request", key)
		}
	}
	var ctl struct {
		Timeout float64 `json:"timeout"` // in ms; 0 for none
	}
	if raw := sent["ctl"]; raw != nil {
		if err := json.Unmarshal(raw, &ctl); err != nil {
			return nil, 0, err
		}
	}
	if !prefilter && sent["knn"] != nil {
		var clauses []map[string]json.RawMessage
		if err := json.Unmarshal(sent["knn"], &clauses); err != nil {
			return nil, 0, err
		}
		for _, clause := range clauses {
			delete(clause, "filter")
		}
		sent["knn"], _ = json.Marshal(clauses) // as it came
		body, _ = json.Marshal(sent)
	}
	req := &bleve.SearchRequest{}
	if err := json.Unmarshal(body, req); err != nil {
		return nil, 0, err
	}
	if req.Size > maxWindow || req.From > maxWindow-req.Size {
		return nil, 0, fmt.Errorf("bleveMaxResultWindow exceeded, from: %d, size: %d, bleveMaxResultWindow: %d", req.From,
			req.Size, maxWindow)
	}
	timeout := time.Hour
	if ctl.Timeout > 0 {
		timeout = time.Duration(ctl.Timeout * float64(time.Millisecond))
	}
	return req, timeout, req.Validate()
}

// requestKeys are those of a search request.
var requestKeys = []string{
	"query", "size", "from", "fields", "sort", "explain", "highlight", "facets", "includeLocations", "score",
	"search_after", "search_before", "knn", "knn_operator", "params", "ctl", "showrequest",
}

// search asks partitions as the server does, which merges what they find.
func (x *index) search(ctx context.Context, req *bleve.SearchRequest, in []*partition) (*answer, error) {
	if err := x.flush(); err != nil {
		return nil, err
	}
	if len(in) == 0 {
		return nothing(), nil
	}
	alias := bleve.NewIndexAlias()
	for _, p := range in {
		alias.Add(p.Index)
	}
	if err := alias.SetIndexMapping(x.mapping.IndexMappingImpl); err != nil {
		return nil, err
	}
	result, err := alias.SearchInContext(ctx, req)
	if err != nil {
		return nil, err
	}
	result.Request = nil
	return &answer{result}, nil
}

// An answer is a reply in the making.
type answer struct{ *bleve.SearchResult }

func nothing() *answer {
	return &answer{&bleve.SearchResult{Status: &bleve.SearchStatus{}}}
}

// fail adds partitions that did not answer.
func (a *answer) fail(partitions []*partition, err error) {
	for _, p := range partitions {
		a.Status.Merge(&bleve.SearchStatus{Total: 1, Failed: 1, Errors: bleve.IndexErrMap{p.Name(): err}})
	}
}

// encode writes a reply. A score that is not a number cannot be written, here
// as on the server.
func (a *answer) encode() (status int, body []byte) {
	if a.Hits == nil {
		a.Hits = slices.Grow(a.Hits, 0)
	}
	data, err := json.Marshal(a.SearchResult)
	if err != nil {
		return statusInternalError, refusal(fmt.Sprintf("rest: JSON encode, err: %v", err), nil)
	}
	return statusOK, append(data, '\n')
}

// refusal is the body of an error reply. The server repeats what was sent.
func refusal(message string, sent []byte) []byte {
	details := map[string]any{"status": "fail", "error": message}
	var request any
	switch {
	case sent == nil:
	case json.Unmarshal(sent, &request) == nil:
		details["request"] = request
	default:
		details["request"] = string(sent)
	}
	data, _ := json.Marshal(details)
	return append(data, '\n')
}

// refused is the reply to a search that cannot be carried out.
func refused(index string, err error, sent []byte) (int, []byte) {
	return statusBadRequest, refusal(fmt.Sprintf("rest_index: Query, indexName: %s, err: %v", index, err), sent)
}
