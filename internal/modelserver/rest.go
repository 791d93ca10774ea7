package modelserver

import (
	"sync/atomic"
	"time"
)

// After a failure a server is left alone for that long, so that requests don't wait
// for it one after another.
const firstRest, lastRest = time.Second, 30 * time.Second

// A Rest is the time for which a server that failed is not asked.
type Rest struct {
	until  atomic.Int64 // in nanoseconds since 1970
	length atomic.Int64
	why    atomic.Pointer[error]
}

// Over is why the server is not asked at this moment, or nil.
func (r *Rest) Over() error {
	if time.Now().UnixNano() < r.until.Load() {
		return *r.why.Load()
	}
	return nil
}

// Begin leaves the server alone for twice as long as the last time.
func (r *Rest) Begin(why error) {
	length := min(max(2*r.length.Load(), int64(firstRest)), int64(lastRest))
	r.why.Store(&why)
	r.length.Store(length)
	r.until.Store(time.Now().UnixNano() + length)
}

// End has the server asked again.
func (r *Rest) End() { r.until.Store(0); r.length.Store(0) }
