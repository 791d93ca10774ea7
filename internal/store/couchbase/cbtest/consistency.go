package cbtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// control is the "ctl" of a search request.
type control struct {
	Timeout     int64 `json:"timeout"` // milliseconds, 0 for none
	Consistency struct {
		Level   string                       `json:"level"`
		Vectors map[string]map[string]uint64 `json:"vectors"` // index → "vBucket/uuid" → sequence number
	} `json:"consistency"`
}

// consistent waits until the index has the mutations that the request names, or
// answers as the server does when they don't come in time or are of another
// history of the bucket.
func (w *web) consistent(x *exchange, r *http.Request, i searchIndex) bool {
	var request struct{ Ctl control }
	if json.Unmarshal(x.in, &request) != nil {
		return true // the engine says what is wrong
	}
	ctl := request.Ctl
	if ctl.Consistency.Level != "at_plus" {
		return true
	}
	// Under a scope the server knows indexes by their full names only, also here;
	// a vector under another name waits for nothing.
	vector := ctl.Consistency.Vectors[i.bucket.name+"."+i.scope+"."+i.name]
	want, mismatch := w.wanted(i.bucket, vector)
	if mismatch != "" {
		x.searchError(http.StatusBadRequest,
			"rest_index: Query, name: "+i.name+", err: bleve: pindex_consistency mismatched partition, uuid: "+mismatch)
		return false
	}
	ctx := r.Context()
	if ctl.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(ctl.Timeout)*time.Millisecond)
		defer cancel()
	}
	vb, ok := w.node.feeder.reach(ctx, i.bucket, want)
	if !ok {
		x.consistencyError(i.name, "cancelled",
			fmt.Sprintf("pindex_consistency: request cancelled or timed out while waiting for partition %q to reach the "+
				"requested sequence number", strconv.Itoa(vb)),
			map[string][]uint64{strconv.Itoa(vb): {0, want[vb]}})
	}
	return ok
}

// wanted reads a vector; mismatch is a uuid that the bucket does not have.
func (w *web) wanted(b *bucket, vector map[string]uint64) (want map[int]uint64, mismatch string) {
	d := w.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	want = map[int]uint64{}
	for key, seqno := range vector {
		number, uuid, _ := strings.Cut(key, "/")
		vb, err := strconv.Atoi(number)
		if err != nil || vb < 0 || vb >= vbuckets || seqno == 0 {
			continue // as the server does: not a partition of the index
		}
		if uuid != "" && uuid != strconv.FormatUint(b.partitions[vb].uuid, 10) {
			return nil, uuid
		}
		want[vb] = seqno
	}
	return want, ""
}

// consistencyError is the 412 of the server to a wait in vain, whose message is JSON in a string.
func (x *exchange) consistencyError(index, status, message string, seqs map[string][]uint64) {
	inner, _ := json.Marshal(map[string]any{
		"status": status, "startEndSeqs": seqs,
		"message": fmt.Sprintf("rest_index: Query, name: %s, err: consistency wait %s: %s", index, status, message),
	})
	x.searchError(http.StatusPreconditionFailed, string(inner))
}
