package httpapi

import (
	"context"
	"crypto/rand"
	"math"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A call is what middleware knows of one request.
type call struct {
	id        string
	start     time.Time
	errorCode string // of the reply, for the access log
}

type callKey struct{}

// idPattern is what a client may choose as the id of its request.
var idPattern = pattern.NewLazy(`^[A-Za-z0-9._-]{1,100}$`)

// identify gives the request an id, the client's own if it is a sane one, and
// starts its clock.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{id: r.Header.Get("X-Request-Id"), start: time.Now()}
		if !idPattern().MatchString(c.id) {
			c.id = rand.Text()
		}
		w.Header().Set("X-Request-Id", c.id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callKey{}, c)))
	})
}

// callOf is the call of a request that went through identify.
func callOf(r *http.Request) *call {
	return r.Context().Value(callKey{}).(*call)
}

func requestID(r *http.Request) zap.Field { return zap.String("request_id", callOf(r).id) }

// took is the time since the request came, in milliseconds to a microsecond.
func (c *call) took() float64 {
	return math.Round(float64(time.Since(c.start))/float64(time.Microsecond)) / 1000
}
