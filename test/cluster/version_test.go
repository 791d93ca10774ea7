package cluster_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
)

// version is what the server says of itself: "8.0.3-1234-enterprise".
func (c cluster) version(t *testing.T) string {
	t.Helper()
	bucket, done := connect(t, c.config)
	defer done()
	var version string
	rows, err := bucket.Scope("_default").Query("SELECT RAW ds_version()", &gocb.QueryOptions{Timeout: time.Minute})
	if err == nil {
		err = rows.One(&version)
	}
	if err != nil {
		t.Fatalf("the server's version: %v", err)
	}
	return version
}

// prefilters reports whether a server of that version heeds the filter of a
// knn clause: from 7.6.4.
func prefilters(version string) bool {
	number, _, _ := strings.Cut(version, "-")
	var parts [3]int
	for i, part := range strings.SplitN(number, ".", len(parts)) {
		parts[i], _ = strconv.Atoi(part)
	}
	return slices.Compare(parts[:], []int{7, 6, 4}) >= 0
}
