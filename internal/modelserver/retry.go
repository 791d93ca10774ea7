package modelserver

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// passing are the statuses after which the same request may succeed.
var passing = []int{
	http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
	http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// pause is how long to wait after the nth attempt, if there is to be another.
func (s Server) pause(err error, n int) (wait time.Duration, again bool) {
	wait = min(cmp.Or(s.FirstWait, defaultWait)<<(n-1), maxWait)
	wait += rand.N(wait / 4) //nolint:gosec // it only spreads clients
	if r, ok := errors.AsType[refused](err); ok {
		return max(wait, r.after), slices.Contains(passing, r.Status)
	}
	_, network := errors.AsType[*url.Error](err)
	return wait, network && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// sleep waits, unless that is longer than ctx has.
func sleep(ctx context.Context, wait time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter is the wait that a reply asks for, in seconds or as a date.
func retryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// explain is an error for users: which server, what it said, what to set.
func (s Server) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k := s.Kind
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		return fault.Wrap(k.Code, err, "no %s answers at %s; start it, or check %s_URL", k.Name, s.URL, k.Setting)
	}
	says := ""
	if f.Message != "" {
		says = ": " + f.Message
	}
	switch {
	case f.Status == http.StatusUnauthorized, f.Status == http.StatusForbidden:
		return fault.Wrap(k.Code, err, "the %s at %s refuses the key; check %s_API_KEY", k.Name, s.URL, k.Setting)
	case f.Status == http.StatusTooManyRequests:
		return fault.Wrap(k.Code, err, "the %s at %s has too much to do (HTTP 429); try again later%s", k.Name, s.URL, says)
	case f.Status == http.StatusNotFound:
		return fault.Wrap(k.Code, err, "the %s at %s does not know the model or the address; check %s_MODEL and %s_URL%s",
			k.Name, s.URL, k.Setting, k.Setting, says)
	case f.Status >= 300 && f.Status < 400:
		return fault.Wrap(k.Code, err, "%s sends elsewhere (HTTP %d), which is not followed; set %s_URL to where that is",
			s.URL, f.Status, k.Setting)
	}
	return fault.Wrap(k.Code, err, "the %s at %s fails (HTTP %d)%s", k.Name, s.URL, f.Status, says)
}
