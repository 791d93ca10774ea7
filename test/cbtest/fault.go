package cbtest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/couchbase/gocbcore/v10/memd"
)

// A Fault makes matching requests fail. A request meets the oldest fault that
// matches it, and only that one.
type Fault struct {
	// Service is "kv", "search", "query" or "mgmt"; "" is all of them.
	Service string
	// Op is a command name, "CMD_SET", or a part of the HTTP path or of the
	// request body, such as a statement; "" is all of them.
	Op string
	// Times is how many requests fail; 0 is all until the fault is removed.
	Times int
	// Delay goes before the answer, but the request is carried out at once: a
	// client that gives up has written all the same. A node that stops does
	// not wait for it.
	Delay time.Duration
	// Status, when set, is answered over HTTP with Body instead of carrying
	// the request out.
	Status int
	Body   string
	// KVStatus, when set, is answered to a command instead of carrying it out.
	KVStatus memd.StatusCode
	// Cut closes the connection: after half of the HTTP answer, or instead of
	// carrying a command out.
	Cut bool
	// FailPartitions is how many partitions of the search index report that
	// they failed. Their hits are missing.
	FailPartitions int
}

// faults are those in force.
type faults struct {
	mu   sync.Mutex
	live []*Fault
}

// take returns the fault that a request meets, the zero Fault for none.
func (fs *faults) take(meets func(*Fault) bool) Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	i := slices.IndexFunc(fs.live, meets)
	if i < 0 {
		return Fault{}
	}
	met := fs.live[i]
	if met.Times > 0 {
		if met.Times--; met.Times == 0 {
			fs.drop(met)
		}
	}
	return *met
}

// ofCommand tells whether a fault is about a command.
func ofCommand(c memd.CmdCode) func(*Fault) bool {
	return func(f *Fault) bool {
		return (f.Service == "" || f.Service == "kv") && (f.Op == "" || f.Op == c.Name()) && f.Status == 0 &&
			f.FailPartitions == 0
	}
}

// ofHTTP tells whether a fault is about a request. Only searches have
// partitions that could fail.
func ofHTTP(path string, body []byte) func(*Fault) bool {
	service := serviceOf(path)
	text := path + "\n" + string(body)
	var query queryRequest
	if service == "query" && json.Unmarshal(body, &query) == nil {
		text += "\n" + query.Statement // without the escapes of JSON, such as of ">"
	}
	return func(f *Fault) bool {
		return (f.Service == "" || f.Service == service) && strings.Contains(text, f.Op) &&
			f.KVStatus == memd.StatusSuccess && (f.FailPartitions == 0 || strings.HasSuffix(path, "/query"))
	}
}

func (fs *faults) drop(f *Fault) {
	fs.live = slices.DeleteFunc(fs.live, func(l *Fault) bool { return l == f })
}

// wait returns after d, or false as soon as ctx ends.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
